import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { nodeRoots } from "../../src/node/paths";
import { NodeRules } from "../../src/node/rules";

describe("NodeRules: folders below the roots", () => {
  let folder: string;
  let warnings: string[];
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "strata-rules-")));
    warnings = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const rules = (roots = ["app"], trusted = () => true) =>
    new NodeRules({
      roots: () => nodeRoots(roots.map(root => join(folder, root))),
      configDir: join(folder, "config"),
      trusted,
      protectedBecause: ref => protectedBecause(ref, []),
      logger: { log: (_, message) => void warnings.push(message) },
    });
  const shown = (found: Awaited<ReturnType<NodeRules["read"]>>) =>
    found.map(({ path, text, trust }) => `${path}: ${text} (${trust})`);
  const of = (asked: NodeRules, path: string) => asked.nested({ absolute: join(folder, path) });

  const files = {
    "app/AGENTS.md": "root",
    "app/src/AGENTS.md": "src",
    "app/src/ui/AGENTS.md": "ui",
    "app/src/ui/deep/CLAUDE.md": "no",
    "app/test/AGENTS.md": "root",
    "app/test/unit/AGENTS.md": "unit",
    "app/node_modules/p/AGENTS.md": "a package's",
    "outside/AGENTS.md": "outside",
    "lib/b/AGENTS.md": "b",
  };
  const check = (title: string, path: string, expected: string[], roots?: string[]) =>
    it(title, async () => {
      for (const [name, text] of Object.entries(files)) await put(name, text);
      assert.deepEqual(shown(await of(rules(roots), path)), expected);
      assert.deepEqual(warnings, []);
    });

  check("none for a file of the root", "app/a.ts", []);
  check("each folder on the way, the nearest last", "app/src/ui/deep/a.ts", [
    "src/AGENTS.md: src (rules)",
    "src/ui/AGENTS.md: ui (rules)",
  ]);
  check("not what lies below or beside", "app/src/a.ts", ["src/AGENTS.md: src (rules)"]);
  check("not what the root says already", "app/test/unit/a.ts", ["test/unit/AGENTS.md: unit (rules)"]);
  check("not of installed packages", "app/node_modules/p/a.js", []);
  check("not outside the workspace", "outside/a.ts", []);
  check("of several roots, by name", "lib/b/a.ts", ["lib:b/AGENTS.md: b (rules)"], ["app", "lib"]);
  check("of a file that is not there", "app/src/nothing/a.ts", ["src/AGENTS.md: src (rules)"]);

  it("an untrusted workspace has none, also where they are in L2", async () => {
    await put("app/src/AGENTS.md", "src");
    let trusted = false;
    const asked = rules(["app"], () => trusted);
    assert.deepEqual(await of(asked, "app/src/a.ts"), []);
    assert.deepEqual(await asked.read(["src/AGENTS.md"]), []);
    trusted = true;
    assert.equal((await of(asked, "app/src/a.ts")).length, 1);
  });

  it("follows links inside the workspace only", async () => {
    await put("app/src/real.md", "linked");
    await put("app/lib/a.ts", "a");
    await put("outside/secret.md", "secret");
    await symlink(join(folder, "app/src/real.md"), join(folder, "app/src/AGENTS.md"));
    await symlink(join(folder, "outside/secret.md"), join(folder, "app/lib/AGENTS.md"));
    await symlink(join(folder, "app/nothing"), join(folder, "app/AGENTS.md"));
    const asked = rules();
    assert.deepEqual(shown(await of(asked, "app/src/a.ts")), ["src/AGENTS.md: linked (rules)"]);
    for (const found of [await of(asked, "app/lib/a.ts"), await asked.read(["lib/AGENTS.md"])])
      assert.deepEqual(
        found.map(({ path, text, problem }) => [path, text, problem]),
        [["lib/AGENTS.md", "", "It is a link out of the workspace, or to a protected file."]],
      );
    assert.deepEqual(warnings, []);
  });

  it("over 32 KB is cut", async () => {
    await put("app/src/AGENTS.md", "x".repeat(40_000));
    const [rule] = await of(rules(), "app/src/a.ts");
    assert.deepEqual([rule?.text.length, rule?.cutBytes], [32 * 1024, 40_000 - 32 * 1024]);
  });

  it("those in L2 are read as they are now, after those of the roots; what names none is passed over", async () => {
    for (const [name, text] of Object.entries(files)) await put(name, text);
    const asked = rules(["app", "lib"]);
    const paths = [
      ...["app:src/AGENTS.md", "lib:b/AGENTS.md", "src/ui/AGENTS.md", "app:test/AGENTS.md"],
      ...["lib:gone/AGENTS.md", "AGENTS.md", "app:AGENTS.md", "../outside/AGENTS.md", "src/ui/deep/CLAUDE.md", ""],
    ];
    const expected = [
      "app:AGENTS.md: root (rules)",
      "app:src/AGENTS.md: src (rules)",
      "lib:b/AGENTS.md: b (rules)",
      "app:src/ui/AGENTS.md: ui (rules)",
    ];
    assert.deepEqual(shown(await asked.read(paths)), expected);
    await put("app/src/AGENTS.md", "new");
    assert.equal((await asked.read(paths))[1]?.text, "new");
    await rm(join(folder, "app/src/AGENTS.md"));
    assert.deepEqual(
      (await asked.read(paths)).map(({ text }) => text),
      ["root", "b", "ui"],
    );
  });
});
