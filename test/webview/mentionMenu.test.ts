/** The menu of mentions, without a page: its moves, its answers, what a choice writes. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMentions } from "../../src/shared/mentions/parse";
import { chosen, pathPieces } from "../../webview-ui/src/mentions/mentionSource";
import { pluck } from "../fakes/pluck";
import { file, folder, Typist } from "./typist";

describe("the menu of mentions", () => {
  it("asks for what stands behind the @, letter by letter, and nothing elsewhere", () => {
    const typist = new Typist().type("me@example.com and @in");
    assert.deepEqual(pluck(typist.questions, "query"), ["", "i", "in"]);
  });

  it("is gone once lines follow, and stays where a workspace folder's name stands before the colon", async () => {
    for (const text of ["@src/util.ts", "@Makefile", "@a:b"]) {
      const typist = await new Typist().type(text).answer();
      assert.equal(typist.type(":").menu, undefined, text);
      assert.deepEqual(typist.type("10-20").press("Enter"), [false], text);
      assert.equal(typist.menu, undefined, text);
    }
    assert.equal(new Typist().type("@app:src").menu?.subject.query, "app:src");
    assert.equal(new Typist().type('@"my notes: a').menu?.subject.query, "my notes: a");
  });

  it("punctuation takes the place of the blank that a choice wrote, and opens nothing", async () => {
    const choose = async (before: string) => {
      const typist = await new Typist().type(`${before}@ut`).answer(file("src/util.ts"));
      typist.press("Enter");
      return typist;
    };
    for (const sign of "),.;:!?]，。") {
      const typist = (await choose("(")).type(sign);
      assert.equal(typist.text, `(@src/util.ts${sign}`);
      assert.equal(typist.caret, typist.text.length);
      assert.equal(typist.menu, undefined, sign);
      assert.equal(typist.type(" and @u").menu?.subject.query, "u");
    }
    assert.equal((await choose("")).type(":10-20, x").text, "@src/util.ts:10-20, x");
    for (const words of ["and", "(see", "- x", "a, b", " ."]) {
      assert.equal((await choose("")).type(words).text, `@src/util.ts ${words}`);
    }
    // A blank that was typed, or was there before, is nobody's to take.
    assert.equal((await choose("")).type(" ").type(",").text, "@src/util.ts  ,");
  });

  it("shows the answer to what is typed now, whenever older ones come", async () => {
    const typist = new Typist().type("@in");
    const [, one, two] = typist.questions;
    await two?.answer({ items: [file("src/invoice.ts")], indexing: false });
    await one?.answer({ items: [file("index.ts")], indexing: false });
    assert.equal(typist.choice, "@src/invoice.ts");
    typist.type("v");
    assert.equal(typist.menu?.current, false, "what was found stays in sight, as what was typed before");
    assert.equal(typist.choice, "@src/invoice.ts");
  });

  it("moves: round with the arrows, by pages to the ends, the last of which chooses pictures", async () => {
    const items = Array.from({ length: 20 }, (_, at) => file(`f${at}.ts`));
    const typist = await new Typist().type("@").answer(...items);
    const moves: [string, number][] = [
      ["ArrowUp", 20],
      ["ArrowDown", 0],
      ["ArrowDown", 1],
      ["PageUp", 0],
      ["PageDown", 8],
      ["PageDown", 16],
      ["PageDown", 20],
      ["ArrowDown", 0],
    ];
    for (const [key, expected] of moves) {
      assert.deepEqual(typist.press(key), [true]);
      assert.equal(typist.menu?.selected, expected, key);
    }
    assert.deepEqual(typist.press("ArrowLeft", "Home", "x"), [false, false, false]);
  });

  for (const key of ["Enter", "Tab"]) {
    it(`${key} writes the choice and a blank, and closes`, async () => {
      const typist = await new Typist().type("see @inv").answer(file("src/invoice.ts"));
      assert.deepEqual(typist.press(key), [true]);
      assert.equal(typist.text, "see @src/invoice.ts ");
      assert.equal(typist.caret, typist.text.length);
      assert.equal(typist.menu, undefined);
    });

    it(`${key} on a folder goes on with its contents, on the folder itself it ends`, async () => {
      const typist = await new Typist().type("@sr").answer(folder("src/"));
      typist.press(key);
      assert.equal(typist.text, "@src/");
      assert.equal(typist.questions.at(-1)?.query, "src/");
      await typist.answer({ ...folder("src/"), here: true }, file("src/invoice.ts"));
      typist.press(key);
      assert.equal(typist.text, "@src/ ");
      assert.equal(typist.menu, undefined);
    });
  }

  it("a folder with a blank stays open within its quotes", async () => {
    const typist = await new Typist().type("@my").answer(folder("my files/"));
    typist.press("Enter");
    assert.equal(typist.text, '@"my files/"');
    assert.equal(typist.questions.at(-1)?.query, "my files/");
    await typist.answer(file("my files/été 中文.md"));
    typist.press("Enter");
    assert.equal(typist.text, '@"my files/été 中文.md" ');
  });

  it("Enter after a complete mention is Enter, at once or when that is known; Tab chooses", async () => {
    const typist = await new Typist().type("see @a.ts").answer(file("a.ts"), file("b/a.ts"));
    typist.press("Enter");
    assert.deepEqual([typist.sent, typist.text, typist.menu], [1, "see @a.ts", undefined]);
    const early = new Typist().type("@a.ts");
    early.press("Enter");
    await early.answer(file("a.ts"));
    assert.deepEqual([early.sent, early.text], [1, "@a.ts"]);
    const other = await new Typist().type("@a.ts").answer(file("a.ts"), file("b/a.ts"));
    other.press("ArrowDown", "Enter");
    assert.deepEqual([other.sent, other.text], [0, "@b/a.ts "]);
    const tab = await new Typist().type("@a.ts").answer(file("a.ts"));
    tab.press("Tab");
    assert.deepEqual([tab.sent, tab.text], [0, "@a.ts "]);
  });

  it("Enter and Tab wait for the answer to what was typed last", async () => {
    const typist = await new Typist().type("@in").answer(file("src/in.ts"));
    typist.type("d");
    assert.deepEqual(typist.press("Enter"), [true]);
    typist.control.caretMoved();
    assert.equal(typist.text, "@ind");
    await typist.answer(file("index.ts"));
    assert.equal(typist.text, "@index.ts ");
    assert.equal(typist.sent, 0);
  });

  it("where nothing is found, Enter does what it does elsewhere: at once, or when that is known", async () => {
    const typist = await new Typist().type("ask @bob").answer();
    assert.deepEqual(typist.press("ArrowDown", "Tab", "Enter"), [false, false, false]);
    typist.type("b");
    assert.deepEqual(typist.press("Enter"), [true]);
    assert.equal(typist.sent, 0);
    await typist.answer();
    assert.equal(typist.sent, 1);
    assert.equal(typist.text, "ask @bobb");
  });

  it("Esc closes, for this mention; the next one has its menu", async () => {
    const typist = await new Typist().type("@in").answer(file("index.ts"));
    assert.deepEqual(typist.press("Escape", "Escape", "Enter"), [true, false, false]);
    typist.type("d");
    assert.equal(typist.menu, undefined);
    await typist.type(" and @").answer(file("index.ts"));
    assert.equal(typist.choice, "@index.ts");
    typist.text = "";
    typist.caret = 0;
    typist.control.textChanged(false);
    typist.type("@");
    assert.ok(typist.menu, "another message begins as the one did that Esc was pressed in");
  });

  it("opens for typing alone, and closes when the cursor leaves", async () => {
    const typist = new Typist();
    typist.text = "@index.ts";
    typist.caret = 9;
    typist.control.textChanged(false);
    assert.equal(typist.menu, undefined);
    await typist.type("x").answer(file("index.tsx"));
    typist.caret = 0;
    typist.control.caretMoved();
    assert.equal(typist.menu, undefined);
    assert.equal(typist.questions.length, 1);
  });

  it("asks again while files are still found, and stays on what was chosen", async () => {
    const typist = new Typist().type("@i");
    await typist.questions[0]?.answer({ items: [], indexing: true });
    await typist.questions.at(-1)?.answer({ items: [file("a.ts"), file("i.ts")], indexing: true });
    typist.press("ArrowDown");
    typist.timers.splice(0).forEach(call => void call());
    assert.equal(typist.choice, "@i.ts");
    await typist.answer(file("b.ts"), file("a.ts"), file("i.ts"));
    assert.equal(typist.choice, "@i.ts");
    assert.equal(typist.timers.length, 0);
  });

  it("closes where the question is refused", async () => {
    const typist = new Typist().type("@i");
    await typist.questions.at(-1)?.answer(undefined);
    assert.equal(typist.menu, undefined);
  });

  it("Enter that waited does what it does elsewhere where the question is refused", async () => {
    const typist = new Typist().type("ask @i");
    typist.press("Enter");
    await typist.questions.at(-1)?.answer(undefined);
    assert.equal(typist.sent, 1);
    assert.equal(typist.menu, undefined);
    assert.equal(typist.timers.length, 0);
  });

  it("a key waits for a while, not for ever", async () => {
    const typist = new Typist().type("ask @i");
    typist.press("Enter", "Enter");
    assert.equal(typist.timers.length, 1);
    typist.type("n");
    assert.equal(typist.timers.length, 0, "who types on does not wait");
    typist.press("Enter");
    typist.timers.splice(0).forEach(call => void call());
    assert.equal(typist.sent, 1);
    assert.equal(typist.menu, undefined);
    await typist.answer(file("index.ts"));
    assert.equal(typist.text, "ask @in");
    assert.equal(typist.sent, 1);
  });

  it("a choice fits into what stands around it", () => {
    const check = (text: string, expected: string) => {
      const start = text.indexOf("@");
      const end = text.indexOf("|");
      const plain = text.replace("|", "");
      const { start: from, end: to, ...written } = chosen(plain, { start, end }, file("a.ts"));
      const after = plain.slice(0, from) + written.text + plain.slice(to);
      assert.equal(`${after.slice(0, written.caret)}|${after.slice(written.caret)}`, expected);
    };
    check("@a|", "@a.ts |");
    check("(@a|)", "(@a.ts|)");
    check("@a| then", "@a.ts |then");
    check("@a|\nthen", "@a.ts |\nthen");
    check("@a|:10-20", "@a.ts|:10-20");
  });

  it("what is chosen reads back as what it names", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 300, unit: "grapheme" }), name => {
        fc.pre(/[\p{L}\p{N}]/u.test(name) && !/[\n\r]/.test(name));
        const { text } = chosen("@", { start: 0, end: 1 }, file(name));
        const [mention] = parseMentions(`${text}and`);
        assert.equal(mention?.path, name);
      }),
    );
  });

  it("shows a path as name and folder, each with what was typed", () => {
    const shown = (path: string, ...positions: number[]) => {
      const { name, hint } = pathPieces(path, positions);
      return [name, hint].map(pieces => pieces.map(({ text, matched }) => (matched ? `[${text}]` : text)).join(""));
    };
    assert.deepEqual(shown("src/invoice.ts", 0, 4, 5, 6), ["[inv]oice.ts", "[s]rc"]);
    assert.deepEqual(shown("src/core/", 4), ["[c]ore", "src"]);
    assert.deepEqual(shown("app:readme.md", 4), ["[r]eadme.md", "app"]);
    assert.deepEqual(shown("readme.md"), ["readme.md", ""]);
  });
});
