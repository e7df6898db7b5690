/** A summary's parts within 2,000 tokens: what is too much goes from the ends of all parts alike, and is counted. */
import { estimateTokens } from "../text/estimate";
import { cutPoint } from "../text/format";
import type { SummarySections } from "./readSummary";
import { emptyParts, type PartName, type Parts, partNames } from "./summaryHeadings";

export const SUMMARY_TOKENS = 2_000;
/** Where all together are too much, none may have more than this. */
const ITEM_TOKENS = 600;

export function boundParts(parts: Parts): SummarySections {
  const kept = emptyParts();
  const all = partNames.flatMap(name => parts[name]);
  if (all.reduce((sum, item) => sum + countTokens(item), 0) <= SUMMARY_TOKENS) return { ...parts, leftOut: 0 };
  let room = SUMMARY_TOKENS;
  let leftOut = 0;
  const full = new Set<PartName>();
  // One of each part in turn, so that a long list of milestones leaves room for what the user prefers.
  const longest = Math.max(...partNames.map(name => parts[name].length));
  for (let at = 0; at < longest; at += 1) {
    for (const name of partNames) {
      const item = parts[name][at];
      if (item === undefined) continue;
      const { text, lines } = clipItem(item);
      const tokens = countTokens(text);
      if (full.has(name) || tokens > room) {
        full.add(name);
        leftOut += item.split("\n").length;
        continue;
      }
      room -= tokens;
      leftOut += lines;
      kept[name].push(text);
    }
  }
  return { ...kept, leftOut };
}

/** As it stands in the text: each line is indented, the first one has a list mark. */
const countTokens = (item: string) => estimateTokens(item) + 2 * item.split("\n").length;

/** At whole lines; the first one, where it is too long itself, inside of it. `lines`: how many went. */
function clipItem(item: string): { text: string; lines: number } {
  if (countTokens(item) <= ITEM_TOKENS) return { text: item, lines: 0 };
  const all = item.split("\n");
  const first = all[0] ?? "";
  if (estimateTokens(first) > ITEM_TOKENS) {
    return { text: `${clipToTokens(first, ITEM_TOKENS - 1)}…`, lines: all.length };
  }
  const lines: string[] = [];
  let tokens = 0;
  for (const line of all) {
    tokens += countTokens(line);
    if (tokens > ITEM_TOKENS) break;
    lines.push(line);
  }
  const fences = lines.filter(line => /^\s*(?:`{3,}|~{3,})/.test(line));
  // Of a block that was cut, its beginning alone would swallow what follows.
  if (fences.length % 2 === 1)
    lines.push(
      fences
        .at(-1)
        ?.trim()
        .replace(/[^`~].*$/, "") ?? "",
    );
  return { text: lines.join("\n"), lines: all.length - lines.length };
}

/** The longest beginning of at most `tokens`; 0 < tokens < all of it. */
function clipToTokens(text: string, tokens: number): string {
  let fits = tokens;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, cutPoint(text, fits));
}
