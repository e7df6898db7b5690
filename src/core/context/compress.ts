/**
 * The forms of an observation (docs/context.md), made once, when it is recorded: `shown` while its turn runs, `kept`
 * from the end of the turn, `folded` where even that is too much. Pure functions of the envelope and its handle, a row a
 * tool; whatever they leave out they name, with the handle under which it stands whole.
 */
import type { Json } from "../../shared/messages";
import type { ToolResult } from "../../shared/toolResult";
import { estimateTokens } from "../text/estimate";
import { counted, cutPoint, duration, oneLine } from "../text/format";
import { type Facts, list, number, pick, text, toFacts } from "../text/toolFacts";

/** As the record holds them. No `kept`: the same as shown; no `folded`: the same as kept. */
export interface Forms {
  shown: string;
  kept?: string;
  folded?: string;
}

export const FOLDED_TOKENS = 40;

/** What a row may use beside the facts. */
interface Whole {
  text: string;
  handle: string;
}

interface Row {
  /** the compressed `data`, without its flags; undefined: there is nothing to compress */
  kept(facts: Facts, whole: Whole): Record<string, Json | undefined> | undefined;
  /** what it was about, and which part of it or how much came of it */
  folded(facts: Facts, whole: Whole): { what: string; range: string };
}

/** What the data says of itself stays, whatever the tool. */
const FLAGS = ["truncated", "applied", "conflict", "modifiedExternally", "changedByUser"] as const;

const READ_LINES = 500;
const ENTRIES = 10;
const MATCHES = 5;
const FRAGMENT_LINES = 40;
const STDOUT_FIRST = 5;
const STDOUT_LAST = 10;
const STDERR_LAST = 20;
const NOTABLE = 10;
const OTHER_CHARACTERS = 2_000;
const RANGES = 8;

const edit: Row = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "path", "action"),
    ranges: changedRanges(facts),
    ...pick(facts, "added", "removed"),
    fragment: fragmentText(facts),
    saved: facts.saved === false ? false : undefined,
    newProblems: newProblems(facts),
    left: facts.changedByUser
      ? `… what the user changed of the proposal, ${handle}`
      : facts.changedOnSave && `… what changed when it was saved, ${handle}`,
  }),
  folded: facts => ({
    what: text(facts, "path"),
    range: [changedRanges(facts)?.[0], changeCount(facts)].filter(Boolean).join(" "),
  }),
};

const command: Row = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "task", "command", "state", "exitCode"),
    signal: facts.signal ?? undefined,
    ...pick(facts, "durationMs", "stdoutLines", "stderrLines"),
    stdout: [
      ...list(facts, "stdoutFirst").slice(0, STDOUT_FIRST),
      ...listed(moreNote(number(facts, "stdoutLeft"), "line", handle)),
      ...list(facts, "stdoutLast").slice(-STDOUT_LAST),
    ],
    notable: orNone(list(facts, "notable").slice(0, NOTABLE)),
    stderr: orNone([
      ...listed(moreNote(number(facts, "stderrLeft"), "line", handle)),
      ...list(facts, "stderrLast").slice(-STDERR_LAST),
    ]),
    ...pick(facts, "filesChanged", "cwd"),
  }),
  folded: facts => ({
    what: text(facts, "command"),
    range: [
      text(facts, "task"),
      text(facts, "state") === "exited" ? "" : text(facts, "state"),
      facts.exitCode === null || facts.exitCode === undefined ? "" : `exit ${number(facts, "exitCode")}`,
      counted(number(facts, "lines"), "line"),
      facts.durationMs === undefined ? "" : duration(number(facts, "durationMs")),
    ]
      .filter(Boolean)
      .join(", "),
  }),
};

