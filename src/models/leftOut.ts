/** What requests go without, as the server refused it: taken out behind the manifest, and remembered for the process only, since servers change. */
import type { OptionalKind, OptionalPart } from "../core/ground/ports";
import { defined } from "../shared/defined";
import type { Json } from "../shared/messages";
import type {
  SdkAssistantPart,
  SdkCallOptions,
  SdkFilePart,
  SdkMessage,
  SdkProviderOptions,
  SdkTool,
} from "./sdk/prompt";
import { joinMessages, mapParts, unseen } from "./sdk/prompt";
import { plainSchema } from "./toolSchemas";

/** tokens: less is no answer to work with, and a shorter conversation is */
export const LEAST_ANSWER = 1_000;
/** how far a request's tokens may differ from the estimate by the one before */
const MARGIN = 1.01;

/** Grows as long as this process lives, for all connections to a model. */
class RefusedParts {
  readonly parts = new Set<string>();
  /** tokens of an answer */
  most = Number.POSITIVE_INFINITY;
  room = { window: Number.POSITIVE_INFINITY, perCharacter: 0 };
}

export interface LeavingOut {
  part: OptionalPart;
  /** for people; absent: nothing that they would notice */
  what?: string;
}

export class LeftOut {
  /** the newest request of this connection, for a refusal that means one of its parts */
  private sent: SdkCallOptions = { prompt: [] };

  constructor(readonly refused = new RefusedParts()) {}

  has = (kind: OptionalKind): boolean => this.refused.parts.has(kind);
  hasKey = (key: string): boolean => this.refused.parts.has(key);

  add(part: OptionalPart): void {
    if (typeof part === "string") this.refused.parts.add(part);
    else if ("answer" in part) this.refused.most = Math.min(this.refused.most, part.answer);
    else if ("window" in part) this.refused.room = part;
    else for (const key of part.keys) this.refused.parts.add(key);
  }

  /** The request as it goes, which is the newest from now on. */
  takeOut(params: SdkCallOptions): SdkCallOptions {
    const { parts, most, room } = this.refused;
    this.sent = parts.size === 0 && ![most, room.window].some(Number.isFinite) ? params : withoutParts(params, this);
    return this.sent;
  }

  /** How many tokens the answer to a request may have, of those that are asked for; undefined: as many as the server likes. */
  tokensFor({ maxOutputTokens: asked, prompt }: SdkCallOptions): number | undefined {
    const { most, room } = this.refused;
    const left = Math.floor(room.window - MARGIN * room.perCharacter * charactersOf(prompt));
    const tokens = Math.min(asked ?? Number.POSITIVE_INFINITY, Math.max(LEAST_ANSWER, left));
    return Number.isFinite(tokens) ? Math.min(tokens, most) : undefined;
  }

  /** in the order of the newest request */
  get tools(): { key: string; name: string }[] {
    return (this.sent.tools ?? []).map(tool => ({ key: toolKey(tool), name: tool.name }));
  }

  /** oldest first; `message` tells which came together */
  get pictures(): { key: string; name: string; message: number; length: number }[] {
    return this.sent.prompt.flatMap(({ content }, message) => {
      if (typeof content === "string") return [];
      return content.flatMap((part, at) => {
        if (part.type !== "file") return [];
        const before = content[at - 1];
        const named = before?.type === "text" ? /Image of (.+):$/.exec(before.text)?.[1] : undefined;
        const length = part.data.type === "data" ? part.data.data.length : 0;
        return [{ key: pictureKey(part), name: named ?? part.filename ?? part.mediaType, message, length }];
      });
    });
  }

  /** of what models thought in steps before, the signatures of their calls included */
  get thoughts(): string[] {
    return this.sent.prompt.flatMap(({ role, content }) =>
      role === "assistant" ? content.flatMap(part => thoughtKey(part) ?? []) : [],
    );
  }

  get characters(): number {
    return charactersOf(this.sent.prompt);
  }

  /** undefined: as many as the server likes */
  get answerTokens(): number | undefined {
    return this.sent.maxOutputTokens;
  }
}

/** of all but pictures, about */
const charactersOf = (prompt: SdkCallOptions["prompt"]): number =>
  prompt.reduce((sum, { content }) => {
    if (typeof content === "string") return sum + content.length;
    const lengths = content.map(part =>
      part.type === "text" ? part.text.length : part.type === "file" ? 500 : JSON.stringify(part).length,
    );
    return lengths.reduce((all, length) => all + length, sum);
  }, 0);

