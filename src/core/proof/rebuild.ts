/**
 * What a session's requests were made of, as it stands on disk, and any request again, byte for byte: from its manifest, the blobs and
 * the records of the log (docs/formats.md). The same projection and the same conversion as when the request was sent, so that there
 * is one way to render a message.
 */
import { plural, t } from "../../shared/l10n";
import type { Manifest, Segment } from "../../shared/manifest";
import type { StrataMessage } from "../../shared/messages";
import type { LogRecord } from "../../shared/records";
import { BRIEF, type Form, Images, messagePieces, type RequestContent, requestContent } from "../context/compose";
import { type Defect, manifestLines, readRequests, segmentDefect } from "../context/requestChain";
import { inHistory } from "../context/requestLog";
import type { ArchiveName, Hash, SessionReader } from "../ground/ports";
import { owningMessageId } from "../log/archives";
import { project } from "../log/project";
import { readWholeLog } from "../log/readLog";

/** `content`: canonical JSON, as sent; undefined: not to be had, and a defect says why. */
interface RebuiltSegment extends Segment {
  content: string | undefined;
}

interface RebuiltRequest {
  evidence: Evidence;
  number: number;
  manifest: Manifest | undefined;
  segments: RebuiltSegment[];
  /** undefined: not all of it is there */
  content: RequestContent | undefined;
  /** empty: proven */
  defects: Defect[];
}

/** There is no such request. */
export class NoRequestError extends Error {
  constructor(number: number, count: number) {
    super(
      plural(
        count,
        "This session has 1 request, so there is no request {1}.",
        "This session has {0} requests, so there is no request {1}.",
        number,
      ),
    );
    this.name = "NoRequestError";
  }
}

/**
 * @param number 1-based; negative: from the end, -1 is the last
 * @throws NoRequestError; rejects with StorageError, NewerLogError, NotALogError
 */
export async function rebuildRequest(files: EvidenceFiles, hash: Hash, number: number): Promise<RebuiltRequest> {
  const { lines } = manifestLines((await files.read("requests.jsonl")) ?? "");
  const wanted = number < 0 ? lines.length + 1 + number : number;
  const entry = [...readRequests(lines.slice(0, Math.max(0, wanted)), hash)][wanted - 1];
  if (!entry) throw new NoRequestError(number, lines.length);
  const evidence = await Evidence.read(files, hash);
  const { manifest, segments = [], defects } = entry;
  const rebuilt: RebuiltSegment[] = [];
  const places = messagePlaces(segments);
  for (const [at, segment] of segments.entries()) {
    const found = await evidence.find(segment, places[at]);
    rebuilt.push({ ...segment, content: "content" in found ? found.content : undefined });
    if (!("content" in found)) defects.push(segmentDefect(entry, at, segment, found));
  }
  // Whatever else is wrong with the manifest: these are the bytes, and their hash is the request's.
  const whole = entry.segments && defects.every(({ kind }) => kind !== "segment" && kind !== "request");
  const values = () => rebuilt.map(segment => ({ ...segment, value: JSON.parse(segment.content ?? "null") }));
  const content = manifest && whole ? requestContent(values(), manifest) : undefined;
  return { evidence, number: wanted, manifest, segments: rebuilt, content, defects };
}

export function requestText({ number, manifest, segments }: RebuiltRequest): string {
  const lines = [t("Request {0}", number)];
  if (manifest) {
    const { turn, step, attempt, model, ts, requestId, sharedTokens, totalTokens, cause } = manifest;
    lines.push(
      `${requestId}, ${t("turn {0}, step {1}, attempt {2}", turn, step, attempt)}, ${model}, ${new Date(ts).toISOString()}`,
      cause
        ? t(
            "{0} tokens (estimate), {1} shared with the request before; prefix broken by {2}",
            totalTokens,
            sharedTokens,
            cause,
          )
        : t("{0} tokens (estimate), {1} shared with the request before", totalTokens, sharedTokens),
      t("call options {0}", JSON.stringify(manifest.callOptions)),
    );
  }
  return `${[lines.join("\n"), segmentsText(segments).trimEnd()].join("\n\n")}\n`;
}

