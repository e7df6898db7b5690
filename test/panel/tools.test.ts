/** Tools and Rules: rows, approvals, tools with switches, keys, and pictures of the page. */
import assert from "node:assert/strict";
import type { McpLists, McpServerRow } from "../../src/shared/mcp";
import type { ToolSection } from "../../src/shared/panelProtocol";
import { pictures } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { fixed } from "./scenes";

const row = (name: string, changes: Partial<McpServerRow>): McpServerRow => ({
  ...{ name, hash: `hash of ${name}`, file: ".vscode/mcp.json", path: "/ws/.vscode/mcp.json", level: "workspace" },
  ...{ target: `npx -y @team/${name}`, environment: [], state: "idle" },
  ...changes,
});

const servers: McpServerRow[] = [
  row("files", {
    ...{ state: "running", agreed: true, identity: "secure-filesystem-server 0.2.0, 2025-11-25" },
    ...{ tools: { count: 2, tokens: 612 }, environment: ["FILES_TOKEN"] },
  }),
  row("deploy", {
    state: "unasked",
    question: {
      reason: "",
      detail: {
        ...{ server: "deploy", command: "npx", args: ["-y", "@team/deploy", "two\nlines\u202e"] },
        ...{ folder: "/code/invoices", environment: ["DEPLOY_KEY", "all of .env"] },
      },
    },
  }),
  row("tickets", {
    target: "https://tickets.example/mcp",
    state: "signed-out",
    signedIn: false,
    error: "It wants you to sign in.",
  }),
  row("broken", { state: "failed", error: "It ended with code 1. It printed: cannot find module 'nowhere'" }),
  row("old", { state: "off", notes: ["`trust` allows nothing here: rules do."] }),
];

const lists: McpLists = {
  tools: [
    { name: "files:read_text_file", description: "Reads a file as text", tokens: 280, off: false },
    {
      name: "files:write_file",
      description: "Writes a file, and replaces what stood there. ".repeat(6),
      tokens: 332,
      off: false,
    },
    { name: "files:move_file", description: "Moves a file", tokens: 190, off: true },
  ],
  prompts: [{ name: "tidy", description: "Puts a folder in order" }],
  resources: [{ name: "Readme", uri: "file:///code/invoices/README.md" }],
};

const question = {
  words: ["Hooks run as you, outside the sandbox, without asking. If they change, you are asked again."],
  exact: '{\n  "Stop": "curl x\u202e | sh"\n}',
};
const part = (name: ToolSection["name"], ...rows: ToolSection["rows"]): ToolSection => ({ name, rows, none: "" });
const path = ".strata/skills/release/SKILL.md";
const tools = {
  sections: [
    part(
      "skills",
      { name: "/release", state: "Builds a release and writes its notes", from: path, path, warnings: ["It is odd."] },
      { name: "/review [what]", state: "Reviews the open changes", from: ".github/prompts/review.prompt.md" },
    ),
    part(
      "hooks",
      {
        ...{ name: ".claude/settings.json", icon: "question", state: "needs approval", from: "1 hook" },
        approval: { key: "k1", question },
      },
      {
        ...{ name: ".strata/hooks.json", icon: "pass-filled", state: "runs", from: "2 hooks, in the sandbox" },
        ...{ lines: ["PreToolUse Bash: guard.sh", "Stop: done.sh"], approval: { key: "k2" } },
      },
      { name: "x.json", icon: "error", warnings: ["One is no object.", "One is no object."] },
    ),
    part(
      "rules",
      { name: "AGENTS.md", from: "This workspace", path: "AGENTS.md" },
      { name: "No rules of this workspace", detail: "Strata reads CODE_LAW.md and Agent.md.", path: "" },
    ),
    part(
      "bindings",
      {
        ...{
          name: "Don't touch `generated/`",
          icon: "warning",
          state: "bound, stale",
          from: "AGENTS.md · your settings",
        },
        ...{ lines: ["deny: Edit(generated/**)"], binding: { key: "b1", to: ["user"] } },
        warnings: ["AGENTS.md here does not say this, or not any more. It holds until you unbind it."],
      },
      {
        ...{ name: "Never push to main.", icon: "circle-outline", state: "deny: Bash(git push * main *) and 4 more" },
        ...{ from: "AGENTS.md", lines: ["deny: Bash(git push * main *)", "ask: Bash(git push)"] },
        binding: { key: "b2", to: ["workspace", "user"] },
      },
      {
        ...{ name: "Never commit.", icon: "circle-outline", state: "deny: Bash(git commit *)", from: "CLAUDE.md" },
        warnings: ["AGENTS.md says: “Always commit.”. They disagree, so nothing is bound."],
      },
      { name: "3 sentences are guidance: no rule holds them", icon: "info", lines: ["AGENTS.md: Write plainly."] },
    ),
    part(
      "permissions",
      { name: "Mode: Ask first", detail: "Reads without asking. Asks before every edit and every command." },
      { name: "Bash(git push *)", state: "Never runs (deny)", from: "settings" },
      { name: "Bash(npm test *)", state: "Runs without asking (allow)", from: "workspace: .vscode/settings.json" },
    ),
    part("denials", { name: "`rm -r data`", state: "asks again", from: "Nov 21, 2026, 9:00 AM", denialId: "den_1" }),
  ],
};

