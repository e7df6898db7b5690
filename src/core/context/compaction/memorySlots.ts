/**
 * Memory slots (docs/context.md): the head of a summary. Taken from the messages and
 * records that go, without a model. Pure.
 */
import { defined } from "../../../shared/defined";
import type { StrataMessage } from "../../../shared/messages";
import type { LogRecord, RecordOf } from "../../../shared/records";
import { estimateTokens } from "../../ground/text/estimate";
import { codeSpan, collapseWhitespace, cutPoint, oneLine, sanitizeText, toHandle } from "../../ground/text/format";
import { addedUp } from "../../log/applyMessage";
import { editKey, undoneEdits } from "../../log/putBacks";
import type { EnvironmentFacts } from "../layers";

export interface FileSlot {
  path: string;
  created: boolean;
  added: number;
  removed: number;
  changes: number;
  /** `obs:…` of the last change's result */
  handle?: string;
}

export interface MemorySlots {
  /** the session's first words of the user; "" where there were none */
  goal: string;
  /** in the order of their last change */
  files: FileSlot[];
  /** how many changed earlier than those */
  moreFiles: number;
  environment: string;
}

export interface SlotsInput {
  /** that go, as in the projection, in order */
  messages: readonly StrataMessage[];
  /** the live log: of its results, those of these messages count */
  records: readonly LogRecord[];
  /** `conversation.goal` */
  goal: string;
  facts: EnvironmentFacts;
  model: string;
  /** tokens of the model's context: in a small one fewer files are named */
  window: number;
}

const GOAL_CHARACTERS = 500;
const FILES = 60;
const FILE_TOKENS = 1_500;
const PATH_CHARACTERS = 240;
/** What a summary says of a file beside its path. */
const FILE_WORDS = ": created, +1234 −1234 in 12 changes, obs:123456789012";

export function memorySlots(input: SlotsInput): MemorySlots {
  return {
    goal: sanitizeText(input.goal.slice(0, cutPoint(input.goal, GOAL_CHARACTERS))).trim(),
    ...collectFiles(input),
    environment: describeEnvironment(input),
  };
}

function collectFiles({ messages, records, window }: SlotsInput): Pick<MemorySlots, "files" | "moreFiles"> {
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
  const newest = newestWithin(
    all,
    FILES,
    Math.min(FILE_TOKENS, 0.05 * window),
    ({ path }) => codeSpan(path) + FILE_WORDS,
  );
  return { files: newest, moreFiles: all.length - newest.length };
}

/** The last ones that fit, in their order; at least one. */
function newestWithin<T>(all: readonly T[], most: number, tokens: number, textOf: (item: T) => string): T[] {
  const kept: T[] = [];
  let used = 0;
  for (const item of all.toReversed()) {
    used += estimateTokens(textOf(item)) + 5;
    if (kept.length >= most || (used > tokens && kept.length > 0)) break;
    kept.push(item);
  }
  return kept.reverse();
}

function mergeChange(
  before: FileSlot | undefined,
  change: NonNullable<RecordOf<"result">["changes"]>[number],
  { raw }: RecordOf<"result">,
): FileSlot {
  return {
    ...addedUp(before, change),
    path: clipStart(collapseWhitespace(sanitizeText(change.path)), PATH_CHARACTERS),
    changes: (before?.changes ?? 0) + 1,
    ...defined({ handle: raw && toHandle(raw.sha256) }),
  };
}

function clipStart(path: string, most: number): string {
  return path.length <= most ? path : `…${path.slice(cutPoint(path, path.length - most + 1))}`;
}

function describeEnvironment({ facts, model }: SlotsInput): string {
  const several = facts.roots.length > 1;
  const folders = facts.roots.slice(0, 10).map(({ name, path }) => (several ? `${name} = ${path}` : path));
  const more = facts.roots.length - folders.length;
  const where = folders.length === 0 ? "no folder open" : `${several ? "folders" : "folder"} ${folders.join(", ")}`;
  const rest = more > 0 ? ` and ${more} more` : "";
  return oneLine(sanitizeText(`${facts.platform}, ${facts.shell}; ${where}${rest}; model ${model}`), 1_000);
}
