/** What a tool gives back (docs/context.md; docs/tools.md). */
import * as z from "zod";
import type { Json } from "./messages";

/** Closed list: models and tests rely on it. */
export const errorCodeSchema = z.enum([
  ...["NOT_FOUND", "OUTSIDE_WORKSPACE", "BINARY", "TOO_LARGE"],
  ...["NOT_READ", "STALE", "NO_MATCH", "AMBIGUOUS", "CONFLICT"],
  ...["DENIED", "EXIT", "TIMEOUT", "ABORTED", "INTERRUPTED"],
  ...["INVALID_INPUT", "UNKNOWN_TOOL", "IO"],
] as const);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const toolStatusSchema = z.enum(["success", "partial", "error"]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

const versionFields = {
  sha256: z.string(),
  /** of the snapshot with its text, where that is another one: of what is no plain UTF-8, bytes and text differ */
  snapshot: z.string().optional(),
};

/**
 * The version of a file that was read. `sha256` (of the bytes on disk, or of the buffer's text encoded as the file is)
 * decides whether it changed; `version` is the editor's document version where the file is open; `mtime` is in ms.
 */
export const stampSchema = z.object({
  mtime: z.number(),
  version: z.int().optional(),
  ...versionFields,
  /** the editor holds text that is not on disk */
  dirty: z.boolean(),
  /** what it was read or written in, where that was a guess; absent: its bytes say it, or settings */
  encoding: z.string().optional(),
  /**
   * The version that the model saw last, if it was only told that the file changed since. Edits that quote a place use this
   * version; a whole-file write is merged with it. `told`: the model heard of the changes, if not of every line.
   */
  seen: z.object({ ...versionFields, told: z.object(versionFields).optional() }).optional(),
  /**
   * Lines (cells of a notebook), from 1, that the model saw whole of this version, where it did not see all of it: sorted,
   * apart from each other; none: what it saw was another version. Without `seen`, it never saw any version of the file whole.
   */
  parts: z.object({ total: z.int(), lines: z.array(z.tuple([z.int(), z.int()])) }).optional(),
  /** The model was told since that the file is not there any more. */
  gone: z.literal(true).optional(),
});
export type Stamp = z.infer<typeof stampSchema>;

/** What a file held once. */
export interface FileVersion {
  sha256: string;
  snapshot?: string | undefined;
}

export const todoSchema = z.object({
  content: z.string().min(1).describe("Imperative: Fix the rounding test"),
  status: z.enum(["pending", "in_progress", "completed"]),
  /** An older Strata asked for it; nothing reads it any more. */
  activeForm: z.string().optional(),
});
export type Todo = z.infer<typeof todoSchema>;

/** There are some, and none is left to do. */
export const allDone = (todos: readonly Todo[]): boolean =>
  todos.length > 0 && todos.every(({ status }) => status === "completed");

export const storedSchema = z.object({ sha256: z.string(), mode: z.int().optional() });

/** A change to one file, for people: what a card and an approval show. */
export const fileChangeSchema = z.object({
  uri: z.string(),
  path: z.string(),
  created: z.boolean(),
  added: z.int(),
  removed: z.int(),
  /** unified diff, at most 64 KB, cut with a note */
  diff: z.string(),
  /**
   * sha256 of the snapshots with the file's text right before the change and right after it; null: there was no file then.
   * Absent: it was not kept; `unkept` says why ("too-large", "not-text", "not-stored"), where the change's maker knew.
   */
  before: z.string().nullable().optional(),
  after: z.string().nullable().optional(),
  unkept: z.string().optional(),
  /** How the file was stored before a change that took it away: sha256 of its bytes, and its permissions (`0o755`). */
  stored: storedSchema.optional(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const toolErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  /** what forbade the call, where no person was asked */
  by: z.enum(["mode", "trust", "rule", "hook"]).optional(),
});
export type ToolFailure = z.infer<typeof toolErrorSchema>;

/** How a command ended, in facts: people read them in their own words. */
export const commandEndSchema = z.object({
  /** absent: none is known, since it was ended */
  exitCode: z.int().optional(),
  /** what ended it */
  signal: z.string().optional(),
  by: z.enum(["limit", "sandbox"]).optional(),
  /** as its test runners counted; `passed` absent: they did not say */
  tests: z.object({ failed: z.int(), passed: z.int().optional() }).optional(),
  /** as its compilers and linters counted */
  errors: z.int().optional(),
  /** of one that failed, the line that tells why */
  point: z.string().optional(),
  /** Lines of the shown form that are what it printed: all others are for the model. `first`: from 0 */
  printed: z.object({ first: z.int(), count: z.int() }),
});
export type CommandEnd = z.infer<typeof commandEndSchema>;

/** The envelope. `text` is what the model reads while the turn runs (the shown form). */
export interface ToolResult {
  status: ToolStatus;
  data: Json;
  text: string;
  /** One line for the card and the log: what ran, on what, how it ended; at most 500 characters. */
  digest: string;
  error?: ToolFailure | undefined;
}
