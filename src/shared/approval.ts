/** What a person is asked before a call runs, and what they answer. */
import * as z from "zod";
import { jsonSchema } from "./messages";
import { permissionModes } from "./settingValues";
import { fileChangeSchema } from "./toolResult";

/** What will happen. */
export const approvalDetailSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("command"),
    command: z.string(),
    cwd: z.string(),
    /** the folder as people call it, "": the workspace's only root; absent: one outside */
    place: z.string().optional(),
    /** it keeps running behind the turns */
    background: z.boolean().optional(),
    /** files with unsaved changes, which the person is asked about too: as FileRef.path; absent: none */
    unsaved: z.array(z.string()).optional(),
    /** what confines it (ports/shell.ts); absent: nothing */
    sandbox: z.looseObject({ kind: z.string() }).optional(),
  }),
  z.object({ type: z.literal("edit"), changes: z.array(fileChangeSchema) }),
  z.object({ type: z.literal("read"), paths: z.array(z.string()) }),
  /** what a foreign tool does, in its own words, and what it was called with */
  z.object({ type: z.literal("other"), summary: z.string(), input: jsonSchema }),
]);

const dangers = ["deletes", "overwrites", "runs", "publishes", "sends", "settings"] as const;
/** The worst first. `deletes`: also changes that were not committed; `settings`: what starts by itself; `reason`: another sentence. */
export const effectKinds = [...dangers, "installs", "outside", "reason"] as const;
const effectSchema = z.object({ kind: z.enum(effectKinds).catch("reason"), words: z.string() });
export type ToldEffect = z.infer<typeof effectSchema>;

/** Without the secrets in it: the person was shown it exactly as it runs (the event `question`). */
export const approvalActionSchema = z.object({
  toolName: z.string(),
  callId: z.string(),
  /** a question for a person: "Run `npm test`?" */
  title: z.string(),
  /** why it is asked, when the mode alone does not say: "outside the workspace" */
  reason: z.string().optional(),
  /** all that it would do, and all reasons; absent: an older record */
  effects: z.array(effectSchema).optional(),
  detail: approvalDetailSchema,
  /** sha256 over the bytes that are approved: command and folder, or base and new text of each file */
  binds: z.string(),
  /** sha256 of what a grant would be for, where secrets are hidden in `detail`: two that look the same here are not */
  exact: z.string().optional(),
  /** rules that would let it run from now on, the narrowest first; each is a list, of which all are needed; absent: none would */
  rules: z.array(z.array(z.string())).optional(),
  /** each no that it goes against: its call, the number of its record, and a sentence. A yes to all of one lifts it. */
  denied: z.array(z.object({ denialId: z.string(), callId: z.string(), seq: z.int(), words: z.string() })).optional(),
});
export type ApprovalAction = z.infer<typeof approvalActionSchema>;

/** What a question says of a call, beside an earlier no. */
export const toldEffects = ({ effects, reason, denied }: Omit<ApprovalAction, "binds">): ToldEffect[] =>
  effects ?? (reason === undefined || denied ? [] : [{ kind: "reason", words: reason }]);

export const isDanger = ({ kind }: ToldEffect) => kind !== "installs" && kind !== "reason";

/** Deny is the default: something is deleted, a download runs, or a no stands against it. */
export const isDeniedByDefault = ({ effects = [], denied }: ApprovalAction) =>
  denied !== undefined || effects.some(({ kind }) => kind === "deletes" || kind === "runs");

/** What a person changed of a proposal before they accepted it. */
const editedProposalSchema = z.object({
  /** lines that they added to it, and that they took out of it */
  added: z.int(),
  removed: z.int(),
  /** unified diff from what was proposed to what was accepted, at most 64 KB, cut with a note */
  diff: z.string(),
});
export type EditedProposal = z.infer<typeof editedProposalSchema>;

export const approvalAnswerSchema = z.object({
  decision: z.enum(["allow", "deny"]),
  /** `always`: by rules of the person's settings */
  scope: z.enum(["once", "session", "always"]),
  /** those that were written, with the scope `always` */
  rules: z.array(z.string()).optional(),
  /** words for the model, with a deny */
  words: z.string().optional(),
  /** what happens to the unsaved files that were asked about; with the scope `session`, before every command from now on */
  unsaved: z.enum(["save", "leave"]).optional(),
  /** with an allow: the whole diff was in sight, so that a review does not ask about it again */
  seen: z.literal(true).optional(),
  /** who answered; `nobody`: a terminal without a person */
  by: z.enum(["user", "stop", "nobody"]),
  /** absent: what was proposed is what was allowed */
  edited: editedProposalSchema.optional(),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

// What a person allowed for a session: part of the snapshot that a compaction leaves in the log.

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

// A line of `permissions.jsonl` (docs/formats.md).

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
  /** who gave the rule, and in which file */
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
