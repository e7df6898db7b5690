/** Every way in which a model writes a path or a pattern, and what it is read as: a file once, nothing astray. */

import assert from "node:assert/strict";
import { runTool } from "../../../src/core/agent/runTool";
import type { Root } from "../../../src/core/ground/ports";
import { Conversation } from "../../../src/core/log/conversation";
import { parseRules } from "../../../src/core/permissions/rules";
import { locatedInput } from "../../../src/core/tool/writtenPaths";
import type { Json } from "../../../src/shared/messages";
import { noQuestions, quietRun } from "../../fakes/call";
import { MemoryFiles } from "../../fakes/files";
import { pluck } from "../../fakes/pluck";
import { Harness } from "../looking/harness";

const one = {
  proj: { "src/a.ts": "x", "src/sub/b.ts": "x", "my file.ts": "x", "app/[id]/page.ts": "x", "top.ts": "x" },
};
const two = { app: { "src/a.ts": "x", "docs/x.md": "x" }, lib: { "src/b.ts": "x" } };

const located = async (roots: Record<string, Record<string, string>>, tool: string, input: Json) =>
  locatedInput(tool, input, new MemoryFiles(roots));

describe("a path that a model writes", () => {
  const rows: [written: string, meant: string][] = [
    ["src/a.ts", "src/a.ts"],
    ['"src/a.ts"', "src/a.ts"],
    ['"new5.ts', "new5.ts"],
    ["it's.ts", "it's.ts"],
    ["src\\a.ts", "src/a.ts"],
    ["app\\[id]\\page.ts", "app/[id]/page.ts"],
    ["file:///ws/proj/src/a.ts", "/ws/proj/src/a.ts"],
    ["file:///ws/proj/my%20file.ts#L3", "/ws/proj/my file.ts"],
    ["proj/new/c.ts", "/ws/proj/new/c.ts"],
    ["proj", "/ws/proj/"],
    ["@src/a.ts", "src/a.ts"],
    ["src/a.ts:12:5", "src/a.ts"],
    ["src/a:b.ts", "src/a:b.ts"],
  ];
  for (const [written, meant] of rows)
    it(`${JSON.stringify(written)} is ${meant}`, async () => {
      assert.deepEqual(await located(one, "Read", { file_path: written }), { file_path: meant });
      assert.deepEqual(await located(one, "LS", { path: written }), { path: meant });
    });

  it("is what is there under that very name", async () => {
    const names = {
      "proj/a.ts": "x",
      '"q.ts"': "x",
      "a\\b.ts": "x",
      "src/a.ts:1": "x",
      "src/a.ts": "x",
      "file:/a": "x",
    };
    for (const file_path of Object.keys(names))
      assert.deepEqual(await located({ proj: names }, "Edit", { file_path }), { file_path });
  });

  it("may have the name of one of several roots in front", async () => {
    const rows: [string, string][] = [
      ["lib/src/b.ts", "/ws/lib/src/b.ts"],
      ["lib/new.ts", "/ws/lib/new.ts"],
      ["lib:src/b.ts", "lib:src/b.ts"],
      ["app/src/a.ts", "/ws/app/src/a.ts"],
    ];
    for (const [file_path, meant] of rows)
      assert.deepEqual(await located(two, "Write", { file_path, content: "" }), { file_path: meant, content: "" });
    const named = new MemoryFiles(two);
    Object.assign(named.roots[1] ?? {}, { shownAs: "My Library" });
    const asShown = await locatedInput("Read", { file_path: "My Library/src/b.ts" }, named);
    assert.deepEqual(asShown, { file_path: "/ws/lib/src/b.ts" });
    // A folder of that name in the first root is as good, but for what is only in the other.
    const both = { app: { "lib/a.ts": "x" }, lib: { "b.ts": "x" } };
    assert.deepEqual(await located(both, "Read", { file_path: "lib/a.ts" }), { file_path: "lib/a.ts" });
    assert.deepEqual(await located(both, "Read", { file_path: "lib/b.ts" }), { file_path: "/ws/lib/b.ts" });
    assert.deepEqual(await located(both, "Read", { file_path: "lib/c.ts" }), { file_path: "lib/c.ts" });
  });

  it("is a drive where there are drives", async () => {
    const files = new MemoryFiles({ app: {} });
    const root: Root = { name: "proj", path: "C:/proj", uri: "file:///C:/proj" };
    const ref = async (path: string) => ({ ...(await files.resolve("x")), absolute: path.replaceAll("\\", "/") });
    const windows = { roots: [root], resolve: ref, stat: async () => undefined };
    const meant = async (file_path: string) => locatedInput("Read", { file_path }, windows);
    assert.deepEqual(await meant("C:\\proj\\a.ts"), { file_path: "C:/proj/a.ts" });
  });

  const refusals: [written: string, words: RegExp][] = [
    ["C:\\work\\src\\new.ts", /^C:\/work\/src\/new\.ts is on a drive of Windows/],
    ["https://example.org/a.ts", /is an address, and no file has it here/],
    ["untitled:Untitled-1", /is an address/],
    ["file://server/share/a.ts", /no address of a file on this machine/],
    ['""', /names no file/],
  ];
  for (const [file_path, words] of refusals)
    it(`${file_path} is refused, and nothing is written`, async () => {
      const harness = new Harness(one);
      const before = harness.files.namesOnDisk();
      const { status, text } = await harness.call("Write", { file_path, content: "x" });
      assert.equal(status, "INVALID_INPUT");
      assert.match(text, words);
      assert.deepEqual(harness.files.namesOnDisk(), before);
    });

  it("that ends in a slash names no new file", async () => {
    const harness = new Harness(one);
    const { status, text } = await harness.call("Write", { file_path: "src/new/", content: "x" });
    assert.equal(status, "INVALID_INPUT");
    assert.match(text, /^src\/new\/ names a folder/);
  });

  it("is what rules and hooks see", async () => {
    const harness = new Harness({ proj: { "src/a.ts": "x" } });
    const deps = {
      ...quietRun(() => ({ mode: "auto", rules: parseRules({ deny: ["Write(src/**)"], ask: [], allow: [] }) })),
      ...{ conversation: new Conversation(), tools: harness.tools, clock: harness.clock, files: harness.files },
      questions: { ...noQuestions, approve: async () => assert.fail("nobody is asked") },
    };
    for (const file_path of ["`src/n.ts`", "src\\n.ts", "proj/src/n.ts", "file:///ws/proj/src/n.ts"]) {
      const input = { file_path, content: "x" };
      const call = {
        type: "dynamic-tool" as const,
        toolCallId: "c",
        toolName: "Write",
        state: "input-available" as const,
      };
      const { result } = await runTool({ ...call, input }, deps, new AbortController().signal);
      assert.equal(result.error?.code, "DENIED", file_path);
    }
  });
});

