/**
 * A model's summary, read as it comes: headings with emoji or in words, of any level and in any language that can be told,
 * bold labels, lists, prose around them. What belongs nowhere counts as a learning: better in the wrong place than lost.
 */

import { collapseWhitespace, sanitizeText } from "../text/format";
import { boundParts } from "./boundParts";
import {
  emptyParts,
  labelOpens,
  labelOrder,
  type Opens,
  type PartName,
  type Parts,
  partNames,
} from "./summaryHeadings";
import { type Line, parseLines, withoutMachinery } from "./summaryLines";

export interface SummarySections extends Parts {
  /** lines that were cut since the whole was longer than 2,000 tokens */
  leftOut: number;
}

/** The text is no summary; `why` is a sentence for people. */
export interface UnusableSummary {
  why: string;
}

/** Prose without any heading counts as learnings from here on; what is shorter is no summary. */
const PROSE_CHARACTERS = 200;
/** Less than this says nothing. */
const MIN_CHARACTERS = 12;

export const isUnusable = (read: SummarySections | UnusableSummary): read is UnusableSummary => "why" in read;

/** @param instruction as the model was given it: lines of it that come back are no summary */
export function readSummary(text: string, instruction: string): SummarySections | UnusableSummary {
  if (text.trim() === "") return { why: "The model wrote nothing." };
  const own = withoutMachinery(sanitizeText(text));
  if (own.trim() === "") return { why: "The model called tools and wrote no summary." };
  const { parts, echoed, found } = collect(parseLines(own), instructionLines(instruction));
  const said = partNames.reduce((sum, name) => sum + parts[name].join("").length, 0);
  if (said < MIN_CHARACTERS && echoed > 0) return { why: "The model repeated the instruction." };
  if (!found && said < PROSE_CHARACTERS) return { why: "The model wrote none of the sections." };
  if (said < MIN_CHARACTERS) return { why: "The model wrote headings and nothing below them." };
  return boundParts(parts);
}

/** The instruction stands in a reminder (context/layers.ts). */
const REMINDER_TAGS = ["<system-reminder>", "</system-reminder>"].map(sanitizeText);

/** The instruction's lines, to know them again. What is short in an item is everybody's words. */
function instructionLines(instruction: string): Set<string> {
  const lines = instruction.split("\n");
  return new Set([
    ...REMINDER_TAGS,
    ...lines.map(collapseWhitespace).filter(line => line !== ""),
    ...lines.map(lineContent).filter(line => line.length >= 12),
  ]);
}

/** Without list marks, label and check marks. */
const lineContent = (line: string) =>
  withoutCheck(
    collapseWhitespace(line)
      .replace(/^(?:[-*+•]|\d+[.)])\s+/, "")
      .replace(/^\*\*[^*]+\*\*[:：]?\s*/, ""),
  );

const withoutCheck = (text: string) => text.replace(/^(?:\[[✓✔xX ]\]|[✓✔✅☑])\uFE0F?\s*/u, "");

/** Nothing but places that were to be filled in. */
const PLACEHOLDERS = /^(?:\[[^\]]*\]|<[^<>]*>|\{\{[^}]*\}\}|`path`|…|\.{3}|[-–—:：,;.\s])*$/;
const NOTHING =
  /^[*_(（]*(?:none(?: noted| recorded)?|n\/a|nothing|no changes|no (?:files?|changes?) (?:(?:were|was|have been) )?(?:changed|modified|made|recorded)|not applicable|无|無|没有|沒有|暂无|keine?|aucun|ninguno|нет)[.。)）*_]*$/i;

interface Collected {
  parts: Parts;
  /** lines of the instruction that came back, and places that nobody filled in */
  echoed: number;
  /** a heading or label of a part was there */
  found: boolean;
}

