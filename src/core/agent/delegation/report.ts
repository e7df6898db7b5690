/**
 * A child's last answer as its caller reads it: each line that states something with the handle of what the child saw, found by code
 * in the child's log, or marked as said alone. A handle that the child wrote itself counts where its log has it. Pure.
 */
import type { Finding } from "../../../shared/delegation";
import type { LogRecord } from "../../../shared/records";
import { fittingLines } from "../../ground/text/estimate";
import { toHandle } from "../../ground/text/format";

const MAX_REPORT_TOKENS = 2_000;
/** of the note where it is cut */
const NOTE_TOKENS = 40;
const UNSEEN = "[said, not seen]";

/** What a call of the child showed. */
interface ShownResult {
  handle: string;
  /** what it was about, and what it printed */
  text: string;
  reads: readonly { uri: string; first: number; last: number }[];
}

const HANDLE = /\bobs:([0-9a-f]{4,64})\b…?/gi;
/** `src/a.ts:12`, `src/a.ts:12-40`, `a.ts` */
const PLACE = /(?:[\w.@-]{1,80}\/){0,20}[\w@-]{1,80}(?:\.[\w-]{1,20}){1,4}(?::(\d{1,7})(?:-(\d{1,7}))?)?/g;
const QUOTED = /`([^`\n]{3,200})`|"([^"\n]{3,200})"/g;
/** Characters below which a line states nothing that could be looked up. */
const SHORT = 12;

/** @param records of the child, oldest first */
export function reportText(answer: string, records: readonly LogRecord[]): string {
  const seen = records.flatMap(seenBy).reverse();
  let isCode = false;
  const lines = answer
    .trim()
    .split(/\r\n?|\n/)
    .map(line => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      return isFence || isCode || !states(line) ? withoutHandles(line, seen) : withEvidence(line, seen);
    });
  const fit = fittingLines(lines, MAX_REPORT_TOKENS - NOTE_TOKENS);
  if (fit === lines.length) return lines.join("\n");
  const note = `[${lines.length - fit} more lines, which the user can read in the agent's conversation.]`;
  return [...lines.slice(0, fit), note].join("\n");
}

/** Not a heading, a lead to a list, or a rule. */
function states(line: string): boolean {
  const text = line.trim();
  return text.length >= SHORT && !/^#{1,6}\s/.test(text) && !/^[|\s:-]+$/.test(text) && !text.endsWith(":");
}

function seenBy(record: LogRecord): ShownResult[] {
  if (record.kind !== "result" || !record.raw) return [];
  const { raw, digest, forms, reads = [] } = record;
  return [{ handle: toHandle(raw.sha256), text: `${digest}\n${forms.shown}`, reads }];
}

/** Such that lead nowhere in the child's log say nothing. */
const withoutHandles = (line: string, seen: readonly ShownResult[]): string =>
  line.replace(HANDLE, (all, hex: string) => (known(hex, seen) ? all : "").trimEnd());

const known = (hex: string, seen: readonly ShownResult[]) =>
  seen.some(({ handle }) => handle.slice(4).startsWith(hex.toLowerCase().slice(0, 12)));

function withEvidence(line: string, seen: readonly ShownResult[]): string {
  const clean = withoutHandles(line, seen).trimEnd();
  if (clean.match(HANDLE)) return clean;
  const places = [...clean.matchAll(PLACE)].map(([all, first, last]) => ({
    path: all.replace(/:\d.*$/, ""),
    ...(first !== undefined && { first: Number(first), last: Number(last ?? first) }),
  }));
  const quoted = [...clean.matchAll(QUOTED)].map(([, code, words]) => code ?? words ?? "");
  const best = seen
    .map(each => ({ each, weight: weightOf(each, places, quoted) }))
    .reduce((one, other) => (other.weight > one.weight ? other : one), {
      each: undefined as ShownResult | undefined,
      weight: 0,
    });
  return best.each && best.weight > 0 ? `${clean} (${best.each.handle})` : `${clean} ${UNSEEN}`;
}

/** 0: it shows nothing of the line. A place counts where its lines were shown; words alone where they are no path. */
function weightOf(
  { text, reads }: ShownResult,
  places: readonly { path: string; first?: number; last?: number }[],
  quoted: readonly string[],
): number {
  const ofPlaces = places.map(({ path, first, last = first }) => {
    if (!text.includes(path)) return 0;
    if (first === undefined || last === undefined) return 1;
    const isRead = reads.some(read => read.uri.endsWith(path) && read.first <= first && last <= read.last);
    return isRead || new RegExp(`(?:^|\\D)${first}(?:\\D|$)`).test(text) ? 3 : 0;
  });
  const words = quoted.filter(word => text.includes(word)).length;
  const best = Math.max(0, ...ofPlaces);
  // A line with places is seen by what showed one of them.
  if (places.length > 0 && best === 0) return places.every(({ first }) => first === undefined) ? words : 0;
  return best * 10 + words;
}

const MAX_FINDINGS = 100;

/** What a review says of the code: lines that begin with a place. */
export function findingsIn(answer: string): Finding[] {
  return answer
    .split(/\r\n?|\n/)
    .flatMap(each => {
      const [, path, line, words] =
        /^[\s*>`-]{0,8}([^\s:`*][^:`*\n]{0,300}):(\d{1,7})(?:-\d{1,7})?`?\*{0,2}:\s*(\S.*)$/.exec(each) ?? [];
      return path && words ? [{ path, line: Number(line), words }] : [];
    })
    .slice(0, MAX_FINDINGS);
}
