/** What reviews by an agent found, as problems of the editor: until the next review, or until their lines change. */
import * as vscode from "vscode";
import type { Attachments, Logger, RepositoryChanges } from "../../core/ground/ports";
import type { Finding } from "../../shared/delegation";
import { plural, t } from "../../shared/l10n";
import { REVIEWER } from "../editor/diagnostics";
import type { VSCodeFiles } from "../files/files";
import type { Sessions } from "../panel/sessions/sessions";
import { logged } from "../platform/async";
import { complain, inform, saysYes, withProgress } from "../platform/messages";

interface FindingsDeps {
  sessions: Sessions;
  files: VSCodeFiles;
  logger: Logger;
  /** what Git lists */
  attachments?: Attachments;
}

const GIT_MS = 15_000;

export class ReviewFindings implements vscode.Disposable {
  private collection: vscode.DiagnosticCollection | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: FindingsDeps) {
    this.subscriptions = vscode.Disposable.from(
      deps.sessions.subscribeToAll((_, event) => {
        const findings = event.type === "record" && event.record.kind === "child" ? event.record.findings : undefined;
        if (findings)
          void this.show(findings).catch(logged(deps.logger, "warning", "findings of a review were not shown"));
      }),
      vscode.workspace.onDidChangeTextDocument(event => this.follow(event)),
    );
  }

  /** "Strata: Review Changes": asked about with its price. */
  async review(): Promise<void> {
    const session = await this.deps.sessions.show();
    session.requireWritable();
    const changes = await this.deps.attachments?.changes(AbortSignal.timeout(GIT_MS));
    const isClean = ({ staged, unstaged, untracked }: RepositoryChanges) => !staged && !unstaged && !untracked.length;
    if (changes && ("nothing" in changes || changes.every(isClean)))
      return void inform(t("There are no uncommitted changes to review."));
    const { price, begin } = await session.children.task("review", t("Review the uncommitted changes"), REVIEW_PROMPT);
    if (!(await saysYes(t("Let an agent review the uncommitted changes?"), `${price}.`, t("Review")))) return;
    const done = await withProgress(t("Strata: reviewing the changes"), begin);
    if (!done || done.result.reason === "stopped") return;
    const { reason, why, findings = [] } = done.result;
    if (reason !== "done") return void complain(why ?? t("The review did not come to its end."));
    if (findings.length === 0) return void inform(t("The review found nothing."));
    const words = plural(findings.length, "The review found 1 problem.", "The review found {0} problems.");
    if (await inform(words, t("Show Problems")))
      await vscode.commands.executeCommand("workbench.actions.view.problems");
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.collection?.dispose();
  }

  private async show(findings: readonly Finding[]): Promise<void> {
    const { files } = this.deps;
    const found = await Promise.all(
      findings.map(async ({ path, line, words }) => {
        const ref = await files.resolve(path).catch(() => undefined);
        if (!ref?.inside) return [];
        const uri = files.documents.uriOf(ref);
        const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
        // A line behind the file's end is no place.
        if (!document || line < 1 || line > document.lineCount) return [];
        const problem = new vscode.Diagnostic(
          document.lineAt(line - 1).range,
          words,
          vscode.DiagnosticSeverity.Warning,
        );
        problem.source = REVIEWER;
        return [{ uri, problem }];
      }),
    );
    this.collection ??= vscode.languages.createDiagnosticCollection("strata-review");
    this.collection.clear();
    for (const [uri, problems] of Map.groupBy(found.flat(), each => each.uri.toString()))
      this.collection.set(
        vscode.Uri.parse(uri),
        problems.map(({ problem }) => problem),
      );
  }

  /** A finding goes with its lines, and moves with those before them. */
  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const all = this.collection?.get(document.uri);
    if (!all?.length || contentChanges.length === 0) return;
    const left = all.flatMap(problem => {
      if (contentChanges.some(({ range }) => range.intersection(problem.range))) return [];
      const before = contentChanges.filter(({ range }) => range.end.isBefore(problem.range.start));
      const by = before.reduce(
        (sum, { range, text }) => sum + text.split("\n").length - 1 - (range.end.line - range.start.line),
        0,
      );
      const { start, end } = problem.range;
      problem.range = new vscode.Range(start.translate(by), end.translate(by));
      return [problem];
    });
    this.collection?.set(document.uri, left);
  }
}

const REVIEW_PROMPT = "Review the uncommitted changes of this workspace.";