/** @param tools of definitions only those with these names; absent: all */
export function segmentsText(segments: readonly RebuiltSegment[], tools?: readonly string[]): string {
  const blocks = segments.map((segment, at) => {
    const { layer, role, source, form, tokens, trust } = segment;
    const size = plural(tokens, "1 token", "{0} tokens");
    return `── ${at + 1}  ${layer}  ${role}  ${source}  ${form}  ${size}  ${t("trust: {0}", trust)}\n${segmentText(segment, tools)}`;
  });
  return `${blocks.join("\n\n")}\n`;
}

/** Line by line as `strata show ID --request N` prints it. @param tools of definitions only those with these names */
export function segmentText({ content }: { content: string | undefined }, tools?: readonly string[]): string {
  if (content === undefined) return t("(not there as it was sent)");
  const value: unknown = JSON.parse(content);
  const isMeant = (each: unknown) => tools?.includes((each as { name?: string }).name ?? "");
  return valueText(tools && Array.isArray(value) ? value.filter(isMeant) : value);
}

/** What a segment says: texts as they are, everything else as JSON. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join("\n");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const part = value as Record<string, unknown>;
  if ("content" in part) return valueText(part.content);
  if ("inputSchema" in part) return `${part.name}: ${JSON.stringify(part)}`;
  if (part.type === "text") return valueText(part.text);
  if (part.type === "reasoning") return t("(thinking) {0}", String(part.text));
  if (part.type === "tool-call") return `→ ${part.toolName} ${part.toolCallId} ${JSON.stringify(part.input)}`;
  if (part.type === "tool-result")
    return `← ${part.toolName} ${part.toolCallId}\n${valueText(outputValue(part.output))}`;
  if (part.type === "file")
    return t("[{0}, {1} characters of base64]", String(part.mediaType), String(part.data).length);
  return JSON.stringify(part);
}

function outputValue(output: unknown): unknown {
  return typeof output === "object" && output !== null && "value" in output ? output.value : output;
}

export type EvidenceFiles = SessionReader;

/** The hash of what stands in the place of something (null: nothing does), and what is wrong, as the end of a sentence. */
export interface MissingEvidence {
  found: string | null;
  text: string;
}

type EvidenceText = { content: string } | MissingEvidence;

/** Where a segment of the conversation stands: results belong to the message before them, in the order of its calls. */
export interface EvidencePlace {
  /** id of the message: call ids are the provider's, and some repeat them in every step */
  messageId: string;
  /** 0: the message itself; n: its nth result */
  piece: number;
}

/** The place of each segment; undefined for those that are blobs. @param after of the last one before them that has a place */
export function messagePlaces(segments: readonly Pick<Segment, "source">[], after?: EvidencePlace) {
  let { messageId, piece } = after ?? { messageId: "", piece: 0 };
  return segments.map(({ source }) => {
    if (!inHistory({ source })) return undefined;
    const own = ["message:", BRIEF].find(kind => source.startsWith(kind));
    if (own === undefined) return { messageId, piece: ++piece };
    messageId = source.slice(own.length);
    piece = 0;
    return { messageId, piece };
  });
}

/** What a message is rendered as. */
interface EvidenceShape {
  form: Form;
  /** without its reasoning */
  dropped: boolean;
}

/** An answer without its reasoning says not whether its turn had settled: either is how it was sent. */
const shapesOf = (form: Segment["form"]): EvidenceShape[] =>
  form === "dropped"
    ? (["shown", "kept"] as const).map(each => ({ form: each, dropped: true }))
    : [{ form: form === "raw" ? "shown" : form, dropped: false }];

