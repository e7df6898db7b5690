/**
 * The text of a summary: the template of docs/context.md, filled by code where that says so and by the model's words elsewhere.
 * Headings and list marks at the beginning of a line are only ever ours. No time stands in it: people see times beside it. Pure.
 */

import type { SummaryFailure } from "../../../shared/compaction";
import { fenced } from "../../../shared/fences";
import { codeSpan, collapseWhitespace, counted, oneLine, sanitizeText } from "../../ground/text/format";
import { textPieces } from "../../ground/text/sentences";
import type { FileSlot, MemorySlots } from "./memorySlots";
import type { SummarySections } from "./readSummary";

const SUMMARY_HEADING = "## 📌 Archived Session Summary";

export const summaryHeadings = [
  SUMMARY_HEADING,
  "### 🎯 Objectives & Status",
  "### 🏗️ Technical Context (Static)",
  '### ✅ Completed Milestones (The "Done" Pile)',
  "### 🧠 Key Insights & Decisions (Persistent Memory)",
  "### 📂 File System State (Snapshot)",
] as const;

/** For the model and for people: why a summary has no words of a model. */
const failureWords: Record<SummaryFailure, string> = {
  timeout: "Summary generation timed out, keeping recent history only.",
  failed: "Summary generation failed, keeping recent history only.",
  unusable: "The model's summary could not be used, keeping recent history only.",
  "nothing-fits": "There was no room to summarise these rounds, keeping recent history only.",
};

/** No summary of ours takes more, whatever goes in. Estimated tokens. */
export const MAX_SUMMARY_TOKENS = 8_000;

interface SummaryInput {
  slots: MemorySlots;
  /** undefined: the model gave none, `failure` says why */
  sections: SummarySections | undefined;
  failure?: SummaryFailure;
  /** what stands beside it: the goal and the environment are not said twice */
  standing?: StandingTexts;
}

/** What requests have beside a summary. */
export interface StandingTexts {
  /** texts of the earlier summaries */
  summaries: readonly string[];
  /** what people said, in the ledger and in messages that stay */
  words: string;
}

const NOTHING_STANDS: StandingTexts = { summaries: [], words: "" };

