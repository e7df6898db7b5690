/** What older servers may ask of this side, where the person allowed it: the workspace's folders, and their model. */

import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import type { SamplingRequest } from "../../core/ground/ports";
import { McpError } from "../config/variables";

export interface ServerRequests {
  /** absolute folders; absent: it is not told that there are any */
  roots?(): readonly string[];
  /** Answers with a text of the person's model. Rejects with ErrorForPeople. Absent: nobody does */
  sample?(request: Omit<SamplingRequest, "server">, signal: AbortSignal): Promise<{ text: string; model: string }>;
}

/** tokens of an answer, whatever the server wants */
const MAX_ANSWER = 2_000;

export const capabilitiesFor = ({ roots, sample }: ServerRequests): NonNullable<ClientOptions["capabilities"]> => ({
  ...(roots && { roots: {} }),
  ...(sample && { sampling: {} }),
});

/** Answers what `capabilitiesFor` said that can be asked. */
export function answerRequests(client: Client, { roots, sample }: ServerRequests): void {
  if (roots)
    client.setRequestHandler("roots/list", () => ({
      roots: roots().map(path => ({ uri: pathToFileURL(path).href, name: basename(path) })),
    }));
  if (!sample) return;
  client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
    const { systemPrompt: system = "", maxTokens } = params;
    const messages = params.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
    const request = { system, messages, maxTokens: Math.max(1, Math.min(maxTokens, MAX_ANSWER)) };
    const { text, model } = await sample(request, mcpReq.signal);
    return { model, role: "assistant" as const, content: { type: "text" as const, text }, stopReason: "endTurn" };
  });
}

/** @throws McpError where it is no text */
function textOf(content: unknown): string {
  const parts = (Array.isArray(content) ? content : [content]) as { type?: unknown; text?: unknown }[];
  return parts
    .map(({ type, text }) => {
      if (type === "text" && typeof text === "string") return text;
      throw new McpError(`Only text can be sent to the user's model, not ${String(type)}.`);
    })
    .join("\n");
}
