/**
 * Around each command that may change files: one look before it and one after it. What became of files that the session knows goes
 * to the model with the result. What became of the whole workspace is looked at while the model thinks, and noted in the log: a
 * rewind puts that back.
 * Files are looked at, not guessed from the command, 50 ms after its end: until then the result is on its way to the
 * model.
 */
import { errorMessage } from "../../shared/errorMessage";
import { pathInRoots } from "../../shared/filePlace";
import type { StateChange } from "../../shared/fileStates";
import { plural, t } from "../../shared/l10n";
import type { DirtyFiles } from "../../shared/settingValues";
import type { ErrorCode, ToolResult } from "../../shared/toolResult";
import type { Baseline, Clock, CommandChanges, FileRef, Files, Logger, TextFile, UnsavedFiles } from "../ground/ports";
import { onlyFor, StorageError, ToolError } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { toFacts } from "../ground/text/json";
import type { History } from "../log/history";
import { stampModelKnows } from "../log/stamps";
import { MOVED, type RunContext, type ToolOutcome } from "../tool/tool";
import type { ChangeDetectorPorts, DetectedChange, FileChangeReport } from "./fileChangeDetector";
import { FileChangeDetector, listNames, MAX_LOOKED_AT, reportFileChanges } from "./fileChangeDetector";

/** What notes what commands do to any file of the workspace. */
interface WorkspaceNotes {
  baseline: Baseline;
  history: History;
  roots(): Files["roots"];
  logger: Logger;
  clock: Clock;
}

interface ObserverPorts extends ChangeDetectorPorts {
  /** `strata.bash.dirtyFiles`, or what the person settled for this session */
  dirtyFiles(): DirtyFiles;
  /** absent: rewinds leave alone what commands did */
  workspace?: WorkspaceNotes | undefined;
}

interface ObservedCommand {
  /** files with unsaved changes that the question named */
  asked: readonly FileRef[];
  /** false: it is known to change no file */
  mayWrite: boolean;
}

/** ms after a command's end in which its result goes to the model; what it did to the workspace is looked at then */
const WHILE_SENDING = 50;

/** One for a session: it remembers what it has read. */
export class CommandObserver {
  private readonly known: FileChangeDetector;
  /** scans after commands that ended */
  private readonly running = new Set<Promise<void>>();
  /** scans that wait until the results are on their way */
  private readonly delayedScans = new Set<() => void>();

  constructor(private readonly ports: ObserverPorts) {
    this.known = new FileChangeDetector(ports);
  }

  /** While the model thinks: the first command need not wait for it. */
  prepare(): void {
    this.ports.workspace?.baseline.prepare();
  }

  /** Resolves when the log has what all ended commands did. */
  async flush(): Promise<void> {
    for (const look of this.delayedScans) look();
    await Promise.all(this.running);
  }

  async close(): Promise<void> {
    await this.flush();
    await this.ports.workspace?.baseline.close();
  }

  /** Files with unsaved changes that the question has to name. */
  async filesToAskAbout(): Promise<FileRef[]> {
    return this.ports.dirtyFiles() === "ask" ? unsavedFiles(this.ports) : [];
  }