function collect(lines: readonly Line[], echo: ReadonlySet<string>): Collected {
  const items = new Items();
  const first = lines.findIndex(line => line.kind === "heading" && line.opens !== undefined);
  let echoed = 0;
  for (const [at, line] of lines.entries()) {
    if (line.kind === "heading") {
      if (!items.heading(line)) items.add({ bullet: true, depth: 0, text: line.text });
      items.labels = labelsByOrder(lines, at, line.opens);
    } else if (line.kind === "blank") items.gap();
    else if (line.kind === "code") items.code(line.lines);
    else {
      // "Here is the summary:" and the like.
      if (at < first && !line.bullet && line.text.length < PROSE_CHARACTERS) continue;
      const text = items.label(line) ?? line.text;
      if (echo.has(collapseWhitespace(line.text)) || echo.has(lineContent(line.text))) echoed += 1;
      else if (text !== "" && PLACEHOLDERS.test(withoutCheck(text))) echoed += 1;
      else if (text !== "" && !NOTHING.test(text)) items.add({ ...line, text });
    }
  }
  return { parts: items.parts, echoed, found: items.found };
}

/** Takes lines in order and knows where each belongs. */
class Items {
  readonly parts = emptyParts();
  found = false;
  /** of the section: labels in a language that nobody knows */
  labels: ReadonlyMap<string, PartName> = new Map();
  private section: PartName = "learnings";
  private level = 8;
  private part: PartName | "code" = "learnings";
  /** the newest item can go on: its depth, and whether the line before was one of it */
  private open: { depth: number; wraps: boolean } | undefined;

  /** false: it is a line of the section that is open */
  heading({ level, opens }: Extract<Line, { kind: "heading" }>): boolean {
    if (opens === undefined && level > this.level) return false;
    if (opens !== undefined && opens !== "title") this.found = true;
    this.section = opens === undefined || opens === "title" || opens === "code" ? "learnings" : opens;
    this.part = opens === "code" ? "code" : this.section;
    this.level = level;
    this.open = undefined;
    return true;
  }

  /** What stands after the label that the line has; undefined: it has none that opens a part. */
  label({ label, bullet, depth }: Extract<Line, { kind: "text" }>): string | undefined {
    const opens = label && (labelOpens(label.name) ?? this.labels.get(label.name));
    if (label === undefined || opens === undefined || opens === "title") {
      // What stands beside the goal is not the goal; a wrapped line of it is, and what is below it.
      const goesOn = this.open && (depth > this.open.depth || (!bullet && this.open.wraps));
      if (this.part === "code" && !goesOn) this.part = this.section;
      return undefined;
    }
    this.part = opens;
    this.open = opens === "code" ? { depth, wraps: true } : undefined;
    if (opens !== "code") this.found = true;
    return label.rest;
  }

  gap(): void {
    if (this.open) this.open.wraps = false;
  }

  code(lines: readonly string[]): void {
    this.append(lines.join("\n"), "\n") || this.push(lines.join("\n"), 0);
  }

  add({ bullet, depth, text }: { bullet: boolean; depth: number; text: string }): void {
    const inside = this.open === undefined ? 0 : depth - this.open.depth;
    if (bullet && inside > 0 && this.append(`${"  ".repeat(inside - 1)}- ${text}`, "\n")) return;
    if (!bullet && this.open?.wraps && this.append(text, " ")) return;
    if (!bullet && inside > 0 && this.append(text, "\n")) return;
    this.push(text, depth);
  }

  private push(text: string, depth: number): void {
    if (this.part === "code") return;
    this.parts[this.part].push(text);
    this.open = { depth, wraps: true };
  }

  private append(text: string, joint: string): boolean {
    const items = this.part === "code" ? [] : this.parts[this.part];
    const last = items.at(-1);
    if (last === undefined || this.open === undefined) return false;
    items[items.length - 1] = `${last}${joint}${text}`;
    this.open.wraps = true;
    return true;
  }
}

/** Three bold labels that nobody knows, in a section that has three: by their order. */
function labelsByOrder(
  lines: readonly Line[],
  heading: number,
  opens: Opens | undefined,
): ReadonlyMap<string, PartName> {
  const order = opens === undefined || opens === "title" || opens === "code" ? undefined : labelOrder[opens];
  if (!order) return new Map();
  const next = lines.findIndex((line, at) => at > heading && line.kind === "heading");
  const own = lines.slice(heading + 1, next < 0 ? undefined : next);
  const labels = [...new Set(own.flatMap(line => (line.kind === "text" && line.label ? [line.label.name] : [])))];
  if (labels.length !== order.length || labels.some(label => labelOpens(label) !== undefined)) return new Map();
  return new Map(labels.flatMap((label, at) => (order[at] === undefined ? [] : [[label, order[at]] as const])));
}
