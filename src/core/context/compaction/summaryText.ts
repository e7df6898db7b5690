/**
 * The text of a summary (docs/context.md): a head that code writes from the messages and records that go, and below it the model's
 * words as it wrote them. It has no times: people see them beside it. Where the model fails, the compaction is done with the head alone.
 * Pure but for ids.
 */
import type { Summary, SummaryFailure } from "../../../shared/compaction";
import { defined } from "../../../shared/defined";
import { fenced } from "../../../shared/fences";
import type { StrataMessage } from "../../../shared/messages";
import type { LogRecord, RecordOf } from "../../../shared/records";
import type { FileChange } from "../../../shared/toolResult";
import type { Hash, Ids } from "../../ground/ports";
import { estimateTokens, fitting } from "../../ground/text/estimate";
import {
  codeSpan,
  collapseWhitespace,
  counted,
  cutPoint,
  oneLine,
  sanitizeText,
  toHandle,
} from "../../ground/text/format";
import { addedUp } from "../../log/applyMessage";
import { changesIn, editKey, undoneEdits } from "../../log/putBacks";
import type { EnvironmentFacts } from "../layers";

interface FileSlot {
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
  messages: readonly StrataMessage[];
  /** the live log: of its results, those of these messages count */
  records: readonly LogRecord[];
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

export const memorySlots = (input: SlotsInput): MemorySlots => ({
  goal: sanitizeText(input.goal.slice(0, cutPoint(input.goal, GOAL_CHARACTERS))).trim(),
  ...collectFiles(input),
  environment: describeEnvironment(input),
});

function collectFiles({ messages, records, window }: SlotsInput): { files: FileSlot[]; moreFiles: number } {
  const ids = new Set(messages.map(({ id }) => id));
  const undone = undoneEdits(records);
  const files = new Map<string, FileSlot>();
  for (const record of records) {
    if ((record.kind !== "result" && record.kind !== "child") || !ids.has(record.messageId)) continue;
    for (const change of changesIn(record)) {
      if (undone.has(editKey(record, change.uri))) continue;
      const slot = mergeChange(files.get(change.uri), change, "raw" in record ? record.raw : undefined);
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
  const many = fitting(all.toReversed(), tokens, item => estimateTokens(textOf(item)) + 5);
  return all.slice(-Math.max(1, Math.min(most, many)));
}

const mergeChange = (before: FileSlot | undefined, change: FileChange, raw: RecordOf<"result">["raw"]): FileSlot => ({
  ...addedUp(before, change),
  path: clipStart(collapseWhitespace(sanitizeText(change.path)), PATH_CHARACTERS),
  changes: (before?.changes ?? 0) + 1,
  ...defined({ handle: raw && toHandle(raw.sha256) }),
});

const clipStart = (path: string, most: number): string =>
  path.length <= most ? path : `…${path.slice(cutPoint(path, path.length - most + 1))}`;

function describeEnvironment({ facts, model }: SlotsInput): string {
  const several = facts.roots.length > 1;
  const folders = facts.roots.slice(0, 10).map(({ name, path }) => (several ? `${name} = ${path}` : path));
  const more = facts.roots.length - folders.length;
  const where = folders.length === 0 ? "no folder open" : `${several ? "folders" : "folder"} ${folders.join(", ")}`;
  const rest = more > 0 ? ` and ${more} more` : "";
  return oneLine(sanitizeText(`${facts.platform}, ${facts.shell}; ${where}${rest}; model ${model}`), 1_000);
}

const SUMMARY_HEADING = "## 📌 Archived Session Summary";

/** For the model and for people: why a summary has no words of a model. */
const failureWords: Record<SummaryFailure, string> = {
  timeout: "Summary generation timed out, keeping recent history only.",
  failed: "Summary generation failed, keeping recent history only.",
  unusable: "The model's summary could not be used, keeping recent history only.",
  "nothing-fits": "There was no room to summarise these rounds, keeping recent history only.",
};

interface SummaryInput {
  slots: MemorySlots;
  said: { text: string } | { failure: SummaryFailure };
  /** texts of the summaries before it: goal and environment are said again only where they are in none of these */
  standing: readonly string[];
}

export const composeSummary = ({ slots, said, standing }: SummaryInput): string =>
  [
    SUMMARY_HEADING,
    ...("failure" in said ? [failureWords[said.failure]] : []),
    ...memoryLines(slots).filter(line => !standing.some(text => `${text}\n`.includes(`\n${line}\n`))),
    ...fileLines(slots),
    "",
    "failure" in said ? "Recall finds these rounds by words." : withoutOwnHeadings(said.text),
  ].join("\n");

/** Headings of Strata's own texts are written by code alone. */
const withoutOwnHeadings = (text: string): string => text.replace(/^[ \t]*#{1,6}[ \t]*(?=📌|💬|❓)/gmu, "").trim();

type Memory = Pick<MemorySlots, "goal" | "environment">;

/** The goal is verbatim: of several lines in a block of its own. */
function memoryLines({ goal, environment }: Memory): string[] {
  const place = /[\r\n]/.test(goal) ? `\n${fenced(goal)}` : ` ${goal}`;
  return [...(goal === "" ? [] : [`* **Original Goal**:${place}`]), `* **Environment**: ${environment}`];
}

function fileLines({ files, moreFiles }: MemorySlots): string[] {
  if (files.length === 0) return [];
  const more = moreFiles > 0 ? [`* ${counted(moreFiles, "more file")}`] : [];
  return ["*(Modified files in this archive segment)*", ...more, ...files.map(file => `* ${fileHead(file)}`)];
}

const fileHead = ({ path, created, added, removed, changes, handle }: FileSlot) =>
  [
    `${codeSpan(path)}: ${created ? "created, " : ""}+${added} −${removed}${changes > 1 ? ` in ${changes} changes` : ""}`,
    ...(handle === undefined ? [] : [handle]),
  ].join(", ");

/** of the window: what all summaries may take together */
const SHARE = 0.15;

const HANDLES_HEADING = "## 📌 Archived Session Summaries (handles)";
const HANDLE_LINE = /^\* turns? \d+(?: to \d+)?: obs:[0-9a-f]{12}/;

export const isHandlesSummary = ({ text }: Pick<Summary, "text">): boolean => text.startsWith(HANDLES_HEADING);

interface ArchiveInput {
  /** that would stand in requests, oldest first; the last one is new and stays */
  summaries: readonly Summary[];
  /** tokens */
  window: number;
  hash: Hash;
  ids: Ids;
  /** for the one of handles, which is the first then */
  memory: Memory;
}

/** The summaries that stand from here on, oldest first: without room for all, the oldest are lines with their handles in the first. */
export function archiveOldSummaries(input: ArchiveInput): Summary[] {
  const { summaries, window } = input;
  const limit = SHARE * window;
  const sum = (all: readonly Summary[]) => all.reduce((tokens, { text }) => tokens + estimateTokens(text), 0);
  if (sum(summaries) <= limit) return [...summaries];
  const [first] = summaries;
  let standing: Summary[] = [...summaries];
  // One summary alone behind handles that stand already would change nothing.
  for (let many = first && isHandlesSummary(first) ? 2 : 1; many < summaries.length; many += 1) {
    standing = [handlesSummary(summaries.slice(0, many), input), ...summaries.slice(many)];
    if (sum(standing) <= limit) break;
  }
  return sum(standing) < sum(summaries) ? standing : [...summaries];
}

function handlesSummary(old: readonly Summary[], { hash, ids, memory }: ArchiveInput): Summary {
  const from = old[0];
  const to = old.at(-1);
  if (!from || !to) throw new Error("no summary to archive");
  const lines = old.flatMap(summary =>
    isHandlesSummary(summary)
      ? summary.text.split("\n").flatMap(line => HANDLE_LINE.exec(line)?.[0] ?? [])
      : [handleLine(summary)],
  );
  const text = [
    HANDLES_HEADING,
    '*(Recall {"handle":"obs:…"} gives each whole)*',
    ...memoryLines(memory),
    ...lines,
  ].join("\n");
  return {
    id: ids.next("sum"),
    text,
    sha256: hash.sha256(text),
    turns: { from: from.turns.from, to: to.turns.to },
    sourceRange: {
      fromId: from.sourceRange.fromId,
      toId: to.sourceRange.toId,
      count: old.reduce((sum, { sourceRange }) => sum + sourceRange.count, 0),
    },
    startTs: from.startTs,
    cutoffTs: to.cutoffTs,
  };
}

function handleLine(summary: Summary): string {
  const { from, to } = summary.turns;
  const turns = from === to ? `turn ${from}` : `turns ${from} to ${to}`;
  return `* ${turns}: ${toHandle(summary.sha256)}`;
}
