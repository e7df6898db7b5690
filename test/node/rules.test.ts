import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { nodeRoots } from "../../src/node/paths";
import { NodeRules } from "../../src/node/rules";

const WITHHELD = "It is a link out of the workspace, or to a protected file.";

describe("NodeRules", () => {
  let folder: string;
  let warnings: string[];
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "strata-rules-")));
    warnings = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = async (path: string, text: string | Uint8Array) => {
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

  const check = (title: string, files: Record<string, string>, expected: string[], roots?: string[]) =>
    it(title, async () => {
      await mkdir(join(folder, "app"));
      for (const [path, text] of Object.entries(files)) await put(path, text);
      const found = await rules(roots).read();
      assert.deepEqual(
        found.map(({ path, text, trust }) => `${path.replace(folder, "")}: ${text} (${trust})`),
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
    assert.deepEqual(
      (await asked.read()).map(rule => rule.path),
      ["CODE_LAW.MD", "AGENTS.md"],
    );
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
    assert.deepEqual(
      (await rules().read()).map(rule => rule.text),
      ["linked", "sixteen"],
    );
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
});
