/** What is attached: in a few words for people, whole for the model; and how a text that is too long is cut. Pure. */
import type { Redact } from "../../../shared/redacted";
import { countsText, problemLine, worstFileFirst, worstFirst } from "../../changes/diagnostics/problems";
import type { FileProblems, FileRef, NothingToAttach, SelectedText, TerminalCommand } from "../../ground/ports";
import { estimateTokens, fittingLines } from "../../ground/text/estimate";
import { clipEnd, count, counted, oneLine } from "../../ground/text/format";
import { lineText, TerminalText } from "../../ground/text/terminalText";

/** `head`: the share that is kept from the beginning, the rest is from the end. `share`: so much of the model's window at most; absent: as any attachment */
export type TextLimit = { tokens: number; head: number; share?: number };

export interface AttachmentText {
  /** "2 errors in 1 file": a few words for people */
  title: string;
  /** not bounded; secrets may be in it still */
  text: string;
  trust: "workspace" | "outside" | "mcp";
  bound: TextLimit;
}

export interface AttachmentGuard {
  /** why a file is kept from the model; undefined: it is not */
  protectedBecause(file: FileRef): string | undefined;
  /** secrets → placeholders; idempotent. What is cut has to be redacted before: of half a secret nothing is found. */
  redact: Redact;
}

/** Worst first: what goes is the end. */
const PROBLEMS: TextLimit = { tokens: 4_000, head: 1 };
const SELECTION: TextLimit = { tokens: 12_000, head: 0.7 };
/** How it ended says more than how it began. */
const TERMINAL: TextLimit = { tokens: 4_000, head: 0.2 };
/** The message is about it, and no more can be attached. */
const PIPED: TextLimit = { tokens: 100_000, head: 0.5, share: 0.5 };
/** What is minified must not take the room of all else. */
const MAX_LINE_CHARACTERS = 2_000;
/** What a command prints in the moment it starts may get lost: then VS Code hands out nothing. */
const NO_OUTPUT = "(VS Code told of no output)";
const MAX_COMMAND_CHARACTERS = 50;

/** Who pipes a text into a run gives it, as a paste. */
export const pipedText = (text: string): AttachmentText => {
  const lines = text.trimEnd().split("\n").length;
  return { title: `standard input, ${counted(lines, "line")}`, text, trust: "workspace", bound: PIPED };
};

/** The worst first, without hints; those of protected files are counted and named by file alone. */
export function problemsText(all: readonly FileProblems[], guard: AttachmentGuard): AttachmentText | NothingToAttach {
  // As in VS Code's list of problems: it has no hints.
  const listed = all
    .map(({ ref, problems }) => ({ ref, problems: problems.filter(({ severity }) => severity !== "hint") }))
    .filter(({ problems }) => problems.length > 0);
  if (listed.length === 0) return { nothing: "The editor lists no problems." };
  const files = listed.filter(({ ref }) => guard.protectedBecause(ref) === undefined);
  if (files.length === 0) return { nothing: "Problems are listed for protected files only." };
  const hidden = listed.filter(file => !files.includes(file));
  const sorted = files
    .map(({ ref, problems }) => ({ ref, problems: problems.toSorted(worstFirst) }))
    .sort(worstFileFirst);
  const title = `${countsText(sorted.flatMap(({ problems }) => problems))} in ${counted(files.length, "file")}`;
  const lines = sorted.flatMap(({ ref: { path }, problems }) =>
    problems.map(problem => problemLine(path, problem, guard.redact)),
  );
  const notes = withheldNotes(hidden.map(({ ref }) => ref.path));
  return { title, text: [title, ...notes, ...lines].join("\n"), trust: "workspace", bound: PROBLEMS };
}

/** What of several files is not shown, and how to get at it: a line, or none. */
export function withheldNotes(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const sorted = [...new Set(paths)].sort();
  const names = sorted.slice(0, 5).join(", ") + (sorted.length > 5 ? ", …" : "");
  const files = counted(sorted.length, "file");
  return [`(${files} left out, protected or outside the workspace: ${names}. Reading one asks the user.)`];
}

/** Whoever selects lines and attaches them shows them: those of a protected file too. */
export function selectionText({ path, inside, unsaved, cell, ranges }: SelectedText): AttachmentText {
  const place = `${path}${cell === undefined ? "" : `, cell ${cell}`}`;
  const lines = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  const between = cell === undefined ? ":" : ", lines ";
  const state = unsaved ? " (with changes that are not saved)" : "";
  const texts = ranges.map(({ text }, index) => (ranges.length > 1 ? `Lines ${lines[index]}:\n${text}` : text));
  const title = `${place}${between}${lines.join(", ")}`;
  return {
    title,
    text: [`${title}${state}`, ...texts].join("\n"),
    trust: inside ? "workspace" : "outside",
    bound: SELECTION,
  };
}

/** Redacted here: the output is cut into lines, and of half a secret nothing is found. */
export function terminalText(ran: TerminalCommand, { redact }: AttachmentGuard): AttachmentText {
  const command = redact(ran.command);
  const head = splitOutput(redact(ran.dropped > 0 ? ran.head.slice(0, ran.head.lastIndexOf("\n") + 1) : ran.head));
  // The first line of what is kept of the end has no beginning.
  const tail = ran.dropped > 0 ? splitOutput(redact(ran.tail.slice(ran.tail.indexOf("\n") + 1))) : [];
  const lost = ran.dropped > 0 ? [`[… about ${count(ran.dropped)} characters were not kept]`] : [];
  const output = [...head, ...lost, ...tail];
  const ended = ran.running ? "still running" : ran.exitCode === undefined ? "ended" : `exit code ${ran.exitCode}`;
  const where = ran.cwd === undefined ? "" : `, in ${ran.cwd}`;
  return {
    title: `${oneLine(command, MAX_COMMAND_CHARACTERS) || "a command"} (${ended})`,
    text: [`$ ${command}`, `(${ended}${where})`, ...(output.length > 0 ? output : [NO_OUTPUT])].join("\n"),
    trust: "outside",
    bound: TERMINAL,
  };
}

/** As the terminal shows them, without empty ones at the end. */
function splitOutput(raw: string): string[] {
  const lines: string[] = [];
  const screen = new TerminalText(line => lines.push(lineText(line, MAX_LINE_CHARACTERS).trimEnd()));
  screen.push(raw);
  screen.end();
  return lines.slice(0, lines.findLastIndex(line => line !== "") + 1);
}

/** Cuts at line ends. @param note how to get the rest @returns undefined: all of it fits */
export function boundText(text: string, { tokens, head }: TextLimit, note: string): string | undefined {
  const whole = text.split("\n");
  const lines = whole.map(line => clipEnd(line, MAX_LINE_CHARACTERS));
  if (estimateTokens(text) <= tokens && lines.every((line, at) => line === whole[at])) return undefined;
  const first = fittingLines(lines, tokens * head);
  const last = fittingLines(lines.slice(first).reverse(), tokens * (1 - head));
  const left = lines.length - first - last;
  if (left === 0) return lines.join("\n");
  const mark = `[… ${counted(left, "line")} left out${note}]`;
  return [...lines.slice(0, first), mark, ...lines.slice(lines.length - last)].join("\n");
}
