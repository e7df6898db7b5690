/**
 * Memory slots (docs/context.md): what a summary must hold whatever a model writes. Taken from the messages and
 * records that go, without a model. Pure.
 */
import type { StrataMessage } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import type { Facts } from "../context/layers";
import { editKey, undoneEdits } from "../history/reverts";
import { estimateTokens } from "../text/estimate";
import { codeSpan, collapseWhitespace, cutPoint, oneLine, sanitizeText, toHandle } from "../text/format";
import { extractSentences, findConstraint } from "./sentences";

/** A sentence of the user, verbatim but for whitespace. */
interface Constraint {
  text: string;
  turn: number;
}

export interface FileSlot {
  path: string;
  created: boolean;
  added: number;
  removed: number;
  changes: number;
  /** first 8 of the sha256 as it was left last */
  stamp?: string;
  /** `obs:…` of the last change's result */
  handle?: string;
}

export interface MemorySlots {
  /** the session's first words of the user; "" where there were none */
  goal: string;
  /** oldest first, each once */
  constraints: Constraint[];
  /** how many more there were: the newest ones are above */
  moreConstraints: number;
  /** in the order of their last change */
  files: FileSlot[];
  /** changed earlier than those, by folder */
  moreFiles: { folder: string; files: number }[];
  environment: string;
  /** the user's words that opened each turn; one line each */
  turns: { turn: number; title: string }[];
}

export interface SlotsInput {
  /** that go, as in the projection, in order */
  messages: readonly StrataMessage[];
  /** the live log: of its results, those of these messages count */
  records: readonly LogRecord[];
  /** `conversation.goal` */
  goal: string;
  facts: Facts;
  model: string;
}

const GOAL_CHARACTERS = 500;
const CONSTRAINT_CHARACTERS = 300;
const CONSTRAINTS = 40;
const CONSTRAINTS_OF_MESSAGE = 12;
const CONSTRAINT_TOKENS = 1_500;
const FILES = 60;
const FILE_TOKENS = 1_500;
const PATH_CHARACTERS = 240;
const FOLDERS = 10;
const FOLDER_CHARACTERS = 60;
/** What a summary says of a file beside its path. */
const FILE_WORDS = ": created, +1234 −1234 in 12 changes, version 12345678, obs:123456789012";
const TITLE_CHARACTERS = 100;

export function memorySlots(input: SlotsInput): MemorySlots {
  const typed = input.messages.filter(isTyped);
  return {
    goal: sanitizeText(input.goal.slice(0, cutPoint(input.goal, GOAL_CHARACTERS))).trim(),
    ...findConstraints(typed),
    ...collectFiles(input),
    environment: describeEnvironment(input),
    turns: typed
      .filter(({ metadata }) => metadata?.kind === "normal")
      .map(message => ({
        turn: message.metadata?.turn ?? 0,
        title: oneLine(sanitizeText(messageText(message)), TITLE_CHARACTERS) || "(no words)",
      })),
  };
}

/** A person wrote it: no reminder, no injected text, no pictures of a tool. */
const isTyped = ({ role, metadata }: StrataMessage) =>
  role === "user" && (metadata?.kind === "normal" || metadata?.kind === "steer");

