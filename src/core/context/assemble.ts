/**
 * Builds a model request out of layers, tools and conversation (docs/context.md). Pure: same state in, same
 * bytes out. Every piece of the request is a segment, named and hashed, so that the manifest accounts for all of it.
 * L1 and L2 are one system message: some servers refuse a second one.
 */
import type { ModelMessage } from "ai";
import type { Summary } from "../../shared/compaction";
import type { CacheMark, Segment, UnsentFile } from "../../shared/manifest";
import type { Json, StrataMessage } from "../../shared/messages";
import type { Redacted } from "../../shared/redacted";
import type { Hash } from "../ground/ports";
import { estimateValue } from "../ground/text/estimate";
import { type SegmentKind, segmentKind } from "../ground/text/sources";
import type { Conversation } from "../log/conversation";
import { ledgerMessage } from "../log/ledger/text";
import { chooseMarks, type MarkedRequest } from "./cacheMarks";
import type { Form, ImageData, RequestContent, ToolDefinition } from "./compose";
import {
  cachePlaces,
  messagePieces,
  REACT,
  reactPrompt,
  requestContent,
  requestHash,
  toolsAsText,
  turnForm,
} from "./compose";
import type { Layers } from "./layers";

/** A segment, what it holds, and the canonical JSON of that: what `sha256` is of. */
interface RequestSegment extends Segment {
  value: unknown;
  content: string;
}

export interface AssembledRequest extends RequestContent {
  /** in the order of the request; those of the tail come last */
  segments: RequestSegment[];
  /** of all segments' hashes and the call options, in order */
  sha256: string;
  tokens: number;
  /** those that the instructions describe, for a model that takes no tools: `tools` is empty then. No part of its canonical form */
  written?: readonly ToolDefinition[];
  /** up to where the provider is told to cache: no part of its canonical form; absent: it is told nothing */
  cacheMarks?: readonly CacheMark[];
  /** of rules files, for the manifest alone; `content`: what its hash is of */
  left?: readonly (UnsentFile & { content?: Redacted })[];
}

export interface AssembleInput {
  layers: Layers;
  tools: readonly ToolDefinition[];
  /** of tools that are not ours, behind them; absent: none */
  foreign?: readonly ToolDefinition[];
  writesTools?: boolean;
  /** what people said in turns that left, page by page: behind the summaries */
  ledger?: readonly { source: string; trust: Segment["trust"]; text: string }[];
  /** at the head of history, oldest first */
  summaries: readonly Pick<Summary, "id" | "text">[];
  messages: readonly StrataMessage[];
  turn: number;
  /** the newest turn whose observations are sent as kept; those of later ones are sent as shown */
  settled: number;
  brief: Conversation["brief"];
  callOptions: Record<string, Json>;
  image: ImageData;
  hash: Hash;
  /** ids of messages whose reasoning is left out */
  withoutReasoning?: ReadonlySet<string>;
  /** what was made of a message before: a cache, never a source */
  memo: AssembleMemo;
}

interface RenderedMessage {
  form: Form;
  dropped: boolean;
  layer: Segment["layer"];
  segments: RequestSegment[];
}
export type AssembleMemo = WeakMap<object, RenderedMessage>;

export function assemble(input: AssembleInput): AssembledRequest {
  const { layers, hash, ledger = [] } = input;
  const segment = segmenter(hash);
  const { written, segments: ofTools } = placeTools(input, segment);
  const rules = [
    written ? [] : ofTools,
    [segment("prompt:system", layers.system), segment("facts", layers.facts)],
    written ? ofTools : [],
    layers.skills === undefined ? [] : [segment("skills", layers.skills)],
    layers.rules.map(({ source, text, trust }) => segment(source, text, { trust })),
  ].flat();
  const segments = [
    rules,
    input.summaries.map(({ id, text }) => segment(`summary:${id}`, text)),
    ledger.map(({ source, text }) => segment(source, ledgerMessage(text))),
    input.messages.flatMap(message => renderMessage(message, input, segment).segments),
    layers.tail.map(({ source, text }) => segment(source, text)),
  ].flat();
  return { ...finished(segments, input), ...(written ? { written } : {}) };
}

/** The same request for a provider that is told up to where to cache. @param marked of earlier requests to the same model */
export function withCacheMarks(request: AssembledRequest, marked: readonly MarkedRequest[], hash: Hash) {
  const cacheMarks = chooseMarks(request.segments, marked, hash);
  return { ...request, cacheMarks, cached: cachePlaces(request.segments, cacheMarks) };
}

