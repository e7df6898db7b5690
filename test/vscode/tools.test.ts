/** The page of tools and rules: rows of what there is, with what needs approval. */

import assert from "node:assert/strict";
import { FileError, type RuleFile } from "../../src/core/ground/ports";
import { ruleRows, summaryOf } from "../../src/vscode/panel/tools/tools";
import { agreedHooks } from "../fakes/hooks";
import { startHost } from "../fakes/panelHost";
import { pluck } from "../fakes/pluck";

const nothing = { skills: [], prompts: [], agents: [], broken: [] };
const server = { hash: "", path: "/ws/.mcp.json", level: "workspace" as const, target: "x", environment: [] };
const hookFile = { hooks: [], switchesOff: false, problems: [], exact: "", scripts: [] };
const rule = { text: "", cutBytes: 0, trust: "rules" as const };

describe("tools and rules", () => {
  it("in a line: all that there is, and what waits; nothing where there is nothing", () => {
    assert.equal(summaryOf([], nothing, [], { files: [] }), "");
    const servers = [
      { ...server, name: "github", file: ".mcp.json", state: "unasked" as const },
      { ...server, name: "files", file: ".mcp.json", state: "off" as const },
    ];
    const files = [{ ...hookFile, path: ".claude/settings.json", key: "k", waits: true }];
    const summary = summaryOf([{ ...rule, path: "AGENTS.md" }], nothing, servers, { files });
    assert.equal(summary, "1 rules file, 1 server, 1 server needs approval, 1 hooks file needs approval");
  });

  it("rules files have their source and what is not read of them; where the workspace has none, one can be created", () => {
    const [first, second] = ruleRows(
      [
        { ...rule, path: "AGENTS.md", unread: [{ path: "secret.md", problem: "It lies outside the workspace." }] },
        { ...rule, path: "more.md", importedBy: "AGENTS.md", cutBytes: 9 },
      ],
      true,
    );
    assert.deepEqual(first?.warnings, ["secret.md is not read: It lies outside the workspace."]);
    assert.equal(second?.from, "Named in AGENTS.md");
    const offered = (rules: RuleFile[], mayHaveRules = true) =>
      ruleRows(rules, mayHaveRules).find(({ path }) => path === "")?.detail;
    const own = { ...rule, path: "~/.config/strata/AGENTS.md", trust: "user" as const };
    for (const rules of [[], [own]]) assert.match(offered(rules) ?? "", /CODE_LAW\.md, AGENTS\.md, .*and Agent\.md/);
    assert.equal(offered([own], false), undefined);
    assert.equal(offered([{ ...rule, path: "Agent.md" }]), undefined);
  });

  it("a sentence is bound and unbound as it was shown, and by no other key; what cannot be read leaves the others there", async () => {
    let text = "Never push to main.\n\nWrite plainly, and avoid jargon.";
    const { ports, panel } = startHost();
    ports.rules.read = async () => [{ ...rule, path: "AGENTS.md", text }];
    const client = panel();
    const rows = async (name = "bindings") => {
      const { sections } = await client.request("tools", {});
      return sections.find(each => each.name === name)?.rows ?? [];
    };
    const [proposed, guidance] = await rows();
    assert.deepEqual([proposed?.name, proposed?.binding?.to], ["Never push to main.", ["workspace", "user"]]);
    assert.match(proposed?.state ?? "", /^deny: Bash\(git push \* main \*\) and 4 more$/);
    assert.deepEqual([guidance?.name, guidance?.lines?.length], ["1 sentence is guidance: no rule holds it", 1]);
    const key = proposed?.binding?.key ?? "";
    await assert.rejects(client.request("bind", { key: `${key} `, to: "user" }), /have changed/);
    await client.request("bind", { key, to: "user" });
    const { words } = await client.request("tryCommand", { command: "git push origin main" });
    assert.match(words, /^Never runs: AGENTS\.md says: “Never push to main\.”\. Your rule `.*` forbids this\.$/);
    const [bound] = await rows();
    assert.deepEqual([bound?.state, bound?.warnings], ["bound", []]);
    text = "Push where you like.";
    const [stale] = await rows();
    assert.equal(stale?.state, "bound, stale");
    await client.request("bind", { key: stale?.binding?.key ?? "", to: "user" });
    assert.deepEqual(pluck(await rows(), "name"), []);
    ports.rules.read = async () => {
      throw new FileError("IO", "AGENTS.md cannot be read.");
    };
    assert.deepEqual((await rows())[0]?.warnings, ["AGENTS.md cannot be read."]);
    assert.ok((await rows("permissions")).length > 0);
  });

  it("hooks are approved by the key of what was shown, and by no other; rules in force have their place", async () => {
    const approved = new Set<string>();
    let command = "./one.sh";
    const text = () => JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    const hooks = {
      ...agreedHooks(),
      read: async () => ({ files: [{ path: ".claude/settings.json", folder: "/ws", text: text() }], broken: [] }),
      hasAgreed: async (key: string) => approved.has(key),
      agree: async (key: string) => void approved.add(key),
      withdraw: async (key: string) => void approved.delete(key),
    };
    const client = startHost({ hooks, settings: { "permissions.deny": ["Bash(rm *)"] } }).panel();
    const row = async (name: string) => {
      const { sections } = await client.request("tools", {});
      return sections.flatMap(({ rows }) => rows).find(each => each.name === name);
    };
    const shown = await row(".claude/settings.json");
    assert.equal(shown?.state, "needs approval");
    assert.match(shown?.approval?.question?.exact ?? "", /\.\/one\.sh/);
    const key = shown?.approval?.key ?? "";
    command = "./two.sh";
    await assert.rejects(client.request("approveHooks", { key, yes: true }), /have changed/);
    assert.equal(approved.size, 0);
    command = "./one.sh";
    await client.request("approveHooks", { key, yes: true });
    assert.equal((await row(".claude/settings.json"))?.approval?.question, undefined);
    await client.request("approveHooks", { key, yes: false });
    assert.equal((await row(".claude/settings.json"))?.state, "needs approval");
    assert.equal((await row("Bash(rm *)"))?.state, "Never runs (deny)");
    const { words } = await client.request("tryCommand", { command: "ls && rm -r x" });
    assert.match(words, /^Never runs: .*Bash\(rm \*\)/);
  });
});
