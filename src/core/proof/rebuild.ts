/** Any request of a session again, byte for byte: from its manifest, the blobs and the records of the log. */
import { plural } from "../../shared/l10n";
import type { Manifest, Segment } from "../../shared/manifest";
import { type RequestContent, requestContent } from "../context/compose";
import { type Defect, manifestLines, readRequests, segmentDefect } from "../context/requestChain";
import type { Hash } from "../ground/ports";
import { Evidence, type EvidenceFiles, messagePlaces } from "./evidence";

/** `content`: canonical JSON, as sent; undefined: not to be had, and a defect says why. */
export interface RebuiltSegment extends Segment {
  content: string | undefined;
}

export interface RebuiltRequest {
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
  return { number: wanted, manifest, segments: rebuilt, content, defects };
}
