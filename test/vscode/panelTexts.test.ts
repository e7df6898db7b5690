/** Pure texts of the editor's side: mentions of selections, the panel's page. */
import assert from "node:assert/strict";
import { parseMentions } from "../../src/shared/mentions/parse";
import { lineMention, selectedLines } from "../../src/vscode/editor/selectionText";
import { panelPage } from "../../src/vscode/panel/pages/panelPage";

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
  const page = panelPage({
    styles: '@font-face{src:url("./icons.ttf?1")}',
    firstPicture: "<textarea></textarea>",
    folder: "https://w/dist",
    cspSource: "https://w",
    nonce: "n0",
    name: "chat",
    language: "en",
    draft: { draft: `</div>"<script>'&amp;`, inFlight: [] },
  });

  it("runs one script, has its styles with it, by nonce, and loads nothing from elsewhere", () => {
    assert.ok(
      page.includes("data-draft=\"{&quot;draft&quot;:&quot;&lt;/div>\\&quot;&lt;script>'&amp;amp;&quot;,"),
      page,
    );
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-n0'; style-src 'nonce-n0'; font-src https://w; img-src https://w data:",
    );
    assert.deepEqual(page.match(/<script[^>]*>/g), ['<script type="module" nonce="n0">']);
    assert.deepEqual(page.match(/<style[^>]*>/g), ['<style nonce="n0">']);
    assert.match(page, /url\("https:\/\/w\/dist\/icons\.ttf\?1"\)/);
    assert.doesNotMatch(page, /style=|<link/);
  });

  it("is shown before anything else is loaded: what it needs for its first picture is in it", () => {
    const loaded = page.match(/(?:src|href|import)[=(]"[^"]*"/g);
    assert.deepEqual(loaded, ['import("https://w/dist/main.js"'], "and the script is asked for once it is there");
    assert.match(page, /addEventListener\("load", async \(\) => \{\n[^\n]*import/);
  });
});
