/** Files of agents, as people write them for Claude and VS Code: what is heeded, and that none has more than it says. */
import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import type { AgentType } from "../../../../src/core/guidance/skills/agentType";
import { KnownSkills, skillsReport } from "../../../../src/core/guidance/skills/knownSkills";
import { parseAgent } from "../../../../src/core/guidance/skills/parseAgent";
import { toolsThat } from "../../../../src/shared/toolTraits";
import { hash } from "../../../fakes/hash";
import { pluck } from "../../../fakes/pluck";
import { MemorySkills, skillFile } from "../../../fakes/skills";

const parsed = (head: string, { name = "scout", body = "Look." } = {}) =>
  parseAgent(skillFile(name, `---\n${head}\n---\n${body}`), parseDocument);
const usable = (head: string): AgentType => {
  const agent = parsed(`description: x\n${head}`);
  return "problem" in agent ? assert.fail(`${head}: ${agent.problem}`) : agent;
};
const problem = (head: string, more = {}) => {
  const agent = parsed(head, more);
  return "problem" in agent ? agent.problem : undefined;
};
/** Of all that a caller may have. */
const everything = [...toolsThat(() => true), "docs:find", "docs:write"];
const has = ({ tools = everything, without }: Pick<AgentType, "tools" | "without">) =>
  tools.filter(name => !without.includes(name)).join(" ");

