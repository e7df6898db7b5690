/**
 * Changes that a review takes back in the current file, and makes again; and what the editor's own undo and redo do to
 * them.
 */
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { RecordOf } from "../../../shared/records";
import { SessionError, type StorageForm } from "../../ground/ports";
import { rangesText } from "../../ground/text/diff";
import { withLf } from "../../ground/text/lines";
import type { Snapshots } from "../../log/snapshots";
import type { Hunk } from "../timeline/hunks";
import type { NewPutBack } from "../timeline/intents";
import { putBack } from "../timeline/putBack";
import { type Restorer, restoreWords } from "../timeline/restorer";
import type { Link, Timeline } from "../timeline/timeline";
import { hunkId, hunksIn, type ReviewCursor, type States, type Texts, type WaitingChanges } from "./waiting";

export interface TakeBackDeps {
  waiting: WaitingChanges;
  timeline: Timeline;
  snapshots: Snapshots;
  restorer: Restorer;
  note(record: ReviewRecord): Promise<void>;
}

export type ReviewRecord = Extract<NewPutBack, { kind: "review" }>;
type ReviewEntry = RecordOf<"review">;

/** By the lines that the agent knows, without their text: the text of a file must not reach the model as an instruction. */
const placesOf = (hunks: readonly Hunk[]) =>
  rangesText(hunks.map(({ agent: { first, count } }) => ({ first: first + 1, last: first + count })));

export class TakeBack {
  constructor(private readonly deps: TakeBackDeps) {}

  /** One change, or all that the file has. Rejects as `Restorer.restore`. */
  async undo(file: ReviewCursor, id: string | undefined, step?: string): Promise<void> {
    const texts = await this.deps.waiting.requireTexts(file);
    const { base, agent } = texts;
    const as: StorageForm | undefined =
      agent === null && base !== null && file.stored ? { ...file.stored, text: base } : undefined;
    const { uri, path, edit: upTo } = file;
    const about = { kind: "review", action: "undo", uri, path, upTo, ...defined({ step }) } as const;
    await this.deps.restorer.restore({
      file,
      ...restoreWords(path, "undo"),
      plan: async now => {
        const chosen = standing(texts, now).filter(hunk => id === undefined || hunkId(file, hunk) === id);
        const put = putBack(now, { from: agent, to: base }, chosen);
        if (put.kind !== "text") return put;
        const left = await this.left(texts, now, put.text);
        const told =
          agent === null
            ? { changes: 1, text: "the whole file, which is back" }
            : { changes: chosen.length, text: placesOf(chosen) };
        const gone = put.text === null && { gone: true as const };
        return { text: put.text, as, record: states => ({ ...about, ...left, ...states, ...told, ...gone }) };
      },
    });
  }

  /** What was taken back last, of a file or of all, and was not made again. */
  async undone(uri?: string): Promise<ReviewEntry | undefined> {
    const undone = (await this.lastUndone()).filter(entry => uri === undefined || entry.uri === uri);
    return undone.sort((a, b) => a.seq - b.seq).at(-1);
  }

  /** Of what was taken back in this step, what comes next in each file. */
  async undoneIn(step: string): Promise<ReviewEntry[]> {
    return (await this.lastUndone()).filter(entry => entry.step === step);
  }

  /** Of each file what comes next. */
  private async lastUndone(): Promise<ReviewEntry[]> {
    const { links } = await this.deps.timeline.read();
    return [...Map.groupBy(links, ({ change }) => change.uri).values()].flatMap(
      ofFile => undoneOf(ofFile).at(-1) ?? [],
    );
  }

