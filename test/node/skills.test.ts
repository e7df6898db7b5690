/** Skills, prompts and agents on disk: where they are looked for, which are refused, and what a hostile repository puts there. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { nodeRoots } from "../../src/node/paths";
import { NodeSkills } from "../../src/node/skills";
import { pluck } from "../fakes/pluck";
import { putFile, temporaryFolder } from "../fakes/temporary";

describe("NodeSkills", () => {
  let folder: string;
  let warnings: string[];
  beforeEach(async () => {
    folder = temporaryFolder("skills");
    warnings = [];
    await mkdir(join(folder, "app"));
  });

  const put = async (path: string, text: string) => putFile(join(folder, path), text);
  const skills = (roots = ["app"], trusted = () => true, made = "none") =>
    new NodeSkills({
      roots: () => nodeRoots(roots.map(root => join(folder, root))),
      ...{ configDir: join(folder, "config"), home: join(folder, "home"), trusted },
      protectedBecause: ref => protectedBecause(ref, []),
      madeByCommand: path => path.endsWith(made),
      logger: { log: (_, message) => void warnings.push(message) },
    });
  const shown = (path: string) => path.replace(folder, "");

  it("are looked for in all folders that agents share, the person's own first", async () => {
    const own = ["config/skills/a", "home/.strata/skills/b", "home/.agents/skills/c", "home/.claude/skills/d"];
    const ofApp = [".strata", ".agents", ".claude", ".github"].map((name, at) => `app/${name}/skills/e${at}`);
    for (const each of [...own, ...ofApp]) await put(`${each}/SKILL.md`, "Do it.");
    await put("app/.claude/skills/README.md", "no skill");
    await put("app/.claude/skills/empty/other.md", "no skill");
    const found = await skills().read();
    assert.deepEqual(
      found.skills.map(({ name, path, trust }) => `${name} ${shown(path)} ${trust}`),
      [
        ...["a /config/skills/a/SKILL.md user", "b ~/.strata/skills/b/SKILL.md user"],
        ...["c ~/.agents/skills/c/SKILL.md user", "d ~/.claude/skills/d/SKILL.md user"],
        ...["e0 .strata/skills/e0/SKILL.md rules", "e1 .agents/skills/e1/SKILL.md rules"],
        ...["e2 .claude/skills/e2/SKILL.md rules", "e3 .github/skills/e3/SKILL.md rules"],
      ],
    );
    assert.equal(found.skills[4]?.folder, `${folder}/app/.strata/skills/e0`);
    assert.deepEqual([found.broken, warnings], [[], []]);
  });

  it("are found under a name in small letters, one of each folder", async () => {
    await put("app/.claude/skills/技能/skill.md", "Do it.");
    await put("app/.claude/skills/b/SKILL.md", "Do it.");
    await put("app/.claude/skills/b/skill.md", "Another.");
    await put("app/.claude/skills/c/Skill.md", "");
    const { skills: found, broken } = await skills().read();
    assert.deepEqual(
      found.map(({ name, path, text }) => [name, path, text]),
      [
        ["b", ".claude/skills/b/SKILL.md", "Do it."],
        ["技能", ".claude/skills/技能/skill.md", "Do it."],
        ["c", ".claude/skills/c/Skill.md", ""],
      ].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    );
    assert.deepEqual(broken, []);
  });

  it("of prompts take the name of their file, and of the folder around it", async () => {
    await put("app/.strata/prompts/a.md", "Do it.");
    await put("app/.github/prompts/b.prompt.md", "Do it.");
    await put("app/.github/prompts/no.md", "no prompt");
    await put("app/.claude/commands/c.md", "Do it.");
    await put("app/.claude/commands/git/tidy.md", "Do it.");
    await put("app/.claude/commands/git/deep/no.md", "too deep");
    const { prompts } = await skills().read();
    assert.deepEqual(pluck(prompts, "name"), ["a", "b", "c", "git:tidy"]);
  });

  it("of agents, Claude's and VS Code's, the person's own first; a byte order mark hides none", async () => {
    await put("config/agents/a.md", "Do it.");
    await put("home/.claude/agents/b.md", "Do it.");
    await put("home/.github/agents/no.agent.md", "no home of theirs");
    await put("app/.claude/agents/c.md", "\uFEFF---\ndescription: x\n---\nDo it.");
    await put("app/.claude/agents/deep/no.md", "too deep");
    await put("app/.github/agents/d.agent.md", "Do it.");
    await put("app/.github/agents/e.md", "Do it. ".repeat(1_500_000));
    await put("app/.env", "KEY=x");
    await symlink("../../.env", join(folder, "app/.claude/agents/env.md"));
    await put("app/.claude/agents/made.md", "Do it.");
    const { agents, broken } = await skills(["app"], () => true, "made.md").read();
    assert.deepEqual(
      agents.map(({ name, path, trust }) => `${name} ${shown(path)} ${trust}`),
      [
        ...["a /config/agents/a.md user", "b ~/.claude/agents/b.md user", "c .claude/agents/c.md rules"],
        ...["d .github/agents/d.agent.md rules", "e .github/agents/e.md rules"],
      ],
    );
    assert.deepEqual([agents[4]?.text.length, agents[4]?.cutBytes], [65_536, 10_500_000 - 65_536]);
    assert.deepEqual(pluck(broken, "path"), [".claude/agents/env.md", ".claude/agents/made.md"]);
    assert.deepEqual(pluck((await skills(["app"], () => false).read()).agents, "name"), ["a", "b"]);
  });

  it("of several folders say which", async () => {
    await put("app/.claude/skills/a/SKILL.md", "Do it.");
    await mkdir(join(folder, "lib"));
    assert.equal((await skills(["app", "lib"]).read()).skills[0]?.path, "app:.claude/skills/a/SKILL.md");
  });

  it("of an untrusted workspace are not read, the person's own are", async () => {
    await put("app/.claude/skills/a/SKILL.md", "Do it.");
    await put("home/.claude/skills/b/SKILL.md", "Do it.");
    const found = await skills(["app"], () => false).read();
    assert.deepEqual(pluck(found.skills, "name"), ["b"]);
  });

  it("that have not changed are the same object; one that did is read again", async () => {
    await put("app/.claude/skills/a/SKILL.md", "Do it.");
    const source = skills();
    const [first, second] = [(await source.read()).skills[0], (await source.read()).skills[0]];
    assert.equal(first, second);
    await put("app/.claude/skills/a/SKILL.md", "Do it well.");
    assert.equal((await source.read()).skills[0]?.text, "Do it well.");
  });

  it("that are links: within the workspace taken once, out of it or to a protected file refused", async () => {
    await put("app/.agents/skills/a/SKILL.md", "Do it.");
    await mkdir(join(folder, "app/.claude"));
    await symlink("../.agents/skills", join(folder, "app/.claude/skills"));
    await put("app/.env", "KEY=x");
    await put("outside/SKILL.md", "Do it.");
    await mkdir(join(folder, "app/.github/skills/env"), { recursive: true });
    await symlink("../../../.env", join(folder, "app/.github/skills/env/SKILL.md"));
    await symlink(join(folder, "outside"), join(folder, "app/.github/skills/out"));
    await put("home/elsewhere/SKILL.md", "Do it.");
    await mkdir(join(folder, "home/.claude/skills"), { recursive: true });
    await symlink(join(folder, "home/elsewhere"), join(folder, "home/.claude/skills/own"));
    const found = await skills().read();
    assert.deepEqual(pluck(found.skills, "name"), ["own", "a"]);
    assert.deepEqual(
      found.broken.map(({ path, problem }) => `${path}: ${problem}`),
      [
        ".github/skills/env/SKILL.md: It is a link out of the workspace, or to a protected file.",
        ".github/skills/out/SKILL.md: It is a link out of the workspace, or to a protected file.",
      ],
    );
  });

  it("that are pipes, folders, no text or very long hold nothing up", async () => {
    await mkdir(join(folder, "app/.claude/skills/pipe"), { recursive: true });
    execFileSync("mkfifo", [join(folder, "app/.claude/skills/pipe/SKILL.md")]);
    await mkdir(join(folder, "app/.claude/skills/folder/SKILL.md"), { recursive: true });
    await put("app/.claude/skills/binary/SKILL.md", "\0\0\0");
    await put("app/.claude/skills/long/SKILL.md", "Do it. ".repeat(1_000_000));
    const found = await skills().read();
    assert.deepEqual(
      found.broken.map(({ path, problem }) => `${path.split("/")[2]}: ${problem}`),
      ["binary: It is not a text file.", "folder: It is no regular file.", "pipe: It is no regular file."],
    );
    const [long] = found.skills;
    assert.deepEqual([long?.text.length, long?.cutBytes], [65_536, 7_000_000 - 65_536]);
  });

  it("of any number are bounded", async () => {
    for (let at = 0; at < 310; at++) await put(`app/.claude/skills/s${at}/SKILL.md`, "Do it.");
    assert.equal((await skills().read()).skills.length, 300);
  });
});
