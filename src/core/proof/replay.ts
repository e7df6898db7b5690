/**
 * The log gone through beside the requests: from records to manifests. What the conversation was when a request left is in that
 * request, all of it and nothing else; and what a record says of those before it is so. Reads only.
 */
import { defined, remembered } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { Manifest, Segment } from "../../shared/manifest";
import type { StrataMessage } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import { shapeOf } from "../context/assemble";
import { messagePieces } from "../context/compose";
import type { Defect, RequestEntry } from "../context/requestChain";
import { inHistory } from "../context/requestLog";
import type { Hash } from "../ground/ports";
import { isLedger } from "../ground/text/sources";
import { onBranch } from "../log/branches";
import { Conversation } from "../log/conversation";
import { unaccounted } from "../log/ledger/proof";
import { wordsIn } from "../log/ledger/said";
import { ledgerMessage, ledgerTexts } from "../log/ledger/text";
import { applyRecord, project } from "../log/project";

/** What the records say of a segment. */
type ToldSegment = Pick<Segment, "source"> & Partial<Segment>;

export class Replay {
  /** what records say that others contradict */
  readonly defects: Defect[] = [];
  /** requests that left before lines of the log were lost: the log cannot tell what they held */
  untold = 0;
  private conversation = new Conversation();
  private at = 0;
  /** place of the answer to the request before; undefined: it has none */
  private answered: number | undefined;
  /** A turn has no end, and another follows it. */
  private hasUnended = false;
  private readonly answers = new Map<string, number>();
  /** by message: its calls */
  private readonly calls = new Map<string, string[]>();
  private readonly rendered = new WeakMap<StrataMessage, { key: string; pieces: ToldSegment[] }>();
  private readonly textHash = remembered((text: string) => this.hash.sha256(text));
  private readonly lostUpTo: number;

  /** @param records oldest first; @param isWhole none is missing */
  constructor(
    readonly records: readonly LogRecord[],
    private readonly hash: Hash,
    readonly isWhole: boolean,
  ) {
    for (const [at, record] of records.entries()) {
      const requestId = record.kind === "attempt" ? record.requestId : answeredBy(record);
      if (requestId !== undefined) this.answers.set(requestId, at);
    }
    this.lostUpTo = records.findLastIndex(record => record.kind === "note" && record.code.startsWith("log-"));
  }

  /**
   * Every request in its order, but those that stand beside the conversation. One that was answered left right before that; any other
   * when the conversation was what it holds.
   */
  check({ number, manifest, segments }: RequestEntry): Defect | undefined {
    const own = manifest && this.answers.get(manifest.requestId);
    while (this.at <= (this.answered ?? -1) || this.at < (own ?? 0)) this.advance();
    this.answered = own;
    const to = own ?? this.limit(manifest);
    const isTold = this.isWhole && this.at > this.lostUpTo;
    const place = { request: number, ...defined({ requestId: manifest?.requestId }) };
    const compare = () => (manifest && segments ? this.difference(manifest, segments, place) : undefined);
    let wrong = compare();
    for (; wrong && isTold && this.at < to; wrong = compare()) this.advance();
    if (wrong && !isTold) this.untold++;
    return isTold ? wrong : undefined;
  }

  /** Up to the last record. */
  finish(): void {
    while (this.at < this.records.length) this.advance();
  }

  /** Of a request without an answer: the next answer, or the end of its run. */
  private limit(manifest: Manifest | undefined): number {
    const end = this.records.findIndex(
      (record, at) =>
        at >= this.at &&
        (answeredBy(record) !== undefined ||
          (record.kind === "turnEnd" && !manifest?.purpose && record.runId === manifest?.runId)),
    );
    return end < 0 ? this.records.length : end;
  }

  private advance(): void {
    const record = this.records[this.at++] as LogRecord;
    const { conversation } = this;
    if (this.isWhole && this.at > this.lostUpTo) this.judge(record);
    if (record.kind === "message") {
      const { id, parts, metadata } = record.message;
      const calls = parts.flatMap(part => (part.type === "dynamic-tool" ? [part.toolCallId] : []));
      this.calls.set(id, calls);
      // In old logs its results passed to their kept form with that.
      if (conversation.turnOpen && metadata.turn > conversation.turn) this.hasUnended = true;
    }
    const isReadAnew = record.kind === "undo" || record.kind === "redo" || record.kind === "rewind";
    if (isReadAnew) this.conversation = project(this.records.slice(0, this.at));
    else applyRecord(conversation, record);
  }

  /** What the record says of those before it. */
  private judge(record: LogRecord): void {
    const add = (source: string, text: string, kind: Defect["kind"] = "record") =>
      this.defects.push({ kind, source, text });
    if (record.kind === "message" && !this.isBehind(record)) {
      const last = this.conversation.messages.at(-1)?.id ?? t("nothing");
      add(
        `message:${record.message.id}`,
        t("says that it follows {0}, and it follows {1}", record.parentId ?? "", last),
      );
    }
    if (record.kind === "result" && !this.calls.get(record.messageId)?.includes(record.callId))
      add(`result:${record.callId}`, t("is of a call that message {0} does not have", record.messageId));
    if (record.kind !== "compaction" || this.conversation.undone.has(record.id) || !record.ledger) return;
    const lost = unaccounted(this.conversation.ledger ?? [], record.ledger, this.leaving(record));
    if (lost)
      add(
        `record:${lost.recordId}`,
        t(
          "the words of turn {0} left with compaction {1}, and its pages neither have nor count all of them",
          lost.turn,
          record.id,
        ),
        "ledger",
      );
  }

