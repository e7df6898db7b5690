/** "Strata: Show MCP Servers": what is configured, how it stands, and what can be done about it. */
import * as vscode from "vscode";
import type { McpControl } from "../../core/ports";
import { count } from "../../shared/format";
import type { McpServerView } from "../../shared/mcp";
import { choose, chooseSeveral, complain, inform, saysYes } from "../platform/messages";
import { openAddress } from "../platform/openAddress";
import { withProgress } from "../platform/progress";

export interface McpViewDeps {
  servers(): Promise<McpControl>;
  /** `strata.mcp.off` */
  off(): readonly string[];
}

const states: Record<McpServerView["state"], { icon: string; words: string }> = {
  off: { icon: "circle-slash", words: "switched off" },
  unasked: { icon: "question", words: "you have not agreed to it" },
  idle: { icon: "circle-outline", words: "starts when it is needed" },
  starting: { icon: "loading~spin", words: "starting" },
  running: { icon: "pass-filled", words: "runs" },
  failed: { icon: "error", words: "failed" },
  "signed-out": { icon: "account", words: "wants you to sign in" },
};

export async function showMcpServers(deps: McpViewDeps): Promise<void> {
  const servers = await deps.servers();
  await servers.refresh();
  const items = servers.views().map(view => ({
    view,
    label: `$(${states[view.state].icon}) ${view.name}`,
    description: [states[view.state].words, toolsText(view)].filter(Boolean).join(" · "),
    detail: view.error ?? `${view.target} (${view.file})`,
  }));
  const problems = servers.problems.map(problem => ({
    view: undefined,
    label: "$(warning) Cannot be used",
    detail: problem,
  }));
  const configure = { view: undefined, label: "$(gear) Open this workspace's mcp.json", detail: "" };
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const all = [...items, ...problems, ...(folder ? [configure] : [])];
  if (all.length === 0)
    return void inform("No MCP server is configured. They are named in .vscode/mcp.json of a folder.");
  const placeHolder = items.length > 0 ? "Choose a server" : "No MCP server is configured yet";
  const chosen = await choose(all, { title: "MCP Servers", placeHolder });
  if (chosen === configure && folder) await openConfiguration(folder.uri);
  else if (chosen?.view) await showServer(chosen.view, servers, deps);
}

function toolsText({ tools }: McpServerView): string {
  if (!tools) return "";
  const on = tools.filter(({ off }) => !off);
  return `${count(on.length, "tool")}, ${count(sum(on), "token")}`;
}

const sum = (tools: readonly { tokens: number }[]): number => tools.reduce((total, { tokens }) => total + tokens, 0);

async function showServer(view: McpServerView, servers: McpControl, deps: McpViewDeps): Promise<void> {
  const { name, state, tools } = view;
  const row = (label: string, run: () => Promise<unknown>, detail = "") => ({ label, detail, run });
  const isOff = state === "off";
  const start = row("$(play) Start it and see what it has", () => startServer(name, servers));
  const rows = [
    ...(isOff
      ? []
      : state === "running"
        ? [row("$(debug-restart) Restart", () => startServer(name, servers))]
        : [start]),
    ...(state === "running" ? [row("$(debug-stop) Stop", () => servers.stop(name))] : []),
    ...(tools ? [row("$(tools) Tools…", () => switchTools(view, deps), toolsText(view))] : []),
    ...(view.target.startsWith("http") ? [row("$(sign-in) Sign in", () => signIn(name, servers))] : []),
    ...(view.target.startsWith("http") ? [row("$(sign-out) Sign out", () => servers.signOut(name))] : []),
    row("$(output) Show what it printed", async () => showText(await servers.log(name), name)),
    isOff
      ? row("$(circle-outline) Switch on", () => setOff(deps.off().filter(each => each !== name)))
      : row("$(circle-slash) Switch off", async () => {
          await setOff([...deps.off(), name]);
          await servers.stop(name);
        }),
  ];
  const about = [view.identity, `${view.target} (${view.file})`].filter(Boolean).join(" · ");
  const chosen = await choose(rows, { title: `MCP Server ${name}: ${states[state].words}`, placeHolder: about });
  await chosen?.run();
}

async function startServer(name: string, servers: McpControl): Promise<void> {
  const question = servers.question(name);
  if (question) {
    const detail = `${JSON.stringify(question.detail, null, 2)}\n\nYour yes holds until this is changed.`;
    if (!(await saysYes(`Start the MCP server ${name} of this workspace?`, detail, "Start"))) return;
    await servers.agree(name);
  }
  try {
    const started = await withProgress(`Starting the MCP server ${name}`, signal => servers.check(name, signal));
    if (!started) return;
    const { tools = [], prompts = [], resources = [] } = started.result;
    const has = [count(tools.length, "tool"), count(prompts.length, "prompt"), count(resources.length, "resource")];
    void inform(`${name} runs: ${has.join(", ")}.`);
  } catch (error) {
    void complain(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function signIn(name: string, servers: McpControl): Promise<void> {
  const title = `Signing in to ${name}: go on in the browser`;
  const done = await withProgress(title, signal => servers.signIn(name, openAddress, signal));
  if (done) void inform(`You are signed in to ${name}.`);
}

async function switchTools({ name, tools = [] }: McpServerView, deps: McpViewDeps): Promise<void> {
  const items = tools.map(tool => ({
    tool,
    ...{ label: tool.name.slice(name.length + 1), picked: !tool.off },
    ...{ description: count(tool.tokens, "token"), detail: tool.description.slice(0, 200) },
  }));
  const placeHolder = "What is not ticked is neither offered to the model nor found by it";
  const chosen = await chooseSeveral(items, { title: `Tools of ${name}`, placeHolder });
  if (!chosen) return;
  const names = new Set(tools.map(tool => tool.name));
  const off = items.filter(item => !chosen.includes(item)).map(({ tool }) => tool.name);
  await setOff([...deps.off().filter(each => !names.has(each)), ...off]);
}

async function setOff(off: readonly string[]): Promise<void> {
  const value = off.length === 0 ? undefined : [...new Set(off)];
  await vscode.workspace.getConfiguration("strata").update("mcp.off", value, vscode.ConfigurationTarget.Global);
}

async function showText(text: string, name: string): Promise<void> {
  if (text === "") return void inform(`${name} has printed nothing yet.`);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }), { preview: true });
}

/** Made where there is none, with a place for the first server. */
async function openConfiguration(folder: vscode.Uri): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, ".vscode", "mcp.json");
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "servers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(uri);
}
