/**
 * A conversation as the text protocol has it: what the model said and did with `Thought:` and `Action:` behind its role, what
 * tools returned behind theirs, in turns of user and assistant that alternate, since templates of models without tools refuse
 * others. Reasoning stays out: it belongs to the interface that it came by. Pure.
 */
import type { ModelConnection } from "../../core/ground/ports";
import { t } from "../../shared/l10n";
import { hostOf } from "../../shared/nearAddress";
import type { Settings } from "../../shared/settings";
import type { SdkCallOptions, SdkMessage, SdkPart, SdkPrompt } from "../sdk/prompt";
import { joinMessages, resultText } from "../sdk/prompt";
import { WrittenAnswer } from "./answerReader";

/** Where a model continues with words of a tool. Other words for it may be part of an answer. */
const STOP = "\n[tool]";

/** A request without tools, which the instructions describe. @param takesStop false: the interface knows no stop sequences, or refuses them */
function asProtocol({ toolChoice: _, tools: __, ...params }: SdkCallOptions, takesStop: boolean): SdkCallOptions {
  const stopSequences = takesStop ? { stopSequences: [...(params.stopSequences ?? []), STOP] } : {};
  return { ...params, prompt: toText(params.prompt), ...stopSequences };
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
function answerText(content: readonly SdkPart[]): string {
  const texts = content.flatMap(part => (part.type === "text" && part.text.trim() !== "" ? [part.text.trim()] : []));
  const calls = content.flatMap(part =>
    part.type === "tool-call" ? [`Action: ${part.toolName}[${JSON.stringify(part.input ?? {})}]`] : [],
  );
  const last = calls.length === 0 ? texts.pop() : undefined;
  const thought = texts.length > 0 ? [`Thought: ${texts.join("\n")}`] : [];
  const lines = [...thought, ...calls, ...(last === undefined ? [] : [`Action: Finish[${last}]`])];
  return lines.length > 0 ? `[assistant] ${lines.join("\n")}` : "";
}

function resultsText(content: readonly SdkPart[]): string {
  const results = content.filter(part => part.type === "tool-result");
  return results.map(({ output }) => `[tool] ${resultText(output)}`).join("\n\n");
}

/** Messages of one role that follow each other are one; not where one is marked for the provider's cache, which joins them itself. */
export const toText = (prompt: SdkPrompt): SdkPrompt =>
  joinMessages(
    prompt.flatMap(each => asText(each) ?? []),
    (one, next) => one.role === next.role && next.role !== "system" && !one.providerOptions && !next.providerOptions,
  );

interface ProtocolChoice {
  setting: Settings["model.protocol"];
  takesStop: boolean;
  /** false: it is known to take none */
  takesTools: boolean;
}

export class ToolProtocol {
  /** models that refused tools, as long as this process lives: a server may be started with tool calling meanwhile */
  private readonly refused = new Set<string>();

  /** The connection as its model takes tools. */
  choose(connection: ModelConnection, { setting, takesStop, takesTools }: ProtocolChoice): ModelConnection {
    const newId = () => `call_${crypto.randomUUID()}`;
    const calling: ModelConnection = {
      ...connection,
      answerReader: (tools, wasAsked) => new WrittenAnswer(tools, { newId, wasAsked }),
    };
    if (setting === "tools") return calling;
    const textual: ModelConnection = {
      ...connection,
      protocol: "react",
      answerReader: tools => new WrittenAnswer(tools, { newId, isProtocol: true }),
      open: (...call) => {
        const model = connection.open(...call);
        return { doStream: params => model.doStream(asProtocol(params, takesStop)) };
      },
    };
    if (setting === "react") return textual;
    const key = `${connection.address} ${connection.name}`;
    const warned = { ...textual, warning: [connection.warning, takesNoTools(connection)].filter(Boolean).join(" ") };
    if (!takesTools || this.refused.has(key)) return warned;
    const withoutTools = () => {
      this.refused.add(key);
      return warned;
    };
    return { ...calling, withoutTools };
  }
}

const takesNoTools = ({ name, address }: ModelConnection) =>
  t("{0} at {1} takes no tools, so they are described in words, which is less reliable.", name, hostOf(address));
