/** What a compaction leaves in the log (docs/context.md and docs/formats.md). */
import * as z from "zod";
import { storedGrantSchema } from "./approval";
import { trustSchema } from "./manifest";
import { usageSchema } from "./messages";
import { modelLimitsSchema, sessionModelSchema } from "./sessionModel";
import { permissionModes } from "./settingValues";
import { calibrationSchema } from "./tokenCount";
import { stampSchema, todoSchema } from "./toolResult";

/** A tool's result: call ids are the provider's, and some repeat them in every step. */
export const resultRefSchema = z.object({ messageId: z.string(), callId: z.string() });
export type ResultRef = z.infer<typeof resultRefSchema>;

/** A summary at the head of history. */
const summarySchema = z.object({
  id: z.string(),
  /** Markdown, as it is sent */
  text: z.string(),
  /** of the text: its handle is `obs:` and the first 12 */
  sha256: z.string(),
  /** first and last turn it is about */
  turns: z.object({ from: z.int(), to: z.int() }),
  /** first and last message it is about, and how many */
  sourceRange: z.object({ fromId: z.string(), toId: z.string(), count: z.int() }),
  /** ms since the epoch: of the first and the last message */
  startTs: z.number(),
  cutoffTs: z.number(),
});
export type Summary = z.infer<typeof summarySchema>;