/** What has nothing to say is left out. */
export function composeSummary({ slots, sections, failure, standing = NOTHING_STANDS }: SummaryInput): string {
  const why = sections ? [] : ["", failureWords[failure ?? "failed"], "Recall finds these rounds by words."];
  const [title, objectives, technical, milestones, insights, files] = summaryHeadings;
  const { others = [] } = sections ? wordsOfFiles(sections.files, slots.files) : {};
  const { leftOut = 0 } = sections ?? {};
  const unsaid = unsaidMemory(slots, standing);
  return [
    title,
    ...why,
    ...section(objectives, [...unsaid.goal, ...labelled("Objectives", sections?.objectives)]),
    ...section(technical, [...labelled("Stack", sections?.stack), ...unsaid.environment]),
    ...section(milestones, milestoneLines(sections?.milestones ?? [])),
    ...section(insights, [
      ...labelled("Decisions", sections?.decisions),
      ...labelled("Learnings", [...(sections?.learnings ?? []), ...others]),
      ...labelled("User Preferences", sections?.preferences),
      ...(leftOut > 0 ? [`* (The summary was too long: ${counted(leftOut, "line")} of it cut.)`] : []),
    ]),
    ...section(files, fileLines(slots, sections)),
  ].join("\n");
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ["", heading, ...lines] : [];

/** The first message stands once: where the user's words have it, this says so. */
const GOAL_IN_WORDS = "* **Original Goal**: as in the user's first words";

/** Lines of the goal and the environment, where no summary has them. */
export function unsaidMemory(
  { goal, environment }: Pick<MemorySlots, "goal" | "environment">,
  { summaries, words }: StandingTexts,
): { goal: string[]; environment: string[] } {
  const isSaid = (lines: readonly string[]) =>
    summaries.some(text => `\n${text}\n`.includes(`\n${lines.join("\n")}\n`));
  const unsaid = (lines: string[]) => (isSaid(lines) ? [] : lines);
  const whole = unsaid(goalLines(goal));
  return {
    goal: whole.length > 0 && hasWords(words, goal) ? unsaid([GOAL_IN_WORDS]) : whole,
    environment: unsaid([`* **Environment**: ${environment}`]),
  };
}

/** Each sentence of it stands there: the ledger's lines are made of sentences. */
function hasWords(words: string, goal: string): boolean {
  // In what was pasted the ledger has plain quotes.
  const plain = (text: string) => collapseWhitespace(text).replace(/[“”]/g, '"');
  const all = plain(words);
  return textPieces(goal).every(({ text }) => all.includes(plain(text)));
}

/** What of the slots is not in the texts: must be empty before a summary is committed. Texts for a log. */
export function missingSlots({ summaries, words }: StandingTexts, slots: MemorySlots): string[] {
  const all = collapseWhitespace(summaries.join("\n"));
  const has = (part: string) => all.includes(collapseWhitespace(part));
  return [
    ...(has(slots.goal) || hasWords(words, slots.goal) ? [] : ["the original goal"]),
    ...slots.files.filter(file => !has(fileHead(file))).map(({ path }) => `the changed file ${path}`),
    ...slots.moreFiles.filter(({ folder }) => !has(folder)).map(({ folder }) => `the changed files in ${folder}`),
    ...(has(slots.environment) ? [] : ["the environment"]),
  ];
}

/** Verbatim: of several lines in a block of its own. */
function goalLines(goal: string): string[] {
  if (goal === "") return [];
  if (!/[\r\n]/.test(goal)) return [`* **Original Goal**: ${goal}`];
  return ["* **Original Goal**:", fenced(goal)];
}

const fileHead = ({ path, created, added, removed, changes, handle }: FileSlot) =>
  [
    `${codeSpan(path)}: ${created ? "created, " : ""}+${added} −${removed}${changes > 1 ? ` in ${changes} changes` : ""}`,
    ...(handle === undefined ? [] : [handle]),
  ].join(", ");

function fileLines({ files, moreFiles }: MemorySlots, sections: SummarySections | undefined): string[] {
  const words = wordsOfFiles(sections?.files ?? [], files).byPath;
  const own = files.map(file => {
    const said = words.get(file.path);
    return `* ${fileHead(file)}${said ? `. ${said}` : ""}`;
  });
  const more = moreFiles.map(({ folder, files: many }) => `* ${counted(many, "more file")} in ${codeSpan(folder)}`);
  return own.length > 0 ? ["*(Modified files in this archive segment)*", ...more, ...own] : [];
}

const FILE_LINE = /^(?:\*\*)?(`{1,9})(?!`)\s?(.+?)\s?\1(?:\*\*)?\s*(?:[:：]|[-–—]+)?\s*([\s\S]*)$/;
const BARE_FILE_LINE = /^()(\S+?)(?:[:：]\s|\s[-–—]+\s)([\s\S]*)$/;

/** What the model says of the files that changed, in one line each, and of others: a command may have changed them. */
function wordsOfFiles(items: readonly string[], files: readonly FileSlot[]) {
  const byPath = new Map<string, string>();
  const others: string[] = [];
  for (const item of items) {
    const [, , path, words = ""] = FILE_LINE.exec(item) ?? BARE_FILE_LINE.exec(item) ?? [];
    if (path === undefined || !files.some(file => file.path === path)) others.push(item);
    else if (words !== "" && !byPath.has(path)) byPath.set(path, oneLine(safe(words), 400));
  }
  return { byPath, others };
}

function labelled(label: string, items: readonly string[] = []): string[] {
  const [first] = items;
  if (first === undefined) return [];
  if (items.length > 1) return [`* **${label}**:`, ...items.flatMap(item => itemLines(item, "  "))];
  const [head = "", ...rest] = safe(first).split("\n");
  return [`* **${label}**: ${head}`, ...rest.map(line => `  ${line}`)];
}

function milestoneLines(items: readonly string[]): string[] {
  return items.flatMap(item => {
    const isOpen = /^(?:\[ \]|❌|✗|✖|☐)/u.test(item);
    const text = item.replace(/^(?:\[[^\]]?\]|[✓✔✅☑❌✗✖☐])\uFE0F?\s*/u, "");
    return itemLines(`[${isOpen ? " " : "✓"}] ${text}`, "");
  });
}

function itemLines(item: string, indent: string): string[] {
  const [head = "", ...rest] = safe(item).split("\n");
  return [`${indent}* ${head}`, ...rest.map(line => `${indent}  ${line}`)];
}

/** No heading of the template inside of a line, no line end but ours. */
function safe(text: string): string {
  return sanitizeText(text)
    .replace(/\r\n?/g, "\n")
    .replace(/#{1,6}\s*(?=📌|🎯|🏗|✅|🧠|📂|💬|❓)/gu, "")
    .trim();
}
