/**
 * When summaries take more than 15 % of the window together, the oldest go behind one of handles (docs/context.md): it names
 * each with its handle and a gist of it, and has what is the last to go: goal, environment, and what was decided and learnt, as
 * far as there is room. Pure but for ids.
 */
import type { Summary } from "../../../shared/compaction";
import type { Hash, Ids } from "../../ground/ports";
import { collapseWhitespace, oneLine, toHandle } from "../../ground/text/format";
import type { MemorySlots } from "./memorySlots";
import { summaryHeadings, unsaidMemory } from "./summaryText";

const SHARE = 0.15;
/** Of that share: how much the handles may take before they go behind a handle themselves, and what was decided and learnt. */
const HANDLES_SHARE = 0.35;
const INSIGHTS_SHARE = 0.5;
const GIST_CHARACTERS = 160;

const HEADING = "## 📌 Archived Session Summaries (handles)";
const HANDLE_LINE = /^(\* turns? \d+(?: to \d+)?(?:, a list of summaries)?: obs:[0-9a-f]{12})(?: – .+)?$/;

interface ArchiveInput {
  /** that would stand in requests, oldest first; the last one is new and stays */
  summaries: readonly Summary[];
  /** tokens */
  window: number;
  estimate(text: string): number;
  hash: Hash;
  ids: Ids;
  /** of the session, for the one of handles */
  memory: Pick<MemorySlots, "goal" | "environment">;
  /** as in `StandingTexts` */
  words: string;
}

/**
 * The summaries that stand from here on, oldest first: the same ones where they have room. Every summary that is not among
 * them any more is named with its handle in the first one, or in one that is.
 */
export function archiveOldSummaries(input: ArchiveInput): Summary[] {
  const { summaries, window, estimate } = input;
  const limit = SHARE * window;
  const sum = (all: readonly Summary[]) => all.reduce((tokens, { text }) => tokens + estimate(text), 0);
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

export const isHandlesSummary = ({ text }: Pick<Summary, "text">): boolean => text.startsWith(HEADING);

function handlesSummary(old: readonly Summary[], rest: readonly Summary[], input: ArchiveInput): Summary {
  const { window, estimate, hash, ids, memory, words } = input;
  const from = old[0];
  const to = old.at(-1);
  if (!from || !to) throw new Error("no summary to archive");
  const limit = SHARE * window;
  const texts = (summaries: readonly Summary[]) => summaries.map(({ text }) => text);
  const count = old.reduce((sum, { sourceRange }) => sum + sourceRange.count, 0);
  const { goal, environment } = unsaidMemory(memory, { summaries: texts(rest), words });
  const text = [
    HEADING,
    '*(Recall {"handle":"obs:…"} gives each whole)*',
    ...goal,
    ...environment,
    ...handleLines(old, limit * HANDLES_SHARE, estimate),
    ...carriedInsights(texts(old), limit * INSIGHTS_SHARE, estimate),
  ].join("\n");
  return {
    id: ids.next("sum"),
    text,
    sha256: hash.sha256(text),
    turns: { from: from.turns.from, to: to.turns.to },
    sourceRange: { fromId: from.sourceRange.fromId, toId: to.sourceRange.toId, count },
    startTs: from.startTs,
    cutoffTs: to.cutoffTs,
  };
}

/** Handles of earlier ones are carried on; where they have become too many, first the gists go, then all behind the one that names them. */
function handleLines(old: readonly Summary[], room: number, estimate: (text: string) => number): string[] {
  const all = old.flatMap(summary =>
    isHandlesSummary(summary)
      ? summary.text.split("\n").filter(line => HANDLE_LINE.test(line))
      : [handleLine(summary, gist(summary))],
  );
  const bare = all.map(line => line.replace(HANDLE_LINE, "$1"));
  const ways = [all, bare.map((line, at) => (at < all.length / 2 ? line : (all[at] ?? line))), bare];
  return ways.find(lines => estimate(lines.join("\n")) <= room) ?? old.map(summary => handleLine(summary, ""));
}

function handleLine(summary: Summary, words: string): string {
  const { from, to } = summary.turns;
  const turns = from === to ? `turn ${from}` : `turns ${from} to ${to}`;
  const kind = isHandlesSummary(summary) ? ", a list of summaries" : "";
  return `* ${turns}${kind}: ${toHandle(summary.sha256)}${words ? ` – ${words}` : ""}`;
}

/** What was done in it, or what it was about. One line. */
function gist({ text }: Summary): string {
  const done = linesBelow(text, summaryHeadings[3]).flatMap(line => /^\* \[[^\]]\] (.+)/.exec(line)?.[1] ?? []);
  const about = linesBelow(text, summaryHeadings[1]).flatMap(
    line => /^\* \*\*Objectives\*\*: (.+)|^ {2}\* (.+)/.exec(line)?.slice(1) ?? [],
  );
  return oneLine((done.length > 0 ? done : about.filter(each => each !== undefined)).join("; "), GIST_CHARACTERS);
}

