/**
 * A request put together from its pieces: the one way, for a request that is about to leave and for one that is rebuilt.
 * Conversation messages become the provider-independent messages of the AI SDK by own code, not `convertToModelMessages`:
 * an observation is sent as shown, kept or folded, byte for byte as it was recorded, and nothing of `ai` is loaded to
 * assemble. All of it is part of the format on disk (docs/formats.md): what it makes of a piece that was sent once may
 * never change, or old requests cannot be proven and their prefix breaks (test/golden/session.v1).
 * What it makes of a record that was sent once never changes: old requests are proven by it, and a provider's cache
 * begins with it.
 */
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from "ai";
import prompt from "../../../prompts/react.md";
import type { CacheMark, Manifest, Segment } from "../../shared/manifest";
import type { Json, StrataMessage } from "../../shared/messages";
import type { Redacted } from "../../shared/redacted";
import type { Hash, SessionReader } from "../ground/ports";
import { toBase64 } from "../ground/text/bytes";
import { renderTemplate } from "../ground/text/format";
import { isHook, isInstruction, PLAN, START } from "../ground/text/sources";
import { type Conversation, INTERRUPTED, type ToolOutput } from "../log/conversation";
import { REVERTS, REVIEWS } from "../log/putBacks";
import { rulesEnd } from "./cacheMarks";
import { KEPT_TAIL, reminder } from "./layers";

export interface ToolDefinition {
  name: string;
  description: Redacted;
  inputSchema: Json;
}

/** What goes to the model, before any model middleware. */
export interface RequestContent {
  /** one system message: some servers take no second one */
  instructions: string;
  tools: readonly ToolDefinition[];
  messages: ModelMessage[];
  callOptions: Record<string, Json>;
  /** up to where it is to be cached: no part of its canonical form */
  cached?: CachePlaces;
}

/** Places of the marks of a cache. */
export interface CachePlaces {
  /** the instructions in pieces: those that stay are the same pieces from request to request, marked or not */
  instructions: { text: string; isMarked: boolean }[];
  /** so many messages are before a mark */
  messages: number[];
}

/** A segment and what its canonical JSON is of. */
type ValueSegment = Pick<Segment, "layer" | "role" | "source"> & { value: unknown };

/**
 * What segments stand for, in their order: the one way, for a request that is about to leave and for one that is rebuilt, so that
 * what the manifest accounts for is what is sent.
 */
export function requestContent(
  segments: readonly ValueSegment[],
  { callOptions, cacheMarks }: Pick<Manifest, "callOptions" | "cacheMarks">,
): RequestContent {
  const tail = segments.filter(({ layer }) => layer === "tail").map(({ value }) => reminder(String(value)));
  const messages = toMessages(segments.filter(isConversation));
  if (tail.length > 0) messages.push({ role: "user", content: tail.join("\n\n") });
  return {
    instructions: instructionsOf(segments),
    tools: segments.filter(({ role }) => role === "tools").flatMap(({ value }) => value as ToolDefinition[]),
    messages,
    callOptions,
    ...(cacheMarks ? { cached: cachePlaces(segments, cacheMarks) } : {}),
  };
}

export function cachePlaces(segments: readonly ValueSegment[], marks: readonly CacheMark[]): CachePlaces {
  const places = new Set(marks.map(({ at }) => at));
  const first = segments.findIndex(({ role }) => role !== "system" && role !== "tools");
  const all = first < 0 ? segments.length : first;
  const ends = [...new Set([rulesEnd(segments), all])];
  const pieces = ends.map((end, at) => ({
    text: instructionsOf(segments.slice(ends[at - 1] ?? 0, end)),
    isMarked: places.has(end),
  }));
  return {
    instructions: pieces.filter(({ text }) => text !== ""),
    messages: [...places].filter(at => at > all).map(at => messageCount(segments.slice(0, at))),
  };
}

/** One text of those among them. */
const instructionsOf = (segments: readonly ValueSegment[]): string =>
  segments.flatMap(({ role, value }) => (role === "system" ? [String(value)] : [])).join("\n\n");

const isConversation = ({ layer, role }: Pick<Segment, "layer" | "role">): boolean =>
  (layer === "L3" || layer === "turn") && role !== "system";

/** How many messages they are sent as, the tail aside. */
function messageCount(segments: readonly Pick<Segment, "layer" | "role">[]): number {
  const roles = segments.filter(isConversation).map(({ role }) => role);
  return roles.filter((role, at) => role !== "tool" || roles[at - 1] !== "tool").length;
}

export const canonicalJson = ({ instructions, tools, messages, callOptions }: RequestContent): string =>
  JSON.stringify({ instructions, tools, messages, callOptions });

/** `requestSha256`: over the hashes of all segments and the call options, in order. */
export const requestHash = (
  segments: readonly Pick<Segment, "sha256">[],
  callOptions: Record<string, Json>,
  hash: Hash,
): string => hash.sha256(`${segments.map(({ sha256 }) => sha256).join("\n")}\n${JSON.stringify(callOptions)}`);

