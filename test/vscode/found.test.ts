/** What was found here: a report with what needs approval. */
import assert from "node:assert/strict";
import { reportPage } from "../../src/core/ground/text/report";
import { type FoundParts, foundReport } from "../../src/vscode/panel/start/found";

const nothing: FoundParts = {
  rules: [],
  mayHaveRules: false,
  skills: { skills: [], prompts: [], broken: [] },
  servers: [],
  hooks: { files: [], broken: [] },
};
const server = { hash: "", path: "/ws/.mcp.json", level: "workspace" as const, target: "x", environment: [] };
const hookFile = { hooks: [], switchesOff: false, problems: [], exact: "", scripts: [] };
const rule = { text: "", cutBytes: 0, trust: "rules" as const };

describe("what was found here", () => {
  it("is nothing where there is nothing", () =>
    assert.deepEqual(foundReport(nothing), { title: "What I found here", lead: "", sections: [] }));

  it("names each with its source and what waits, and all in a line", () => {
    const { lead, sections } = foundReport({
      ...nothing,
      rules: [
        { ...rule, path: "AGENTS.md", unread: [{ path: "secret.md", problem: "It lies outside the workspace." }] },
        { ...rule, path: "more.md", importedBy: "AGENTS.md", cutBytes: 9 },
      ],
      servers: [
        { ...server, name: "github", file: ".mcp.json", state: "unasked" },
        { ...server, name: "files", file: ".mcp.json", state: "off" },
      ],
      hooks: { files: [{ ...hookFile, path: ".claude/settings.json", key: "k", waits: true }], broken: [] },
    });
    assert.equal(lead, "2 rules files, 1 server, 1 server needs approval, 1 hooks file needs approval");
    const lines = Object.fromEntries(sections.map(section => [section.kind, section.lines]));
    assert.deepEqual(lines.rules?.[0]?.warnings, ["secret.md is not read: It lies outside the workspace."]);
    assert.equal(lines.rules?.[1]?.from, "Named in AGENTS.md");
    assert.equal(lines.hooks?.[0]?.place, "show-hooks");
  });

  it("offers to begin rules where the workspace may have some and has none, and names their files", () => {
    const offered = (rules: FoundParts["rules"], mayHaveRules = true) =>
      foundReport({ ...nothing, rules, mayHaveRules })
        .sections.find(({ kind }) => kind === "rules")
        ?.lines.find(({ place }) => place === "new-rules")?.detail;
    const own = { ...rule, path: "~/.config/strata/AGENTS.md", trust: "user" as const };
    for (const rules of [[], [own]]) assert.match(offered(rules) ?? "", /CODE_LAW\.md, AGENTS\.md, .*and Agent\.md/);
    assert.equal(offered([own], false), undefined);
    assert.equal(offered([{ ...rule, path: "Agent.md" }]), undefined);
  });

  it("is a report as any other", () => {
    const [name, text] = reportPage(foundReport({ ...nothing, rules: [{ ...rule, path: "AGENTS.md" }] }));
    assert.equal(name, "What I found here.md");
    assert.match(text, /## Rules\n/);
  });
});
