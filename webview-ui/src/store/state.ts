/**
 * The panel's state: a projection of the session's records and of the running stream; a snapshot rebuilds it. Parts are
 * immutable and shared between states, so that a component renders only when its part changed. Streams (`live`, `outputs`)
 * are kept apart from the items for that reason.
 */
import type { KeptPicture } from "../../../src/shared/attachProtocol";
import type { Caller } from "../../../src/shared/delegation";
import type { CompactionRecord } from "../../../src/shared/entry";
import type { AgentEventOf, SessionState } from "../../../src/shared/events";
import type { Json } from "../../../src/shared/messages";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type {
  ContextUsage,
  Forks,
  PanelSnapshot,
  PanelSurroundings,
  ReviewFile,
} from "../../../src/shared/panelSnapshot";
import type { LogRecord, RecordOf } from "../../../src/shared/records";
import type { PermissionMode } from "../../../src/shared/settingValues";
import type { BackgroundTaskInfo } from "../../../src/shared/tasks";
import type { FileChange, Todo, ToolStatus } from "../../../src/shared/toolResult";

type ItemBase<K extends string> = { kind: K; key: string };

/** What went out with a user's message beside its words: problems, a selection, … */
export interface MessageAttachment extends Pick<RecordOf<"attachment">, "messageId" | "name" | "title"> {
  empty: boolean;
}

/** A user's message; `steer`: sent while a turn was running. */
export interface UserItem extends ItemBase<"user"> {
  text: string;
  turn: number;
  steer: boolean;
  /** ms since the epoch */
  ts: number;
  pictures: readonly KeptPicture[];
  attachments: readonly MessageAttachment[];
  /** the files and folders that were found when it was sent, as its reminder names them */
  found: readonly string[];
}

/** What the model wrote in one step. While `live`, its text is in `PanelState.live`. */
export interface AnswerItem extends ItemBase<"answer"> {
  text: string;
  reasoning: string;
  /** ms that it thought; null: not known */
  thoughtMs: number | null;
  live: boolean;
  stopped: boolean;
  /** why it was cut off: then it is not sent on; null: it was not */
  cutOff: string | null;
  /** the plan that its text ends with, and where that begins */
  plan: { from: number; item: PlanItem } | null;
  /** 0: not known */
  turn: number;
}

/** `writing`: the model is still writing the call; `waiting`: it is complete and does not run yet. */
export type ToolPhase = "writing" | "waiting" | "running" | "asking" | ToolStatus | "interrupted";

export type ApprovalState = RecordOf<"approval">;

export type QuestionState = RecordOf<"question">;

/** Its key is the call's id, which some servers give again and again. */
export interface ToolItem extends ItemBase<"tool"> {
  /** its answer's key and its own; its key alone where that answer is not loaded */
  id: string;
  toolName: string;
  /** null while it is being written, or when the message that holds the call is not loaded */
  input: Json | null;
  /** what the tool says it does; null until it starts */
  title: string | null;
  phase: ToolPhase;
  /** what came of it; null: nothing yet */
  outcome: RecordOf<"result"> | null;
  approval: ApprovalState | null;
  /** the newest question in it that allows nothing */
  question: QuestionState | null;
  /** that question in full, where its record hides secrets */
  exactForm: AgentEventOf<"form"> | null;
  /** the question as it runs, where its record hides secrets */
  exact: AgentEventOf<"question"> | null;
  /** of the agent that the call gave a task to */
  childId?: string;
}

/** An agent that works for this one. */
export interface ChildView {
  /** null: its record is not loaded */
  begun: RecordOf<"child"> | null;
  /** its records that have changes of files, oldest first */
  changed: readonly RecordOf<"child">[];
  /** It ends once more after each time that a person wrote to it. */
  ended: readonly RecordOf<"child">[];
  /** null: it does not work */
  live: AgentEventOf<"child"> | null;
}

/** Files, the conversation or both went back to before a message. */
type RewindItem = ItemBase<"rewind"> & { record: RecordOf<"rewind"> };

