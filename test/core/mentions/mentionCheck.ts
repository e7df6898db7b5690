/** Tests say which parts of a text are mentions. */
import assert from "node:assert/strict";
import { parseMentions } from "../../../src/shared/mentions/parse";

/** `⟦` and `⟧` stand around each mention. @param expected what each names, with its lines: `src/a.ts 10-40`; as it stands there, if not given */
export function check(marked: string, ...expected: string[]) {
  const text = marked.replace(/[⟦⟧]/g, "");
  const found = parseMentions(text);
  let shown = text;
  for (const { start, end } of [...found].reverse()) {
    shown = `${shown.slice(0, start)}⟦${shown.slice(start, end)}⟧${shown.slice(end)}`;
  }
  assert.equal(shown, marked);
  const named = found.map(({ path, range }) => (range ? `${path} ${range.first}-${range.last}` : path));
  assert.deepEqual(named, expected.length > 0 ? expected : found.map(({ raw }) => raw.slice(1)), marked);
}
