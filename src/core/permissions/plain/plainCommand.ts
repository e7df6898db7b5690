/**
 * Command lines of which it is certain what they start: programs that only read, with exactly these words, in bash, dash, zsh and
 * busybox alike. It is a small language of its own (see lexer.ts), and whatever is outside of it is not certain.
 * Why: C-63.
 */
import { t } from "../../../shared/l10n";
import { readParts } from "./lexer";
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
  const entersFolder = first?.words[0] === "cd" && second?.joint === "&&";
  const folder = entersFolder ? first.words[1] : undefined;
  // To a shell `link/..` is beside the link, to everybody else beside what it leads to.
  const below = (folder ?? "").replace(/^(?:\.\.\/)*(?:\.\.$)?/, "");
  const isClear = /^[^-+]/.test(folder ?? "") && !/(?:^|\/)\.\.(?:\/|$)/.test(below);
  if (entersFolder && (first.words.length !== 2 || !isClear))
    return { why: t("changes to a folder that is only known when it runs") };
  const programs: PlainProgram[] = [];
  let isThere = true;
  for (const { joint, words, isFed, inputs } of parts.slice(entersFolder ? 1 : 0)) {
    const program = readProgram(words, isFed);
    if ("why" in program) return program;
    const read = { ...program, files: [...program.files, ...named(inputs, "content")] };
    isThere &&= joint !== ";" && joint !== "||";
    if (folder !== undefined && !isThere && (read.git || read.files.length > 0))
      return { why: t("reads on in another folder if `cd` fails") };
    programs.push({ words, ...read, ...(builtins.has(words[0] as string) && { builtin: true }) });
  }
  return { programs, ...(folder !== undefined && { folder }) };
}
