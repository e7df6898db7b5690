/** "Strata: Export Session" and "Strata: Import Session": a session as one file, to take along or to send. */
import * as vscode from "vscode";
import type { AgentPorts } from "../../core/agent/session/openSession";
import { type RunningHash, SessionError, type SessionFiles } from "../../core/ground/ports";
import { type ExportReport, exportName, exportSession, reportSentences } from "../../core/proof/exportSession";
import { importSession } from "../../core/proof/importSession";
import { inSentences } from "../../shared/format";
import { t } from "../../shared/l10n";
import { fileName } from "../../shared/paths";
import { type ExportFormat, exportFormats } from "../../shared/sessionsProtocol";
import { workspaceFolders } from "../editor/documents";
import { choose, inform, warn, withProgress } from "../platform/messages";
import { exportMarkdown } from "./readable";

/** Where exports are on this machine's disk, and what writing them takes. */
export interface ExportedFiles {
  /** all of it or nothing; rejects with StorageError, and with the signal's reason */
  write(path: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void>;
  /** its text, cut anywhere; throws StorageError while iterating */
  read(path: string): AsyncIterable<string>;
  newHash(): RunningHash;
  /** version of Strata */
  app: string;
}

const importFilters = (): Record<string, string[]> => ({ [t("Strata sessions")]: ["jsonl"], [t("All files")]: ["*"] });

export class SessionTransfer {
  constructor(
    private readonly ports: AgentPorts,
    private readonly exported: ExportedFiles,
  ) {}

  private get how() {
    const { redactor, hash, clock } = this.ports;
    const { newHash, app } = this.exported;
    return { redact: redactor.redact, hash, newHash, now: clock.now, app };
  }

  private get here() {
    const { storage, ids, files } = this.ports;
    const roots = files.roots.map(({ path }) => path);
    return { storage, ids, newHash: this.exported.newHash, roots };
  }

  /** @param target undefined: the user chooses, the format too. Rejects with StorageError and SessionError. */
  async exportSession({ id, title }: { id: string; title: string }, target?: vscode.Uri): Promise<void> {
    const { redactor, storage } = this.ports;
    const format = target ? "json" : await chooseFormat();
    if (!format) return;
    const name = exportName(id, redactor.redact(title), format === "markdown" ? "md" : undefined);
    const chosen = target ?? (await chooseTarget(format, name));
    if (!chosen) return;
    requireOnDisk(chosen);
    await redactor.refresh("workspace");
    const files = await storage.open(id, { readOnly: true });
    try {
      if (((await files.read("history.jsonl")) ?? "") === "")
        throw new SessionError(t("This session is empty. There is nothing to export."));
      await this.write(chosen, files, { format, title });
    } finally {
      await files.close();
    }
  }

  private async write(
    target: vscode.Uri,
    files: SessionFiles,
    { format, title }: { format: ExportFormat; title: string },
  ): Promise<void> {
    const { redact, now } = this.how;
    const reports: ExportReport[] = [];
    const lines = {
      json: () => exportSession(files, { ...this.how, onReport: report => void reports.push(report) }),
      markdown: () => eachOf([exportMarkdown(files, { redact, title, now })]),
    }[format]();
    const { write } = this.exported;
    const finished = await withProgress(t("Exporting the session"), signal => write(target.fsPath, lines, signal));
    if (finished) void tellExported(target, reports[0]);
  }

  /**
   * A copy under an id of its own, as an import of its export makes it.
   * @returns its id. Rejects with StorageError, NewerLogError.
   */
  async duplicate(id: string): Promise<string> {
    const { storage, redactor } = this.ports;
    await redactor.refresh("workspace");
    const files = await storage.open(id, { readOnly: true });
    try {
      // Read once for both times: a session that runs goes on meanwhile.
      const lines: string[] = [];
      for await (const line of exportSession(files, this.how)) lines.push(line);
      return (await importSession(() => eachOf(lines), this.here)).id;
    } finally {
      await files.close();
    }
  }

  /** @returns the id of the new session; undefined: nothing was chosen, or it was cancelled. Rejects with BundleError, StorageError. */
  async importSession(source?: vscode.Uri): Promise<string | undefined> {
    const options = { title: t("Import Session"), openLabel: t("Import"), filters: importFilters() };
    const chosen = source ?? (await vscode.window.showOpenDialog(options))?.[0];
    if (!chosen) return undefined;
    requireOnDisk(chosen);
    const imported = await withProgress(t("Importing the session"), signal =>
      importSession(() => this.exported.read(chosen.fsPath), { ...this.here, signal }),
    );
    if (imported) tellImported(imported.result);
    return imported?.result.id;
  }
}

function tellImported({ was, revoked }: { was?: string; revoked: number }): void {
  const copy = was ? t("A session with this id already exists, so a copy was imported.") : "";
  const asked = revoked > 0 ? t("Its permissions were not imported: Strata asks again here.") : "";
  if (copy || asked) void inform(`${copy} ${asked}`.trim());
}

async function* eachOf(lines: readonly (string | Promise<string>)[]): AsyncGenerator<string> {
  yield* lines;
}

/** As lists of VS Code have it. */
const formatWords = (): Record<ExportFormat, { label: string; detail: string }> => ({
  markdown: { label: t("Markdown"), detail: t("The conversation, to read or to paste") },
  json: { label: t("Strata session"), detail: t("Everything in it, to import elsewhere") },
});

async function chooseFormat(): Promise<ExportFormat | undefined> {
  const items = exportFormats.map(format => ({ format, ...formatWords()[format] }));
  const options = { title: t("Export Session"), placeHolder: t("Secrets are replaced in every format") };
  return (await choose(items, options))?.format;
}

async function chooseTarget(format: ExportFormat, name: string): Promise<vscode.Uri | undefined> {
  const [folder] = workspaceFolders();
  return vscode.window.showSaveDialog({
    title: t("Export Session"),
    saveLabel: t("Export"),
    filters: format === "markdown" ? { Markdown: ["md"] } : importFilters(),
    // Beside the workspace: within it, an export would be committed, or read as one of its files.
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, "..", name) } : {}),
  });
}

function requireOnDisk({ scheme }: vscode.Uri): void {
  if (scheme !== "file")
    throw new SessionError(t("Sessions can only be exported to and imported from a disk. Choose another location."));
}

/** @param report absent: of a file for people there is nothing more to say */
async function tellExported(target: vscode.Uri, report: ExportReport | undefined): Promise<void> {
  const name = fileName(target.path);
  const sentences = report ? reportSentences(report) : [];
  const tell = sentences.length > 1 ? warn : inform;
  const show = t("Show in Folder");
  const what = inSentences(sentences);
  const said = what === "" ? t("Exported to {0}.", name) : t("Exported to {0}: {1}", name, what);
  if ((await tell(said, show)) === show) await vscode.commands.executeCommand("revealFileInOS", target);
}
