/** `strata mcp`: what is configured, a look into one server, a call by hand, its last words. */
import type { McpControl } from "../core/ports";
import { counted, oneLine } from "../core/text/format";
import type { ReportSection } from "../core/text/report";
import type { McpServerView } from "../shared/mcp";
import { visibleLine } from "../shared/shown";
import type { McpCommand } from "./args";
import type { Streams } from "./eventPrinter";
import type { Interrupts } from "./interrupts";
import { EXIT, jsonLine } from "./output";
import { printReport } from "./report";

const states: Record<McpServerView["state"], string> = {
  off: "switched off",
  unasked: "not approved",
  idle: "not started",
  starting: "starting",
  "signing-in": "signing in",
  running: "runs",
  failed: "failed",
  "signed-out": "wants you to sign in",
};

const DESCRIPTION = 100;

interface McpEnvironment {
  streams: Streams;
  interrupts: Interrupts;
  /** a setting lets this server ask the person's model */
  maySample(server: string): boolean;
}

/** Rejects with ErrorForPeople. */
export async function mcp(
  command: McpCommand,
  servers: McpControl,
  { streams, interrupts, maySample }: McpEnvironment,
): Promise<number> {
  await servers.refresh();
  if (command.action === "list") return list(command, servers, await servers.views(), streams);
  if (command.action === "logs") {
    const text = await servers.log(command.place);
    streams.out(text === "" ? "" : `${text.trimEnd()}\n`);
    if (text === "") streams.err(`Nothing is known of what ${command.place} printed.\n`);
    return EXIT.done;
  }
  const { signal } = interrupts;
  if (command.action === "logout") {
    await servers.signOut(command.place);
    return EXIT.done;
  }
  if (command.action === "login") {
    const show = async (address: string) => streams.err(`Open this address in a browser to sign in:\n${address}\n`);
    await servers.signIn(command.place, { open: show }, signal);
    streams.out(`Signed in to ${command.place}.\n`);
    return EXIT.done;
  }
  const view = await servers.check(command.place, signal);
  if (!command.call) {
    if (command.json) streams.out(jsonLine(view));
    else printReport({ title: "MCP server", sections: checked(view) }, streams);
    return EXIT.done;
  }
  if (maySample(view.name))
    streams.err(
      `! strata.mcp.sampling lets ${visibleLine(view.name)} ask the model, but not here: tools that do so may fail or be missing. In a run at a terminal it can.\n`,
    );
  const progress = (line: string) => streams.err(line);
  const on = { signal, progress, answer: command.answer };
  const { text, isError } = await servers.callByHand(command.place, command.call, on);
  streams.out(command.json ? jsonLine({ text, isError }) : `${text}\n`);
  return isError ? EXIT.error : EXIT.done;
}

function list(
  { json, trust }: McpCommand,
  { problems }: McpControl,
  views: readonly McpServerView[],
  streams: Streams,
): number {
  if (json) streams.out(jsonLine({ servers: views, problems }));
  else
    printReport({ title: "MCP servers", lead: "No MCP server is configured.", sections: views.map(listed) }, streams);
  if (!trust) streams.err("Servers that this workspace names are only read with --trust.\n");
  return problems.length > 0 ? EXIT.error : EXIT.done;
}

function listed({ name, file, target, state, tools, error, notes }: McpServerView): ReportSection {
  const known = tools ? counted(tools.length, "tool") : "tools not known yet";
  const from = `${oneLine(target, 200)}; ${file}`;
  return { title: `${name}  ${states[state]}, ${known}`, from, detail: error, lines: [], warnings: notes };
}

function checked({ name, identity, tools = [], prompts = [], resources = [] }: McpServerView): ReportSection[] {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const line = (start: string, about: string) => ({ label: `${start}  ${oneLine(about, DESCRIPTION)}` });
  const ofTool = (tool: (typeof tools)[number]) =>
    line(`${tool.name}  ${tool.off ? "off, " : ""}${counted(tool.tokens, "token")}`, tool.description);
  return [
    { title: name, from: identity, lines: [] },
    { title: `${counted(tools.length, "tool")}, ${counted(tokens, "token")}`, lines: tools.map(ofTool) },
    { title: counted(prompts.length, "prompt"), lines: prompts.map(prompt => line(prompt.name, prompt.description)) },
    { title: counted(resources.length, "resource"), lines: resources.map(({ uri, name }) => line(uri, name)) },
  ].filter(({ lines }, at) => at < 2 || lines.length > 0);
}