/** The user's own words in a message; reminders are parts of another kind. */
function messageText({ parts }: StrataMessage): string {
  return parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function findConstraints(messages: readonly StrataMessage[]): Pick<MemorySlots, "constraints" | "moreConstraints"> {
  const found = new Map<string, Constraint>();
  let more = 0;
  for (const message of messages) {
    const turn = message.metadata?.turn ?? 0;
    const all = extractSentences(sanitizeText(messageText(message))).flatMap(sentence => {
      const at = findConstraint(sentence);
      return at === undefined ? [] : [clipAround(sentence, at)];
    });
    // Who pastes a document does not mean each of its sentences.
    more += Math.max(0, all.length - CONSTRAINTS_OF_MESSAGE);
    for (const text of all.slice(0, CONSTRAINTS_OF_MESSAGE)) {
      const key = sameKey(text);
      // Said again, it counts as said last.
      found.delete(key);
      found.set(key, { text, turn });
    }
  }
  const newest = newestWithin([...found.values()], CONSTRAINTS, CONSTRAINT_TOKENS, ({ text }) => text);
  return { constraints: newest, moreConstraints: more + found.size - newest.length };
}

const sameKey = (text: string) =>
  collapseWhitespace(text)
    .replace(/[.!。！\s]+$/, "")
    .toLowerCase();

/** At most 300 characters, the place of the word that matters among them. */
function clipAround(sentence: string, at: number): string {
  if (sentence.length <= CONSTRAINT_CHARACTERS) return sentence;
  const room = CONSTRAINT_CHARACTERS - 2;
  const wanted = Math.max(0, Math.min(at - 80, sentence.length - room));
  const border = /[\s，,；;：:]/.exec(sentence.slice(wanted, at));
  const start = wanted === 0 ? 0 : cutPoint(sentence, wanted + (border ? border.index + 1 : 0));
  const end = cutPoint(sentence, Math.min(sentence.length, start + room));
  return `${start > 0 ? "…" : ""}${sentence.slice(start, end).trim()}${end < sentence.length ? "…" : ""}`;
}

/** The last ones that fit, in their order; at least one. */
export function newestWithin<T>(all: readonly T[], most: number, tokens: number, textOf: (item: T) => string): T[] {
  const kept: T[] = [];
  let used = 0;
  for (const item of all.toReversed()) {
    used += estimateTokens(textOf(item)) + 5;
    if (kept.length >= most || (used > tokens && kept.length > 0)) break;
    kept.push(item);
  }
  return kept.reverse();
}

function collectFiles({ messages, records }: SlotsInput): Pick<MemorySlots, "files" | "moreFiles"> {
  const ids = new Set(messages.map(({ id }) => id));
  const undone = undoneEdits(records);
  const files = new Map<string, FileSlot>();
  for (const record of records) {
    if (record.kind !== "result" || !ids.has(record.messageId)) continue;
    for (const change of record.changes ?? []) {
      if (undone.has(editKey(record, change.uri))) continue;
      const slot = mergeChange(files.get(change.uri), change, record);
      files.delete(change.uri);
      files.set(change.uri, slot);
    }
  }
  const all = [...files.values()];
  const newest = newestWithin(all, FILES, FILE_TOKENS, ({ path }) => codeSpan(path) + FILE_WORDS);
  return { files: newest, moreFiles: byFolder(all.slice(0, all.length - newest.length)) };
}

function mergeChange(
  before: FileSlot | undefined,
  change: NonNullable<RecordOf<"result">["changes"]>[number],
  { stamps, raw }: RecordOf<"result">,
): FileSlot {
  const stamp = stamps?.[change.uri]?.sha256.slice(0, 8);
  return {
    path: clipStart(collapseWhitespace(sanitizeText(change.path)), PATH_CHARACTERS),
    created: before?.created ?? change.created,
    added: (before?.added ?? 0) + change.added,
    removed: (before?.removed ?? 0) + change.removed,
    changes: (before?.changes ?? 0) + 1,
    ...(stamp === undefined ? {} : { stamp }),
    ...(raw === undefined ? {} : { handle: toHandle(raw.sha256) }),
  };
}

function clipStart(path: string, most: number): string {
  return path.length <= most ? path : `…${path.slice(cutPoint(path, path.length - most + 1))}`;
}

function byFolder(files: readonly FileSlot[]): MemorySlots["moreFiles"] {
  const folders = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.includes("/") ? clipStart(path.slice(0, path.lastIndexOf("/")), FOLDER_CHARACTERS) : ".";
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const sorted = [...folders].map(([folder, many]) => ({ folder, files: many })).sort((a, b) => b.files - a.files);
  const rest = sorted.slice(FOLDERS);
  if (rest.length === 0) return sorted;
  const others = { folder: "other folders", files: rest.reduce((sum, { files: many }) => sum + many, 0) };
  return [...sorted.slice(0, FOLDERS), others];
}

function describeEnvironment({ facts, model }: Pick<SlotsInput, "facts" | "model">): string {
  const several = facts.roots.length > 1;
  const folders = facts.roots.slice(0, 10).map(({ name, path }) => (several ? `${name} = ${path}` : path));
  const more = facts.roots.length - folders.length;
  const where = folders.length === 0 ? "no folder open" : `${several ? "folders" : "folder"} ${folders.join(", ")}`;
  const rest = more > 0 ? ` and ${more} more` : "";
  return oneLine(sanitizeText(`${facts.platform}, ${facts.shell}; ${where}${rest}; model ${model}`), 1_000);
}
