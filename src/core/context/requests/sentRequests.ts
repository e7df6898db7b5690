/** The requests that were sent, as their manifests tell them: each with what differs from the one before. Pure. */
import type { ChangedPiece, ContextPieces, RequestLine } from "../../../shared/contextProtocol";
import { defined } from "../../../shared/defined";
import { type Manifest, type Segment, standsBeside } from "../../../shared/manifest";
import { type LoggedMessage, textOf, type Usage } from "../../../shared/messages";
import type { LogRecord } from "../../../shared/records";
import { oneLine } from "../../ground/text/format";
import { isInstruction, PLAN } from "../../ground/text/sources";
import { manifestLines } from "../requestChain";
import { fromLastWhole, inHistory, spliceSegments } from "../requestLog";
import { instruction, pieceOf } from "./contextRows";

type NamedPiece = Pick<ChangedPiece, "kind" | "name">;

/** What records say of messages, results and answers. */
export interface RecordedWords {
  /** by the source of a segment: `message:…`, `result:…` */
  pieces: ReadonlyMap<string, NamedPiece>;
  /** by request */
  usage: ReadonlyMap<string, Usage>;
}

interface ReadRequest {
  number: number;
  manifest: Manifest;
  segments: readonly Segment[];
  /** undefined: none, or that cannot be known */
  before: readonly Segment[] | undefined;
}

interface RequestPage {
  /** newest first */
  requests: ReadRequest[];
  hasOlder: boolean;
  unreadable: number;
}

/**
 * The newest requests before a number. Reads back no further than the last whole list of segments before them.
 * @param text of requests.jsonl; a torn last line is a request that never left
 */
export function newestRequests(text: string, before: number | undefined, count: number): RequestPage {
  const { lines } = manifestLines(text);
  const end = Math.min(lines.length, before === undefined ? lines.length : Math.max(0, before - 1));
  const first = Math.max(0, end - count);
  // One more than is shown: the first is told against it.
  const manifests = fromLastWhole(lines, end, first);
  const start = end - manifests.length;
  const page: RequestPage = { requests: [], hasOlder: first > 0, unreadable: 0 };
  let segments: readonly Segment[] | undefined = start === 0 ? [] : undefined;
  for (const [place, manifest] of manifests.entries()) {
    const at = start + place;
    if (!manifest && at >= first) page.unreadable += 1;
    const beside = manifest && standsBeside(manifest);
    const list =
      manifest && (manifest.keep === 0 || segments ? spliceSegments([...(segments ?? [])], manifest) : undefined);
    if (manifest && list && at >= first)
      page.requests.unshift({ number: at + 1, manifest, segments: list, before: beside ? [] : segments });
    else if (manifest && at >= first) page.unreadable += 1;
    if (!beside) segments = list;
  }
  return page;
}

/** Providers that are told where to cache keep it so long after each use, ms. */
const CACHE_MS = 5 * 60_000;
const SHOWN_PIECES = 30;

export function toRequestLine(
  { number, manifest, segments, before = [] }: ReadRequest,
  words: RecordedWords,
): RequestLine {
  const { requestId, turn, step, attempt, purpose, ts, model, totalTokens, sharedTokens, cause, unexplained } =
    manifest;
  const known = words.usage.get(requestId);
  const usage = known && {
    input: known.input,
    output: known.output,
    ...defined({ cachedInput: known.cachedInput, cost: known.cost }),
  };
  const cached = (known?.cachedInput ?? 0) + (known?.cacheWrite ?? 0) > 0;
  return {
    ...{ number, turn, step, attempt, ts, model, tokens: totalTokens, shared: sharedTokens },
    ...defined({ purpose, cause, unexplained, usage }),
    ...(cached && manifest.cacheMarks ? { warmUntil: ts + CACHE_MS } : {}),
    ...differences(before, segments, words),
  };
}

/** What came, what went, and what has another text: by source and role. */
function differences(before: readonly Segment[], now: readonly Segment[], words: RecordedWords) {
  const left = Map.groupBy(before, sameThing);
  const [added, changed]: [ChangedPiece[], ChangedPiece[]] = [[], []];
  for (const segment of now) {
    const same = left.get(sameThing(segment)) ?? [];
    const found = same.findIndex(({ sha256 }) => sha256 === segment.sha256);
    const [old] = same.splice(Math.max(0, found), 1);
    if (!old) added.push(describe(segment, words));
    else if (old.sha256 !== segment.sha256) changed.push({ ...describe(segment, words), was: old.tokens });
  }
  const removed = [...left.values()].flat().map(segment => describe(segment, words));
  return { added: pieces(added), removed: pieces(removed), changed: pieces(changed) };
}

const sameThing = ({ source, role }: Segment): string => `${role} ${source}`;

function pieces(all: readonly ChangedPiece[]): ContextPieces {
  const first = all.toSorted((a, b) => weight(b) - weight(a)).slice(0, SHOWN_PIECES);
  return { count: all.length, tokens: all.reduce((sum, { tokens, was = 0 }) => sum + tokens - was, 0), first };
}

const weight = ({ tokens, was = 0 }: ChangedPiece): number => Math.abs(tokens - was);

/** What people know it by. */
export function describe(segment: Segment, words: RecordedWords): ChangedPiece {
  const { source, role, tokens, trust } = segment;
  if (!inHistory(segment)) {
    const { kind, name } = pieceOf(segment);
    return { kind, name, tokens, trust };
  }
  const unknown = { kind: role === "tool" ? "result" : role === "assistant" ? "answer" : "you", name: "" } as const;
  return { ...(words.pieces.get(source) ?? unknown), tokens, trust };
}

const NAME = 120;

/** @param records of the session, oldest first */
export function recordedWords(records: readonly LogRecord[]): RecordedWords {
  const found = new Map<string, NamedPiece>();
  const usage = new Map<string, Usage>();
  for (const record of records) {
    if (record.kind === "message") {
      const { id, metadata } = record.message;
      found.set(`message:${id}`, messageWords(record.message));
      if (metadata.usage && metadata.requestId) usage.set(metadata.requestId, metadata.usage);
    } else if (record.kind === "result") {
      const { callId, digest, toolName } = record;
      found.set(`result:${callId}`, { kind: "result", name: oneLine(digest || toolName, NAME) });
    } else if (record.kind === "attachment") {
      const { messageId, name } = record;
      found.set(`message:${messageId}`, { kind: "attachment", name });
    } else if (record.kind === "inject") {
      const { messageId, source } = record;
      const isFile = source === PLAN || isInstruction(source);
      found.set(`message:${messageId}`, isFile ? instruction(source) : { kind: "reminder", name: source });
    }
  }
  return { pieces: found, usage };
}

function messageWords({ role, parts }: LoggedMessage): NamedPiece {
  const said = textOf(parts, " ");
  const calls = parts.flatMap(part => (part.type === "dynamic-tool" ? [part.toolName] : [])).join(", ");
  return { kind: role === "user" ? "you" : "answer", name: oneLine(said || calls, NAME) };
}
