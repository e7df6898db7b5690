/** The log's records (docs/formats.md). */
import * as z from "zod";
import { approvalActionSchema, approvalAnswerSchema } from "./approval";
import { keptPictureSchema } from "./attachProtocol";
import { compactionFields, resultRefSchema } from "./compaction";
import { childFields } from "./delegation";
import { denialSchema } from "./denial";
import { hookRunSchema } from "./hooks";
import { trustSchema } from "./manifest";
import { attachedTrustSchema, jsonSchema, loggedMessageSchema, messagePartSchema, usageSchema } from "./messages";
import { questionAnswerSchema, questionFormSchema } from "./question";
import { modelLimitsSchema, sessionModelSchema } from "./sessionModel";
import { permissionModes } from "./settingValues";
import {
  commandEndSchema,
  fileChangeSchema,
  stampSchema,
  storedSchema,
  todoSchema,
  toolErrorSchema,
  toolStatusSchema,
} from "./toolResult";
import { turnClaimSchema, turnErrorSchema, wentOnSchema } from "./turnEnd";

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

/** What every record has. */
const base = {
  id: z.string(),
  /** counts from 1 in its session, without a gap: the number of the durable AgentEvent */
  seq: z.int().positive(),
  /** ms since the epoch; for people, never an order */
  ts: z.number(),
};

/** A record of a kind: what all have, the kind, and its own fields, in this order. */
const record = <const K extends string, Fields extends z.core.$ZodLooseShape>(kind: K, fields: Fields) =>
  z.object({ ...base, kind: z.literal(kind), ...fields });

/** What is said and done in turns: messages, results, what a person was asked, how a turn ended. */
const conversationRecords = [
  record("message", {
    /** the message before it on its branch; null for the first */
    parentId: z.string().nullable(),
    message: loggedMessageSchema,
  }),
  record("result", {
    /** the assistant message that holds the call */
    messageId: z.string(),
    callId: z.string(),
    toolName: z.string(),
    turn: z.int(),
    step: z.int(),
    status: toolStatusSchema,
    digest: z.string(),
    error: toolErrorSchema.optional(),
    durationMs: z.number(),
    /** of a command */
    ended: commandEndSchema.optional(),
    /** The forms as made then, so that a later version moves no byte. No `kept`: the same as shown; no `folded`: as kept. */
    forms: z.object({
      shown: z.string(),
      kept: z.string().optional(),
      folded: z.string().optional(),
      /** the call's input once its turn has settled; absent: as the message has it */
      input: jsonSchema.optional(),
    }),
    /** Texts of the input that only handles lead to then: blobs. */
    inputTexts: z.array(z.object({ sha256: z.string(), bytes: z.int() })).optional(),
    /**
     * The whole output: in a blob, or `inline` when the shown form is all of it. Handle: `obs:` + first 12 of sha256.
     * Absent: the call was interrupted and gave none.
     */
    raw: z.object({ sha256: z.string(), bytes: z.int(), inline: z.boolean() }).optional(),
    /** versions of files as this call read or left them, keyed by URI */
    stamps: z.record(z.string(), stampSchema).optional(),
    changes: z.array(fileChangeSchema).optional(),
    /** Text of a file in the shown form: lines (cells of a notebook) `first` to `last`, from 1. */
    reads: z.array(z.object({ uri: z.string(), sha256: z.string(), first: z.int(), last: z.int() })).optional(),
    /** The shown form only names the result that has the text: it folds no earlier than this one. */
    restates: resultRefSchema.optional(),
    /** where its content comes from, where that is not simply a tool */
    trust: trustSchema.optional(),
    /** the folder in which commands run from here on, where this call changed it */
    cwd: z.string().optional(),
    /** the command that was started runs on as this background task, until its session is closed: `task_3` */
    taskId: z.string().optional(),
    /** Somebody allowed these changes with the whole of them in sight: a review does not ask about them again. */
    seen: z.literal(true).optional(),
    /** A `commandFiles` says what the command changed; where there is none, that was not found out. */
    watched: z.literal(true).optional(),
    /** names of tools that the model may call from here on */
    foundTools: z.array(z.string()).optional(),
    /** hooks that ran around the call */
    hooks: z.array(hookRunSchema).optional(),
    /** images that follow as a user message's file parts: `blob:<sha256>` */
    images: z.array(z.object({ mediaType: z.string(), url: z.string(), path: z.string() })).optional(),
  }),
  /** An answer that was cut off: shown, never sent. */
  record("attempt", {
    requestId: z.string(),
    turn: z.int(),
    step: z.int(),
    parts: z.array(messagePartSchema),
    reason: z.string(),
  }),
  record("approval", {
    approvalId: z.string(),
    action: approvalActionSchema,
    /** absent: asked and waiting */
    answer: approvalAnswerSchema.optional(),
  }),
  /** A question that allows nothing: the agent's own, or an MCP server's. */
  record("question", {
    questionId: z.string(),
    /** of the call that asks */
    callId: z.string(),
    toolName: z.string(),
    form: questionFormSchema,
    /** absent: asked and waiting. Of a server's question without the values. */
    answer: questionAnswerSchema.optional(),
  }),
  record("turnEnd", {
    turn: z.int(),
    runId: z.string(),
    reason: z.enum(["done", "stopped", "error", "limit", "interrupted"]),
    error: turnErrorSchema.optional(),
    steps: z.int(),
    toolCalls: z.int(),
    toolFailures: z.int(),
    /** of the calls; absent: none, or an earlier version counted */
    commands: z.int().optional(),
    usage: usageSchema,
    /** of work: without what it waited for the person, which earlier versions counted too */
    durationMs: z.number(),
    /** ms; absent: nothing waited */
    waitedMs: z.number().optional(),
    /** what its last answer says and the log does not show, and bound checks that did not run; absent: none */
    claims: z.array(turnClaimSchema).optional(),
    /** why Strata sent it on once, where the model had ended it */
    wentOn: wentOnSchema.optional(),
    /** Its results go on as shown until a record settles them; absent: they pass to kept here, as in older logs. */
    unsettled: z.literal(true).optional(),
  }),
  record("pending", {
    pendingId: z.string(),
    op: z.enum(["added", "edited", "removed"]),
    delivery: z.enum(["steer", "queue"]),
    text: z.string(),
    /** that go with it, in their order; absent from a change: those that it had */
    pictures: z.array(keptPictureSchema).optional(),
    /** it waits until the person sends it: it came from another storage */
    held: z.literal(true).optional(),
  }),
  /** Text for the model that no person typed (docs/context.md): becomes a message of its own with this id. */
  record("inject", {
    messageId: z.string(),
    turn: z.int(),
    runId: z.string(),
    /** before the turn's first request: before the user's message; later: at the end */
    place: z.enum(["before", "end"]),
    /** `rules:src/AGENTS.md`: what it is, for manifests and people */
    source: z.string(),
    /** the same one is injected once in a run */
    fingerprint: z.string(),
    text: z.string(),
    /** it has lines that others may have written: what the archive brought up, in a tail that stays */
    trust: z.literal("tool").optional(),
  }),
  /** What a user's message named beside files (`@problems`): becomes a message of its own with this id, behind that one. */
  record("attachment", {
    messageId: z.string(),
    /** the user's message */
    parentId: z.string(),
    turn: z.int(),
    runId: z.string(),
    /** `problems`, `server:uri` of a resource; of a server's prompt `/server:prompt`; `stdin` */
    name: z.string(),
    /** for people: "2 errors in 1 file", or a sentence that says why there is nothing */
    title: z.string(),
    trust: attachedTrustSchema,
    /** as it was sent, with its tags */
    text: z.string(),
    /** there was nothing to attach */
    empty: z.literal(true).optional(),
    /** The whole, in a blob; handle as of results. Absent: `text` is the whole. */
    raw: z.object({ sha256: z.string(), bytes: z.int(), inline: z.literal(false) }).optional(),
  }),
] as const;

