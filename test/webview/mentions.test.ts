/** Mentions in the composer, without a page: chips, and what is pasted and dropped. */

import assert from "node:assert/strict";
import type { MentionState } from "../../src/shared/findProtocol";
import {
  type Chip,
  Chips,
  mentionedIn,
  rangeWords,
  sentMentions,
  shortNames,
  withoutMention,
} from "../../webview-ui/src/mentions/chips";
import { bringsFiles, droppedPlaces, pastedPlaces } from "../../webview-ui/src/mentions/places";
import { pluck } from "../fakes/pluck";

describe("chips", () => {
  it("are of what is mentioned, once, without what is being typed", () => {
    const names = (text: string, caret?: number) => mentionedIn(text, caret).map(({ raw }) => raw);
    assert.deepEqual(names('@a.ts, @a.ts:1-2 and @"b c.md" @a.ts'), ["@a.ts", "@a.ts:1-2", '@"b c.md"']);
    assert.deepEqual(names("see @sr", 7), []);
    assert.deepEqual(names("see @src ", 9), ["@src"]);
    assert.deepEqual(names("me@example.com"), []);
    assert.equal(names(Array.from({ length: 200 }, (_, at) => `@f${at}.ts`).join(" ")).length, 200);
  });

  it("have the file's name, with its folder where two are called the same", () => {
    const short = (text: string) => shortNames(mentionedIn(text));
    assert.deepEqual(short("@src/a.ts @test/b.ts @problems @src/"), ["a.ts", "b.ts", "@problems", "src/"]);
    assert.deepEqual(short("@src/a.ts @test/a.ts @src/a.ts:3"), ["src/a.ts", "test/a.ts", "src/a.ts"]);
    assert.deepEqual(mentionedIn("@a.ts:3 @a.ts:3-9 @a.ts").map(rangeWords), [":3", ":3–9", ""]);
  });

  it("take their mention out of the text, everywhere, with one blank", () => {
    const without = (text: string, raw: string) => {
      const cut = withoutMention(text, raw);
      return cut && text.slice(0, cut.start) + cut.text + text.slice(cut.end);
    };
    assert.equal(without("see @a.ts now", "@a.ts"), "see now");
    assert.equal(without("see @a.ts", "@a.ts"), "see");
    assert.equal(without("@a.ts see (@a.ts) and @a.ts:3", "@a.ts"), "see () and @a.ts:3");
    assert.equal(without("@a.ts", "@a.ts"), "");
    assert.equal(without("see", "@a.ts"), undefined);
    assert.equal(without("看 @Makefile的内容", "@Makefile"), "看 的内容");
  });

  function world() {
    const shown: string[] = [];
    const questions: { names: readonly string[]; answer(states?: MentionState[]): Promise<void> }[] = [];
    const timers: (() => void)[] = [];
    const chips = new Chips({
      ask: names =>
        new Promise(resolve => {
          const answer = async (states?: MentionState[]) => {
            resolve(states);
            await new Promise(setImmediate);
          };
          questions.push({ names, answer });
        }),
      show: (all: readonly Chip[]) =>
        void shown.push(all.map(({ path, state }) => `${path} ${state ?? "?"}`).join(", ")),
      later(callback) {
        timers.push(callback);
        return () => timers.splice(timers.indexOf(callback), 1);
      },
    });
    const wait = () => timers.splice(0).forEach(call => void call());
    return { chips, shown, questions, wait };
  }

  it("are shown anew where something else is mentioned, and asked about when typing rests", async () => {
    const { chips, shown, questions, wait } = world();
    for (const text of ["look", "look @a.ts ", "look @a.ts n", "look @a.ts now @b.ts "]) {
      chips.textChanged(text, text.length);
    }
    assert.deepEqual(shown, ["a.ts ?", "a.ts ?, b.ts ?"]);
    assert.equal(questions.length, 0);
    wait();
    assert.deepEqual(pluck(questions, "names"), [["@a.ts", "@b.ts"]]);
    await questions[0]?.answer(["file", "missing"]);
    assert.equal(shown.at(-1), "a.ts file, b.ts missing");
    chips.textChanged("look @b.ts ", 11);
    wait();
    assert.equal(shown.at(-1), "b.ts missing");
    assert.equal(questions.length, 1, "what is known is not asked");
  });

  it("are none for what looks like code and names nothing", async () => {
    const { chips, shown, questions, wait } = world();
    const code = "@param x @returns @pytest.fixture @override @types/node @media @joe @Get() @angular/core@17";
    chips.textChanged(`${code} @gone.ts, @src(s) '@b.ts' and @"b c" @b.ts`);
    wait();
    const asked = questions[0]?.names ?? [];
    assert.equal(asked.length, 13);
    await questions[0]?.answer(asked.map(name => (name === "@src" ? "folder" : "missing")));
    assert.deepEqual(shown, ["gone.ts ?, b.ts ?, b c ?", "gone.ts missing, src folder, b.ts missing, b c missing"]);
  });

  it("are of what is there, where a name could end earlier", async () => {
    const { chips, shown, questions, wait } = world();
    chips.textChanged("看 @Makefile的内容, @Makefile and @docs/没有.md");
    wait();
    assert.deepEqual(questions[0]?.names, ["@Makefile的内容", "@Makefile", "@docs/没有.md"]);
    await questions[0]?.answer(["missing", "file", "missing"]);
    assert.equal(shown.at(-1), "Makefile file, docs/没有.md missing");
  });

  it("are asked about again when files come or go; late answers change nothing", async () => {
    const { chips, shown, questions, wait } = world();
    chips.filesChanged();
    wait();
    assert.equal(questions.length, 0);
    chips.textChanged("@a.ts");
    wait();
    chips.filesChanged();
    wait();
    await questions[1]?.answer(["missing"]);
    await questions[0]?.answer(["file"]);
    assert.equal(shown.at(-1), "a.ts missing");
    chips.filesChanged();
    wait();
    await questions[2]?.answer(undefined);
    assert.equal(shown.at(-1), "a.ts missing", "an answer that did not come leaves what is known");
  });
});

