/**
 * What was decided and learnt, taken over from summaries that go behind a handle: what a model found out and wrote down is the last
 * to leave requests. Pure.
 */
import { collapseWhitespace } from "../text/format";
import { summaryHeadings } from "./summaryText";

const LABELS = ["Decisions", "Learnings", "User Preferences"] as const;
type Label = (typeof LABELS)[number];

interface Insight {
  label: Label;
  /** its line, and those that are indented below it */
  lines: string[];
}

/** The section of a summary that stands for several; empty where none of them has anything of it. */
export function carriedInsights(texts: readonly string[], room: number, estimate: (text: string) => number): string[] {
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
  const lines = text.split("\n");
  // The goal stands above it, and may be a summary that a person brought along.
  const at = lines.lastIndexOf(summaryHeadings[4]);
  const insights: Insight[] = [];
  let label: Label | undefined;
  for (const line of at < 0 ? [] : lines.slice(at + 1)) {
    if (line.startsWith("#")) break;
    const [, name, words = ""] = /^\* \*\*([^*]+)\*\*:(?: (.*))?$/.exec(line) ?? [];
    if (name !== undefined) label = LABELS.find(each => each === name);
    if (label === undefined) continue;
    if (name !== undefined && words !== "") insights.push({ label, lines: [`  * ${words}`] });
    else if (line.startsWith("  * ")) insights.push({ label, lines: [line] });
    else if (line.startsWith("  ")) insights.at(-1)?.lines.push(line.startsWith("    ") ? line : `  ${line}`);
  }
  return insights;
}
