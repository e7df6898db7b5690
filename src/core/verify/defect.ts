/** Something that is not as it was written. */
export interface Defect {
  /**
   * manifest: a line of requests.jsonl is not as written; chain: it does not follow the line before; splice: its list of
   * segments cannot be put together; request: the list is not the one of the request; segment: bytes that are missing or
   * differ; prefix: a break without a cause; count: tokens; answer: an answer whose request has no manifest;
   * observation: the whole output or an image of a call, or a summary, as its handle names it; archive: a file of records that
   * a compaction moved; blob: one that nothing else names.
   */
  kind:
    | "manifest"
    | "chain"
    | "splice"
    | "request"
    | "segment"
    | "prefix"
    | "count"
    | "answer"
    | "observation"
    | "archive"
    | "blob";
  /** 1-based number of the request: the line of requests.jsonl */
  request?: number;
  requestId?: string;
  /** 1-based place in the request */
  segment?: number;
  /** of the segment, `obs:<sha256>`, `blob:<sha256>`, or the archive's name */
  source?: string;
  /** sha256 */
  expected?: string;
  /** sha256 of what is there; null: nothing is */
  found?: string | null;
  /** what is wrong, for a person; no sentence */
  text: string;
}