const changedFileSchema = z.object({
  uri: z.string(),
  path: z.string(),
  created: z.boolean(),
  /** lines over all changes of the session */
  added: z.int(),
  removed: z.int(),
  /** sha256 as it was left last */
  sha256: z.string().optional(),
  /** turn of the last change */
  turn: z.int(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** The last command that failed and did not succeed since. */
const failingCommandSchema = z.object({
  command: z.string(),
  /** "exit 1", "timed out after 120 s" */
  ended: z.string(),
  /** what it printed of its error, one line */
  line: z.string().optional(),
  turn: z.int(),
});
export type FailingCommand = z.infer<typeof failingCommandSchema>;

/** The last call whose process died while it ran, until a turn ends well. */
const interruptedCallSchema = z.object({
  toolName: z.string(),
  /** its command, path or pattern; one line, may be empty */
  what: z.string(),
  turn: z.int(),
});
export type InterruptedCall = z.infer<typeof interruptedCallSchema>;

/** An edit that a person took back, or made again, since the model heard of it last. */
const untoldRevertSchema = z.object({
  path: z.string(),
  /** of the edit */
  turn: z.int(),
  direction: z.enum(["undo", "redo"]),
  /** what the model takes for so: the same again, and there is nothing to tell */
  known: z.enum(["undo", "redo"]),
  /** number of the `revert` record */
  seq: z.int(),
});
export type UntoldRevert = z.infer<typeof untoldRevertSchema>;

/** What a person took back of a file's changes, or put back, in a review, since the model heard of it last. */
const untoldReviewSchema = z.object({
  uri: z.string(),
  path: z.string(),
  action: z.enum(["undo", "restore"]),
  changes: z.int(),
  text: z.string(),
  /** number of the `review` record */
  seq: z.int(),
});
export type UntoldReview = z.infer<typeof untoldReviewSchema>;

/** What a turn counted so far, in records that may have gone. */
const turnSoFarSchema = z.object({
  turn: z.int(),
  steps: z.int(),
  toolCalls: z.int(),
  toolFailures: z.int(),
  /** of the calls; absent: none, or an earlier version counted */
  commands: z.int().optional(),
  usage: usageSchema,
  /** ms since the epoch; absent: nothing of the turn was logged */
  started: z.number().optional(),
  /** ms in which a question waited for the person; absent: none, or an earlier version counted */
  waitedMs: z.number().optional(),
});
export type TurnSoFar = z.infer<typeof turnSoFarSchema>;

const plansSchema = z.object({
  /** the newest that the model wrote, until a plan is carried out */
  proposed: z.object({ turn: z.int(), text: z.string() }).optional(),
  /** the newest that is carried out, until a turn ends with its todos done, or a person ends it */
  carriedOut: z.object({ turn: z.int(), text: z.string() }).optional(),
  /** title of one that a person ended, until the model was told */
  ended: z.string().optional(),
  /** what stands in L2 */
  standing: z.string().optional(),
});
export type Plans = z.infer<typeof plansSchema>;

/** What the conversation knows beside its messages, so that the live log needs no archive to be opened. */
const snapshotStateSchema = z.object({
  title: z.string(),
  pinned: z.boolean().optional(),
  mode: z.enum(permissionModes).optional(),
  model: sessionModelSchema.optional(),
  turn: z.int(),
  /** the highest number that a turn had on any branch; absent: that one */
  lastTurn: z.int().optional(),
  turnOpen: z.boolean(),
  runId: z.string(),
  step: z.int(),
  cwd: z.string().optional(),
  /** number of the newest background task that was started */
  lastTask: z.int().optional(),
  todos: z.array(todoSchema),
  pending: z.array(
    z.object({ pendingId: z.string(), delivery: z.enum(["steer", "queue"]), text: z.string(), held: z.boolean() }),
  ),
  stamps: z.record(z.string(), stampSchema),
  /** session approvals */
  grants: z.array(storedGrantSchema),
  /** where the content came from that entered since the user's last message; absent: from the user alone */
  contentFrom: z.array(trustSchema).optional(),
  /** the first of it that nobody here answers for: what gave it, in a line */
  untrusted: z.string().optional(),
  pins: z.array(z.int()),
  fingerprints: z.array(z.string()),
  /** what was injected in the newest run: these, so often */
  injected: z.object({ fingerprints: z.array(z.string()), times: z.int() }).optional(),
  /** rules of folders below the roots that belong to L2 from here on: `src/AGENTS.md` */
  nestedRules: z.array(z.string()),
  /** tools that were looked for and found, in this order; absent: none */
  foundTools: z.array(z.string()).optional(),
  /** names of skills that belong to L2 from here on; absent: none */
  activeSkills: z.array(z.string()).optional(),
  plans: plansSchema.optional(),
  /** the session's first words of the user, at most 500 characters */
  goal: z.string(),
  changed: z.array(changedFileSchema),
  failing: failingCommandSchema.optional(),
  interrupted: interruptedCallSchema.optional(),
  untold: z.record(z.string(), untoldRevertSchema).optional(),
  /** oldest first */
  untoldReviews: z.array(untoldReviewSchema).optional(),
  usage: usageSchema.optional(),
  /** by all answers, summaries and a title before; absent: an earlier version wrote it */
  spent: usageSchema.optional(),
  /** absent: nothing was counted, or an earlier version wrote it */
  calibration: calibrationSchema.optional(),
  modelLimits: modelLimitsSchema.optional(),
  /** of the turn that runs */
  soFar: turnSoFarSchema.optional(),
});
export type SnapshotState = z.infer<typeof snapshotStateSchema>;

// The ledger: what people said in turns that left requests.

/** Where words come from. */
const saidSchema = z.object({
  /** a message, an answer to a question, a decision about a call */
  recordId: z.string(),
  turn: z.int(),
  /** the question that they answer: the agent's wording */
  asked: z.string().optional(),
  /** They are options that the agent offered: the person chose them, the wording is the agent's. */
  chosen: z.literal(true).optional(),
  /** the tool whose call they deny */
  denied: z.string().optional(),
});
export type StatementSource = z.infer<typeof saidSchema>;

const ledgerPieceSchema = z.object({
  /** verbatim but for whitespace */
  text: z.string(),
  /** something before it is left out */
  gap: z.literal(true).optional(),
  /** somebody else may have written it: code, a log, a quoted line; of older versions only */
  foreign: z.enum(["block", "line"]).optional(),
});
export type LedgerPiece = z.infer<typeof ledgerPieceSchema>;

const ledgerEntrySchema = saidSchema.extend({
  /** in their order */
  pieces: z.array(ledgerPieceSchema),
  /** something behind the last piece is left out; of older versions only */
  cut: z.literal(true).optional(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** The ledger as one compaction left it; older versions had several pages. */
const ledgerPageSchema = z.object({
  id: z.string(),
  /** first and last turn of what was said */
  turns: z.object({ from: z.int(), to: z.int() }),
  /** oldest first */
  entries: z.array(ledgerEntrySchema),
  /** how often something was said of which no word is here */
  unsaid: z.int(),
  /** All that was said, whole, each in a blob that a handle leads to; oldest first. */
  whole: z.array(
    z.object({
      turns: z.object({ from: z.int(), to: z.int() }),
      raw: z.object({ sha256: z.string(), bytes: z.int(), inline: z.literal(false) }),
    }),
  ),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;

export const compactionReasonSchema = z.enum(["threshold", "manual", "context-too-long"]);
export type CompactionReason = z.infer<typeof compactionReasonSchema>;

/** Why the newest summary has no words of a model; the code-written parts stand all the same. */
export const summaryFailureSchema = z.enum(["timeout", "failed", "unusable", "nothing-fits"]);
export type SummaryFailure = z.infer<typeof summaryFailureSchema>;

export const roundsSchema = z.object({
  /** counts those of which a part went too */
  summarised: z.int(),
  kept: z.int(),
  pinned: z.int(),
});
export type Rounds = z.infer<typeof roundsSchema>;

export const compactionFields = {
  reason: compactionReasonSchema,
  /** the user's guidance, from `/compact words` */
  guidance: z.string().optional(),
  /** name of the file with the records that went: `archive/0001.jsonl` */
  archive: z.string(),
  /** of that file, which never changes */
  archiveSha256: z.string().optional(),
  /** ids of the messages that no request has from here on */
  removed: z.array(z.string()),
  /** observations of what stays that are folded from here on */
  folded: z.array(resultRefSchema),
  /** all that stand in requests from here on, oldest first; the last one is new */
  summaries: z.array(summarySchema),
  /** what people said in turns that left, as it stands in requests from here on; absent: an earlier version wrote it */
  ledger: z.array(ledgerPageSchema).optional(),
  failure: z.object({ code: summaryFailureSchema, message: z.string() }).optional(),
  /** what the model's words cost, over all tries */
  usage: usageSchema.optional(),
  /** of a request's estimate */
  tokens: z.object({ before: z.int(), after: z.int() }),
  /**
   * In the provider's count, as people see it: what the last request before took, and about what the next one will take. Absent:
   * the provider had counted nothing yet.
   */
  counted: z.object({ before: z.int(), after: z.int() }).optional(),
  rounds: roundsSchema,
  durationMs: z.number(),
  snapshot: snapshotStateSchema,
};
