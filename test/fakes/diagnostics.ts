/** Problems in the in-memory workspace: a checker that a test plays looks at what is open, as in an editor. */
import type { Diagnostics, DiagnosticsWatch, FileProblems, FileRef, Problem } from "../../src/core/ground/ports";
import type { MemoryFiles } from "./files";

export const problem = (line: number, message: string, more: Partial<Problem> = {}): Problem => {
  const column = more.column ?? 1;
  return { severity: "error", message, line, column, ...more };
};

/** What it finds in a text; undefined: it does not report. */
export type Checker = (text: string, path: string) => readonly Problem[] | undefined;

/** Each line that has `bad` in it is an error. */
export const findsBad: Checker = text =>
  text.split("\n").flatMap((line, at) => (line.includes("bad") ? [problem(at + 1, `${line.trim()} is bad`)] : []));

export class FakeDiagnostics implements Diagnostics {
  /** how long each wait was allowed to be, in ms */
  readonly waits: number[] = [];
  /** Runs while an edit is waited for: typing, another edit, a stop. */
  meanwhile: (() => void) | undefined;
  private readonly lists = new Map<string, FileProblems>();

  constructor(
    private readonly files: MemoryFiles,
    public checker: Checker,
  ) {}

  /** A checker looks at a file, whether or not anybody asked. */
  async check(path: string): Promise<void> {
    this.report(await this.files.resolve(path));
  }

  async of(ref: FileRef): Promise<readonly Problem[]> {
    return this.lists.get(ref.uri)?.problems ?? [];
  }

  async all(): Promise<FileProblems[]> {
    return [...this.lists.values()];
  }

  async watch(ref: FileRef): Promise<DiagnosticsWatch> {
    return {
      before: await this.of(ref),
      complete: this.lists.has(ref.uri),
      settled: async (maxMs, signal) => {
        this.waits.push(maxMs);
        this.meanwhile?.();
        this.meanwhile = undefined;
        if (signal.aborted || !this.report(ref)) return undefined;
        return { problems: await this.of(ref), text: this.files.textOf(ref) };
      },
    };
  }

  async look(ref: FileRef, maxMs: number): Promise<boolean> {
    this.waits.push(maxMs);
    return this.report(ref);
  }

  private report(ref: FileRef): boolean {
    const problems = this.checker(this.files.textOf(ref) ?? "", ref.path);
    if (problems) this.lists.set(ref.uri, { ref, problems });
    return problems !== undefined;
  }
}
