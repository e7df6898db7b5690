/** The lines of a model's summary, told apart: headings, list items with their labels, prose, code. Pure. */
import { headingOpens, isBareHeading, type Opens, sectionOrder } from "./summaryHeadings";

export type Line =
  | { kind: "blank" }
  /** `opens` undefined: nobody knows what; `level` 1 to 6, 7 for one without a number sign */
  | { kind: "heading"; level: number; text: string; opens: Opens | undefined }
  | {
      kind: "text";
      bullet: boolean;
      /** indentation, two columns each */
      depth: number;
      text: string;
      /** "**Decisions**: none" → label "Decisions", rest "none" */
      label?: { name: string; rest: string };
    }
  /** a fenced block, fences included */
  | { kind: "code"; lines: string[] };

/** What models put around and between their words: thinking, calls written as text, a fence around the whole. */
export function withoutMachinery(text: string): string {
  let own = text
    .replace(
      /^[ \t]*<(think|thinking|tool_call|tool_calls|tool_use|function_calls?|invoke)\b[^>]*>[\s\S]*?<\/\1>/gim,
      "",
    )
    .replace(/^\s*(?:Action|Action Input):\s*\w*[[{].*$/gm, "")
    .trim();
  if (/^<(?:think|thinking|tool_calls?|tool_use|function_calls?|invoke)\b/i.test(own) || own.startsWith("[TOOL_CALLS]"))
    return "";
  own = unwrap(own);
  return isCall(own) ? "" : own;
}

const WRAPPER = /^\s*(?:`{3,}|~{3,})[ \t]*(?:markdown|md|text)?[ \t]*$/i;
const BARE_FENCE = /^\s*(?:`{3,}|~{3,})\s*$/;

/** The whole in a fence, with words before it or not; the fence may be open, where the answer was cut off. */
function unwrap(text: string): string {
  const whole = /^(`{3,}|~{3,})[^\n`]*\n([\s\S]*)\n\1\s*$/.exec(text)?.[2];
  const lines = text.split(/\r\n|\r|\n/);
  const at = lines.findIndex(line => FENCE.test(line));
  const body = lines.slice(at + 1);
  const begins = NUMBERED.test(body.find(line => line.trim() !== "") ?? "");
  if (at < 0 || !WRAPPER.test(lines[at] ?? "") || !begins || lines.slice(0, at).some(line => NUMBERED.test(line))) {
    return whole?.trim() ?? text;
  }
  // The fences inside of it come in pairs: one that is left over is the wrapper's end.
  const isClosed = body.filter(line => FENCE.test(line)).length % 2 === 1;
  const end = isClosed ? body.findLastIndex(line => BARE_FENCE.test(line)) : -1;
  return [...lines.slice(0, at), ...body.filter((_, i) => i !== end)].join("\n").trim();
}

/** A call as JSON, as models write it that were not trained to call. */
function isCall(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first !== "object" || first === null) return false;
    const has = (key: string) => key in first;
    return (
      (has("name") || has("tool") || has("function")) &&
      (has("arguments") || has("input") || has("parameters") || has("function"))
    );
  } catch {
    // No JSON: words that begin with a bracket.
    return false;
  }
}

const FENCE = /^\s*(`{3,}|~{3,})/;

export function parseLines(text: string): Line[] {
  const raw = text.split(/\r\n|\r|\n/);
  const lines: Line[] = [];
  for (let i = 0; i < raw.length; i += 1) {
    const line = raw[i] ?? "";
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const end = raw.findIndex((other, at) => at > i && other.trim().startsWith(fence));
      // A fence without an end is none: what follows are lines like all others.
      if (end > 0) lines.push({ kind: "code", lines: raw.slice(i, end + 1) });
      if (end > 0) i = end;
      continue;
    }
    lines.push(parseHeading(line) ?? parseLine(line));
  }
  return byOrder(lines);
}

const NUMBERED = /^\s{0,3}(#{1,6})(?:\s+|(?=\p{Extended_Pictographic}))(.*?)\s*#*\s*$/u;
const BOLD_LINE = /^\s*(?:\*\*|__)([^*]+)(?:\*\*|__)\s*[:：]?\s*$/;
const SECTION_EMOJI = /^\s*(?:📌|🎯|🏗|🧠|📂|📁)/u;

function parseHeading(line: string): Line | undefined {
  const numbered = NUMBERED.exec(line);
  if (numbered) {
    const text = numbered[2] ?? "";
    return { kind: "heading", level: numbered[1]?.length ?? 1, text, opens: headingOpens(text) };
  }
  const text = BOLD_LINE.exec(line)?.[1] ?? line;
  if (!isBareHeading(text) && !(SECTION_EMOJI.test(text) && text.length < 80)) return undefined;
  return { kind: "heading", level: 7, text: text.trim(), opens: headingOpens(text) };
}

const BULLET = /^(\s*)(?:[-*+•·]|\d{1,3}[.)])\s+(.*)$/;
const LABEL = /^(?:\*\*|__)(.{1,60}?)(?:\*\*|__)\s*[:：]?\s*(.*)$/;
const PLAIN_LABEL = /^([\p{L} ]{2,30})[:：]\s*(.*)$/u;
/** "*(Modified files in this archive segment)*", "---": the template's and nobody's words */
const DECORATION = /^\s*(?:[*_]\(.*\)[*_]|[-*_=]{3,})\s*$/;

function parseLine(line: string): Line {
  if (line.trim() === "" || DECORATION.test(line)) return { kind: "blank" };
  const bullet = BULLET.exec(line);
  const indent = (bullet?.[1] ?? /^\s*/.exec(line)?.[0] ?? "").replaceAll("\t", "  ").length;
  // A heading's number signs inside of a list say nothing there.
  const text = (bullet?.[2] ?? line).trim().replace(/^#{1,6}\s+/, "");
  const found = LABEL.exec(text) ?? PLAIN_LABEL.exec(text);
  return {
    kind: "text",
    bullet: bullet !== null,
    depth: Math.floor(indent / 2),
    text,
    ...(found
      ? { label: { name: (found[1] ?? "").replace(/[:：]\s*$/, "").trim(), rest: (found[2] ?? "").trim() } }
      : {}),
  };
}

/** Five headings of one level are the template's five, whatever language they are in. */
function byOrder(lines: readonly Line[]): Line[] {
  const headings = lines.filter(line => line.kind === "heading");
  const levels = headings.map(({ level }) => level);
  const five = levels.find(level => levels.filter(other => other === level).length === sectionOrder.length);
  if (five === undefined) return [...lines];
  const own = headings.filter(({ level }) => level === five);
  return lines.map(line => {
    if (line.kind !== "heading" || line.level !== five || line.opens !== undefined) return line;
    return { ...line, opens: sectionOrder[own.indexOf(line)] };
  });
}