/** A piece of a conversation message that is a segment of its own: the message itself, or a tool's result. */
interface MessagePiece extends Pick<Segment, "role" | "source" | "trust"> {
  /** the segment's canonical JSON is of this */
  value: unknown;
  form: Segment["form"];
}

/** What a conversation message is sent as, and its segments: its own first, then those of its results. */
export function messagePieces(message: StrataMessage, form: Form, image: ImageData, withoutReasoning = false) {
  const isShorter = withoutReasoning && form !== "brief" && message.parts.some(({ type }) => type === "reasoning");
  const messages = toModelMessages(isShorter ? reasoningDropped(message) : message, form, image);
  const forms = resultForms(message, form);
  const pieces = messages.flatMap((sent): MessagePiece[] => {
    if (sent.role === "tool") {
      return sent.content.map((part, at) => {
        const source = part.type === "tool-result" ? `result:${part.toolCallId}` : "result";
        return { role: "tool", source, trust: "tool", value: part, form: forms[at] ?? form };
      });
    }
    if (sent.role === "user" && message.role === "assistant")
      return [{ role: "user", source: `${BRIEF}${message.id}`, trust: "strata", value: sent, form }];
    const trust = sent.role === "assistant" ? "model" : messageTrust(message);
    const source = `message:${message.id}`;
    return [{ role: sent.role, source, trust, value: sent, form: isShorter ? "dropped" : form }];
  });
  return { messages, pieces };
}

/** What the provider said of the other parts may name the reasoning that goes. */
function reasoningDropped(message: StrataMessage): StrataMessage {
  const parts = message.parts.flatMap((part): StrataMessage["parts"] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text") return [{ ...part, providerMetadata: undefined }];
    return part.type === "dynamic-tool" ? [{ ...part, callProviderMetadata: undefined }] : [part];
  });
  return { ...message, parts };
}

/** The user's words, or a text that was injected: one part, named by its source. */
function messageTrust({ parts: [first, ...more] }: StrataMessage): Segment["trust"] {
  if (first?.type !== "data-reminder" || more.length > 0) return "user";
  if (first.data.trust) return first.data.trust;
  if ([REVERTS, REVIEWS, KEPT_TAIL].includes(first.data.name)) return "strata";
  if (first.data.name === PLAN) return "user";
  if (first.data.name === START) return "workspace";
  if (isHook(first.data.name)) return "tool";
  return isInstruction(first.data.name) ? "rules" : "model";
}

function resultForms({ parts }: StrataMessage, form: Form): Form[] {
  const calls = parts.filter(part => part.type === "dynamic-tool");
  return calls.map(({ state, output }) =>
    state === "output-available" ? outputForm(output as ToolOutput, form) : form,
  );
}

/** The messages that segments of the conversation stand for: results that follow each other are one message again. */
function toMessages(segments: readonly { role: Segment["role"]; value: unknown }[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const { role, value } of segments) {
    const before = messages.at(-1);
    if (role !== "tool") messages.push(value as ModelMessage);
    else if (before?.role === "tool") before.content.push(value as ToolModelMessage["content"][number]);
    else messages.push({ role: "tool", content: [value as ToolModelMessage["content"][number]] });
  }
  return messages;
}

/** Which of its recorded forms an observation is sent in; `brief`: its turn is. */
export type Form = "shown" | "kept" | "folded" | "brief";

/** The source of the line for what a turn did is this and the id of its last answer. */
export const BRIEF = "brief:";

/** What the images of a message hold: base64 by blob url, resolved by the caller. */
export type ImageData = (url: string) => string | undefined;

/**
 * One conversation message → the messages it is sent as: none (nothing in it for the model), one, or, for a step with
 * tool calls, the assistant's message and the message with its results.
 */
export function toModelMessages(message: StrataMessage, form: Form, image: ImageData): ModelMessage[] {
  if (form === "brief") return briefMessages(message, image);
  if (message.role === "user") return userMessages(message, form, image);
  if (message.role === "assistant") return assistantMessages(message, form);
  return [];
}

/**
 * Of a turn that is sent brief: what people said, without what was added to it for its own turn; before the last answer the line for all
 * that was done; what the model said without a call.
 */
function briefMessages(message: StrataMessage, image: ImageData): ModelMessage[] {
  const { role, parts, metadata } = message;
  if (role === "user") {
    if (metadata?.settles && metadata.step > 0) return [];
    const isSaid = parts.some(({ type }) => type !== "data-reminder");
    const said = isSaid ? parts.filter(({ type }) => type !== "data-reminder") : parts;
    return userMessages({ ...message, parts: said }, "brief", image);
  }
  const content = parts.some(({ type }) => type === "dynamic-tool") ? [] : parts.flatMap(saidPart);
  return [
    ...parts.flatMap((part): ModelMessage[] =>
      part.type === "data-brief" ? [{ role: "user", content: part.data.text }] : [],
    ),
    ...(content.length > 0 ? [{ role: "assistant" as const, content }] : []),
  ];
}

