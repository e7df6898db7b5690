/**
 * Reads a model's summary by the template that prompts/summary.md asks for. What stands under no heading of it is kept as it is,
 * as a learning: better in the wrong place than lost. What models put around their words (thoughts, calls, the instruction
 * itself) is no summary. Pure.
 * Why: C-45.
 */
import { estimateTokens } from "../../ground/text/estimate";
import { collapseWhitespace, cutPoint, sanitizeText } from "../../ground/text/format";
import { parseJson } from "../../ground/text/json";
import { closingFence } from "../../ground/text/sentences";

/** The parts of a summary that a model writes. */
export const partNames = [
  "objectives",
  "stack",
  "milestones",
  "decisions",
  "learnings",
  "preferences",
  "files",
] as const;
type PartName = (typeof partNames)[number];

/** Items of each part, without list marks; an item may have several lines. */
type Parts = Record<PartName, string[]>;

const eachPart = <T>(make: (name: PartName) => T) =>
  Object.fromEntries(partNames.map(name => [name, make(name)])) as Record<PartName, T>;

export interface SummarySections extends Parts {
  /** lines that were cut since the whole was longer than it may be */
  leftOut: number;
  /** false: it is prose, all of it learnings; worth asking once more */
  hasHeadings: boolean;
}

/** The text is no summary; `why` is a sentence for people. */
interface UnusableSummary {
  why: string;
}

/** Text without any heading counts as learnings from here on; what is shorter is no summary. */
const PROSE_CHARACTERS = 200;
const MIN_CHARACTERS = 12;
/** A model's words in a summary, where the window is not small. */
export const SUMMARY_TOKENS = 2_000;

export const isUnusable = (read: SummarySections | UnusableSummary): read is UnusableSummary => "why" in read;

/**
 * @param instruction as the model was given it: lines of it that come back are no summary
 * @param room tokens that it may have
 */
export function readSummary(
  text: string,
  instruction: string,
  room = SUMMARY_TOKENS,
): SummarySections | UnusableSummary {
  if (text.trim() === "") return { why: "The model wrote nothing." };
  const own = withoutMachinery(sanitizeText(text));
  if (own === "") return { why: "The model called tools and wrote no summary." };
  if (isCircling(own)) return { why: "The model said the same again and again." };
  const { parts: all, echoed, found } = new Reader(instruction).read(own.split(/\r\n|\r|\n/));
  const parts = withoutRepeats(all);
  const said = Object.values(parts).flat().join("").length;
  if (said < MIN_CHARACTERS && echoed > 0) return { why: "The model repeated the instruction." };
  if (!found && said < PROSE_CHARACTERS) return { why: "The model wrote none of the sections." };
  if (said < MIN_CHARACTERS) return { why: "The model wrote headings and nothing below them." };
  return { ...boundParts(parts, room), hasHeadings: found };
}

const SHINGLE = 12;

/** Of a text of some length hardly any piece stands there once: what a model writes that has lost its way. */
function isCircling(text: string): boolean {
  const pieces = Array.from({ length: Math.floor(text.length / 3) }, (_, at) => text.slice(at * 3, at * 3 + SHINGLE));
  return text.length > 600 && new Set(pieces).size < pieces.length / 10;
}

function withoutRepeats(parts: Parts): Parts {
  const seen = new Set<string>();
  const isNew = (item: string) => seen.size < seen.add(collapseWhitespace(item).toLowerCase()).size;
  return eachPart(name => parts[name].filter(isNew));
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}#{1,6}(?:\s+|(?=\p{Extended_Pictographic}))(\S.*)$/su;

