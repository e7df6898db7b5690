/**
 * The table of record kinds: for each kind what it does to the conversation, which of its fields are never redacted, how it
 * goes to an archive, which texts handles lead to and a search looks through, and what an import makes of it. A new kind
 * needs a row here and in the tables of those who show records (`Record<RecordKind, …>`): the compiler names each of them.
 */
import type { ResultRef } from "../../shared/compaction";
import { addUsage } from "../../shared/cost";
import { defined } from "../../shared/defined";
import type { Trust } from "../../shared/manifest";
import { attachedAs } from "../../shared/mentions/parse";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import { toolTraits } from "../../shared/toolTraits";
import type { Hash } from "../ground/ports";
import { withAnswer } from "../permissions/grants";
import { applyCompaction } from "./applyCompaction";
import {
  ageTurns,
  applyAttachment,
  applyChild,
  applyInjection,
  applyMessage,
  applyResult,
  applyTask,
  countChild,
  foldResults,
  removePending,
} from "./applyMessage";
import type { Conversation } from "./conversation";
import {
  type ImportedLine,
  type ImportTarget,
  importApproval,
  importChild,
  importCompaction,
  importIntent,
  importList,
  importResult,
  importTakenBack,
  isLoose,
  type LogLine,
} from "./imported";
import { applyPlan, applyPlanEnd, applyRevert, applyReview, applyRewind, endDonePlan, markTold } from "./putBacks";
import {
  compactionTexts,
  type RecordedText,
  recordedText,
  rehashResult,
  rehashSummaries,
  reports,
  searchedTexts,
} from "./recordedTexts";

interface SearchableText {
  turn: number;
  /** who said it, or the digest of the call */
  source: string;
  /** words, or a text with a handle and lines */
  content: string | RecordedText;
  /** looked through where the content has no hit */
  title?: string;
}

/**
 * How a record goes to an archive. `messageId`: with the message that it is or belongs to. Others stand between messages and
 * go with the one before them, but for those that say something about results that stay (`about`), or that always stay.
 */
type ArchiveRule<R> =
  | { messageId(record: R): string }
  | { about(record: R): readonly Pick<ResultRef, "messageId">[] }
  | "between"
  | "stays";

interface RecordKindRow<R extends LogRecord> {
  project(conversation: Conversation, record: R): void;
  /** What it does where it stands on a branch that was left: what was spent stays spent, and no number is given twice. */
  elsewhere(conversation: Conversation, record: R): void;
  /** Fields at any depth that are names of ours, or a provider's: they are never redacted. All others are. */
  verbatim: readonly string[];
  archive: ArchiveRule<R>;
  /** what handles lead to; `rehash`: where redaction changed such a text, the name that it has now */
  texts: { of(record: R): RecordedText[]; rehash(record: R, clean: R, hash: Hash): R };
  search(record: R): SearchableText | undefined;
  /** undefined: the line stays as it is */
  import(line: LogLine, here: ImportTarget): ImportedLine | undefined;
}

const noEffect = () => undefined;
const noTexts = { of: () => [], rehash: <R>(_: R, clean: R) => clean };

/** Of a record that only concerns the session: no text that handles or searches find, nothing that an import changes. */
const plain = {
  elsewhere: noEffect,
  archive: "between",
  texts: noTexts,
  search: noEffect,
  import: noEffect,
} as const;

/** Which compactions are undone is known before the first record is applied: the log is read anew for it. */
const holding = (isHeld: boolean) => ({
  ...plain,
  project(conversation: Conversation) {
    conversation.compactionHeld = isHeld;
  },
  verbatim: [],
  archive: "stays" as const,
});

const REVERT_NAMES = ["messageId", "callId", "uri", "sha256"];
const REVIEW_NAMES = ["uri", "base", "agent", "by", "sha256"];
const PART_NAMES = ["type", "state", "mediaType", "url", "toolCallId", "providerMetadata", "callProviderMetadata"];