describe("mentions of a message that was sent", () => {
  const sent = (text: string, ...found: string[]) => sentMentions(text, found).map(({ raw }) => raw);

  it("are those that were found, and what can be nothing else", () => {
    const text = '@param @src @Makefile:3 @"my folder" @joe @gone.ts @problems @types/node';
    assert.deepEqual(sent(text), ['@"my folder"', "@gone.ts", "@problems"]);
    const found = ["src/", "Makefile:3", '"my folder/"'];
    assert.deepEqual(sent(text, ...found), ["@src", "@Makefile:3", '@"my folder"', "@gone.ts", "@problems"]);
    assert.deepEqual(sent("看 @Makefile的内容", "Makefile"), ["@Makefile"]);
    assert.deepEqual(sent("no mention", "a"), []);
  });
});

describe("what is pasted and dropped", () => {
  it("is paths, or a text", () => {
    const paths = [
      ["/code/invoices/src/a.ts", "/code/invoices/src/a.ts"],
      ['"/code/my files/a b.ts"\n', "/code/my files/a b.ts"],
      ["C:\\code\\a.ts\r\nC:\\code\\b.ts", "C:\\code\\a.ts", "C:\\code\\b.ts"],
      ["\\\\server\\share\\a.ts", "\\\\server\\share\\a.ts"],
      ["file:///code/a%20b.ts", "file:///code/a%20b.ts"],
      ["vscode-remote://host/code/a.ts", "vscode-remote://host/code/a.ts"],
      ["src/invoice.ts", "src/invoice.ts"],
      ["docs/my notes.md\n", "docs/my notes.md"],
      ["src\\a.ts:10:5", "src\\a.ts:10:5"],
      ["package.json:12", "package.json:12"],
    ];
    for (const [text = "", ...expected] of paths) assert.deepEqual(pastedPlaces(text), expected, text);
    const texts = [
      "look at /code/a.ts",
      "https://example.com/a.ts",
      "/compact",
      ...["src/a.ts\nsrc/b.ts", "@src/a.ts", "a.ts", "note: see/", "http://a/b", "time 10:30", `a/${"x".repeat(300)}`],
      "",
      "\n",
      "/code/a.ts\nand b",
    ];
    for (const text of texts) assert.equal(pastedPlaces(text), undefined, text);
    assert.equal(pastedPlaces("/code/a.ts\n".repeat(201)), undefined);
  });

  it("names files in more than one way: the surest counts", () => {
    const data = (given: Record<string, string>) => ({ getData: (type: string) => given[type.toLowerCase()] ?? "" });
    const uris = "file:///a.ts\r\n# a comment\r\nfile:///b.ts\r\n";
    assert.deepEqual(droppedPlaces(data({ "text/uri-list": uris })), ["file:///a.ts", "file:///b.ts"]);
    assert.deepEqual(droppedPlaces(data({ resourceurls: '["file:///a.ts","file:///a.ts"]' })), ["file:///a.ts"]);
    assert.deepEqual(droppedPlaces(data({ "application/vnd.code.uri-list": "file:///c.ts", "text/uri-list": uris })), [
      "file:///c.ts",
    ]);
    for (const broken of ["[", "{}", '[1,{"a":2}]']) {
      assert.equal(droppedPlaces(data({ resourceurls: broken })).filter(place => place !== "{}").length, 0, broken);
    }
    assert.ok(bringsFiles(["text/plain", "resourceurls"]));
    assert.ok(bringsFiles(["Files"]));
    assert.equal(bringsFiles(["text/plain", "text/html"]), false);
  });
});
