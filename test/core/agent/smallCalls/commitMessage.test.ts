import assert from "node:assert/strict";
import { writeCommitMessage } from "../../../../src/core/agent/smallCalls/commitMessage";
import { NoModelError, type RepositoryChanges } from "../../../../src/core/ground/ports";
import { type WorldOptions, world } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { pluck } from "../../../fakes/pluck";

const SECRET = "sk9fQ2xLr7VbT3mZ";
const { signal } = new AbortController();

const diff = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+${line}\n`;
const changes = (more: Partial<RepositoryChanges>): RepositoryChanges => ({
  ...{ root: "/ws/app", staged: "", unstaged: "", untracked: [] },
  ...more,
});

function setUp(options: WorldOptions = {}) {
  const agent = world({ secrets: { environment: { APP_TOKEN: SECRET } }, ...options });
  const asked = () => JSON.stringify(agent.models.requests.at(-1)?.prompt);
  const write = (of: Partial<RepositoryChanges>, subjects: string[] = [], stop = signal) =>
    writeCommitMessage(changes(of), subjects, agent.ports, stop);
  return { ...agent, asked, write };
}

describe("a commit message", () => {
  it("is of what is staged, in the style of the newest commits, by one request without tools", async () => {
    const { models, asked, write } = setUp();
    models.play({ text: "feat: round half up\n\nCents were cut off." });
    const both = { staged: diff("src/a.ts", "staged line"), unstaged: diff("src/b.ts", "other line") };
    const message = await write({ ...both, untracked: ["src/new.ts"] }, ["fix: stop early", "feat: begin"]);
    assert.deepEqual(message, { text: "feat: round half up\n\nCents were cut off.", ofAll: false });
    assert.match(asked(), /staged line/);
    assert.match(asked(), /- fix: stop early\\n- feat: begin/);
    for (const absent of ["other line", "new.ts"]) assert.ok(!asked().includes(absent), absent);
    assert.equal(models.requests.length, 1);
    assert.equal(models.requests[0]?.tools?.length ?? 0, 0);
  });

  it("is of all changes where nothing is staged", async () => {
    const { models, asked, write } = setUp();
    models.play({ text: "Round half up" });
    const message = await write({ unstaged: diff("src/a.ts", "other line"), untracked: ["src/new.ts"] });
    assert.equal(message.ofAll, true);
    assert.match(asked(), /other line[\s\S]*|new\.ts/);
    assert.match(asked(), /new\.ts/);
  });

  it("counts for the day, and goes again without what its server refuses of the request", async () => {
    const { models, write, spending } = setUp();
    models.prices = { input: 1, output: 2, dearer: [] };
    models.play(
      { fail: { code: "bad-request", message: "No effort.", retryable: true, refused: "reasoning" } },
      { text: "Round half up", input: 1_000_000, output: 500_000 },
    );
    assert.equal((await write({ staged: diff("src/a.ts", "two") })).text, "Round half up");
    assert.deepEqual(models.leftOut, ["reasoning"]);
    assert.deepEqual(pluck(spending.entries, "cost"), [2]);
  });

  it("says nothing of protected files, and no secret", async () => {
    const { models, asked, write } = setUp({ files: { ".env": "A=1\n", "src/a.ts": "one\n" } });
    models.play({ text: "Change the token" });
    await write({ staged: diff("src/a.ts", `token = "${SECRET}"`) + diff(".env", "PLAIN=visible") }, [`use ${SECRET}`]);
    assert.match(asked(), /token = /);
    for (const absent of [SECRET, "PLAIN=visible"]) assert.ok(!asked().includes(absent), absent);
    await assert.rejects(write({ staged: diff(".env", "PLAIN=visible") }), /Only protected files changed/);
    assert.equal(models.requests.length, 1);
  });

  it("comes without what models put around it", async () => {
    const { models, write } = setUp();
    const of = { staged: diff("src/a.ts", "two") };
    for (const [said, meant] of [
      ["```\nRound half up\n\nWhy.\n```", "Round half up\n\nWhy."],
      ["```text\nRound half up\n```\n", "Round half up"],
      ['"Round half up"', "Round half up"],
      ["Use `round`", "Use `round`"],
    ]) {
      models.play({ text: said ?? "" });
      assert.equal((await write(of)).text, meant);
    }
  });

  it("without changes, without a model, without an answer: a sentence for the person", async () => {
    const { models, write, clock } = setUp();
    await assert.rejects(write({}), /no uncommitted changes\. So there is nothing to write a message about/);
    const of = { staged: diff("src/a.ts", "two") };
    models.play({ fail: { code: "auth", message: "The key was refused.", retryable: false } });
    await assert.rejects(write(of), /^SessionError: The key was refused\.$/);
    models.play({ text: "Rou", hang: true });
    const hanging = assert.rejects(write(of), /^SessionError: scripted did not answer within 60 seconds/);
    await eventually("request 2 is sent", () => models.requests.length === 2 && clock.waiting > 0);
    await clock.advance(60_000);
    await hanging;
    const stop = new AbortController();
    models.play({ text: "Rou", hang: true });
    const stopped = assert.rejects(write(of, [], stop.signal), { name: "AbortError" });
    await eventually("request 3 is sent", () => models.requests.length === 3);
    stop.abort();
    await stopped;
    models.connectError = new NoModelError("No model yet: choose one.");
    await assert.rejects(write(of), NoModelError);
  });

  it("is asked of the model for small things, and stands in the daily log as a digest", async () => {
    const { models, write, logged } = setUp({ settings: { "model.small": "tiny" } });
    const names: (string | undefined)[] = [];
    const connect = models.connect.bind(models);
    models.connect = async (override?: { name?: string }) => {
      names.push(override?.name);
      return connect();
    };
    models.play({ text: "Round half up" });
    await write({ staged: diff("src/a.ts", "two") });
    assert.deepEqual(names, ["tiny"]);
    const lines = logged as { message: string; fields: Record<string, unknown> }[];
    assert.deepEqual(
      lines.map(({ message, fields }) => [message, fields.purpose, fields.outcome, fields.inputTokens]),
      [["model request", "commit-message", "answered", 100]],
    );
    assert.ok(!JSON.stringify(lines).includes("Round half up"));
  });
});
