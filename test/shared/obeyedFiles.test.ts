import assert from "node:assert/strict";
import { ROOT_NAMES } from "../../src/node/sandbox/places";
import { holdsObeyed, isObeyedEntry, obeyedBecause } from "../../src/shared/obeyedFiles";
import { RULES_FILES } from "../../src/shared/rulesFiles";

const why = (path: string) => obeyedBecause(path.toLowerCase().split("/"));
/** As a look through the folders finds it, on the way. */
const isFound = (path: string) => path.split("/").some((name, at, parts) => isObeyedEntry(parts[at - 1] ?? "", name));

describe("the list of files that are obeyed", () => {
  const telling =
    "code_law.md sub/AGENTS.md SUB/agents.MD a/b/Claude.md Gemini.md .cursorrules " +
    "x/.github/copilot-instructions.md .agents/skills/x/SKILL.md skills/y/skill.md .claude/settings.json " +
    ".strata/hooks.json sub/.claude/commands/a.md .mcp.json sub/mcp.json .github/prompts/a.prompt.md " +
    ".github/agents/a.md .github/agents/a.agent.md .claude/agents/a.md .cursor/rules/a.mdc";
  for (const path of telling.split(" "))
    it(`tells agents: ${path}`, () => {
      assert.match(why(path) ?? "", /tells agents what to do|may start programs/);
      assert.ok(isFound(path));
    });

  const starting =
    ".github/workflows/x.yml sub/.GitHub/Workflows/x.yml .gitea/workflows/a.yml .gitlab-ci.yml Jenkinsfile " +
    ".circleci/config.yml .buildkite/pipeline.yml bitbucket-pipelines.yml .husky/pre-commit lefthook.yml " +
    ".lefthook-local.yaml .pre-commit-config.yaml .devcontainer/devcontainer.json .idea/workspace.xml " +
    ".tool-versions mise.toml rust-toolchain.toml .yarnrc.yml .yarn/releases/yarn.cjs .cargo/config.toml";
  for (const path of starting.split(" "))
    it(`starts programs: ${path}`, () => {
      assert.equal(why(path), "may start programs automatically");
      assert.ok(isFound(path));
    });

  it("the editor's, git's and the shells'", () => {
    for (const path of [".git/config", ".vscode/tasks.json", "a.code-workspace", ".envrc", "home/.bashrc"]) {
      assert.ok(why(path), path);
      assert.ok(obeyedBecause(path.split("/"), "read"), path);
      assert.ok(isFound(path), path);
    }
  });

  it("asks about names that everybody uses, and leaves them to commands", () => {
    for (const path of ["hooks/pre-commit", "config", "HEAD", ".gitattributes", "a/bare.git/x"]) {
      assert.ok(why(path), path);
      assert.ok(!isFound(path), path);
    }
  });

  it("is of no other files", () => {
    const others = "src/agents.ts docs/workflows/a.yml README.md .nvmrc .editorconfig package.json rules.md";
    for (const path of others.split(" ")) assert.deepEqual([why(path), isFound(path)], [undefined, false], path);
  });

  it("has what is read as rules, what is watched for in roots, and the way to what lies deeper", () => {
    for (const name of [...RULES_FILES, ...ROOT_NAMES]) assert.ok(isFound(name), name);
    for (const folder of [".github", ".GITEA", ".yarn", ".cargo"]) assert.ok(holdsObeyed(folder));
    assert.ok(!holdsObeyed(".venv"));
  });
});
