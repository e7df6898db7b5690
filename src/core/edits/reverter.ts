/**
 * Takes edits of one file back, or makes them again: as far as what stands there now allows it, by compare-and-swap, and noted
 * in the log.
 */
import type { ResultRef } from "../../shared/compaction";
import type { NewRecord } from "../../shared/records";
import type { FileChange } from "../../shared/toolResult";
import { whyNoUndo } from "../../shared/undoLimits";
import type { RecordedEdit } from "../history/changeRecords";
import type { History } from "../history/history";
import {
  type ApplyOutcome,
  FileError,
  type FileRef,
  type Files,
  SessionError,
  StorageError,
  type StorageForm,
} from "../ports";
import { diffLines } from "../text/diff";
import { withLf } from "../text/lines";
import { type KeptState, SnapshotError, type Snapshots } from "../versions/snapshots";
import { MAX_EDIT_BYTES } from "./fileEdit";
import type { Intents } from "./intents";
import { resolveRecordedFile } from "./recordedFile";
import {
  conflictLines,
  type Direction,
  editsBetween,
  type Reverted,
  type RevertStep,
  refusalWords,
  revertText,
} from "./revertText";

export interface RevertDeps {
  history: Pick<History, "append">;
  files: Pick<Files, "resolve" | "stat" | "read" | "apply" | "removeFile" | "renamedTo">;
  snapshots: Snapshots;
  intents: Intents;
}

interface RevertRequest {
  direction: Direction;
  edits: readonly [RecordedEdit, ...RecordedEdit[]];
  all: readonly RecordedEdit[];
}

/** How often it is tried again where the file moved in between. */
const MAX_TRIES = 5;
/** Later edits that are asked whether they are in the way. */
const MAX_LATER = 50;

type RevertRecord = Extract<NewRecord, { kind: "revert" }>;

type Applied = Extract<ApplyOutcome, { kind: "applied" }>;

export class Reverter {
  constructor(private readonly deps: RevertDeps) {}

