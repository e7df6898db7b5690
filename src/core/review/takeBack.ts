/** Taking changes back in a file as it stands now, by compare-and-swap; and following the editor's own undo and redo of that. */
import { defined } from "../../shared/defined";
import type { NewRecord } from "../../shared/records";
import type { Intents } from "../edits/intents";
import { resolveRecordedFile } from "../edits/recordedFile";
import { doneBut } from "../edits/reverter";
import { applyEdits } from "../edits/textEdits";
import { type ApplyOutcome, type FileRef, type Files, SessionError, StorageError, type StorageForm } from "../ports";
import { rangesText } from "../text/diff";
import { countLines, withLf } from "../text/lines";
import { findHunks, type Hunk, reviewLines, undoEdits, undoHunks } from "./hunks";
import type { Unreviewed } from "./unreviewed";
import { GONE, hunkId, lostWords, type Now, type States, type Texts, type WaitingChanges } from "./waiting";

export interface TakeBackDeps {
  waiting: WaitingChanges;
  files: Pick<Files, "resolve" | "apply" | "removeFile">;
  intents: Intents;
  /** Appends it, and gives its number. */
  note(record: ReviewRecord): Promise<number>;
}

export type ReviewRecord = Extract<NewRecord, { kind: "review" }>;

/** How often it is tried again where the file moved in between. */
const MAX_TRIES = 5;

/** What a review took back of a file last, for as long as nothing else becomes of it in the session. */
interface TakenBack {
  /** number of its newest record */
  seq: number;
  record: ReviewRecord;
  /** the file before it and after it, and between which texts the changes lie that wait then */
  undone: { text: string; states: Partial<States> };
  redone: { text: string; states: Partial<States> };
  /** the editor's undo has put it back */
  isBack: boolean;
}

/** A change that is to be taken back: the file's text before and after, and the record of it. */
interface Taken {
  from: string | null;
  to: string | null;
  record: ReviewRecord;
}

/** What was taken back. */
interface Undone {
  changes: number;
  /** lines that came back, and lines that went */
  added: number;
  removed: number;
  /**
   * Where it stood, by the lines that the agent knows. Not what stood there: text of files steers nobody, and this is told where
   * the model heeds it.
   */
  text: string;
}

function undoneOf(hunks: readonly Hunk[]): Undone {
  const sum = (side: "base" | "now") => hunks.reduce((lines, hunk) => lines + hunk[side].count, 0);
  const ranges = hunks.map(({ agent: { first, count } }) => ({ first: first + 1, last: first + count }));
  return { changes: hunks.length, added: sum("base"), removed: sum("now"), text: rangesText(ranges) };
}

const applied = (outcome: ApplyOutcome) => (outcome.kind === "stale" ? "stale" : outcome);

export class TakeBack {
  /** by URI: what the editor's own undo may bring again */
  private readonly takenBack = new Map<string, TakenBack>();

  constructor(private readonly deps: TakeBackDeps) {}

  /** One change, or all that the file has. Rejects as `SessionReview.undo`. */
  async undo(file: Unreviewed, id: string | undefined): Promise<void> {
    const texts = await this.deps.waiting.textsOf(file);
    if (!texts) throw new SessionError(lostWords(file.path));
    const ref = await resolveRecordedFile(this.deps.files, file);
    for (let tries = 0; tries < MAX_TRIES; tries += 1)
      if ((await this.undoOnce({ file, texts, ref, id })) === "done") return;
    throw new SessionError(`${ref.path} kept changing meanwhile, so nothing was done. Try again.`);
  }

  /**
   * The editor's own undo put a text back that a review had changed: its changes wait again; or its redo took them once more.
   * false: neither. Rejects with StorageError.
   */
  async followUndo(uri: string, text: string): Promise<boolean> {
    const taken = this.takenBack.get(uri);
    const direction = taken?.isBack ? "redone" : "undone";
    if (!taken || taken[direction].text !== withLf(text)) return false;
    const file = await this.deps.waiting.find(uri);
    if (file && file.seq !== taken.seq) return false;
    const { record } = taken;
    const lines = { added: record.removed, removed: record.added };
    const { states } = taken[direction];
    const next = direction === "redone" ? record : { ...record, action: "restore" as const, ...lines, text: "" };
    const seq = await this.deps.note({ ...next, upTo: taken.seq, ...states });
    this.takenBack.set(uri, { ...taken, seq, isBack: direction === "undone" });
    return true;
  }