describe("a pattern that a model writes", () => {
  const rows: [asked: { pattern: string; path?: string }, meant: { pattern: string; path?: string }][] = [
    [{ pattern: "/ws/proj/src/**/*.ts" }, { pattern: "src/**/*.ts" }],
    [{ pattern: "/ws/proj/*.ts" }, { pattern: "/*.ts" }],
    [{ pattern: "/ws/proj/src/a.ts" }, { pattern: "src/a.ts" }],
    [{ pattern: "!/ws/proj/src/**" }, { pattern: "!src/**" }],
    [{ pattern: "/ws/proj/app/[id]/*" }, { pattern: "app/[id]/*" }],
    [{ pattern: "file:///ws/proj/src/*.ts" }, { pattern: "src/*.ts" }],
    [{ pattern: '"src/**/*.ts"' }, { pattern: "src/**/*.ts" }],
    [{ pattern: "src\\**\\*.ts" }, { pattern: "src/**/*.ts" }],
    [{ pattern: "\\[id\\].ts" }, { pattern: "\\[id\\].ts" }],
    [{ pattern: "/src/**" }, { pattern: "/src/**" }],
    [
      { pattern: "/ws/proj/src/**", path: "/ws/proj" },
      { pattern: "src/**", path: "/ws/proj" },
    ],
    [
      { pattern: "/ws/proj/src/*.ts", path: "src" },
      { pattern: "/*.ts", path: "src" },
    ],
    [
      { pattern: "/ws/proj/**/*.ts", path: "src" },
      { pattern: "**/*.ts", path: "src" },
    ],
    [{ pattern: "../other/**" }, { pattern: "**", path: "/ws/other" }],
    [{ pattern: "~/notes/*.md" }, { pattern: "/*.md", path: "/home/person/notes" }],
  ];
  for (const [asked, meant] of rows)
    it(`${JSON.stringify(asked)} is ${JSON.stringify(meant)}`, async () => {
      assert.deepEqual(await located(one, "Glob", asked), meant);
    });

  it("is one of the root that it names", async () => {
    const lib = { pattern: "src/**", path: "/ws/lib" };
    for (const pattern of ["lib/src/**", "lib:src/**", "/ws/lib/src/**"])
      assert.deepEqual(await located(two, "Glob", { pattern }), lib);
    assert.deepEqual(await located(two, "Glob", { pattern: "docs/**" }), { pattern: "docs/**" });
  });

  it("finds files by every tool", async () => {
    const harness = new Harness(one);
    const found = async (tool: string, input: Json) => (await harness.call(tool, input)).text;
    assert.equal(await found("Glob", { pattern: "/ws/proj/src/**/*.ts" }), "src/sub/b.ts\nsrc/a.ts");
    assert.equal(await found("Glob", { pattern: "/ws/proj/*.ts" }), "top.ts\nmy file.ts");
    assert.match(await found("Grep", { pattern: "x", glob: "/ws/proj/src/**" }), /src\/a\.ts[\s\S]*2 hits in 2 files/);
  });

  it("elsewhere asks as its folder does, and never for two places at once", async () => {
    const { targets } = await new Harness(one).prepare("Glob", { pattern: "/home/person/notes/*.md" });
    assert.deepEqual(pluck(targets, "absolute"), ["/ws/proj"]);
    const harness = new Harness(one);
    harness.files.put("/home/person/notes/n.md", "x");
    const outside = await harness.prepare("Glob", { pattern: "/home/person/notes/*.md" });
    assert.deepEqual(pluck(outside.targets, "absolute"), ["/home/person/notes"]);
    const { status, text } = await harness.call("Grep", { pattern: "x", glob: "/ws/proj/app/*", path: "src" });
    assert.equal(status, "INVALID_INPUT");
    assert.match(text, /does not lie in src\. Name the folder as path/);
  });
});
