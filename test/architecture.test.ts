/** The tree keeps the rules of ARCHITECTURE.md: who imports whom, no cycles, sizes, no Node in core. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/lib/install.mjs";
import { forbiddenGlobals, maxLines, violations } from "./architecture/rules";

const pattern = "{src,webview-ui/src,test,bench,scripts}/**/*.{ts,tsx,mjs,cjs}";

function tree(): Map<string, string> {
  const paths = globSync(pattern, { cwd: root }).map(path => path.replaceAll("\\", "/"));
  return new Map(paths.map(path => [path, readFileSync(join(root, path), "utf8")]));
}

describe("architecture", () => {
  it("imports, cycles and sizes keep the rules", () => {
    const files = tree();
    assert.ok(files.size > 50, "the tree was read");
    assert.equal(violations(files).join("\n"), "");
  });

  it("core uses no global of Node or of the network", async () => {
    const core = [...tree()].filter(([path]) => path.startsWith("src/core/"));
    const found = await Promise.all(core.map(([path, text]) => forbiddenGlobals(path, text)));
    assert.equal(found.flat().join("\n"), "");
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
        "src/core/requests/modelStep.ts": 'import { streamText } from "ai";\nimport type { A } from "./a";\n',
        "src/core/agent/a.ts":
          'import type { ModelMessage } from "ai";\nimport { z } from "zod";\nexport * from "../ports";\n',
        "src/core/ports/index.ts": 'export type { B } from "../agent/a";\n',
        "src/node/files.ts":
          'import {\n  readFile,\n} from "node:fs/promises";\nimport { define } from "../core/ports";\n',
        "src/vscode/panel.ts": 'import * as vscode from "vscode";\n',
        "src/extension.ts": 'import { panel } from "./vscode/panel";\n',
        "webview-ui/src/main.tsx": 'import { createRoot } from "react-dom/client";\nimport "./main.css";\n',
      },
      [],
    );
  });

  it("find each kind of break", () => {
    check(
      {
        "src/core/a.ts":
          'import { readFile } from "node:fs";\nimport { window } from "vscode";\nimport { streamText } from "ai";\n',
        "src/core/b.ts": 'import type { X } from "../node/files";\nconst lazy = () => import("../models/openai");\n',
        "src/node/files.ts": 'export { loop } from "../core/agent/loop";\n',
        "src/vscode/v.ts": 'import { run } from "../cli";\n',
        "src/cli.ts": 'import "../test/fakes/clock";\n',
        "webview-ui/src/main.tsx": 'import { readSettings } from "../../src/core/settings";\n',
        "src/elsewhere/x.ts": 'import { z } from "zod";\n',
      },
      [
        "src/core/a.ts must not import node:fs",
        "src/core/a.ts must not import vscode",
        "src/core/a.ts must not import ai",
        "src/core/b.ts must not import src/node/files.ts",
        "src/core/b.ts must not import src/models/openai",
        "src/node/files.ts must not import src/core/agent/loop",
        "src/vscode/v.ts must not import src/cli.ts",
        "src/cli.ts must not import test/fakes/clock",
        "webview-ui/src/main.tsx must not import src/core/settings",
        "src/elsewhere/x.ts must not import zod",
      ],
    );
  });

  it("find cycles of values, not of types", () => {
    check(
      {
        "src/core/a.ts": 'import { b } from "./b";\n',
        "src/core/b.ts": 'import { c } from "./c";\n',
        "src/core/c.ts": 'import { a } from "./a";\nimport type { T } from "./d";\n',
        "src/core/d.ts": 'import { c } from "./c";\n',
      },
      ["import cycle: src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts"],
    );
  });

  it("count lines", () => {
    check({ "test/ok.test.ts": "x\n".repeat(maxLines) }, []);
    check({ "test/long.test.ts": "x\n".repeat(maxLines + 1) }, ["test/long.test.ts has 401 lines, 400 are the limit"]);
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
