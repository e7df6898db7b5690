/** Which words of a person take a no back, and which one they mean: a wrong offer is worse than none. */
import assert from "node:assert/strict";
import cases from "../../bench/corpora/takenBack.json";
import { isDeniedByDefault, toldEffects } from "../../src/shared/approval";
import { takenBack } from "../../src/shared/outcomeSaid";
import { commandAction } from "../panel/scenes";

it("a question that goes against a no has Deny for its default, and says why once", () => {
  const action = { ...commandAction, binds: "", reason: "You said no", denied: [] };
  assert.ok(isDeniedByDefault(action) && !isDeniedByDefault({ ...action, denied: undefined }));
  assert.deepEqual(toldEffects(action), []);
});

describe("words that take a no back", () => {
  for (const { words, held, means } of cases)
    it(`${JSON.stringify(words.slice(0, 60))}, ${held.length} held`, () => {
      const denials = held.map(title => ({ title }));
      assert.equal(takenBack(words, denials)?.title ?? null, means);
    });
});
