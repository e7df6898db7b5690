/** Diagnostics: what the editor's checkers list for a file, a folder or the workspace. */
import * as z from "zod";
import description from "../../../prompts/tools/diagnostics.md";
import { defined } from "../../shared/defined";
import { isBelow } from "../../shared/paths";
import type { Redact } from "../../shared/redacted";
import type { ToolDiagnostics } from "../changes/diagnostics/problems";
import { countsText, kindsText, problemLine, worstFileFirst, worstFirst } from "../changes/diagnostics/problems";
import type { FileProblems, FileRef, Problem } from "../ground/ports";
import { severities } from "../ground/ports/editor";
import { counted } from "../ground/text/format";
import { number, pick } from "../ground/text/json";
import { type FindPorts, protectedNote, protectionFilter, resolvePlaces, statPlace } from "../tool/resolvePlaces";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";

const MAX_LINES = 100;
const MAX_CHARACTERS = 12_000;
const KEPT_LINES = 10;

const input = z.object({
  file_path: z.string().min(1).optional().describe("File or folder; default: the workspace"),
  severity: z.enum(severities).optional().describe("The least one; default: warning"),
});
type DiagnosticsInput = z.infer<typeof input>;

interface DiagnosticsPorts extends FindPorts {
  diagnostics: ToolDiagnostics;
}

export const diagnosticsTool = (ports: DiagnosticsPorts) =>
  defineTool({
    name: "Diagnostics",
    description,
    input,
    effect: "read",
    forms,
    async prepare(asked) {
      const places = await resolvePlaces(ports, asked.file_path);
      const title = `Look for problems in ${places.map(place => place.path).join(", ")}`;
      return lookingCall("Diagnostics", { title, targets: places }, run => diagnose(ports, places, asked, run));
    },
  });

const forms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "path", "errors", "warnings", "files"),
    ...firstEntries(facts, KEPT_LINES, { listed: number(facts, "listed"), one: "problem", handle }),
  }),
  folded: facts => counted(number(facts, "total"), "problem"),
};

async function diagnose(ports: DiagnosticsPorts, places: FileRef[], asked: DiagnosticsInput, run: RunContext) {
  const { source, waitMs } = ports.diagnostics;
  const found = new Map<string, FileProblems>();
  const hidden = new Set<string>();
  /** of one file: whether a checker has looked at its current text */
  let checked: boolean | undefined;
  for (const place of places) {
    if ((await statPlace(ports, place, run)).type === "directory") {
      const shows = protectionFilter(place, run, hidden);
      for (const file of await source.all()) {
        const { absolute, uri } = file.ref;
        // One root may lie in another.
        if (isBelow(place.absolute, absolute) && !found.has(uri) && shows(file.ref)) found.set(uri, file);
      }
    } else {
      // A file that is not open is opened, without a tab, so that checkers look at it. Some look only at what a tab shows.
      checked = await source.look(place, waitMs(), run.signal);
      found.set(place.uri, { ref: place, problems: await source.of(place) });
    }
    run.signal.throwIfAborted();
  }
  const least = severities.indexOf(asked.severity ?? "warning");
  const wanted = ({ severity }: Problem) => severities.indexOf(severity) <= least;
  const files = [...found.values()]
    .map(({ ref, problems }) => ({ ref, problems: problems.filter(wanted).sort(worstFirst) }))
    .filter(({ problems }) => problems.length > 0)
    .sort(worstFileFirst);
  return performed(files, problemLines(files, run.redact), { asked, checked, hidden, places });
}

interface ProblemsQuery {
  asked: DiagnosticsInput;
  checked: boolean | undefined;
  hidden: ReadonlySet<string>;
  places: readonly FileRef[];
}

/** @param lines the problems that are shown */
function performed(files: readonly FileProblems[], lines: string[], looked: ProblemsQuery): ToolOutcome {
  const { asked, hidden, places } = looked;
  const all = files.flatMap(({ problems }) => problems);
  const counts = all.length === 0 ? "no problems" : `${countsText(all)} in ${counted(files.length, "file")}`;
  const where = places.map(place => place.path).join(", ");
  const shown = [
    ...lines,
    lines.length < all.length
      ? `… ${countsText(all.slice(lines.length))} more: name a file or folder as file_path, or severity "error".`
      : "",
    all.length > 0 ? `(${counts})` : nothingText(looked),
    hidden.size > 0 ? protectedNote(hidden) : "",
  ];
  const many = (severity: Problem["severity"]) => all.filter(problem => problem.severity === severity).length;
  return success({
    data: {
      path: where,
      errors: many("error"),
      warnings: many("warning"),
      total: all.length,
      listed: lines.length,
      files: files.length,
      first: lines.slice(0, KEPT_LINES),
      ...defined({
        protected: hidden.size > 0 ? hidden.size : undefined,
        truncated: lines.length < all.length || undefined,
      }),
    },
    text: shown.filter(line => line !== "").join("\n"),
    digest: `Diagnostics ${asked.file_path === undefined ? "" : `${where} `}${counts}`,
  });
}

/** As many as fit. */
function problemLines(files: readonly FileProblems[], redact: Redact): string[] {
  const lines: string[] = [];
  let left = MAX_CHARACTERS;
  for (const { ref, problems } of files) {
    for (const problem of problems) {
      if (lines.length === MAX_LINES) return lines;
      const line = problemLine(ref.path, problem, redact);
      left -= line.length + 1;
      if (left < 0) return lines;
      lines.push(line);
    }
  }
  return lines;
}

function nothingText({ asked: { file_path: asked, severity = "warning" }, checked }: ProblemsQuery): string {
  const none = `No ${kindsText(severity)} are listed for ${asked ?? "the workspace"}.`;
  if (checked) return none;
  const why =
    checked === false
      ? "No checker has reported on the file, so that may only mean that none looks at it."
      : "Files that no checker has looked at have none listed; most look at open files only. Name a file to have it looked at.";
  return `${none} ${why}`;
}