const attachedText = ({ name, title, turn }: RecordOf<"attachment">, raw: Parameters<typeof recordedText>[0]) =>
  recordedText(raw, `${attachedAs(name)}: ${title}`, turn);

/** A proposal is found as the answer that it was. */
const searchedPlan = ({ op, turn, text }: RecordOf<"plan">) =>
  op === "carried-out" ? { turn, source: "plan", content: text } : undefined;

export const recordKinds: { readonly [K in RecordKind]: RecordKindRow<RecordOf<K>> } = {
  message: {
    ...plain,
    project: applyMessage,
    elsewhere(conversation, { message: { metadata } }) {
      conversation.lastTurn = Math.max(conversation.lastTurn, metadata.turn);
      conversation.spent = addUsage(conversation.spent, metadata.usage);
      if (metadata.pendingId) removePending(conversation, metadata.pendingId);
    },
    verbatim: ["parentId", "role", "metadata", ...PART_NAMES],
    archive: { messageId: ({ message }) => message.id },
    search: ({ message: { metadata, role, parts } }) => ({
      turn: metadata.turn,
      source: role,
      content: parts.flatMap(searchedTexts).join("\n"),
    }),
  },
  result: {
    project: applyResult,
    elsewhere(conversation, { taskId }) {
      if (taskId !== undefined) applyTask(conversation, taskId);
    },
    verbatim: ["messageId", "callId", "status", "sha256", "stamps", "uri", "url", "mediaType"],
    archive: { messageId: ({ messageId }) => messageId },
    texts: {
      of: ({ raw, forms, inputTexts = [], digest, turn }) => [
        ...(raw ? [recordedText(raw, digest, turn, forms.shown)] : []),
        ...inputTexts.map(text => recordedText({ ...text, inline: false }, `${digest} · input`, turn)),
      ],
      rehash: rehashResult,
    },
    search: ({ toolName, raw, forms, digest, turn }) =>
      // What ran is a question too: "npm test".
      !toolTraits(toolName).isUnsearched && raw
        ? { turn, source: digest, content: recordedText(raw, digest, turn, forms.shown), title: digest }
        : undefined,
    import: importResult,
  },
  attempt: {
    // shown to people, never sent: it is not in the conversation
    ...plain,
    project: noEffect,
    verbatim: ["requestId", ...PART_NAMES],
  },
  approval: {
    ...plain,
    project(conversation, { approvalId, action, answer }) {
      if (!answer) {
        // Asked anew: the question before is over.
        for (const [id, { callId }] of conversation.asked) if (callId === action.callId) conversation.asked.delete(id);
        conversation.asked.set(approvalId, action);
        return;
      }
      conversation.asked.delete(approvalId);
      conversation.grants = withAnswer(conversation.grants, action, answer);
    },
    verbatim: ["approvalId", "callId", "type", "binds", "sha256", "uri"],
    import: importApproval,
  },
  question: {
    ...plain,
    project({ questions }, record) {
      // A server that asks is gone with its process, and its call with it.
      if (record.form.server === undefined) questions.set(record.callId, record);
    },
    verbatim: ["questionId", "callId", "type", "format", "action", "by"],
  },
  turnEnd: {
    ...plain,
    project(conversation, record) {
      conversation.turnOpen = false;
      conversation.end = record;
      if (!record.unsettled) conversation.settled = record.turn;
      if (record.reason === "done") delete conversation.interrupted;
      if (record.reason !== "done") for (const pending of conversation.pending) pending.held = true;
      conversation.asked.clear();
      conversation.questions.clear();
      endDonePlan(conversation);
    },
    verbatim: ["runId", "usage", "callId"],
  },
  pending: {
    ...plain,
    project(conversation, { pendingId, op, delivery, text, pictures, held = false }) {
      if (op === "removed") return removePending(conversation, pendingId);
      const old = conversation.pending.find(pending => pending.pendingId === pendingId);
      const given = pictures && { pictures };
      if (old) Object.assign(old, { text, delivery, held: op === "added" ? held : old.held, ...given });
      else if (op === "added") conversation.pending.push({ pendingId, delivery, text, held, ...given });
    },
    // A person's words, wherever they were typed.
    elsewhere: (conversation, record) => recordKinds.pending.project(conversation, record),
    verbatim: ["pendingId", "url", "mediaType"],
    // Only a person sends what waited elsewhere.
    import: line => (line.op === "added" ? { line: { ...line, held: true }, revokes: false } : undefined),
  },
  todo: {
    ...plain,
    project(conversation, { todos }) {
      conversation.todos = todos;
    },
    verbatim: ["status"],
  },
  title: {
    ...plain,
    project(conversation, { title, pinned, usage }) {
      conversation.title = title;
      if (pinned !== undefined) conversation.pinned = pinned;
      conversation.spent = addUsage(conversation.spent, usage);
    },
    elsewhere: (conversation, record) => recordKinds.title.project(conversation, record),
    verbatim: ["requestId", "model", "usage"],
  },
  mode: {
    ...plain,
    project(conversation, { mode }) {
      conversation.mode = mode;
    },
    // Only a person loosens what may run.
    elsewhere: (conversation, record) => recordKinds.mode.project(conversation, record),
    verbatim: ["mode"],
    import: line => (isLoose(line.mode) ? { line: { ...line, mode: "ask" }, revokes: true } : undefined),
  },
  denial: {
    ...plain,
    project(conversation, { id: denialId, ts, seq, denial, denialIds = [] }) {
      if (denial) conversation.denials = [...conversation.denials, { ...denial, denialId, ts, seq }];
      else conversation.denials = conversation.denials.filter(each => !denialIds.includes(each.denialId));
    },
    // A no outlives the way back, and so does what lifted it.
    elsewhere: (conversation, record) => recordKinds.denial.project(conversation, record),
    verbatim: ["op", "callId", "denialIds", "by"],
    // A compaction's snapshot need not have them.
    archive: "stays",
  },
  child: {
    ...plain,
    texts: { ...noTexts, of: reports },
    project: applyChild,
    // What was spent stays spent, and so many were begun.
    elsewhere: countChild,
    verbatim: ["phase", "childId", "messageId", "callId", "reason", "usage", "uri", "sha256"],
    archive: "stays",
    import: importChild,
  },
  plan: { ...plain, project: applyPlan, verbatim: ["op"], search: searchedPlan },
  planEnd: { ...plain, project: applyPlanEnd, verbatim: [] },
  model: {
    ...plain,
    project(conversation, { name, reasoning, contextWindow }) {
      const model = { name, reasoning, contextWindow };
      const known = Object.entries(model).filter(([, value]) => value !== undefined);
      // How another one counts is not known yet.
      if (name !== conversation.model?.name) delete conversation.calibration;
      if (known.length > 0) conversation.model = Object.fromEntries(known);
      else delete conversation.model;
    },
    elsewhere: (conversation, record) => recordKinds.model.project(conversation, record),
    verbatim: ["reasoning"],
    // What answers here, and whom the conversation goes to, is chosen here.
    import: ({ name: _, reasoning: __, contextWindow: ___, ...line }) => ({ line, revokes: false }),
  },
  modelLimits: {
    ...plain,
    project(conversation, { ceiling }) {
      conversation.modelLimits = defined({ ceiling });
    },
    // A server takes no more because the conversation went on elsewhere.
    elsewhere: (conversation, record) => recordKinds.modelLimits.project(conversation, record),
    verbatim: ["model"],
    // It is learnt here, of what is asked from here.
    import: ({ ceiling: _, ...line }) => ({ line, revokes: false }),
  },
  fold: {
    ...plain,
    project(conversation, record) {
      foldResults(conversation, record.results);
      ageTurns(conversation, record);
    },
    verbatim: ["messageId", "callId"],
    archive: { about: ({ results, whole = [], brief = [] }) => [...results, ...whole, ...brief] },
  },
  inject: {
    ...plain,
    project(conversation, record) {
      applyInjection(conversation, record);
      markTold(conversation, record);
    },
    verbatim: ["messageId", "runId"],
    archive: { messageId: ({ messageId }) => messageId },
  },
  attachment: {
    ...plain,
    project: applyAttachment,
    verbatim: ["messageId", "parentId", "runId", "sha256"],
    archive: { messageId: ({ messageId }) => messageId },
    texts: { ...noTexts, of: record => (record.raw ? [attachedText(record, record.raw)] : []) },
    search: record => ({
      turn: record.turn,
      source: attachedAs(record.name),
      content: record.raw ? attachedText(record, record.raw) : record.text,
    }),
  },
  pin: {
    ...plain,
    project(conversation, { turn, pinned }) {
      if (pinned) conversation.pins.add(turn);
      else conversation.pins.delete(turn);
    },
    verbatim: [],
  },
  compaction: {
    project(conversation, record) {
      if (!conversation.undone.has(record.id)) applyCompaction(conversation, record);
      // Its summary was paid for anyway.
      else conversation.spent = addUsage(conversation.spent, record.usage);
    },
    elsewhere(conversation, { usage }) {
      conversation.spent = addUsage(conversation.spent, usage);
    },
    verbatim: [
      ...["messageId", "callId", "recordId", "sha256", "archiveSha256", "usage"],
      ...["runId", "mode", "status", "pendingId", "stamps", "uri"],
    ],
    archive: { about: ({ folded }) => folded },
    texts: {
      of: compactionTexts,
      rehash: rehashSummaries,
    },
    search: noEffect,
    import: importCompaction,
  },
  undo: holding(true),
  redo: holding(false),
  revert: { ...plain, project: applyRevert, verbatim: REVERT_NAMES, import: importTakenBack },
  // What becomes of files is read from these records where it is asked for; the model is told by `rewound`.
  commandFiles: { ...plain, project: noEffect, verbatim: ["callId", "list"], archive: "stays", import: importList },
  rewind: {
    ...plain,
    // Where the conversation goes on elsewhere the log is read anew for it.
    project: applyRewind,
    verbatim: ["rewindId", "undoes", "list"],
    archive: "stays",
    import: importList,
  },
  review: { ...plain, project: applyReview, verbatim: REVIEW_NAMES, import: importTakenBack },
  // What comes of it has a record of its own.
  intent: {
    ...plain,
    project: noEffect,
    verbatim: ["from", "to", ...REVERT_NAMES, ...REVIEW_NAMES],
    import: importIntent,
  },
  // for people only
  note: { ...plain, project: noEffect, verbatim: [] },
};

export const kindOf = (record: LogRecord) => recordKinds[record.kind] as unknown as RecordKindRow<LogRecord>;

/**
 * What an import makes of a line; undefined: it stays as it is, as those of kinds that this version does not know. Throws
 * SessionError.
 */
export function importedLine(line: LogLine, here: ImportTarget): ImportedLine | undefined {
  const { kind } = line;
  return typeof kind === "string" && Object.hasOwn(recordKinds, kind)
    ? recordKinds[kind as RecordKind].import(line, here)
    : undefined;
}

export const recordedTexts = (record: LogRecord): RecordedText[] => {
  const trust = trustOf(record);
  return kindOf(record)
    .texts.of(record)
    .map(text => (trust === undefined ? text : { ...text, trust }));
};

/** Whose text a record brought in; undefined: what its kind says. */
export const trustOf = (record: LogRecord): Trust | undefined =>
  record.kind === "result" || record.kind === "attachment" || record.kind === "child" ? record.trust : undefined;
