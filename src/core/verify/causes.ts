/**
 * Why prefixes broke, worked out anew: from both lists of segments, and from the log up to the request. What a manifest says
 * beside that is believed nowhere. Where the log cannot tell, nobody guesses. Pure.
 */

import { eitherOf } from "../../shared/format";
import { t } from "../../shared/l10n";
import type { BreakCause, Manifest, Segment } from "../../shared/manifest";
import type { LogRecord, RecordOf } from "../../shared/records";
import { causeOf, prefixReuse, type RequestBefore, type SenderKnows } from "../context/breakCause";
import { endedTurn, refKey } from "../history/conversation";
import { messagePlaces } from "./evidence";
import type { Defect, RequestEntry } from "./requestChain";

/** Numbers of records between which a request left, both ends included. */
interface SegmentStretch {
  from: number;
  to: number;
  isAnswered: boolean;
}

interface RequestStep {
  manifest: Manifest;
  segments: readonly Segment[];
  stretch: SegmentStretch;
}

interface CauseInput {
  manifest: Manifest;
  segments: readonly Segment[];
  before: RequestBefore;
  at: number | undefined;
  stretch: SegmentStretch;
}

const MENDED = /^(?:log-|requests-repaired$)/;
const NOTHING: SegmentStretch = { from: 0, to: 0, isAnswered: false };

export class CauseChecker {
  private readonly log: CauseLog;
  private before: SegmentStretch = NOTHING;
  private step: RequestStep | undefined;
  /** causes of which the log cannot tell */
  open = 0;

  /** @param isWhole no record is missing */
  constructor(
    records: readonly LogRecord[],
    private readonly isWhole: boolean,
  ) {
    this.log = new CauseLog(records);
  }

  /** Every request in its order. */
  check({ number, manifest, segments, before }: RequestEntry): Defect[] {
    if (!manifest || !segments) return [];
    const stretch = this.log.stretchOf(manifest, this.before);
    const { cause, requestId, purpose } = manifest;
    const at = prefixReuse(before, segments).brokenAt;
    const told = before && { manifest, segments, before, at, stretch };
    const possible = told ? this.possible(told) : [undefined];
    const defects: Defect[] = [];
    if (cause && (before || purpose === "title")) {
      if (!possible.includes(cause)) {
        const text = wrongCause(cause, possible);
        defects.push({ kind: "cause", request: number, requestId, text });
      } else if (!this.isWhole) this.open++;
    } else if (cause) this.open++;
    if (purpose === "title") return defects;
    this.before = stretch;
    if (!purpose) this.step = { manifest, segments, stretch };
    return defects;
  }

  /** Those that can be true; undefined among them: none. */
  private possible(told: CauseInput): (BreakCause | undefined)[] {
    const { before, manifest, segments, at } = told;
    const now: RequestBefore = { ...manifest, segments };
    const found = this.whatTheSenderKnew(told).map(known => causeOf(before, now, known, at));
    if (!this.isWhole) return found;
    const isOfSummaries = found.some(cause => cause === "compaction" || cause === "undo");
    return [...found, ...(isOfSummaries ? this.ofEarlierVersions(told) : [])].filter(
      cause => cause === undefined || this.log.bearsOut(cause, told),
    );
  }

  /** Each of what the sender may have known that no list says. */
  private whatTheSenderKnew({ manifest, segments, stretch }: CauseInput): SenderKnows[] {
    const either = [true, false];
    const shorter = this.isWhole ? this.log.shortened(this.step, { manifest, segments, stretch }) : either;
    const rewound = this.isWhole ? this.log.rewound(stretch, manifest) : either;
    const repaired = !this.isWhole || this.log.mended({ from: this.before.from, to: stretch.to }) ? either : [false];
    return shorter.flatMap(isShorter =>
      rewound.flatMap(isRewound =>
        repaired.map(
          (isRepaired): SenderKnows => ({
            rewound: isRewound,
            repaired: isRepaired,
            ...(isShorter ? { cause: "context-error-retry" } : {}),
          }),
        ),
      ),
    );
  }

  /** Before there was a ledger, the first summary that differed was looked at, not the last one. */
  private ofEarlierVersions({ before, segments, at, stretch }: CauseInput): BreakCause[] {
    if (at === undefined || this.log.hasLedger(stretch)) return [];
    if (segments[at]?.source.startsWith("summary:")) return ["compaction"];
    return before.segments[at]?.source.startsWith("summary:") ? ["undo"] : [];
  }
}

