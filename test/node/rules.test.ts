import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { nodeRoots } from "../../src/node/paths";
import { NodeRules } from "../../src/node/rules";
import { pluck } from "../fakes/pluck";
import { putFile, temporaryFolder } from "../fakes/temporary";

const WITHHELD = "It is a link out of the workspace, or to a protected file.";

describe("NodeRules", () => {
  let folder: string;
  let warnings: string[];
  beforeEach(async () => {
    folder = temporaryFolder("rules");
    warnings = [];
  });

  const put = async (path: string, text: string | Uint8Array) => putFile(join(folder, path), text);
  const rules = (roots = ["app"], trusted = () => true) =>
    new NodeRules({
      roots: () => nodeRoots(roots.map(root => join(folder, root))),
      configDir: join(folder, "config"),
      trusted,
      protectedBecause: ref => protectedBecause(ref, []),
      logger: { log: (_, message) => void warnings.push(message) },
    });

  const check = (title: string, files: Record<string, string>, expected: string[], roots?: string[]) =>
    it(title, async () => {
      await mkdir(join(folder, "app"));
      for (const [path, text] of Object.entries(files)) await put(path, text);
      const found = await rules(roots).read();
      assert.deepEqual(
        found.map(
          ({ path, text, sameAs, trust }) => `${path.replace(folder, "")}: ${sameAs ? "the same" : text} (${trust})`,
        ),
        expected,
      );
      assert.deepEqual(warnings, []);
    });

  check("none", {}, []);
  check(
    "the law first whatever its case, then the others in their order",
    {
      "app/Agent.md": "5",
      "app/CLAUDE.md": "3",
      "app/AGENTS.md": "2",
      "app/.github/copilot-instructions.md": "4",
      "app/code_Law.MD": "1",
      "app/README.md": "no",
    },
    [
      "code_Law.MD: 1 (rules)",
      "AGENTS.md: 2 (rules)",
      "CLAUDE.md: 3 (rules)",
      ".github/copilot-instructions.md: 4 (rules)",
      "Agent.md: 5 (rules)",
    ],
  );
  check("the person's own before all", { "config/AGENTS.md": "mine", "app/AGENTS.md": "ours" }, [
    "/config/AGENTS.md: mine (user)",
    "AGENTS.md: ours (rules)",
  ]);
  check("the same content once", { "app/AGENTS.md": "same", "app/CLAUDE.md": "same", "config/AGENTS.md": "same" }, [
    "/config/AGENTS.md: same (user)",
    "AGENTS.md: the same (rules)",
    "CLAUDE.md: the same (rules)",
  ]);
  check(
    "each root its own, by name",
    { "app/AGENTS.md": "a", "lib/CODE_LAW.md": "law", "lib/AGENTS.md": "l" },
    ["app:AGENTS.md: a (rules)", "lib:CODE_LAW.md: law (rules)", "lib:AGENTS.md: l (rules)"],
    ["app", "lib"],
  );
  check("empty ones and folders of that name are passed over", { "app/AGENTS.md": " \n", "app/CLAUDE.md/x": "x" }, []);
  check("without a folder that is gone", { "app/AGENTS.md": "a" }, ["app:AGENTS.md: a (rules)"], ["app", "gone"]);

  it("an untrusted workspace has none", async () => {
    await put("app/AGENTS.md", "a");
    let trusted = false;
    const asked = rules(["app"], () => trusted);
    assert.deepEqual(await asked.read(), []);
    trusted = true;
    assert.equal((await asked.read()).length, 1);
  });

  it("over 32 KB is cut between characters, and says by how much", async () => {
    await put("app/AGENTS.md", "a中".repeat(10_000));
    const [rule] = await rules().read();
    assert.ok(rule);
    assert.equal(Buffer.byteLength(rule.text) + rule.cutBytes, 40_000);
    assert.ok(Buffer.byteLength(rule.text) > 32 * 1024 - 4 && Buffer.byteLength(rule.text) <= 32 * 1024);
    assert.ok(!rule.text.includes("\uFFFD") && /^(a中)+a?$/.test(rule.text));
  });

  it("exactly 32 KB is whole", async () => {
    await put("app/AGENTS.md", "x".repeat(32 * 1024));
    assert.equal((await rules().read())[0]?.cutBytes, 0);
  });

  it("is as saved last: changed, new, renamed and removed files", async () => {
    await put("app/AGENTS.md", "one");
    const asked = rules();
    const texts = async () => (await asked.read()).map(rule => rule.text);
    assert.deepEqual(await texts(), ["one"]);
    assert.deepEqual(await texts(), ["one"]);
    await put("app/AGENTS.md", "two");
    assert.deepEqual(await texts(), ["two"]);
    await put("app/code_law.md", "law");
    assert.deepEqual(await texts(), ["law", "two"]);
    await rename(join(folder, "app/code_law.md"), join(folder, "app/CODE_LAW.MD"));
    assert.deepEqual(pluck(await asked.read(), "path"), ["CODE_LAW.MD", "AGENTS.md"]);
    await rm(join(folder, "app/AGENTS.md"));
    assert.deepEqual(await texts(), ["law"]);
  });

  it("are none that lead out of the workspace, or to a protected file", async () => {
    await put("secret.md", "of another project");
    await put("app/.env", "KEY=1");
    await put("app/AGENTS.md", "own");
    await symlink(join(folder, "secret.md"), join(folder, "app/CLAUDE.md"));
    await symlink(join(folder, "app/.env"), join(folder, "app/CODE_LAW.md"));
    await symlink("/dev/zero", join(folder, "app/Agent.md"));
    assert.deepEqual(
      (await rules().read()).map(rule => [rule.path, rule.problem ?? rule.text]),
      [
        ["CODE_LAW.md", WITHHELD],
        ["AGENTS.md", "own"],
        ["CLAUDE.md", WITHHELD],
      ],
    );
  });

  it("reads through links; text in UTF-16; a binary is none", async () => {
    await put("app/docs/shared.md", "linked");
    await symlink(join(folder, "app/docs/shared.md"), join(folder, "app/AGENTS.md"));
    await put("app/CLAUDE.md", Buffer.from("\uFEFFsixteen", "utf16le"));
    await put("app/Agent.md", Buffer.from([0, 1, 2]));
    assert.deepEqual(pluck(await rules().read(), "text"), ["linked", "sixteen"]);
  });

  it("names the person's file from home", async () => {
    const own = new NodeRules({
      roots: () => [],
      configDir: join(homedir(), ".config", "strata-test-that-is-not-there"),
      trusted: () => true,
      protectedBecause: () => undefined,
      logger: { log: () => undefined },
    });
    assert.deepEqual(await own.read(), []);
  });

  describe("folders below the roots", () => {
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
        // the same as at the root
        "app:test/AGENTS.md:  (rules)",
      ];
      assert.deepEqual(shown(await asked.read(paths)), expected);
      await put("app/src/AGENTS.md", "new");
      assert.equal((await asked.read(paths))[1]?.text, "new");
      await rm(join(folder, "app/src/AGENTS.md"));
      assert.deepEqual(pluck(await asked.read(paths), "text"), ["root", "b", "ui", ""]);
    });
  });
});
