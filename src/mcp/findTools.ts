/** The tool that finds others, where they are too many for every request or not known yet. */
import description from "../../prompts/tools/findTools.md";
import { ToolError } from "../core/ground/ports";
import { estimateTokens } from "../core/ground/text/estimate";
import { counted } from "../core/ground/text/format";
import { success, type Tool, type ToolOutcome } from "../core/tool/tool";
import { mapBounded } from "../shared/async";
import { defined } from "../shared/defined";
import { errorMessage } from "../shared/errorMessage";
import type { Json } from "../shared/messages";
import type { OwnToolName } from "../shared/toolTraits";
import { wireName } from "../shared/toolTraits";
import type { McpServer } from "./server";
import { describeTool, type ToolName } from "./tools/definition";

const FIND_TOOLS: OwnToolName = "FindTools";

type FindToolsInput = { query?: string; server?: string };

/** Of the tools that fit best, so many, as long as their definitions take no more room than this. */
const MAX_FOUND = 10;
const MAX_FOUND_TOKENS = 4_000;
const MAX_NAMES = 100;
/** ms that servers may take to start and say what they have, where only words are given; and how many start at once */
const LOOK_MS = 20_000;
const LOOKS_AT_ONCE = 4;

/** @param isOff a tool that the person switched off: it is not found */
export function findToolsTool(servers: readonly McpServer[], isOff: (name: string) => boolean): Tool<FindToolsInput> {
  const find = (name: string) => servers.find(server => server.name.toLowerCase() === name.trim().toLowerCase());
  return {
    name: FIND_TOOLS,
    description: `${description.trim()}\nServers: ${servers.map(({ name }) => name).join(", ")}.`,
    // What it starts was agreed to: the call itself does nothing outside.
    effect: "session",
    trust: "mcp",
    input: { jsonSchema, parse },
    async prepare({ query = "", server: wanted }) {
      const server = wanted === undefined ? undefined : find(wanted);
      if (wanted !== undefined && !server) {
        const names = servers.map(({ name }) => name).join(", ");
        throw new ToolError("NOT_FOUND", `There is no server ${wanted}. Servers: ${names}.`);
      }
      const asked = server?.agreement();
      const about = [server?.name, query].filter(Boolean).join(": ");
      return {
        targets: [],
        title: asked ? `Start the MCP server ${server?.name}` : `Find tools ${about}`,
        detail: {
          type: "other",
          summary: asked ? `Starts the server ${server?.name} to see which tools it has` : "Looks for tools",
          input: asked?.detail ?? { query, ...defined({ server: wanted }) },
        },
        binding: JSON.stringify([FIND_TOOLS, server?.hash ?? "", query]),
        ...defined({ mustAsk: asked?.reason }),
        async perform({ signal }) {
          if (asked) await server?.agree();
          if (server) await server.look(signal);
          const failed = server ? [] : await lookIntoAgreed(servers, signal);
          return found(query, server ? [server] : servers, { about, isOff, failed });
        },
      };
    },
  };
}

/** Words may be about any of them, so servers without a list are started. @returns why one has nothing to say, a line each */
async function lookIntoAgreed(servers: readonly McpServer[], signal: AbortSignal): Promise<string[]> {
  const limit = AbortSignal.timeout(LOOK_MS);
  const unseen = servers.filter(({ tools, canStart }) => !tools && canStart);
  const failures = await mapBounded(unseen, LOOKS_AT_ONCE, async server => {
    try {
      limit.throwIfAborted();
      await server.look(AbortSignal.any([signal, limit]));
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return limit.aborted ? `${server.name} did not say in time which tools it has.` : errorMessage(error);
    }
  });
  return failures.filter(failure => failure !== undefined);
}

const jsonSchema: Json = {
  type: "object",
  properties: {
    query: { type: "string", description: "Words of what the tool is to do" },
    server: { type: "string", description: "Only this server" },
  },
};

function parse(input: unknown): { value: FindToolsInput } | { complaint: string } {
  const { query, server } = (input ?? {}) as Record<string, unknown>;
  const isText = (value: unknown) => value === undefined || (typeof value === "string" && value.length <= 1_000);
  if (!isText(query) || !isText(server)) return { complaint: "query and server are texts." };
  if (query === undefined && server === undefined) return { complaint: "Give query, server or both." };
  return { value: defined({ query, server }) as FindToolsInput };
}

function found(
  query: string,
  servers: readonly McpServer[],
  { about, isOff, failed }: { about: string; isOff: (name: string) => boolean; failed: readonly string[] },
): ToolOutcome {
  const all = servers.flatMap(({ tools = [] }) => tools).filter(({ name }) => !isOff(name));
  const best = bestTools(query, all);
  const others = all.filter(tool => !best.includes(tool));
  const unknown = servers.filter(({ tools }) => !tools);
  const unasked = unknown.filter(server => server.agreement());
  const notStarted = unknown.filter(server => !server.agreement());
  const unseen = (why: string, of: readonly McpServer[]) =>
    of.length > 0 ? [`${why}: ${of.map(({ name }) => name).join(", ")}.`] : [];
  const names = others.slice(0, MAX_NAMES).map(({ name }) => wireName(name));
  const more = others.length - names.length;
  const text = [
    best.length > 0
      ? `You can call these from now on:\n${best.map(line).join("\n")}`
      : `No tool has ${query === "" ? "been found" : "these words"}.`,
    ...(names.length > 0 ? [`Others: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`] : []),
    ...failed,
    ...unseen("Not looked into, since the user has not approved them; name one in server to ask", unasked),
    ...unseen("Not looked into, name one in server to try it again", notStarted),
  ].join("\n");
  const outcome = success({
    data: { found: best.map(({ name }) => name), tools: all.length },
    text,
    digest: `${FIND_TOOLS} · ${about} · ${counted(best.length, "tool")} of ${all.length}`,
  });
  return { ...outcome, foundTools: best.map(({ name }) => name) };
}

const line = ({ name, tool }: ToolName) =>
  `- ${wireName(name)}: ${describeTool(tool).description.split("\n", 1)[0]?.slice(0, 200)}`;

/** By how many of the words stand in name and description; where the query has none, in the server's own order. */
function bestTools(query: string, tools: readonly ToolName[]): ToolName[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scored = tools.map(tool => ({ tool, score: words.length === 0 ? 1 : score(tool, words) }));
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  let tokens = 0;
  return best
    .slice(0, MAX_FOUND)
    .filter(({ tool }) => {
      tokens += definitionTokens(tool);
      return tokens <= MAX_FOUND_TOKENS || tool === best[0]?.tool;
    })
    .map(({ tool }) => tool);
}

function score({ name, tool }: ToolName, words: readonly string[]): number {
  const [inName, inWords] = [name.toLowerCase(), `${tool.title ?? ""} ${tool.description}`.toLowerCase()];
  return words.reduce((sum, word) => sum + (inName.includes(word) ? 3 : 0) + (inWords.includes(word) ? 1 : 0), 0);
}

/** What its definition takes of each request. */
export const definitionTokens = ({ name, tool }: ToolName, { description, jsonSchema } = describeTool(tool)): number =>
  estimateTokens(JSON.stringify({ name, description, jsonSchema }));
