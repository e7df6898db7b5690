/**
 * The text of a summary: a head that code writes from the records, and below it the model's words as it wrote them. No time stands in
 * it: people see times beside it. Pure but for ids.
 * Code writes what a summary must hold: where the model fails, the compaction is done all the same.
 */

import type { Summary, SummaryFailure } from "../../../shared/compaction";
import { fenced } from "../../../shared/fences";
import type { Hash, Ids } from "../../ground/ports";
import { estimateTokens } from "../../ground/text/estimate";
import { codeSpan, collapseWhitespace, counted, toHandle } from "../../ground/text/format";
import type { FileSlot, MemorySlots } from "./memorySlots";

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
  /** the model's words, or why there are none */
  said: { text: string } | { failure: SummaryFailure };
  /** what stands beside it: the goal and the environment are not said twice */
  standing: StandingTexts;
}

/** What requests have beside a summary. */
export interface StandingTexts {
  /** texts of the earlier summaries */
  summaries: readonly string[];
  /** what people said, in the ledger and in messages that stay */
  words: string;
}

export function composeSummary({ slots, said, standing }: SummaryInput): string {
  const words = "failure" in said ? ["Recall finds these rounds by words."] : [withoutOwnHeadings(said.text)];
  return [
    SUMMARY_HEADING,
    ...("failure" in said ? [failureWords[said.failure]] : []),
    ...unsaidMemory(slots, standing),
    ...fileLines(slots),
    "",
    ...words,
  ].join("\n");
}

/** Headings of Strata's own texts are written by code alone. */
const withoutOwnHeadings = (text: string): string => text.replace(/^[ \t]*#{1,6}[ \t]*(?=📌|💬|❓)/gmu, "").trim();

/** The first message stands once: where the user's words have it, this says so. */
const GOAL_IN_WORDS = "* **Original Goal**: as in the user's first words";

/** Lines of the goal and the environment, where no summary has them. */
function unsaidMemory(
  { goal, environment }: Pick<MemorySlots, "goal" | "environment">,
  { summaries, words }: StandingTexts,
): string[] {
  const isInWords = goal !== "" && plainly(words).includes(plainly(goal));
  const lines = [...(isInWords ? [GOAL_IN_WORDS] : goalLines(goal)), `* **Environment**: ${environment}`];
  return lines.filter(line => !summaries.some(text => `\n${text}\n`.includes(`\n${line}\n`)));
}

/** The ledger has plain quotes. */
const plainly = (text: string): string => collapseWhitespace(text).replace(/[“”]/g, '"');

/** Verbatim: of several lines in a block of its own. */
function goalLines(goal: string): string[] {
  if (goal === "") return [];
  return [/[\r\n]/.test(goal) ? `* **Original Goal**:\n${fenced(goal)}` : `* **Original Goal**: ${goal}`];
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
/** More lines of handles go behind a handle themselves. */
const MOST_HANDLES = 30;

const HANDLES_HEADING = "## 📌 Archived Session Summaries (handles)";
const HANDLE_LINE = /^\* turns? \d+(?: to \d+)?(?:, a list of summaries)?: obs:[0-9a-f]{12}/;

export const isHandlesSummary = ({ text }: Pick<Summary, "text">): boolean => text.startsWith(HANDLES_HEADING);

interface ArchiveInput {
  /** that would stand in requests, oldest first; the last one is new and stays */
  summaries: readonly Summary[];
  /** tokens */
  window: number;
  hash: Hash;
  ids: Ids;
  /** of the session, for the one of handles */
  memory: Pick<MemorySlots, "goal" | "environment">;
  /** as in `StandingTexts` */
  words: string;
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
    const rest = summaries.slice(many);
    standing = [handlesSummary(summaries.slice(0, many), rest, input), ...rest];
    if (sum(standing) <= limit) break;
  }
  return sum(standing) < sum(summaries) ? standing : [...summaries];
}

function handlesSummary(
  old: readonly Summary[],
  rest: readonly Summary[],
  { hash, ids, memory, words }: ArchiveInput,
): Summary {
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
    ...unsaidMemory(memory, { summaries: rest.map(each => each.text), words }),
    ...(lines.length <= MOST_HANDLES ? lines : old.map(handleLine)),
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
  return `* ${turns}${isHandlesSummary(summary) ? ", a list of summaries" : ""}: ${toHandle(summary.sha256)}`;
}
