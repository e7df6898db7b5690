/** Compactions as a person deals with them: by hand, looked at beforehand, cancelled, undone, redone; and pinned turns. */

import { defined } from "../../../shared/defined";
import { noCompactionTo, undoableCompactions } from "../../../shared/entry";
import type { LogRecord, RecordOf } from "../../../shared/records";
import type { Compactor } from "../../context/compaction/compactor";
import type { CompactionPreview } from "../../context/compaction/preview";
import { SessionError } from "../../ground/ports";
import { onBranch } from "../../log/branches";
import type { History } from "../../log/history";

/** What it needs of the session around it. */
interface CompactionGate {
  /** Throws SessionError where this window may not write the session. */
  requireWritable(): void;
  /** Throws SessionError also where a turn runs. @param done what can be done with the history when it ended: "changed" */
  requireIdle(): void;
  /** The session is busy with it; then the queued messages go out. Rejects as it does. */
  whileBusy(work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
}

export class SessionCompaction {
  constructor(
    private readonly history: History,
    private readonly compactor: Compactor,
    private readonly session: CompactionGate,
  ) {}

  /**
   * Compacts history by hand. Resolves when it ended: events told how. Messages sent meanwhile go out after it.
   * Rejects with SessionError, or with StorageError: then nothing changed.
   * @param upTo the last turn that goes; absent: as the settings say
   */
  async compact(words = "", upTo?: number): Promise<void> {
    this.session.requireIdle();
    const guidance = words.trim();
    await this.session.whileBusy(signal =>
      this.compactor.compact({ reason: "manual", ...(guidance ? { guidance } : {}), ...defined({ upTo }) }, signal),
    );
  }

  cancel(): void {
    this.compactor.cancel();
  }

  preview(): Promise<CompactionPreview> {
    return this.compactor.preview();
  }

  use(): ReturnType<Compactor["use"]> {
    return this.compactor.use();
  }

  /** What `undo` and `redo` would take back. */
  get undoable(): ReturnType<typeof undoable> {
    return undoable(this.history.records);
  }

  /** Puts the originals of the newest compaction back. Rejects with SessionError or StorageError: then nothing changed. */
  async undo(): Promise<void> {
    this.session.requireIdle();
    const { undo } = this.undoable;
    if (!undo) throw new SessionError(noCompactionTo("undo"));
    await this.history.undoCompaction(undo);
  }

  async redo(): Promise<void> {
    this.session.requireIdle();
    const { redo } = this.undoable;
    if (!redo) throw new SessionError(noCompactionTo("redo"));
    await this.history.redoCompaction(redo);
  }

  /** No compaction changes a pinned turn. */
  async pin(turn: number, pinned: boolean): Promise<void> {
    this.session.requireWritable();
    if (this.history.conversation.pins.has(turn) !== pinned) await this.history.append({ kind: "pin", turn, pinned });
  }
}

export function undoable(records: readonly LogRecord[]): {
  undo?: RecordOf<"compaction"> | undefined;
  redo?: RecordOf<"compaction"> | undefined;
} {
  const changes = onBranch(records).filter(
    record => record.kind === "compaction" || record.kind === "undo" || record.kind === "redo",
  );
  const { undo, redo } = undoableCompactions(changes);
  const find = (id: string | undefined) =>
    changes.find((record): record is RecordOf<"compaction"> => record.kind === "compaction" && record.id === id);
  return { undo: find(undo), redo: find(redo) };
}
