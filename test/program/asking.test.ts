/** The agent asks where the terminal program runs: with events, and where nobody is there. Over HTTP, in processes of their own. */
import assert from "node:assert/strict";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { eventsOf, inPlace, program, runArgs, said, withModel } from "./program";

const questions = [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] }];

/** Asks once, then says what it was told. */
const asks = (request: OfflineRequest) => {
  const [told] = said(request);
  return told === undefined ? { calls: [{ name: "AskUser", input: { questions } }] } : { text: `Told: ${told.text}` };
};

describe("the agent's questions in a terminal", function () {
  this.timeout(120_000);
  const { place, strata } = program();

  it("as JSON: exit 3 with the question in the events, and the next prompt answers it", () =>
    withModel(asks, async url => {
      const at = place();
      const first = await strata(at, runArgs(at, url, "--json", "--prompt", "store it"));
      assert.equal(first.code, 3, first.err);
      const events = eventsOf(first.out);
      const asked = events.flatMap(event =>
        event.type === "record" && event.record.kind === "question" ? [event.record] : [],
      );
      assert.equal(asked.length, 1);
      assert.equal(asked[0]?.form.fields[0]?.title, "Which database?");
      assert.ok(!events.some(event => event.type === "record" && event.record.kind === "turnEnd"));
      const session = events[0]?.type === "session" ? events[0].sessionId : "";
      const next = await strata(at, runArgs(at, url, "--json", "--session", session, "--prompt", "neither: files"));
      assert.equal(next.code, 0, next.err);
      const end = eventsOf(next.out).findLast(event => event.type === "record" && event.record.kind === "turnEnd");
      assert.equal(end?.type === "record" && end.record.kind === "turnEnd" && end.record.reason, "done");
      assert.match(next.out, /Told: The user answers in their own words:\\nneither: files/);
      const verified = await strata(at, ["verify", session, ...inPlace(at)]);
      assert.equal(verified.code, 0, verified.out);
    }));

  it("where nobody is there and nobody reads events, the model is told so", () =>
    withModel(asks, async url => {
      const at = place();
      const { code, out } = await strata(at, runArgs(at, url, "--prompt", "store it"));
      assert.equal(code, 0);
      assert.match(out, /Told: Nobody is there to answer/);
    }));
});
