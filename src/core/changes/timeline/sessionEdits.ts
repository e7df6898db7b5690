/**
 * The edits of a session as a person deals with them afterwards: what a turn changed, and taking edits back or making them
 * again. The current file is the truth (unsaved text too); every change of it is a compare-and-swap, so it may happen
 * while the agent works.
 */
import { SerialQueue } from "../../../shared/async";
import { t } from "../../../shared/l10n";
import type { TurnFile } from "../../../shared/panelProtocol";
import type { RecordOf } from "../../../shared/records";
import type { FileChange } from "../../../shared/toolResult";
import { whyNoUndo } from "../../../shared/undoLimits";
import { onlyFor, SessionError, type StorageForm } from "../../ground/ports";
import { missingForTurn } from "../../log/archives";
import type { History } from "../../log/history";
import { editKey } from "../../log/putBacks";
import { SnapshotError, type Snapshots } from "../../log/snapshots";
import { type PutBackStep, putAllBack } from "./putBack";
import { type PutBackStates, type Restorer, restoreWords } from "./restorer";
import { editsOf, type Link, type RecordedEdit, type Timeline } from "./timeline";

interface SessionEditsDeps {
  history: History;
  timeline: Timeline;
  snapshots: Snapshots;
  restorer: Restorer;
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

interface TurnFileEdits {
  uri: string;
  /** as the newest edit names it */
  path: string;
  edits: RecordedEdit[];
}

/** A file that a turn changed, as it was before. */
export interface TurnStates extends TurnFileEdits {
  /** null: it was not there; undefined: not kept */
  before: string | null | undefined;
}

interface TurnEdits<T> {
  files: T[];
  /** archives that cannot be read and may hold some of this turn: what it changed there is not among the files */
  missing: string[];
}

type Direction = "undo" | "redo";

/** Edits of one file, oldest first, that are taken back or made again. */
interface EditsToTurn {
  direction: Direction;
  edits: readonly [RecordedEdit, ...RecordedEdit[]];
  links: readonly Link[];
}

export class SessionEdits {
  /** One after the other: the second click finds what the first did. */
  private readonly queue = new SerialQueue();

  constructor(private readonly deps: SessionEditsDeps) {}

  /** The files that a turn changed; of a turn that runs: so far. */
  changesOf(turn: number): Promise<TurnEdits<TurnFile>> {
    return this.turnEdits(turn, async file => turnChange(file));
  }

  /** The files of a turn, or of all, with what they held before it. */
  statesBefore(turn?: number): Promise<TurnEdits<TurnStates>> {
    return this.turnEdits(turn, async file => ({
      ...file,
      before: await this.deps.snapshots.textIfKept(file.edits[0]?.change.before),
    }));
  }

  /** A file's texts right before and after an edit; undefined: not kept. */
  editStates(change: FileChange): Promise<{ before: string | null; after: string | null } | undefined> {
    return this.deps.snapshots.bothIfKept(change);
  }

  private async turnEdits<T>(
    turn: number | undefined,
    tell: (file: TurnFileEdits) => Promise<T>,
  ): Promise<TurnEdits<T>> {
    const { links, missing } = await this.deps.timeline.read();
    const files = await Promise.all(turnFiles(editsOf(links), turn).map(tell));
    return { files, missing: missingForTurn(this.deps.history.records, missing, turn ?? 1) };
  }

