/** Any request of a session again, byte for byte: from its manifest, the blobs and the records of the log. */
import { plural, t } from "../../shared/l10n";
import type { Manifest, Segment } from "../../shared/manifest";
import { type RequestContent, requestContent } from "../context/compose";
import { type Defect, manifestLines, readRequests, segmentDefect } from "../context/requestChain";
import type { Hash } from "../ground/ports";
import { Evidence, type EvidenceFiles, messagePlaces } from "./evidence";

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

/** `content`: canonical JSON; undefined: it is not there */
type TextSegment = Segment & { content: string | undefined };

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
export function segmentsText(segments: readonly TextSegment[], tools?: readonly string[]): string {
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
