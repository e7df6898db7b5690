/** What a compaction would do, item by item (CONTEXT.md, section 5). Pure. */
import type { ResultRef } from "../../shared/compaction";

/**
 * verbatim: sent as before, in the turn that runs; kept: a finished round as before; folded: stays, observations of it become
 * one line each; summarised: gone from requests, the summary has its memory; pinned: stays since the user said so.
 */
export type Fate = "verbatim" | "kept" | "folded" | "summarised" | "pinned";

/** A round (user message to final answer), or, of the turn that runs, its first steps and the rest. */
export interface PlanItem {
  turn: number;
  /** its messages, in order */
  messageIds: string[];
  /** the user's words, for people; one line */
  title: string;
  fate: Fate;
  /** estimates, as sent now and after; 0 after for what is summarised */
  tokens: { before: number; after: number };
}

export interface CompactionPlan {
  /** all of history, oldest first: each message is in one item */
  items: PlanItem[];
  /** ids of the messages that go */
  removed: string[];
  folded: ResultRef[];
  rounds: { summarised: number; kept: number; pinned: number };
  /** estimates of a whole request: now, and after, with room for the new summary */
  tokens: { before: number; after: number };
  /** Why it is not worth it, for a person; absent: it is. */
  unneeded?: string;
}