const rows: Readonly<Record<string, Row>> = {
  LS: {
    kept: (facts, { handle }) => ({
      ...pick(facts, "directory", "files", "directories", "total"),
      first: list(facts, "first").slice(0, ENTRIES),
      left: moreNote(
        number(facts, "listed") - Math.min(list(facts, "first").length, ENTRIES),
        "entry",
        handle,
        "entries",
      ),
    }),
    folded: facts => ({
      what: text(facts, "directory"),
      range: counted(number(facts, "total"), "entry", "entries"),
    }),
  },
  Glob: {
    kept: (facts, { handle }) => ({
      ...pick(facts, "pattern", "hits"),
      first: list(facts, "first").slice(0, ENTRIES),
      left: moreNote(number(facts, "hits") - Math.min(list(facts, "first").length, ENTRIES), "file", handle),
    }),
    folded: facts => ({ what: text(facts, "pattern"), range: counted(number(facts, "hits"), "file") }),
  },
  Grep: {
    kept(facts, { handle }) {
      const first = list(facts, "first").slice(0, MATCHES);
      const unit = facts.mode === undefined ? "hit" : "file";
      return {
        ...pick(facts, "pattern", "hits", "files"),
        first,
        left: moreNote(number(facts, `${unit}s`) - first.length, unit, handle),
      };
    },
    folded: facts => ({
      what: text(facts, "pattern"),
      range: `${counted(number(facts, "hits"), "hit")} in ${counted(number(facts, "files"), "file")}`,
    }),
  },
  Read: {
    kept(facts, { handle }) {
      if (!Array.isArray(facts.lines)) return undefined;
      const lines = list(facts, "lines").slice(0, READ_LINES);
      return {
        ...pick(facts, "path", "unit", "first", "last", "total"),
        stamp: stampText(facts),
        lines: lines.join("\n"),
        left: moreNote(number(facts, "count") - lines.length, "line", handle),
      };
    },
    folded: facts => ({
      what: text(facts, "path"),
      range:
        facts.first === undefined
          ? ""
          : `${number(facts, "first")}–${number(facts, "last")} of ${number(facts, "total")}`,
    }),
  },
  Edit: edit,
  MultiEdit: edit,
  Write: {
    kept: facts => ({
      ...pick(facts, "path", "action", "lines"),
      first: fragmentText(facts),
      // The content stands in the call itself and in the file: no handle has it.
      left: number(facts, "lines") > FRAGMENT_LINES ? `… the rest: ${text(facts, "path")}` : undefined,
      saved: facts.saved === false ? false : undefined,
      newProblems: newProblems(facts),
    }),
    folded: facts => ({ what: text(facts, "path"), range: counted(number(facts, "lines"), "line") }),
  },
  Bash: command,
  BashOutput: command,
  KillBash: command,
  TodoWrite: {
    kept: facts => pick(facts, "recap"),
    folded: facts => ({ what: "", range: `${number(facts, "done")} of ${number(facts, "total")} done` }),
  },
  Diagnostics: {
    kept(facts, { handle }) {
      const first = list(facts, "first").slice(0, ENTRIES);
      return {
        ...pick(facts, "path", "errors", "warnings", "files"),
        first,
        left: moreNote(number(facts, "listed") - first.length, "problem", handle),
      };
    },
    folded: facts => ({ what: text(facts, "path"), range: counted(number(facts, "total"), "problem") }),
  },
  Recall: {
    kept: keptText,
    folded: facts => ({
      what: text(facts, "handle") || text(facts, "query") || text(facts, "source"),
      range: facts.first === undefined ? "" : `${number(facts, "first")}–${number(facts, "last")}`,
    }),
  },
};

const other: Row = {
  kept: keptText,
  folded: (_, whole) => ({ what: "", range: counted(whole.text.length, "character") }),
};

/** @param handle `obs:` and 12 characters: where the whole output of this call can be had */
export function compressResult(toolName: string, result: ToolResult, handle: string): Forms {
  const shown = result.text;
  const kept = keptForm(toolName, result, handle);
  const replaces = kept !== undefined && isShorter(kept, shown) && !holdsPartOfKey(kept);
  const folded = foldedForm(toolName, result, handle);
  return {
    shown,
    ...(replaces ? { kept } : {}),
    ...(isShorter(folded, replaces ? kept : shown) ? { folded } : {}),
  };
}

/** `{"status":…,"data":…,"error":…}`, whether or not it is shorter than what is shown. */
export function keptForm(toolName: string, result: ToolResult, handle: string): string | undefined {
  const facts = toFacts(result.data);
  const data = (rows[toolName] ?? other).kept(facts, { text: result.text, handle });
  if (!data) return undefined;
  return JSON.stringify({ status: result.status, data: { ...data, ...pick(facts, ...FLAGS) }, error: result.error });
}