  private async undoOnce(asked: { file: Unreviewed; texts: Texts; ref: FileRef; id: string | undefined }) {
    const { file, texts, ref, id } = asked;
    const now = await this.deps.waiting.textNow(ref);
    if (now === undefined) throw new SessionError(`${ref.path} is no text file any more, so nothing was done.`);
    if (texts.agent === null) return this.bringBack(file, texts, ref, now);
    if (now === null) throw new SessionError(`${ref.path} is not there any more, so there is nothing to take back.`);
    const nowLines = reviewLines(now.text);
    const all = findHunks(texts.baseLines, texts.agentLines, nowLines, texts.edits);
    const chosen = id === undefined ? all : all.filter(hunk => hunkId(file, hunk) === id);
    if (chosen.length === 0) throw new SessionError(GONE);
    const edits = undoEdits(now.text, texts.baseLines, chosen);
    const target = applyEdits(now.text, edits);
    const left = undoHunks(texts.baseLines, nowLines, all).join("\n");
    const undone = undoneOf(chosen);
    const { files, intents } = this.deps;
    if (texts.base === null && target === "") {
      const taken = await this.takenBy(asked, now.text, { target: null, left: null, undone });
      if ((await intents.around(taken, () => files.removeFile(ref, now.sha256))) === "stale") return "stale";
      await this.noteUndone(file, taken, texts);
      return "done";
    }
    const taken = await this.takenBy(asked, now.text, { target, left, undone });
    const outcome = await intents.around(taken, async () =>
      applied(await files.apply({ ref, base: now.sha256, edits })),
    );
    if (outcome === "stale") return "stale";
    await this.noteUndone(file, taken, texts);
    const but = doneBut(outcome, target);
    if (but !== undefined) throw new SessionError(`The change of ${ref.path} was undone, but ${but}`);
    return "done";
  }

  /** A file that the agent took away. */
  private async bringBack(file: Unreviewed, { base }: Texts, ref: FileRef, now: Now | null) {
    if (now !== null)
      throw new SessionError(`There is a file ${ref.path} again, so it can't be brought back. Move it away first.`);
    if (base === null) throw new SessionError(GONE);
    const as: StorageForm | undefined = file.stored && { ...file.stored, text: base };
    const edits = [{ start: 0, end: 0, text: base }];
    const undone = { changes: 1, added: countLines(base), removed: 0, text: "the whole file, which is back" };
    const taken = await this.takenBy({ file, texts: undefined }, null, { target: base, left: base, undone });
    const { files, intents } = this.deps;
    const outcome = await intents.around(taken, async () =>
      applied(await files.apply({ ref, base: null, edits, ...defined({ as }) })),
    );
    if (outcome === "stale") return "stale";
    await this.noteUndone(file, taken, undefined);
    return "done";
  }

  /** @param left the text without any change that waits */
  private async takenBy(
    { file, texts }: { file: Unreviewed; texts: Texts | undefined },
    from: string | null,
    { target, left, undone }: { target: string | null; left: string | null; undone: Undone },
  ): Promise<Taken> {
    const isDone = target === null || withLf(target) === left || !texts;
    // In a file that is new, what is left of nothing is no file.
    const base = texts?.base === null && left === "" ? null : left;
    const states = isDone ? {} : ((await this.deps.waiting.keepStates(base, target)) ?? {});
    const { uri, path, edit: upTo } = file;
    const record: ReviewRecord = {
      ...({ kind: "review", action: "undo", uri, path, upTo } as const),
      ...undone,
      ...(target === null && { gone: true as const }),
    };
    return { from, to: target, record: { ...record, ...states } };
  }

  private async noteUndone(file: Unreviewed, { from, to, record }: Taken, texts: Texts | undefined): Promise<void> {
    const { uri, path } = file;
    const seq = await this.deps.note(record).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
      throw new StorageError(
        error.code,
        `The change of ${path} was undone, but the session could not note it. ${error.message}`,
      );
    });
    const was = from === null || to === null || !texts ? undefined : await this.deps.waiting.statesOf(file);
    if (!was || from === null || to === null) return void this.takenBack.delete(uri);
    const { base, agent, ...about } = record;
    const left = defined({ base, agent });
    const [undone, redone] = [
      { text: withLf(from), states: was },
      { text: withLf(to), states: left },
    ];
    this.takenBack.set(uri, { seq, record: about, undone, redone, isBack: false });
  }
}
