/**
 * Why prefixes broke, worked out anew by the function that the sender asks, with what the log says in the sender's place: the lists
 * of segments are held against the log by themselves (replay.ts). What a manifest says beside that is believed nowhere. Where the
 * log cannot tell, nobody guesses. Pure.
 */

import { eitherOf } from "../../shared/format";
import { t } from "../../shared/l10n";
import type { BreakCause, Manifest, Segment } from "../../shared/manifest";
import type { LogRecord } from "../../shared/records";
import { causeOf, prefixReuse, type RequestBefore, type SenderKnows } from "../context/breakCause";
import type { Defect, RequestEntry } from "../context/requestChain";
import { messagePlaces } from "./evidence";
import type { Moment, Replay } from "./replay";

interface SentStep {
  manifest: Manifest;
  segments: readonly Segment[];
  from: number;
}

interface CauseInput {
  manifest: Manifest;
  segments: readonly Segment[];
  before: RequestBefore;
  at: number | undefined;
  moment: Moment;
}

const MENDED = /^(?:log-|requests-repaired$)/;

export class CauseChecker {
  /** where the request before left */
  private before = 0;
  private step: SentStep | undefined;
  /** causes of which the log cannot tell */
  open = 0;

  constructor(private readonly replay: Replay) {}

  /** Every request in its order. @param moment absent: it stands beside the conversation */
  check({ number, manifest, segments, before }: RequestEntry, moment: Moment | undefined): Defect[] {
    if (!manifest || !segments) return [];
    const { cause, requestId, purpose } = manifest;
    const at = prefixReuse(before, segments).brokenAt;
    const possible = before && moment ? this.possible({ manifest, segments, before, at, moment }) : [undefined];
    const defects: Defect[] = [];
    if (cause && (before || !moment)) {
      if (!possible.includes(cause)) {
        const text = wrongCause(cause, possible);
        defects.push({ kind: "cause", request: number, requestId, text });
      } else if (!this.replay.isWhole) this.open++;
    } else if (cause) this.open++;
    if (!moment) return defects;
    this.before = moment.from;
    if (!purpose) this.step = { manifest, segments, from: moment.from };
    return defects;
  }

  /** Those that can be true; undefined among them: none. */
  private possible(told: CauseInput): (BreakCause | undefined)[] {
    const { before, manifest, segments, at } = told;
    const now: RequestBefore = { ...manifest, segments };
    const found = this.whatTheSenderKnew(told).map(known => causeOf(before, now, known, at));
    const isOfSummaries = found.some(cause => cause === "compaction" || cause === "undo");
    return [...found, ...(isOfSummaries ? this.ofEarlierVersions(told) : [])];
  }

  /** Each of what the sender may have known that no list says. */
  private whatTheSenderKnew({ manifest, segments, moment }: CauseInput): SenderKnows[] {
    const either = [true, false];
    const { isWhole } = this.replay;
    const shorter = isWhole ? this.shortened({ manifest, segments, from: moment.from }, moment.to) : either;
    const rewound = isWhole ? moment.rewound : either;
    const repaired = !isWhole || this.since(this.before, moment.to).some(isMending) ? either : [false];
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

  private since(from: number, to: number): readonly LogRecord[] {
    return this.replay.records.slice(from, to);
  }

  /** Whether the request is one that was refused as too long, made shorter: each that may be. */
  private shortened({ manifest, segments }: SentStep, to: number): boolean[] {
    const { step: last } = this;
    const isSame = last && (["runId", "turn", "step"] as const).every(key => last.manifest[key] === manifest[key]);
    if (!isSame || manifest.purpose) return [false];
    const since = this.since(last.from, to);
    const refused = since.flatMap(record =>
      record.kind === "compaction" && record.reason === "context-too-long" ? record.summaries : [],
    );
    if (!foldsMore(last.segments, segments) && refused.length === 0) return [false];
    // A turn that was stopped and goes on sends its step anew.
    if (since.some(({ kind }) => kind === "turnEnd")) return [true, false];
    if (refused.some(({ id }) => isNew(`summary:${id}`, last.segments, segments))) return [true];
    // Nothing else folds in the middle of a step, but where another model takes it over.
    return refused.length === 0 && last.manifest.model === manifest.model ? [true] : [true, false];
  }

  /** Before there was a ledger, the first summary that differed was looked at, not the last one. */
  private ofEarlierVersions({ before, segments, at, moment }: CauseInput): BreakCause[] {
    if (at === undefined || this.since(0, moment.to).some(record => record.kind === "compaction" && record.ledger))
      return [];
    if (segments[at]?.source.startsWith("summary:")) return ["compaction"];
    return before.segments[at]?.source.startsWith("summary:") ? ["undo"] : [];
  }
}

const isMending = (record: LogRecord): boolean => record.kind === "note" && MENDED.test(record.code);

const isNew = (source: string, before: readonly Segment[], now: readonly Segment[]): boolean =>
  now.some(each => each.source === source) && !before.some(each => each.source === source);

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

/** Whether a result is folded that was not. */
function foldsMore(before: readonly Segment[], now: readonly Segment[]): boolean {
  const keys = (segments: readonly Segment[]) =>
    messagePlaces(segments).map(place => place && `${place.messageId} ${place.piece}`);
  const [placesBefore, places] = [keys(before), keys(now)];
  const whole = new Set(placesBefore.filter((_, at) => before[at]?.form !== "folded"));
  return now.some(({ form }, at) => form === "folded" && whole.has(places[at]));
}