  /**
   * Saves or leaves unsaved files, runs, and adds to the result what the model has to know of files, with their stamps.
   * MOVED: more files have unsaved changes than `asked`; nothing was saved and nothing ran.
   */
  async observe(
    { asked, mayWrite }: ObservedCommand,
    run: RunContext,
    command: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome | typeof MOVED> {
    const settled = await settleUnsaved(this.ports, asked, run);
    if (settled === MOVED) return MOVED;
    let scanAfter = async () => reportFileChanges([]);
    let performed: ToolOutcome;
    try {
      if (mayWrite) scanAfter = await this.look(settled, run);
      performed = await command();
    } catch (error) {
      throw withReport(error, settled, await scanAfter(), run.signal);
    }
    const { notes, stamps, changes, facts } = await scanAfter();
    const { result } = performed;
    return {
      ...performed,
      result: {
        ...result,
        text: [result.text, ...settled.notes, ...notes].join("\n"),
        data: { ...toFacts(result.data), ...(facts.length > 0 && { filesChanged: facts }) },
      },
      stamps: [...(performed.stamps ?? []), ...settled.stamps, ...stamps],
      changes: [...(performed.changes ?? []), ...changes],
      ...(mayWrite && this.ports.workspace && { watched: true }),
    };
  }

  /** What it gives is called once, when the command has ended. It waits for the files that the session knows, and for no other. */
  private async look({ stamps, left }: SettledFiles, { callId, turn }: RunContext) {
    const { unsaved, workspace } = this.ports;
    const saves = unsaved?.followSaves();
    const byEditor = async () => (await saves?.saved()) ?? new Set<string>();
    let looking: ReturnType<Baseline["before"]> | undefined;
    try {
      looking = workspace?.baseline.before();
      const [known, workspaceAgain] = await Promise.all([this.known.before(stamps, left), looking]);
      const since = workspace?.history.records.at(-1)?.seq ?? 0;
      return async () => {
        const report = reported(this.known.after(known, byEditor));
        if (!workspace || !workspaceAgain) return report.finally(() => saves?.end());
        const found = workspaceAgain(this.whileSending(workspace, report));
        const noted = recordChanges(workspace, { callId, turn, since }, found, byEditor);
        this.running.add(noted);
        void noted.finally(() => {
          saves?.end();
          this.running.delete(noted);
        });
        return report;
      };
    } catch (error) {
      saves?.end();
      // The command does not run, so nothing else would end this look.
      await looking?.then(
        again => again(),
        () => undefined,
      );
      throw error;
    }
  }

  /** The result is on its way to the model by then, or a caller waits for the changes. */
  private async whileSending({ clock }: WorkspaceNotes, report: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(WHILE_SENDING, resolve);
    this.delayedScans.add(resolve);
    await Promise.all([promise, report]);
    cancel();
    this.delayedScans.delete(resolve);
  }
}

/** Never rejects. */
async function recordChanges(
  { history, logger, roots }: WorkspaceNotes,
  run: { callId: string; turn: number; since: number },
  found: Promise<CommandChanges>,
  byEditor: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  try {
    const changes = await found;
    await history.write([{ ...run, ...(await commandFiles(history, changes, await byEditor(), roots())) }]);
    // Behind the turn's end, nothing else would sync it.
    if (!history.conversation.turnOpen) await history.synced();
  } catch (error) {
    logger.log("warning", "what a command changed could not be noted", { error: errorMessage(error) });
  }
}

/** A fault while files are looked at does not lose the result of a command that ran. */
const reported = (look: Promise<DetectedChange[]>): Promise<FileChangeReport> =>
  look.then(reportFileChanges).catch((error: unknown) => {
    const note = `What changed in files read before could not be found out (${errorMessage(error)}). Read them again before you edit them.`;
    return { ...reportFileChanges([]), notes: [note] };
  });

/** Also where the command did not run, the model is told what was saved for it, and the session knows it. */
function withReport(error: unknown, settled: SettledFiles, report: FileChangeReport, signal: AbortSignal): unknown {
  const notes = [...settled.notes, ...report.notes];
  // The log cannot be written: what a call did has no place any more.
  if (notes.length === 0 || error instanceof StorageError) return error;
  const done = { stamps: [...settled.stamps, ...report.stamps], changes: report.changes };
  const failed = (code: ErrorCode, message: string, data?: ToolResult["data"]) =>
    new ToolError(code, [message, ...notes].join("\n"), data, done);
  if (error instanceof ToolError) return failed(error.code, error.message, error.data);
  if (signal.aborted) return failed("ABORTED", "The user stopped the turn. The command was not run.");
  return failed("IO", `The command could not be run: ${errorMessage(error)}`);
}

/** `stamps`: of files that were saved and that the session knew as they stood in the editor. */
interface SettledFiles extends Pick<FileChangeReport, "notes" | "stamps"> {
  /** still unsaved */
  left: FileRef[];
}

const unsavedFiles = async (ports: ObserverPorts): Promise<FileRef[]> => (await ports.unsaved?.unsaved()) ?? [];

/**
 * Right before the command: saves, or leaves (`strata.bash.dirtyFiles`). MOVED: files have unsaved changes that the person was not asked
 * about, and nothing was saved.
 * @param asked what the question named
 */
async function settleUnsaved(ports: ObserverPorts, asked: readonly FileRef[], run: RunContext) {
  const now = await unsavedFiles(ports);
  if (now.length === 0 || !ports.unsaved) return { notes: [], stamps: [], left: [] };
  // An answer counts more than what was set meanwhile; one that says nothing of them saves nothing.
  const answer = asked.length > 0 ? run.answer : undefined;
  const choice = answer ? (answer.unsaved ?? "leave") : ports.dirtyFiles();
  if (choice === "ask") return MOVED;
  if (choice === "leave") return { notes: [notSavedNote(now, [])], stamps: [], left: now };
  const names = new Set(asked.map(ref => ref.uri));
  if (answer?.scope === "once" && now.some(ref => !names.has(ref.uri))) return MOVED;
  return save(ports, ports.unsaved, now, run);
}

async function save(ports: ObserverPorts, unsaved: UnsavedFiles, files: FileRef[], run: RunContext) {
  const before = new Map<string, TextFile>();
  for (const ref of files) {
    const file = await readText(ports, ref);
    // The session knows the saved text only if it knew the text before.
    if (file && file.stamp.sha256 === run.stampOf(ref.uri)?.sha256) before.set(ref.uri, file);
  }
  const { saved, failed } = await unsaved.save(files);
  const stamps: SettledFiles["stamps"] = [];
  const names: string[] = [];
  for (const ref of saved) {
    const known = before.get(ref.uri);
    const after = known && (await readText(ports, ref));
    const usable = known && after && !after.stamp.dirty;
    const stamp = run.stampOf(ref.uri);
    // The model is told that saving changed it, not what.
    if (usable && stamp) stamps.push({ uri: ref.uri, stamp: stampModelKnows(stamp, after.stamp) });
    names.push(usable && after.text !== known.text ? `${ref.path} (saving changed it)` : ref.path);
  }
  const left = await unsavedFiles(ports);
  const its = saved.length === 1 ? "it" : "they";
  const notes = [
    ...(saved.length > 0 ? [`Saved before the command, since ${its} had unsaved changes: ${listNames(names)}.`] : []),
    ...(left.length > 0 ? [notSavedNote(left, failed)] : []),
  ];
  return { notes, stamps, left };
}

/** Undefined where it is no text, too large, or cannot be read. */
async function readText({ files }: ObserverPorts, ref: FileRef): Promise<TextFile | undefined> {
  const file = await unlessFileError(files.read(ref, MAX_LOOKED_AT), undefined);
  return file?.kind === "text" ? file : undefined;
}

function notSavedNote(files: readonly FileRef[], failed: readonly { ref: FileRef; why: string }[]): string {
  const why = new Map(failed.map(({ ref, why }) => [ref.uri, why]));
  const names = files.map(({ uri, path }) => (why.has(uri) ? `${path} (${why.get(uri)})` : path));
  const have = files.length === 1 ? "has" : "have";
  return `Not saved: ${listNames(names)} ${have} unsaved changes in the editor that the command did not see.`;
}

// A command's changes to the workspace, as the log has them; empty lists have no field.

/** @param byEditor files that the editor saved meanwhile, which cannot be told from the command's */
async function commandFiles(
  history: History,
  { changes, gaps }: CommandChanges,
  byEditor: ReadonlySet<string>,
  roots: Files["roots"],
) {
  const found = changes.map(
    ({ uri, path, before, after, made }): StateChange => ({
      ...{ uri, path: pathInRoots(path, roots) ?? path, before, after },
      ...(made && { made }),
      ...(byEditor.has(uri) && { shared: true }),
    }),
  );
  const record = { kind: "commandFiles" as const, files: found.length };
  if (found.length === 0) return { ...record, gaps: [...gaps] };
  const list = await keepList(history, found).catch(onlyFor(StorageError, error => error));
  if (typeof list === "string") return { ...record, list, gaps: [...gaps] };
  // A rewind cannot put these back.
  const lost = plural(
    found.length,
    "What a command changed (1 file) could not be kept: {1}.",
    "What a command changed ({0} files) could not be kept: {1}.",
    list.code === "DISK_FULL" ? t("the disk was full") : list.message,
  );
  return { ...record, gaps: [...gaps, lost] };
}

/** @returns its sha256: the list is a snapshot. Rejects with StorageError. */
export async function keepList({ files, hash }: History, list: readonly StateChange[]) {
  const text = JSON.stringify(list);
  const sha256 = hash.sha256(text);
  await files.putSnapshot(sha256, text);
  return sha256;
}
