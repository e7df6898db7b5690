/**
 * What a session tells those who watch it, in one stream (ARCHITECTURE.md, "The one flow"). `record` events are durable: the
 * record was synced before the event was sent, its number orders it, and a reader who missed it finds it in the log. All
 * others are live: no number, never replayed. `strata run --json` prints them, one a line.
 */
import * as z from "zod";
import { approvalDetailSchema } from "./approval";
import { compactionReasonSchema, roundsSchema } from "./compaction";
import { childStateFields } from "./delegation";
import { questionFormSchema } from "./question";
import { recordSchema } from "./records";
import { taskSchema } from "./tasks";
import { turnErrorSchema } from "./turnEnd";

export const sessionStateSchema = z.enum(["idle", "running", "asking", "stopping"]);
export type SessionState = z.infer<typeof sessionStateSchema>;

/** How far a compaction is. The last is one of done, cancelled, failed, unneeded; "done" comes after its record. */
const compactionPhaseSchema = z.enum([
  ...["planning", "summarising", "checking", "committing"],
  ...["done", "cancelled", "failed", "unneeded"],
] as const);
export type CompactionPhase = z.infer<typeof compactionPhaseSchema>;

/** Tokens of a layer of a request (docs/context.md): an estimate. */
const requestLayerSchema = z.object({ layer: z.enum(["L1", "L2", "L3", "turn", "tail"]), tokens: z.int() });

const event = <const T extends string, Fields extends z.core.$ZodLooseShape>(type: T, fields: Fields) =>
  z.object({ type: z.literal(type), ...fields });

export const agentEventSchema = z.discriminatedUnion("type", [
  /** First in a stream. */
  event("session", {
    version: z.literal(1),
    sessionId: z.string(),
    /** here it can only be read: another window writes it, or there is an obstacle */
    readOnly: z.boolean(),
    /** why it can only be read, where that is not another window: a sentence. Absent: not so */
    obstacle: z.string().optional(),
    /** it was deleted meanwhile, and can be brought back; absent: not so */
    deleted: z.literal(true).optional(),
  }),
  event("record", { record: recordSchema }),
  event("state", { state: sessionStateSchema }),
  /** A model request is about to leave. Tokens are estimates until usage comes with the message. */
  event("request", {
    requestId: z.string(),
    turn: z.int(),
    step: z.int(),
    attempt: z.int(),
    model: z.string(),
    estimatedTokens: z.int(),
    contextWindow: z.int(),
    /** in their order */
    layers: z.array(requestLayerSchema).optional(),
  }),
  /** A compaction under way. Nothing is sent until it ended. */
  event("compaction", {
    phase: compactionPhaseSchema,
    reason: compactionReasonSchema,
    /** ms since the epoch */
    startedAt: z.number(),
    /** estimates of a request: now, and as planned or, in the end, as made */
    tokens: z.object({ before: z.int(), after: z.int().optional() }),
    rounds: roundsSchema.optional(),
    /** for a person: why it failed, or why there was nothing to do */
    message: z.string().optional(),
  }),
  event("text", { requestId: z.string(), delta: z.string() }),
  event("reasoning", { requestId: z.string(), delta: z.string() }),
  /** The model is writing the input of a call; `chars` is how much has come. */
  event("callInput", { requestId: z.string(), callId: z.string(), toolName: z.string(), chars: z.int() }),
  /**
   * Comes before the record of a question in which secrets are hidden: the question as it has to be shown, for exactly that
   * runs. It is never logged, and not told where no person can answer.
   */
  event("question", {
    approvalId: z.string(),
    callId: z.string(),
    toolName: z.string(),
    title: z.string(),
    detail: approvalDetailSchema,
  }),
  /** The same of a question that allows nothing, where a server asks it: an address that is opened is shown whole. */
  event("form", { questionId: z.string(), callId: z.string(), toolName: z.string(), form: questionFormSchema }),
  /** A tool runs now; `title` says what it does, in words for the card. */
  event("toolStart", { callId: z.string(), toolName: z.string(), title: z.string() }),
  /** Live output of a tool, in arrival order; bounded, the whole is in the result. */
  event("output", { callId: z.string(), stream: z.enum(["stdout", "stderr"]), text: z.string() }),
  /**
   * How a command in the background is: when it started, ended, and now and then while it prints. `dismissed`: it ended, and
   * no list has it any more.
   */
  event("task", { ...taskSchema.shape, dismissed: z.literal(true).optional() }),
  /** How a child is: told when it changes, a few times a second at most. */
  event("child", childStateFields),
  /** Something failed that could not even be logged (the disk is full): the only live error. */
  event("failure", { error: turnErrorSchema }),
  /** The request failed and goes out again after `delayMs`. What had streamed is an `attempt` record by now. */
  event("retry", {
    requestId: z.string(),
    attempt: z.int(),
    attempts: z.int(),
    delayMs: z.int(),
    code: z.string(),
    message: z.string(),
  }),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;