describe("a file of an agent", () => {
  it("as Claude has it, and with what is not used here", () => {
    const head = [
      "name: db-reader\ndescription: Reads the data. Use it for questions.\nmodel: haiku\neffort: xhigh\nmaxTurns: '12'",
      "tools: Read, Grep\nskills: [sql, /charts]\nisolation: worktree\nbackground: true\ncolor: blue\nmemory: project",
      "mcpServers: {db: {command: x, tools: ['*']}}\nhooks: {Stop: []}\npermissionMode: acceptEdits",
    ];
    const { path, text, cutBytes, trust, ...agent } = parsed(head.join("\n")) as AgentType;
    assert.deepEqual([text, cutBytes, trust], ["Look.", 0, "rules"]);
    assert.deepEqual(agent, {
      ...{ name: "db-reader", description: "Reads the data. Use it for questions.", model: "small", reasoning: "high" },
      ...{ maxTurns: 12, tools: ["Read", "Grep"], without: [], skills: ["sql", "charts"] },
      ...{ isolation: "worktree", background: true },
      warnings: ["Not used here: color, memory, mcpServers, hooks and permissionMode: acceptEdits."],
    });
  });

  // What is said of tools, and what it has then.
  const looking = "Read LS Glob Grep Diagnostics Code Recall TodoWrite AskUser Skill";
  const rows: readonly (readonly [head: string, has: string, warning?: RegExp])[] = [
    ["model: inherit", everything.join(" ")],
    ["tools: '*'", everything.join(" ")],
    ["tools: ['*']", everything.join(" ")],
    ["tools: Read, LS, Glob", "Read LS Glob"],
    ["tools: Read Grep", "Read Grep"],
    ["tools:\n  - Read\n  - Edit", "Read Edit"],
    ["tools: Bash", "Bash BashOutput"],
    ["tools: [Task, AskUserQuestion, NotebookEdit, MultiEdit, KillShell]", "Task AskUser Edit BashOutput"],
    ["tools: [read, search, edit, todo, agent]", "Read LS Grep Glob Code Edit Write TodoWrite Task"],
    ["tools: ['search/codebase', 'search/usages', 'web/fetch', 'execute/*']", "Grep Glob Code Bash BashOutput RunTask"],
    ["tools: mcp__docs__find, other/*, mcp__third", "docs:find other:* third:*"],
    ["tools: [docs:find, a/b/tool]", "docs:find a/b:tool"],
    ["tools: WebFetch, WebSearch", ""],
    ["tools: []", ""],
    ["tools:", ""],
    ["tools: Reed, Grap", "", /no tool here: Reed and Grap/],
    ["tools: Read, Bash(git *)", "Read", /Bash\(git \*\)/],
    ["tools: Read, Bash (git *), *", "Read"],
    ["tools: Bash(a (*) *), Read", "Read"],
    ["tools: [Bash(*), mcp__docs__f*]", "Bash BashOutput", /mcp__docs__f\*/],
    ["tools: mcp__*", "", /mcp__\*/],
    ["tools: Read, Bash\nallowed-tools: Bash, Write", "Bash BashOutput", /`allowed-tools` is read as `tools`/],
    ["tools: Read, Write, Edit\ndisallowedTools: write", "Read Edit"],
    ["tools: Read\nagents: ['*']", "Read"],
    ["tools: Read, Task\nagents: [other]", "Read", /other/],
    ["tools: Read, Write\npermissionMode: plan", "Read"],
    ["permissionMode: plan", looking],
    ["permissionMode: bypassPermissions\ntools: Read", "Read", /bypassPermissions/],
    ["read-only: true", looking],
    ["readOnly: no\ntools: Read, Write", "Read Write"],
    ["disallowedTools: '*'", ""],
    ["tools: Read, Bash, RunTask, Refactor\ndisallowedTools: Bash(rm *), Edit", "Read", /Bash\(rm \*\)/],
    ["tools: docs:find\ndisallowedTools: mcp__docs__f*", "docs:find", /mcp__docs__f\*/],
    // The restrictions of twelve files, eleven of them misspelt.
    ["allowed-tools: Read, Grep", "Read Grep"],
    ["allowedTools: [Read, Grep]", "Read Grep"],
    ["ALLOWED_TOOLS: Read", "Read"],
    ["Tools: Read", "Read"],
    ["tool: Read", "Read"],
    ["allow: Read", "Read"],
    ["tools: Read, Bash, Write\ndeny: Bash", "Read Write"],
    ["tools: Read, Bash, Write\ndisallowed-tools:\n  - Bash\n  - Write", "Read"],
    ["tools: Read, Bash\ndenied_tools: bash", "Read"],
    ["tools: Read, Edit\nforbiddenTools: [edit]", "Read"],
  ];
  for (const [head, names, warning = /^/] of rows)
    it(`has what it says, no more: ${head.replaceAll("\n", " ⏎ ")}`, () => {
      const agent = usable(head);
      assert.equal(has(agent), names);
      assert.match(agent.warnings.join(), warning);
    });

  // What cannot be kept makes it unusable, and the key is named.
  const restricting = [
    ...["tools: {write: false}", "tools: true", "tools: [[Read]]", "deny: Konsole", "disallowedTools: 'Wrte'"],
    ...["permissions: {deny: [Bash]}", "permission: read", "permissionMode: readOnly", "toolsAllowed: Read"],
    ...["enabled-tools: Read", "dissallowedTools: Bash", "alowed-tools: Read", "notools: true", "without_shell: yes"],
    ...["except: Bash", "only: Read", "sandbox: strict", "networkAccess: false", "hosts: [a.example]", "paths: src/**"],
    ...["budget: 1000", "maxTokens: 9", "max_cost: 1", "maxTurns: few", "maxTurns: 0", "read-only: mostly", "steps: 3"],
    ...["config: {limits: {files: 3}}", "<<: {tools: Read}", "isolation: remote", "skills: {a: b}", "enabled: false"],
    ...["hooks: {PreToolUse: [{matcher: Bash}]}", "approval: always", "READONLY_MODE: 1", "constructor: {deny: x}"],
  ];
  for (const head of restricting)
    it(`is not used: ${head}`, () => assert.ok(problem(`description: x\n${head}`), "it is used"));

  it("never has more than a restriction says, however its key is written", () => {
    const words =
      "allowed tools,allow tools,tools,tool,allow,only tools,enabled tools,tools allowed,available tools,permitted tools";
    const ways: readonly ((parts: readonly string[]) => string)[] = [
      ...["-", "_", ".", " ", ""].flatMap(mark => [
        (parts: readonly string[]) => parts.join(mark),
        (parts: readonly string[]) => parts.join(mark).toUpperCase(),
      ]),
      parts => parts.map((part, at) => (at > 0 ? part.charAt(0).toUpperCase() + part.slice(1) : part)).join(""),
      parts => parts.map(part => part.charAt(0).toUpperCase() + part.slice(1)).join("-"),
    ];
    for (const key of words.split(",").flatMap(each => ways.map(way => way(each.split(" "))))) {
      const agent = parsed(`description: x\n${key}: Read`);
      assert.ok("problem" in agent || has(agent) === "Read", key);
      const odd = parsed(`description: x: y\n${key}:\n  - Read`);
      assert.ok("problem" in odd, `${key}, in a list that is lost`);
    }
  });

  it("names the key that it is not used for", () =>
    assert.match(problem("description: x\nmaxTokens: 9") ?? "", /`maxTokens` looks like a restriction.*`maxTurns`/));

  it("with a head that is no YAML keeps what its lines say, and is not used where one is lost", () => {
    const odd = "description: Use it when: a: b";
    assert.equal(has(usable(`${odd}\ntools: Read, 'Grep'\ncolor: red`)), "Read Grep");
    assert.equal(has(usable(`${odd}\ntools: [Read, Grep]`)), "Read Grep");
    const lost = [
      "tools:\n  - Read",
      " tools: Read",
      "deny: Bash,\n  Edit",
      '"tools": Read',
      "? tools\n: Read",
      "tools:",
    ];
    for (const each of lost) assert.match(problem(`${odd}\n${each}`) ?? "", /not certain: /, each);
    for (const each of ["deny: Bash\ndeny: Write", "a: b\n...\ntools: Read", "tools: Read\n'tools': '*'"])
      assert.match(problem(`description: x\n${each}`) ?? "", /not certain: /, each);
    assert.equal(has(usable(`${odd}\n# tools: none\ntools: Read`)), "Read");
    for (const each of ["{tools: Read, a: b: c}", `a: &a [*a]\ndescription: x\ntools: *a`, "- tools: Read"])
      assert.match(problem(each) ?? "", /neither a name nor a description/, each);
    assert.match(problem(`description: x\n${"a: b\n".repeat(4_000)}tools: Read`) ?? "", /neither/);
    assert.equal(has(usable(`tools: ${"[".repeat(5_000)}${"]".repeat(5_000)}`)), "");
  });

  it("has a name that no tool and no agent of ours has, and something to say to it", () => {
    for (const name of ["explore", "Review", "bash", "Task"])
      assert.match(problem(`name: ${name}\ndescription: x`) ?? "", /give it another/, name);
    assert.equal((parsed("name: Code Reviewer\ndescription: x") as AgentType).name, "scout");
    assert.match(problem("description: x", { name: "two words" }) ?? "", /not a valid name/);
    assert.match(problem("description: x", { body: " " }) ?? "", /only front matter/);
    assert.ok("problem" in parseAgent(skillFile("README", "# Agents\n\nWhat lies here."), parseDocument));
    assert.match(problem("description: x\ntarget: github-copilot") ?? "", /another program/);
    for (const key of ["disable-model-invocation: true", "infer: false"])
      assert.match(problem(`description: x\n${key}`) ?? "", /not for the model/);
    usable("target: vscode\nuser-invocable: false\ndisable-model-invocation: false");
  });

  it("asks for a model by its name, or for the one for small things", () => {
    const model = (said: string) => usable(`model: ${said}`).model;
    assert.deepEqual(
      ["claude-haiku-4-5", "[gpt-5-mini, x]", "Haiku", "fast", "sonnet", "inherit", "GPT-5 (copilot)"].map(model),
      [...["claude-haiku-4-5", "gpt-5-mini", "small", "small", undefined, undefined, undefined]],
    );
    assert.match(usable("model: opus").warnings.join(), /opus is no name of a model here/);
  });
});

