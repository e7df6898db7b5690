/** What a tool gives back (CONTEXT.md, section 2; TOOLS.md). */
import * as z from "zod";
import { jsonSchema } from "./messages";

/** Closed list: models and tests rely on it. */
export const errorCodeSchema = z.enum([
  "NOT_FOUND",
  "OUTSIDE_WORKSPACE",
  "BINARY",
  "TOO_LARGE",
  "NOT_READ",
  "STALE",
  "NO_MATCH",
  "AMBIGUOUS",
  "CONFLICT",
  "DENIED",
  "EXIT",
  "TIMEOUT",
  "ABORTED",
  "INTERRUPTED",
  "INVALID_INPUT",
  "UNKNOWN_TOOL",
  "IO",
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const toolStatusSchema = z.enum(["success", "partial", "error"]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

/**
 * The version of a file that was read. `sha256` (of the bytes on disk, or of the buffer's text encoded as the file is)
 * decides whether it changed; `version` is the editor's document version where the file is open; `mtime` is in ms.
 */
export const stampSchema = z.object({
  mtime: z.number(),
  version: z.int().optional(),
  sha256: z.string(),
  /** the editor holds text that is not on disk */
  dirty: z.boolean(),
});
export type Stamp = z.infer<typeof stampSchema>;

export const todoSchema = z.object({
  content: z.string().min(1).describe("What to do, imperative: Fix the rounding test"),
  status: z.enum(["pending", "in_progress", "completed"]),
  activeForm: z.string().min(1).describe("The same while it is under way: Fixing the rounding test"),
});
export type Todo = z.infer<typeof todoSchema>;

/** A change to one file, for people: what a card and an approval show. */
export const fileChangeSchema = z.object({
  uri: z.string(),
  path: z.string(),
  created: z.boolean(),
  added: z.int(),
  removed: z.int(),
  /** unified diff, at most 64 KB, cut with a note */
  diff: z.string(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const toolErrorSchema = z.object({ code: errorCodeSchema, message: z.string() });

/** The envelope. `text` is what the model reads while the turn runs (the shown form). */
export const toolResultSchema = z.object({
  status: toolStatusSchema,
  data: jsonSchema,
  text: z.string(),
  /** One line for the card and the log: what ran, on what, how it ended; at most 500 characters. */
  digest: z.string(),
  stats: z.record(z.string(), z.number()),
  context: z.record(z.string(), jsonSchema),
  error: toolErrorSchema.optional(),
});
export type ToolResult = z.infer<typeof toolResultSchema>;
