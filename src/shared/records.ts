import * as z from "zod";
import { compactionFields, resultRefSchema } from "./compaction";
import { base, conversationRecords } from "./conversationRecords";
import { denialSchema } from "./denial";
import { usageSchema } from "./messages";
import { modelLimitsSchema, sessionModelSchema } from "./sessionModel";
import { permissionModes } from "./settingValues";
import { storedSchema, todoSchema } from "./toolResult";

export const LOG_VERSION = 1;

export const headerSchema = z.object({
  kind: z.literal("header"),
  version: z.int(),
  sessionId: z.string(),
  /** ms since the epoch */
  created: z.number(),
  /** the id under which it was begun, where that was another: what was hidden in it then can be put back in it now */
  family: z.string().optional(),
  archives: z.array(z.string()),
});
export type LogHeader = z.infer<typeof headerSchema>;

/** What the model no longer sees in full, and what stands in for it. */
const compactionRecords = [
  /** Forms change: these observations are sent folded from here on, and turns that ended as their age says. */
  z.object({
    ...base,
    kind: z.literal("fold"),
    results: z.array(resultRefSchema),
    /** From here on the results of all turns up to this one are sent as kept. */
    settled: z.int().optional(),
    /** of those: results that stay as shown, as long as their turn is settled */
    whole: z.array(resultRefSchema).optional(),
    /**
     * From here on these turns are sent brief: what was said, `text` for all that was done (with its tags, as it is sent), and what the
     * model said without a call. `messageId`: the turn's last answer, before which it stands.
     */
    brief: z.array(z.object({ turn: z.int(), messageId: z.string(), text: z.string() })).optional(),
  }),
  /** A turn that no compaction summarises. */
  z.object({ ...base, kind: z.literal("pin"), turn: z.int(), pinned: z.boolean() }),
  /** Summaries took the place of messages; the records that went stand in its archive (docs/context.md). */
  z.object({ ...base, kind: z.literal("compaction"), ...compactionFields }),
  /** The originals are back in the place of that compaction's summary. */
  z.object({ ...base, kind: z.literal("undo"), compactionId: z.string() }),
  z.object({ ...base, kind: z.literal("redo"), compactionId: z.string() }),
] as const;

/** What holds for a session beside its conversation: title, mode, model, plans, tasks, notes. */
const sessionRecords = [
  z.object({ ...base, kind: z.literal("todo"), todos: z.array(todoSchema) }),
  /** What the session is called. By a model: with the request that asked it, and what that took. */
  z.object({
    ...base,
    kind: z.literal("title"),
    title: z.string(),
    /** whether it stands at the top of lists; absent: as it was */
    pinned: z.boolean().optional(),
    requestId: z.string().optional(),
    model: z.string().optional(),
    usage: usageSchema.optional(),
  }),
  z.object({ ...base, kind: z.literal("mode"), mode: z.enum(permissionModes) }),
  /** A no that holds: what covers its effect asks from here on, until a record lifts it. Its id and time are the record's. */
  z.object({
    ...base,
    kind: z.literal("denial"),
    op: z.enum(["made", "lifted"]),
    /** of `made` */
    denial: denialSchema.omit({ denialId: true, ts: true }).optional(),
    /** of `lifted`: which, and how: with a click, by an answer that allows the effect, by a click under a message */
    denialIds: z.array(z.string()).optional(),
    by: z.enum(["user", "allowed", "message"]).optional(),
  }),
  /** A plan: as the model wrote it in plan mode, or as the person had it carried out. */
  z.object({
    ...base,
    kind: z.literal("plan"),
    op: z.enum(["proposed", "carried-out"]),
    /** in which it was proposed, or in which it is carried out */
    turn: z.int(),
    /** of its first heading; "": it has none */
    title: z.string(),
    steps: z.int(),
    /** Markdown */
    text: z.string(),
  }),
  /** A person ended the plan that was carried out: it stands in no request any more. */
  z.object({
    ...base,
    kind: z.literal("planEnd"),
    /** in which it was carried out */
    turn: z.int(),
    /** as its `plan` record has it */
    title: z.string(),
  }),
  /** Which model answers from here on, and how much it thinks; what is absent is as the settings have it. */
  z.object({ ...base, kind: z.literal("model"), ...sessionModelSchema.shape }),
  /** What was learnt of models by asking them, all of it from here on; for another model, or another window, none of it holds. */
  z.object({ ...base, kind: z.literal("modelLimits"), ...modelLimitsSchema.shape }),
  /** Something a person should know later too: a repair, a rules file that was cut. Not for the model. */
  z.object({
    ...base,
    kind: z.literal("note"),
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
  }),
] as const;

// What became of files beside the agent's edits, which stand in results: commands, and what a person took back or looked at.

