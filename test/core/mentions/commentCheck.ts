import assert from "node:assert/strict";
import { commentsOf } from "../../../src/core/mentions/commentSyntax";

/** Where the comments of each text are, in each of the languages: `⟦` and `⟧` stand around them. */
export function checkComments(languages: string, ...marked: string[]) {
  for (const language of languages.split(" ")) {
    for (const one of marked) {
      const text = one.replace(/[⟦⟧]/g, "");
      let shown = text;
      for (const { start, end } of commentsOf(text, language).reverse()) {
        shown = `${shown.slice(0, start)}⟦${shown.slice(start, end)}⟧${shown.slice(end)}`;
      }
      assert.equal(shown, one, language);
    }
  }
}
