/**
 * Memory slots (CONTEXT.md, section 5): what a summary must hold whatever a model writes. Taken from the messages and
 * records that go, without a model. Pure.
 */
import type { StrataMessage } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import type { Facts } from "../context/layers";
import { editKey, undoneEdits } from "../history/reverts";
import { estimateTokens } from "../text/estimate";
import { codeSpan, collapseWhitespace, cutPoint, oneLine, sanitizeText, toHandle } from "../text/format";
import { extractSentences } from "./sentences";

/** A sentence of the user, verbatim but for whitespace. */
export interface Constraint {
  text: string;
  turn: number;
}

/** A file that the segment changed. */
export interface FileSlot {
  path: string;
  created: boolean;
  /** lines over all changes of the segment */
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
  /** one line */
  environment: string;
  /** the user's words that opened each round; one line each */
  rounds: { turn: number; title: string }[];
}

export interface SlotsInput {
  /** that go, as in the projection, in order */
  messages: readonly StrataMessage[];
  /** the live log: of its results, those of these messages count */
  records: readonly LogRecord[];
  /** `conversation.goal` */
  goal: string;
  facts: Facts;
  /** the model's name */
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
    rounds: typed
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
export function messageText({ parts }: StrataMessage): string {
  return parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

// ---------------------------------------------------------------- the user's rules

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

// ---------------------------------------------------------------- files

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

// ---------------------------------------------------------------- environment

function describeEnvironment({ facts, model }: Pick<SlotsInput, "facts" | "model">): string {
  const several = facts.roots.length > 1;
  const folders = facts.roots.slice(0, 10).map(({ name, path }) => (several ? `${name} = ${path}` : path));
  const more = facts.roots.length - folders.length;
  const where = folders.length === 0 ? "no folder open" : `${several ? "folders" : "folder"} ${folders.join(", ")}`;
  const rest = more > 0 ? ` and ${more} more` : "";
  return oneLine(sanitizeText(`${facts.platform}, ${facts.shell}; ${where}${rest}; model ${model}`), 1_000);
}

/**
 * Which of a person's sentences state a rule that holds on: always, never, must, don't, prefer and their Chinese kin
 * (CONTEXT.md, section 5). Kept verbatim. In doubt a sentence counts: one too many costs a line, one too few a wish.
 */

const ENGLISH: readonly RegExp[] = [
  /(?<!\b(?:it|this|that|which|they|he|she|test|tests|build) )\b(?:always|never)\b/i,
  /\bmust(?:n['’]?t| not)?\b(?! (?:have|be (?:a|an|some|the)\b))/i,
  /(?<!\b(?:i|we|they|you|why|these|those|tests) )\b(?:don['’]?t|do not)\b(?! (?:you|we|i)\b)/i,
  /\b(?:i|we) (?:don['’]?t|do not) (?:want|use|like|allow|accept|write|commit|add|change|touch|ship|need)\b/i,
  /\b(?:should|shall|may|can) ?(?:not|n['’]t)\b|\bcan(?:not|['’]t) (?:use|change|touch|add|break|depend|rely|have|be)\b/i,
  /\b(?:i|we|(?:i|we)['’]d|you should|please|always|strongly|would) (?:much |really |strongly )?prefer\b|^prefer\b|[,;:] prefer\b|\bpreferably\b|\bpreferred\b/i,
  /(?<!\b(?:if|not|the|is|are|was|were|has|have|had|'s|’s|but|it|an|fails?|happens?|takes?|get|got|see|can|could) )\bonly\b(?! (?:then|one of|when i|fails?|failed|happens?|happened|works?|worked|takes?))/i,
  /\b(?:avoid|forbidden|prohibited|no longer use|not allowed|stick to|refrain from|from now on|under no circumstances)\b/i,
  /\b(?:make|be) sure\b|(?:^|[.,;:] |\b(?:please|and|to) )ensure\b|\bremember to\b|\bwithout (?:ever )?(?:touching|changing|breaking|adding)\b/i,
  /^(?:please )?(?:keep|use) (?:only|all|every)\b|\bno (?:new|more|external|third-party) (?:dependenc|package|librar|file)/i,
];

const CHINESE: readonly RegExp[] = [
  /总是(?!报错|失败|出错|崩溃)|總是(?!報錯|失敗|出錯)|始终|始終|永远(?:不|要|用|别)|永遠(?:不|要|用|別)|一律/,
  /从不|從不|绝不|絕不|决不|決不|切勿|请勿|請勿|(?:^|[，,；;：:\s])勿/,
  /必须|必須|务必|務必|(?<!不)一定(?!是|会|會|程度)|千万|千萬|记得|記得|应当|應當/,
  /不要|不得(?!不)|不许|不許|不准|不可以|不应|不應|不允许|不允許|禁止|严禁|嚴禁|不能(?:再|使用|用(?!了)|改|修改|动|動|删|刪|有|出现|出現|超过|超過|引入|依赖|依賴|提交|直接|把|将|將|破坏|破壞|影响|影響)/,
  /(?<![特区區级級类類分识識个個性告差辨派离離国國组組鉴鑑道永惜送甄有])[别別](?![的人名处處墅针針扭致样樣国國家称稱说說])/,
  /避免|优先|優先|更喜欢|更喜歡|我喜欢|我喜歡|请(?:使)?用|請(?:使)?用|都(?:要|得|必)|只能|只用|只允许|只允許|仅(?:使用|用|限|允许)|僅(?:使用|用|限|允許)|尽量|儘量|盡量|最好|偏好|确保|確保|保证|保證|以后都|以後都/,
];

/** Lines of a log or a program that somebody pasted. */
const PASTED =
  /^\s*(?:at\s+\S+\s*\(|\d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}[T ]|\[?(?:error|warn|warning|info|debug|trace|fatal)\]?\b[\s:[])|\b(?:error|warning) (?:TS)?\d{3,}|\b\w+(?:Error|Exception): |\{\s*$|[=()\]].*;\s*$/i;

const POLITE_QUESTION = /\b(?:can|could|would|will) you\b|\bplease\b|请|請|能不能|可以/i;

/** Where in the sentence the word stands that makes it a rule; undefined: it states none. */
export function findConstraint(sentence: string): number | undefined {
  if (PASTED.test(sentence)) return undefined;
  if (/[?？]["'”’）)]*$/.test(sentence) && !POLITE_QUESTION.test(sentence)) return undefined;
  const places = [...ENGLISH, ...CHINESE].map(word => sentence.search(word)).filter(at => at >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}
