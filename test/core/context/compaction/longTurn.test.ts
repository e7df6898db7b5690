/** A turn of hundreds of steps that is many times larger than the window: its own beginning is summarised (docs/context.md). */
import assert from "node:assert/strict";
import { verifySession } from "../../../../src/core/proof/verify";
import { last, read, reopened, runTurn, start } from "../../../fakes/agent";
import { hash } from "../../../fakes/hash";
import { transcript } from "../../../fakes/model";
import { isSoak } from "../../../fakes/soak";

const WINDOW = 24_000;
const GOAL = "Read every file of the list. Never skip one.";
const summary = (n: number) => ({
  text: `### 🎯 Objectives & Status\n* **Objectives**: read the files, part ${n}\n### 🧠 Key Insights & Decisions (Persistent Memory)\n* **Learnings**: part ${n} held nothing odd`,
});

async function longTurn(steps: number, memory: "lean" | "plain") {
  const names = Array.from({ length: steps }, (_, at) => `src/f${at}.ts`);
  const files = Object.fromEntries(
    names.map((name, at) => [name, `file ${at}\n${"a line of a file that is read\n".repeat(40)}`]),
  );
  const settings = { "model.contextWindow": WINDOW, "context.memory": memory };
  const agent = await start({ mode: "auto", maxSteps: steps + 10, files, settings });
  agent.models.reportsUsage = false;
  agent.models.summaries.push(...Array.from({ length: 60 }, (_, n) => summary(n + 1)));
  agent.models.play(...names.map(name => ({ calls: [read(name)] })), { text: "All are read." });
  await runTurn(agent.session, GOAL);
  return agent;
}

describe("a turn larger than the window", function () {
  this.timeout(120_000);

  for (const [most, memory] of [
    [isSoak("marathons") ? 300 : 100, "plain"],
    [100, "lean"],
  ] as const) {
    it(`by ${memory} memory folds and summarises its own first steps (${most} steps): each request fits and begins with what was asked`, async () => {
      const { session, events, models, ports } = await longTurn(most, memory);
      const { reason, steps, toolCalls } = last(session, "turnEnd");
      assert.deepEqual([reason, steps, toolCalls], ["done", most + 1, most]);
      const estimates = events.flatMap(event => (event.type === "request" ? [event.estimatedTokens] : []));
      assert.equal(estimates.length, most + 1);
      assert.ok(Math.max(...estimates) < 0.8 * WINDOW, `the largest: ${Math.max(...estimates)}`);
      const asked = models.requests.map(request => transcript(request).filter(text => text === `user: ${GOAL}`).length);
      assert.deepEqual([...new Set(asked)], [1], "the user's words stand in each of them, once");
      const compactions = events.flatMap(event =>
        event.type === "record" && event.record.kind === "compaction" ? [event.record] : [],
      );
      assert.ok(compactions.every(({ tokens, failure }) => tokens.after < tokens.before && !failure));
      const report = await verifySession(session.history.files, hash);
      assert.deepEqual([report.defects, report.breaks.unexplained], [[], undefined]);
      assert.equal(report.proven, most + 1 + models.summaryRequests.length);
      const again = await reopened(session, ports);
      assert.deepEqual(again.history.conversation, session.history.conversation);
    });
  }
});
