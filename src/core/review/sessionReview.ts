/**
 * The review of what a session's agent changed, change by change: what waits, keeping it, taking it back. Files as they stand
 * now are the truth (unsaved text too); each change of them is a compare-and-swap, so it may happen while the agent works.
 */
import { SerialQueue } from "../../shared/async";
import type { ReviewFile } from "../../shared/panelProtocol";
import type { NewRecord } from "../../shared/records";
import { MAX_EDIT_BYTES } from "../edits/fileEdit";
import { isNotebookPath } from "../edits/notebook";
import { doneBut, resolveRecordedFile } from "../edits/reverter";
import { applyEdits } from "../edits/textEdits";
import { ChangeRecords } from "../history/changeRecords";
import type { History } from "../history/history";
import {
  FileError,
  type FileRef,
  type Files,
  type Redactor,
  SessionError,
  StorageError,
  type StoredAs,
  unlessFileError,
} from "../ports";
import { diffLines, toldLines } from "../text/diff";
import { withLf } from "../text/lines";
import type { Snapshots } from "../versions/snapshots";
import { findHunks, type Hunk, keepHunks, reviewLines, undoEdits, undoHunks } from "./hunks";
import { type Unreviewed, UnreviewedFiles } from "./unreviewed";

export interface SessionReviewDeps {
  history: History;
  files: Pick<Files, "resolve" | "stat" | "read" | "apply" | "removeFile" | "renamedTo">;
  snapshots: Snapshots;
  redactor: Pick<Redactor, "redact">;
  /** Throws SessionError where this window may not write the session. */
  requireWritable(): void;
}

/** A change that waits, as an editor shows it. */
export interface ReviewChange {
  /** Holds as long as the agent's text and this change do, whatever is typed around it. */
  id: string;
  /** lines of the file now, 0-based; `count` 0: they were removed, and stood before line `first` */
  first: number;
  count: number;
  /** what stood there before */
  removed: string[];
}

/** The texts between which the changes of a file lie. */
interface Texts {
  base: string | null;
  agent: string | null;
  baseLines: string[];
  agentLines: string[];
}

interface Now {
  text: string;
  sha256: string;
}

/** How often it is tried again where the file moved in between. */
const MAX_TRIES = 5;
const GONE = "This change does not wait for a review any more: it was kept, taken back or rewritten.";

export class SessionReview {
  private readonly unreviewed: UnreviewedFiles;
  private readonly texts = new WeakMap<Unreviewed, Promise<Texts | undefined>>();
  private readonly listed = new Map<string, { file: Unreviewed; shown: ReviewFile | undefined }>();
  /** by URI: what the editor's own undo may bring again */
  private readonly takenBack = new Map<string, TakenBack>();
  private readonly queue = new SerialQueue();

  constructor(private readonly deps: SessionReviewDeps) {
    this.unreviewed = new UnreviewedFiles(new ChangeRecords(deps.history), deps.snapshots);
  }

  /** The file was changed by somebody: what is known of it is looked at anew. Without a URI, all are. */
  touch(uri?: string): void {
    if (uri === undefined) this.listed.clear();
    else this.listed.delete(uri);
  }

  /** Files with changes that wait, the one changed last at the end. */
  async list(): Promise<ReviewFile[]> {
    const shown: ReviewFile[] = [];
    for (const file of await this.unreviewed.read()) {
      const known = this.listed.get(file.uri);
      const next = known?.file === file ? known.shown : await this.look(file);
      this.listed.set(file.uri, { file, shown: next });
      if (next) shown.push(next);
    }
    return shown;
  }

  /**
   * What waits of a file, in a text that it holds now.
   * @param text of a document; its line ends do not count
   */
  async changesIn(uri: string, text: string): Promise<ReviewChange[]> {
    const file = await this.find(uri);
    const texts = file && (await this.textsOf(file));
    if (!file || !texts || texts.agent === null || file.why !== undefined || isNotebookPath(file.path)) return [];
    return hunksIn(texts, text).map(hunk => ({
      id: hunkId(file, hunk),
      first: hunk.now.first,
      count: hunk.now.count,
      removed: texts.base === null ? [] : texts.baseLines.slice(hunk.base.first, hunk.base.first + hunk.base.count),
    }));
  }

