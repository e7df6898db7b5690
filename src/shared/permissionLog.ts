/** A line of `permissions.jsonl`: what was asked and decided about a call (docs/formats.md). */
import * as z from "zod";
import { permissionModes } from "./settingValues";

export const permissionEntrySchema = z.object({
  /** `asked`: a person was; `decided`: it runs or not */
  kind: z.enum(["asked", "decided"]),
  /** ms since the epoch */
  ts: z.number(),
  callId: z.string(),
  toolName: z.string(),
  /** what it would do, without secrets: "Run `npm test`" */
  title: z.string(),
  /** sha256 of the bytes that this is about: command and folder, or base and new text of each file */
  binds: z.string(),
  mode: z.enum(permissionModes),
  decision: z.enum(["allow", "ask", "deny"]),
  /** what decided: mode, rule, reads, sandbox, grant, protected …; of an answer who gave it: user, stop, nobody */
  by: z.string(),
  rule: z.string().optional(),
  /** who gave the rule, and where it stands */
  from: z.object({ level: z.string(), place: z.string() }).optional(),
  reason: z.string().optional(),
  /** of a command that may run */
  sandbox: z.enum(["in", "out"]).optional(),
  /** of an answer: once, session, always */
  scope: z.string().optional(),
  /** rules that an answer wrote into the settings */
  rules: z.array(z.string()).optional(),
  /** lines before this one that could not be written */
  missed: z.int().optional(),
});
export type PermissionEntry = z.infer<typeof permissionEntrySchema>;