/** sha256 of the snapshots with the file's text before and after this; null: no file; absent: not kept, or nothing was put back */
const states = { before: z.string().nullable().optional(), after: z.string().nullable().optional() };
/** How the file was stored that this took away: sha256 of its bytes, and its permissions; absent: it took none, or nobody can tell. */
const stored = storedSchema.optional();
/** lines, by this */
const lines = { added: z.int(), removed: z.int() };

const revertFields = {
  kind: z.literal("revert"),
  direction: z.enum(["undo", "redo"]),
  turn: z.int(),
  uri: z.string(),
  path: z.string(),
  /** the calls that made them, oldest first */
  edits: z.array(resultRefSchema),
  ...states,
  stored,
  ...lines,
};

const reviewFields = {
  kind: z.literal("review"),
  action: z.enum(["keep", "undo", "restore"]),
  uri: z.string(),
  path: z.string(),
  /** Number of the newest record of the file that counts in it: an edit that was logged since waits for its review. */
  upTo: z.int(),
  /** sha256 of the snapshots with the text that is reviewed, and with the agent's; null: no file; absent: as before */
  base: z.string().nullable().optional(),
  agent: z.string().nullable().optional(),
  ...states,
  stored,
  changes: z.int(),
  ...lines,
  /** where it was, in lines of what the agent left, for the model; absent: it has nothing to hear */
  text: z.string().optional(),
  /** the file is gone by this */
  gone: z.literal(true).optional(),
  /** a commit had it, nobody pressed anything */
  by: z.literal("commit").optional(),
  /** what was taken back with others in one step, and is made again with them: the same for all of these */
  step: z.string().optional(),
};

const fileRecords = [
  /** A person took edits of a file back, or made them again: the file has it, the model hears of it with its next request. */
  z.object({ ...base, ...revertFields }),
  /** What a command did to files of the workspace: what a rewind puts back. Of every command that was watched, changes or not. */
  z.object({
    ...base,
    kind: z.literal("commandFiles"),
    turn: z.int(),
    callId: z.string(),
    /** number of the record after which it ran */
    since: z.int(),
    files: z.int(),
    /** sha256 of the snapshot with the list of them (`shared/fileStates.ts`); absent: it could not be kept */
    list: z.string().optional(),
    /** what is not in it, a sentence each */
    gaps: z.array(z.string()),
  }),
  /** A person went back to before a message. `begun` stands before the first file, `done` after the last; else only `done`. */
  z.object({
    ...base,
    kind: z.literal("rewind"),
    rewindId: z.string(),
    phase: z.enum(["begun", "done"]),
    /** the rewind that this one takes back */
    undoes: z.string().optional(),
    /** A crash, or a full disk, ended it; this `done` says how far it came. */
    cutOff: z.literal(true).optional(),
    /** before the user's message that opened this turn */
    turn: z.int(),
    /** the beginning of that message, for people */
    message: z.string().optional(),
    /** how many files are, or were, put back, and sha256 of the snapshot with their list; absent: files stay as they are */
    files: z.int().optional(),
    list: z.string().optional(),
    /** the first of these files, for the model: as FileRef.path */
    paths: z.array(z.string()).optional(),
    /** what stayed as it is, a sentence each */
    stayed: z.array(z.string()).optional(),
    /** The conversation goes on from the record with this number, all behind it is another branch. Absent: as it was. */
    head: z.int().nonnegative().optional(),
  }),
  /**
   * A person went over what the agent changed in a file: kept changes, took some back, or put back what they had taken back.
   * What is left to look at lies between the two texts that it names; neither: nothing.
   */
  z.object({ ...base, ...reviewFields }),
  /** A file is about to be changed for one of these: `begun` stands before that, `left` says that it was not done. */
  z.object({
    ...base,
    kind: z.literal("intent"),
    phase: z.enum(["begun", "left"]),
    /** what follows once the file is changed; where neither that nor `left` does, the process ended in between */
    record: z.discriminatedUnion("kind", [z.object(revertFields), z.object(reviewFields)]),
    /** sha256 of the file's text before and after, its line ends LF; null: no file */
    from: z.string().nullable(),
    to: z.string().nullable(),
  }),
] as const;

export const recordSchema = z.discriminatedUnion("kind", [
  ...conversationRecords,
  ...sessionRecords,
  ...compactionRecords,
  ...fileRecords,
]);
export type LogRecord = z.infer<typeof recordSchema>;
export type RecordKind = LogRecord["kind"];
export type RecordOf<K extends RecordKind> = Extract<LogRecord, { kind: K }>;
/** A record before the history gave it its id, number and time. */
export type NewRecord = { [K in RecordKind]: Omit<RecordOf<K>, "id" | "seq" | "ts"> & { id?: string } }[RecordKind];
