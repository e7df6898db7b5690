/**
 * How far the person reviewed the agent's changes of a file, as a cursor on its timeline, and between which texts the waiting changes
 * lie. A file's first edit that waits opens it; text typed between two edits counts as the person's, and so does what they allowed
 * after seeing all lines; a review moves it to the end, or records what still waits.
 */

import { remembered } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { RecordOf } from "../../../shared/records";
import { whyNoUndo } from "../../../shared/undoLimits";
import { ErrorForPeople, type Files, onlyFor, SessionError } from "../../ground/ports";
import { changedLines, withLf } from "../../ground/text/lines";
import type { Snapshots } from "../../log/snapshots";
import { type Change, findHunks, type Hunk, reviewLines } from "../timeline/hunks";
import { putBack, refusalWords } from "../timeline/putBack";
import {
  editsOf,
  type Link,
  type RecordedEdit,
  resolveRecordedFile,
  type Timeline,
  textNow,
} from "../timeline/timeline";

/** A text by its snapshot, or one that was made here. null: no file. */
type KeptText = { sha256: string | null } | { text: string | null };

export interface ReviewCursor {
  uri: string;
  /** as the newest edit names it */
  path: string;
  /** number of its newest record */
  seq: number;
  /** number of the newest edit in it */
  edit: number;
  /** tells the agent's text from those before it */
  version: string;
  /** what was looked at last, and what the agent left */
  base: KeptText;
  agent: KeptText;
  /** turns whose edits wait, ascending */
  turns: number[];
  /** how the file was stored that an edit took away */
  stored?: RecordedEdit["change"]["stored"];
  /** why only the file as a whole can be kept; its texts count for nothing then */
  why?: string | undefined;
}

