/** What a session knows: the projection of its log, made by `project` and by nothing else (ARCHITECTURE.md, rule 1). */

import type { ApprovalAction, Grant } from "../../shared/approval";
import type { KeptPicture } from "../../shared/attachProtocol";
import type {
  ChangedFile,
  FailingCommand,
  InterruptedCall,
  LedgerPage,
  Plans,
  ResultRef,
  Summary,
  UntoldRevert,
  UntoldReview,
} from "../../shared/compaction";
import type { LoggedDenial } from "../../shared/denial";
import { t } from "../../shared/l10n";
import type { Trust } from "../../shared/manifest";
import type { Json, StrataMessage, ToolCallPart, Usage } from "../../shared/messages";
import { answerText } from "../../shared/question";
import type { NewRecord, RecordOf } from "../../shared/records";
import type { ModelLimits, SessionModel } from "../../shared/sessionModel";
import type { PermissionMode } from "../../shared/settingValues";
import type { Calibration, CountedAnswer } from "../../shared/tokenCount";
import type { ErrorCode, Stamp, Todo, ToolStatus } from "../../shared/toolResult";
import type { TurnError } from "../../shared/turnEnd";
import { oneLine } from "../ground/text/format";

/** What a finished tool part holds as its output in the projection. */
export interface ToolOutput {
  status: ToolStatus;
  shown: string;
  kept: string;
  folded: string;
  /** of the call, once its turn has settled; absent: as it was made */
  input?: Json;
  /** It was folded: sent so wherever it stands. */
  isFolded?: boolean;
  /** It stays as shown where its turn has settled. */
  isWhole?: boolean;
}

/** Text of a file that stands whole in the turn that runs. */
export interface StandingRead extends ResultRef {
  step: number;
  sha256: string;
  /** lines (cells of a notebook), from 1 */
  first: number;
  last: number;
  /** of the result, with the whole text: `obs:…` */
  handle: string;
}

export interface PendingMessage {
  pendingId: string;
  delivery: "steer" | "queue";
  text: string;
  /** that go with it; absent: none */
  pictures?: readonly KeptPicture[] | undefined;
  /** Its turn ended otherwise than done: it waits until the person sends it. */
  held: boolean;
}

export class Conversation {
  messages: StrataMessage[] = [];
  /** the newest turn whose results are sent as kept; those of later ones are sent as shown */
  settled = 0;
  brief = new Set<number>();
  turn = 0;
  /** the highest number that a turn ever had, on any branch */
  lastTurn = 0;
  turnOpen = false;
  /** runId and steps of the newest turn */
  runId = "";
  step = 0;
  /** folder in which the last command ended; undefined: where the session began */
  declare cwd?: string;
  declare end?: RecordOf<"turnEnd">;
  title = "";
  declare pinned?: boolean | undefined;
  declare mode?: PermissionMode;
  /** what the session chose for itself; undefined: as the settings have it */
  declare model?: SessionModel;
  todos: Todo[] = [];
  pending: PendingMessage[] = [];
  stamps = new Map<string, Stamp>();
  grants: Grant[] = [];
  /** each no that holds, oldest first */
  denials: LoggedDenial[] = [];
  /** where the content came from that entered since the user's last message */
  contentFrom = new Set<Trust>();
  /** the first of these that nobody here answers for: what gave it, in a line */
  declare untrusted?: string | undefined;
  asked = new Map<string, ApprovalAction>();
  /** by call: what the agent asked the person in this turn, until the call has its result */
  questions = new Map<string, RecordOf<"question">>();
  declare usage?: Usage;
  /** by all its answers, its summaries and its title */
  spent: Usage = { input: 0, output: 0 };
  /** what the budget goes on from */
  declare lastAnswer?: CountedAnswer;
  declare calibration?: Calibration;
  modelLimits: ModelLimits = {};
  /** at the head of history, oldest first */
  summaries: Summary[] = [];
  /** what people said in turns that left; undefined: no compaction of this version was done */
  declare ledger?: LedgerPage[] | undefined;
  /** turns that no compaction summarises */
  pins = new Set<number>();
  /** compactions that were undone: their records have no effect */
  undone = new Set<string>();
  /** the newest compaction that has an effect: what it left of a request, estimated, and the turn it was done in */
  declare compacted?: { id: string; tokens: number; turn: number };
  /** After an undo: none happens by itself until the user or the provider asks for it. */
  compactionHeld = false;
  /** the session's first words of the user, at most 500 characters */
  goal = "";
  /** number of the newest background task that was started; absent: none ever was */
  declare lastTask?: number;
  /** by URI */
  changed = new Map<string, ChangedFile>();
  declare failing?: FailingCommand;
  declare interrupted?: InterruptedCall;
  /** by URI, oldest first: reads of the newest turn that stand whole */
  reads = new Map<string, StandingRead[]>();
  /** results of the newest turn that point to the text of an earlier one instead of repeating it, oldest first */
  restated: { messageId: string; step: number; of: ResultRef }[] = [];
  /** fingerprint → the run in which it was injected last */
  injected = new Map<string, string>();
  /** injected texts: message id → its source */
  injectedMessages = new Map<string, string>();
  /** A person went to another place of it, and nothing was answered since. */
  rewound = false;
  /** by edit (`editKey`): what the model has to hear with its next request */
  untold = new Map<string, UntoldRevert>();
  /** the same, of changes that a review took back: oldest first */
  untoldReviews: UntoldReview[] = [];
  /** rules of folders below the roots that are in L2 by now */
  nestedRules: string[] = [];
  /** tools that were looked for and found: requests have their definitions, in this order */
  foundTools = new Set<string>();
  /** names of the skills that are in L2 by now */
  activeSkills: string[] = [];
  plans: Plans = {};
  /** by id: tasks that were given to other agents, oldest first */
  children = new Map<string, Child>();
}

