/** A text with a secret that nobody knew when it was hashed. */
import assert from "node:assert/strict";
import { resolveHandle } from "../../../src/core/log/handles";
import { hash } from "../../fakes/hash";
import { handleFor, Recorded } from "./recorded";

describe("a secret that becomes known late", () => {
  it("leaves an output whose handle leads to what was recorded", async () => {
    const recorded = await Recorded.start();
    const round = recorded.round("asked", ["one SECRET"]);
    recorded.hides("SECRET");
    await round;
    const { text } = await resolveHandle(recorded.history, handleFor("one [mark]"));
    assert.equal(text, "one [mark]");
  });

  it("leaves forms that name the new handle", async () => {
    const recorded = await Recorded.start();
    recorded.hides("SECRET");
    const shown = "one SECRET";
    const record = await recorded.history.append({
      ...{ kind: "result", messageId: "msg_1", callId: "call_1", toolName: "Bash", turn: 1, step: 1, durationMs: 1 },
      ...{ status: "success", digest: "Bash", raw: { sha256: hash.sha256(shown), bytes: shown.length, inline: true } },
      forms: { shown, kept: `kept ${handleFor(shown)}`, folded: `[folded] ${handleFor(shown)}` },
    });
    const handle = handleFor("one [mark]");
    assert.deepEqual(record.forms, { shown: "one [mark]", kept: `kept ${handle}`, folded: `[folded] ${handle}` });
    assert.deepEqual(record.raw, { sha256: hash.sha256("one [mark]"), bytes: 10, inline: true });
  });

  it("leaves summaries whose handles lead to what stands in requests, old and new", async () => {
    const recorded = await Recorded.start();
    await recorded.round("one");
    await recorded.round("two");
    await recorded.compact([1], "Summary with SECRET.");
    recorded.hides("SECRET");
    await recorded.round("three");
    await recorded.compact([2]);
    const { text } = await resolveHandle(recorded.history, handleFor("Summary with [mark]."));
    assert.equal(text, "Summary with [mark].");
    assert.equal(
      (await resolveHandle(recorded.history, handleFor("Summary with SECRET."))).text,
      "Summary with SECRET.",
    );
  });
});
