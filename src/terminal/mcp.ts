/** `strata mcp`: what is configured, a look into one server, a call by hand, its last words. */

import type { McpControl } from "../core/ground/ports";
import { oneLine } from "../core/ground/text/format";
import type { ReportSection } from "../core/ground/text/report";
import { inARow } from "../shared/format";
import { plural, t } from "../shared/l10n";
import type { McpServerView } from "../shared/mcp";
import type { CommandOf } from "./args";
import type { Streams } from "./eventPrinter";
import type { Interrupts } from "./interrupts";
import { EXIT, jsonLine, printReport } from "./output";

const states = (): Record<McpServerView["state"], string> => ({
  off: t("switched off"),
  unasked: t("needs approval"),
  idle: t("not started"),
  starting: t("starting"),
  "signing-in": t("signing in"),
  running: t("runs"),
  failed: t("failed"),
  "signed-out": t("needs you to sign in"),
});

const DESCRIPTION = 100;

type McpEnvironment = { streams: Streams; interrupts: Interrupts };

/** Rejects with ErrorForPeople. */
export async function mcp(command: CommandOf<"mcp">, servers: McpControl, { streams, interrupts }: McpEnvironment) {
  await servers.refresh();
  if (command.action === "list") return list(command, servers, await servers.views(), streams);
  if (command.action === "logs") {
    const text = await servers.log(command.place);
    streams.out(text === "" ? "" : `${text.trimEnd()}\n`);
    if (text === "") streams.err(t("Nothing is known of what {0} printed.\n", command.place));
    return EXIT.done;
  }
  const { signal } = interrupts;
  if (command.action === "logout") {
    await servers.signOut(command.place);
    return EXIT.done;
  }
  if (command.action === "login") {
    const show = async (address: string) =>
      streams.err(t("Open this address in a browser to sign in:\n{0}\n", address));
    await servers.signIn(command.place, { open: show }, signal);
    streams.out(t("Signed in to {0}.\n", command.place));
    return EXIT.done;
  }
  const view = await servers.check(command.place, signal);
  if (!command.call) {
    if (command.json) streams.out(jsonLine(view));
    else printReport({ title: t("MCP server"), sections: checked(view) }, streams);
    return EXIT.done;
  }
  const { text, isError } = await servers.callByHand(command.place, command.call, { signal, progress: streams.err });
  streams.out(command.json ? jsonLine({ text, isError }) : `${text}\n`);
  return isError ? EXIT.error : EXIT.done;
}

function list(
  { json, trust }: CommandOf<"mcp">,
  { problems }: McpControl,
  views: readonly McpServerView[],
  streams: Streams,
): number {
  const [title, lead] = [t("MCP servers"), t("No MCP server is configured.")];
  if (json) streams.out(jsonLine({ servers: views, problems }));
  else printReport({ title, lead, sections: views.map(listed) }, streams);
  if (!trust) streams.err(t("Servers that this workspace names are only read with --trust.\n"));
  return problems.length > 0 ? EXIT.error : EXIT.done;
}

const tokensOf = (tokens: number) => plural(tokens, "1 token", "{0} tokens");

function listed({ name, file, target, state, tools, error, notes }: McpServerView): ReportSection {
  const known = tools ? plural(tools.length, "1 tool", "{0} tools") : t("tools not known yet");
  const from = `${oneLine(target, 200)}; ${file}`;
  return { title: `${name}  ${inARow([states()[state], known])}`, from, detail: error, lines: [], warnings: notes };
}

function checked({ name, identity, tools = [], prompts = [], resources = [] }: McpServerView): ReportSection[] {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const line = (start: string, about: string) => ({ label: `${start}  ${oneLine(about, DESCRIPTION)}` });
  const ofTool = (tool: (typeof tools)[number]) =>
    line(`${tool.name}  ${tool.off ? t("off, {0}", tokensOf(tool.tokens)) : tokensOf(tool.tokens)}`, tool.description);
  const ofPrompt = (prompt: (typeof prompts)[number]) => line(prompt.name, prompt.description);
  const ofResource = (resource: (typeof resources)[number]) => line(resource.uri, resource.name);
  return [
    { title: name, from: identity, lines: [] },
    { title: inARow([plural(tools.length, "1 tool", "{0} tools"), tokensOf(tokens)]), lines: tools.map(ofTool) },
    { title: plural(prompts.length, "1 prompt", "{0} prompts"), lines: prompts.map(ofPrompt) },
    { title: plural(resources.length, "1 resource", "{0} resources"), lines: resources.map(ofResource) },
  ].filter(({ lines }, at) => at < 2 || lines.length > 0);
}