  /**
   * All of them or none. Rejects with SessionError (why not, or what is otherwise than meant though it was done), FileError and
   * StorageError.
   */
  async revert(asked: RevertRequest): Promise<void> {
    const { files, snapshots } = this.deps;
    const steps = await this.revertSteps(asked);
    const ref = await resolveRecordedFile(files, asked.edits[0].change);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const now = await this.textNow(ref);
      const reverted = revertText(now?.text ?? null, steps);
      if (reverted.kind !== "text") {
        throw new SessionError(await this.whyNot(reverted, asked, steps, { ref, text: now?.text ?? "" }));
      }
      const target = reverted.text;
      const kept = await snapshots.keep(now?.text ?? null);
      const before = now?.text ?? null;
      const as = now ? undefined : await this.storedAs(asked);
      const write = () => this.write(ref, now, target, as);
      const record = await recordOf(asked, { kept, before, after: target });
      const written =
        target === before
          ? { text: target }
          : await this.deps.intents.around({ from: before, to: target, record }, write);
      if (written === "stale") continue;
      await this.note(asked, await recordOf(asked, { kept, before, after: written.text }));
      if (written.but === undefined) return;
      throw new SessionError(`The change of ${ref.path} was ${doneWord(asked.direction)}, but ${written.but}`);
    }
    throw new SessionError(`${ref.path} kept changing meanwhile, so nothing was done. Try again.`);
  }

  private async revertSteps({ direction, edits }: RevertRequest): Promise<RevertStep[]> {
    const ordered = direction === "undo" ? edits.toReversed() : edits;
    return Promise.all(
      ordered.map(async ({ change }) => {
        const why = whyNoUndo(change);
        if (why !== undefined) throw new SessionError(why);
        const [before, after] = await Promise.all([this.readState(change, "before"), this.readState(change, "after")]);
        return direction === "undo" ? { from: after, to: before } : { from: before, to: after };
      }),
    );
  }

  /** How the file was stored that is to come back; undefined: nobody noted it. */
  private async storedAs({ direction, edits }: RevertRequest): Promise<StorageForm | undefined> {
    const last = direction === "undo" ? edits.at(-1)?.change : undefined;
    if (!last?.stored || last.after !== null) return undefined;
    const text = await this.readState(last, "before");
    return text === null ? undefined : { ...last.stored, text };
  }

  private async readState(change: FileChange, side: "before" | "after"): Promise<string | null> {
    try {
      return await this.deps.snapshots.text(change[side] ?? null, change.path);
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      throw new SessionError(`${error.message} Open the diff to take the edit back by hand.`);
    }
  }

  private async textNow(ref: FileRef): Promise<{ text: string; sha256: string } | null> {
    try {
      const file = await this.deps.files.read(ref, MAX_EDIT_BYTES);
      if (file.kind === "text") return { text: file.text, sha256: file.stamp.sha256 };
    } catch (error) {
      if (error instanceof FileError && error.code === "NOT_FOUND") return null;
      throw error;
    }
    throw new SessionError(`${ref.path} is no text file any more, so nothing was done.`);
  }

  /** What stands after it; `but`: what the person has to know of it. */
  private async write(
    ref: FileRef,
    now: { text: string; sha256: string } | null,
    target: string | null,
    as: StorageForm | undefined,
  ): Promise<{ text: string | null; but?: string | undefined } | "stale"> {
    const { files } = this.deps;
    if (target === null) {
      return now && (await files.removeFile(ref, now.sha256)) === "removed" ? { text: null } : "stale";
    }
    const edits = now ? editsBetween(now.text, target) : [{ start: 0, end: 0, text: target }];
    const outcome = await files.apply({ ref, base: now?.sha256 ?? null, edits, ...(as && { as }) });
    if (outcome.kind === "stale") return "stale";
    // An editor holds one kind of line end for a file: what it was given is not always what it made of it.
    if (outcome.text !== now?.text) {
      const but = doneBut(outcome, target) ?? (as && otherThanStored(outcome, as, (await files.stat(ref))?.mode));
      return { text: outcome.text, but };
    }
    throw new SessionError(
      `${ref.path} holds what it held before: a formatter put it back, or the editor keeps line ends as they are while the file has unsaved changes. Take the edit back there by hand.`,
    );
  }

  private async note({ direction, edits }: RevertRequest, record: RevertRecord): Promise<void> {
    const { path } = edits[0].change;
    try {
      await this.deps.history.append(record);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw new StorageError(
        error.code,
        `The change of ${path} was ${doneWord(direction)}, but the session could not note it. ${error.message}`,
      );
    }
  }

  private async whyNot(
    refused: Exclude<Reverted, { kind: "text" }>,
    asked: RevertRequest,
    steps: readonly RevertStep[],
    now: { ref: FileRef; text: string },
  ): Promise<string> {
    const { direction, edits } = asked;
    const later = await this.laterInTheWay(asked, steps);
    const lines = refused.kind === "conflict" ? conflictLines(now.text, refused) : undefined;
    const renamed = refused.kind === "gone" ? await this.deps.files.renamedTo?.(now.ref) : undefined;
    const { path } = edits[0].change;
    return refusalWords(refused, { direction, path, edits: edits.length, later, renamedTo: renamed?.path }, lines);
  }

  /** The first later edit of the agent before which it would still have worked, and after which not. */
  private async laterInTheWay(
    { edits, all }: RevertRequest,
    steps: readonly RevertStep[],
  ): Promise<RecordedEdit | undefined> {
    const { uri } = edits[0].change;
    const last = edits.at(-1)?.seq ?? 0;
    const later = all.filter(({ seq, change, undone }) => seq > last && change.uri === uri && !undone);
    for (const edit of later.slice(0, MAX_LATER)) {
      const states = await this.deps.snapshots.bothIfKept(edit.change);
      if (!states) continue;
      const [was, is] = [revertText(states.before, steps), revertText(states.after, steps)];
      if (was.kind === "text" && is.kind !== "text") return edit;
    }
    return undefined;
  }
}

async function recordOf(
  { direction, edits }: RevertRequest,
  { kept, before, after }: { kept: KeptState; before: string | null; after: string | null },
): Promise<RevertRecord> {
  const { unkept: _, ...states } = await kept.with(after);
  const { added, removed } = diffLines(before ?? "", after ?? "");
  const refs: ResultRef[] = edits.map(({ messageId, callId }) => ({ messageId, callId }));
  const { change, turn } = edits[0];
  const { uri, path } = change;
  return { kind: "revert", direction, turn, uri, path, edits: refs, ...states, added, removed };
}

const doneWord = (direction: Direction) => (direction === "undo" ? "undone" : "made again");

/** What the person has to know of a change that was made. That an editor keeps one kind of line end is not worth a word. */
export function doneBut({ text, unsaved }: Applied, target: string): string | undefined {
  if (unsaved !== undefined) return `not saved: ${unsaved}.`;
  if (withLf(text) === withLf(target)) return undefined;
  const who = "when it was saved, the editor (a formatter, for example) changed more";
  return `${who}. Open the diff to see what stands now.`;
}

function otherThanStored({ text, stamp }: Applied, as: StorageForm, mode: number | undefined): string | undefined {
  if (text === as.text && stamp.sha256 !== as.sha256) return "its encoding is another one than before.";
  return as.mode === undefined || as.mode === mode ? undefined : "its permissions are others than before.";
}
