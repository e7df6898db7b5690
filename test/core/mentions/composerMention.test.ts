/** The mention that is being typed in a composer. */
import assert from "node:assert/strict";
import { mentionUnderCursor } from "../../../src/shared/mentions/typed";

/** The cursor is at `|`; `⟦` and `⟧` stand around what is replaced. */
function typed(marked: string, query: string | undefined) {
  const text = marked.replace(/[⟦⟧|]/g, "");
  const offset = marked.replace(/[⟦⟧]/g, "").indexOf("|");
  const found = mentionUnderCursor(text, offset);
  assert.equal(found?.query, query, marked);
  if (!found) return;
  const shown = `${text.slice(0, found.start)}⟦${text.slice(found.start, found.end)}⟧${text.slice(found.end)}`;
  assert.equal(shown, marked.replace("|", ""), marked);
  assert.equal(found.quoted, text.startsWith('@"', found.start) && offset > found.start + 1, marked);
}

describe("the mention under the cursor", () => {
  it("is what is being typed", () => {
    typed("⟦@|⟧", "");
    typed("⟦@sr|⟧", "sr");
    typed("fix ⟦@src/co|⟧ and", "src/co");
    typed("(⟦@src/a|⟧)", "src/a");
    typed("⟦@中文|⟧", "中文");
    typed("⟦@app/(group)/[id|⟧", "app/(group)/[id");
    typed("⟦@app:src/|⟧", "app:src/");
    typed("⟦@app:|⟧", "app:");
    typed("@a ⟦@b|⟧ @c", "b");
    typed("line\n⟦@b|⟧\nline", "b");
    typed("请看 ⟦@src|⟧的", "src");
    typed("修改⟦@sr|⟧", "sr");
  });

  it("is replaced as a whole, its lines and the sentence's end excepted", () => {
    typed("⟦@sr|c/a.ts⟧ x", "sr");
    typed("⟦@sr|c/a.ts⟧:10-20", "sr");
    typed("⟦@sr|c/a.ts⟧.", "sr");
    typed("⟦@|src/a.ts⟧, x", "");
  });

  it("may be quoted", () => {
    typed('⟦@"|⟧', "");
    typed('⟦@"my f|⟧', "my f");
    typed('⟦@"my f|ile.md"⟧ x', "my f");
    typed('⟦@"my f|"⟧', "my f");
    typed('⟦@"my f|⟧ and "other"', "my f");
    typed('⟦@"my f|⟧\n"', "my f");
    typed('@"a b" ⟦@c|⟧', "c");
    typed('@"a b" c|', undefined);
    typed('⟦@"a \\"b|"⟧', 'a "b');
  });

  it("is none elsewhere", () => {
    for (const text of ["|", "|@a", "me@exa|", "@a |", "@src/a.ts, x|", "@src/a.ts:10-2|", "@a\n|", "@@a|", "x/@a|"]) {
      typed(text, undefined);
    }
    assert.equal(mentionUnderCursor(`@${"a".repeat(5000)}`, 5001), undefined);
  });
});
