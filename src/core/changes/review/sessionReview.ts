/**
 * The review of what a session's agent changed, change by change: what waits, keeping it, taking it back. Files as they stand
 * now are the truth (unsaved text too); each change of them is a compare-and-swap, so it may happen while the agent works.
 */
import { SerialQueue } from "../../../shared/async";
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { ReviewFile } from "../../../shared/panelSnapshot";
import type { RecordOf } from "../../../shared/records";
import { FileError, type Files, onlyFor, SessionError } from "../../ground/ports";
import { unlessFileError } from "../../ground/ports/files";
import type { History } from "../../log/history";
import { isNotebookPath } from "../edits/notebook";
import { keepHunks } from "../timeline/hunks";
import { resolveRecordedFile, type Timeline, textNow } from "../timeline/timeline";
import { type ReviewRecord, TakeBack, type TakeBackDeps } from "./takeBack";
import { eachFile, hunkId, hunksIn, type ReviewCursor, WaitingChanges, type WaitingDeps } from "./waiting";

interface SessionReviewDeps extends WaitingDeps, Pick<TakeBackDeps, "restorer"> {
  history: History;
  timeline: Timeline;
  files: WaitingDeps["files"] & Files;
  /** Throws SessionError where this window may not write the session. */
  requireWritable(): void;
}

/** A change that waits, as an editor shows it. */
export interface ReviewChange {
  /** Stays the same while the agent's text and this change do, also when text around it changes. */
  id: string;
  /** lines of the file now, 0-based; `count` 0: they were removed, and stood before line `first` */
  first: number;
  count: number;
  /** what stood there before */
  removed: string[];
  /** number of the newest edit shown */
  seq: number;
}

/** A file that a person looked at: `seq` is the number of the newest edit they saw. */
export interface SeenChange {
  uri: string;
  seq: number;
}

/** The last look at a file. */
interface ReviewListing {
  file: ReviewCursor;
  /** who asks while it is looked at waits for the same look, which may find that nothing waits; undefined: the file changed since */
  shown: Promise<ReviewFile | undefined> | undefined;
}

const notebook = () =>
  t("Changes of a notebook are looked at as a whole: take edits back in the conversation, where they were made.");

export class SessionReview {
  private readonly waiting: WaitingChanges;
  private readonly takeBack: TakeBack;
  private readonly listed = new Map<string, ReviewListing>();
  private readonly queue = new SerialQueue();

  constructor(private readonly deps: SessionReviewDeps) {
    this.waiting = new WaitingChanges(deps);
    this.takeBack = new TakeBack({ ...deps, waiting: this.waiting, note: record => this.note(record) });
  }

  /** The file changed, so it is looked at again; without a URI, all files are. false: it has no edits that wait. */
  touch(uri?: string): boolean {
    const touched = uri === undefined ? [...this.listed.values()] : [this.listed.get(uri)];
    for (const known of touched) if (known) known.shown = undefined;
    return touched.some(known => known !== undefined);
  }

  /** Files with edits that were not kept, as of the last list: changes of them may wait again. */
  get followed(): string[] {
    return [...this.listed.keys()];
  }

  /** Files with changes that wait, the one changed last at the end. */
  async list(): Promise<ReviewFile[]> {
    const shown: ReviewFile[] = [];
    const files = await this.waiting.files();
    for (const file of files) {
      const look = this.shownOf(file);
      // Touched while it is looked at, or in vain, it is looked at again next time.
      const looked: ReviewListing = { file, shown: look };
      this.listed.set(file.uri, looked);
      const next = await look.catch(error => {
        looked.shown = undefined;
        throw error;
      });
      if (next) shown.push(next);
    }
    const uris = new Set(files.map(({ uri }) => uri));
    for (const uri of this.listed.keys()) if (!uris.has(uri)) this.listed.delete(uri);
    return shown;
  }

  /** What waits of a file, in a text that it holds now. @param text of a document; its line ends do not count */
  async changesIn(uri: string, text: string): Promise<ReviewChange[]> {
    const file = await this.waiting.find(uri);
    const texts = file && (await this.waiting.textsOf(file));
    if (!file || !texts || texts.agent === null || file.why !== undefined || isNotebookPath(file.path)) return [];
    return hunksIn(texts, text).map(hunk => ({
      id: hunkId(file, hunk),
      first: hunk.now.first,
      count: hunk.now.count,
      removed: texts.base === null ? [] : texts.baseLines.slice(hunk.base.first, hunk.base.first + hunk.base.count),
      seq: file.edit,
    }));
  }

