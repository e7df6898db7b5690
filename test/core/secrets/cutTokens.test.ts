/** Tokens that something cut off: found from the ends of lines, as a look at every character would find them. */
import assert from "node:assert/strict";
import { findCutTokens } from "../../../src/core/secrets/shapes";

const TOKEN = "ghp_16C7e42F292c6912E7";

const found = (text: string) => findCutTokens(text).map(({ start, end }) => text.slice(start, end));

describe("a token that was cut off", () => {
  for (const [where, text, expected] of [
    ["at the end of the text", `key ${TOKEN}`, [TOKEN]],
    ["at a line's end", `${TOKEN}\nmore`, [TOKEN]],
    ["of a kind that GitLab may have one day", "x glxx-A1b2C3d4E5f6G7h8\n", ["glxx-A1b2C3d4E5f6G7h8"]],
    ["before a carriage return", `a ${TOKEN}\r\nmore`, [TOKEN]],
    ["before an ellipsis", `${TOKEN}… and more`, [TOKEN]],
    ["on each of three lines", `${TOKEN}\n${TOKEN}\n\n${TOKEN}`, [TOKEN, TOKEN, TOKEN]],
    ["behind an ellipsis in the same word", `a…=${TOKEN}\n`, [TOKEN]],
    ["where digits stand before an ellipsis only", "ghp_abcdefgh12345678…\n", ["ghp_abcdefgh12345678"]],
    ["twice in one word, at both ellipses", `${TOKEN}…=${TOKEN}…`, [TOKEN, TOKEN]],
    ["in quotes that do not close", `"${TOKEN}\n`, [TOKEN]],
    ["behind an empty first line", `\n${TOKEN}`, [TOKEN]],
    ["not amid a line", `${TOKEN} and more`, []],
    ["not where it is closed", `"${TOKEN}"\n`, []],
    ["not in a word of letters", "ghp_abcdefghijklmnopqrst\n", []],
    ["not in an empty text", "", []],
    ["not in ends of lines alone", "\n\r\n…\n", []],
    ["not in a word that is too long", `${"x1".repeat(450)}${TOKEN}`, []],
  ] as const)
    it(where, () => assert.deepEqual(found(text), expected));

  it("is found in time that grows with the text, also in a word of ellipses", () => {
    const text = "a1…".repeat(200_000);
    assert.deepEqual(found(text), []);
  });
});
