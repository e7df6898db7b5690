/**
 * Which files still have changes of the agent that nobody looked at, from the records alone: between which texts those lie. A
 * file's first edit that waits opens it; what the person typed between two edits counts as theirs; a review closes it, or
 * says what is left.
 */
import type { RecordOf } from "../../shared/records";
import { whyNoUndo } from "../../shared/undoLimits";
import type { ChangeRecords, RecordedEdit } from "../history/changeRecords";
import type { Snapshots } from "../versions/snapshots";
import { carryBase } from "./hunks";

/** A text by its snapshot, or one that was made here. null: no file. */
type Kept = { sha256: string | null } | { text: string | null };

export interface Unreviewed {
  uri: string;
  /** as the newest edit names it */
  path: string;
  /** number of the newest record of it */
  seq: number;
  /** tells the agent's text from those before it */
  version: string;
  /** what was looked at last, and what the agent left */
  base: Kept;
  agent: Kept;
  /** turns whose edits wait, ascending */
  turns: number[];
  /** how the file was stored that an edit took away */
  stored?: RecordedEdit["change"]["stored"];
  /** why only the file as a whole can be kept; its texts count for nothing then */
  why?: string | undefined;
}

type Review = RecordOf<"review">;
type Step = { at: number; seq: number } & ({ edit: RecordedEdit } | { review: Review });

interface Folded {
  /** the records that made it */
  seqs: number[];
  file: Unreviewed | undefined;
}

export class UnreviewedFiles {
  /** by URI: records are only ever added, so most of it holds */
  private readonly folded = new Map<string, Folded>();

  constructor(
    private readonly records: Pick<ChangeRecords, "read">,
    private readonly snapshots: Pick<Snapshots, "textIfKept">,
  ) {}

  /** In the order of their newest record, the newest last. */
  async read(): Promise<Unreviewed[]> {
    const { edits, reviews } = await this.records.read();
    const files: Unreviewed[] = [];
    for (const [uri, steps] of stepsByFile(edits, reviews)) {
      const file = await this.fold(uri, steps);
      if (file) files.push(file);
    }
    return files.sort((a, b) => a.seq - b.seq);
  }

  /** undefined: it is not to be had any more */
  async text(kept: Kept): Promise<string | null | undefined> {
    return "text" in kept ? kept.text : this.snapshots.textIfKept(kept.sha256);
  }

  private async fold(uri: string, steps: readonly Step[]): Promise<Unreviewed | undefined> {
    const seqs = steps.map(({ seq }) => seq);
    const known = this.folded.get(uri);
    const holds = known?.seqs.every((seq, index) => seq === seqs[index]) === true;
    let file = holds ? known.file : undefined;
    for (const step of steps.slice(holds ? known.seqs.length : 0)) {
      file = "edit" in step ? await this.withEdit(file, step.edit) : withReview(file, step.review);
    }
    this.folded.set(uri, { seqs, file });
    return file;
  }

  private async withEdit(file: Unreviewed | undefined, edit: RecordedEdit): Promise<Unreviewed | undefined> {
    const { change, seq, turn } = edit;
    const { uri, path, before, after, stored } = change;
    const turns = [...new Set([...(file?.turns ?? []), turn])];
    const named = { uri, path, seq, version: `${seq}`, turns, ...(stored && { stored }) };
    if (before === undefined || after === undefined)
      return { ...named, base: { sha256: null }, agent: { sha256: null }, why: whyNoUndo(change) };
    const base = file && file.why === undefined ? await this.carried(file, before) : { sha256: before };
    if ("sha256" in base && base.sha256 === after) return undefined;
    return { ...named, base, agent: { sha256: after } };
  }

  /** @param before what the next edit found */
  private async carried({ base, agent }: Unreviewed, before: string | null): Promise<Kept> {
    if ("sha256" in agent && agent.sha256 === before) return base;
    const [old, left, found] = await Promise.all([this.text(base), this.text(agent), this.text({ sha256: before })]);
    // Somebody else took the file away or brought it back, or nobody knows any more what it held: what came before is theirs.
    if (typeof left !== "string" || typeof found !== "string" || old === undefined) return { sha256: before };
    const text = carryBase(old ?? "", left, found);
    return { text: old === null && text === "" ? null : text };
  }
}

function withReview(file: Unreviewed | undefined, review: Review): Unreviewed | undefined {
  const { base, agent, seq } = review;
  if (base === undefined && agent === undefined) return undefined;
  const { uri, path } = review;
  const known =
    file ??
    (agent === undefined ? undefined : { uri, path, turns: [], base: { sha256: null }, agent: { sha256: null } });
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

/** A review counts behind the newest record that it knew. */
function stepsByFile(edits: readonly RecordedEdit[], reviews: readonly Review[]): Map<string, Step[]> {
  const steps: (Step & { uri: string })[] = [
    ...edits.map(edit => ({ at: edit.seq, seq: edit.seq, edit, uri: edit.change.uri })),
    ...reviews.map(review => ({ at: review.upTo + 0.5, seq: review.seq, review, uri: review.uri })),
  ];
  return Map.groupBy(
    steps.sort((a, b) => a.at - b.at || a.seq - b.seq),
    ({ uri }) => uri,
  );
}
