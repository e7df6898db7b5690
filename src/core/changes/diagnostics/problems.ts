/** Problems of files: how they are written and sorted, and which are new since an edit (docs/tools.md). Pure. */
import { defined } from "../../../shared/defined";
import type { Json } from "../../../shared/messages";
import type { Redact } from "../../../shared/redacted";
import type {
  ApplyEdits,
  ApplyOutcome,
  Diagnostics,
  DiagnosticsWatch,
  FileProblems,
  Files,
  Problem,
  Severity,
} from "../../ground/ports";
import { severities } from "../../ground/ports/editor";
import { count, counted, oneLine } from "../../ground/text/format";
import { changedLines, lineAfter, splitLines, withLf } from "../../ground/text/lines";
import type { RunContext } from "../../tool/tool";

interface ProblemList {
  problems: readonly Problem[];
  /** the text that they are about */
  text: string;
}

/**
 * The same problem is one of the same severity, message and code on the same line, wherever the edit moved that to; within
 * lines that were replaced by others, anywhere in these. Each counts once: of two where one was, one is new. A line that was
 * taken out and put back elsewhere takes its problems along. `fresh`: the worst first, then by line.
 */
export function compareProblems(before: ProblemList, after: ProblemList): { fresh: Problem[]; gone: Problem[] } {
  const [oldLines, newLines] = [splitLines(before.text), splitLines(after.text)];
  const changes = changedLines(oldLines, newLines);
  const old = before.problems.map(problem => {
    const at = problem.line - 1;
    const change = changes.findIndex(({ from, fromEnd }) => at >= from && at < fromEnd);
    return placed(problem, change, lineAfter(at, changes).first, oldLines);
  });
  const now = after.problems.map(problem => {
    const at = problem.line - 1;
    const change = changes.findIndex(({ to, toEnd }) => at >= to && at < toEnd);
    return placed(problem, change, at, newLines);
  });
  const inPlace = unmatched(old, now, ({ key, place }) => key + place);
  const { left, right } = unmatched(inPlace.left, inPlace.right, ({ key, moved }) => moved && key + moved);
  return { fresh: right.map(({ problem }) => problem).sort(worstFirst), gone: left.map(({ problem }) => problem) };
}

/** The worst first, then as they stand in the file. */
export const worstFirst = (a: Problem, b: Problem): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  (a.cell ?? 0) - (b.cell ?? 0) ||
  a.line - b.line ||
  a.column - b.column;

/** Files with the worst problem first, then by path. The problems of each are sorted by `worstFirst`. */
export function worstFileFirst(a: FileProblems, b: FileProblems): number {
  const rank = ({ problems: [worst] }: FileProblems) => (worst ? severities.indexOf(worst.severity) : 0);
  return rank(a) - rank(b) || (a.ref.path < b.ref.path ? -1 : 1);
}

interface ProblemPlace {
  problem: Problem;
  key: string;
  place: string;
  /** of a line that changed its text: what it would be found by elsewhere */
  moved: string | undefined;
}

/** @param change index of the change that has the line, -1: it stayed @param line of the new text, where it stayed */
function placed(problem: Problem, change: number, line: number, lines: readonly string[]): ProblemPlace {
  const { severity, message, code } = problem;
  return {
    problem,
    key: `${JSON.stringify([severity, message, code])} `,
    place: change < 0 ? `line ${line}` : `change ${change}`,
    moved: change < 0 ? undefined : lines[problem.line - 1]?.trim() || undefined,
  };
}

/** The rest of both lists without pairs of the same name. */
function unmatched(
  left: readonly ProblemPlace[],
  right: readonly ProblemPlace[],
  nameOf: (placed: ProblemPlace) => string | undefined,
) {
  const open = Map.groupBy(left, nameOf);
  const paired = new Set<ProblemPlace>();
  const alone = right.filter(one => {
    const name = nameOf(one);
    const other = name === undefined ? undefined : open.get(name)?.shift();
    if (other) paired.add(other);
    return !other;
  });
  return { left: left.filter(one => !paired.has(one)), right: alone };
}

const MAX_CHARACTERS = 300;

/** `12:5` */
const problemPlace = ({ line, column, cell }: Problem): string =>
  cell === undefined ? `${line}:${column}` : `cell ${cell}, ${line}:${column}`;

/** `Cannot find name 'x'. (ts 2304)` @param redact before the message is cut: of half a secret nothing is found */
function problemMessage({ message, source, code }: Problem, redact: Redact): string {
  const from = [source, code].filter(part => part !== undefined && part !== "").join(" ");
  return oneLine(redact(message), MAX_CHARACTERS) + (from === "" ? "" : ` (${redact(from)})`);
}

