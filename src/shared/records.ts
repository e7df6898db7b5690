/**
 * The log's records (docs/formats.md): what `history.jsonl` holds after its header, one JSON object a line.
 * A session is its log: panel, model input and search are projections of these records. Kinds that a version does not
 * know are kept and skipped; a header of a newer version is refused and left untouched.
 */
import * as z from "zod";
import { compactionFields, resultRefSchema } from "./compaction";
import { hookRunSchema } from "./hooks";
import { trustSchema } from "./manifest";
import { attachedTrustSchema, jsonSchema, loggedMessageSchema, messagePartSchema, usageSchema } from "./messages";
import { questionAnswerSchema, questionFormSchema } from "./question";
import { sessionModelSchema } from "./sessionModel";
import { permissionModeSchema } from "./settingValues";
import { fileChangeSchema, stampSchema, todoSchema, toolErrorSchema, toolStatusSchema } from "./toolResult";

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

const base = {
  id: z.string(),
  /** counts from 1 in its session, without a gap: the number of the durable AgentEvent */
  seq: z.int().positive(),
  /** ms since the epoch; for people, never an order */
  ts: z.number(),
};

/** What will happen. */
export const approvalDetailSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("command"),
    command: z.string(),
    cwd: z.string(),
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

/** Without the secrets in it: the person was shown it exactly as it runs (the event `question`). */
const approvalActionSchema = z.object({
  toolName: z.string(),
  callId: z.string(),
  /** a question for a person: "Run `npm test`?" */
  title: z.string(),
  /** why it is asked, when the mode alone does not say: "outside the workspace" */
  reason: z.string().optional(),
  detail: approvalDetailSchema,
  /** sha256 over the bytes that are approved: command and folder, or base and new text of each file */
  binds: z.string(),
  /** sha256 of what a grant would be for, where secrets are hidden in `detail`: two that look the same here are not */
  exact: z.string().optional(),
  /** rules that would let it run from now on, the narrowest first; each is a list, of which all are needed; absent: none would */
  rules: z.array(z.array(z.string())).optional(),
});
export type ApprovalAction = z.infer<typeof approvalActionSchema>;

/** What a person changed of a proposal before they accepted it. */
const editedProposalSchema = z.object({
  /** lines that they added to it, and that they took out of it */
  added: z.int(),
  removed: z.int(),
  /** unified diff from what was proposed to what was accepted, at most 64 KB, cut with a note */
  diff: z.string(),
});
export type EditedProposal = z.infer<typeof editedProposalSchema>;

