/** What happens around a command, for the sake of the files: unsaved changes before it, what it changed after it. */
import { errorMessage } from "../../shared/errorMessage";
import type { DirtyFiles } from "../../shared/settingValues";
import type { ErrorCode, ToolResult } from "../../shared/toolResult";
import { type FileRef, StorageError, type TextFile, ToolError, type Unsaved } from "../ports";
import { diffLines } from "../text/diff";
import { toFacts } from "../text/toolFacts";
import { MOVED, type RunContext, type ToolOutcome } from "../toolkit/tool";
import { toldStamp } from "../versions/stamps";
import {
  type ChangeDetectorPorts,
  type DetectedChange,
  FileChangeDetector,
  type FileChangeReport,
  listNames,
  MAX_LOOKED_AT,
  reportFileChanges,
  tolerant,
} from "./fileChangeDetector";

export interface CommandFilePorts extends ChangeDetectorPorts {
  /** absent: there is no editor */
  unsaved?: Unsaved | undefined;
  /** `strata.bash.dirtyFiles`, or what the person settled for this session */
  dirtyFiles(): DirtyFiles;
}

/** `stamps`: of files that were saved and that the session knew as they stood in the editor. */
interface SettledFiles extends Pick<FileChangeReport, "notes" | "stamps"> {
  /** still unsaved */
  left: FileRef[];
}

/** One for a session: it remembers what it has read. */
export class CommandFileTracker {
  private readonly detector: FileChangeDetector;

  constructor(private readonly ports: CommandFilePorts) {
    this.detector = new FileChangeDetector(ports);
  }

  /** Files with unsaved changes that the question has to name. */
  async filesToAskAbout(): Promise<FileRef[]> {
    return this.ports.dirtyFiles() === "ask" ? unsavedFiles(this.ports) : [];
  }

  /**
   * Saves or leaves what is unsaved, runs, and adds to the result what the model has to know of files, with their stamps.
   * MOVED: more files have unsaved changes than `asked`; nothing was saved and nothing ran.
   */
  async run(
    asked: readonly FileRef[],
    run: RunContext,
    command: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome | typeof MOVED> {
    const settled = await settleDirtyFiles(this.ports, asked, run);
    if (settled === MOVED) return MOVED;
    let look: () => Promise<FileChangeReport> = async () => reportFileChanges([]);
    let performed: ToolOutcome;
    try {
      look = reporting(await this.detector.before(settled.stamps, settled.left));
      performed = await command();
    } catch (error) {
      throw withReport(error, settled, await look(), run.signal);
    }
    const { notes, stamps, changes, facts } = await look();
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
    };
  }
}

/** A fault while files are looked at takes nobody the result of a command that ran. */
function reporting(lookAgain: () => Promise<DetectedChange[]>): () => Promise<FileChangeReport> {
  return async () => {
    try {
      return reportFileChanges(await lookAgain());
    } catch (error) {
      const note = `What changed in files read before could not be found out (${errorMessage(error)}). Read them again before you edit them.`;
      return { ...reportFileChanges([]), notes: [note] };
    }
  };
}

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

const unsavedFiles = async (ports: CommandFilePorts): Promise<FileRef[]> => (await ports.unsaved?.unsaved()) ?? [];

/**
 * Right before the command, which sees only what is on disk: saves, or leaves (`strata.bash.dirtyFiles`). MOVED: files have
 * unsaved changes that nobody was asked about, and nothing was saved.
 * @param asked what the question named
 */
async function settleDirtyFiles(
  ports: CommandFilePorts,
  asked: readonly FileRef[],
  run: Pick<RunContext, "answer" | "stampOf">,
): Promise<SettledFiles | typeof MOVED> {
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

async function save(ports: CommandFilePorts, unsaved: Unsaved, files: FileRef[], run: Pick<RunContext, "stampOf">) {
  const before = new Map<string, TextFile>();
  for (const ref of files) {
    const file = await readText(ports, ref);
    // Only of what the session knows as it stands can it be said that it knows what is saved.
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
    // The model is told how many lines saving changed, not which.
    if (usable && stamp) stamps.push({ uri: ref.uri, stamp: toldStamp(stamp, after.stamp) });
    names.push(usable && after.text !== known.text ? `${ref.path} ${formatted(known.text, after.text)}` : ref.path);
  }
  const left = await unsavedFiles(ports);
  const its = saved.length === 1 ? "it" : "they";
  const notes = [
    ...(saved.length > 0 ? [`Saved before the command, since ${its} had unsaved changes: ${listNames(names)}.`] : []),
    ...(left.length > 0 ? [notSavedNote(left, failed)] : []),
  ];
  return { notes, stamps, left };
}

/** Undefined where it is no text, too large, or cannot be read: then nothing is known of it. */
async function readText({ files }: CommandFilePorts, ref: FileRef): Promise<TextFile | undefined> {
  const file = await tolerant(() => files.read(ref, MAX_LOOKED_AT), undefined);
  return file?.kind === "text" ? file : undefined;
}

function formatted(before: string, after: string): string {
  const { added, removed } = diffLines(before, after);
  return added + removed > 0 ? `(saving changed it: +${added} −${removed})` : "(saving changed its line ends)";
}

function notSavedNote(files: readonly FileRef[], failed: readonly { ref: FileRef; why: string }[]): string {
  const why = new Map(failed.map(({ ref, why }) => [ref.uri, why]));
  const names = files.map(({ uri, path }) => (why.has(uri) ? `${path} (${why.get(uri)})` : path));
  const have = files.length === 1 ? "has" : "have";
  return `Not saved: ${listNames(names)} ${have} unsaved changes in the editor that the command did not see.`;
}
