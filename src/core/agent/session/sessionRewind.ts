/**
 * Going back to before a message: its files, the conversation, or both; looked at beforehand, and taken back again. Nothing is
 * thrown away: the conversation continues as another branch, and every state of a file that a rewind changes is kept.
 */

import { defined } from "../../../shared/defined";
import { inSentences, listed } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import { textOf } from "../../../shared/messages";
import type { RewindPreview } from "../../../shared/panelSnapshot";
import type { LogRecord, RecordOf } from "../../../shared/records";
import { titleFrom } from "../../../shared/title";
import type { OtherSessions } from "../../changes/review/otherSessions";
import {
  type FilesPlan,
  RewindFiles,
  type RewindFilesDeps,
  type RewindOutcome,
} from "../../changes/rewind/rewindFiles";
import { openIntents } from "../../changes/timeline/intents";
import { fileChains, type Timeline } from "../../changes/timeline/timeline";
import { keepList } from "../../commands/commandObserver";
import { type Ids, SessionError, StorageError } from "../../ground/ports";
import { forks, isWithin, leftBranches, onBranch } from "../../log/branches";
import type { History } from "../../log/history";
import { readWholeLog } from "../../log/readLog";
import type { SessionGate } from "./sessionContext";

type RewindWhat = "files" | "conversation" | "both";

export interface RewindPorts {
  history: History;
  commands: { flush(): Promise<unknown> };
  others?: { sentences: OtherSessions["sentences"] };
  files: Omit<RewindFilesDeps, "history"> | undefined;
  ids: Ids;
}

interface SessionRewindDeps extends RewindPorts, SessionGate {
  timeline: Timeline;
  /** commands that run behind the turns: "task_1" */
  running(): string[];
}

const noFiles = () =>
  t("Files can't be put back here: there is no folder on this machine. Go back with the conversation only.");
const noList = () =>
  t("The session does not have what this rewind changed (an export leaves it out), so it can't be undone.");
const byArrows = () => t("The arrows beside the message bring the conversation back.");
const MAX_PATHS = 21;

export class SessionRewind {
  private readonly files: RewindFiles | undefined;
  /** files were put back, and the log does not say so yet */
  private unnoted = false;

  constructor(private readonly deps: SessionRewindDeps) {
    this.files = deps.files && new RewindFiles({ ...deps.files, history: deps.history });
  }

  /** Changes nothing. Rejects with SessionError and StorageError. */
  async preview(turn: number): Promise<RewindPreview> {
    if (this.deps.history.files.writable) await this.noteUnnoted();
    const place = await this.find(turn);
    const { plan, gaps } = await this.planFiles(place);
    const turns = new Set(
      onBranch(this.deps.history.records).flatMap(record =>
        record.kind === "message" && record.seq > place.head ? [record.message.metadata.turn] : [],
      ),
    );
    return { turn, ...previewFiles(plan), gaps, turns: turns.size };
  }

  /**
   * Resolves when it is done; what stayed is in its record. Rejects with SessionError, and with StorageError: where that came
   * before the first file, nothing was changed.
   */
  async rewind(turn: number, what: RewindWhat): Promise<RecordOf<"rewind">> {
    return this.whileBusy(async stopped => {
      this.requireSettled(what);
      await this.noteUnnoted();
      const place = await this.find(turn);
      const isWhole = what !== "conversation";
      const { plan } = isWhole ? await this.planFiles(place) : { plan: undefined };
      stopped();
      return this.carryOut({ turn, message: place.message }, plan, what === "files" ? undefined : place.head);
    });
  }

  /** Whose files `/undo` puts back: the newest turn's; where these were put back just now, those of the turn before it. */
  get newestTurn(): number {
    const messages = onBranch(this.deps.history.records).filter(record => record.kind === "message");
    const back = this.undoable;
    const isBack = back?.files !== undefined && back.head === undefined && !messages.some(({ seq }) => seq > back.seq);
    const turns = messages.map(({ message }) => message.metadata.turn);
    const turn = turns.findLast(each => each > 0 && (!isBack || each < back.turn));
    if (turn === undefined) throw new SessionError(t("There is no turn whose files could be put back."));
    return turn;
  }

  /** The newest rewind that can be taken back: none while the conversation is on another branch than it led to. */
  get undoable(): RecordOf<"rewind"> | undefined {
    const { newest } = this;
    return newest && !isWithin(leftBranches(this.deps.history.records), newest.seq) ? newest : undefined;
  }

  /** The newest rewind that was not taken back. */
  private get newest(): RecordOf<"rewind"> | undefined {
    const done = this.deps.history.records
      .filter(record => record.kind === "rewind")
      .filter(({ phase }) => phase === "done");
    const undone = new Set(done.flatMap(({ undoes, cutOff }) => (cutOff ? [] : (undoes ?? []))));
    // Going over to another branch has no turn of its own: it is taken back by going over again.
    return done.findLast(({ rewindId, undoes, turn }) => undoes === undefined && turn > 0 && !undone.has(rewindId));
  }

