/**
 * How far the person reviewed the agent's changes of a file: a cursor on its timeline, and between which texts lies what waits
 * behind it. A file's first edit that waits opens it; what the person typed between two edits counts as theirs, and so does what
 * they allowed after seeing all lines; a review moves it to the end, or records what still waits.
 */
import type { RecordOf } from "../../../shared/records";
import { whyNoUndo } from "../../../shared/undoLimits";
import type { Snapshots } from "../../log/snapshots";
import { findHunks, reviewLines } from "../timeline/hunks";
import { putBack } from "../timeline/putBack";
import { editsOf, type Link, type RecordedEdit, type Timeline } from "../timeline/timeline";

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

interface CursorState {
  /** the records that made it */
  seqs: number[];
  file: ReviewCursor | undefined;
}

export class ReviewCursors {
  /** by URI: records are only added, so a fold continues from the last one */
  private readonly folded = new Map<string, CursorState>();

  constructor(
    private readonly timeline: Timeline,
    private readonly snapshots: Snapshots,
  ) {}

  /** In the order of their newest record, the newest last. */
  async read(): Promise<ReviewCursor[]> {
    const { links } = await this.timeline.read();
    const files: ReviewCursor[] = [];
    for (const [uri, steps] of stepsByFile(links)) {
      const file = await this.fold(uri, steps);
      if (file) files.push(file);
    }
    return files.sort((a, b) => a.seq - b.seq);
  }

  async text(kept: KeptText): Promise<string | null | undefined> {
    return "text" in kept ? kept.text : this.snapshots.textIfKept(kept.sha256);
  }

  private async fold(uri: string, steps: readonly CursorStep[]): Promise<ReviewCursor | undefined> {
    const seqs = steps.map(({ seq }) => seq);
    const known = this.folded.get(uri);
    const holds = known?.seqs.every((seq, index) => seq === seqs[index]) === true;
    const file = holds
      ? await this.foldOn(known.file, steps.slice(known.seqs.length))
      : await this.foldOn(undefined, steps);
    this.folded.set(uri, { seqs, file });
    return file;
  }

  private async foldOn(
    before: ReviewCursor | undefined,
    steps: readonly CursorStep[],
  ): Promise<ReviewCursor | undefined> {
    let file = before;
    for (const step of steps)
      file = "edit" in step ? await this.withEdit(file, step.edit) : withReview(file, step.review, step.at);
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
    ...kept,
    seq,
    version,
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
    if (steps.length > 0)
      files.set(
        uri,
        steps.sort((a, b) => a.at - b.at || a.seq - b.seq),
      );
  }
  return files;
}