/** Something worth knowing later too, in a line: a repair, a file that was cut, an image that the agent read. */
interface NoteItem extends ItemBase<"note"> {
  text: string;
  icon: RecordOf<"note">["level"] | "file-media";
  /** what a person can do about it */
  remedy?: "show-hooks";
}

export interface EndItem extends ItemBase<"end">, Omit<RecordOf<"turnEnd">, "kind"> {
  /** its last command failed, or its last call of any kind */
  lastFailed: "command" | "call" | undefined;
}

/** The place where history was compacted, for good. Whether it was undone is in `SessionView.undone`. */
export interface CompactionItem extends ItemBase<"compaction">, Omit<CompactionRecord, "kind"> {
  /** tokens of a request, about */
  saved: number;
}

/** A plan that the model proposed, or that is carried out. */
export interface PlanItem extends ItemBase<"plan">, Omit<RecordOf<"plan">, "kind"> {
  /** the person ended it before it was carried out */
  ended?: boolean;
}

export type ConversationItem =
  | UserItem
  | AnswerItem
  | ToolItem
  | NoteItem
  | EndItem
  | CompactionItem
  | PlanItem
  | RewindItem;
type ItemKind = ConversationItem["kind"];
export type ItemOf<K extends ItemKind> = Extract<ConversationItem, { kind: K }>;

/** Neighbouring items that are rendered together: a change renders one chunk, not the conversation. */
export type Chunk = { readonly key: string; readonly items: readonly ConversationItem[] };

/** What streams of the model request under way. */
export interface LiveAnswer {
  requestId: string;
  /** when a part came last, else when it went out: ms since the epoch */
  heard: number;
  text: string;
  reasoning: string;
  /** ms since the epoch: when the thought under way began; ms of those before it */
  thinkingSince: number | null;
  thoughtMs: number | null;
  /** characters of each call's input that have come */
  callChars: Readonly<Record<string, number>>;
}

export interface WaitingMessage extends Pick<RecordOf<"pending">, "pendingId" | "delivery" | "text"> {
  /** Its turn ended otherwise than done: it waits until the person sends it. */
  held: boolean;
}

/** `at`: when the request goes out again, ms since the epoch */
type Retry = Pick<AgentEventOf<"retry">, "message" | "attempt" | "attempts"> & { at: number };

/** A compaction under way. */
export interface CompactionState extends Pick<CompactionRecord, "reason"> {
  /** by the host's clock, ms since the epoch: tells one from another */
  startedAt: number;
  /** by the panel's clock where it saw the beginning */
  since: number;
  tokens: { before: number; after?: number | undefined };
}

/** What the host says of a turn's files. */
export type TurnChanges = PanelResult<"turnChanges">;

/** An edit of a file, as far as the list of a turn's files needs it. */
export interface KnownEdit extends Pick<FileChange, "uri" | "path" | "created" | "added" | "removed"> {
  /** `editKey` */
  key: string;
  /** of the record that has it */
  seq: number;
  deleted: boolean;
}

/** Changes of a file that were kept, taken back or made again. */
export type ReviewStep = RecordOf<"review">;

