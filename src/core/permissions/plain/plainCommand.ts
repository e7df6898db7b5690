/**
 * Command lines of which it is certain what they start: programs that only read, with exactly these words, in bash, dash, zsh and
 * busybox alike. Of the strict language (line.ts) it takes literal words, words that are quoted whole and options with a quoted
 * value; anything a shell could expand, with any options, is not certain. Why: C-63.
 */
import { t } from "../../../shared/l10n";
import { type LinePart, readLine } from "./line";
import { readProgram } from "./programs";
import { named, type Reads } from "./reading";

export interface PlainProgram extends Reads {
  /** the program first */
  words: string[];
  /** the shell has it itself */
  builtin?: true;
}

interface PlainCommand {
  programs: PlainProgram[];
  /** of a leading `cd FOLDER &&`, as written: paths are seen from there */
  folder?: string;
}

const builtins = new Set("echo printf test [ pwd true false type command".split(" "));

/** @returns what it starts, or why that is not certain: a part of a sentence ("uses `$`, …") */
export function readPlain(command: string): PlainCommand | { why: string } {
  const parts = readParts(command);
  if ("why" in parts) return parts;
  const [first, second] = parts;
  const entersFolder = first?.words[0]?.value === "cd" && second?.joint === "&&";
  const folder = entersFolder ? first.words[1]?.value : undefined;
  // To a shell `link/..` is beside the link, to everybody else beside what it leads to.
  const below = (folder ?? "").replace(/^(?:\.\.\/)*(?:\.\.$)?/, "");
  const isClear = /^[^-+]/.test(folder ?? "") && !/(?:^|\/)\.\.(?:\/|$)/.test(below);
  if (entersFolder && (first.words.length !== 2 || !isClear))
    return { why: t("changes to a folder that is only known when it runs") };
  const programs: PlainProgram[] = [];
  let isThere = true;
  for (const { joint, words: written, redirects, written: forms } of parts.slice(entersFolder ? 1 : 0)) {
    const words = written.map(({ value }) => value);
    const program = readProgram(words, joint === "|" && !forms.some(form => /< ?\/dev\/null$/.test(form)));
    if ("why" in program) return program;
    const inputs = redirects.map(({ target }) => target.value);
    const read = { ...program, files: [...program.files, ...named(inputs, "content")] };
    isThere &&= joint !== ";" && joint !== "||";
    if (folder !== undefined && !isThere && (read.git || read.files.length > 0))
      return { why: t("reads on in another folder if `cd` fails") };
    programs.push({ words, ...read, ...(builtins.has(words[0] as string) && { builtin: true }) });
  }
  return { programs, ...(folder !== undefined && { folder }) };
}

const MAX_LENGTH = 10_000;
const invisible = /[^ \P{Z}]|[\p{C}\p{Default_Ignorable_Code_Point}]/u;
/** A literal word, what `find` takes, or text in quotes, which may follow the name of an option. */
const certainWord =
  /^(?:((?:HEAD[~^]+|[\w./,:+%@=\p{L}\p{M}\p{Nd}-])+)|\\[()!]|(-[A-Za-z\d-]*(?:=(?:[a-z]+:)?)?)?(?:'[^']*'|"(?:[^"$`\\!]|\\[^"$`\\!])*"))$/u;
/** Absolute ones may be bash's own, which reach the network: `/dev/tcp/x/1`. */
const certainRedirection = /^(?:(?:\+ )?(?:2?> ?\/dev\/null|2>&1|< ?\/dev\/null)|\+ < ?['"]?[\w.][^~^]*)$/;

function readParts(command: string): LinePart[] | { why: string } {
  if (command.length > MAX_LENGTH) return { why: t("is too long to be certain of") };
  if (invisible.test(command)) return { why: t("has a line break or a character that cannot be seen") };
  if (/; *$/.test(command)) return { why: t("has an empty part") };
  const parts = readLine(command);
  if ("why" in parts) return parts;
  const odd = /(?:^|[ |&;])#/.test(command) ? "#" : parts.map(oddIn).find(each => each !== undefined);
  return odd === undefined ? parts : { why: t("uses `{0}` as more than plain text", odd) };
}

/** What of a part is not certain. */
function oddIn({ words, redirects, written, assigns }: LinePart): string | undefined {
  const isTest = words[0]?.text === "[";
  const odd = words.find(
    ({ text }, at) =>
      !(text === "[" && at === 0) && !(text === "]" && isTest && at === words.length - 1) && !isCertain(text),
  );
  if (odd !== undefined) return odd.text;
  if (assigns) return "=";
  const target = redirects.find(({ target: { text }, writes }) => writes || !isCertain(text));
  return target?.target.text ?? written.find(form => !certainRedirection.test(form));
}

/**
 * In zsh `=ls` is a path, with options of its own also behind `=` and `:`, and `x~y` and `x^y` patterns, which then could only be a
 * file `HEAD`; bash may take `a=b` for an assignment anywhere; a program may take `@x` for a file of arguments.
 */
function isCertain(text: string): boolean {
  const [whole, literal, option = ""] = certainWord.exec(text) ?? [];
  const bare = literal ?? option;
  return (
    whole !== undefined &&
    !bare.startsWith("@") &&
    !(/.=|=./.test(bare) && (!bare.startsWith("-") || /[=:]=/.test(bare))) &&
    !(/[~^]/.test(bare) && !/^HEAD[~^]/.test(bare)) &&
    !hasBlankByte(bare)
  );
}

/** Bash ends words at bytes that are blanks to the system. To macOS 0xA0 is one, also within a letter (`à`). */
function hasBlankByte(literal: string): boolean {
  for (const letter of literal) {
    const code = letter.codePointAt(0) as number;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let at = 0; at < bytes - 1; at++) if (((code >> (6 * at)) & 0x3f) === 0x20) return true;
  }
  return false;
}