function wrongCause(cause: BreakCause, possible: readonly (BreakCause | undefined)[]): string {
  const causes = [...new Set(possible)].filter(each => each !== undefined);
  return causes.length === 0
    ? t('the manifest names the cause "{0}", and neither the log nor the segments say so', cause)
    : t(
        'the manifest names the cause "{0}", but by the log and the segments it is {1}',
        cause,
        eitherOf(causes.map(each => `"${each}"`)),
      );
}

/** What of the log bears on causes, by the numbers of records. */
class CauseLog {
  private readonly answers = new Map<string, number>();
  private readonly answered: number[] = [];
  private readonly runEnds = new Map<string, number>();
  private readonly ends: { seq: number }[] = [];
  /** the first message of each run of a turn, and each answer, by its step */
  private readonly places = new Map<string, number>();
  private readonly turnOf = new Map<string, number>();
  /** by result: the first record that folded it */
  private readonly folds = new Map<string, number>();
  /** answers, and rewinds of the conversation, in order */
  private readonly turnings: { seq: number; isRewind: boolean }[] = [];
  private readonly notes: number[] = [];
  private readonly compactions: RecordOf<"compaction">[] = [];
  private readonly undos: RecordOf<"undo">[] = [];
  private readonly unsettled = new Set<number>();
  private readonly settlings: { seq: number; turn: number }[] = [];

  constructor(records: readonly LogRecord[]) {
    for (const record of records) this.take(record);
  }

  private take(record: LogRecord): void {
    const { seq } = record;
    switch (record.kind) {
      case "message":
        this.takeMessage(record);
        return;
      case "attempt":
        this.answers.set(record.requestId, seq);
        return;
      case "turnEnd":
        this.runEnds.set(record.runId, seq);
        this.ends.push({ seq });
        if (record.unsettled) this.unsettled.add(record.turn);
        else this.settlings.push({ seq, turn: record.turn });
        return;
      case "fold":
        this.takeFolds(record.results, seq);
        this.settlings.push({ seq, turn: record.settled ?? 0 });
        return;
      case "compaction":
        this.compactions.push(record);
        this.takeFolds(record.folded, seq);
        this.settlings.push({ seq, turn: endedTurn(record.snapshot) });
        return;
      case "undo":
        this.undos.push(record);
        return;
      case "rewind":
        if (record.phase === "done" && record.head !== undefined) this.turnings.push({ seq, isRewind: true });
        return;
      case "note":
        if (MENDED.test(record.code)) this.notes.push(seq);
    }
  }

  private takeMessage({ seq, message: { id, role, metadata } }: RecordOf<"message">): void {
    this.turnOf.set(id, metadata.turn);
    if (role !== "assistant") {
      const key = `${metadata.runId} ${metadata.turn}`;
      // Of a turn whose end nobody wrote, the next one is the end.
      if (!this.unsettled.has(metadata.turn - 1)) this.settlings.push({ seq, turn: metadata.turn - 1 });
      if (!this.places.has(key)) this.places.set(key, seq);
      return;
    }
    if (metadata.requestId !== undefined) this.answers.set(metadata.requestId, seq);
    this.places.set(`${metadata.runId} ${metadata.turn} ${metadata.step}`, seq);
    this.answered.push(seq);
    this.turnings.push({ seq, isRewind: false });
  }

  private takeFolds(results: RecordOf<"fold">["results"], seq: number): void {
    for (const result of results) if (!this.folds.has(refKey(result))) this.folds.set(refKey(result), seq);
  }

  /** Where in the log a request left: behind what it answers and what came before it, ahead of its own answer. */
  stretchOf({ requestId, runId, turn, step, purpose }: Manifest, before: SegmentStretch): SegmentStretch {
    const own = this.answers.get(requestId);
    const from = Math.max(
      before.isAnswered ? before.to : before.from,
      this.places.get(`${runId} ${turn}`) ?? 0,
      this.places.get(`${runId} ${turn} ${purpose ? step : step - 1}`) ?? 0,
    );
    if (own !== undefined) {
      const behind = this.answered.findLast(seq => seq < own) ?? 0;
      return { from: Math.min(own, Math.max(from, behind)), to: own, isAnswered: true };
    }
    const end = purpose ? this.compactions.find(({ seq }) => seq > from)?.seq : this.runEnds.get(runId);
    const next = this.answered.find(seq => seq > from) ?? Number.MAX_SAFE_INTEGER;
    return { from, to: end !== undefined && end > from ? Math.min(next, end) : next, isAnswered: false };
  }

