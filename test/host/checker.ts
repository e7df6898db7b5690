/** A checker for tests: it looks at open documents of one language, as a linter's extension does. */
import * as vscode from "vscode";

/**
 * Each line with `bad` in it is an error `<line> is bad`.
 * @param delays ms after a change at which it reports: first a part of what it finds, at last all of it
 */
export function startChecker(languageId: string, delays: readonly number[] = [50]): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection(`test ${languageId}`);
  let isOver = false;
  const report = (document: vscode.TextDocument, part: number) => {
    const problems = problemsIn(document);
    if (!isOver) collection.set(document.uri, problems.slice(0, Math.ceil(problems.length * part)));
  };
  /** As linters do: a new look takes the place of one that has not reported. VS Code tells of reports 50 ms later, perhaps behind an edit. */
  const due = new Map<string, NodeJS.Timeout[]>();
  const look = (document: vscode.TextDocument) => {
    if (document.languageId !== languageId || document.uri.scheme !== "file") return;
    const uri = document.uri.toString();
    for (const timer of due.get(uri) ?? []) clearTimeout(timer);
    due.set(
      uri,
      delays.map((delay, at) => setTimeout(() => report(document, (at + 1) / delays.length), delay)),
    );
  };
  const subscriptions = vscode.Disposable.from(
    collection,
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
  );
  for (const document of vscode.workspace.textDocuments) look(document);
  return new vscode.Disposable(() => {
    isOver = true;
    subscriptions.dispose();
  });
}

function problemsIn(document: vscode.TextDocument): vscode.Diagnostic[] {
  const lines = document.getText().split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const start = line.indexOf("bad");
    if (start < 0) return [];
    const problem = new vscode.Diagnostic(new vscode.Range(at, start, at, start + 3), `${line.trim()} is bad`);
    problem.source = "test";
    problem.code = { value: 7, target: vscode.Uri.parse("https://example.com") };
    return [problem];
  });
}