  /**
   * One change, or all that the file has, wait no more. Rejects with SessionError (where the agent changed the file since the person
   * looked at it, too), StorageError.
   */
  keep({ uri, seq }: SeenChange, id?: string): Promise<void> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const file = await this.waiting.require(uri, seq);
      const whole = await this.wholeKeep(file);
      if (id === undefined) return this.note(whole);
      const { texts, hunk, isOnly } = await this.waiting.hunk(file, id);
      if (isOnly) return this.note(whole);
      const base = keepHunks(texts.baseLines, texts.agentLines, [hunk]).join("\n");
      const states = await this.waiting.keepStates(base, null);
      if (!states) throw new SessionError(t("The session could not note that a change of {0} was kept.", file.path));
      await this.note({ ...whole, changes: 1, base: states.base });
    });
  }

  /**
   * Takes one change back, or all that the file has; what others typed stays. Rejects with SessionError (why not, or what is
   * otherwise than meant though it was done), FileError and StorageError.
   */
  undo(uri: string, id?: string, { step, seq }: { step?: string; seq?: number | undefined } = {}): Promise<void> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const file = await this.waiting.require(uri, seq);
      if (file.why !== undefined) throw new SessionError(file.why);
      if (isNotebookPath(file.path)) throw new SessionError(notebook());
      await this.takeBack.undo(file, id, step).finally(() => this.touch(uri));
    });
  }

  /** All of these files in one step, as `undo`; what cannot be done of some (the agent changed one since) does not stop the others. */
  undoAll(files: readonly (Pick<SeenChange, "uri"> & Partial<SeenChange>)[]): Promise<void> {
    const step = String(this.deps.history.records.at(-1)?.seq ?? 0);
    return eachFile(files, ({ uri, seq }) => this.undo(uri, undefined, { step, seq }));
  }

  /** What was undone last and can be made again: of this file, else of any. */
  async redoable(near?: string): Promise<RecordOf<"review"> | undefined> {
    return (near === undefined ? undefined : await this.takeBack.undone(near)) ?? this.takeBack.undone();
  }

  /** Makes again what was undone last, and all that was undone in the same step. Gives the first. Rejects as `undoAll` does. */
  async redo(near?: string): Promise<RecordOf<"review">> {
    const first = await this.redoOne(near);
    if (first.step === undefined) return first;
    const others = await this.takeBack.undoneIn(first.step);
    await eachFile(others, ({ uri }) => this.redoOne(uri).then(() => undefined));
    return first;
  }

  /** Makes it again: it waits as it did. Gives what was undone. Rejects as `undo` does. */
  private redoOne(near?: string): Promise<RecordOf<"review">> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const undone = await this.redoable(near);
      if (!undone) throw new SessionError(t("There is nothing to redo."));
      await this.takeBack.redo(undone).finally(() => this.touch(undone.uri));
      return undone;
    });
  }

  /**
   * The editor's own undo put a text back that a review had changed: its changes wait again; or its redo took them once more.
   * false: neither. Rejects with StorageError.
   */
  followUndo(uri: string, text: string): Promise<boolean> {
    return this.queue.run(() => this.takeBack.followUndo(uri, text));
  }

  private async wholeKeep(file: ReviewCursor) {
    const { uri, path, edit: upTo } = file;
    const changes = (await this.shownOf(file))?.changes ?? 0;
    return { kind: "review", action: "keep", uri, path, upTo, changes, added: 0, removed: 0 } as const;
  }

  private async note(record: ReviewRecord): Promise<void> {
    this.touch(record.uri);
    await this.deps.history.append(record);
  }

  private shownOf(file: ReviewCursor): Promise<ReviewFile | undefined> {
    const known = this.listed.get(file.uri);
    return (known?.file === file && known.shown) || this.look(file);
  }

  /** undefined: nothing waits any more */
  private async look(file: ReviewCursor): Promise<ReviewFile | undefined> {
    const ref = await unlessFileError(resolveRecordedFile(this.deps.files, file), undefined);
    const now = ref && (await textNow(this.deps.files, ref).catch(onlyFor(FileError, error => error)));
    const texts = await this.waiting.textsOf(file);
    const { uri, path, turns, edit: seq } = file;
    const kind = texts?.agent === null ? "deleted" : texts?.base === null ? "created" : "edited";
    const about = { uri, path, turns, seq, kind } as const;
    const whole = (why?: string): ReviewFile => ({ ...about, changes: 1, ...defined({ why }) });
    if (!ref || !texts) return undefined;
    if (now instanceof FileError) return whole(now.message);
    if (file.why !== undefined) return whole(file.why);
    if (texts.agent === null) return now === null ? whole() : undefined;
    const moved = now === null ? await this.deps.files.renamedTo?.(ref) : undefined;
    if (moved)
      return whole(
        t("{0} is {1} now: rename it back to go over its changes one by one, or keep them.", path, moved.path),
      );
    if (now === null) return undefined;
    if (!now) return whole(t("{0} is no longer a text file, or it is too large to show here.", path));
    const hunks = hunksIn(texts, now.text);
    if (hunks.length === 0) return undefined;
    if (isNotebookPath(path)) return whole(notebook());
    const added = hunks.reduce((sum, hunk) => sum + hunk.now.count, 0);
    const removed = texts.base === null ? 0 : hunks.reduce((sum, hunk) => sum + hunk.base.count, 0);
    return { ...about, changes: hunks.length, added, removed };
  }
}
