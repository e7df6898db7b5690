/** What a person takes back of the agent's changes: the records of it, and of what they are about to. */
import * as z from "zod";
import { resultRefSchema } from "./compaction";

export const revertFields = {
  kind: z.literal("revert"),
  direction: z.enum(["undo", "redo"]),
  /** of the edits */
  turn: z.int(),
  uri: z.string(),
  path: z.string(),
  /** the calls that made them, oldest first */
  edits: z.array(resultRefSchema),
  /** sha256 of the snapshots with the file's text before and after this; null: no file; absent: not kept */
  before: z.string().nullable().optional(),
  after: z.string().nullable().optional(),
  /** lines, by this */
  added: z.int(),
  removed: z.int(),
};

export const reviewFields = {
  kind: z.literal("review"),
  action: z.enum(["keep", "undo", "restore"]),
  uri: z.string(),
  path: z.string(),
  /** Number of the newest record of the file that counts in it: an edit that was logged since waits for its review. */
  upTo: z.int(),
  /** sha256 of the snapshots with the text that is reviewed, and with the agent's; null: no file; absent: as before */
  base: z.string().nullable().optional(),
  agent: z.string().nullable().optional(),
  /** how many changes, and lines by this */
  changes: z.int(),
  added: z.int(),
  removed: z.int(),
  /** where it was, in lines of what the agent left, for the model; absent: it has nothing to hear */
  text: z.string().optional(),
  /** the file is gone by this */
  gone: z.literal(true).optional(),
  /** a commit had it, nobody pressed anything */
  by: z.literal("commit").optional(),
};

export const intentFields = {
  kind: z.literal("intent"),
  phase: z.enum(["begun", "left"]),
  /** the record that follows once the file is changed; where neither that nor `left` does, the process ended in between */
  record: z.discriminatedUnion("kind", [z.object(revertFields), z.object(reviewFields)]),
  /** sha256 of the file's text before and after, its line ends LF; null: no file */
  from: z.string().nullable(),
  to: z.string().nullable(),
};