export class Evidence {
  private readonly messages: ReadonlyMap<string, StrataMessage>;
  /** of the message that was asked for last: its segments stand next to each other */
  private last: { key: string; pieces: { source: string; content: string }[] } | undefined;

  private constructor(
    private readonly files: EvidenceFiles,
    private readonly hash: Hash,
    /** every record of the session, oldest first */
    readonly records: readonly LogRecord[],
    readonly archives: readonly ArchiveName[],
    /** what of the log cannot be read, for people */
    readonly unreadable: readonly string[],
    /** no archive is missing or cannot be read */
    readonly isWhole: boolean,
    /** records whose number is not above the one before */
    readonly falling: readonly LogRecord[],
  ) {
    // Nothing else: compactions would take messages away that were sent.
    const sent = records.flatMap((record): LogRecord[] => {
      if (record.kind === "fold") return record.brief ? [{ ...record, results: [], whole: [] }] : [];
      return owningMessageId(record) === undefined ? [] : [record];
    });
    const { messages } = project(sent);
    this.messages = new Map(messages.map(message => [message.id, message]));
  }

  /** Rejects with StorageError, NewerLogError, NotALogError. */
  static async read(files: EvidenceFiles, hash: Hash): Promise<Evidence> {
    const { records, broken, archives, missing, falling } = await readWholeLog(files);
    const unreadable = broken.map(({ file, line }) => t("line {0} of {1}", line, file));
    return new Evidence(files, hash, records, archives, unreadable, missing.length + broken.length === 0, falling);
  }

  /** A compaction names each archive: none was adopted from a log that began anew. */
  get isNamed(): boolean {
    const named = new Set(this.records.flatMap(record => (record.kind === "compaction" ? [record.archive] : [])));
    return this.archives.every(name => named.has(name));
  }

  /** The bytes of a segment. Rejects with StorageError. */
  async find(segment: Segment, place: EvidencePlace | undefined): Promise<EvidenceText> {
    if (place) return this.inLog(segment, place);
    const blob = await this.blob(segment.sha256);
    return "bytes" in blob ? { content: new TextDecoder("utf-8", { ignoreBOM: true }).decode(blob.bytes) } : blob;
  }

  /** A blob that is what its name says. Rejects with StorageError. */
  async blob(sha256: string): Promise<{ bytes: Uint8Array } | MissingEvidence> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return { found: null, text: t("has no hash that could name a blob") };
    const bytes = await this.files.getBlob(sha256);
    if (!bytes) return { found: null, text: t("is missing: its blob is not there") };
    const found = this.hash.sha256(bytes);
    return found === sha256 ? { bytes } : { found, text: t("is not as it was written: its blob has changed") };
  }

  private async inLog({ source, form, sha256 }: Segment, { messageId, piece }: EvidencePlace): Promise<EvidenceText> {
    const message = this.messages.get(messageId);
    if (!message) return { found: null, text: t("is missing: message {0} is not in the log", messageId) };
    let found: string | null = null;
    for (const shape of shapesOf(form)) {
      const pieces = await this.render(message, shape);
      // Of a brief turn the line stands before the answer, and another branch may have one of its own.
      const places = form === "brief" ? pieces : pieces.slice(piece, piece + 1);
      const sent = places.filter(each => each.source === source);
      if (sent.length === 0) return { found: null, text: t("is missing: message {0} has no such call", messageId) };
      for (const { content } of sent) {
        found = this.hash.sha256(content);
        if (found === sha256) return { content };
      }
    }
    return { found, text: t("is not as it was sent") };
  }

  private async render(message: StrataMessage, { form, dropped }: EvidenceShape) {
    const key = `${form} ${dropped} ${message.id}`;
    if (this.last?.key !== key) {
      const images = new Images(this.files);
      await images.load([message]);
      const { pieces } = messagePieces(message, form, images.get, dropped);
      this.last = { key, pieces: pieces.map(({ source, value }) => ({ source, content: JSON.stringify(value) })) };
    }
    return this.last.pieces;
  }
}