  /**
   * One edit, or those of a turn on one file: all of them or none. Rejects with SessionError, FileError, StorageError: then the file is as
   * it was, but for what that says.
   */
  revert(direction: Direction, meant: EditName | TurnFileName): Promise<void> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const { links } = await this.deps.timeline.read();
      const all = editsOf(links);
      const named = "callId" in meant ? editNamed(all, meant) : editsOnFile(all, meant);
      const [first, ...others] = named.filter(({ undone }) => undone === (direction === "redo"));
      if (!first)
        throw new SessionError(direction === "undo" ? t("This is undone already.") : t("This is not undone."));
      await this.turn({ direction, edits: [first, ...others], links });
    });
  }

  private async turn(asked: EditsToTurn): Promise<void> {
    const { direction, edits } = asked;
    const steps = await this.steps(asked);
    const last = newestTurnOf(asked);
    const turned = last && (await this.deps.snapshots.bothIfKept(last));
    await this.deps.restorer.restore({
      file: edits[0].change,
      ...restoreWords(edits[0].change.path, direction),
      plan: async now => {
        // What the newest turn of these edits, the other way, left is what it found again, to the byte.
        const put =
          turned && turned.after === now ? { kind: "text" as const, text: turned.before } : putAllBack(now, steps);
        if (put.kind !== "text") return put;
        const again = turned?.after === null && put.text !== null ? last?.stored : undefined;
        const as = again && put.text !== null ? { ...again, text: put.text } : await this.storedAs(asked);
        return { text: put.text, as: now === null ? as : undefined, record: states => revertRecord(asked, states) };
      },
    });
  }

  private async steps({ direction, edits }: EditsToTurn): Promise<PutBackStep[]> {
    const ordered = direction === "undo" ? edits.toReversed() : edits;
    return Promise.all(
      ordered.map(async ({ change }) => {
        const why = whyNoUndo(change);
        if (why !== undefined) throw new SessionError(why);
        const [before, after] = await Promise.all([this.state(change, "before"), this.state(change, "after")]);
        return direction === "undo" ? { from: after, to: before } : { from: before, to: after };
      }),
    );
  }

  /** How the file was stored that is to come back; undefined: not noted. */
  private async storedAs({ direction, edits }: EditsToTurn): Promise<StorageForm | undefined> {
    const last = direction === "undo" ? edits.at(-1)?.change : undefined;
    if (!last?.stored || last.after !== null) return undefined;
    const text = await this.state(last, "before");
    return text === null ? undefined : { ...last.stored, text };
  }

  private state(change: FileChange, side: "before" | "after"): Promise<string | null> {
    const unkept = onlyFor(SnapshotError, ({ message }) => {
      throw new SessionError(t("{0} Open the diff to take the edit back by hand.", message));
    });
    return this.deps.snapshots.text(change[side] ?? null, change.path).catch(unkept);
  }
}

/** The newest record that did the opposite to exactly these edits; undefined: the newest one about them did the same. */
function newestTurnOf({ direction, edits, links }: EditsToTurn): RecordOf<"revert"> | undefined {
  const { uri } = edits[0].change;
  const wanted = edits.map(edit => editKey(edit, uri)).join();
  const reverts = links.flatMap(link => (link.who === "person" && link.record.kind === "revert" ? [link.record] : []));
  const newest = reverts.findLast(record => record.edits.map(edit => editKey(edit, record.uri)).join() === wanted);
  return newest?.direction === direction ? undefined : newest;
}

function revertRecord({ direction, edits }: EditsToTurn, states: PutBackStates) {
  const { change, turn } = edits[0];
  const { uri, path } = change;
  const refs = edits.map(({ messageId, callId }) => ({ messageId, callId }));
  return { kind: "revert" as const, direction, turn, uri, path, edits: refs, ...states };
}

function editNamed(all: readonly RecordedEdit[], { callId, uri, messageId }: EditName): RecordedEdit[] {
  const isNamed = (edit: RecordedEdit) =>
    edit.callId === callId && edit.change.uri === uri && (messageId === undefined || edit.messageId === messageId);
  const newest = all.findLast(isNamed);
  if (!newest) throw new SessionError(t("This edit is not in the session's log, so it can't be undone or redone."));
  return all.filter(edit => editKey(edit, uri) === editKey(newest, uri) && edit.change.uri === uri);
}

function editsOnFile(all: readonly RecordedEdit[], { turn, uri }: TurnFileName): RecordedEdit[] {
  const found = all.filter(edit => edit.turn === turn && edit.change.uri === uri);
  if (found.length === 0) throw new SessionError(t("The agent changed no such file in this turn."));
  return found;
}

/** In the order of their last change, the newest last. */
function turnFiles(edits: readonly RecordedEdit[], turn: number | undefined): TurnFileEdits[] {
  const files = new Map<string, TurnFileEdits>();
  for (const edit of edits) {
    if (turn !== undefined && edit.turn !== turn) continue;
    const { uri, path } = edit.change;
    const before = files.get(uri)?.edits ?? [];
    files.delete(uri);
    files.set(uri, { uri, path, edits: [...before, edit] });
  }
  return [...files.values()];
}

function turnChange({ uri, path, edits }: TurnFileEdits): TurnFile {
  const standing = edits.filter(({ undone }) => !undone);
  const sum = (side: "added" | "removed") => standing.reduce((total, { change }) => total + change[side], 0);
  const why = edits.map(({ change }) => whyNoUndo(change)).find(words => words !== undefined);
  return {
    uri,
    path,
    edits: edits.length,
    undone: edits.length - standing.length,
    added: sum("added"),
    removed: sum("removed"),
    created: standing[0] === edits[0] && standing[0]?.change.created === true,
    deleted: standing.at(-1) === edits.at(-1) && standing.at(-1)?.change.after === null,
    ...(why !== undefined && { why }),
  };
}
