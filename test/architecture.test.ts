/** The tree keeps the rules of ARCHITECTURE.md: who imports whom, no circles, sizes, nothing unused, no Node in core. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/lib/install.mjs";
import { type Budget, overBudget, raised, weigh } from "./architecture/budget";
import { circlesOfFiles, circlesOfRooms } from "./architecture/circles";
import { absentChoices, absentCitations, doubleChoices } from "./architecture/citations";
import { pastDoors } from "./architecture/doors";
import { unusedExports } from "./architecture/exports";
import { importsOf } from "./architecture/imports";
import { layerBreaks } from "./architecture/layers";
import { brokenLinks } from "./architecture/links";
import { unclearNames } from "./architecture/names";
import { providersBesideTable } from "./architecture/providers";
import { forbiddenGlobals, maxLines, roomsOfCore, violations } from "./architecture/rules";
import { timeBesideClock } from "./architecture/time";
import { unboundedWaits } from "./architecture/waits";

const pattern = "{src,webview-ui/src,test,bench,scripts}/**/*.{ts,tsx,mjs,cjs}";

function tree(): Map<string, string> {
  const paths = globSync(pattern, { cwd: root }).map(path => path.replaceAll("\\", "/"));
  return new Map(paths.map(path => [path, readFileSync(join(root, path), "utf8")]));
}

describe("architecture", () => {
  it("imports, circles, exports, citations and sizes keep the rules", () => {
    const files = tree();
    assert.ok(files.size > 50, "the tree was read");
    const documents = globSync("{*,docs/**/*}.md", { cwd: root }).map(path => path.replaceAll("\\", "/"));
    assert.equal(violations(files, documents).join("\n"), "");
  });

  it("text goes out through its doors alone", () => {
    assert.equal(pastDoors(tree()).join("\n"), "");
    const files = new Map([["src/core/a.ts", "const clean = text as Redacted;\n"]]);
    assert.equal(pastDoors(files).length, 1);
  });

  it("choices that comments cite stand in CHOICES.md, each id once", () => {
    const choices = readFileSync(join(root, "CHOICES.md"), "utf8");
    const code = new Map([...tree()].filter(([path]) => !path.startsWith("test/")));
    assert.equal([...absentChoices(code, choices), ...doubleChoices(choices)].join("\n"), "");
    const files = new Map([["src/a.ts", "// Why: C-5 and C-99999.\n"]]);
    assert.deepEqual(absentChoices(files, choices), [
      "src/a.ts: a comment cites C-99999, which CHOICES.md does not have",
    ]);
    assert.deepEqual(doubleChoices("- **C-1 a**\n- **C-2 b**\n- **C-1 c**\n"), ["C-1"]);
  });

  it("names of providers stand in their table", async () => {
    assert.equal((await providersBesideTable(tree())).join("\n"), "");
    const code = 'if (provider === "anthropic") /* OpenAI */ import("./google");';
    assert.deepEqual(await providersBesideTable(new Map([["src/core/a.ts", code]]), {}), [
      'src/core/a.ts names a provider in "anthropic"',
    ]);
  });

  it("links of documents lead somewhere, in the package too", () => {
    const documents = globSync("{*,docs/**/*}.md", { cwd: root }).map(path => path.replaceAll("\\", "/"));
    const ignore = readFileSync(join(root, ".vscodeignore"), "utf8").split("\n");
    const carried = ignore.flatMap(line => (line.startsWith("!") ? [line.slice(1)] : []));
    const inPackage = new Set(carried.flatMap(pattern => globSync(pattern, { cwd: root })));
    assert.equal(brokenLinks(root, documents, path => inPackage.has(path)).join("\n"), "");
  });

  it("ARCHITECTURE.md draws the rooms of core in the order that is enforced", () => {
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    const [, section = ""] = /^### The rooms of core[^\n]*\n([^#]*)/m.exec(text) ?? [];
    assert.deepEqual(
      [...section.matchAll(/^\| `([\w/]+)` \|/gm)].map(([, name]) => name),
      roomsOfCore,
    );
  });

  it("core uses no global of Node or of the network", async () => {
    const core = [...tree()].filter(([path]) => path.startsWith("src/core/"));
    const found = await Promise.all(core.map(([path, text]) => forbiddenGlobals(path, text)));
    assert.equal(found.flat().join("\n"), "");
  });

  it("time goes through Clock", async () => assert.equal((await timeBesideClock(tree())).join("\n"), ""));

  it("types are named by nouns, and a name means one thing", () => assert.equal(unclearNames(tree()).join("\n"), ""));

  it("tests wait for what happens, with a deadline", () => assert.equal(unboundedWaits(tree()).join("\n"), ""));

  it("weighs no more than its budget, which only falls", () => {
    const read = (path: string) => readFileSync(join(root, path), "utf8");
    const budget: Budget = JSON.parse(read("test/architecture/budget.json"));
    const { dependencies } = JSON.parse(read("package.json"));
    assert.equal(overBudget(weigh(tree(), Object.keys(dependencies).length), budget).join("\n"), "");
    for (const commit of ["HEAD", "HEAD~1"]) {
      const { stdout, status } = spawnSync("git", ["show", `${commit}:test/architecture/budget.json`], { cwd: root });
      // A copy without history has nothing to compare with.
      if (status === 0) assert.equal(raised(budget, JSON.parse(stdout.toString())).join("\n"), "");
    }
  });

  it("every runtime dependency has its reason in ARCHITECTURE.md", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    assert.deepEqual(
      Object.keys(dependencies).filter(name => !text.includes(`\`${name}\``)),
      [],
    );
  });
});

