/**
 * Tells the model which problems are new since an edit. Other changes during the wait move the lines along.
 * Silence means unknown: the first report after the change and 300 ms without another are the answer.
 */
import { defined } from "../../../shared/defined";
import type { Json } from "../../../shared/messages";
import type { Redact } from "../../../shared/redacted";
import type { ApplyEdits, ApplyOutcome, Diagnostics, DiagnosticsWatch, Files, Problem } from "../../ground/ports";
import { count } from "../../ground/text/format";
import { withLf } from "../../ground/text/lines";
import type { RunContext } from "../../tool/tool";
import { compareProblems, countsText, problemMessage, problemPlace } from "./problems";

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
