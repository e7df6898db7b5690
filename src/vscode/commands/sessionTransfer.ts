/** "Strata: Export Session" and "Strata: Import Session": a session as one file, to take along or to send. */
import * as vscode from "vscode";
import { isOnDisk, type RunningHash, SessionError } from "../../core/ports";
import type { AgentPorts } from "../../core/session/openSession";
import type { Session } from "../../core/session/session";
import { type ExportReport, exportName, exportSession, reportSentences } from "../../core/transfer/exportSession";
import { importSession } from "../../core/transfer/importSession";
import { fileName } from "../../shared/paths";
import { workspaceFolders } from "../editor/documents";
import { inform, warn } from "../platform/messages";
import { withProgress } from "../platform/progress";

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

const FILTERS = { "Strata sessions": ["jsonl"], "All files": ["*"] };

export class SessionTransfer {
  constructor(
    private readonly ports: Pick<AgentPorts, "storage" | "redactor" | "hash" | "ids" | "clock" | "files">,
    private readonly exported: ExportedFiles,
  ) {}

  /** @param target undefined: the user chooses. Rejects with StorageError and SessionError. */
  async exportSession({ id, history }: Session, target?: vscode.Uri): Promise<void> {
    const { redactor, hash, clock } = this.ports;
    const { write, newHash, app } = this.exported;
    if (history.records.length === 0) throw new SessionError("This session is empty. There is nothing to export.");
    const chosen = target ?? (await chooseTarget(exportName(id, redactor.redact(history.conversation.title))));
    if (!chosen) return;
    requireOnDisk(chosen);
    await redactor.refresh("workspace");
    const reports: ExportReport[] = [];
    const how = { redact: redactor.redact, hash, newHash, now: clock.now, app };
    const lines = exportSession(history.files, { ...how, onReport: report => void reports.push(report) });
    const finished = await withProgress("Exporting the session", signal => write(chosen.fsPath, lines, signal));
    if (finished) for (const report of reports) void tellExported(chosen, report);
  }

  /** @returns the id of the new session; undefined: nothing was chosen, or it was cancelled. Rejects with BundleError, StorageError. */
  async importSession(source?: vscode.Uri): Promise<string | undefined> {
    const { storage, ids, files } = this.ports;
    const { read, newHash } = this.exported;
    const options = { title: "Import Session", openLabel: "Import", filters: FILTERS };
    const chosen = source ?? (await vscode.window.showOpenDialog(options))?.[0];
    if (!chosen) return undefined;
    requireOnDisk(chosen);
    const roots = files.roots.filter(isOnDisk).map(({ path }) => path);
    const imported = await withProgress("Importing the session", signal =>
      importSession(() => read(chosen.fsPath), { storage, ids, newHash, roots, signal }),
    );
    if (imported) tellImported(imported.result);
    return imported?.result.id;
  }
}

function tellImported({ was, revoked }: { was?: string; revoked: number }): void {
  const copy = was ? "A session with this id already exists, so a copy was imported. " : "";
  const asked = revoked > 0 ? "Its permissions were not imported: Strata asks again here." : "";
  if (copy || asked) void inform((copy + asked).trim());
}

async function chooseTarget(name: string): Promise<vscode.Uri | undefined> {
  const [folder] = workspaceFolders();
  return vscode.window.showSaveDialog({
    title: "Export Session",
    saveLabel: "Export",
    filters: FILTERS,
    // Beside the workspace: within it, an export would be committed, or read as one of its files.
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, "..", name) } : {}),
  });
}

function requireOnDisk({ scheme }: vscode.Uri): void {
  if (scheme !== "file")
    throw new SessionError("Sessions can only be exported to and imported from a disk. Choose another location.");
}

async function tellExported(target: vscode.Uri, report: ExportReport): Promise<void> {
  const name = fileName(target.path);
  const sentences = reportSentences(report);
  const tell = sentences.length > 1 ? warn : inform;
  const show = "Show in Folder";
  if ((await tell(`Exported to ${name}: ${sentences.join(" ")}`, show)) === show)
    await vscode.commands.executeCommand("revealFileInOS", target);
}
