/** The host's answers about mentions: what the menu lists, what mentions name, what paths and URIs become. */
import assert from "node:assert/strict";
import type { AskedArgument, FoundMention, MentionSearch } from "../../src/core/ports";
import { writeMention } from "../../src/shared/mentions/write";
import { mentionHandlers, mentionItems } from "../../src/vscode/panel/mentionHandlers";
import { MemoryFiles } from "../fakes/files";

const found = (path: string): FoundMention => ({ kind: "file", mention: writeMention(path), path, positions: [] });
const many = (count: number) => Array.from({ length: count }, (_, at) => found(`f${at}.ts`));

function start(search: MentionSearch["search"] = async () => ({ items: [], indexing: false })) {
  const roots = { app: { "src/a.ts": "one\n", "my files/b c.md": "two\n", problems: "three\n" } };
  const files = new MemoryFiles(roots);
  return mentionHandlers({
    files,
    search: { search },
    activeFile: () => undefined,
    refOf: async place => (place.startsWith("/") ? files.resolve(place) : undefined),
  });
}

describe("the host's answers about mentions", () => {
  const names = (...args: Parameters<typeof mentionItems>) => mentionItems(...args).map(({ mention }) => mention);
  const attachments = ["@problems", "@selection", "@changes", "@terminal"];

  it("before anything is typed: the active editor's file, others, attachments, all of it in sight", () => {
    const listed = mentionItems("", [found("near.ts"), found("src/a.ts"), ...many(9)], { active: "src/a.ts" });
    assert.deepEqual(
      listed.map(({ mention }) => mention),
      ["@src/a.ts", "@near.ts", "@f0.ts", "@f1.ts", "@f2.ts", "@f3.ts", "@f4.ts", ...attachments],
    );
    assert.equal(listed[0]?.hint, "active editor");
    assert.match(listed.at(-1)?.hint ?? "", /began after Strata did/);
    assert.deepEqual(names("", [], {}), attachments);
  });

  it("in several folders too, the active editor's file stands there once", () => {
    const same: FoundMention = { kind: "file", mention: "@src/a.ts", path: "app:src/a.ts", positions: [] };
    assert.deepEqual(names("", [same, found("near.ts")], { roots: ["app", "lib"], active: "app:src/a.ts" }), [
      "@src/a.ts",
      "@near.ts",
      ...attachments,
    ]);
  });

  it("attachments come among files while their name is begun, first once it is meant", () => {
    assert.deepEqual(names("te", many(9), {}).indexOf("@terminal"), 5);
    assert.deepEqual(names("te", many(2), {}), ["@f0.ts", "@f1.ts", "@terminal"]);
    assert.deepEqual(names("Term", many(2), {}), ["@terminal", "@f0.ts", "@f1.ts"]);
    assert.deepEqual(names("x", many(2), {}), ["@f0.ts", "@f1.ts"]);
    assert.deepEqual(mentionItems("te", [], {})[0]?.positions, [0, 1]);
  });

  it("a file that is called as an attachment is written otherwise", () => {
    assert.deepEqual(names("prob", [found("problems")], {}), ["@problems", '@"problems"']);
  });

  it("a folder whose contents are listed comes first, and ends the mention", async () => {
    const { completeMention } = start(async () => ({ items: [found("src/a.ts")], indexing: true }));
    const { items, indexing } = await completeMention({ query: "src/" });
    assert.deepEqual(
      items.map(({ mention, here = false }) => [mention, here]),
      [
        ["@src/", true],
        ["@src/a.ts", false],
      ],
    );
    assert.equal(indexing, true);
    assert.equal((await completeMention({ query: "none/" })).items.length, 1);
    assert.equal((await completeMention({ query: "src/a.ts/" })).items.length, 1);
    assert.equal((await completeMention({ query: "/" })).items.length, 1);
  });

  it("a question ends the one before it", async () => {
    const signals: AbortSignal[] = [];
    const { completeMention } = start((_query, _limit, signal) => {
      signals.push(signal);
      if (signals.length > 1) return Promise.resolve({ items: [found("b.ts")], indexing: false });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const first = completeMention({ query: "a" });
    const second = await completeMention({ query: "ab" });
    assert.deepEqual((await first).items, []);
    assert.deepEqual(
      second.items.map(({ mention }) => mention),
      ["@b.ts"],
    );
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
  });

  it("a search that fails for another reason is told", async () => {
    const { completeMention } = start(() => Promise.reject(new Error("the list is gone")));
    await assert.rejects(completeMention({ query: "a" }), /the list is gone/);
  });

  it("says what mentions name, as when the message is sent", async () => {
    const cases = {
      "@src/a.ts": "file",
      "@src/a.ts:1-3": "file",
      "@src/": "folder",
      "@src": "folder",
      '@"my files/b c.md"': "file",
      "@problems": "attachment",
      '@"problems"': "file",
      "@src/gone.ts": "missing",
      "@../../etc/passwd": "outside",
      "@/etc/passwd": "outside",
      [`@${"x".repeat(300)}`]: "missing",
    };
    const { states } = await start().mentionStates({ mentions: Object.keys(cases) });
    assert.deepEqual(states, Object.values(cases));
    const many = Array.from({ length: 200 }, (_, at) => `@f${at}.ts`);
    assert.equal((await start().mentionStates({ mentions: many })).states.length, 200);
  });

  it("makes mentions of what lies in the workspace, and of nothing else", async () => {
    const places = [
      "/ws/app/src/a.ts",
      "/ws/app/src",
      "/ws/app/my files/b c.md",
      "/etc/passwd",
      "/ws/app",
      "x:",
      "/ws/app/no",
    ];
    const { mentions } = await start().mentionPlaces({ places });
    assert.deepEqual(mentions, ["@src/a.ts", "@src/", '@"my files/b c.md"', null, null, null, null]);
  });

  it("makes mentions of relative paths too, and of lines where the path has them", async () => {
    const lines = {
      "src/a.ts": "@src/a.ts",
      "src\\a.ts": "@src/a.ts",
      "src/a.ts:10": "@src/a.ts:10",
      "/ws/app/src/a.ts:10:5": "@src/a.ts:10",
      "my files/b c.md:3": '@"my files/b c.md":3',
      "src:3": "@src/",
      "and/or": null,
      "../x": null,
    };
    const { mentions } = await start().mentionPlaces({ places: Object.keys(lines) });
    assert.deepEqual(mentions, Object.values(lines));
  });

  it("in several folders, everybody writes a file as the search does, and a folder of the workspace is said to be one", async () => {
    const files = new MemoryFiles({ app: { "src/a.ts": "" }, lib: { "b.ts": "" } });
    const root: FoundMention = { kind: "folder", mention: "@lib:", path: "lib", positions: [0], root: true };
    const { mentionPlaces, completeMention } = mentionHandlers({
      ...{ files, search: { search: async () => ({ items: [root], indexing: false }) } },
      activeFile: () => "app:src/a.ts",
      refOf: place => files.resolve(place),
    });
    const { mentions } = await mentionPlaces({ places: ["/ws/app/src/a.ts", "/ws/app/src", "/ws/lib/b.ts"] });
    assert.deepEqual(mentions, ["@src/a.ts", "@src/", "@lib:b.ts"]);
    assert.deepEqual((await completeMention({ query: "" })).items[0]?.mention, "@src/a.ts");
    assert.deepEqual((await completeMention({ query: "app:src/" })).items[0]?.mention, "@src/");
    assert.deepEqual((await completeMention({ query: "l" })).items, [
      { kind: "folder", mention: "@lib:", label: "lib", positions: [0], hint: "workspace folder" },
    ]);
  });

  it("without a folder there are attachments", async () => {
    const { items } = await start().completeMention({ query: "" });
    assert.deepEqual(
      items.map(({ mention }) => mention),
      attachments,
    );
  });

  it("an argument's proposals come from the server that its prompt is of, for the newest question alone", async () => {
    const asked: { server: string; argument: AskedArgument; signal: AbortSignal; answer(value: string): void }[] = [];
    const none = { search: async () => ({ items: [], indexing: false }) };
    const { completeArgument } = mentionHandlers({
      ...{ files: new MemoryFiles({ app: {} }), search: none },
      activeFile: () => undefined,
      refOf: async () => undefined,
      offers: {
        offers: () => [{ server: "docs", known: true, prompts: [], resources: [] }],
        refresh: async () => undefined,
        complete: (server, argument, signal) =>
          new Promise((resolve, reject) => {
            asked.push({ server, argument, signal, answer: value => resolve([value]) });
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      },
    });
    const question = { argument: "page", value: "in", given: { length: "short" } };
    const first = completeArgument({ prompt: "docs:sum:up", ...question });
    const second = completeArgument({ prompt: "docs:sum:up", ...question });
    assert.deepEqual(await first, { values: [] });
    asked[1]?.answer("intro");
    assert.deepEqual(await second, { values: ["intro"] });
    assert.deepEqual([asked[1]?.server, asked[1]?.argument], ["docs", { prompt: "sum:up", ...question }]);
    assert.deepEqual(await completeArgument({ prompt: "gone:sum", ...question }), { values: [] });
    assert.equal(asked.length, 2);
  });
});
