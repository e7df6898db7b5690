/** A server's tool as one of the session's. It counts as one that changes things far away, also if its hints deny that. */
import { ToolError } from "../core/ground/ports";
import { MOVED, type PreparedCall, type Tool } from "../core/tool/tool";
import type { Json } from "../shared/messages";
import type { McpServer } from "./server";
import { complaintAbout, describeTool, type ToolName } from "./tools/definition";

type ForeignInput = Record<string, Json>;

const CHANGED = "the server says something else of this tool than when it was used last";

export function foreignTool(server: McpServer, named: ToolName): Tool<ForeignInput> {
  const { name, tool } = named;
  const { description, jsonSchema } = describeTool(tool);
  return {
    name,
    description,
    effect: "network",
    trust: "mcp",
    input: {
      jsonSchema,
      parse(input) {
        const complaint = complaintAbout(input, tool.inputSchema);
        return complaint === undefined ? { value: input as ForeignInput } : { complaint };
      },
    },
    prepare: async input => preparedCall(server, named, input),
  };
}

function preparedCall(server: McpServer, read: ToolName, input: ForeignInput): PreparedCall {
  const named = server.newest(read);
  const { name, hash } = named;
  const asked = server.agreement();
  const before = server.calledAs(named.tool.name);
  const isChanged = (before !== undefined && before !== hash) || read.hash !== hash;
  const reasons = [asked?.reason, isChanged ? CHANGED : undefined].filter(reason => reason !== undefined);
  const saysNow: Json = isChanged ? { itSaysNow: named.tool.description.slice(0, 2_000) } : {};
  const starting = `Starts the server ${server.name} and calls its tool`;
  const summary = asked ? starting : `Calls a tool of the server ${server.name}`;
  const shown = reasons.length === 0 ? input : { input, ...saysNow, ...(asked && { starts: asked.detail }) };
  return {
    targets: [],
    title: `Call ${name}`,
    detail: { type: "other", summary, input: shown },
    binding: JSON.stringify(["mcp", server.hash, name, hash, input]),
    ...(reasons.length > 0 && { mustAsk: reasons.join("; ") }),
    async perform(run) {
      if (asked) await server.agree();
      const now = await server.ready(named.tool.name, run.signal);
      if (!now) throw new ToolError("NOT_FOUND", `The server ${server.name} has no tool ${named.tool.name} any more.`);
      // It was something else that was allowed: prepared anew, it is asked about with what the server says now.
      if (now.hash !== hash) return MOVED;
      return server.call(now, input, run);
    },
  };
}