/** What the model no longer sees in full, and what stands in for it. */
const compactionRecords = [
  /** Forms change: these observations are sent folded from here on, and turns that ended as their age says. */
  record("fold", {
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
  record("pin", { turn: z.int(), pinned: z.boolean() }),
  /** Summaries took the place of messages; the records that went stand in its archive (docs/context.md). */
  record("compaction", compactionFields),
  /** The originals are back in the place of that compaction's summary. */
  record("undo", { compactionId: z.string() }),
  record("redo", { compactionId: z.string() }),
] as const;

/** What holds for a session beside its conversation: title, mode, model, plans, tasks, notes. */
const sessionRecords = [
  record("todo", { todos: z.array(todoSchema) }),
  /** What the session is called. By a model: with the request that asked it, and what that took. */
  record("title", {
    title: z.string(),
    /** whether it stands at the top of lists; absent: as it was */
    pinned: z.boolean().optional(),
    requestId: z.string().optional(),
    model: z.string().optional(),
    usage: usageSchema.optional(),
  }),
  record("mode", { mode: z.enum(permissionModes) }),
  /** A no that holds: what covers its effect asks from here on, until a record lifts it. Its id and time are the record's. */
  record("denial", {
    op: z.enum(["made", "lifted"]),
    /** of `made` */
    denial: denialSchema.optional(),
    /** of `lifted`: which, and how: with a click, by an answer that allows the effect, by a click under a message */
    denialIds: z.array(z.string()).optional(),
    by: z.enum(["user", "allowed", "message"]).optional(),
  }),
  /** Another agent works on a task of this one, or has ended. What it changed in the workspace is changed by the call that asked for it. */
  record("child", { ...childFields, changes: z.array(fileChangeSchema).optional() }),
  /** A plan: as the model wrote it in plan mode, or as the person had it carried out. */
  record("plan", {
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
  record("planEnd", {
    /** in which it was carried out */
    turn: z.int(),
    /** as its `plan` record has it */
    title: z.string(),
  }),
  /** Which model answers from here on, and how much it thinks; what is absent is as the settings have it. */
  record("model", sessionModelSchema.shape),
  /** What was learnt of models by asking them, all of it from here on; for another model, or another window, none of it holds. */
  record("modelLimits", modelLimitsSchema.shape),
  /** Something a person should know later too: a repair, a rules file that was cut. Not for the model. */
  record("note", {
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
  record("commandFiles", {
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
  record("rewind", {
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
  record("intent", {
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
