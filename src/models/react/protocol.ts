/**
 * A conversation as the text protocol has it: what the model said and did with `Thought:` and `Action:` behind its role, what
 * tools returned behind theirs, in turns of user and assistant that alternate, since templates of models without tools refuse
 * others. Reasoning stays out: it belongs to the interface that it came by. Pure.
 */
import type { LanguageModelMiddleware } from "ai";
import type { SdkMessage, SdkPrompt, SdkUserPart } from "../sdk/types";

/** Where a model goes on with what only a tool can say. Other words for it may stand in an answer. */
const STOP = "\n[tool]";

/**
 * A request without tools, which stand in the instructions already. `core/ground/ports` `answerReader` reads the calls out of the answer.
 * @param takesStop false: the interface knows no stop sequences, or refuses them
 */
export const protocolMiddleware = (takesStop: boolean): LanguageModelMiddleware => ({
  specificationVersion: "v4",
  async transformParams({ params: { toolChoice: _, tools: __, ...params } }) {
    const stopSequences = takesStop ? { stopSequences: [...(params.stopSequences ?? []), STOP] } : {};
    return { ...params, prompt: toText(params.prompt), ...stopSequences };
  },
});

type AssistantMessage = Extract<SdkMessage, { role: "assistant" }>;
type ToolMessage = Extract<SdkMessage, { role: "tool" }>;

export function toText(prompt: SdkPrompt): SdkPrompt {
  return joined(prompt.map(asText).filter(message => message !== undefined));
}

function asText(message: SdkMessage): SdkMessage | undefined {
  if (message.role === "system") return message;
  const { providerOptions } = message;
  const options = providerOptions ? { providerOptions } : {};
  if (message.role === "user") return { role: "user", content: message.content, ...options };
  const text = message.role === "assistant" ? answerText(message.content) : resultsText(message.content);
  if (text === "") return undefined;
  return { role: message.role === "assistant" ? "assistant" : "user", content: [{ type: "text", text }], ...options };
}

/** The last words of an answer without calls are what it says to the user. */
function answerText(content: AssistantMessage["content"]): string {
  const texts = content.flatMap(part => (part.type === "text" && part.text.trim() !== "" ? [part.text.trim()] : []));
  const calls = content.flatMap(part => (part.type === "tool-call" ? [actionText(part.toolName, part.input)] : []));
  const last = calls.length === 0 ? texts.pop() : undefined;
  const thought = texts.length > 0 ? [`Thought: ${texts.join("\n")}`] : [];
  const lines = [...thought, ...calls, ...(last === undefined ? [] : [`Action: Finish[${last}]`])];
  return lines.length > 0 ? `[assistant] ${lines.join("\n")}` : "";
}

function actionText(name: string, input: unknown): string {
  return `Action: ${name}[${JSON.stringify(input ?? {})}]`;
}

function resultsText(content: ToolMessage["content"]): string {
  return content
    .flatMap(part => (part.type === "tool-result" ? [`[tool] ${resultText(part.output)}`] : []))
    .join("\n\n");
}

type Result = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

/** What a result says, as text. */
export function resultText(output: Result["output"]): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type === "execution-denied") return output.reason ?? "denied";
  return JSON.stringify(output.value);
}

/** What stands in a picture's place. */
export function unseen({ mediaType }: { mediaType: string }): { type: "text"; text: string } {
  return { type: "text", text: `[${mediaType}: this model cannot be shown it]` };
}

/** Messages of one role that follow each other are one; not where one is marked for the provider's cache, which joins them itself. */
function joined(messages: readonly SdkMessage[]): SdkPrompt {
  const all: SdkMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.role !== message.role || message.role === "system" || last.providerOptions || message.providerOptions) {
      all.push(message);
    } else {
      const content = joinedParts([...last.content, ...message.content] as SdkUserPart[]);
      all[all.length - 1] = { role: message.role, content } as SdkMessage;
    }
  }
  return all;
}

/** One text where there are only texts: servers that know no parts of content understand it too. */
function joinedParts(parts: readonly SdkUserPart[]): SdkUserPart[] {
  const texts = parts.flatMap(part => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? [{ type: "text", text: texts.join("\n\n") }] : [...parts];
}