const options = {
  name: "tools" as const,
  snapshot: { title: "Invoices", records: fixed().records },
  results: {
    ...{ tools, tryCommand: { icon: "circle-slash", words: "Never runs: rule `Bash(git push *)` forbids this" } },
    mcpServers: { servers, problems: ['.mcp.json: the entry "x" cannot be used: the command is empty.'] },
    mcpLists: { lists },
  },
};

const signInAt = `https://login.example/authorize?response_type=code&client_id=strata&state=${"x".repeat(300)}`;
const [files, , tickets] = servers as [McpServerRow, McpServerRow, McpServerRow];
const busy: McpServerRow[] = [files, { ...tickets, state: "signing-in", signInAt }];
const none: McpLists = { tools: [], prompts: [], resources: [] };
const signingIn = {
  ...options,
  results: { mcpServers: { servers: busy, problems: [] }, mcpLists: { lists: none } },
};

const rowOf = ({ page }: PanelPage, name: RegExp) => page.getByRole("row", { name });
const show = (panel: PanelPage) => rowOf(panel, /^files/).waitFor();
const menu = async (panel: PanelPage, server: string, item: string) => {
  await panel.button(`More actions for ${server}`).click();
  await panel.page.getByRole("menuitem", { name: item, exact: true }).click();
};

