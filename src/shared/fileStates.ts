/** Files as they stood, byte for byte: what a command found and left, and what a rewind puts back. */
import * as z from "zod";

/** null: there was nothing. */
const fileStateSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("file"),
      /** of its bytes; they are a snapshot of the session where they were kept */
      sha256: z.string(),
      /** permissions: `0o755`; absent: not known */
      mode: z.int().optional(),
    }),
    z.object({ type: z.literal("link"), target: z.string() }),
    /** `why`: the end of a sentence, for a person: "it has more than 10 MB" */
    z.object({ type: z.literal("unkept"), why: z.string() }),
  ])
  .nullable();
export type FileState = z.infer<typeof fileStateSchema>;

const stateChangeSchema = z.object({
  uri: z.string(),
  /** as FileRef.path */
  path: z.string(),
  before: fileStateSchema,
  after: fileStateSchema,
  /** it is new, and surely made by this: may be removed */
  made: z.literal(true).optional(),
  /** a person, or another session, changed it at the same time: nobody can tell whose it is */
  shared: z.literal(true).optional(),
});
export type StateChange = z.infer<typeof stateChangeSchema>;

export const stateChangesSchema = z.array(stateChangeSchema);

/** Permissions count where both are known. What was not kept is like nothing else. */
export function sameState(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b;
  if (a.type === "file" && b.type === "file")
    return a.sha256 === b.sha256 && (a.mode === b.mode || a.mode === undefined || b.mode === undefined);
  return a.type === "link" && b.type === "link" && a.target === b.target;
}