type LoggedReview = RecordOf<"review">;
/** `at`: the number of the newest edit that it knew */
type CursorStep = { at: number; seq: number } & ({ edit: RecordedEdit } | { review: LoggedReview });

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
  /** by URI: records are only added, so a fold continues from the last one */
  private readonly folded = new Map<string, { seqs: number[]; file: ReviewCursor | undefined }>();
  readonly textsOf = remembered(
    (file: ReviewCursor) => this.readTexts(file),
    new WeakMap<ReviewCursor, Promise<Texts | undefined>>(),
  );

  constructor(private readonly deps: WaitingDeps) {}

  /** In the order of their newest record, the newest last. */
  async files(): Promise<ReviewCursor[]> {
    const { links } = await this.deps.timeline.read();
    const files: ReviewCursor[] = [];
    for (const [uri, steps] of stepsByFile(links)) {
      const file = await this.fold(uri, steps);
      if (file) files.push(file);
    }
    return files.sort((a, b) => a.seq - b.seq);
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

  /** Rejects with SessionError where they were not kept. */
  async requireTexts(file: ReviewCursor): Promise<Texts> {
    const texts = await this.textsOf(file);
    if (texts) return texts;
    throw new SessionError(
      t(
        "What {0} held before is not in this session (an export leaves that out), so its changes can't be undone one by one.",
        file.path,
      ),
    );
  }

  private async readTexts(file: ReviewCursor): Promise<Texts | undefined> {
    const [base, agent] = await Promise.all([this.text(file.base), this.text(file.agent)]);
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

  private async text(kept: KeptText): Promise<string | null | undefined> {
    return "text" in kept ? kept.text : this.deps.snapshots.textIfKept(kept.sha256);
  }

  private async fold(uri: string, steps: readonly CursorStep[]): Promise<ReviewCursor | undefined> {
    const seqs = steps.map(({ seq }) => seq);
    const known = this.folded.get(uri);
    const holds = known?.seqs.every((seq, index) => seq === seqs[index]) === true;
    let file = holds ? known.file : undefined;
    for (const step of steps.slice(holds ? known.seqs.length : 0))
      file = "edit" in step ? await this.withEdit(file, step.edit) : withReview(file, step.review, step.at);
    this.folded.set(uri, { seqs, file });
    return file;
  }

  private async withEdit(file: ReviewCursor | undefined, edit: RecordedEdit): Promise<ReviewCursor | undefined> {
    const { change, seq, turn } = edit;
    const { uri, path, before, after, stored } = change;
    const turns = [...new Set([...(file?.turns ?? []), turn])];
    const named = { uri, path, seq, edit: seq, version: `${seq}`, turns, ...(stored && { stored }) };
    if (before === undefined || after === undefined)
      return { ...named, base: { sha256: null }, agent: { sha256: null }, why: whyNoUndo(change) };
    if (edit.seen && file?.why !== undefined) return { ...file, seq, edit: seq };
    const looked = edit.seen ? after : before;
    const base = file && file.why === undefined ? await this.carried(file, looked) : { sha256: looked };
    if (await this.isText(base, after)) return undefined;
    return { ...named, base, agent: { sha256: after } };
  }

  private async isText(kept: KeptText, sha256: string | null): Promise<boolean> {
    if ("sha256" in kept) return kept.sha256 === sha256;
    return kept.text === (await this.text({ sha256 }));
  }

  /** @param before what the next edit found, or left where it was looked at: text that no earlier edit made counts as looked at */
  private async carried({ base, agent }: ReviewCursor, before: string | null): Promise<KeptText> {
    if ("sha256" in agent && agent.sha256 === before) return base;
    const [old, left, found] = await Promise.all([this.text(base), this.text(agent), this.text({ sha256: before })]);
    // The file was removed or brought back by others, or its text is not known any more: earlier changes count as theirs.
    if (typeof left !== "string" || typeof found !== "string" || old === undefined) return { sha256: before };
    // Lines of others count as looked at, the agent's do not.
    const hunks = findHunks(reviewLines(old ?? ""), reviewLines(left), reviewLines(found));
    const put = putBack(found, { from: left, to: old }, hunks);
    return { text: put.kind === "text" ? put.text : found };
  }
}

function withReview(file: ReviewCursor | undefined, review: LoggedReview, edit: number): ReviewCursor | undefined {
  const { base, agent, seq } = review;
  if (base === undefined && agent === undefined) return undefined;
  const { uri, path } = review;
  const none = { sha256: null };
  const known = file ?? (agent === undefined ? undefined : { uri, path, edit, turns: [], base: none, agent: none });
  if (!known) return undefined;
  const version = agent === undefined && file ? file.version : `${seq}`;
  const { why: _, ...kept } = { why: undefined, ...known };
  return {
    ...{ ...kept, seq, version },
    ...(base !== undefined && { base: { sha256: base } }),
    ...(agent !== undefined && { agent: { sha256: agent } }),
  };
}

/** A review counts behind the newest edit that it knew, where others did too behind them. */
function stepsByFile(links: readonly Link[]): Map<string, CursorStep[]> {
  const files = new Map<string, CursorStep[]>();
  for (const [uri, ofFile] of Map.groupBy(links, ({ change }) => change.uri)) {
    const edits = editsOf(ofFile);
    const steps = ofFile.flatMap((link): CursorStep[] => {
      if (link.who === "agent") return [{ at: link.at, seq: link.at, edit: link.edit }];
      if (link.who !== "person" || link.record.kind !== "review") return [];
      const review = link.record;
      const newest = edits.findLast(({ seq }) => seq <= review.upTo);
      return [{ at: newest?.seq ?? review.upTo, seq: review.seq, review }];
    });
    steps.sort((a, b) => a.at - b.at || a.seq - b.seq);
    if (steps.length > 0) files.set(uri, steps);
  }
  return files;
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
  for (const file of files) await act(file).catch(onlyFor(ErrorForPeople, ({ message }) => void failed.push(message)));
  if (failed.length === 0) return;
  const said = failed.slice(0, MAX_SAID).join(" ");
  const more = failed.length - MAX_SAID;
  throw new SessionError(more > 0 ? t("{0} And so {1} more.", said, more) : said);
}