  /** Rejects as `Restorer.restore`. */
  async redo(undone: ReviewEntry): Promise<void> {
    const { uri, path, changes } = undone;
    const step = await this.deps.snapshots.bothIfKept(undone);
    if (!step)
      throw new SessionError(t("What {0} held then is not in this session, so the change can't be redone.", path));
    await this.deps.restorer.restore({
      file: undone,
      ...restoreWords(path, "redo"),
      plan: async now => {
        const put = putBack(now, { from: step.after, to: step.before });
        if (put.kind !== "text") return put;
        const about = { kind: "review", action: "restore", uri, path, upTo: await this.newest(uri) } as const;
        const left = await this.leftOf(uri, now, put.text);
        const gone = put.text === null && { gone: true as const };
        const as =
          now === null && put.text !== null && undone.stored ? { ...undone.stored, text: put.text } : undefined;
        return { text: put.text, as, record: states => ({ ...about, ...left, ...states, changes, text: "", ...gone }) };
      },
    });
  }

  /**
   * The editor's own undo put a text back that a review had changed: its changes wait again; or its redo took them once more.
   * false: neither. Rejects with StorageError.
   */
  async followUndo(uri: string, text: string): Promise<boolean> {
    const { links } = await this.deps.timeline.read();
    // An edit that was undone for itself is in neither text.
    const ofFile = links.filter(link => link.change.uri === uri && !isRevert(link));
    const last = ofFile.at(-1);
    const review = last?.who === "person" && last.record.kind === "review" ? last.record : undefined;
    const states = review && (await this.deps.snapshots.bothIfKept(review));
    if (!review || typeof states?.before !== "string" || states.after === null) return false;
    if (withLf(states.before) !== withLf(text)) return false;
    const { path, seq: upTo, changes, added, removed, before, after } = review;
    const turned = { before: after, after: before, added: removed, removed: added };
    const left = await this.leftOf(uri, states.after, states.before);
    const about = { kind: "review", uri, path, upTo, ...left, ...turned } as const;
    const again = review.action === "restore" ? undoneBefore(ofFile, review) : undefined;
    if (again) await this.deps.note({ ...about, action: "undo", changes: again.changes, text: again.text ?? "" });
    else await this.deps.note({ ...about, action: "restore", changes, text: "" });
    return true;
  }

  /** Number of the file's newest record; a new review counts after it. */
  private async newest(uri: string): Promise<number> {
    const { links } = await this.deps.timeline.read();
    return links.findLast(({ change }) => change.uri === uri)?.at ?? 0;
  }

  private async leftOf(uri: string, now: string | null, target: string | null): Promise<Partial<States>> {
    const file = await this.deps.waiting.find(uri);
    return this.left(file && (await this.deps.waiting.textsOf(file)), now, target);
  }

  /**
   * Noted, since of lines that stand in a text again and again the text alone does not tell which were taken back.
   * Between which texts the changes lie that wait once the target is written: the file without any of them, and the target. Neither:
   * none waits, or they cannot be kept.
   */
  private async left(texts: Texts | undefined, now: string | null, target: string | null): Promise<Partial<States>> {
    const put = texts && putBack(now, { from: texts.agent, to: texts.base }, standing(texts, now));
    const base = put?.kind === "text" ? put.text : now;
    if (base === null ? target === null : target !== null && withLf(base) === withLf(target)) return {};
    return (await this.deps.waiting.keepStates(base, target)) ?? {};
  }
}

const standing = (texts: Texts, now: string | null): Hunk[] =>
  now === null || texts.agent === null ? [] : hunksIn(texts, now);

const isRevert = (link: Link) => link.who === "person" && link.record.kind === "revert";

/** Undone changes of a file that can be made again, oldest first: those whose states were kept. */
function undoneOf(links: readonly Link[]): ReviewEntry[] {
  const undone: ReviewEntry[] = [];
  for (const link of links) {
    if (link.who !== "person" || link.record.kind !== "review") continue;
    if (link.record.before === undefined || link.record.after === undefined) continue;
    if (link.record.action === "undo") undone.push(link.record);
    if (link.record.action === "restore") undone.pop();
  }
  return undone;
}

/** What a restore made again. */
const undoneBefore = (links: readonly Link[], restore: ReviewEntry): ReviewEntry | undefined =>
  undoneOf(links.filter(({ at }) => at < restore.seq)).at(-1);