  /** Takes the newest rewind back: what was typed since stays here too. Rejects as `rewind` does. */
  async undo(rewindId?: string): Promise<RecordOf<"rewind">> {
    return this.whileBusy(async stopped => {
      await this.noteUnnoted();
      const undone = this.requireUndoable(rewindId);
      const { files, head: left, turn, seq } = undone;
      this.requireSettled(left === undefined ? "files" : files === undefined ? "conversation" : "both");
      const links = await this.deps.timeline.of(undone);
      if (!links) throw new SessionError(left === undefined ? noList() : `${noList()} ${byArrows()}`);
      const begun = this.deps.history.records.find(
        record => record.kind === "rewind" && record.rewindId === undone.rewindId,
      );
      const since = begun?.ts ?? undone.ts;
      const plan = files === undefined ? undefined : await this.requireFiles().plan(fileChains(links), since);
      stopped();
      const head = left === undefined ? undefined : (begun?.seq ?? seq) - 1;
      return this.carryOut({ turn, undoes: undone.rewindId, ...defined({ message: undone.message }) }, plan, head);
    });
  }

  private requireUndoable(rewindId: string | undefined): RecordOf<"rewind"> {
    const { undoable, newest } = this;
    if (!undoable && newest)
      throw new SessionError(
        t(
          "The newest rewind led to another branch. Go over to that one with the arrows beside the message, then undo it.",
        ),
      );
    if (!undoable || (rewindId !== undefined && undoable.rewindId !== rewindId))
      throw new SessionError(t("There is no rewind to undo: they are undone one by one, the newest first."));
    return undoable;
  }

  get forks(): ReturnType<typeof forks> {
    return forks(this.deps.history.records);
  }

  /** Goes over to another branch; files stay as they are. @param tip of a fork: its newest record */
  async switchTo(tip: number): Promise<void> {
    await this.whileBusy(async () => {
      if (!this.forks.some(({ tips }) => tips.includes(tip)))
        throw new SessionError(t("There is no such branch any more. Look at the arrows beside the message."));
      return this.carryOut({ turn: 0 }, undefined, tip);
    });
  }

  /** Records a rewind that finished before the session could log it. Rejects with StorageError. */
  async noteUnnoted(): Promise<void> {
    const open = this.unnoted ? openIntents(this.deps.history.records) : [];
    for (const begun of open) if (begun.kind === "rewind") await this.close(begun);
    this.unnoted = false;
  }

  /** Records how far a rewind came that was cut off. */
  async close(begun: RecordOf<"rewind">): Promise<void> {
    const { history, timeline } = this.deps;
    const { turn, rewindId, undoes } = begun;
    const planned = await timeline.list(begun);
    const looked = (await this.files?.look(planned)) ?? {
      done: [],
      stayed: planned.map(({ path }) => t("{0} was not looked at.", path)),
      left: 0,
    };
    await this.end({ rewindId, turn, ...defined({ undoes }), cutOff: true }, looked);
    const text = plural(
      planned.length,
      "A rewind was cut off: {1} of 1 file was put back. {2} The conversation is as it was. Rewind again, or undo it.",
      "A rewind was cut off: {1} of {0} files were put back. {2} The conversation is as it was. Rewind again, or undo it.",
      ...[looked.done.length, inSentences(looked.stayed)],
    );
    await history.append({ kind: "note", level: "warning", code: "rewind-interrupted", text });
  }

  /**
   * Nothing else is done with the session from the first look at the files on. @param work `stopped` throws where the person
   * stopped it: nothing was changed
   */
  private async whileBusy<T>(work: (stopped: () => void) => Promise<T>): Promise<T> {
    this.deps.requireIdle();
    const { promise, resolve } = Promise.withResolvers<T>();
    await this.deps.whileBusy(async signal => {
      const stopped = () => {
        if (signal.aborted) throw new SessionError(t("It was stopped before anything was changed."));
      };
      resolve(await work(stopped));
    });
    return promise;
  }

  /** What runs in the background would change files meanwhile. */
  private requireSettled(what: RewindWhat): void {
    const running = what === "conversation" ? [] : this.deps.running();
    if (running.length > 0)
      throw new SessionError(t("{0} still runs and may change files. Stop it first, then go back.", listed(running)));
  }

  private requireFiles(): RewindFiles {
    if (!this.files) throw new SessionError(noFiles());
    return this.files;
  }

  /** Where a turn began, on the branch that the conversation is on. */
  private async find(turn: number): Promise<RewindPoint> {
    const { history } = this.deps;
    await this.deps.commands.flush();
    const live = rewindPoint(onBranch(history.records), turn);
    if (live) return live;
    const { records } = await readWholeLog(history.files);
    const place = rewindPoint(onBranch(records, leftBranches(history.records)), turn);
    if (place) return place;
    throw new SessionError(t("There is no turn {0} on this branch of the conversation.", turn));
  }

  private async planFiles({ turn, head, since }: RewindPoint): Promise<{ plan: FilesPlan; gaps: string[] }> {
    const { links, gaps } = await this.deps.timeline.since(turn, head);
    const chains = fileChains(links);
    const others = (await this.deps.others?.sentences(chains.map(({ uri }) => ({ uri })))) ?? [];
    return { plan: await this.requireFiles().plan(chains, since), gaps: [...gaps, ...others] };
  }