  /** Of one change, or of all that the file has: it waits no more. Rejects with SessionError, StorageError. */
  keep(uri: string, id?: string, by?: "commit"): Promise<void> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const file = await this.require(uri);
      const shown = await this.shownOf(file);
      const none = { added: 0, removed: 0, ...(by && { by }) };
      const { path, seq: upTo } = file;
      const whole = { kind: "review", action: "keep", uri, path, upTo, changes: shown?.changes ?? 0, ...none } as const;
      if (id === undefined) return void (await this.note(whole));
      const { texts, hunks } = await this.hunksNow(file);
      const kept = hunks.find(hunk => hunkId(file, hunk) === id);
      if (!kept) throw new SessionError(GONE);
      if (hunks.length === 1) return void (await this.note(whole));
      const base = keepHunks(texts.baseLines, texts.agentLines, [kept]).join("\n");
      const { before } = await (await this.deps.snapshots.keep(base)).with(null);
      if (before === undefined) throw new SessionError(`The session could not note that a change of ${path} was kept.`);
      await this.note({ ...whole, changes: 1, base: before });
    });
  }

  /**
   * Takes one change back, or all that the file has; what others typed stays. Rejects with SessionError (why not, or what is
   * otherwise than meant though it was done), FileError and StorageError.
   */
  undo(uri: string, id?: string): Promise<void> {
    return this.queue.run(async () => {
      this.deps.requireWritable();
      const file = await this.require(uri);
      if (file.why !== undefined) throw new SessionError(file.why);
      if (isNotebookPath(file.path)) throw new SessionError(NOTEBOOK);
      const texts = await this.textsOf(file);
      if (!texts) throw new SessionError(lostWords(file.path));
      const ref = await resolveRecordedFile(this.deps.files, file);
      for (let tries = 0; tries < MAX_TRIES; tries += 1)
        if ((await this.undoOnce({ file, texts, ref, id })) === "done") return;
      throw new SessionError(`${ref.path} kept changing meanwhile, so nothing was done. Try again.`);
    });
  }

  /**
   * The editor's own undo put a text back that a review had changed: its changes wait again; or its redo took them once more.
   * false: neither. Rejects with StorageError.
   */
  followUndo(uri: string, text: string): Promise<boolean> {
    return this.queue.run(async () => {
      const taken = this.takenBack.get(uri);
      const direction = taken?.isBack ? "redone" : "undone";
      if (!taken || taken[direction].text !== withLf(text)) return false;
      const file = await this.find(uri);
      if (file && file.seq !== taken.seq) return false;
      const { record } = taken;
      const lines = { added: record.removed, removed: record.added };
      const { states } = taken[direction];
      const next = direction === "redone" ? record : { ...record, action: "restore" as const, ...lines, text: "" };
      const seq = await this.note({ ...next, upTo: taken.seq, ...states });
      this.takenBack.set(uri, { ...taken, seq, isBack: direction === "undone" });
      return true;
    });
  }

  private async find(uri: string): Promise<Unreviewed | undefined> {
    return (await this.unreviewed.read()).find(file => file.uri === uri);
  }

  private async require(uri: string): Promise<Unreviewed> {
    const file = await this.find(uri);
    if (!file) throw new SessionError("Nothing of this file waits for a review.");
    return file;
  }

  private async note(record: Extract<NewRecord, { kind: "review" }>): Promise<number> {
    this.touch(record.uri);
    const { seq } = await this.deps.history.append(record);
    return seq;
  }

  private textsOf(file: Unreviewed): Promise<Texts | undefined> {
    const known = this.texts.get(file) ?? this.readTexts(file);
    this.texts.set(file, known);
    return known;
  }

  private async readTexts(file: Unreviewed): Promise<Texts | undefined> {
    const [base, agent] = await Promise.all([this.unreviewed.text(file.base), this.unreviewed.text(file.agent)]);
    if (base === undefined || agent === undefined) return undefined;
    return { base, agent, baseLines: reviewLines(base ?? ""), agentLines: reviewLines(agent ?? "") };
  }

  /** null: no file; undefined: none whose text could be looked at */
  private async textNow(ref: FileRef): Promise<Now | null | undefined> {
    try {
      const file = await this.deps.files.read(ref, MAX_EDIT_BYTES);
      return file.kind === "text" ? { text: file.text, sha256: file.stamp.sha256 } : undefined;
    } catch (error) {
      if (error instanceof FileError && error.code === "NOT_FOUND") return null;
      throw error;
    }
  }

  private async shownOf(file: Unreviewed): Promise<ReviewFile | undefined> {
    const known = this.listed.get(file.uri);
    return known?.file === file ? known.shown : this.look(file);
  }

  /** undefined: nothing of it waits any more, as it stands now */
  private async look(file: Unreviewed): Promise<ReviewFile | undefined> {
    const ref = await unlessFileError(resolveRecordedFile(this.deps.files, file), undefined);
    const now = ref && (await unlessFileError(this.textNow(ref), undefined));
    const texts = await this.textsOf(file);
    const { uri, path, turns } = file;
    const kind = texts?.agent === null ? "deleted" : texts?.base === null ? "created" : "edited";
    const whole = (why?: string): ReviewFile => ({
      uri,
      path,
      turns,
      kind,
      changes: 1,
      ...(why !== undefined && { why }),
    });
    if (!ref || !texts) return undefined;
    if (file.why !== undefined) return whole(file.why);
    if (texts.agent === null) return now === null ? whole() : undefined;
    const moved = now === null ? await this.deps.files.renamedTo?.(ref) : undefined;
    if (moved)
      return whole(`${path} is ${moved.path} now: rename it back to go over its changes one by one, or keep them.`);
    if (now === null) return undefined;
    if (!now) return whole(`${path} is no text file any more, or too large to be looked at here.`);
    const { length } = hunksIn(texts, now.text);
    if (length === 0) return undefined;
    return isNotebookPath(path) ? whole(NOTEBOOK) : { uri, path, turns, kind, changes: length };
  }

  private async hunksNow(file: Unreviewed): Promise<{ texts: Texts; hunks: Hunk[] }> {
    const texts = await this.textsOf(file);
    if (!texts) throw new SessionError(lostWords(file.path));
    const now = await this.textNow(await resolveRecordedFile(this.deps.files, file));
    return { texts, hunks: now && texts.agent !== null ? hunksIn(texts, now.text) : [] };
  }

  private async undoOnce(asked: { file: Unreviewed; texts: Texts; ref: FileRef; id: string | undefined }) {
    const { file, texts, ref, id } = asked;
    const now = await this.textNow(ref);
    if (now === undefined) throw new SessionError(`${ref.path} is no text file any more, so nothing was done.`);
    if (texts.agent === null) return this.bringBack(file, texts, ref, now);
    if (now === null) throw new SessionError(`${ref.path} is not there any more, so there is nothing to take back.`);
    const nowLines = reviewLines(now.text);
    const all = findHunks(texts.baseLines, texts.agentLines, nowLines);
    const chosen = id === undefined ? all : all.filter(hunk => hunkId(file, hunk) === id);
    if (chosen.length === 0) throw new SessionError(GONE);
    const edits = undoEdits(now.text, texts.baseLines, chosen);
    const target = applyEdits(now.text, edits);
    const left = undoHunks(texts.baseLines, nowLines, all).join("\n");
    if (texts.base === null && target === "") {
      if ((await this.deps.files.removeFile(ref, now.sha256)) === "stale") return "stale";
      await this.noteUndone(asked, now.text, { target: null, left: null, changes: chosen.length });
      return "done";
    }
    const outcome = await this.deps.files.apply({ ref, base: now.sha256, edits });
    if (outcome.kind === "stale") return "stale";
    await this.noteUndone(asked, now.text, { target, left, changes: chosen.length });
    const but = doneBut(outcome, target);
    if (but !== undefined) throw new SessionError(`The change of ${ref.path} was undone, but ${but}`);
    return "done";
  }

  /** A file that the agent took away. */
  private async bringBack(file: Unreviewed, { base }: Texts, ref: FileRef, now: Now | null) {
    if (now !== null)
      throw new SessionError(`There is a file ${ref.path} again, so it can't be brought back. Move it away first.`);
    if (base === null) throw new SessionError(GONE);
    const as: StoredAs | undefined = file.stored && { ...file.stored, text: base };
    const edits = [{ start: 0, end: 0, text: base }];
    const outcome = await this.deps.files.apply({ ref, base: null, edits, ...(as && { as }) });
    if (outcome.kind === "stale") return "stale";
    await this.noteUndone({ file, texts: undefined }, "", { target: base, left: base, changes: 1 });
    return "done";
  }

  /** @param left the text without any change that waits */
  private async noteUndone(
    { file, texts }: { file: Unreviewed; texts: Texts | undefined },
    before: string,
    { target, left, changes }: { target: string | null; left: string | null; changes: number },
  ): Promise<void> {
    const isDone = target === null || withLf(target) === left || !texts;
    // In a file that is new, what is left of nothing is no file.
    const base = texts?.base === null && left === "" ? null : left;
    const states = isDone ? {} : await this.keptStates(base, target);
    const told = toldLines(before, target ?? "", text => this.deps.redactor.redact(text));
    const { uri, path, seq: upTo } = file;
    const { added, removed } = diffLines(before, target ?? "");
    const record: Undone = {
      ...({ kind: "review", action: "undo", uri, path, upTo, changes } as const),
      ...{ added, removed, text: told.text },
      ...(target === null && { gone: true as const }),
    };
    const seq = await this.note({ ...record, ...states }).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
      throw new StorageError(
        error.code,
        `The change of ${path} was undone, but the session could not note it. ${error.message}`,
      );
    });
    const was = target === null || !texts ? undefined : await this.statesOf(file);
    if (was && target !== null) {
      const [undone, redone] = [
        { text: withLf(before), states: was },
        { text: withLf(target), states },
      ];
      this.takenBack.set(uri, { seq, record, undone, redone, isBack: false });
    } else this.takenBack.delete(uri);
  }

  private async keptStates(base: string | null, agent: string | null) {
    const { before, after } = await (await this.deps.snapshots.keep(base)).with(agent);
    return before === undefined || after === undefined ? {} : { base: before, agent: after };
  }

  private async statesOf({ base, agent }: Unreviewed) {
    const [old, left] = await Promise.all([this.unreviewed.text(base), this.unreviewed.text(agent)]);
    if (old === undefined || left === undefined) return undefined;
    const { before, after } = await (await this.deps.snapshots.keep(old)).with(left);
    return before === undefined || after === undefined ? undefined : { base: before, agent: after };
  }
}

type Undone = Extract<NewRecord, { kind: "review" }>;

/** What a review took back of a file last, for as long as nothing else becomes of it in the session. */
interface TakenBack {
  /** number of its newest record */
  seq: number;
  record: Undone;
  /** the file before it and after it, and between which texts the changes lie that wait then */
  undone: { text: string; states: Pick<Undone, "base" | "agent"> };
  redone: { text: string; states: Pick<Undone, "base" | "agent"> };
  /** the editor's undo has put it back */
  isBack: boolean;
}

const NOTEBOOK =
  "Changes of a notebook are looked at as a whole: take edits back in the conversation, where they were made.";

const lostWords = (path: string) =>
  `What ${path} held before is not in this session (an export leaves that out), so its changes can't be taken back one by one.`;

const hunksIn = ({ baseLines, agentLines, agent }: Texts, text: string): Hunk[] =>
  findHunks(baseLines, agentLines, agent !== null && withLf(text) === withLf(agent) ? agentLines : reviewLines(text));

const hunkId = ({ version }: Unreviewed, { agent, base }: Hunk): string =>
  `${version}:${agent.first}+${agent.count}${agent.count === 0 ? `-${base.count}` : ""}`;
