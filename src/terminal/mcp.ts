/** `strata mcp`: what is configured, a look into one server, a call by hand, its last words. */
import type { McpControl } from "../core/ports";
import { counted, oneLine } from "../core/text/format";
import type { McpServerView } from "../shared/mcp";
import { visibleLine } from "../shared/shown";
import type { McpCommand } from "./args";
import type { Streams } from "./eventPrinter";
import type { Interrupts } from "./interrupts";
import { EXIT, jsonLine } from "./output";

const states: Record<McpServerView["state"], string> = {
  off: "switched off",
  unasked: "not agreed to",
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
  interrupts: Pick<Interrupts, "signal">;
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
    streams.out(command.json ? jsonLine(view) : checked(view));
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
  { out, err }: Streams,
): number {
  if (json) out(jsonLine({ servers: views, problems }));
  else for (const view of views) out(`${serverLine(view)}\n`);
  if (!json && views.length === 0) out("No MCP server is configured.\n");
  if (!trust) err("Servers that this workspace names are only read with --trust.\n");
  return problems.length > 0 ? EXIT.error : EXIT.done;
}

function serverLine({ name, file, target, state, tools, error, notes = [] }: McpServerView): string {
  const known = tools ? counted(tools.length, "tool") : "tools not known yet";
  const line = `${visibleLine(name)}  ${states[state]}, ${known}  (${visibleLine(oneLine(target, 200))}; ${visibleLine(file)})`;
  const more = [...(error === undefined ? [] : [error]), ...notes.map(note => `! ${note}`)];
  return [line, ...more.map(each => `  ${visibleLine(each)}`)].join("\n");
}

function checked({ name, identity, tools = [], prompts = [], resources = [] }: McpServerView): string {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const about = (text: string) => visibleLine(oneLine(text, DESCRIPTION));
  return `${[
    `${visibleLine(name)}${identity === undefined ? "" : ` (${visibleLine(identity)})`}`,
    `${counted(tools.length, "tool")}, ${counted(tokens, "token")}`,
    ...tools.map(
      tool =>
        `  ${visibleLine(tool.name)}  ${tool.off ? "off, " : ""}${counted(tool.tokens, "token")}  ${about(tool.description)}`,
    ),
    ...(prompts.length > 0 ? [counted(prompts.length, "prompt")] : []),
    ...prompts.map(prompt => `  ${visibleLine(prompt.name)}  ${about(prompt.description)}`),
    ...(resources.length > 0 ? [counted(resources.length, "resource")] : []),
    ...resources.map(resource => `  ${about(resource.uri)}  ${about(resource.name)}`),
  ].join("\n")}\n`;
}