  /** Whether a person had gone to another place since the last answer: each that may be. */
  rewound({ from, to }: SegmentStretch, { purpose }: Manifest): boolean[] {
    const first = this.turnings.findLast(({ seq }) => seq <= from)?.isRewind ?? false;
    // Which compaction a summary was asked for the log does not say: it may be any up to the next answer.
    const until = purpose ? (this.answered.find(seq => seq > from) ?? Number.MAX_SAFE_INTEGER) : to;
    const later = this.turnings
      .filter(({ seq }) => seq > from && seq < Math.max(to, until))
      .map(({ isRewind }) => isRewind);
    return [...new Set([first, ...later])];
  }

  mended({ from, to }: Pick<SegmentStretch, "from" | "to">): boolean {
    return this.notes.some(seq => from <= seq && seq <= to);
  }

  hasLedger({ to }: SegmentStretch): boolean {
    return this.compactions.some(({ seq, ledger }) => seq <= to && ledger !== undefined);
  }

  /** Whether the request is one that was refused as too long, made shorter: each that may be. */
  shortened(last: RequestStep | undefined, { manifest, segments, stretch }: RequestStep): boolean[] {
    const isSame = last && (["runId", "turn", "step"] as const).every(key => last.manifest[key] === manifest[key]);
    if (!isSame || manifest.purpose) return [false];
    const since = ({ seq }: { seq: number }) => last.stretch.from <= seq && seq <= stretch.to;
    const refused = this.compactions.filter(record => record.reason === "context-too-long" && since(record));
    const isFolded = foldsMore(last.segments, segments);
    if (!isFolded && refused.length === 0) return [false];
    // A turn that was stopped and goes on sends its step anew.
    if (this.ends.some(end => since(end) && end.seq < stretch.to)) return [true, false];
    const newest = newSummary(last.segments, segments);
    if (newest !== undefined && refused.some(record => hasSummary(record, newest))) return [true];
    // Nothing else folds in the middle of a step, but where another model takes it over.
    return refused.length === 0 && last.manifest.model === manifest.model ? [true] : [true, false];
  }

  /** Whether something in the log up to the request did what the cause says. */
  bearsOut(cause: BreakCause, { manifest, segments, before, at, stretch: { to } }: CauseInput): boolean {
    const known = ({ seq }: { seq: number }) => seq <= to;
    const place = at === undefined ? undefined : messagePlaces(segments.slice(0, at + 1))[at];
    switch (cause) {
      case "compaction": {
        if (manifest.purpose || before.purpose) return true;
        const newest = newSummary(before.segments, segments);
        return this.compactions.filter(known).some(record => !newest || hasSummary(record, newest));
      }
      case "undo": {
        const undone = new Set(this.undos.filter(known).map(({ compactionId }) => compactionId));
        const gone = newSummary(segments, before.segments);
        return this.compactions.some(record => undone.has(record.id) && (!gone || hasSummary(record, gone)));
      }
      case "fold": {
        const callId = segments[at ?? 0]?.source.slice("result:".length) ?? "";
        const key = place && refKey({ messageId: place.messageId, callId });
        const folded = this.folds.get(key ?? "");
        return folded !== undefined && folded <= to;
      }
      case "turn-end": {
        const turn = this.turnOf.get(place?.messageId ?? "");
        return turn === undefined || this.settlings.filter(known).some(settled => settled.turn >= turn);
      }
      default:
        return true;
    }
  }
}

/** The newest summary, where the other list lacks it. */
function newSummary(other: readonly Segment[], segments: readonly Segment[]): string | undefined {
  const newest = segments.findLast(({ source }) => source.startsWith("summary:"))?.source;
  return other.some(({ source }) => source === newest) ? undefined : newest;
}

/** Whether a result is folded that was not. */
function foldsMore(before: readonly Segment[], now: readonly Segment[]): boolean {
  const keys = (segments: readonly Segment[]) =>
    messagePlaces(segments).map(place => place && `${place.messageId} ${place.piece}`);
  const [placesBefore, places] = [keys(before), keys(now)];
  const whole = new Set(placesBefore.filter((_, at) => before[at]?.form !== "folded"));
  return now.some(({ form }, at) => form === "folded" && whole.has(places[at]));
}

const hasSummary = ({ summaries }: RecordOf<"compaction">, source: string): boolean =>
  summaries.some(({ id }) => `summary:${id}` === source);
