/** The view of MCP servers: states, consent, tools with switches, keys, and pictures of it. */
import assert from "node:assert/strict";
import type { McpLists, McpServerRow } from "../../src/shared/mcp";
import { looksTest, picture } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { fixed } from "./scenes";
import { snapshot } from "./script";

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

const options = {
  name: "found" as const,
  snapshot: snapshot({ title: "Invoices", records: fixed().records }),
  results: {
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

const show = async (panel: PanelPage) => {
  await panel.page.getByRole("button", { name: /^files/ }).waitFor();
};

describe("panel: MCP servers", () => {
  panelTest("keys move in them; a yes is bound to what was shown, with every hidden character", async () => {
    const panel = await openPanel(options);
    const { page } = panel;
    await show(panel);
    await page.getByText("trust allows nothing here").waitFor();
    const rows = page.locator(".server");
    const isFocused = (at: number) => rows.nth(at).evaluate(one => one === document.activeElement);
    await rows.first().focus();
    await page.keyboard.press("End");
    assert.ok(await isFocused(4));
    await page.keyboard.press("ArrowUp");
    assert.ok(await isFocused(3));
    await page.keyboard.press("Enter");
    await page.getByText("cannot find module").waitFor();
    await page.getByRole("button", { name: /^deploy/ }).click();
    const consent = page.getByRole("region", { name: "Allow deploy?" });
    assert.match(await consent.innerText(), /-y\n@team\/deploy\ntwo␊lines\\u\{202e\}/);
    assert.match(await consent.innerText(), /DEPLOY_KEY\nall of \.env/);
    assert.equal(await panel.button("Start").count(), 0);
    await panel.button("Allow").click();
    assert.deepEqual(await panel.waitForRequest("mcpAgree"), { name: "deploy", hash: "hash of deploy" });
  });

  panelTest("where they could not be asked for one can try again, and who comes back sees what changed", async () => {
    const panel = await openPanel({ ...options, refused: { mcpServers: "The list could not be read." } });
    await panel.page.getByText("The list could not be read.").last().waitFor();
    await panel.refuse("mcpServers", undefined);
    await panel.button("Retry").click();
    await panel.page.getByRole("button", { name: /^files/ }).waitFor();
    const before = (await panel.asked("mcpServers")).length;
    await panel.page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await panel.waitForRequest("mcpServers", before);
  });

  panelTest("what can be done fits the state; tools are switched by themselves", async () => {
    const panel = await openPanel(options);
    const { page, button, asked, waitForRequest } = panel;
    await show(panel);
    await page.getByRole("button", { name: /^files/ }).click();
    const write = page.getByRole("checkbox", { name: /^write_file/ });
    await write.waitFor();
    assert.equal(await page.getByRole("checkbox", { name: /^move_file/ }).isChecked(), false);
    await write.focus();
    await page.keyboard.press("Space");
    assert.deepEqual(await waitForRequest("mcpSwitch"), { name: "files:write_file", on: false });
    for (const name of ["Restart", "Stop", "Log", "Revoke"]) await button(name).click();
    assert.deepEqual(
      (await asked("mcpAct")).map(params => (params as { act: string }).act),
      ["start", "stop", "log", "withdraw"],
    );
    await button("Switch off").click();
    assert.deepEqual(await waitForRequest("mcpSwitch", 1), { name: "files", on: false });
    await page.getByRole("button", { name: /^tickets/ }).click();
    await button("Sign in").click();
    assert.deepEqual(await waitForRequest("mcpAct", 4), { name: "tickets", act: "sign-in" });
    assert.equal(await button("Sign out").count(), 0);
  });

  panelTest("who signs in sees where, can copy it and call it off", async () => {
    const panel = await openPanel(signingIn);
    const { page, button, waitForRequest } = panel;
    await show(panel);
    await page.getByRole("button", { name: /^tickets\s*signing in/ }).click();
    assert.ok((await page.getByRole("region", { name: "Signing in" }).innerText()).includes(signInAt));
    assert.equal(await page.getByText("It wants you to sign in.").count(), 0);
    for (const name of ["Sign in", "Start", "Stop", "Sign out"])
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    await button("Copy the address").waitFor();
    await button("Cancel").click();
    assert.deepEqual(await waitForRequest("mcpAct"), { name: "tickets", act: "stop" });
  });

  panelTest("a state that changes shows by itself, and the focus is not lost with a button", async () => {
    const [files, deploy, ...others] = servers as [McpServerRow, McpServerRow];
    const agreed: McpServerRow = { ...deploy, state: "running", agreed: true };
    delete agreed.question;
    const results = [
      { servers, problems: [] },
      { servers: [files, agreed, ...others], problems: [] },
    ];
    const panel = await openPanel({ ...options, results: { ...options.results, mcpServers: results } });
    const { page, button, send } = panel;
    await show(panel);
    const toggle = page.getByRole("button", { name: /^deploy/ });
    await toggle.click();
    await button("Allow").focus();
    await send({ type: "mcpChanged" });
    await page.getByRole("button", { name: /^deploy\s*running/ }).waitFor();
    assert.ok(await toggle.evaluate(one => one === document.activeElement));
  });

  panelTest("a list of thousands is not drawn unasked; nothing configured says where to begin", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      name: `files:t${at}`,
      description: "",
      tokens: 40,
      off: false,
    }));
    const results = { ...options.results, mcpLists: { lists: { ...lists, tools: many } } };
    const panel = await openPanel({ ...options, results });
    await show(panel);
    await panel.page.getByRole("button", { name: /^files/ }).click();
    await panel.button("and 4,900 more").waitFor();
    assert.equal(await panel.page.getByRole("checkbox").count(), 100);
    const empty = await openPanel({
      name: "found",
      results: { mcpServers: { servers: [], problems: [] } },
    });
    await empty.button("Open .vscode/mcp.json").click();
    await empty.waitForRequest("mcpConfigure");
  });

  looksTest("pictures", async () => {
    const opened = (name: RegExp) => async (panel: PanelPage) => {
      await show(panel);
      await panel.page.getByRole("button", { name }).click();
      await panel.settle();
    };
    await picture("servers", { ...options, height: 900 }, opened(/^files/));
    await picture("servers-consent", { ...options, theme: "light" }, opened(/^deploy/));
    await picture("servers-narrow", { ...options, width: 300, theme: "high-contrast" }, opened(/^deploy/));
    await picture("servers-signing-in", { ...signingIn, width: 380 }, opened(/^tickets/));
    await picture("servers-failed", { ...options, width: 300 }, opened(/^broken/));
  });
});