const saidPart = (part: StrataMessage["parts"][number]) =>
  part.type === "text" && part.text && !part.providerMetadata?.strata?.shownOnly
    ? [{ type: "text" as const, text: part.text }]
    : [];

const PICTURE_LEFT_OUT = "[It stood here and is left out now: the call that gave it gives it again.]";

function userMessages(message: StrataMessage, form: Form, image: ImageData): ModelMessage[] {
  const settled = form !== "shown" && message.metadata?.settles;
  const content: Exclude<UserModelMessage["content"], string> = [];
  for (const part of message.parts) {
    if (part.type === "text" && part.text) content.push({ type: "text", text: part.text });
    else if (part.type === "data-reminder") content.push({ type: "text", text: part.data.text });
    else if (part.type === "file" && settled) content.push({ type: "text", text: PICTURE_LEFT_OUT });
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
  const content: Exclude<AssistantModelMessage["content"], string> = [];
  const results: ToolModelMessage["content"] = [];
  for (const part of message.parts) {
    if (part.type === "text" || part.type === "reasoning") {
      if ((!part.text && !part.providerMetadata) || part.providerMetadata?.strata?.shownOnly) continue;
      content.push({ type: part.type, text: part.text, ...providerOptions(part.providerMetadata) });
    } else if (part.type === "dynamic-tool") {
      const call = { toolCallId: part.toolCallId, toolName: wireName(part.toolName) };
      const input = wireInput(inputOf(part, form));
      content.push({ type: "tool-call", ...call, input, ...providerOptions(part.callProviderMetadata) });
      results.push({ type: "tool-result", ...call, output: { type: "text", value: resultText(part, form) } });
    }
  }
  if (content.length === 0) return [];
  const assistant: ModelMessage = { role: "assistant", content };
  return results.length > 0 ? [assistant, { role: "tool", content: results }] : [assistant];
}

/** Providers refuse the whole request for a name that no tool can have; models make such names up. */
const wireName = (toolName: string): string => toolName.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown";

/** What was no JSON object goes out as an empty one; its result says what was wrong with it. */
const wireInput = (input: unknown) =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};

/** Of a call whose turn has settled, as its result's record has it. */
function inputOf(part: { input?: unknown; state: string; output?: unknown }, form: Form): unknown {
  const settled = part.state === "output-available" && form !== "shown" ? (part.output as ToolOutput).input : undefined;
  return settled ?? part.input;
}

function resultText(part: { state: string; output?: unknown }, form: Form): string {
  if (part.state !== "output-available") return `INTERRUPTED: ${INTERRUPTED}`;
  const output = part.output as ToolOutput;
  return output[outputForm(output, form)];
}

/** @param ages of the conversation */
export function turnForm({ metadata }: StrataMessage, { settled, brief }: Pick<Conversation, "settled" | "brief">) {
  const turn = metadata?.turn ?? 0;
  return turn > settled ? "shown" : brief.has(turn) ? "brief" : "kept";
}

export function outputForm({ isFolded, isWhole }: Pick<ToolOutput, "isFolded" | "isWhole">, form: Form) {
  // A brief turn has no outputs: asked for one, it answers as settled.
  if (isFolded) return "folded";
  return form === "brief" || form === "kept" ? (isWhole ? "shown" : "kept") : form;
}

const providerOptions = (metadata: unknown): Pick<AssistantModelMessage, "providerOptions"> =>
  metadata ? { providerOptions: metadata as NonNullable<AssistantModelMessage["providerOptions"]> } : {};

/**
 * The images of a conversation as the model gets them: base64, loaded from their blobs before a request is assembled, so
 * that assembling itself stays a plain function.
 */
export class Images {
  private readonly base64 = new Map<string, string>();

  constructor(private readonly files: SessionReader) {}

  async load(messages: readonly StrataMessage[]): Promise<void> {
    for (const part of messages.flatMap(({ role, parts }) => (role === "user" ? parts : []))) {
      if (part.type !== "file" || this.base64.has(part.url)) continue;
      const bytes = await this.files.getBlob(part.url.slice("blob:".length));
      if (bytes) this.base64.set(part.url, toBase64(bytes));
    }
  }

  get = (url: string): string | undefined => this.base64.get(url);
}

/** source of the segment that says how tools are called */
export const REACT = "prompt:react";

export const reactPrompt = (): string => renderTemplate(prompt, {});

export function toolsAsText(tools: readonly ToolDefinition[]): string {
  const each = tools.map(
    ({ name, description, inputSchema }) =>
      `## ${name}\n${description.trim()}\nInput, as JSON Schema: ${JSON.stringify(inputSchema)}`,
  );
  return ["# Tools", ...each].join("\n\n");
}

/** Whether a request was sent so. */
export const hasWrittenTools = (segments: readonly Segment[]) => segments.some(({ source }) => source === REACT);
