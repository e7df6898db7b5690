/** A server that lies about tokens: no answer is lost by it at the next opening, and compaction stays what it is. */
import assert from "node:assert/strict";
import { last, log, reopened, runTurn, start } from "../fakes/agent";

describe("attack 6: usage that cannot be", () => {
  for (const [what, input, output] of [
    ["a fraction", 1500.7, 10.2],
    ["beyond all numbers", 1e308, 1e308],
    ["negative", -5, -1],
    ["no number", Number.NaN, Number.NaN],
    ["without an end", Number.POSITIVE_INFINITY, 3],
  ] as const)
    it(`${what}: the answer is there after a reload, and what is recorded is whole numbers or nothing`, async () => {
      const agent = await start({ mode: "ask" });
      agent.models.play({ text: "The answer.", input, output }, { text: "And more." });
      await runTurn(agent.session, "ask");
      const recorded = log(agent.disk, agent.session).matchAll(/"usage":(\{[^}]*\})/g);
      for (const [, usage = "{}"] of recorded)
        for (const tokens of Object.values(JSON.parse(usage)))
          assert.ok(Number.isInteger(tokens) && Number(tokens) >= 0 && Number(tokens) < 1e9, usage);
      const again = await reopened(agent.session, agent.ports);
      assert.match(JSON.stringify(again.history.conversation.messages), /The answer\./);
      await runTurn(again, "go on");
      assert.equal(last(again, "turnEnd").reason, "done");
      assert.match(JSON.stringify(agent.models.requests.at(-1)?.prompt), /The answer\./);
      await again.close();
    });
});
