/**
 * Conversation messages as the provider-independent messages of the AI SDK. Own code, not `convertToModelMessages`: it
 * has to be a synchronous function of the recorded forms (an observation is sent as shown, kept or folded, byte for byte
 * as it was recorded), and `ai` must not be loaded to assemble.
 */
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from "ai";
import type { StrataMessage } from "../../shared/messages";
import type { ToolOutput } from "../history/conversation";
import { INTERRUPTED } from "../history/unansweredResults";

/** Which of its recorded forms an observation is sent in. */
export type Form = "shown" | "kept" | "folded";

type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number];
type UserPart = Exclude<UserModelMessage["content"], string>[number];

/** What the images of a message hold: base64 by blob url, resolved by the caller. */
export type ImageData = (url: string) => string | undefined;

/**
 * One conversation message → the messages it is sent as: none (nothing in it for the model), one, or, for a step with
 * tool calls, the assistant's message and the message with its results.
 */
export function toModelMessages(message: StrataMessage, form: Form, image: ImageData): ModelMessage[] {
  if (message.role === "user") return userMessages(message, image);
  if (message.role === "assistant") return assistantMessages(message, form);
  return [];
}

function userMessages(message: StrataMessage, image: ImageData): ModelMessage[] {
  const content: UserPart[] = [];
  for (const part of message.parts) {
    if (part.type === "text" && part.text) content.push({ type: "text", text: part.text });
    else if (part.type === "data-reminder") content.push({ type: "text", text: part.data.text });
    else if (part.type === "file") {
      const data = image(part.url);
      content.push(
        data === undefined
          ? { type: "text", text: `[the image ${part.filename ?? ""} is not available any more]` }
          : { type: "file", data, mediaType: part.mediaType },
      );
    }
  }
  if (content.length === 0) return [];
  const texts = content.filter(part => part.type === "text");
  // One string where there are only texts: servers that know no content parts understand it too.
  if (texts.length === content.length) return [{ role: "user", content: texts.map(part => part.text).join("\n\n") }];
  return [{ role: "user", content }];
}

function assistantMessages(message: StrataMessage, form: Form): ModelMessage[] {
  const content: AssistantPart[] = [];
  const results: ToolModelMessage["content"] = [];
  for (const part of message.parts) {
    if (part.type === "text" || part.type === "reasoning") {
      if (!part.text && !part.providerMetadata) continue;
      content.push({ type: part.type, text: part.text, ...providerOptions(part.providerMetadata) });
    } else if (part.type === "dynamic-tool") {
      const { toolCallId } = part;
      const toolName = wireName(part.toolName);
      content.push({
        type: "tool-call",
        toolCallId,
        toolName,
        input: wireInput(part.input),
        ...providerOptions(part.callProviderMetadata),
      });
      results.push({
        type: "tool-result",
        toolCallId,
        toolName,
        output: { type: "text", value: resultText(part, form) },
      });
    }
  }
  if (content.length === 0) return [];
  const assistant: ModelMessage = { role: "assistant", content };
  return results.length > 0 ? [assistant, { role: "tool", content: results }] : [assistant];
}

/** Providers refuse the whole request for a name that no tool can have; models make such names up. */
function wireName(toolName: string): string {
  return toolName.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown";
}

/** What was no JSON object goes out as an empty one; its result says what was wrong with it. */
function wireInput(input: unknown): unknown {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}

function resultText(part: { state: string; output?: unknown }, form: Form): string {
  if (part.state !== "output-available") return `INTERRUPTED: ${INTERRUPTED}`;
  const output = part.output as ToolOutput;
  return output[outputForm(output, form)];
}

/** What was folded is sent so wherever it stands. */
export function outputForm(output: Pick<ToolOutput, "isFolded">, form: Form): Form {
  return output.isFolded ? "folded" : form;
}

type Options = NonNullable<AssistantModelMessage["providerOptions"]>;

function providerOptions(metadata: unknown): { providerOptions?: Options } {
  return metadata ? { providerOptions: metadata as Options } : {};
}
