/**
 * When summaries take more than 15 % of the window together, the oldest go behind one of handles (docs/context.md):
 * it names each with its handle, and what the user said in them stays in sight as far as there is room. Pure but for ids.
 */
import type { Summary } from "../../shared/compaction";
import type { Hash, Ids } from "../ports";
import { collapseWhitespace, counted, isoMinutes, toHandle } from "../text/format";
import { newestWithin } from "./memorySlots";

const SHARE = 0.15;
/** Of that share: how much the handles may take before they go behind a handle themselves, and the user's rules. */
const HANDLES_SHARE = 0.4;
const RULES_SHARE = 0.2;
const MAX_RULES = 30;

const HEADING = "## 📌 Archived Session Summaries (handles)";
const HANDLE_LINE = /^\* turns? \d.*obs:[0-9a-f]{12}$/;
/** As summaryText.ts writes a sentence of the user. */
const RULE_LINE = /^ {2}\* “.+” \(turn \d+\)$/;

interface ArchiveInput {
  /** that would stand in requests, oldest first; the last one is new and stays */
  summaries: readonly Summary[];
  /** tokens */
  window: number;
  estimate(text: string): number;
  hash: Hash;
  ids: Ids;
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
    standing = [handlesSummary(summaries.slice(0, many), input), ...summaries.slice(many)];
    if (sum(standing) <= limit) break;
  }
  return sum(standing) < sum(summaries) ? standing : [...summaries];
}

export const isHandlesSummary = ({ text }: Pick<Summary, "text">): boolean => text.startsWith(HEADING);

function handlesSummary(old: readonly Summary[], { window, estimate, hash, ids }: ArchiveInput): Summary {
  const from = old[0];
  const to = old.at(-1);
  if (!from || !to) throw new Error("no summary to archive");
  const limit = SHARE * window;
  const lines = handleLines(old, limit * HANDLES_SHARE, estimate);
  const count = old.reduce((sum, { sourceRange }) => sum + sourceRange.count, 0);
  const rules = newestWithin(collectRules(old), MAX_RULES, limit * RULES_SHARE, line => line);
  const text = [
    HEADING,
    `*(${counted(count, "message")} from ${isoMinutes(from.startTs)} to ${isoMinutes(to.cutoffTs)}; their summaries are in the archive: Recall {"handle":"obs:…"} gives each whole)*`,
    ...lines,
    ...(rules.length > 0 ? ["", "What the user said in them:", ...rules] : []),
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

/** Handles of earlier ones are carried on; where they have become too many, they go behind the one that names them. */
function handleLines(old: readonly Summary[], room: number, estimate: (text: string) => number): string[] {
  const unfolded = old.flatMap(summary =>
    isHandlesSummary(summary) ? summary.text.split("\n").filter(line => HANDLE_LINE.test(line)) : [handleLine(summary)],
  );
  return estimate(unfolded.join("\n")) <= room ? unfolded : old.map(handleLine);
}

const handleLine = (summary: Summary): string => {
  const { from, to } = summary.turns;
  return `* ${from === to ? `turn ${from}` : `turns ${from} to ${to}`}${isHandlesSummary(summary) ? ", a list of summaries" : ""}: ${toHandle(summary.sha256)}`;
};

/** Sentences of the user in them, each once, the newest last. */
function collectRules(old: readonly Summary[]): string[] {
  const rules = new Map<string, string>();
  for (const line of old.flatMap(({ text }) => text.split("\n").filter(one => RULE_LINE.test(one)))) {
    const key = collapseWhitespace(line.replace(/\(turn \d+\)$/, "")).toLowerCase();
    rules.delete(key);
    rules.set(key, line);
  }
  return [...rules.values()];
}