/** Without thoughts, calls written as text and a fence around the whole; "": there is nothing else. */
function withoutMachinery(text: string): string {
  const own = withoutBlocks(text)
    .replace(/^[ \t]*(?:Action|Action Input):\s*\w*[[{].*$/gm, "")
    .trim();
  if (/^(?:<(?:think|thinking|tool_calls?|tool_use|function_calls?|invoke)\b|\[TOOL_CALLS\])/i.test(own)) return "";
  const bare = unwrap(own);
  return isCall(bare) ? "" : bare;
}

const BLOCK_TAG =
  /^[ \t]*<(think|thinking|tool_call|tool_calls|tool_use|function_calls?|invoke)\b[^<>]*>|<\/(think|thinking|tool_call|tool_calls|tool_use|function_calls?|invoke)>/gim;

/** Without `<think>…</think>` and the like. Tags are read once from left to right, however many never close. */
function withoutBlocks(text: string): string {
  const tags = [...text.matchAll(BLOCK_TAG)];
  const lastEnd = new Map(tags.flatMap(({ 2: ends, index }) => (ends ? [[ends.toLowerCase(), index]] : [])));
  let kept = "";
  let from = 0;
  let open: string | undefined;
  for (const { 0: tag, 1: opens, 2: ends, index } of tags) {
    const name = (opens ?? ends ?? "").toLowerCase();
    if (open === undefined && opens && (lastEnd.get(name) ?? 0) > index) {
      kept += text.slice(from, index);
      open = name;
    } else if (open !== undefined && ends && open === name) {
      from = index + tag.length;
      open = undefined;
    }
  }
  return kept + text.slice(from);
}

/** What a fence is around: around all, or around the summary, with words before it; it may be open, where the answer was cut off. */
function unwrap(text: string): string {
  const lines = text.trimEnd().split("\n");
  const isFence = (line: string) => FENCE.test(line);
  const at = lines.findIndex(isFence);
  const body = lines.slice(at + 1);
  const isAll = at === 0 && body.length > 1 && FENCE.exec(lines[0] ?? "")?.[1] === body.at(-1);
  const begins = HEADING.test(body.find(line => line.trim() !== "") ?? "");
  if (at < 0 || !(isAll || (begins && !lines.slice(0, at).some(line => HEADING.test(line))))) return text;
  // The fences inside of it come in pairs: one that is left over is the wrapper's end.
  const isClosed = body.filter(isFence).length % 2 === 1;
  const end = isClosed ? body.findLastIndex(isFence) : -1;
  return [...lines.slice(0, at), ...body.filter((_, i) => i !== end)].join("\n").trim();
}

/** A call as JSON, as models write it that were not trained to call. */
const isCall = (text: string): boolean =>
  /^[[{][\s\S]*"(?:name|tool|function)"\s*:/.test(text) && parseJson(text) !== undefined;

/** code: a label whose content code writes; title: of the whole text; words: the user's, which are only ever taken from the log. */
type Opens = PartName | "code" | "title" | "words";

const byName: ReadonlyMap<string, Opens> = new Map<string, Opens>([
  ["archived session summary", "title"],
  ["objectives & status", "objectives"],
  ["technical context", "stack"],
  ["completed milestones", "milestones"],
  ["key insights & decisions", "learnings"],
  ["file system state", "files"],
  ["original goal", "code"],
  ["objectives", "objectives"],
  ["stack", "stack"],
  ["environment", "stack"],
  ["decisions", "decisions"],
  ["learnings", "learnings"],
  ["user preferences", "preferences"],
  ["the user's words", "words"],
]);
const isPart = (opens: Opens | undefined): opens is PartName => partNames.some(name => name === opens);

/** Headings in another language keep it; their words are kept too. */
const byEmoji: ReadonlyMap<string, PartName> = new Map<string, PartName>([
  ["🎯", "objectives"],
  ["🏗", "stack"],
  ["✅", "milestones"],
  ["🧠", "learnings"],
  ["📂", "files"],
]);

/** No name of the template is longer, whatever decorates it. */
const MAX_NAME = 200;

/** What a heading or a label of the template opens. */
const opensPart = (words: string): Opens | undefined =>
  byName.get(
    collapseWhitespace(
      words.slice(0, MAX_NAME).replace(/\p{Extended_Pictographic}|\uFE0F|[*_:]|\(.*\)/gu, ""),
    ).toLowerCase(),
  );

const BULLET = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/s;
const LABEL = /^\*\*(.{1,60}?)\*\*\s*[:：]?\s*(.*)$/s;
/** The template's own: "*(Modified files in this archive segment)*", "---" */
const DECORATION = /^\s*(?:\*\((?:Contains context|Modified files).*\)\*|[-*_=]{3,})\s*$/;
/** Nothing but places that were to be filled in. */
const PLACEHOLDERS = /^(?:\[[^\]]*\]|<[^<>]*>|`path`|…|[-–—:,;.\s])*$/;
const NOTHING =
  /^\(?(?:none(?: noted)?|n\/a|nothing|no (?:files?|changes?)(?: (?:were|was) (?:changed|modified))?)\.?\)?$/i;

const CHECK = /^(?:\[[✓✔xX ]\]|[✓✔✅☑])\uFE0F?\s*/u;

interface Item {
  indent: number;
  lines: string[];
}

/** Takes lines in order and knows where each belongs. */
class Reader {
  private readonly echo: ReadonlySet<string>;
  private readonly items = eachPart((): Item[] => []);
  private section: PartName = "learnings";
  private part: PartName = "learnings";
  /** the newest item: what is indented below it belongs to it */
  private open: Item | undefined;
  /** of a label whose content code writes: what stands beside or below it is collected nowhere */
  private ownWords: Item | undefined;
  /** the line before was of that item */
  private wraps = false;
  /** lines of the instruction that came back, and places that nobody filled in */
  private echoed = 0;
  private found = false;
  /** below a heading whose section is none of the model's */
  private passesOver = false;

  constructor(instruction: string) {
    const lines = ["<system-reminder>", instruction, "</system-reminder>"].map(sanitizeText).join("\n").split("\n");
    this.echo = new Set([
      ...lines.map(collapseWhitespace).filter(line => line !== ""),
      // What is short in an item is everybody's words.
      ...lines.map(itemWords).filter(line => line.length >= MIN_CHARACTERS),
    ]);
  }

  read(lines: readonly string[]): { parts: Parts; echoed: number; found: boolean } {
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? "";
      const fence = FENCE.exec(line)?.[1];
      const heading = HEADING.exec(line)?.[1]?.trimEnd();
      if (fence !== undefined) {
        const end = closingFence(lines, at, fence);
        // A fence without an end is none: what follows are lines like all others.
        if (end > 0 && !this.passesOver) this.addLines(lines.slice(at, end + 1));
        if (end > 0) at = end;
      } else if (line.trim() === "" || DECORATION.test(line)) this.wraps = false;
      else if (heading !== undefined) this.addHeading(heading);
      else if (this.passesOver) this.echoed += 1;
      else this.addLine(line);
    }
    const parts = eachPart(name => this.items[name].map(item => item.lines.join("\n")));
    return { parts, echoed: this.echoed, found: this.found };
  }

  private addHeading(heading: string): void {
    const known = opensPart(heading);
    const opens = known ?? byEmoji.get(/\p{Extended_Pictographic}/u.exec(heading)?.[0] ?? "");
    this.passesOver = opens === "words";
    this.section = isPart(opens) ? opens : "learnings";
    this.part = this.section;
    if (known === undefined) this.push(heading, 0);
    if (isPart(opens) || opens === "code") this.found = true;
    this.open = undefined;
  }

  private addLine(line: string): void {
    const bullet = BULLET.exec(line);
    const indent = (bullet?.[1] ?? /^\s*/.exec(line)?.[0] ?? "").length;
    // A heading's number signs inside of a list say nothing there.
    const own = (bullet?.[2] ?? line).trim().replace(/^#{1,6}\s+/, "");
    const label = LABEL.exec(own);
    const opens = label ? opensPart(label[1] ?? "") : undefined;
    const text = opens ? (label?.[2] ?? "") : own;
    if (opens) this.openLabel(opens, indent);
    if (this.echo.has(collapseWhitespace(line)) || this.echo.has(itemWords(line))) this.echoed += 1;
    else if (text !== "" && PLACEHOLDERS.test(text.replace(CHECK, ""))) this.echoed += 1;
    else if (text !== "" && opens === "code") this.open?.lines.push(text);
    else if (text !== "" && !NOTHING.test(text)) this.add(text, indent, bullet !== null || opens !== undefined);
  }

  private openLabel(opens: Opens, indent: number): void {
    this.part = isPart(opens) ? opens : this.section;
    this.open = opens === "code" ? { indent, lines: [] } : undefined;
    this.ownWords = this.open;
    this.wraps = false;
    if (isPart(opens)) this.found = true;
  }

  private add(text: string, indent: number, isItem: boolean): void {
    const { open } = this;
    const inside = open ? indent - open.indent : 0;
    if (open && isItem && inside > 0) open.lines.push(`${" ".repeat(Math.max(0, inside - 2))}- ${text}`);
    else if (open && !isItem && this.wraps) open.lines.push(`${open.lines.pop() ?? ""} ${text}`);
    else if (open && !isItem && inside > 0) open.lines.push(text);
    else this.push(text, indent);
    this.wraps = true;
  }

  private addLines(lines: readonly string[]): void {
    if (this.open && this.open !== this.ownWords) this.open.lines.push(...lines);
    else this.push(lines.join("\n"), 0);
    this.wraps = true;
  }

  private push(text: string, indent: number): void {
    this.open = { indent, lines: [text] };
    this.items[this.part].push(this.open);
  }
}

const itemWords = (line: string) =>
  collapseWhitespace(line)
    .replace(/^(?:[-*+•]|\d+[.)])\s+/, "")
    .replace(/^\*\*[^*]+\*\*:?\s*/, "")
    .replace(CHECK, "");

/** Characters. Where all together are too much, no item may have more than this. */
const ITEM_CHARACTERS = 1_000;

/** Within the room: what is too much goes from the ends of all parts alike, and is counted. */
function boundParts(parts: Parts, tokens: number): Parts & { leftOut: number } {
  const all = Object.values(parts).flat();
  if (all.reduce((sum, item) => sum + countTokens(item), 0) <= tokens) return { ...parts, leftOut: 0 };
  const kept: Parts = eachPart(() => []);
  let room = tokens;
  let leftOut = 0;
  const full = new Set<PartName>();
  // One of each part in turn, so that a long list of milestones leaves room for what the user prefers.
  const longest = Math.max(...partNames.map(name => parts[name].length));
  for (let at = 0; at < longest; at += 1) {
    for (const name of partNames) {
      const item = parts[name][at];
      if (item === undefined) continue;
      const text = clipItem(item);
      const size = countTokens(text);
      if (size > room) full.add(name);
      leftOut += item.split("\n").length;
      if (full.has(name)) continue;
      // A line that was cut counts as left out.
      leftOut -= text.split("\n").length - (text === item ? 0 : 1);
      room -= size;
      kept[name].push(text);
    }
  }
  return { ...kept, leftOut };
}

/** As it stands in the text: each line is indented, the first one has a list mark. */
const countTokens = (item: string) => estimateTokens(item) + 2 * item.split("\n").length;

/** Of a fenced block that was cut, its beginning alone would swallow what follows. */
function clipItem(item: string): string {
  if (item.length <= ITEM_CHARACTERS) return item;
  const text = `${item.slice(0, cutPoint(item, ITEM_CHARACTERS))}…`;
  const fences = text.split("\n").flatMap(line => FENCE.exec(line)?.[1] ?? []);
  return fences.length % 2 === 1 ? `${text}\n${fences.at(-1)}` : text;
}
