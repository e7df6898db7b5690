/** A server that lies about tokens: no answer is lost by it at the next opening, and compaction stays what it is. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/agent/session/openSession";
import { last, log, start } from "../fakes/agent";

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
      await agent.session.submit("ask");
      await agent.session.idle();
      const recorded = log(agent.disk, agent.session).matchAll(/"usage":(\{[^}]*\})/g);
      for (const [, usage = "{}"] of recorded)
        for (const tokens of Object.values(JSON.parse(usage)))
          assert.ok(Number.isInteger(tokens) && Number(tokens) >= 0 && Number(tokens) < 1e9, usage);
      await agent.session.close();
      const again = await openSession(agent.ports, agent.session.id);
      assert.match(JSON.stringify(again.history.conversation.messages), /The answer\./);
      await again.submit("go on");
      await again.idle();
      assert.equal(last(again, "turnEnd").reason, "done");
      assert.match(JSON.stringify(agent.models.requests.at(-1)?.prompt), /The answer\./);
      await again.close();
    });
});
