/**
 * The reference: a loop of twenty lines on the AI SDK that reads files. No log, no manifest, no permissions, no limits.
 * Bundled by the benchmarks. Arguments: server, workspace.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createOpenAI } from "@ai-sdk/openai";
import { jsonSchema, streamText, tool } from "ai";

const [url, workspace] = process.argv.slice(2);
const model = createOpenAI({ baseURL: url, apiKey: "none" }).chat("bench");
const tools = { Read: tool({ description: "Reads a file", inputSchema: jsonSchema({ type: "object" }) }) };
const messages = [{ role: "user", content: "go" }];
for (;;) {
  const calls = [];
  const { fullStream } = streamText({ model, messages, tools, maxRetries: 0 });
  for await (const part of fullStream) if (part.type === "tool-call") calls.push(part);
  if (calls.length === 0) break;
  messages.push({
    role: "assistant",
    content: calls.map(({ toolCallId, toolName, input }) => ({ type: "tool-call", toolCallId, toolName, input })),
  });
  for (const { toolCallId, toolName, input } of calls) {
    const text = await readFile(join(workspace, input.file_path), "utf8");
    const lines = text.split("\n").slice(input.offset - 1, input.offset - 1 + input.limit);
    const value = lines.map((line, at) => `${String(input.offset + at).padStart(6)}\t${line}`).join("\n");
    messages.push({
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }],
    });
  }
}
