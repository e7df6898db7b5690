/**
 * The words of a command line in which every shell sees the same words: literal ones and ones that are quoted whole. What a
 * shell could expand, with whatever options, is not read.
 */
import { t } from "../../../shared/l10n";

const MAX_LENGTH = 10_000;
const MAX_PARTS = 50;

interface PlainPart {
  /** what stands before it */
  joint: "" | "|" | "&&" | "||" | ";";
  words: string[];
  /** its standard input is a pipe */
  isFed: boolean;
  /** files that its standard input is */
  inputs: string[];
}

const invisible = /[^ \P{Z}]|[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const bare = /(?:HEAD[~^]+|[\w./,:+%@=\p{L}\p{M}\p{Nd}-])+/uy;
const quoted = /'[^']*'|"(?:[^"$`\\!]|\\[^"$`\\!])*"/y;
const bracket = /[[\]](?![^ |&;])/y;
/** What `find` takes. */
const escaped = /\\[()!]/y;
/** Text in quotes may follow. */
const optionName = /^-[A-Za-z\d-]*(?:=(?:[a-z]+:)?)?$/;
const redirection = /(?:2?> ?\/dev\/null|2>&1|< ?\/dev\/null)(?![^ |&;])/y;
/** Absolute ones may be bash's own, which reach the network: `/dev/tcp/x/1`. */
const input = /< ?(?=['"]?[\w.])/y;
const joint = /\|\|?|&&|;/y;
const end = /(?![^ |&;])/y;

/** @returns the parts, or why they are not certain */
export function readParts(command: string): PlainPart[] | { why: string } {
  if (command.length > MAX_LENGTH) return { why: t("is too long to be certain of") };
  if (invisible.test(command)) return { why: t("has a line break or a character that cannot be seen") };
  const parts: PlainPart[] = [{ joint: "", words: [], isFed: false, inputs: [] }];
  let at = 0;
  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(command)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  for (;;) {
    while (command[at] === " ") at += 1;
    const part = parts.at(-1) as PlainPart;
    const joins = at === command.length ? "" : take(joint);
    if (joins !== undefined) {
      if (part.words.length === 0) return { why: t("has an empty part") };
      if (joins === "") return parts;
      parts.push({ joint: joins as PlainPart["joint"], words: [], isFed: joins === "|", inputs: [] });
      if (parts.length > MAX_PARTS) return { why: t("is too long to be certain of") };
      continue;
    }
    const redirects = take(redirection);
    if (redirects?.startsWith("<")) part.isFed = false;
    if (redirects === undefined) {
      const start = at;
      const isInput = part.words.length > 0 && take(input) !== undefined;
      const literal = take(bare) ?? take(escaped)?.slice(1) ?? (isTest(part, command[at]) ? take(bracket) : undefined);
      const text = literal === undefined || optionName.test(literal) ? take(quoted) : undefined;
      const isWord = (literal ?? text) !== undefined && take(end) !== undefined;
      if (!isWord || (literal !== undefined && (mayExpand(literal) || (isInput && /[~^]/.test(literal)))))
        return { why: unclear(command, start, at) };
      (isInput ? part.inputs : part.words).push((literal ?? "") + (text ?? "").slice(1, -1));
    }
  }
}

/** `[` is a program, and `]` its last word; elsewhere they may be a pattern. */
const isTest = ({ words }: PlainPart, character: string | undefined): boolean =>
  character === "[" ? words.length === 0 : character === "]" && words[0] === "[" && !words.includes("]");

/**
 * In zsh `=ls` is a path, with options of its own also behind `=` and `:`, and `x~y` and `x^y` patterns, which then could only be a
 * file `HEAD`; bash may take `a=b` for an assignment anywhere; a program may take `@x` for a file of arguments.
 */
const mayExpand = (literal: string): boolean =>
  literal.startsWith("@") ||
  (/.=|=./.test(literal) && (!literal.startsWith("-") || /[=:]=/.test(literal))) ||
  (/[~^]/.test(literal) && !/^HEAD[~^]/.test(literal)) ||
  hasBlankByte(literal);

/** Bash ends words at bytes that are blanks to the system. To macOS 0xA0 is one, also within a letter (`à`). */
function hasBlankByte(literal: string): boolean {
  for (const letter of literal) {
    const code = letter.codePointAt(0) as number;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let at = 0; at < bytes - 1; at++) if (((code >> (6 * at)) & 0x3f) === 0x20) return true;
  }
  return false;
}

function unclear(command: string, start: number, at: number): string {
  const place = at < command.length ? at : start;
  const character = String.fromCodePoint(command.codePointAt(place) ?? 0);
  if (/['"]/.test(character)) return t("has quotes amid a word, open ones, or ones in which something is expanded");
  return t(
    "uses `{0}` as more than plain text",
    /[\w ]/.test(character) ? command.slice(start, start + 40) : character,
  );
}
