/**
 * Problems that VS Code lists, and when its checkers report. The editor names the files with new lists, but not the checker
 * or the version: so the first report after an edit plus a quiet moment counts as the answer. Later reports (of a slow
 * checker, or one that runs on save) are told by the tool or with the next edit.
 */

import * as vscode from "vscode";
import { isNotebookPath } from "../../core/changes/edits/notebook";
import type {
  Clock,
  Diagnostics,
  DiagnosticsWatch,
  FileProblems,
  FileRef,
  Problem,
  Severity,
} from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { CheckerWait, DiagnosticReports, type ReportNumber } from "./diagnosticReports";
import { cellNumber, isPrompt, isPromptAt, notebookAround, type OpenDocuments, tabsOf } from "./documents";

interface VSCodeDiagnosticsDeps {
  documents: OpenDocuments;
  /** the file that a URI names; undefined: none that tools can touch */
  refOf(uri: vscode.Uri): Promise<FileRef | undefined>;
  clock: Clock;
}

/** ms for which a file has to be open before nothing listed means that there is nothing: some checkers say so by silence */
const LOOKED_MS = 2_000;

export class VSCodeDiagnostics implements Diagnostics, vscode.Disposable {
  private readonly reports: DiagnosticReports;
  private readonly patience = new CheckerWait();
  private readonly subscriptions: vscode.Disposable;
  /** what was listed when a report on the document counted last */
  private readonly counted = new WeakMap<vscode.TextDocument, readonly vscode.Diagnostic[]>();
  /** of which that was before VS Code told of it */
  private readonly ahead = new WeakSet<vscode.TextDocument>();

  constructor(private readonly deps: VSCodeDiagnosticsDeps) {
    this.reports = new DiagnosticReports(deps.clock);
    for (const document of vscode.workspace.textDocuments) this.reports.opened(documentUri(document), 0);
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument(document => this.reports.opened(documentUri(document))),
      vscode.workspace.onDidCloseTextDocument(document => this.reports.closed(documentUri(document))),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.reports.changed(documentUri(document));
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.reported(uris)),
    );
  }

  async of(ref: FileRef): Promise<readonly Problem[]> {
    return this.readListed(ref, await this.deps.documents.of(ref));
  }

  async all(): Promise<FileProblems[]> {
    const lists = vscode.languages
      .getDiagnostics()
      .filter(([uri, diagnostics]) => diagnostics.length > 0 && !isPromptAt(uri));
    const refs = await Promise.all(lists.map(([uri]) => this.refOf(uri)));
    const files = new Map<string, { ref: FileRef; lists: Problem[][] }>();
    for (const [index, [uri, diagnostics]] of lists.entries()) {
      const ref = refs[index];
      if (!ref) continue;
      const file = files.get(ref.uri) ?? { ref, lists: [] };
      files.set(ref.uri, file);
      file.lists.push(toProblems(diagnostics, cellNumber(uri)));
    }
    return [...files.values()].map(({ ref, lists }) => ({ ref, problems: joined(lists) }));
  }

  async watch(ref: FileRef): Promise<DiagnosticsWatch> {
    const document = await this.deps.documents.of(ref);
    // From here on nothing is missed: what is awaited above was before, and so is a report whose event is still to come.
    if (document) this.lookAhead(document);
    const since = this.reports.now();
    const before = this.readListed(ref, document);
    return {
      before,
      // The lists are ahead of the events.
      complete: document !== undefined && (before.length > 0 || this.hasBeenLookedAt(document)),
      settled: (maxMs, signal) => this.settled(ref, since, maxMs, signal),
    };
  }

  async look(ref: FileRef, maxMs: number, signal: AbortSignal): Promise<boolean> {
    const document = await this.opened(ref);
    if (!document) return false;
    const uri = documentUri(document);
    // What was not reported in this time is not waited for again.
    if (!this.reports.isCurrent(uri) && this.reports.age(uri) < maxMs) await this.wait(document, 0, maxMs, signal);
    return this.reports.isCurrent(uri);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async settled(ref: FileRef, since: ReportNumber, maxMs: number, signal: AbortSignal) {
    // One that the edit created is not open yet.
    const document = await this.opened(ref);
    if (!document || !(await this.wait(document, since, maxMs, signal))) return undefined;
    const text = document.isClosed ? undefined : document.getText();
    return { problems: this.readListed(ref, document), text };
  }

  private async wait(document: vscode.TextDocument, since: ReportNumber, maxMs: number, signal: AbortSignal) {
    const kind = checkerKind(document);
    const limit = this.patience.limit(kind, maxMs);
    const heard = await this.reports.settled(documentUri(document), since, limit, signal);
    if (heard) this.patience.report(kind);
    else if (!signal.aborted && limit === maxMs) this.patience.silence(kind);
    return heard;
  }

  private hasBeenLookedAt(document: vscode.TextDocument): boolean {
    const uri = documentUri(document);
    return this.reports.hasReport(uri) || this.reports.openFor(uri) >= LOOKED_MS;
  }

  /** The document that shows the file, opened without a tab where none does; undefined: the editor cannot open it as text. */
  private async opened(ref: FileRef): Promise<vscode.TextDocument | undefined> {
    const document = await this.deps.documents.of(ref);
    // A notebook's text is its JSON: checkers look at its cells.
    if (document || isNotebookPath(ref.path)) return document;
    try {
      return await vscode.workspace.openTextDocument(this.deps.documents.uriOf(ref));
    } catch {
      // too large for it, or not text by its rules: then no checker looks at it either
      return undefined;
    }
  }

  private reported(uris: readonly vscode.Uri[]): void {
    const names = new Set(uris.map(String));
    for (const document of vscode.workspace.textDocuments) {
      const name = documentUri(document);
      if (!names.has(name)) continue;
      const listed = vscode.languages.getDiagnostics(document.uri);
      // VS Code's window echoes what it was told, 200 ms late under load: behind an edit this would pass for its answer.
      const isExpected = this.ahead.delete(document) || listed.length > 0;
      if (isExpected && this.isCounted(document, listed)) continue;
      this.count(document, listed);
    }
  }

  /**
   * Counts a list that is there before its event: VS Code tells of one up to 100 ms after it was set. Without this, one set
   * right before an edit would pass for the answer to the edit. What a checker sets anew are other objects.
   */
  private lookAhead(document: vscode.TextDocument): void {
    const listed = vscode.languages.getDiagnostics(document.uri);
    if (this.isCounted(document, listed)) return;
    this.ahead.add(document);
    this.count(document, listed);
  }

  private isCounted(document: vscode.TextDocument, listed: readonly vscode.Diagnostic[]): boolean {
    const before = this.counted.get(document) ?? [];
    return before.length === listed.length && listed.every((one, at) => one === before[at]);
  }

  private count(document: vscode.TextDocument, listed: readonly vscode.Diagnostic[]): void {
    this.counted.set(document, listed);
    this.reports.reported(documentUri(document));
    // An empty list may only say that its tab was closed.
    if (listed.length > 0) this.patience.report(checkerKind(document));
  }

  /** By the name the editor gives the file, and by the one it was opened under, through a link perhaps. */
  private readListed(ref: FileRef, document: vscode.TextDocument | undefined): readonly Problem[] {
    // A mistake in what a person is just writing to the agent is their affair.
    if (document && isPrompt(document)) return [];
    const own = this.deps.documents.uriOf(ref);
    const uris = [own, ...(document && documentUri(document) !== String(own) ? [document.uri] : [])];
    const cells = vscode.workspace.notebookDocuments
      .filter(notebook => notebook.uri.toString() === String(own))
      .flatMap(notebook => notebook.getCells().map(cell => cell.document.uri));
    return joined([...uris, ...cells].map(uri => toProblems(vscode.languages.getDiagnostics(uri), cellNumber(uri))));
  }

  private async refOf(uri: vscode.Uri): Promise<FileRef | undefined> {
    return this.deps.refOf(notebookAround(uri)?.uri ?? uri).catch(() => undefined); // a path that leads nowhere is no file's
  }
}