  /** Pictures of a message stand behind it and what else goes with it, and name that message. */
  private isBehind({ parentId, message }: RecordOf<"message">): boolean {
    const isBeside = message.metadata.kind === "notice";
    const isPassed = ({ parts }: StrataMessage) => isBeside && parts.every(({ type }) => type === "data-reminder");
    const last = this.conversation.messages.findLast(each => each.id === parentId || !isPassed(each));
    // Earlier versions named none at times.
    return parentId === null || last?.id === parentId;
  }

  /** What people said in messages that go with it; where no compaction before it kept that, in all that went. */
  private leaving({ removed }: RecordOf<"compaction">) {
    const going = new Set(removed);
    const standing = new Set(this.conversation.messages.flatMap(({ id }) => (going.has(id) ? [] : [id])));
    const goes = this.conversation.ledger ? (id: string) => going.has(id) : (id: string) => !standing.has(id);
    const records = onBranch(this.records.slice(0, this.at - 1));
    let owner = "";
    const gone = records.filter(record => {
      if (record.kind === "message") owner = record.message.id;
      return owner !== "" && goes(owner);
    });
    const ids = new Set(gone.map(({ id }) => id));
    return wordsIn(records).filter(({ recordId }) => ids.has(recordId));
  }

  /** The first segment of the conversation that is not as the records have it. A summary is asked for over a part of it. */
  private difference(manifest: Manifest, segments: readonly Segment[], place: Pick<Defect, "request" | "requestId">) {
    const found = [...segments.entries()].filter(([, { source }]) => isOfConversation(source));
    const told = this.told(manifest, segments);
    const isPart = manifest.purpose === "summary";
    const fields = fieldsOf(isPart, this.hasUnended);
    for (let next = 0; next < Math.max(found.length, isPart ? 0 : told.length); next++) {
      const [[at, segment] = [], expected] = [found[next], told[next]];
      const wrong = segment && expected && fields.find(field => (expected[field] ?? segment[field]) !== segment[field]);
      if (segment && expected && !wrong) continue;
      const isOther = segment && !told.some(({ source }) => source === segment.source);
      const source = (isOther ? segment : (expected ?? segment))?.source ?? "";
      const defect = { kind: "history" as const, ...place, ...(at !== undefined && { segment: at + 1 }), source };
      if (isOther) return { ...defect, text: t("was not in the conversation when the request left") };
      if (wrong === "sha256") return { ...defect, text: t("is not what the compaction's record says") };
      if (!segment || !expected || !wrong || wrong === "source")
        return {
          ...defect,
          text: t("stood in the conversation when the request left, and does not stand there in it"),
        };
      const values = [wrong, segment[wrong], expected[wrong] ?? ""] as const;
      return { ...defect, text: t("is told with the {0} {1}, and by the records it is {2}", ...values) };
    }
    return undefined;
  }

  private told({ turn, purpose }: Manifest, segments: readonly Segment[]): ToldSegment[] {
    const { ledger = [], summaries, messages, settled, brief } = this.conversation;
    const withoutReasoning = new Set(
      segments.flatMap(({ form, source }) => (form === "dropped" ? [source.slice("message:".length)] : [])),
    );
    const place = { turn, settled: purpose ? settled : Math.min(settled, turn - 1), brief, withoutReasoning };
    return [
      ...summaries.map(({ id, text }) => ({ source: `summary:${id}`, sha256: this.hashOf(text) })),
      ...ledgerTexts(ledger).map(({ source, text }) => ({ source, sha256: this.hashOf(ledgerMessage(text)) })),
      ...messages.flatMap(message => this.piecesOf(message, place)),
    ];
  }

  private hashOf(value: string | { content: string }): string {
    return this.textHash(JSON.stringify(value));
  }

  private piecesOf(message: StrataMessage, place: Parameters<typeof shapeOf>[1]): ToldSegment[] {
    const { form, layer, dropped } = shapeOf(message, place);
    const key = `${form} ${layer} ${dropped}`;
    const known = this.rendered.get(message);
    if (known?.key === key) return known.pieces;
    const pieces = messagePieces(message, form, () => "", dropped).pieces.map(
      ({ source, role, trust, form }): ToldSegment => ({ layer, source, role, trust, form }),
    );
    this.rendered.set(message, { key, pieces });
    return pieces;
  }
}

const answeredBy = (record: LogRecord): string | undefined =>
  record.kind === "message" ? record.message.metadata.requestId : undefined;

const isOfConversation = (source: string): boolean =>
  inHistory({ source }) || isLedger(source) || source.startsWith("summary:");

/** What is compared. For a summary more is folded, and nothing of it is of the turn that runs. */
const fieldsOf = (isPart: boolean, hasUnended: boolean) => [
  ...(["source", "sha256", "role", "trust"] as const),
  ...(isPart ? [] : (["layer"] as const)),
  ...(isPart || hasUnended ? [] : (["form"] as const)),
];
