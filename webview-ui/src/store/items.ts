/** What stands in the conversation as the panel shows it, by kind. */
import type { Json } from "../../../src/shared/messages";
import type { ApprovalAction, ApprovalAnswer, RecordOf, TurnError } from "../../../src/shared/records";
import type { FileChange, ToolStatus } from "../../../src/shared/toolResult";
import type { Attached } from "./attached";

/** A user's message; `steer`: sent while a turn was running. */
export interface UserItem {
  kind: "user";
  key: string;
  text: string;
  turn: number;
  steer: boolean;
  /** names of images that came with it */
  files: readonly string[];
  attachments: readonly Attached[];
  /** the files and folders that were found when it was sent, as its reminder names them */
  found: readonly string[];
}

/** What the model wrote in one step. While `live`, its text is in `PanelState.live`. */
export interface AnswerItem {
  kind: "answer";
  key: string;
  text: string;
  reasoning: string;
  live: boolean;
  stopped: boolean;
}

/** An answer that was cut off and not sent on. */
export interface AttemptItem {
  kind: "attempt";
  key: string;
  text: string;
  reason: string;
}

/** `writing`: the model is still writing the call; `waiting`: it is complete and does not run yet. */
export type ToolPhase = "writing" | "waiting" | "running" | "asking" | ToolStatus | "interrupted";

export interface ToolOutcome {
  status: ToolStatus;
  digest: string;
  /** what went wrong, for a person */
  error: string | null;
  code: string | null;
  durationMs: number;
  changes: readonly FileChange[];
  /** of the message that holds the call */
  messageId: string;
}

export interface ApprovalState {
  approvalId: string;
  action: ApprovalAction;
  answer: ApprovalAnswer | null;
}

export interface ToolItem {
  kind: "tool";
  /** the call's id */
  key: string;
  toolName: string;
  /** null while it is being written, or when the message that holds the call is not loaded */
  input: Json | null;
  /** what the tool says it does; null until it starts */
  title: string | null;
  phase: ToolPhase;
  outcome: ToolOutcome | null;
  approval: ApprovalState | null;
}

/** Something worth knowing later too: a repair, a summary, a file that was cut. */
export interface NoteItem {
  kind: "note";
  key: string;
  level: "info" | "warning" | "error";
  text: string;
}

/** An image that the agent read: the model has it as a message, the reader as one line. */
export interface ImageItem {
  kind: "image";
  key: string;
  /** its path, as the agent named it */
  name: string;
}

export interface EndItem {
  kind: "end";
  key: string;
  reason: "done" | "stopped" | "error" | "limit" | "interrupted";
  error: TurnError | null;
  steps: number;
  toolFailures: number;
  durationMs: number;
  turn: number;
}

/** The place where history was compacted, for good. Whether it was undone since is in `Session.undone`. */
export interface CompactionItem extends Pick<CompactionRecord, "reason" | "tokens" | "rounds" | "ts"> {
  kind: "compaction";
  /** the record's id */
  key: string;
  seq: number;
  guidance: string | null;
  /** why the summary has no words of a model, for a person */
  failure: string | null;
  /** observations of what stays that were folded */
  folded: number;
  /** what went: the rounds of these turns that were not pinned then */
  turns: { from: number; to: number } | null;
  pins: readonly number[];
}
export type CompactionRecord = RecordOf<"compaction">;

export type Item = UserItem | AnswerItem | AttemptItem | ToolItem | NoteItem | ImageItem | EndItem | CompactionItem;
export type ItemKind = Item["kind"];
export type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }>;
