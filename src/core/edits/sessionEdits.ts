/**
 * The edits of a session as a person deals with them afterwards: what a turn changed, and taking edits back or making them
 * again. The file as it stands now is the truth (unsaved text too); every change of it is a compare-and-swap, so it may happen
 * while the agent works.
 */
import type { FileChange } from "../../shared/toolResult";
import { whyNoUndo } from "../../shared/undoLimits";
import { ChangeRecords, type RecordedEdit } from "../history/changeRecords";
import type { History } from "../history/history";
import { missingForTurn } from "../history/missingArchives";
import { SessionError } from "../ports";
import { type RevertDeps, Reverter } from "./reverter";
import { type NetChange, netChange, stateHashes, type TurnFile, turnFiles } from "./turnChanges";
import type { Direction } from "./undoRefusal";

export interface SessionEditsDeps extends RevertDeps {
  history: History;
  /** Throws SessionError where this window may not write the session. */
  requireWritable(): void;
}

/** An edit that is meant; without `messageId`: the newest of that call (some providers give ids twice). */
export interface EditName {
  callId: string;
  uri: string;
  messageId?: string | undefined;
}

/** A file, as a turn changed it. */
export interface TurnFileName {
  turn: number;
  uri: string;
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

export interface TurnEdits<T> {
  files: T[];
  /** archives that cannot be read and may hold some of this turn: what it changed there is not among the files */
  missing: string[];
}

export class SessionEdits {
  private readonly records: ChangeRecords;
  private readonly reverter: Reverter;
  /** One after the other: the second click finds what the first did. */
  private tail: Promise<unknown> = Promise.resolve();

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
  async editStates({
    before,
    after,
  }: FileChange): Promise<{ before: string | null; after: string | null } | undefined> {
    const { snapshots } = this.deps;
    const [was, is] = await Promise.all([snapshots.textIfKept(before), snapshots.textIfKept(after)]);
    return was === undefined || is === undefined ? undefined : { before: was, after: is };
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
    return { files, missing: await missingForTurn(this.deps.history, missing, turn) };
  }

  private async findChange(file: TurnFile): Promise<TurnFileChange> {
    const { uri, path, edits } = file;
    const texts = new Map<string, string>();
    for (const sha256 of stateHashes(file)) {
      const text = await this.deps.snapshots.textIfKept(sha256);
      if (typeof text === "string") texts.set(sha256, text);
    }
    const why = edits.map(({ change }) => whyNoUndo(change)).find(words => words !== undefined);
    return {
      ...{ uri, path, edits: edits.length, undone: edits.filter(({ undone }) => undone).length },
      ...netChange(file, sha256 => texts.get(sha256)),
      ...(why === undefined ? {} : { why }),
    };
  }

  private async revert(direction: Direction, choose: (all: readonly RecordedEdit[]) => RecordedEdit[]): Promise<void> {
    const reverted = this.tail.then(async () => {
      this.deps.requireWritable();
      const { edits: all } = await this.records.read();
      const named = choose(all);
      const edits = named.filter(({ undone }) => undone === (direction === "redo"));
      if (edits.length === 0) throw new SessionError(nothingTo(direction, named.length));
      await this.reverter.revert({ direction, edits, all });
    });
    this.tail = reverted.catch(() => undefined);
    return reverted;
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

function nothingTo(direction: Direction, edits: number): string {
  const what = edits === 1 ? "This edit is" : "These edits are";
  return direction === "undo" ? `${what} undone already.` : `${what} not undone, so there is nothing to make again.`;
}