describe("the rules themselves", () => {
  const check = (files: Record<string, string>, expected: string[]) =>
    assert.deepEqual(violations(new Map(Object.entries(files))), expected);

  it("let pass what the table allows", () => {
    check(
      {
        "src/core/context/requests/modelStep.ts": 'import type { A } from "../a";\n',
        "src/core/context/a.ts":
          'import type { ModelMessage } from "ai";\nimport { z } from "zod";\nimport { p } from "../ground/ports/p";\nexport type A = 1;\n',
        "src/core/ground/ports/p.ts": "export const p = 1;\n",
        "src/node/files.ts":
          'import {\n  readFile,\n} from "node:fs/promises";\nimport { p as port } from "../core/ground/ports/p";\n',
        "src/vscode/panel/panel.ts": 'import * as vscode from "vscode";\nexport function panel() {}\n',
        "src/extension.ts": 'import { panel } from "./vscode/panel/panel";\nexport function activate() {}\n',
        "webview-ui/src/main.tsx":
          'import { createRoot } from "react-dom/client";\nimport "./styles/main.css";\nimport { App } from "./components/App";\n',
        "webview-ui/src/components/App.tsx": "export function App() {}\n",
      },
      [],
    );
  });

  it("find each import that the table forbids", () => {
    check(
      {
        "src/core/agent/a.ts":
          'import { readFile } from "node:fs";\nimport { window } from "vscode";\nimport { streamText } from "ai";\n',
        "src/core/agent/b.ts":
          'import type { X } from "../../node/files";\nconst lazy = () => import("../../models/openai");\n',
        "src/node/files.ts": 'import { loop } from "../core/agent/loop";\n',
        "src/vscode/agent.ts": "",
        "src/vscode/panel/v.ts": 'import { run } from "../../cli";\nimport { search } from "../agent";\n',
        "src/cli.ts": 'import "../test/fakes/clock";\n',
        "webview-ui/src/main.tsx": 'import { readSettings } from "../../src/core/settings/read";\n',
        "src/elsewhere/x.ts": 'import { z } from "zod";\n',
      },
      [
        "src/core/agent/a.ts must not import node:fs",
        "src/core/agent/a.ts must not import vscode",
        "src/core/agent/a.ts must not import ai",
        "src/core/agent/b.ts must not import src/node/files.ts",
        "src/core/agent/b.ts must not import src/models/openai",
        "src/node/files.ts must not import src/core/agent/loop",
        "src/vscode/panel/v.ts must not import src/cli.ts",
        "src/vscode/panel/v.ts must not import src/vscode/agent.ts",
        "src/cli.ts must not import test/fakes/clock",
        "webview-ui/src/main.tsx must not import src/core/settings/read",
        "src/elsewhere/x.ts must not import zod",
        "src/core/settings/read stands in a room without a place in the order of src/core/",
      ],
    );
  });

  it("find circles of files, of values and of types", () => {
    const file = (...names: string[]) =>
      names.map(name => `import { ${name} } from "./${name}";\nexport { ${name} } from "./${name}";\n`).join("");
    const circles = circlesOfFiles(
      importsOf(
        new Map([
          ["src/a.ts", file("b")],
          ["src/b.ts", file("c")],
          ["src/c.ts", `${file("a")}import type { T } from "./d";\n`],
          ["src/d.ts", 'import type { C } from "./c";\n'],
          ["src/e.ts", file("a", "d")],
        ]),
      ),
    );
    assert.deepEqual(circles, ["src/a.ts → src/b.ts → src/c.ts → src/a.ts", "src/c.ts → src/d.ts → src/c.ts"]);
  });

  it("find circles of rooms where no file is in a circle, also between a room and one in it", () => {
    const circles = circlesOfRooms(
      importsOf(
        new Map([
          ["src/a/one.ts", 'import { two } from "../b/two";\n'],
          ["src/b/two.ts", 'import { z } from "zod";\n'],
          ["src/b/three.ts", 'import type { Four } from "./deep/four";\n'],
          ["src/b/deep/four.ts", 'import { five } from "../../a/five";\nimport { two } from "../two";\n'],
          ["src/a/five.ts", 'import { six } from "../c/six";\n'],
          ["src/c/six.ts", ""],
        ]),
      ),
    );
    assert.deepEqual(circles, [
      "src/a → src/b (one.ts imports two.ts)",
      "src/b → src/b/deep (three.ts imports four.ts)",
      "src/b/deep → src/a (four.ts imports five.ts)",
      "src/b/deep → src/b (four.ts imports two.ts)",
    ]);
  });

  it("let rooms import only those that come before them in their order", () => {
    const breaks = layerBreaks(
      importsOf(
        new Map([
          ["app/low/a.ts", 'import type { B } from "../high/b";\nimport { c } from "../low/deep/c";\n'],
          ["app/low/deep/c.ts", 'import { a } from "../a";\n'],
          [
            "app/high/b.ts",
            'import { a } from "../low/a";\nimport { r } from "../root";\nimport { x } from "../new/x";\n',
          ],
          ["app/root.ts", 'import { a } from "./low/a";\n'],
          ["app/new/x.ts", ""],
          ["app/main.ts", 'import { b } from "./high/b";\n'],
        ]),
      ),
      { under: "app/", order: ["low", "low/deep", ".", "high"], roots: ["app/main.ts"] },
    );
    assert.deepEqual(breaks, [
      "app/low/a.ts must not import app/high/b.ts: high is above low",
      "app/low/a.ts must not import app/low/deep/c.ts: low/deep is above low",
      "app/new/x.ts stands in a room without a place in the order of app/",
    ]);
  });

  it("find exports that no other file imports", () => {
    const files = {
      "src/a.ts":
        "export const used = 1, own = 2;\nexport function forTests() {}\nexport const { left, right } = pair;\nexport { own as alias };\n",
      "src/types.ts": "export interface Shape {}\nexport type Gone = Shape;\nexport abstract class Base {}\n",
      "src/index.ts": 'export * from "./types";\nexport { right as there } from "./a";\n',
      "src/later.ts": "export async function loaded() {}\nexport enum Never {}\n",
      "src/user.ts":
        'import { used as renamed, type alias } from "./a";\nimport type { Base, Shape } from "./index";\nconst { loaded } = await import("./later");\n',
      "src/settings.ts": "export const schema = 1;\nexport const words = 2;\n",
      "scripts/print.mjs": "const contents = 'export { schema } from \"./src/settings.ts\";';\n",
      "test/a.test.ts": 'import { forTests } from "../src/a";\nexport const judgedElsewhere = 1;\n',
    };
    assert.deepEqual(
      unusedExports(new Map(Object.entries(files)), path => path.startsWith("src/")),
      [
        "src/a.ts: nobody imports left",
        "src/types.ts: nobody imports Gone",
        "src/index.ts: nobody imports there",
        "src/later.ts: nobody imports Never",
        "src/settings.ts: nobody imports words",
      ],
    );
  });

  it("find comments that cite documents which are not there", () => {
    const text = [
      "/** As CHOICES.md and docs/tools.md say; AGENTS.md is the user's. */",
      "/** The forms (MISSING.md, section 2). */",
      " * See docs/old.md,",
      "const a = 1; // (section 12)",
      "// RFC 3986, section 5.2: a standard has numbers",
      'const words = "MISSING.md, section 2";',
    ].join("\n");
    assert.deepEqual(absentCitations(new Map([["src/a.ts", text]]), ["CHOICES.md", "docs/tools.md"]), [
      "src/a.ts: a comment cites MISSING.md",
      "src/a.ts: a comment cites docs/old.md",
      "src/a.ts: a comment cites section 12",
    ]);
  });

  it("count lines", () => {
    check({ "test/ok.test.ts": "x\n".repeat(maxLines) }, []);
    check({ "test/long.test.ts": "x\n".repeat(maxLines + 1) }, ["test/long.test.ts has 401 lines, 400 are the limit"]);
  });

  it("find waits for time, and loops that wait without a deadline", () => {
    const files = {
      "test/a.test.ts": "await page.waitForTimeout(50);\n",
      "test/b.test.ts": 'import { setTimeout as sleep } from "node:timers/promises";\n',
      "test/c.test.ts": "await new Promise<void>(done => setTimeout(done, 20));\n",
      "test/d.test.ts": "  while (queue.length === 0 || (await look()) < 2) await turn();\n",
      "test/e.test.ts": "  while (!text.includes(words)) text += await read();\n",
      "test/f.test.ts": "  for (;;) {\n    const a = 1;\n    await look(a);\n  }\n",
      "test/sound.test.ts":
        "// while (true) await look();\n  for (;;) {\n    pure();\n  }\n  await eventually('it is there', look);\n",
      "test/children/server.ts": "for (;;) await serve();\n",
      "src/a.ts": "while (more) await step();\n",
    };
    assert.deepEqual(
      unboundedWaits(new Map(Object.entries(files))).map(words => words.split(" ").slice(0, 3).join(" ")),
      ["a", "b", "c", "d", "e", "f"].map(
        name => `test/${name}.test.ts ${"abc".includes(name) ? "waits for" : "has a"}`,
      ),
    );
  });

  it("find uses of time beside Clock, and exceptions that are none any more", async () => {
    const files = {
      "src/a.ts":
        "setTimeout(() => undefined, 1);\nexport const at = [Date.now(), globalThis.performance.now(), new Date(), Date.now];\n",
      "src/b.ts":
        'import { setTimeout as delay } from "node:timers/promises";\nexport const lazy = [delay(1), import("timers")];\n',
      "src/c.ts":
        '// Date.now()\nexport type Timer = ReturnType<typeof setInterval>;\nexport const day = new Date(0), words = "Date.now()";\n' +
        "export function wait(setTimeout: () => void) { setTimeout(); }\n",
      "src/d.ts": "setInterval(() => undefined, 1);\n",
      "src/e.ts":
        'import { setImmediate as turn } from "node:timers/promises";\nawait turn();\nsetImmediate(() => undefined);\n',
      "src/f.ts":
        'import { setImmediate, setTimeout } from "node:timers/promises";\nexport const both = [setImmediate, setTimeout];\n',
      "test/a.test.ts": "setTimeout(() => undefined, 1);\n",
    };
    const exceptions = {
      "src/d.ts": { uses: ["setInterval", "setTimeout"], why: "one" },
      "src/gone.ts": { uses: ["Date.now"], why: "another" },
    };
    assert.deepEqual(await timeBesideClock(new Map(Object.entries(files)), exceptions), [
      "src/a.ts uses setTimeout: time goes through Clock",
      "src/a.ts uses Date.now: time goes through Clock",
      "src/a.ts uses performance.now: time goes through Clock",
      "src/a.ts uses new Date(): time goes through Clock",
      "src/b.ts uses node:timers/promises: time goes through Clock",
      "src/b.ts uses timers: time goes through Clock",
      "src/f.ts uses node:timers/promises: time goes through Clock",
      "src/d.ts does not use setTimeout: it is no exception",
      "src/gone.ts does not use Date.now: it is no exception",
    ]);
  });

  it("find what is above the budget, what fell, and a budget that rose", () => {
    const files = new Map([
      [
        "src/core/agent/stepSender.ts",
        'import { a } from "./a";\nimport { type T } from "./t";\n// whatever it is\na();\n',
      ],
      ["src/core/agent/a.ts", "export const a = 1;\n"],
      ["src/core/agent/t.ts", 'export type T = Pick<{ a: 1 }, "a">;\n'],
      ["test/a.test.ts", "a\n"],
    ]);
    const now = weigh(files, 2);
    assert.deepEqual(now.rooms, { "src/core/agent": 6 });
    assert.deepEqual(Object.values(now.all), [6, 6, 1, 3, 3, 2, 1, 1, 2]);
    const budget = { rooms: { "src/core/agent": 5 }, all: { ...now.all, files: 40 } };
    assert.deepEqual(overBudget(now, budget), [
      "src/core/agent: 6, the budget is 5: take it elsewhere in this change",
      "files: 3, the budget is 40: write down what fell by `npm run budget`",
    ]);
    assert.deepEqual(raised(budget, now), ["the budget for files rose from 3 to 40"]);
  });

  it("find types that are named by no noun, and names with two meanings", () => {
    const files = {
      "src/core/agent/a.ts": "interface Asked {}\nexport type Feed = 1;\ntype Step = 1;\nconst Told = 1;\n",
      "src/core/log/b.ts": "export class Step {}\nexport type Found = 1;\ntype Room = 1;\n",
      "src/terminal/c.ts": "type Step = 1;\n",
      "src/core/edits/d.ts": "type Asked = 1;\n",
    };
    assert.deepEqual(unclearNames(new Map(Object.entries(files))), [
      "src/core/agent/a.ts has a type Asked: a type is named by a noun",
      "src/core/log/b.ts has a type Found: a type is named by a noun",
      "src/core/edits/d.ts has a type Asked: a type is named by a noun",
      "Asked is declared in src/core/agent/a.ts and src/core/edits/d.ts",
      "Step is declared in src/core/agent/a.ts and src/core/log/b.ts and src/terminal/c.ts",
    ]);
  });

  it("tell globals from locals, strings and comments", async () => {
    const text = [
      "// process",
      'export const words = "Buffer";',
      "export function run(process: { exit(): void }) { process.exit(); }",
      "export const seen = globalThis.process, bytes = Buffer.from(words);",
    ].join("\n");
    assert.deepEqual(await forbiddenGlobals("x.ts", text), [
      "x.ts uses the global process",
      "x.ts uses the global Buffer",
    ]);
  });
});
