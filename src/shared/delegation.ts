/** A task that an agent gives to another one: what it may take, and how far it is. */
import * as z from "zod";
import { trustSchema } from "./manifest";
import { usageSchema } from "./messages";

/** What a child may take, signed before it begins. Of all that it ever does, its own children included. */
const budgetSchema = z.object({
  /** in and out */
  tokens: z.int(),
  /** US dollars that so many tokens cost at most, about; absent: the price is not known */
  cost: z.number().optional(),
  minutes: z.number(),
  /** how many children of its own it may have */
  children: z.int(),
  model: z.string(),
  /** names, in their order */
  tools: z.array(z.string()),
  files: z.enum(["reads", "workspace", "worktree"]),
  /** that its commands reach in the sandbox; none: none */
  hosts: z.array(z.string()),
});
export type Budget = z.infer<typeof budgetSchema>;

/** A working tree beside the workspace. */
const worktreeSchema = z.object({
  /** absolute */
  path: z.string(),
  branch: z.string(),
});

const findingSchema = z.object({ path: z.string(), line: z.int(), words: z.string() });
export type Finding = z.infer<typeof findingSchema>;

/** The fields of a `child` record. */
export const childFields = {
  /** `changed`: it changed files of the workspace, of which its caller's review and rewinds know by this record */
  phase: z.enum(["begun", "changed", "ended"]),
  /** of the session that it is: its files lie below those of its caller's */
  childId: z.string(),
  /** the call that asked for it, with its message, "" where a person did; of `changed`: the child's own call */
  messageId: z.string(),
  callId: z.string(),
  /** of its caller, then */
  turn: z.int(),
  /** name of its kind: `explore` */
  agent: z.string(),
  /** what it is to do, in a few words */
  title: z.string(),
  /** its caller works on meanwhile */
  background: z.literal(true).optional(),
  /** of `begun` */
  budget: budgetSchema.optional(),
  /** of `begun`: absolute root of its own working tree */
  worktree: worktreeSchema.optional(),
  // Of `ended`. A child that was written to again ends again.
  reason: z.enum(["done", "stopped", "error", "limit", "interrupted"]).optional(),
  /** why, where it was not done: a sentence */
  why: z.string().optional(),
  /** since its last such record */
  usage: usageSchema.optional(),
  /** of work, since then; of `changed`: of the call */
  durationMs: z.number().optional(),
  /** what it says at its end, of one in the background: a blob */
  report: z.object({ sha256: z.string(), bytes: z.int() }).optional(),
  /** where its texts came from, where they are foreign */
  trust: trustSchema.optional(),
  /** of a review: faults and their places; lines count from 1 */
  findings: z.array(findingSchema).optional(),
  /** its working tree has changes, so it stays */
  keepsTree: z.literal(true).optional(),
};

/** How a child is now: live, never logged. */
export const childStateFields = {
  childId: z.string(),
  state: z.enum(["waiting", "running", "asking", "stopping"]),
  /** what it does now, in a line; "": it thinks */
  doing: z.string(),
  /** all that it ever took, its own children included */
  spent: usageSchema,
  /** ms since the epoch */
  startedAt: z.number(),
};

/** Which child asks, by the callId of a question in its root's log (`<childId>/<callId>`); undefined: a call of the session's own */
export const askerOf = (callId: string): string | undefined => /^(ses_\w+)\//.exec(callId)?.[1];

/** Of an opened child: the session that gave it its task. */
export const callerSchema = z.object({
  id: z.string(),
  /** what that session is called; "": it has no name yet */
  title: z.string(),
  /** name of the child's kind: `explore` */
  agent: z.string(),
});
export type Caller = z.infer<typeof callerSchema>;
