/** One line of `requests.jsonl` for each model request (docs/formats.md). */
import * as z from "zod";
import { jsonSchema } from "./messages";

/**
 * Why a request did not begin with the bytes of the one before it, or went where nobody has them (`model-changed`). Closed: any
 * other break is a defect.
 */
const breakCauseSchema = z.enum([
  ...["turn-end", "fold", "compaction", "undo", "rewind", "branch"],
  ...["rules-changed", "skills-changed", "tools-changed", "model-changed", "protocol-changed"],
  ...["context-error-retry", "workspace-changed", "app-updated", "log-repaired"],
] as const);
export type BreakCause = z.infer<typeof breakCauseSchema>;

/** Where content comes from: how far it may be trusted. */
export const trustSchema = z.enum(["strata", "user", "rules", "workspace", "outside", "tool", "web", "mcp", "model"]);
export type Trust = z.infer<typeof trustSchema>;

const segmentSchema = z.object({
  layer: z.enum(["L1", "L2", "L3", "turn", "tail"]),
  role: z.enum(["system", "user", "assistant", "tool", "tools"]),
  /** `prompt:system`, `tools`, `facts`, `rules:CODE_LAW.md`, `message:<id>`, `result:<callId>`, `tail:todo`, … */
  source: z.string(),
  /** of the segment's canonical JSON */
  sha256: z.string(),
  /** estimate */
  tokens: z.int(),
  /** `dropped`: an answer without its reasoning, which was bound to something that has changed since */
  form: z.enum(["raw", "shown", "kept", "folded", "brief", "dropped"]),
  trust: trustSchema,
});
export type Segment = z.infer<typeof segmentSchema>;

const cacheMarkSchema = z.object({
  /** so many segments it has before it */
  at: z.int().positive(),
  /** tells their bytes from others: of their hashes, one a line, the first digits */
  sha256: z.string(),
});
/** Up to where the provider was told to cache. */
export type CacheMark = z.infer<typeof cacheMarkSchema>;

/** `source`: of the segment that it would be. `text`: the source that says the same, or a reason. `sha256`: blob of the whole file */
const unsentFileSchema = z.object({
  source: z.string(),
  why: z.enum(["size", "same", "withheld"]),
  text: z.string().optional(),
  sha256: z.string().optional(),
});
/** What rules files had for the model, and the request does not hold. */
export type UnsentFile = z.infer<typeof unsentFileSchema>;

export const manifestSchema = z.object({
  version: z.literal(1),
  requestId: z.string(),
  runId: z.string(),
  turn: z.int(),
  step: z.int(),
  attempt: z.int(),
  /**
   * What it was for, where it is no step of a turn. A request for a title stands beside the conversation: its list is whole
   * and shares nothing, and the next record is told against the one before it.
   */
  purpose: z.enum(["summary", "title"]).optional(),
  /** ms since the epoch */
  ts: z.number(),
  model: z.string(),
  /**
   * Splice into the segments of the record before: keep the first `keep`, but for those that `changed` puts in their places,
   * then `segments`. `keep` 0: a whole list, every 50 records and more.
   */
  keep: z.int(),
  changed: z.array(z.object({ at: z.int().nonnegative(), segment: segmentSchema })).optional(),
  segments: z.array(segmentSchema),
  /** prefix reuse = sharedTokens ÷ totalTokens */
  sharedTokens: z.int(),
  totalTokens: z.int(),
  cause: breakCauseSchema.optional(),
  /** a break without a cause: a defect, logged as such */
  unexplained: z.boolean().optional(),
  /** in their order; absent: the provider is told nothing of it */
  cacheMarks: z.array(cacheMarkSchema).optional(),
  /** absent: nothing was */
  left: z.array(unsentFileSchema).optional(),
  callOptions: z.record(z.string(), jsonSchema),
  /** of the segments' hashes, one a line, and the JSON of the call options: what the request is a function of */
  requestSha256: z.string(),
  bodySha256: z.string().nullable(),
  /** hash of the record before, null for the first */
  previous: z.string().nullable(),
  /** hash of this record's line without this field, which is its last */
  self: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** It stands beside the conversation: no list of segments is told against its own. */
export const standsBeside = ({ purpose }: { purpose?: "summary" | "title" | undefined }) => purpose === "title";

/** Parts of a request in which people are shown its segments. */
export const contextStrata = ["conversation", "tools", "rules", "tail"] as const;
export type ContextStratum = (typeof contextStrata)[number];
