/** Which words of a person take a no back, and which one they mean. */
import assert from "node:assert/strict";
import { takenBack } from "../../src/shared/denialWords";

const data = { title: "Run `rm -r data`" };
const push = { title: "Run `git push origin main`" };
const invoice = { title: "Edit src/invoice.ts" };

const meant: [words: string, denials: { title: string }[], which: { title: string } | undefined][] = [
  ["You may now delete it.", [data], data],
  ["ok, go ahead with the cleanup", [data], data],
  ["It's ok to delete data now", [data, push], data],
  ["You can push to main now", [data, push], push],
  ["allow the edit of src/invoice.ts", [data, invoice], invoice],
  ["现在可以删除 data 了", [data, push], data],
  ["允许 git push", [data, push], push],
  ["可以删除了", [data], data],
  // It is not clear which one.
  ["You may now go on.", [data, push], undefined],
  // It says no, asks, or is about something else.
  ["You may not delete data", [data], undefined],
  ["Don't go ahead with that.", [data], undefined],
  ["不允许删除 data", [data], undefined],
  ["Why can you not delete data? You can tell me.", [data], undefined],
  ["Allow users to sign in by email", [data], undefined],
  ["Are you allowed to delete data?", [data], undefined],
  ["Can I go ahead?", [data], undefined],
  [`Go ahead. ${"A long specification. ".repeat(40)}`, [data], undefined],
  ["Go ahead", [], undefined],
];

describe("words that take a no back", () => {
  for (const [words, denials, which] of meant)
    it(`${JSON.stringify(words.slice(0, 60))}, ${denials.length} held`, () =>
      assert.equal(takenBack(words, denials), which));
});
