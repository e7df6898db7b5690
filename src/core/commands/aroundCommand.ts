/** What happens around a command, for the sake of the files: unsaved changes before it, what it changed after it. */

import { type FileRef, StorageError, ToolError } from "../ports";
import { factsOf } from "../text/facts";
import { MOVED, type Performed, type RunContext } from "../toolkit/tool";
import { type DirtyPorts, type Settled, settleDirtyFiles, unsavedToAskAbout } from "./dirtyFiles";
import { type Noticed, type NoticePorts, Noticing } from "./noticed";
import { type NoticedReport, reportOf } from "./noticedReport";

export type AroundPorts = DirtyPorts & NoticePorts;

/** One for a session: it remembers what it has read. */
export class AroundCommand {
  private readonly noticing: Noticing;

  constructor(private readonly ports: AroundPorts) {
    this.noticing = new Noticing(ports);
  }

  /** Files with unsaved changes that the question has to name. */
  toAskAbout(): Promise<FileRef[]> {
    return unsavedToAskAbout(this.ports);
  }

  /**
   * Saves or leaves what is unsaved, runs, and adds to the result what the model has to know of files, with their stamps.
   * MOVED: more files have unsaved changes than `asked`; nothing was saved and nothing ran.
   */
  async run(
    asked: readonly FileRef[],
    run: RunContext,
    command: () => Promise<Performed>,
  ): Promise<Performed | typeof MOVED> {
    const settled = await settleDirtyFiles(this.ports, asked, run);
    if (settled === MOVED) return MOVED;
    let look: () => Promise<NoticedReport> = async () => reportOf([]);
    let performed: Performed;
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
function reporting(lookAgain: () => Promise<Noticed[]>): () => Promise<NoticedReport> {
  return async () => {
    try {
      return reportOf(await lookAgain());
    } catch (error) {
      const note = `What changed in files read before could not be found out (${wordsOf(error)}). Read them again before you edit them.`;
      return { ...reportOf([]), notes: [note] };
    }
  };
}

/** Also where the command did not run, the model is told what was saved for it, and the session knows it. */
function withReport(error: unknown, settled: Settled, report: NoticedReport, signal: AbortSignal): unknown {
  const notes = [...settled.notes, ...report.notes];
  // The log cannot be written: what a call did has no place any more.
  if (notes.length === 0 || error instanceof StorageError) return error;
  const { code, message, data } = error instanceof ToolError ? error : asToolError(error, signal);
  const done = { stamps: [...settled.stamps, ...report.stamps], changes: report.changes };
  return new ToolError(code, [message, ...notes].join("\n"), data, done);
}

function asToolError(error: unknown, signal: AbortSignal): ToolError {
  if (signal.aborted) return new ToolError("ABORTED", "The user stopped the turn. The command was not run.");
  return new ToolError("IO", `The command could not be run: ${wordsOf(error)}`);
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function withNotes(performed: Performed, notes: readonly string[], facts: readonly string[]): Performed {
  const { result } = performed;
  return {
    ...performed,
    result: {
      ...result,
      text: [result.text, ...notes].join("\n"),
      data: { ...factsOf(result.data), ...(facts.length > 0 && { filesChanged: [...facts] }) },
    },
  };
}