describe("panel: tools and rules", () => {
  panelTest("keys move in the servers; a yes is bound to what was shown, with every hidden character", async () => {
    const panel = await openPanel(options);
    const { page } = panel;
    await page.getByText("trust allows nothing here").waitFor();
    const isFocused = (name: RegExp) => rowOf(panel, name).evaluate(one => one === document.activeElement);
    await rowOf(panel, /^files/).focus();
    await page.keyboard.press("End");
    assert.ok(await isFocused(/^old/));
    await page.keyboard.press("ArrowUp");
    assert.ok(await isFocused(/^broken/));
    await page.keyboard.press("Enter");
    await page.getByText("cannot find module").waitFor();
    await rowOf(panel, /^deploy/).click();
    const consent = page.getByRole("region", { name: "Allow deploy?" });
    assert.match(await consent.innerText(), /-y\n@team\/deploy\ntwo␊lines\\u\{202e\}/);
    assert.match(await consent.innerText(), /DEPLOY_KEY\nall of \.env/);
    await panel.button("More actions for deploy").click();
    assert.equal(await page.getByRole("menuitem", { name: "Start" }).count(), 0);
    await page.keyboard.press("Escape");
    await panel.button("Allow").click();
    assert.deepEqual(await panel.waitForRequest("mcpAgree"), { name: "deploy", hash: "hash of deploy" });
  });

  panelTest("hooks are approved under the whole of their text, which does not change under the pointer", async () => {
    const approval = { key: "k3", question: { ...question, exact: "other" } };
    const later = { sections: [part("hooks", { name: ".claude/settings.json", from: "1 hook", approval })] };
    const panel = await openPanel({
      ...options,
      results: { ...options.results, tools: [tools, tools, tools, tools, later] },
    });
    const { page, button, waitForRequest, send } = panel;
    await menu(panel, ".strata/hooks.json", "Revoke");
    assert.deepEqual(await waitForRequest("approveHooks"), { key: "k2", yes: false });
    assert.equal(await page.getByText("One is no object.").count(), 1);
    await rowOf(panel, /^\.claude/).click();
    const consent = page.getByRole("region", { name: "Run the hooks in .claude/settings.json?" });
    assert.match(await consent.innerText(), /as you, outside the sandbox[\s\S]*"curl x\\u\{202e\} \| sh"/);
    await button("Allow").click();
    assert.deepEqual(await waitForRequest("approveHooks", 1), { key: "k1", yes: true });
    // Changes that come together are asked about once.
    for (let at = 0; at < 5; at++) await send({ type: "mcpChanged" });
    await button("Show the new text").waitFor();
    assert.equal(await button("Allow").count(), 0);
    await button("Show the new text").click();
    await button("Allow").click();
    assert.deepEqual(await waitForRequest("approveHooks", 2), { key: "k3", yes: true });
  });

  panelTest("rules files open, one is created, a command is tried; a command leads to its part", async () => {
    const panel = await openPanel(options);
    const { page, waitForRequest, button, send } = panel;
    await rowOf(panel, /^AGENTS\.md This/).click();
    assert.deepEqual(await waitForRequest("openFile"), { path: "AGENTS.md" });
    await button("Create").click();
    assert.deepEqual(await waitForRequest("action"), { action: "new-rules" });
    await button("Lift").click();
    assert.deepEqual(await waitForRequest("lift"), { which: "den_1", by: "user" });
    await page.getByRole("textbox", { name: /Type a command/ }).fill("git push");
    await page.getByText("rule `Bash(git push *)` forbids this").first().waitFor();
    await send({ type: "show", view: "hooks" });
    await page.waitForFunction(() => document.activeElement?.textContent?.includes(".claude/settings.json"));
    await button("Choose…").click();
    assert.deepEqual(await waitForRequest("action", 1), { action: "choose-model" });
  });

  panelTest("a sentence is bound by one click in the likelier place or the other, and unbound by one", async () => {
    const { page, button, waitForRequest } = await openPanel(options);
    await button("Bind in this workspace").click();
    assert.deepEqual(await waitForRequest("bind"), { key: "b2", to: "workspace" });
    await button("More actions for Never push to main.").click();
    await page.getByRole("menuitem", { name: "Bind in your settings" }).click();
    assert.deepEqual(await waitForRequest("bind", 1), { key: "b2", to: "user" });
    await button("Unbind").click();
    assert.deepEqual(await waitForRequest("bind", 2), { key: "b1", to: "user" });
    assert.equal(await page.getByText("Write plainly.").count(), 0);
    await page.getByRole("row", { name: /^3 sentences are guidance/ }).click();
    await page.getByText("AGENTS.md: Write plainly.").waitFor();
  });

  panelTest("where it could not be asked for one can try again, and who comes back sees what changed", async () => {
    const panel = await openPanel({ ...options, refused: { mcpServers: "The list could not be read." } });
    await panel.page.getByText("The list could not be read.").last().waitFor();
    await panel.refuse("mcpServers", undefined);
    await panel.button("Retry").click();
    await show(panel);
    const before = (await panel.asked("mcpServers")).length;
    await panel.page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await panel.waitForRequest("mcpServers", before);
  });

  panelTest("what can be done fits the state; tools are switched by themselves", async () => {
    const panel = await openPanel(options);
    const { page, button, asked, waitForRequest } = panel;
    await show(panel);
    await rowOf(panel, /^files/).click();
    const write = page.getByRole("switch", { name: "write_file" });
    await write.waitFor();
    assert.equal(await page.getByRole("switch", { name: "move_file" }).isChecked(), false);
    await write.focus();
    await page.keyboard.press("Space");
    assert.deepEqual(await waitForRequest("mcpSwitch"), { name: "files:write_file", on: false });
    for (const name of ["Restart", "Stop", "Log", "Revoke"]) await menu(panel, "files", name);
    assert.deepEqual(
      (await asked("mcpAct")).map(params => (params as { act: string }).act),
      ["start", "stop", "log", "withdraw"],
    );
    await page.getByRole("switch", { name: "Use server files" }).click();
    assert.deepEqual(await waitForRequest("mcpSwitch", 1), { name: "files", on: false });
    await button("Sign in").click();
    assert.deepEqual(await waitForRequest("mcpAct", 4), { name: "tickets", act: "sign-in" });
  });

  panelTest("who signs in sees where, can copy it and call it off", async () => {
    const panel = await openPanel(signingIn);
    const { page, button, waitForRequest } = panel;
    await show(panel);
    await rowOf(panel, /^tickets\s*signing in/).click();
    assert.ok((await page.getByRole("region", { name: "Signing in" }).innerText()).includes(signInAt));
    assert.equal(await page.getByText("It wants you to sign in.").count(), 0);
    assert.equal(await button("Sign in").count(), 0);
    await button("Copy the address").waitFor();
    await button("Cancel").click();
    assert.deepEqual(await waitForRequest("mcpAct"), { name: "tickets", act: "stop" });
  });

  panelTest("a state that changes shows by itself, and the focus is not lost with a button", async () => {
    const [files, deploy, ...others] = servers as [McpServerRow, McpServerRow];
    const agreed: McpServerRow = { ...deploy, state: "running", agreed: true };
    delete agreed.question;
    const before = { servers, problems: [] };
    const results = [...[before, before], { servers: [files, agreed, ...others], problems: [] }];
    const panel = await openPanel({ ...options, results: { ...options.results, mcpServers: results } });
    const { button, send } = panel;
    await show(panel);
    const row = rowOf(panel, /^deploy/);
    await row.click();
    await button("Allow").focus();
    await send({ type: "mcpChanged" });
    await rowOf(panel, /^deploy\s*running/).waitFor();
    assert.ok(await row.evaluate(one => one === document.activeElement));
  });

  panelTest("a list of thousands is not drawn unasked; nothing configured says where to begin", async () => {
    const one = { description: "", tokens: 40, off: false };
    const many = Array.from({ length: 5_000 }, (_, at) => ({ ...one, name: `files:t${at}` }));
    const results = { ...options.results, mcpLists: { lists: { ...lists, tools: many } } };
    const panel = await openPanel({ ...options, results });
    await show(panel);
    await rowOf(panel, /^files/).click();
    await rowOf(panel, /^and 4,902 more/).waitFor();
    assert.equal(await panel.page.getByRole("switch", { name: /^t\d/ }).count(), 100);
    const empty = await openPanel({ name: "tools", results: { mcpServers: { servers: [], problems: [] } } });
    await empty.button("Open .vscode/mcp.json").click();
    await empty.waitForRequest("mcpConfigure");
  });
});

describe("panel: how tools and rules look", function () {
  this.timeout(120_000);
  const opened = (name: RegExp) => async (panel: PanelPage) => {
    await show(panel);
    await rowOf(panel, name).click();
    await panel.settle();
  };
  const none = { mcpServers: { servers: [], problems: [] }, tools: { sections: [] } };
  pictures({
    tools: [{ ...options, height: 1200 }, show],
    "tools-server": [{ ...options, height: 900 }, opened(/^files/)],
    "tools-bindings": [{ ...options, height: 1900 }, opened(/^Never push/)],
    "tools-consent": [options, opened(/^deploy/)],
    "tools-hooks": [{ ...options, height: 1200 }, opened(/^\.claude/)],
    "tools-signing-in": [signingIn, opened(/^tickets/)],
    "tools-none": [{ name: "tools", results: none }],
  });
});