describe("agents of files", () => {
  it("are parsed once, the first of one name is taken, and a page says what each has", async () => {
    const port = new MemorySkills();
    const file = (name: string, head: string, path: string) => skillFile(name, `---\n${head}\n---\nLook.`, { path });
    port.agents = [
      file(
        "scout",
        "description: Looks\ntools: Read, Bash\ndeny: Bash\nmodel: haiku\ncolor: red",
        "~/.claude/agents/scout.md",
      ),
      file("scout", "description: Looks", ".claude/agents/scout.md"),
      file("free", "description: Does\ndisallowedTools: Write\nmodel: m1", ".github/agents/free.agent.md"),
      file("odd", "description: Does\nbudget: 3", ".claude/agents/odd.md"),
    ];
    const known = new KnownSkills(port, hash);
    const set = await known.read();
    assert.deepEqual(pluck(set.agents, "name"), ["scout", "free"]);
    assert.equal((await known.read()).agents[0], set.agents[0]);
    const { sections, lead } = skillsReport(set);
    assert.match(lead ?? "", /^No skills or prompts yet/);
    assert.deepEqual(
      sections.map(({ title, lines }) => [title, lines.map(({ label, detail }) => `${label}: ${detail}`)]),
      [
        [
          "Agents",
          [
            "scout: Looks Tools: Read. Model: the one for small things.",
            "free: Does All tools but Write and Refactor. Model: m1.",
          ],
        ],
        [
          "Not usable",
          [
            ".claude/agents/scout.md: ~/.claude/agents/scout.md has the same name and comes first.",
            `.claude/agents/odd.md: ${set.broken[1]?.problem}`,
          ],
        ],
      ],
    );
    assert.deepEqual(sections[0]?.lines[0]?.warnings, [
      "`deny` is read as `disallowedTools`.",
      "Not used here: color.",
    ]);
  });
});
