/**
 * The edits of a session as a person deals with them afterwards: what a turn changed, and taking edits back or making them
 * again. The file as it stands now is the truth (unsaved text too); every change of it is a compare-and-swap, so it may happen
 * while the agent works.
 */
import { SerialQueue } from "../../shared/async";
import type { FileChange } from "../../shared/toolResult";
import { whyNoUndo } from "../../shared/undoLimits";
import { ChangeRecords, type RecordedEdit } from "../history/changeRecords";
import type { History } from "../history/history";
import { missingForTurn } from "../history/missingArchives";
import { SessionError } from "../ports";
import { diffLines } from "../text/diff";
import { type RevertDeps, Reverter } from "./reverter";
import { type Direction, type RevertStep, revertText } from "./revertText";

export interface SessionEditsDeps extends RevertDeps {
  history: History;
  /** Throws SessionError where this window may not write the session. */
  requireWritable(): void;
}

/** An edit that is meant; without `messageId`: the newest of that call (some providers give ids twice). */
interface EditName {
  callId: string;
  uri: string;
  messageId?: string | undefined;
}

interface TurnFileName {
  turn: number;
  uri: string;
}

interface TurnFile {
  uri: string;
  /** as the newest edit names it */
  path: string;
  edits: RecordedEdit[];
}

/** What a turn made of a file: from before its first edit to after its last one, without those that were undone. */
interface NetChange {
  /** lines */
  added: number;
  removed: number;
  /** it was not there before the turn */
  created: boolean;
  /** it is not there after it */
  deleted: boolean;
}

export interface TurnFileChange extends NetChange {
  uri: string;
  path: string;
  edits: number;
  undone: number;
  /** why none of it can be undone, for a person; absent: it can be tried */
  why?: string;
}

/** A file that a turn changed, as it was before. */
export interface TurnStates extends TurnFile {
  /** null: it was not there; undefined: nobody kept that */
  before: string | null | undefined;
}

interface TurnEdits<T> {
  files: T[];
  /** archives that cannot be read and may hold some of this turn: what it changed there is not among the files */
  missing: string[];
}

export class SessionEdits {
  private readonly records: ChangeRecords;
  private readonly reverter: Reverter;
  /** One after the other: the second click finds what the first did. */
  private readonly queue = new SerialQueue();

  constructor(private readonly deps: SessionEditsDeps) {
    this.records = new ChangeRecords(deps.history);
    this.reverter = new Reverter(deps);
  }

  /** The files that a turn changed; of a turn that runs: so far. */
  changesOf(turn: number): Promise<TurnEdits<TurnFileChange>> {
    return this.turnEdits(turn, file => this.findChange(file));
  }

  /** The files of a turn with what they held before it. */
  statesBefore(turn: number): Promise<TurnEdits<TurnStates>> {
    return this.turnEdits(turn, async file => ({
      ...file,
      before: await this.deps.snapshots.textIfKept(file.edits[0]?.change.before),
    }));
  }

  /** What a file held right before and after an edit; undefined: nobody kept that. */
  editStates(change: FileChange): Promise<{ before: string | null; after: string | null } | undefined> {
    return this.deps.snapshots.bothIfKept(change);
  }

  /** Rejects with SessionError, FileError, StorageError: then the file is as it was, but for what that says. */
  undoEdit(edit: EditName): Promise<void> {
    return this.revert("undo", all => editNamed(all, edit));
  }

  redoEdit(edit: EditName): Promise<void> {
    return this.revert("redo", all => editNamed(all, edit));
  }

  /** All edits of a turn on one file, as `undoEdit`: all of them or none. */
  undoFile(file: TurnFileName): Promise<void> {
    return this.revert("undo", all => editsOn(all, file));
  }

  redoFile(file: TurnFileName): Promise<void> {
    return this.revert("redo", all => editsOn(all, file));
  }

  private async turnEdits<T>(turn: number, tell: (file: TurnFile) => Promise<T>): Promise<TurnEdits<T>> {
    const { edits, missing } = await this.records.read();
    const files = await Promise.all(turnFiles(edits, turn).map(tell));
    return { files, missing: missingForTurn(this.deps.history.records, missing, turn) };
  }

