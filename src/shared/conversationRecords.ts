/** What is said and done in turns: messages, results, what a person was asked, how a turn ended. */
import * as z from "zod";
import { approvalActionSchema, approvalAnswerSchema } from "./approval";
import { keptPictureSchema } from "./attachProtocol";
import { resultRefSchema } from "./compaction";
import { hookRunSchema } from "./hooks";
import { trustSchema } from "./manifest";
import { attachedTrustSchema, jsonSchema, loggedMessageSchema, messagePartSchema, usageSchema } from "./messages";
import { questionAnswerSchema, questionFormSchema } from "./question";
import { commandEndSchema, fileChangeSchema, stampSchema, toolErrorSchema, toolStatusSchema } from "./toolResult";
import { turnErrorSchema } from "./turnError";

/** What a turn's last answer says and the log does not show. */
const turnClaimSchema = z.object({
  /** the newest run failed, ended before the last change, or is missing; no such file was written; a bound check did not run */
  kind: z.enum(["failed", "stale", "notRun", "noSuchFile", "check"]),
  /** of the answer: what it says, or the path; of a check the command */
  words: z.string(),
  /** the newest run, and the number of its result */
  callId: z.string().optional(),
  seq: z.int().optional(),
  /** of a check: the person's sentence, and the file that it is in */
  sentence: z.string().optional(),
  file: z.string().optional(),
});
export type TurnClaim = z.infer<typeof turnClaimSchema>;

/** Why Strata sent a turn on: it had announced work, had said what the log does not show, or had left a bound check out. */
const wentOnSchema = z.object({ why: z.enum(["announced", "said", "check"]), words: z.string() });
export type WentOn = z.infer<typeof wentOnSchema>;

/** What every record has. */
export const base = {
  id: z.string(),
  /** counts from 1 in its session, without a gap: the number of the durable AgentEvent */
  seq: z.int().positive(),
  /** ms since the epoch; for people, never an order */
  ts: z.number(),
};

export const conversationRecords = [
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
  z.object({
    ...base,
    kind: z.literal("pending"),
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
    /** it has lines that others may have written: what the archive brought up, in a tail that stays */
    trust: z.literal("tool").optional(),
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
