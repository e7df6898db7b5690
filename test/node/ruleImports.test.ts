import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { FileRef } from "../../src/core/ground/ports";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { nodeRoots } from "../../src/node/paths";
import { NodeRules } from "../../src/node/rules";
import { putFile, temporaryFolder } from "../fakes/temporary";

describe("NodeRules: what rules import", () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder("imports");
  });

  const put = async (path: string, text: string | Uint8Array) => putFile(join(folder, path), text);
  interface Around {
    roots?: string[];
    trusted?: boolean;
    ruledOut?: (file: FileRef, isImport: boolean) => string | undefined;
    madeByCommand?: (path: string) => boolean;
  }
  const rules = ({ roots = ["home/app"], trusted = true, ...more }: Around = {}) =>
    new NodeRules({
      roots: () => nodeRoots(roots.map(root => join(folder, root))),
      configDir: join(folder, "home/.config/strata"),
      home: join(folder, "home"),
      trusted: () => trusted,
      protectedBecause: ref => protectedBecause(ref, [join(folder, "home/.config/strata")]),
      logger: { log: () => undefined },
      ...more,
    });
  /** `path<importer: text`, then `path! problem` for what is not read. */
  const shown = (found: Awaited<ReturnType<NodeRules["read"]>>) =>
    found.flatMap(({ path, text, importedBy, problem, unread = [] }) => [
      `${path.replace(folder, "")}${importedBy ? `<${importedBy.replace(folder, "")}` : ""}: ${problem ?? text}`,
      ...unread.map(each => `${each.path.replace(folder, "")}! ${each.problem}`),
    ]);

  const check = (title: string, files: Record<string, string>, expected: string[], around?: Around) =>
    it(title, async () => {
      await mkdir(join(folder, "home/app"), { recursive: true });
      for (const [path, text] of Object.entries(files)) await put(path, text);
      assert.deepEqual(shown(await rules(around).read()), expected);
    });
  const OUTSIDE =
    "It lies outside of the workspace, or leads there. Your own AGENTS.md can import it from your home folder.";
  const LINK = "It is a link out of the workspace, or to a protected file.";

  check("stands behind the file that names it", { "home/app/CLAUDE.md": "@docs/x.md", "home/app/docs/x.md": "x" }, [
    "CLAUDE.md: @docs/x.md",
    "docs/x.md<CLAUDE.md: x",
  ]);
  check(
    "is relative to the file that names it",
    {
      "home/app/.github/copilot-instructions.md": "@../docs/a.md @b.md",
      "home/app/docs/a.md": "@more/c.md",
      "home/app/docs/more/c.md": "c",
      "home/app/.github/b.md": "b",
      "home/app/b.md": "no",
    },
    [
      ".github/copilot-instructions.md: @../docs/a.md @b.md",
      "docs/a.md<.github/copilot-instructions.md: @more/c.md",
      "docs/more/c.md<docs/a.md: c",
      ".github/b.md<.github/copilot-instructions.md: b",
    ],
  );
  check(
    "five deep, and the sixth is said",
    {
      "home/app/AGENTS.md": "@1.md",
      ...Object.fromEntries([1, 2, 3, 4, 5].map(n => [`home/app/${n}.md`, `@${n + 1}.md`])),
      "home/app/6.md": "6",
    },
    [
      "AGENTS.md: @1.md",
      ...["1.md<AGENTS.md: @2.md", "2.md<1.md: @3.md", "3.md<2.md: @4.md", "4.md<3.md: @5.md", "5.md<4.md: @6.md"],
      "6.md! It is imported by a file that is 5 imports deep itself.",
    ],
  );
  check(
    "a loop ends",
    { "home/app/AGENTS.md": "@a.md", "home/app/a.md": "a @b.md @a.md", "home/app/b.md": "b @a.md" },
    ["AGENTS.md: @a.md", "a.md<AGENTS.md: a @b.md @a.md", "b.md<a.md: b @a.md"],
  );
  check(
    "a rules file that another one names stands once, in its own place",
    { "home/app/AGENTS.md": "rules", "home/app/CLAUDE.md": "@AGENTS.md @Agent.md", "home/app/Agent.md": "last" },
    ["AGENTS.md: rules", "CLAUDE.md: @AGENTS.md @Agent.md", "Agent.md: last"],
  );
  check("the same text once", { "home/app/AGENTS.md": "@a.md @b.md", "home/app/a.md": "x", "home/app/b.md": "x" }, [
    "AGENTS.md: @a.md @b.md",
    "a.md<AGENTS.md: x",
    "b.md<AGENTS.md: ",
  ]);
  check(
    "missing ones are said, packages, people and folders are not",
    {
      "home/app/AGENTS.md": "@docs/gone.md @src/gone.ts @scope/pkg @octokit/app.js @joe @src/ @src me@x.md @~/gone.md",
      "home/app/src/a.ts": "a",
      "home/app/scope/pkg/x": "x",
    },
    [
      "AGENTS.md: @docs/gone.md @src/gone.ts @scope/pkg @octokit/app.js @joe @src/ @src me@x.md @~/gone.md",
      "docs/gone.md! It is not there.",
      `~/gone.md! ${OUTSIDE}`,
    ],
  );
  check(
    "nothing outside of the workspace, nothing protected",
    {
      "home/app/AGENTS.md": "@../other.md @/etc/hosts.md @~/own.md @.env @.git/x.md @keys/id_rsa @lib.md",
      "home/other.md": "other",
      "home/own.md": "own",
      "home/app/.env": "KEY=1",
      "home/app/.git/x.md": "x",
      "home/app/keys/id_rsa": "key",
      "home/app/lib.md": "lib",
    },
    [
      "AGENTS.md: @../other.md @/etc/hosts.md @~/own.md @.env @.git/x.md @keys/id_rsa @lib.md",
      `../other.md! ${OUTSIDE}`,
      `/etc/hosts.md! ${OUTSIDE}`,
      `~/own.md! ${OUTSIDE}`,
      `.env! ${LINK}`,
      `.git/x.md! ${LINK}`,
      `keys/id_rsa! ${LINK}`,
      "lib.md<AGENTS.md: lib",
    ],
  );
  check(
    "in several folders by their names",
    { "home/app/AGENTS.md": "@lib:x.md @../lib/y.md", "home/lib/x.md": "x", "home/lib/y.md": "y" },
    ["app:AGENTS.md: @lib:x.md @../lib/y.md", "lib:x.md<app:AGENTS.md: x", "lib:y.md<app:AGENTS.md: y"],
    { roots: ["home/app", "home/lib"] },
  );
  const own = "home/.config/strata";
  check(
    "the person's own from their home and settings folder",
    {
      [`${own}/AGENTS.md`]:
        "@more.md @~/notes.md @../../.bashrc @settings.json @~/.ssh/id_rsa @../../../out.md @~/app/a.md",
      [`${own}/more.md`]: "more",
      [`${own}/settings.json`]: "{}",
      "home/notes.md": "notes",
      "home/.bashrc": "rc",
      "home/.ssh/id_rsa": "key",
      "out.md": "out",
      "home/app/a.md": "a",
    },
    [
      "/home/.config/strata/AGENTS.md: @more.md @~/notes.md @../../.bashrc @settings.json @~/.ssh/id_rsa @../../../out.md @~/app/a.md",
      "../../.bashrc! It is a protected file.",
      "settings.json! It is a protected file.",
      "../../../out.md! It lies outside of your home folder, or leads there.",
      "~/app/a.md! The workspace that it lies in is not trusted.",
      "/home/.config/strata/more.md</home/.config/strata/AGENTS.md: more",
      "/home/notes.md</home/.config/strata/AGENTS.md: notes",
    ],
    { trusted: false },
  );
  check(
    "what a rule forbids or asks about",
    { "home/app/AGENTS.md": "@docs/x.md", "home/app/docs/x.md": "x" },
    ["AGENTS.md: @docs/x.md", "docs/x.md! It is denied."],
    { ruledOut: ({ relative }, isImport) => (isImport && relative === "docs/x.md" ? "It is denied." : undefined) },
  );
  check("no text", { "home/app/AGENTS.md": "@a.png @b.md", "home/app/a.png": "\0\0", "home/app/b.md": " \n" }, [
    "AGENTS.md: @a.png @b.md",
    "a.png! There is no text in it that can be read.",
    "b.md! There is no text in it that can be read.",
  ]);

  it("no more than 64 are read", async () => {
    await put("home/app/AGENTS.md", Array.from({ length: 40 }, (_, n) => `@${n}.md`).join("\n"));
    await put("home/app/0.md", Array.from({ length: 40 }, (_, n) => `@m${n}.md`).join("\n"));
    for (let n = 1; n < 40; n++) await put(`home/app/${n}.md`, `text ${n}`);
    for (let n = 0; n < 40; n++) await put(`home/app/m${n}.md`, `more ${n}`);
    const found = await rules().read();
    assert.equal(found.length, 65);
    assert.match(shown(found).at(-1) ?? "", /text 23$/);
    assert.match(shown(found)[1] ?? "", /^39\.md! More than 64|^24\.md! More than 64/);
  });

  it("links that lead out are none, those inside are", async () => {
    await put("secret.md", "secret");
    await put("home/app/AGENTS.md", "@out.md @in.md @loop.md");
    await put("home/app/real.md", "real");
    await symlink(join(folder, "secret.md"), join(folder, "home/app/out.md"));
    await symlink(join(folder, "home/app/real.md"), join(folder, "home/app/in.md"));
    await symlink(join(folder, "home/app/loop.md"), join(folder, "home/app/loop.md"));
    assert.deepEqual(shown(await rules().read()), [
      "AGENTS.md: @out.md @in.md @loop.md",
      `out.md! ${OUTSIDE}`,
      "loop.md! It cannot be read.",
      "real.md<AGENTS.md: real",
    ]);
  });

  it("is as saved last: changed, new, gone; and one that a command made is withheld", async () => {
    await put("home/app/AGENTS.md", "@a.md");
    let made = "";
    const asked = rules({ madeByCommand: path => path.endsWith(made || "nothing") });
    assert.deepEqual(shown(await asked.read()), ["AGENTS.md: @a.md", "a.md! It is not there."]);
    await put("home/app/a.md", "one");
    assert.deepEqual(shown(await asked.read()), ["AGENTS.md: @a.md", "a.md<AGENTS.md: one"]);
    await put("home/app/a.md", "two");
    assert.deepEqual(shown(await asked.read())[1], "a.md<AGENTS.md: two");
    made = "a.md";
    assert.match(shown(await asked.read())[1] ?? "", /^a\.md! It was made or changed while a command ran/);
    made = "";
    await rm(join(folder, "home/app/a.md"));
    assert.deepEqual(shown(await asked.read())[1], "a.md! It is not there.");
  });

  it("of folders below the roots, with theirs; what the roots have already stands once", async () => {
    await put("home/app/AGENTS.md", "@docs/x.md");
    await put("home/app/docs/x.md", "x");
    await put("home/app/src/AGENTS.md", "@../docs/x.md @own.md");
    await put("home/app/src/own.md", "own");
    const asked = rules();
    const expected = ["src/AGENTS.md: @../docs/x.md @own.md", "src/own.md<src/AGENTS.md: own"];
    assert.deepEqual(shown(await asked.nested({ absolute: join(folder, "home/app/src/a.ts") })), expected);
    assert.deepEqual(shown(await asked.read(["src/AGENTS.md", "src/own.md"])).slice(2), expected);
  });

  it("says which files they are, there or not, for whoever would write them", async () => {
    await put("home/app/AGENTS.md", "@docs/x.md @docs/gone.md @notes `@docs/code.md`");
    await put("home/app/docs/x.md", "x");
    const asked = rules();
    await asked.read();
    assert.deepEqual(
      [...asked.imported].map(path => path.slice(folder.length)),
      ["/home/app/docs/x.md", "/home/app/docs/gone.md", "/home/app/notes"],
    );
  });
});
