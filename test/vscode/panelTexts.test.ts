/** Pure texts of the editor's side: recorded diffs taken apart, mentions of selections, the panel's page. */
import assert from "node:assert/strict";
import { fileChange } from "../../src/core/text/diff";
import { parseMentions } from "../../src/shared/mentions/parse";
import { lineMention, selectedLines } from "../../src/vscode/editor/selectionText";
import { changedPlaces, textBefore } from "../../src/vscode/panel/diffText";
import { panelPage } from "../../src/vscode/panel/panelPage";

const lines = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, i) => change[i + 1] ?? `line ${i + 1}`)
    .filter(line => line !== "gone")
    .join("\n");

describe("a recorded diff", () => {
  const check = (before: string, after: string, current = after, expected: string | null = before) => {
    const { diff } = fileChange({ uri: "file:///a", path: "a" }, before, after);
    assert.equal(textBefore(diff, current) ?? null, expected);
  };

  it("gives back what stood before", () => {
    check(lines(40), lines(40, { 3: "three", 20: "twenty", 39: "a\nb\nc" }));
    check(lines(10), lines(10, { 5: "gone", 6: "gone" }));
    check(lines(5), lines(5, { 1: "zero\nline 1" }));
    check("", lines(3));
    check(lines(3), "");
    check(`${lines(3)}\n`, lines(3));
    check(lines(3), `${lines(3)}\n`);
  });

  it("keeps the line ends of the file", () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    check(crlf(lines(9)), crlf(lines(9, { 4: "four" })));
  });

  it("applies where only other places changed at the same lines, and nowhere else", () => {
    const after = lines(40, { 20: "twenty" });
    check(lines(40), after, lines(40, { 20: "twenty", 2: "two" }), lines(40, { 2: "two" }));
    check(lines(40), after, lines(40, { 20: "twenty again" }), null);
    check(lines(40), after, `new first line\n${after}`, null);
  });

  it("of a new file begins with nothing", () => {
    const { diff } = fileChange({ uri: "file:///a", path: "a" }, null, "one\ntwo\n");
    assert.equal(textBefore(diff, "one\ntwo\n"), "");
  });

  it("shows the changed places alone", () => {
    const { diff } = fileChange({ uri: "file:///a", path: "a" }, "a\nb\nc", "a\nB\nc");
    assert.deepEqual(changedPlaces(diff), { before: "a\nb\nc", after: "a\nB\nc" });
  });

  it("that was cut gives nothing", () => {
    const { diff } = fileChange({ uri: "file:///a", path: "a" }, "", lines(9000));
    assert.match(diff, /left out$/);
    assert.equal(changedPlaces(diff), undefined);
    assert.equal(textBefore(diff, lines(9000)), undefined);
  });
});

describe("the mention of a selection", () => {
  const at = (line: number, character: number) => ({ line, character });
  const check = (path: string, first: number, last: number, expected: string) => {
    const mention = lineMention(path, { first, last });
    assert.equal(mention, expected);
    const parsed = parseMentions(`see ${mention} please`);
    assert.deepEqual(
      parsed.map(({ path: name, range }) => ({ name, range })),
      [{ name: path, range: { first, last } }],
    );
  };

  it("reads back as what was selected", () => {
    check("src/a.ts", 3, 9, "@src/a.ts:3-9");
    check("src/a.ts", 3, 3, "@src/a.ts:3");
    check("app:src/a.ts", 3, 9, "@app:src/a.ts:3-9");
    check("my notes/заметки.md", 1, 2, '@"my notes/заметки.md":1-2');
    check("/etc/hosts", 1, 1, "@/etc/hosts:1");
    check("odd.", 1, 1, '@"odd.":1');
  });

  it("leaves out a last line of which nothing is selected", () => {
    assert.deepEqual(selectedLines(at(2, 0), at(8, 0)), { first: 3, last: 8 });
    assert.deepEqual(selectedLines(at(2, 5), at(8, 1)), { first: 3, last: 9 });
    assert.deepEqual(selectedLines(at(4, 2), at(4, 2)), { first: 5, last: 5 });
    assert.deepEqual(selectedLines(at(4, 0), at(4, 0)), { first: 5, last: 5 });
  });
});

describe("the panel's page", () => {
  it("runs one script, by nonce, and loads nothing from elsewhere", () => {
    const page = panelPage({
      script: "https://w/main.js",
      style: "https://w/main.css",
      cspSource: "https://w",
      nonce: "n0",
    });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-n0'; style-src https://w; font-src https://w; img-src https://w data:",
    );
    assert.deepEqual(page.match(/<script[^>]*>/g), ['<script type="module" nonce="n0" src="https://w/main.js">']);
    assert.doesNotMatch(page, /style=|<style/);
  });
});
