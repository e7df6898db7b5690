/** The host's answers about mentions: what the menu lists, what mentions name, what paths and URIs become. */

import assert from "node:assert/strict";
import type { MentionSearch } from "../../src/core/ground/ports";
import type { MentionItem } from "../../src/shared/findProtocol";
import { writeMention } from "../../src/shared/mentions/write";
import { mentionHandlers } from "../../src/vscode/panel/composer/mentionHandlers";
import { MemoryFiles } from "../fakes/files";
import { pluck } from "../fakes/pluck";

const found = (label: string): MentionItem => ({ kind: "file", mention: writeMention(label), label, positions: [] });

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
  const attachments = ["@problems", "@selection", "@changes", "@terminal"];

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
    assert.deepEqual(pluck(second.items, "mention"), ["@b.ts"]);
    assert.deepEqual(pluck(signals, "aborted"), [true, false]);
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
    const root = { kind: "folder" as const, mention: "@lib:", label: "lib", positions: [0], hint: "workspace folder" };
    const { mentionPlaces, completeMention } = mentionHandlers({
      ...{ files, search: { search: async () => ({ items: [root], indexing: false }) } },
      activeFile: () => "app:src/a.ts",
      refOf: place => files.resolve(place),
    });
    const { mentions } = await mentionPlaces({ places: ["/ws/app/src/a.ts", "/ws/app/src", "/ws/lib/b.ts"] });
    assert.deepEqual(mentions, ["@src/a.ts", "@src/", "@lib:b.ts"]);
    const [active] = (await completeMention({ query: "" })).items;
    assert.deepEqual([active?.mention, active?.hint], ["@src/a.ts", "active editor"]);
    assert.deepEqual((await completeMention({ query: "app:src/" })).items[0]?.mention, "@src/");
    assert.deepEqual((await completeMention({ query: "l" })).items, [root]);
  });

  it("without a folder there are attachments", async () => {
    const { items } = await start().completeMention({ query: "" });
    assert.deepEqual(pluck(items, "mention"), attachments);
  });
});
