/** What happens around a command, for the sake of the files: unsaved changes before it, what it changed after it. */

import { errorMessage } from "../../shared/errorMessage";
import { type FileRef, StorageError, ToolError } from "../ports";
import { toFacts } from "../text/toolFacts";
import { MOVED, type RunContext, type ToolOutcome } from "../toolkit/tool";
import { type DirtyPorts, type SettledFiles, settleDirtyFiles, unsavedToAskAbout } from "./dirtyFiles";
import { type ChangeDetectorPorts, type DetectedChange, FileChangeDetector } from "./fileChangeDetector";
import { type FileChangeReport, reportFileChanges } from "./fileChangeReport";

export type CommandFilePorts = DirtyPorts & ChangeDetectorPorts;

/** One for a session: it remembers what it has read. */
export class CommandFileTracker {
  private readonly noticing: FileChangeDetector;

  constructor(private readonly ports: CommandFilePorts) {
    this.noticing = new FileChangeDetector(ports);
  }

  /** Files with unsaved changes that the question has to name. */
  filesToAskAbout(): Promise<FileRef[]> {
    return unsavedToAskAbout(this.ports);
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
      look = reporting(await this.noticing.before(settled.stamps, settled.left));
      performed = await command();
    } catch (error) {
      throw withReport(error, settled, await look(), run.signal);
    }
    const { notes, stamps, changes, facts } = await look();
    return {
      ...withNotes(performed, [...settled.notes, ...notes], facts),
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
  const { code, message, data } = error instanceof ToolError ? error : asToolError(error, signal);
  const done = { stamps: [...settled.stamps, ...report.stamps], changes: report.changes };
  return new ToolError(code, [message, ...notes].join("\n"), data, done);
}

function asToolError(error: unknown, signal: AbortSignal): ToolError {
  if (signal.aborted) return new ToolError("ABORTED", "The user stopped the turn. The command was not run.");
  return new ToolError("IO", `The command could not be run: ${errorMessage(error)}`);
}

function withNotes(performed: ToolOutcome, notes: readonly string[], facts: readonly string[]): ToolOutcome {
  const { result } = performed;
  return {
    ...performed,
    result: {
      ...result,
      text: [result.text, ...notes].join("\n"),
      data: { ...toFacts(result.data), ...(facts.length > 0 && { filesChanged: [...facts] }) },
    },
  };
}
