/** What the model sees of hidden characters, and that what it writes back is what stood there. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { sanitizeText } from "../../../../src/core/ground/text/format";
import { fromModelText, markHidden, toModelText } from "../../../../src/core/ground/text/hiddenText";
import { cases } from "../../../fakes/soak";

const parts = [
  ...[
    "\u200b",
    "\u200d",
    "\u200c",
    "\ufe0f",
    "\ufe01",
    "\u202e",
    "\u{e0041}",
    "\u{e0101}",
    "\u2028",
    "\ufeff",
    "\u3164",
  ],
  ...["⟦", "U+", "200B", "27E6", "003C", "D800", "110000", "⟧", "⟦U+200B⟧", "⟦U+27E6⟧"],
  ...["<", "/", "system-reminder", "SYSTEM REMINDER", ">", "attachment name=", " ", "\n"],
  ...["a", "😀", "👩", "नी", "می", "é", "\ud83d", "‹"],
];
const texts = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map(all => all.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

describe("hidden text", () => {
  it("comes back as it was, whatever the text; and nothing hidden or of Strata's own goes to the model", () => {
    fc.assert(
      fc.property(texts, text => {
        const shown = toModelText(text);
        assert.equal(fromModelText(shown), text);
        assert.doesNotMatch(shown, /<\s*(?:\/\s*)?(?:system[-_ ]?reminder|attachment\s+name\s*=)/i);
        assert.doesNotMatch(shown, /[\u200b\u202a-\u202e\u2060-\u206f\u2028\u2029\ufeff\u3164\u{e0000}-\u{e0fff}]/u);
        assert.equal(markHidden(markHidden(text)), markHidden(text));
        assert.equal(sanitizeText(sanitizeText(text)), sanitizeText(text));
      }),
      { numRuns: cases(20_000), seed: 18 },
    );
  });

  it("stays where a script or an emoji needs it", () => {
    for (const text of ["می‌خواهم", "क्‍ष", "👨‍👩‍👧 ❤️ ⚠️ 1️⃣ 🏳️‍🌈", "👩🏽‍💻", "plain"]) assert.equal(toModelText(text), text);
    assert.equal(markHidden("\ufe0f\u200d👩"), "⟦U+FE0F⟧⟦U+200D⟧👩", "the style itself goes");
    assert.equal(toModelText("a\u200db \ufe0f❤\ufe0f\ufe0f"), "a⟦U+200D⟧b ⟦U+FE0F⟧❤\ufe0f⟦U+FE0F⟧");
  });

  it("takes no more room than a thousand of them", () => {
    const shown = toModelText(`a${"\u200b".repeat(50_000)}b`);
    assert.ok(shown.length < 10_000);
    assert.match(shown, /⟧b\n\[49000 more hidden characters were left out\]$/);
  });
});
