/**
 * What real servers refuse of a conversation that another provider took part in, beside what the servers here look at: ids of
 * another form, calls without results, signatures, thoughts and fields that are not their own. Each returns the provider's own words.
 */
type Part = Record<string, unknown>;

/** What one server gave, and what it takes. */
export interface Own {
  thoughts: ReadonlySet<string>;
  signatures: ReadonlySet<string>;
}

export type Strictness = (body: never, own: Own) => string | undefined;

interface ChatMessage extends Part {
  role: string;
  content?: string | null | Part[];
  tool_calls?: ({ id: string; function: { name: string; arguments: string } } & Part)[];
  tool_call_id?: string;
  reasoning_content?: string;
}

const CHAT_FIELDS = ["role", "content", "tool_calls", "tool_call_id", "name", "reasoning_content"];

export const chatOf =
  (ids: RegExp) =>
  ({ messages }: { messages: ChatMessage[] }, { thoughts }: Own): string | undefined => {
    for (const [at, message] of messages.entries()) {
      const odd = Object.keys(message).find(field => !CHAT_FIELDS.includes(field));
      if (odd) return `property 'messages.${at}.${odd}' is unsupported`;
      const { role, content, tool_calls: calls = [], reasoning_content: thought } = message;
      if (thought && !thoughts.has(thought)) return `messages.${at}.reasoning_content is not what was thought here`;
      for (const call of calls) {
        if (!ids.test(call.id)) return `Tool call id was ${call.id} but must match ${ids}`;
        const extra = Object.keys(call).find(field => !["id", "type", "function", "index"].includes(field));
        if (extra) return `property 'messages.${at}.tool_calls.${extra}' is unsupported`;
        JSON.parse(call.function.arguments);
      }
      const behind = messages.slice(at + 1, at + 1 + calls.length);
      const answered = behind.map(({ tool_call_id }) => tool_call_id);
      if (calls.some(({ id }) => !answered.includes(id)))
        return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
      const isAsked = messages
        .slice(0, at)
        .some(({ tool_calls }) => tool_calls?.some(({ id }) => id === message.tool_call_id));
      if (role === "tool" && !isAsked)
        return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      if (role !== "user" && Array.isArray(content) && content.some(({ type }) => type === "image_url"))
        return `messages.${at}: image_url is allowed in the role user only`;
    }
    return undefined;
  };

export function responses({ input }: { input: Part[] }): string | undefined {
  const asked = new Set<unknown>();
  for (const [at, item] of input.entries()) {
    if (item.type === "function_call") {
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(item.call_id)))
        return `Invalid 'input[${at}].call_id': string too long.`;
      if (item.id !== undefined && !String(item.id).startsWith("fc"))
        return `Invalid 'input[${at}].id': '${item.id}'. Expected an ID that begins with 'fc'.`;
      asked.add(item.call_id);
    }
    if (item.type === "function_call_output" && !asked.has(item.call_id))
      return `No tool call found for function call output with call_id ${item.call_id}.`;
    if (item.role === "assistant" && item.id !== undefined && !String(item.id).startsWith("msg"))
      return `Invalid 'input[${at}].id': '${item.id}'. Expected an ID that begins with 'msg'.`;
  }
  return undefined;
}

interface Message {
  role: string;
  content: string | Part[];
}
const blocksOf = ({ content }: Message): Part[] => (typeof content === "string" ? [] : content);

export function anthropic({ messages }: { messages: Message[] }, { signatures }: Own): string | undefined {
  for (const [at, message] of messages.entries()) {
    for (const [place, block] of blocksOf(message).entries()) {
      const id = block.id ?? block.tool_use_id;
      if (id !== undefined && !/^[a-zA-Z0-9_-]+$/.test(String(id)))
        return `messages.${at}.content.${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      if (block.type === "thinking" && !signatures.has(String(block.signature)))
        return `messages.${at}.content.${place}: Invalid \`signature\` in \`thinking\` block`;
    }
  }
  return undefined;
}

interface Content {
  role: string;
  parts: { text?: string; thought?: boolean; thoughtSignature?: string }[];
}

export function google({ contents }: { contents: Content[] }, { thoughts, signatures }: Own): string | undefined {
  for (const { parts } of contents) {
    for (const { text, thought, thoughtSignature } of parts) {
      if (thought && !thoughts.has(text ?? "")) return "Thought is not one of this model.";
      if (
        thoughtSignature &&
        thoughtSignature !== "skip_thought_signature_validator" &&
        !signatures.has(thoughtSignature)
      )
        return "Thought signature is not valid";
    }
  }
  return undefined;
}

export function bedrock({ messages }: { messages: { content: Part[] }[] }, { thoughts }: Own): string | undefined {
  for (const [at, { content }] of messages.entries()) {
    for (const block of content) {
      const { toolUseId: id } = (block.toolUse ?? block.toolResult ?? {}) as { toolUseId?: string };
      if (id !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(id))
        return `Value '${id}' at 'messages.${at}.member.content.member.toolUseId' failed to satisfy constraint: Member must have length less than or equal to 64`;
      const { reasoningText } = (block.reasoningContent ?? {}) as { reasoningText?: { text: string } };
      if (reasoningText && !thoughts.has(reasoningText.text))
        return `messages.${at}.content: Invalid \`signature\` in \`thinking\` block`;
    }
  }
  return undefined;
}