const finished = (segments: RequestSegment[], { callOptions, hash }: Pick<AssembleInput, "callOptions" | "hash">) => ({
  ...requestContent(segments, { callOptions }),
  segments,
  sha256: requestHash(segments, callOptions, hash),
  tokens: segments.reduce((sum, { tokens }) => sum + tokens, 0),
});

/** A request beside the conversation: an instruction and its text, without tools and history. */
export function assembleAlone(input: {
  purpose: string;
  instruction: string;
  text: Redacted;
  callOptions: Record<string, Json>;
  hash: Hash;
}): AssembledRequest {
  const { purpose, instruction, text, hash } = input;
  const segment = segmenter(hash);
  const message: ModelMessage = { role: "user", content: text };
  const segments = [segment(`prompt:${purpose}`, instruction), segment(`${purpose}:text`, message)];
  return finished(segments, input);
}

/** Estimates by layer, in the order of the request. */
export function layerTokens(segments: readonly Segment[]): { layer: Segment["layer"]; tokens: number }[] {
  const sums = new Map<Segment["layer"], number>();
  for (const { layer, tokens } of segments) sums.set(layer, (sums.get(layer) ?? 0) + tokens);
  return [...sums].map(([layer, tokens]) => ({ layer, tokens }));
}

/** Estimate of a message as it is sent in a form; observations that are folded are so in any. */
export function messageTokens(message: StrataMessage, form: Form, image: ImageData): number {
  const { pieces } = messagePieces(message, form, image);
  return pieces.reduce((sum, { value }) => sum + estimateValue(value, JSON.stringify(value)), 0);
}

/** Of a message: its record says more. */
const MESSAGE: SegmentKind = { layer: "turn", roles: ["user"], trusts: ["user"] };

type MakeSegment = ReturnType<typeof segmenter>;

function segmenter(hash: Hash) {
  /** @param own what its source does not say of it */
  return (source: string, value: unknown, own: Partial<Segment> = {}): RequestSegment => {
    const content = JSON.stringify(value);
    const [sha256, tokens] = [hash.sha256(content), estimateValue(value, content)];
    const { layer, roles, trusts } = segmentKind(source) ?? MESSAGE;
    const kind = { layer, role: roles[0], source, sha256, tokens, form: "raw" as const, trust: trusts[0] };
    return { ...kind, ...own, value, content };
  };
}

/** Tools stand before the instructions, as tools; or in them, as text that says how they are called. */
function placeTools({ tools, foreign = [], writesTools, memo }: AssembleInput, segment: MakeSegment) {
  const all = memoised(memo, tools, () => [
    segment("tools", tools),
    segment(REACT, reactPrompt()),
    segment("tools", toolsAsText(tools), { role: "system" }),
  ]);
  // Of others, so with a label of their own.
  const theirs =
    foreign.length === 0
      ? []
      : memoised(memo, foreign, () => [
          segment("tools:mcp", foreign),
          segment("tools:mcp", toolsAsText(foreign), { role: "system" }),
        ]);
  if (!writesTools) return { segments: [...all.slice(0, 1), ...theirs.slice(0, 1)] };
  return { written: [...tools, ...foreign], segments: [...all.slice(1), ...theirs.slice(1)] };
}

/** The form and layer of a message in a request of that turn: the one way, for a request that leaves and for its proof. */
export const shapeOf = (
  message: StrataMessage,
  { turn, withoutReasoning, ...ages }: Pick<AssembleInput, "turn" | "settled" | "brief" | "withoutReasoning">,
): Omit<RenderedMessage, "segments"> => ({
  form: turnForm(message, ages),
  layer: message.metadata?.turn === turn ? "turn" : "L3",
  dropped: withoutReasoning?.has(message.id) ?? false,
});

function renderMessage(message: StrataMessage, input: AssembleInput, segment: MakeSegment): RenderedMessage {
  const { form, layer, dropped } = shapeOf(message, input);
  const known = input.memo.get(message);
  if (known && known.form === form && known.layer === layer && known.dropped === dropped) return known;
  const { pieces } = messagePieces(message, form, input.image, dropped);
  const segments = pieces.map(({ source, value, ...own }) => segment(source, value, { layer, ...own }));
  const rendered: RenderedMessage = { form, dropped, layer, segments };
  input.memo.set(message, rendered);
  return rendered;
}

/** The tool definitions are the same object through a session: hashed once. */
function memoised(memo: AssembleMemo, key: object, make: () => RequestSegment[]): RequestSegment[] {
  const known = memo.get(key);
  if (known) return known.segments;
  const segments = make();
  memo.set(key, { form: "shown", dropped: false, layer: "L1", segments });
  return segments;
}