/** One line, at most 40 tokens: what, which range, status, the file's version, handle. */
export function foldedForm(toolName: string, result: ToolResult, handle: string): string {
  const facts = toFacts(result.data);
  const { what, range } = (rows[toolName] ?? other).folded(facts, { text: result.text, handle });
  const head = oneLine(`${toolName} ${what || text(facts, "path")}`, 1_000);
  const stamp = stampText(facts);
  const status = result.error ? `${result.status} ${result.error.code}` : result.status;
  const rest = [oneLine(range, 40), status, stamp ?? "", handle].filter(part => part !== "").join(" · ");
  for (let most = Math.min(head.length, FOLDED_TOKENS * 3); ; most -= 1) {
    const line = `[folded] ${clipMiddle(head, most)} · ${rest}`;
    if (most <= 0 || estimateTokens(line) <= FOLDED_TOKENS) return line;
  }
}

/** In tokens, as the budget counts: what is not shorter is not worth to be changed. */
const isShorter = (form: string, than: string) => estimateTokens(form) < estimateTokens(than);

/** The text was redacted as a whole; of a private key that was cut in two, the redactor knows neither part. */
const holdsPartOfKey = (form: string) => /PRIVATE KEY(?: BLOCK)?-----/.test(form);

/** 2,000 characters, head and tail, with counts. */
function keptText(_: Facts, whole: Whole): Record<string, Json | undefined> | undefined {
  const all = whole.text;
  if (all.length <= OTHER_CHARACTERS) return undefined;
  const head = all.slice(0, cutPoint(all, OTHER_CHARACTERS / 2));
  const tail = all.slice(cutPoint(all, all.length - OTHER_CHARACTERS / 2));
  return {
    characters: all.length,
    lines: all.split("\n").length,
    head,
    left: moreNote(all.length - head.length - tail.length, "character", whole.handle),
    tail,
  };
}

function moreNote(many: number, one: string, handle: string, plural = `${one}s`): string | undefined {
  return many > 0 ? `… ${counted(many, `more ${one}`, `more ${plural}`)}, ${handle}` : undefined;
}

function fragmentText(facts: Facts): string | undefined {
  const lines = text(facts, "fragment").split("\n").slice(0, FRAGMENT_LINES);
  return lines.length === 1 && lines[0] === "" ? undefined : lines.join("\n");
}

/** of an edit; that there were none is not kept */
const newProblems = (facts: Facts) => orNone(list(toFacts(facts.diagnostics), "first"));

/** Changed lines as "3-5", "7"; lines that were only removed as "after 6". */
function changedRanges(facts: Facts): string[] | undefined {
  if (!Array.isArray(facts.ranges)) return undefined;
  const ranges = facts.ranges.map(toFacts).map(range => {
    const [first, last] = [number(range, "first"), number(range, "last")];
    if (last < first) return `after ${first - 1}`;
    return first === last ? `${first}` : `${first}-${last}`;
  });
  const more = ranges.length - RANGES;
  return more > 0 ? [...ranges.slice(0, RANGES), `… ${counted(more, "more place")}`] : ranges;
}

const changeCount = (facts: Facts) =>
  facts.added === undefined ? "" : `+${number(facts, "added")} −${number(facts, "removed")}`;

/** Enough of the version's hash to tell it from another one. */
function stampText(facts: Facts): string | undefined {
  return text(toFacts(facts.stamp), "sha256").slice(0, 8) || undefined;
}

/** Half of what fits from the beginning, half from the end; never half a character. */
function clipMiddle(whole: string, most: number): string {
  if (whole.length <= most) return whole;
  const start = cutPoint(whole, Math.ceil((most - 1) / 2));
  const end = cutPoint(whole, whole.length - Math.floor((most - 1) / 2));
  return `${whole.slice(0, Math.max(0, start))}…${whole.slice(end)}`;
}

const listed = (line: string | undefined): string[] => (line === undefined ? [] : [line]);

const orNone = (lines: string[]): string[] | undefined => (lines.length > 0 ? lines : undefined);
