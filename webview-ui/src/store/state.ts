/** What stands in the conversation as the panel shows it, by kind. */
import type { CompactionPhase, SessionState } from "../../../src/shared/events";
import type { Json } from "../../../src/shared/messages";
import type { ContextUse, PanelResult, PanelSurroundings } from "../../../src/shared/panelProtocol";
import type { ApprovalAction, ApprovalAnswer, RecordOf, TurnError } from "../../../src/shared/records";
import type { PermissionMode } from "../../../src/shared/settings";
import type { BackgroundTaskInfo } from "../../../src/shared/tasks";
import type { FileChange, Todo, ToolStatus } from "../../../src/shared/toolResult";

/** What went out with a user's message beside its words: problems, a selection, … */
export interface Attached {
  messageId: string;
  /** "problems" */
  name: string;
  /** "2 errors in 1 file", or a sentence that says why there is nothing */
  title: string;
  empty: boolean;
}

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

interface ToolOutcome {
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
interface NoteItem {
  kind: "note";
  key: string;
  level: "info" | "warning" | "error";
  text: string;
}

/** An image that the agent read: the model has it as a message, the reader as one line. */
interface ImageItem {
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
type CompactionRecord = RecordOf<"compaction">;

export type Item = UserItem | AnswerItem | AttemptItem | ToolItem | NoteItem | ImageItem | EndItem | CompactionItem;
export type ItemKind = Item["kind"];
export type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }>;

/**
 * What the panel knows: a projection of the session's records and of what streams now. Nothing here is a second truth; a
 * snapshot rebuilds all of it. Every part is immutable and shared between states, so that a component renders again only
 * when its own part changed; what streams (`live`, `outputs`) stands apart from the items for the same reason.
 */

/** Neighbouring items that are rendered together: a change renders one chunk, not the conversation. */
export interface Chunk {
  readonly key: string;
  readonly items: readonly Item[];
}

/** What streams of the model request under way. */
export interface Live {
  requestId: string;
  text: string;
  reasoning: string;
  /** characters of each call's input that have come */
  callChars: Readonly<Record<string, number>>;
}

export interface Pending {
  pendingId: string;
  delivery: "steer" | "queue";
  text: string;
  /** Its turn ended otherwise than done: it waits until the person sends it. */
  held: boolean;
}

export interface Retry {
  message: string;
  attempt: number;
  attempts: number;
  /** when the request goes out again: ms since the epoch */
  at: number;
}

/** A compaction under way, or how it ended, until something else comes. */
export interface Progress extends Pick<CompactionRecord, "reason"> {
  phase: CompactionPhase;
  /** by the host's clock, ms since the epoch: tells one from another */
  startedAt: number;
  /** by the panel's clock where it saw the beginning */
  since: number;
  tokens: { before: number; after?: number | undefined };
  rounds: CompactionRecord["rounds"] | null;
  message: string | null;
  /** its mark is in the conversation */
  marked: boolean;
}

interface Counters {
  /** model calls of the turn under way */
  step: number;
  /** when the turn under way began: ms since the epoch, by the panel's clock where it saw the beginning */
  startedAt: number | null;
}

/** What the host says of a turn's files. */
export type TurnChanges = PanelResult<"turnChanges">;

/** An edit of a file, as far as the list of a turn's files needs it. */
export interface KnownEdit extends Pick<FileChange, "uri" | "path" | "created" | "added" | "removed"> {
  /** `editKey` */
  key: string;
  deleted: boolean;
}

/** The session that is shown. */
export interface Session {
  sessionId: string;
  readOnly: boolean;
  title: string;
  mode: PermissionMode;
  run: SessionState;
  chunks: readonly Chunk[];
  live: Live | null;
  /** live output of tools by call id; the newest `MAX_OUTPUT_CHARS` characters */
  outputs: Readonly<Record<string, string>>;
  pending: readonly Pending[];
  todos: readonly Todo[];
  /** commands in the background: those that run, and those whose end nobody has dismissed; oldest first */
  tasks: readonly BackgroundTaskInfo[];
  /** calls that wait for an answer, oldest first */
  questions: readonly string[];
  retry: Retry | null;
  counters: Counters;
  /** null before the first request */
  context: ContextUse | null;
  progress: Progress | null;
  /** those whose records are loaded, oldest first */
  compactions: readonly CompactionItem[];
  /** by the id of a compaction that was undone or redone: which of both, when (ms since the epoch), and its number */
  undone: Readonly<Record<string, { undone: boolean; at: number; seq: number }>>;
  /** one was undone: none happens by itself */
  compactionHeld: boolean;
  /** turns that no compaction summarises */
  pins: readonly number[];
  /** the newest turn; 0: none */
  turn: number;
  /** edits whose records are loaded, by turn, oldest first */
  changes: Readonly<Record<number, readonly KnownEdit[]>>;
  /** by `editKey`: edits that were undone (true), or made again */
  undoneEdits: Readonly<Record<string, boolean>>;
  /** what the host said of a turn's files */
  turnFiles: Readonly<Record<number, TurnChanges>>;
  /** turns whose list of files is open */
  openChanges: readonly number[];
  /** turn → key of its newest end: a turn that goes on ends twice */
  ends: Readonly<Record<number, string>>;
  /** key of the newest end of a turn while nothing came after it: its actions still make sense */
  lastEnd: string | null;
  /** what Up brings back */
  lastPrompt: string | null;
  /** highest record number seen; 0: none */
  lastSeq: number;
  /** lowest number of a record that has a place in the conversation; what `older` asks before */
  firstSeq: number | null;
  hasOlder: boolean;
}

export interface PanelState {
  phase: "loading" | "open" | "failed";
  /** why it failed */
  problem: string | null;
  session: Session;
  surroundings: PanelSurroundings | null;
  /** a request that was refused or lost, in words for a person */
  notice: string | null;
  /** records were missed: open again */
  gap: boolean;
}

/** Live output kept for a card; the whole is in the result. */
export const MAX_OUTPUT_CHARS = 20_000;

export const emptySession: Session = {
  sessionId: "",
  readOnly: false,
  title: "",
  mode: "ask",
  run: "idle",
  chunks: [],
  live: null,
  outputs: {},
  pending: [],
  todos: [],
  tasks: [],
  questions: [],
  retry: null,
  counters: { step: 0, startedAt: null },
  context: null,
  progress: null,
  compactions: [],
  undone: {},
  compactionHeld: false,
  pins: [],
  turn: 0,
  changes: {},
  undoneEdits: {},
  turnFiles: {},
  openChanges: [],
  ends: {},
  lastEnd: null,
  lastPrompt: null,
  lastSeq: 0,
  firstSeq: null,
  hasOlder: false,
};

export const initialState: PanelState = {
  phase: "loading",
  problem: null,
  session: emptySession,
  surroundings: null,
  notice: null,
  gap: false,
};