/** The session that is shown, before it has a record. */
export const emptySession = {
  sessionId: "",
  readOnly: false as boolean,
  /** why, where that is not another window; "": it is */
  obstacle: "",
  /** another window deleted it */
  deleted: false as boolean,
  title: "",
  mode: "ask" as PermissionMode,
  run: "idle" as SessionState,
  /** that are loaded, by their numbers */
  records: [] as readonly LogRecord[],
  items: [] as readonly ConversationItem[],
  /** the items as they are drawn (store/looks.ts) */
  chunks: [] as readonly Chunk[],
  live: null as LiveAnswer | null,
  /** live output of tools by call id; the newest `MAX_OUTPUT_CHARS` characters */
  outputs: {} as Readonly<Record<string, string>>,
  pending: [] as readonly WaitingMessage[],
  todos: [] as readonly Todo[],
  /** the turn that wrote the todo list last; 0: one before those that are loaded */
  todosTurn: 0,
  /** the plan that is carried out: every request has it until it ends */
  plan: null as NonNullable<PanelSnapshot["plan"]> | null,
  /** commands in the background: those that run, and those that ended and were not dismissed; oldest first */
  tasks: [] as readonly BackgroundTaskInfo[],
  /** agents that work for this one, or did, by their ids */
  children: {} as Readonly<Record<string, ChildView>>,
  /** for whom this one works; null: for the person */
  caller: null as Caller | null,
  /** files with changes to review; the one changed last at the end */
  review: [] as readonly ReviewFile[],
  /** calls that wait for an answer, oldest first */
  questions: [] as readonly string[],
  retry: null as Retry | null,
  /** Of the turn under way: its model calls, and when it began: ms since the epoch, by the panel's clock where it saw that. */
  /** `startedAt` moves on by what the turn waited for the person; `askedAt`: the first of the questions that are open */
  counters: { step: 0, startedAt: null as number | null, askedAt: 0 },
  /** null before the first request */
  context: null as ContextUsage | null,
  progress: null as CompactionState | null,
  /** those whose records are loaded, oldest first */
  compactions: [] as readonly CompactionItem[],
  /** by the id of a compaction that was undone or redone: which of both, and when (ms since the epoch) */
  undone: {} as Readonly<Record<string, { undone: boolean; at: number }>>,
  /** the rewind that can be undone */
  rewound: null as string | null,
  /** where the conversation forked */
  forks: [] as Forks,
  /** turns that no compaction summarises */
  pins: [] as readonly number[],
  /** each no that holds */
  denials: [] as NonNullable<PanelSnapshot["denials"]>,
  /** the newest turn; 0: none */
  turn: 0,
  /** edits whose records are loaded, by turn, oldest first */
  changes: {} as Readonly<Record<number, readonly KnownEdit[]>>,
  /** by `editKey`: edits that were undone (true), or made again */
  undoneEdits: {} as Readonly<Record<string, boolean>>,
  /** by file, oldest first: what a person did in its reviews */
  reviews: {} as Readonly<Record<string, readonly ReviewStep[]>>,
  /** what the host said of a turn's files */
  turnFiles: {} as Readonly<Record<number, TurnChanges>>,
  /** by the id of a rewind of files that are loaded: the turns whose files it put back; null: it was undone */
  wentBack: {} as Readonly<Record<string, { from: number; upTo: number } | null>>,
  /** turn → key of its newest end: a continued turn ends twice */
  ends: {} as Readonly<Record<number, string>>,
  /** key of the newest end of a turn while nothing came after it: its actions still make sense */
  lastEnd: null as string | null,
  /** what Up brings back */
  lastPrompt: null as string | null,
  /** by turn: the message that began it, where it is loaded */
  prompts: {} as Readonly<Record<number, UserItem>>,
  /** turns that began by carrying out a plan: its box says so */
  carriedOut: [] as readonly number[],
  /** key of the newest plan, where it is one that was proposed: it can be carried out */
  openPlan: null as string | null,
  /** highest record number seen; 0: none */
  lastSeq: 0,
  /** lowest number of a loaded record: `older` asks before it */
  firstSeq: null as number | null,
  hasOlder: false as boolean,
};
export type SessionView = typeof emptySession;

export const initialState = {
  phase: "loading" as "loading" | "open" | "failed",
  /** why it failed */
  problem: null as string | null,
  session: emptySession,
  surroundings: null as PanelSurroundings | null,
  /** by the id of a question: its change as the person made it in the diff editor */
  revised: {} as Readonly<Record<string, FileChange>>,
  /** ids of this window's sessions that wait for an answer */
  waiting: [] as readonly string[],
  /** how often the host said that a list of sessions is out of date */
  sessionChanges: 0 as number,
  notice: null as Notice | null,
  /** records were missed: open again */
  gap: false as boolean,
};
export type PanelState = typeof initialState;

/** Words for a person: a `problem` is a request that was refused or lost, an `answer` what was asked for. */
export type Notice = { kind: "problem" | "answer"; text: string };

/** Live output kept for a card; the whole is in the result. */
export const MAX_OUTPUT_CHARS = 20_000;