/** Of a section that we wrote ourselves; the goal stands above it, and may be a summary that a person brought along. */
function linesBelow(text: string, heading: string): string[] {
  const lines = text.split("\n");
  const at = lines.lastIndexOf(heading);
  const rest = at < 0 ? [] : lines.slice(at + 1);
  const end = rest.findIndex(line => line.startsWith("#"));
  return rest.slice(0, end < 0 ? undefined : end);
}

const LABELS = ["Decisions", "Learnings", "User Preferences"] as const;
type Label = (typeof LABELS)[number];

interface Insight {
  label: Label;
  /** its line, and those that are indented below it */
  lines: string[];
}

/** The section of a summary that stands for several; empty where none of them has anything of it. */
function carriedInsights(texts: readonly string[], room: number, estimate: (text: string) => number): string[] {
  const seen = new Set<string>();
  const isNew = ({ lines }: Insight) => seen.size < seen.add(collapseWhitespace(lines.join(" ")).toLowerCase()).size;
  // Of two alike the newer one stays.
  const all = texts.flatMap(insightsIn).toReversed().filter(isNew);
  const kept = new Set<Insight>();
  let used = estimate(summaryHeadings[4]);
  for (const insight of byRank(all)) {
    const tokens = estimate(insight.lines.join("\n")) + 1;
    if (used + tokens > room) continue;
    used += tokens;
    kept.add(insight);
  }
  const lines = LABELS.flatMap(label => {
    const items = all.filter(each => each.label === label && kept.has(each)).reverse();
    return items.length === 0 ? [] : [`* **${label}**:`, ...items.flatMap(each => each.lines)];
  });
  return lines.length === 0 ? [] : ["", summaryHeadings[4], ...lines];
}

/** A decision, something learnt, a decision again: many of the one take no room from the other. Preferences come last. */
function byRank(all: readonly Insight[]): Insight[] {
  const [decisions = [], learnings = [], preferences = []] = LABELS.map(label =>
    all.filter(each => each.label === label),
  );
  const most = Math.max(decisions.length, learnings.length);
  const turns = Array.from({ length: most }, (_, at) => [
    ...decisions.slice(at, at + 1),
    ...learnings.slice(at, at + 1),
  ]);
  return [...turns.flat(), ...preferences];
}

/** Of a summary's text as `composeSummary` and this write it. */
function insightsIn(text: string): Insight[] {
  const insights: Insight[] = [];
  let label: Label | undefined;
  for (const line of linesBelow(text, summaryHeadings[4])) {
    const [, name, words = ""] = /^\* \*\*([^*]+)\*\*:(?: (.*))?$/.exec(line) ?? [];
    if (name !== undefined) label = LABELS.find(each => each === name);
    if (label === undefined) continue;
    if (name !== undefined && words !== "") insights.push({ label, lines: [`  * ${words}`] });
    else if (line.startsWith("  * ")) insights.push({ label, lines: [line] });
    else if (line.startsWith("  ")) insights.at(-1)?.lines.push(line.startsWith("    ") ? line : `  ${line}`);
  }
  return insights;
}