/** `since`: number of its record; `ended`: its newest such record; `spent`: by all that it did */
export interface Child extends Omit<RecordOf<"child">, "id" | "seq" | "ts" | "kind"> {
  since: number;
  startedAt: number;
  ended?: RecordOf<"child">;
  spent: Usage;
}

/** The newest turn that does not run. */
export const endedTurn = ({ turn, turnOpen }: Pick<Conversation, "turn" | "turnOpen">): number =>
  turnOpen ? turn - 1 : turn;

export const refKey = ({ messageId, callId }: ResultRef): string => `${messageId} ${callId}`;

/** The calls of the newest assistant messages that have no result yet. */
export function openCalls(conversation: Conversation): { messageId: string; call: ToolCallPart }[] {
  const open: ReturnType<typeof openCalls> = [];
  for (const message of conversation.messages) {
    if (message.role !== "assistant" || message.metadata?.turn !== conversation.turn) continue;
    for (const part of message.parts) {
      if (part.type === "dynamic-tool" && part.state === "input-available") {
        open.push({ messageId: message.id, call: part as ToolCallPart });
      }
    }
  }
  return open;
}

/**
 * Where the turn was left at a question to the person: the calls without a result. The one that asks did nothing yet, those behind
 * it never began; beside it others only read, which can be done again.
 */
export function suspendedCalls(conversation: Conversation): ReturnType<typeof openCalls> {
  const open = openCalls(conversation);
  const waits = ({ call }: (typeof open)[number]) =>
    conversation.questions.has(call.toolCallId) || askedAbout(conversation, call.toolCallId) !== undefined;
  return open.some(waits) ? open : [];
}

/** The question about a permission for this call that has no answer yet, with its id. */
export function askedAbout({ asked }: Pick<Conversation, "asked">, callId: string) {
  for (const [approvalId, action] of asked) if (action.callId === callId) return { approvalId, action };
  return undefined;
}

/** What a call reads like whose process died while it ran: in its record, and where there is none yet. */
export const INTERRUPTED = "The call was interrupted, its effect is unknown. Check before you repeat it.";

/** of a command, or of what else a call is known by */
const SHOWN_CHARACTERS = 300;

export function interruptedCall(
  { toolName, turn }: Pick<InterruptedCall, "toolName" | "turn">,
  input: Readonly<Record<string, unknown>>,
): InterruptedCall {
  const known = [input.command, input.file_path, input.path, input.pattern].find(value => typeof value === "string");
  const what = isForeign(toolName) ? JSON.stringify(input) : (known ?? "");
  return { toolName, what: oneLine(what, SHOWN_CHARACTERS), turn };
}

/** Of a server's tool: what it did far away nobody can look at here. */
export function repeatsInterrupted(
  { interrupted }: Pick<Conversation, "interrupted">,
  { toolName, input }: ToolCallPart,
): boolean {
  if (interrupted?.toolName !== toolName || !isForeign(toolName)) return false;
  return interruptedCall(interrupted, { ...(input as object) }).what === interrupted.what;
}

const isForeign = (toolName: string) => toolName.includes(":");

export const interruptedTurn = (): TurnError => ({
  code: "interrupted",
  message: t("The turn was cut off: the program or the machine stopped while it ran."),
  actions: ["continue"],
});

/** Why a call has no result: it ran when the process died, or it never ran. */
const unanswered = {
  interrupted: { code: "INTERRUPTED", message: INTERRUPTED, digest: "interrupted, effect unknown" },
  "not-run": {
    code: "ABORTED",
    message: "The call was not run: the turn was stopped before it.",
    digest: "not run",
  },
} satisfies Record<string, { code: ErrorCode; message: string; digest: string }>;

export function unansweredResults(conversation: Conversation, why: keyof typeof unanswered): NewRecord[] {
  const { code, message, digest } = unanswered[why];
  return openCalls(conversation).map(({ messageId, call: { toolCallId: callId, toolName } }): NewRecord => {
    const { turn, step, questions } = conversation;
    const common = { kind: "result", messageId, callId, toolName, turn, step, durationMs: 0 } as const;
    const asked = questions.get(callId);
    // The person has said it: that the process died a moment later must not lose it.
    if (asked?.answer?.by === "user")
      return { ...common, status: "success", digest: toolName, forms: { shown: answerText(asked.form, asked.answer) } };
    const failed = { digest: `${toolName} · ${digest}`, error: { code, message } };
    return { ...common, status: "error", ...failed, forms: { shown: `${code}: ${message}` } };
  });
}
