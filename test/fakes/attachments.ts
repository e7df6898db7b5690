/** What a test says that the editor shows, and Git. */
import type { AttachedContent, Attachments, FileProblems, Problem, TerminalCommand } from "../../src/core/ground/ports";
import type { MemoryFiles } from "./files";

/** Readers of fixed contents; what is not given has nothing, with a sentence of its own. */
export function attachments(given: Partial<AttachedContent>): Attachments {
  const read =
    <K extends keyof AttachedContent>(kind: K) =>
    async () =>
      given[kind] ?? { nothing: `There is no ${kind}.` };
  return {
    problems: read("problems"),
    selection: read("selection"),
    changes: read("changes"),
    terminal: read("terminal"),
  };
}

/** One on a line, in its first column. */
export const problem = (severity: Problem["severity"], line: number, message: string): Problem => {
  return { severity, message, line, column: 1, source: "ts" };
};

export async function problemsOf(
  files: Pick<MemoryFiles, "resolve">,
  listed: Record<string, Problem[]>,
): Promise<FileProblems[]> {
  return Promise.all(
    Object.entries(listed).map(async ([path, problems]) => ({ ref: await files.resolve(path), problems })),
  );
}

/** A change of one line, as Git prints it. */
export const diffOf = (path: string, from = "old", to = "new"): string =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

export const ran = (command: string, output: string, more: Partial<TerminalCommand> = {}): TerminalCommand => {
  return { command, running: false, exitCode: 0, head: output, dropped: 0, tail: "", ...more };
};