  private async carryOut(
    named: Omit<RewindName, "rewindId" | "cutOff">,
    plan: FilesPlan | undefined,
    head: number | undefined,
  ): Promise<RecordOf<"rewind">> {
    const about: RewindName = { rewindId: this.deps.ids.next("rwd"), ...named };
    const outcome = plan && (await this.putBack(about, plan));
    if (outcome?.left) {
      // The conversation stays where it is, so that the same rewind can be done again.
      const why = t(
        "The disk is full: {0}, {1} stay as they were, and so does the conversation. {2}",
        ...[putWords(outcome), outcome.left, nextWords()],
      );
      await this.noteDone({ ...about, cutOff: true }, { ...outcome, stayed: [why, ...outcome.stayed] });
    } else await this.noteDone(about, outcome, head);
    const record = this.deps.history.records.findLast(
      each => each.kind === "rewind" && each.rewindId === about.rewindId,
    );
    if (record?.kind !== "rewind") throw new SessionError(t("The rewind was not done."));
    return record;
  }

  private async putBack(about: RewindName, plan: FilesPlan): Promise<RewindOutcome> {
    const { history } = this.deps;
    const files = this.requireFiles();
    if (plan.actions.length === 0) {
      await files.removeFolders(plan);
      return { done: [], stayed: plan.stays, left: 0 };
    }
    const begin = async () => {
      const kept = await files.keep(plan);
      const list = await keepList(history, kept);
      await history.append({ kind: "rewind", phase: "begun", ...about, files: kept.length, list });
      return kept;
    };
    const planned = await begin().catch((error: unknown) => {
      if (!(error instanceof StorageError) || error.code !== "DISK_FULL") throw error;
      throw new StorageError(
        error.code,
        t(
          "The disk is full: the files as they are now could not be kept, so nothing was changed. Free some space, then try it again.",
        ),
      );
    });
    const { done, stayed, left } = await files.apply(plan, planned);
    return { done, stayed: [...plan.stays, ...stayed], left };
  }

  private async noteDone(about: RewindName, outcome: RewindOutcome | undefined, head?: number): Promise<void> {
    try {
      await this.end(about, outcome, head);
    } catch (error) {
      if (!(error instanceof StorageError) || !outcome) throw error;
      this.unnoted = true;
      const why = error.code === "DISK_FULL" ? t("the disk is full") : error.message;
      throw new StorageError(
        error.code,
        t(
          "{0}, but the session could not note it ({1}), and the conversation is as it was. {2}",
          ...[putWords(outcome), why, nextWords()],
        ),
      );
    }
  }

  private async end(about: RewindName, outcome: RewindOutcome | undefined, head?: number): Promise<void> {
    const { history } = this.deps;
    const { done = [], stayed = [] } = outcome ?? {};
    const record = {
      kind: "rewind" as const,
      phase: "done" as const,
      ...about,
      ...(outcome && { files: done.length, paths: done.slice(0, MAX_PATHS).map(({ path }) => path) }),
      ...(done.length > 0 && { list: await keepList(history, done) }),
      ...(stayed.length > 0 && { stayed }),
    };
    await (head === undefined ? history.append(record) : history.turnTo({ ...record, head }));
  }
}

type RewindName = Pick<RecordOf<"rewind">, "rewindId" | "turn" | "undoes" | "cutOff" | "message">;

const putWords = ({ done, left }: RewindOutcome) =>
  plural(done.length + left, "{1} of 1 file was put back", "{1} of {0} files were put back", done.length);

const nextWords = () => t("Free some space, then rewind again, or undo it.");

interface RewindPoint {
  turn: number;
  /** ms since the epoch: of the turn's first record */
  since: number;
  /** number of the record before the turn's first one */
  head: number;
  message: string;
}

function previewFiles({ actions, stays }: FilesPlan) {
  const files = actions.map(action => {
    const { chain, merged, from } = action;
    const target = action.kind === "exact" ? action.to : action.text;
    const isNew = action.kind === "exact" ? from === null : action.now === null;
    const becomes = target === null ? ("deleted" as const) : isNew ? ("created" as const) : ("changed" as const);
    const during = becomes === "deleted" ? chain.during : undefined;
    return { path: chain.path, uri: chain.uri, becomes, merged, ...defined({ during }) };
  });
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), stays };
}

/** undefined: there is no such turn, or no person opened it */
function rewindPoint(records: readonly LogRecord[], turn: number): RewindPoint | undefined {
  const opening = records.find(
    record =>
      record.kind === "message" && record.message.metadata.turn === turn && record.message.metadata.kind === "normal",
  );
  const first = records.find(
    record =>
      (record.kind === "message" && record.message.metadata.turn === turn) ||
      ((record.kind === "inject" || record.kind === "attachment") && record.turn === turn),
  );
  if (opening?.kind !== "message" || !first) return undefined;
  const text = textOf(opening.message.parts, " ");
  return { turn, since: first.ts, head: first.seq - 1, message: titleFrom(text) };
}
