/** What a person allowed for a session: part of the snapshot that a compaction leaves in the log. */
import * as z from "zod";
import { jsonSchema } from "./messages";

const grantSchema = z.object({
  /** whose calls; absent: of every tool that does this */
  tool: z.string().optional(),
  what: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("command"),
      command: z.string(),
      background: z.boolean().optional(),
      sandbox: z.looseObject({ kind: z.string() }).optional(),
    }),
    z.object({ type: z.literal("edit") }),
    z.object({ type: z.literal("read") }),
    z.object({ type: z.literal("other"), input: jsonSchema }),
    /** what happens to unsaved files before every command */
    z.object({ type: z.literal("unsaved"), choice: z.enum(["save", "leave"]) }),
  ]),
  /** the folder of a command, URIs of files that are edited, paths that are read: all of them, in this order */
  where: z.array(z.string()),
  scope: z.literal("session"),
  /** sha256 of what it is for, where a secret in it is hidden above */
  exact: z.string().optional(),
});
export type Grant = z.infer<typeof grantSchema>;

/** Snapshots of version 1 may have a text, which grants nothing any more: it is asked again. */
export const storedGrantSchema = z.union([z.string(), grantSchema]);