/** source of an agent's findings */
export const REVIEWER = "Strata Review";

const documentUri = ({ uri }: vscode.TextDocument) => uri.toString();

/** Files that the same checkers look at: of one language, and in a tab or not, since many look at no others. */
const checkerKind = ({ uri, languageId }: vscode.TextDocument) =>
  tabsOf(uri).length > 0 ? `${languageId}, shown` : languageId;

const toSeverity: Record<vscode.DiagnosticSeverity, Severity> = {
  [vscode.DiagnosticSeverity.Error]: "error",
  [vscode.DiagnosticSeverity.Warning]: "warning",
  [vscode.DiagnosticSeverity.Information]: "info",
  [vscode.DiagnosticSeverity.Hint]: "hint",
};

function toProblems(diagnostics: readonly vscode.Diagnostic[], cell: number | undefined): Problem[] {
  // What another agent says is no checker's word.
  const checked = diagnostics.filter(({ source }) => source !== REVIEWER);
  return checked.map(({ severity, message, code: given = "", source, range: { start } }) => {
    const code = String(typeof given === "object" ? given.value : given);
    return {
      severity: toSeverity[severity] ?? "error",
      message,
      ...defined({ code: code || undefined, source: source || undefined }),
      line: start.line + 1,
      column: start.character + 1,
      ...defined({ cell }),
    };
  });
}

/** A file may be listed under two names: what both have counts once; two of the same in one list stay two. */
function joined(lists: readonly Problem[][]): Problem[] {
  const all: Problem[] = [];
  for (const list of lists) {
    const known = all.map(problem => JSON.stringify(problem));
    for (const problem of list) {
      const at = known.indexOf(JSON.stringify(problem));
      if (at >= 0) known.splice(at, 1);
      else all.push(problem);
    }
  }
  return all;
}