  private async findChange(file: TurnFile): Promise<TurnFileChange> {
    const { uri, path, edits } = file;
    const why = edits.map(({ change }) => whyNoUndo(change)).find(words => words !== undefined);
    return {
      uri,
      path,
      edits: edits.length,
      undone: edits.filter(({ undone }) => undone).length,
      ...(await netChange(file, state => this.deps.snapshots.textIfKept(state))),
      ...(why !== undefined && { why }),
    };
  }

  private revert(direction: Direction, choose: (all: readonly RecordedEdit[]) => RecordedEdit[]): Promise<void> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const { edits: all } = await this.records.read();
      const named = choose(all);
      const [first, ...others] = named.filter(({ undone }) => undone === (direction === "redo"));
      if (!first) {
        const what = named.length === 1 ? "This edit is" : "These edits are";
        throw new SessionError(`${what} ${direction === "undo" ? "undone already" : "not undone"}.`);
      }
      await this.reverter.revert({ direction, edits: [first, ...others], all });
    });
  }
}

function editNamed(all: readonly RecordedEdit[], { callId, uri, messageId }: EditName): RecordedEdit[] {
  const isNamed = (edit: RecordedEdit) =>
    edit.callId === callId && edit.change.uri === uri && (messageId === undefined || edit.messageId === messageId);
  const edit = all.findLast(isNamed);
  if (!edit) throw new SessionError("This edit is not in the session's log, so it can't be undone or made again.");
  return [edit];
}

function editsOn(all: readonly RecordedEdit[], { turn, uri }: TurnFileName): RecordedEdit[] {
  const found = all.filter(edit => edit.turn === turn && edit.change.uri === uri);
  if (found.length === 0) throw new SessionError("The agent changed no such file in this turn.");
  return found;
}

/** In the order of their last change, the newest last. */
export function turnFiles(edits: readonly RecordedEdit[], turn: number): TurnFile[] {
  const files = new Map<string, TurnFile>();
  for (const edit of edits) {
    if (edit.turn !== turn) continue;
    const { uri, path } = edit.change;
    const before = files.get(uri)?.edits ?? [];
    files.delete(uri);
    files.set(uri, { uri, path, edits: [...before, edit] });
  }
  return [...files.values()];
}

type State = string | null | undefined;

/** @param textOf of a snapshot; undefined: it is not to be had, so the edits' own counts are added up */
export async function netChange(file: TurnFile, textOf: (state: State) => Promise<State>): Promise<NetChange> {
  const standing = file.edits.filter(({ undone }) => !undone);
  const facts = {
    created: standing[0] === file.edits[0] && standing[0]?.change.created === true,
    deleted: standing.at(-1) === file.edits.at(-1) && standing.at(-1)?.change.after === null,
  };
  if (standing.length === 0 || file.edits.length === 1) return { ...sumCounts(standing), ...facts };
  const first = await textOf(file.edits[0]?.change.before);
  const last = await textOf(file.edits.at(-1)?.change.after);
  if (first === undefined || last === undefined) return { ...sumCounts(standing), ...facts };
  const steps: RevertStep[] = [];
  for (const { change } of file.edits.filter(({ undone }) => undone).reverse()) {
    const [from, to] = [await textOf(change.after), await textOf(change.before)];
    if (from !== undefined && to !== undefined) steps.push({ from, to });
  }
  const reverted = revertText(last, steps);
  const { added, removed } = diffLines(first ?? "", (reverted.kind === "text" ? reverted.text : last) ?? "");
  return { added, removed, ...facts };
}

function sumCounts(edits: readonly RecordedEdit[]): Pick<NetChange, "added" | "removed"> {
  const sum = (count: (edit: RecordedEdit) => number) => edits.reduce((total, edit) => total + count(edit), 0);
  return { added: sum(({ change }) => change.added), removed: sum(({ change }) => change.removed) };
}