/** `src/a.ts:12:5 error Cannot find name 'x'. (ts 2304)`, of a cell `a.ipynb cell 2, 12:5 error …`; `redact` as there. */
export function problemLine(path: string, problem: Problem, redact: Redact): string {
  const between = problem.cell === undefined ? ":" : " ";
  return `${path}${between}${problemPlace(problem)} ${problem.severity} ${problemMessage(problem, redact)}`;
}

/** "1 error, 2 warnings"; with `which`: "1 new error, 2 new warnings". Empty for none. */
export const countsText = (problems: readonly Problem[], which = ""): string =>
  severities
    .map(severity => ({ many: problems.filter(problem => problem.severity === severity).length, severity }))
    .filter(({ many }) => many > 0)
    .map(({ many, severity }) => counted(many, which + severity))
    .join(", ");

/** "errors or warnings": all kinds down to the least that was asked for. */
export function kindsText(least: Severity): string {
  const kinds = severities.slice(0, severities.indexOf(least) + 1).map(severity => `${severity}s`);
  return kinds.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/**
 * Tells the model which problems are new since an edit. Other changes during the wait move the lines along.
 * Silence means unknown: the first report after the change and 300 ms without another are the answer.
 */

export interface ToolDiagnostics {
  source: Diagnostics;
  /** `strata.diagnostics.waitMs`; 0: edits do not wait, and say nothing of problems */
  waitMs(): number;
}

export interface CheckedPorts {
  files: Files;
  diagnostics?: ToolDiagnostics | undefined;
}

/** What a result says of the problems since its edit. */
export interface SinceEdit {
  text: string;
  /** for the end of the digest: ` · 1 new error`; empty where nothing is new */
  digest: string;
  data: Json;
}

const MAX_LISTED = 10;
const MAX_KEPT = 5;

/**
 * Makes the edit, then waits until checkers have looked at it; a stop ends the wait, not the edit.
 * @param before the text that the edits are made on; null: the file is new
 */
export async function applyChecked(
  { files, diagnostics }: CheckedPorts,
  change: ApplyEdits,
  before: string | null,
  run: RunContext,
): Promise<{ outcome: ApplyOutcome; problems?: SinceEdit }> {
  const waitMs = diagnostics?.waitMs() ?? 0;
  if (!diagnostics || waitMs === 0) return { outcome: await files.apply(change) };
  const watch = await diagnostics.source.watch(change.ref);
  const outcome = await files.apply(change);
  if (outcome.kind === "stale") return { outcome };
  const settled = await watch.settled(waitMs, run.signal);
  return { outcome, problems: sinceEdit(watch, before, outcome.text, settled, run.redact) };
}

/** @param after what stood right after the edit */
export function sinceEdit(
  watch: Pick<DiagnosticsWatch, "before" | "complete">,
  before: string | null,
  after: string,
  settled: Awaited<ReturnType<DiagnosticsWatch["settled"]>>,
  redact: Redact,
): SinceEdit {
  if (!settled) return { text: "Diagnostics: unknown (no checker reported on the file).", digest: "", data: "unknown" };
  const now = settled.text ?? after;
  const { fresh, gone } = compareProblems(
    { problems: watch.before.filter(counts), text: before ?? "" },
    { problems: settled.problems.filter(counts), text: now },
  );
  const complete = before === null || watch.complete;
  const lines = fresh
    .slice(0, MAX_LISTED)
    .map(problem => `${problem.severity} ${problemPlace(problem)} ${problemMessage(problem, redact)}`);
  const fixed = gone.length > 0 ? `${count(gone.length)} fixed.` : "";
  return {
    text: [...listText(fresh, lines, complete, withLf(now) !== withLf(after)), fixed]
      .filter(line => line !== "")
      .join(fresh.length > 0 ? "\n" : " "),
    digest: fresh.length > 0 ? ` · ${countsText(fresh, complete ? "new " : "")}` : "",
    data: {
      new: fresh.length,
      fixed: gone.length,
      first: lines.slice(0, MAX_KEPT),
      ...defined({ older: !complete || undefined }),
    },
  };
}

/** Hints fade code out or suggest another way to write it: nothing that an edit broke. */
const counts = ({ severity }: Problem) => severity !== "hint";

function listText(fresh: readonly Problem[], lines: readonly string[], complete: boolean, moved: boolean): string[] {
  if (fresh.length === 0) return ["No new problems."];
  const rest = fresh.slice(lines.length);
  return [
    complete
      ? "New problems since the edit:"
      : "Problems now (the file was not open before the edit, so some may be older):",
    ...lines,
    rest.length > 0 ? `… ${count(rest.length)} more (${countsText(rest)})` : "",
    moved ? "The file was changed again meanwhile: some of these may come from that." : "",
  ];
}