const approvalAnswerSchema = z.object({
  decision: z.enum(["allow", "deny"]),
  /** `always`: by rules of the person's settings */
  scope: z.enum(["once", "session", "always"]),
  /** those that were written, with the scope `always` */
  rules: z.array(z.string()).optional(),
  /** words for the model, with a deny */
  words: z.string().optional(),
  /** what happens to the unsaved files that were asked about; with the scope `session`, before every command from now on */
  unsaved: z.enum(["save", "leave"]).optional(),
  /** who answered: nobody could (terminal without a person), the user, or Stop */
  by: z.enum(["user", "stop", "nobody"]),
  /** absent: what was proposed is what was allowed */
  edited: editedProposalSchema.optional(),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

export const turnErrorSchema = z.object({
  /** closed list in models/failure: auth, unknown-model, rate-limit, …; or agent: disk, approval, … */
  code: z.string(),
  /** one sentence for a person */
  message: z.string(),
  /** what a person can do about it; each is a button in the panel */
  actions: z.array(z.enum(["retry", "continue", "set-key", "choose-model", "check-connection", "show-log"])),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

export const recordSchema = z.discriminatedUnion("kind", [
  z.object({
    ...base,
    kind: z.literal("message"),
    /** the message before it on its branch; null for the first */
    parentId: z.string().nullable(),
    message: loggedMessageSchema,
  }),
  z.object({
    ...base,
    kind: z.literal("result"),
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
    /** Text of a file that stands in the shown form: lines (cells of a notebook) `first` to `last`, from 1. */
    reads: z.array(z.object({ uri: z.string(), sha256: z.string(), first: z.int(), last: z.int() })).optional(),
    /** The shown form only says that the text stands in the result of that call: it folds no earlier than this one. */
    restates: resultRefSchema.optional(),
    /** where its content comes from, where that is not simply a tool */
    trust: trustSchema.optional(),
    /** the folder in which commands run from here on, where this call changed it */
    cwd: z.string().optional(),
    /** the command that was started runs on as this background task, until its session is closed: `task_3` */
    taskId: z.string().optional(),
    /** A `commandFiles` says what the command changed; where there is none, nobody found it out. */
    watched: z.literal(true).optional(),
    /** names of tools that the model may call from here on */
    foundTools: z.array(z.string()).optional(),
    /** hooks that ran around the call */
    hooks: z.array(hookRunSchema).optional(),
    /** images that follow as a user message's file parts: `blob:<sha256>` */
    images: z.array(z.object({ mediaType: z.string(), url: z.string(), path: z.string() })).optional(),
  }),
  /** An answer that was cut off: shown, never sent. */
  z.object({
    ...base,
    kind: z.literal("attempt"),
    requestId: z.string(),
    turn: z.int(),
    step: z.int(),
    parts: z.array(messagePartSchema),
    reason: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal("approval"),
    approvalId: z.string(),
    action: approvalActionSchema,
    /** absent: asked and waiting */
    answer: approvalAnswerSchema.optional(),
  }),
  /** A question that allows nothing: the agent's own, or an MCP server's. */
  z.object({
    ...base,
    kind: z.literal("question"),
    questionId: z.string(),
    /** of the call that asks */
    callId: z.string(),
    toolName: z.string(),
    form: questionFormSchema,
    /** absent: asked and waiting. Of a server's question without the values. */
    answer: questionAnswerSchema.optional(),
  }),
  z.object({
    ...base,
    kind: z.literal("turnEnd"),
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
    durationMs: z.number(),
    /** Its results go on as shown until a record settles them; absent: they pass to kept here, as in older logs. */
    unsettled: z.literal(true).optional(),
  }),
  z.object({
    ...base,
    kind: z.literal("pending"),
    pendingId: z.string(),
    op: z.enum(["added", "edited", "removed"]),
    delivery: z.enum(["steer", "queue"]),
    text: z.string(),
    /** it waits until somebody sends it: it came from another storage */
    held: z.literal(true).optional(),
  }),
  z.object({ ...base, kind: z.literal("todo"), todos: z.array(todoSchema) }),
  /** What the session is called. By a model: with the request that asked it, and what that took. */
  z.object({
    ...base,
    kind: z.literal("title"),
    title: z.string(),
    requestId: z.string().optional(),
    model: z.string().optional(),
    usage: usageSchema.optional(),
  }),
  z.object({ ...base, kind: z.literal("mode"), mode: permissionModeSchema }),
  /** A plan: as the model wrote it in plan mode, or as the person had it carried out. */
  z.object({
    ...base,
    kind: z.literal("plan"),
    op: z.enum(["proposed", "carried-out"]),
    /** in which it was proposed, or in which it is carried out */
    turn: z.int(),
    /** of its first heading; "": it has none */
    title: z.string(),
    /** of its checklist, or its numbered steps */
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
  /** From here on these observations are sent in their folded form. */
  z.object({
    ...base,
    kind: z.literal("fold"),
    results: z.array(resultRefSchema),
    /** From here on the results of all turns up to this one are sent as kept. */
    settled: z.int().optional(),
  }),
  /** Text for the model that nobody typed (docs/context.md): becomes a message of its own with this id. */
  z.object({
    ...base,
    kind: z.literal("inject"),
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
  }),
  /** What a user's message named beside files (`@problems`): becomes a message of its own with this id, behind that one. */
  z.object({
    ...base,
    kind: z.literal("attachment"),
    messageId: z.string(),
    /** the user's message */
    parentId: z.string(),
    turn: z.int(),
    runId: z.string(),
    /** `problems`, `server:uri` of a resource; of a server's prompt `/server:prompt` */
    name: z.string(),
    /** for people: "2 errors in 1 file", or a sentence that says why there is nothing */
    title: z.string(),
    trust: attachedTrustSchema,
    /** as it was sent, with its tags */
    text: z.string(),
    /** there was nothing to attach */
    empty: z.literal(true).optional(),
    /** The whole, in a blob; handle as of results. Absent: `text` has all of it. */
    raw: z.object({ sha256: z.string(), bytes: z.int(), inline: z.literal(false) }).optional(),
  }),
  /** A turn that no compaction summarises. */
  z.object({ ...base, kind: z.literal("pin"), turn: z.int(), pinned: z.boolean() }),
  /** Summaries took the place of messages; the records that went stand in its archive (docs/context.md). */
  z.object({ ...base, kind: z.literal("compaction"), ...compactionFields }),
  /** The originals are back in the place of that compaction's summary. */
  z.object({ ...base, kind: z.literal("undo"), compactionId: z.string() }),
  z.object({ ...base, kind: z.literal("redo"), compactionId: z.string() }),
  /** A person took edits of a file back, or made them again: the file has it, the model hears of it with its next request. */
  z.object({
    ...base,
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
  }),
  /** What a command did to files of the workspace: what a rewind puts back. Of every command that was watched, changes or not. */
  z.object({
    ...base,
    kind: z.literal("commandFiles"),
    turn: z.int(),
    callId: z.string(),
    /** number of the record after which it ran */
    since: z.int(),
    /** how many */
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
    /** A crash ended it; this `done` says how far it came. */
    cutOff: z.literal(true).optional(),
    /** before the user's message that opened this turn */
    turn: z.int(),
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
  z.object({
    ...base,
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
  }),
  /** Something a person should know later too: a repair, a rules file that was cut. Not for the model. */
  z.object({
    ...base,
    kind: z.literal("note"),
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
  }),
]);
export type LogRecord = z.infer<typeof recordSchema>;
export type RecordKind = LogRecord["kind"];
export type RecordOf<K extends RecordKind> = Extract<LogRecord, { kind: K }>;
/** A record before the history gave it its id, number and time. */
export type NewRecord = { [K in RecordKind]: Omit<RecordOf<K>, "id" | "seq" | "ts"> & { id?: string } }[RecordKind];
