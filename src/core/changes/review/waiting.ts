/**
 * Files with changes that wait, as texts: between which two the changes lie, and the file's current text. Both are read when
 * they are needed, and what lies between two texts is worked out once.
 */
import { t } from "../../../shared/l10n";
import { ErrorForPeople, type Files, SessionError } from "../../ground/ports";
import { changedLines, withLf } from "../../ground/text/lines";
import type { Snapshots } from "../../log/snapshots";
import { type Change, findHunks, type Hunk, reviewLines } from "../timeline/hunks";
import { refusalWords } from "../timeline/putBack";
import { resolveRecordedFile, textNow } from "../timeline/recordedFile";
import type { Timeline } from "../timeline/timeline";
import { type ReviewCursor, ReviewCursors } from "./cursor";

export interface WaitingDeps {
  timeline: Timeline;
  files: Files;
  snapshots: Snapshots;
}

/** The texts between which the changes of a file lie. */
export interface Texts {
  base: string | null;
  agent: string | null;
  baseLines: string[];
  agentLines: string[];
  /** from the one to the other */
  edits: readonly Change[];
}

export class WaitingChanges {
  private readonly cursors: ReviewCursors;
  private readonly texts = new WeakMap<ReviewCursor, Promise<Texts | undefined>>();

  constructor(private readonly deps: WaitingDeps) {
    this.cursors = new ReviewCursors(deps.timeline, deps.snapshots);
  }

  /** In the order of their newest record, the newest last. */
  files(): Promise<ReviewCursor[]> {
    return this.cursors.read();
  }

  async find(uri: string): Promise<ReviewCursor | undefined> {
    return (await this.files()).find(file => file.uri === uri);
  }

  /** Rejects with SessionError where nothing waits. @param seen the newest edit the person saw; a newer one is refused */
  async require(uri: string, seen?: number): Promise<ReviewCursor> {
    const file = await this.find(uri);
    if (!file) throw new SessionError(t("Nothing of this file waits for a review."));
    if (seen !== undefined && seen !== file.edit)
      throw new SessionError(t("The agent changed {0} at this very moment. Look at it again.", file.path));
    return file;
  }

  textsOf(file: ReviewCursor): Promise<Texts | undefined> {
    const known = this.texts.get(file) ?? this.readTexts(file);
    this.texts.set(file, known);
    return known;
  }

  /** Rejects with SessionError where they were not kept. */
  async requireTexts(file: ReviewCursor): Promise<Texts> {
    const texts = await this.textsOf(file);
    if (texts) return texts;
    throw new SessionError(
      t(
        "What {0} held before is not in this session (an export leaves that out), so its changes can't be taken back one by one.",
        file.path,
      ),
    );
  }

  private async readTexts(file: ReviewCursor): Promise<Texts | undefined> {
    const [base, agent] = await Promise.all([this.cursors.text(file.base), this.cursors.text(file.agent)]);
    if (base === undefined || agent === undefined) return undefined;
    const [baseLines, agentLines] = [reviewLines(base ?? ""), reviewLines(agent ?? "")];
    return { base, agent, baseLines, agentLines, edits: changedLines(baseLines, agentLines) };
  }

  /**
   * One change at its place in the file now.
   * Rejects with SessionError where it does not wait any more or the texts were not kept, and FileError.
   */
  async hunk(file: ReviewCursor, id: string): Promise<{ texts: Texts; hunk: Hunk; isOnly: boolean }> {
    const texts = await this.requireTexts(file);
    const now = await textNow(this.deps.files, await resolveRecordedFile(this.deps.files, file));
    const stand = now && texts.agent !== null ? hunksIn(texts, now.text) : [];
    const hunk = stand.find(each => hunkId(file, each) === id);
    if (!hunk)
      throw new SessionError(refusalWords(t("The change of {0} can't be kept", file.path), { kind: "settled" }));
    return { texts, hunk, isOnly: stand.length === 1 };
  }

  async keepStates(base: string | null, agent: string | null): Promise<States | undefined> {
    const { before, after } = await (await this.deps.snapshots.keep(base)).with(agent);
    return before === undefined || after === undefined ? undefined : { base: before, agent: after };
  }
}

/** Names of the snapshots with the texts between which changes lie; null: no file. */
export interface States {
  base: string | null;
  agent: string | null;
}

export const hunksIn = ({ baseLines, agentLines, agent, edits }: Texts, text: string): Hunk[] => {
  const now = agent !== null && withLf(text) === withLf(agent) ? agentLines : reviewLines(text);
  return findHunks(baseLines, agentLines, now, edits);
};

/** Stays the same while the agent's text and this change do, also when text around it changes. */
export const hunkId = ({ version }: ReviewCursor, { agent, base }: Hunk): string =>
  `${version}:${agent.first}+${agent.count}${agent.count === 0 ? `-${base.count}` : ""}`;

const MAX_SAID = 3;

/** What cannot be done of some does not stop the others. Rejects with what could not be done, of the first of them. */
export async function eachFile<F>(files: readonly F[], act: (file: F) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  for (const file of files) {
    await act(file).catch((error: unknown) => {
      if (!(error instanceof ErrorForPeople)) throw error;
      failed.push(error.message);
    });
  }
  if (failed.length === 0) return;
  const said = failed.slice(0, MAX_SAID).join(" ");
  const more = failed.length - MAX_SAID;
  throw new SessionError(more > 0 ? t("{0} And so {1} more.", said, more) : said);
}