/** With another description it is another tool. */
const toolKey = (tool: SdkTool) => `${tool.name} ${tool.type === "function" ? (tool.description?.length ?? 0) : ""}`;

const pictureKey = ({ data, mediaType }: SdkFilePart): string => (data.type === "data" ? String(data.data) : mediaType);

/** undefined: no thought, and not signed */
function thoughtKey(part: SdkAssistantPart): string | undefined {
  if (part.type !== "reasoning" && signatureOf(part) === undefined) return undefined;
  return `${part.type === "reasoning" ? part.text : part.type} ${JSON.stringify(part.providerOptions ?? {})}`;
}

/** Google's, beside a call or a text. */
const signatureOf = ({ providerOptions }: SdkAssistantPart) => providerOptions?.google?.thoughtSignature;

/** The call without what was refused. Fields of the body that no option has are left out where the body is made. */
function withoutParts(params: SdkCallOptions, leftOut: LeftOut): SdkCallOptions {
  let { prompt, tools, reasoning, providerOptions = {} } = params;
  prompt = prompt.map(message => withoutThoughts(withoutImages(message, leftOut), leftOut));
  tools = tools?.filter(tool => !leftOut.hasKey(toolKey(tool)));
  if (leftOut.has("schemas")) tools = tools?.map(plainTool);
  if (leftOut.has("system")) prompt = prompt.map(asUser);
  if (leftOut.has("turns") || leftOut.has("system"))
    prompt = joinMessages(prompt, (one, next) => one.role === "user" && next.role === "user");
  if (leftOut.has("reasoning") || (leftOut.has("late-thinking") && !beganThinking(prompt))) {
    reasoning = undefined;
    providerOptions = withoutOptions(providerOptions, REASONING);
  }
  if (leftOut.has("summary")) providerOptions = withoutSummary(providerOptions);
  const maxOutputTokens = leftOut.tokensFor({ ...params, prompt });
  return { ...params, prompt, ...(tools && { tools }), reasoning, providerOptions, ...defined({ maxOutputTokens }) };
}

const REASONING = ["reasoningEffort", "reasoningSummary", "forceReasoning", "thinking", "thinkingConfig"];

/** Absent, the SDK would ask for one wherever an effort is set. */
const withoutSummary = ({ openai, ...options }: SdkProviderOptions): SdkProviderOptions =>
  openai === undefined ? options : { ...options, openai: { ...openai, reasoningSummary: null } };

function withoutOptions(options: SdkProviderOptions, names: readonly string[]): SdkProviderOptions {
  const kept = (own: object) => Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));
  return Object.fromEntries(Object.entries(options).map(([provider, own]) => [provider, kept(own)]));
}

/** Whether the newest step of a model begins with what it thought. */
function beganThinking(prompt: readonly SdkMessage[]): boolean {
  const step = prompt.findLast(message => message.role === "assistant");
  return step?.role !== "assistant" || step.content[0]?.type === "reasoning";
}

/** The same object where it has none of them. What goes with a thought that stays behind names it by its id, or has its signature. */
function withoutThoughts(message: SdkMessage, leftOut: LeftOut): SdkMessage {
  if (message.role !== "assistant") return message;
  const goes = (part: (typeof message.content)[number]) => {
    const key = thoughtKey(part);
    return key !== undefined && (leftOut.hasKey(key) || (part.type === "reasoning" && leftOut.has("past-thoughts")));
  };
  if (!message.content.some(goes)) return message;
  const content = message.content.flatMap(part => {
    if (part.type === "reasoning" && goes(part)) return [];
    return [{ ...part, providerOptions: withoutOptions(part.providerOptions ?? {}, ["itemId", "thoughtSignature"]) }];
  });
  return { ...message, content } as SdkMessage;
}

function withoutImages(message: SdkMessage, { has, hasKey }: LeftOut): SdkMessage {
  if (message.role !== "user") return message;
  return mapParts(message, part => {
    if (part.type !== "file") return part;
    const file = part as SdkFilePart;
    if (has("images")) return unseen(file);
    const text = `[${file.mediaType}: left out, since the model's server refused it]`;
    return hasKey(pictureKey(file)) ? { type: "text", text } : file;
  });
}

const plainTool = (tool: SdkTool): SdkTool =>
  tool.type === "function" ? { ...tool, inputSchema: plainSchema(tool.inputSchema as Json) as never } : tool;

const asUser = (message: SdkMessage): SdkMessage =>
  message.role === "system" ? { role: "user", content: [{ type: "text", text: message.content }] } : message;
