/**
 * Which instructions stood in a request, and whether a sentence did: read off manifests, blobs and records, never off files as they
 * are now. Reads only.
 */
import type { LedgerEntry, LedgerPage } from "../../shared/compaction";
import type { PieceKind } from "../../shared/contextProtocol";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { Manifest, Segment, UnsentFile } from "../../shared/manifest";
import type { LoggedMessage } from "../../shared/messages";
import type { LogRecord } from "../../shared/records";
import { manifestLines, type RequestEntry, readRequests } from "../context/requestChain";
import { inHistory } from "../context/requestLog";
import { describe, recordedWords } from "../context/requests/sentRequests";
import { type Hash, SessionError } from "../ground/ports";
import { toHandle } from "../ground/text/format";
import { isLedger, ledgerSource, PLAN, rulesSource, skillSource, sourceRules } from "../ground/text/sources";
import { onBranch } from "../log/branches";
import { wordsIn } from "../log/ledger/said";
import {
  Evidence,
  type EvidenceFiles,
  type EvidencePlace,
  messagePlaces,
  NoRequestError,
  segmentText,
} from "./rebuild";

/** By its number (negative: from the end), or whose turn, answer or call it was for; nothing: the newest. */
export type ViewTarget = { [At in "request" | "turn"]?: number | undefined } & {
  [Id in "callId" | "requestId"]?: string | undefined;
};

export type ViewedRequest = { number: number; turn: number; step: number; ts: number };

/** A segment that is an instruction, or has the sentence. */
export interface ViewPlace {
  layer: Segment["layer"];
  source: string;
  tokens: number;
  /** 1-based; `line`: of its text, where the sentence begins */
  segment: number;
  line?: number;
  kind: PieceKind;
  name: string;
  messageId?: string;
}

/** `source`: of the segment that had it, or would have it. `text`: a reason in words, or the manifest's cause */
export interface WhyNot {
  kind: UnsentRules["why"] | "changed" | "gone" | "ended" | "compaction" | "folded" | "short" | "break" | "later";
  source: string;
  line?: number;
  text?: string | undefined;
}

/** What manifests say, and imports that were not read. */
export type UnsentRules = Omit<UnsentFile, "why"> & { why: UnsentFile["why"] | "import" };

export interface InView {
  request: ViewedRequest;
  form: "whole" | "cut" | "folded" | "handle" | "none";
  /** instructions before what models and tools said */
  places: ViewPlace[];
  /** the newest before that had it, the first without, and the first with it where that came later */
  last?: ViewedRequest;
  since?: ViewedRequest;
  first?: ViewedRequest;
  why?: WhyNot;
  handle?: string;
  left: UnsentRules[];
  /** no rules file of the workspace was among its instructions, and none was left out */
  hasNoRules?: true;
  /** What the person said before, where no sentence is looked for. `part`: its middle was cut out */
  said?: { turn: number; text: string; stands: "whole" | "part" | "no" }[];
  /** a blob, a line or a manifest is not as it was written */
  isUnproven?: true;
}

type SentEntry = RequestEntry & { manifest: Manifest; segments: Segment[] };
const isSent = (entry: RequestEntry | undefined): entry is SentEntry =>
  !!entry?.manifest && entry.segments !== undefined;

/** As rules say it of what they import. */
const UNREAD = /^\[([^\n]{1,500}), which it imports, was not read\. ([^\n]*)\]$/gm;

const LISTED: readonly PieceKind[] = ["rules", "skill", "plan", "instructions", "ledger"];
const OWN: readonly PieceKind[] = [...LISTED, "you", "skills", "prompt"];
/** Answers and denials of a person's stand in results. */
const SAID: readonly PieceKind[] = ["you", "ledger", "plan", "result"];
/** What a person wrote for the model, or said to it. */
export const isOwn = ({ kind }: ViewPlace): boolean => OWN.includes(kind);

type Findings = Omit<InView, "request" | "left" | "hasNoRules" | "isUnproven">;

export class ViewSearch {
  private isPart = false;
  private readonly texts = new Map<string, NormalText>();
  private readonly words: ReturnType<typeof recordedWords>;

  private constructor(
    private readonly evidence: Evidence,
    private readonly requests: readonly RequestEntry[],
  ) {
    this.words = recordedWords(evidence.records);
  }

  /** Rejects with StorageError, NewerLogError, NotALogError. */
  static async open(files: EvidenceFiles, hash: Hash): Promise<ViewSearch> {
    const { lines } = manifestLines((await files.read("requests.jsonl")) ?? "");
    return new ViewSearch(await Evidence.read(files, hash), [...readRequests(lines, hash)]);
  }

  /** @param sentence absent: all instructions are listed. Rejects with NoRequestError, SessionError, StorageError */
  async view(target: ViewTarget, sentence?: string): Promise<InView> {
    const request = this.meant(target);
    const normal = sentence && normalText(sentence).text;
    if (normal === "") throw new SessionError(t("Say which words to look for."));
    const found = normal === undefined ? await this.list(request) : await this.look(request, normal);
    const left = [...(request.manifest.left ?? []), ...(await this.unread(request))];
    const isProven = request.defects.length === 0 && this.evidence.isWhole && !this.isPart;
    const hasRules = left.length > 0 || request.segments.some(({ trust }) => trust === "rules");
    const flags = { ...(!isProven && { isUnproven: true as const }), ...(!hasRules && { hasNoRules: true as const }) };
    return { request: placed(request), left, ...flags, ...found };
  }

  private meant({ request, turn, callId, requestId }: ViewTarget): SentEntry {
    const byNumber = request === undefined ? undefined : this.requests.at(request < 0 ? request : request - 1);
    if (isSent(byNumber)) return byNumber;
    if (request !== undefined) throw new NoRequestError(request, this.requests.length);
    const isMeant = ({ id, parts }: LoggedMessage) =>
      id === requestId || parts.some(part => part.type === "dynamic-tool" && part.toolCallId === callId);
    const answer = this.evidence.records.findLast(each => each.kind === "message" && isMeant(each.message));
    const id = (answer?.kind === "message" && answer.message.metadata.requestId) || requestId || callId;
    const found = this.steps.findLast(({ manifest }) =>
      id ? manifest.requestId === id : manifest.turn === (turn ?? manifest.turn),
    );
    if (!found) throw new SessionError(t("Nothing is known to have been sent for that."));
    return found;
  }

  private get steps(): SentEntry[] {
    return this.requests.filter(isSent).filter(({ manifest }) => manifest.purpose === undefined);
  }

  private async look(request: SentEntry, sentence: string): Promise<Findings> {
    const places = await this.whole(request, sentence);
    if (places.some(isOwn)) return { form: "whole", places };
    const earlier = this.steps.filter(({ number }) => number < request.number).reverse();
    const before = await this.nearest(earlier, sentence);
    const size = await this.behindCut(request, sentence);
    if (!before) {
      if (size) return { form: "cut", places, why: size };
      const after = this.steps.filter(({ number }) => number > request.number);
      const later = await this.nearest(after, sentence);
      const form = places.length > 0 ? "whole" : "none";
      if (!later || !isOwn(later.place)) return { form, places };
      return { form, places, first: placed(later.request), why: { kind: "later", source: fileSource(later.place) } };
    }
    if (places.length > 0 && !isOwn(before.place)) return { form: "whole", places };
    const next = earlier[before.at - 1] ?? request;
    const why = size ?? (await this.whyGone(next, before.place));
    const times = { last: placed(before.request), since: placed(next), why };
    const pages = this.pages(request);
    const { messageId } = before.place;
    const said = this.evidence.records.find(each => each.kind === "message" && each.message.id === messageId)?.id;
    const isInPart = (page: LedgerPage) => page.entries.some(each => each.recordId === said && isCut(each, sentence));
    if (why === size || pages.some(isInPart)) return { form: "cut", places, ...times };
    const handle = await this.handleTo(request, pages, sentence, before.place);
    const isShort = inHistory(before.place) && request.segments.some(({ source }) => source === before.place.source);
    return { form: isShort ? "folded" : handle ? "handle" : "none", places, ...times, ...defined({ handle }) };
  }

  /** All instructions, and what a person said on the branch of the conversation: what a model repeats does not count. */
  private async list(request: SentEntry): Promise<Findings> {
    const all = await this.placesOf(request, () => undefined);
    const before = this.evidence.records.filter(({ ts }) => ts <= request.manifest.ts);
    const kept = new Set(this.pages(request).flatMap(({ entries }) => entries.map(({ recordId }) => recordId)));
    const said: InView["said"] = [];
    for (const { recordId, turn, text } of wordsIn(onBranch(before))) {
      const found = await this.whole(request, normalText(text).text);
      const isWhole = found.some(({ kind }) => SAID.includes(kind));
      said.push({ turn, text, stands: isWhole ? "whole" : kept.has(recordId) ? "part" : "no" });
    }
    return { form: "whole", places: all.filter(({ kind }) => LISTED.includes(kind)), said };
  }

  /** Of the ledger. */
  private pages({ segments }: SentEntry): LedgerPage[] {
    const sources = new Set(segments.map(({ source }) => source));
    const pages = this.evidence.records.flatMap(record => (record.kind === "compaction" ? (record.ledger ?? []) : []));
    return pages.filter(({ id }) => sources.has(ledgerSource(id)));
  }

  private async whole(request: SentEntry, sentence: string): Promise<ViewPlace[]> {
    const found = await this.placesOf(request, text => placeOf(text, sentence));
    return found.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || a.segment - b.segment);
  }

  /** @param match gives the place of the sentence, -1 where it is not there, undefined where the whole text is meant */
  private async placesOf({ segments }: SentEntry, match: (text: NormalText) => number | undefined) {
    const found: ViewPlace[] = [];
    const places = messagePlaces(segments);
    for (const [at, segment] of segments.entries()) {
      const { layer, source, tokens, role, sha256 } = segment;
      if (role === "tools" || source === "tools") continue;
      const key = `${sha256} ${source}`;
      const text = this.texts.get(key) ?? normalText(await this.textOf(segment, places[at]));
      this.texts.set(key, text);
      const place = match(text);
      if (place === -1) continue;
      const { kind, name } = describe(segment, this.words);
      const known = { line: place === undefined ? undefined : lineAt(text, place), messageId: places[at]?.messageId };
      found.push({ segment: at + 1, layer, source, tokens, kind, name, ...defined(known) });
    }
    return found;
  }

  private async textOf(segment: Segment, place?: EvidencePlace): Promise<string> {
    const found = await this.evidence.find(segment, place);
    if ("content" in found) return segmentText(found);
    this.isPart = true;
    return "";
  }

  /** The first of them that has it as an instruction; where none does, that has it. */
  private async nearest(requests: readonly SentEntry[], sentence: string) {
    let other: { at: number; request: SentEntry; place: ViewPlace } | undefined;
    for (const [at, request] of requests.entries()) {
      const [place] = await this.whole(request, sentence);
      if (place && isOwn(place)) return { at, request, place };
      if (place) other ??= { at, request, place };
    }
    return other;
  }

  /** It is in the part of a file that was too long. */
  private async behindCut({ manifest: { left = [] } }: SentEntry, sentence: string): Promise<WhyNot | undefined> {
    for (const { source, sha256 = "" } of left) {
      const text = await this.blobText(sha256);
      const at = placeOf(text, sentence);
      if (at >= 0) return { kind: "size", source, line: lineAt(text, at) };
    }
    return undefined;
  }

  private async blobText(sha256: string): Promise<NormalText> {
    const blob = await this.evidence.blob(sha256);
    return normalText("bytes" in blob ? new TextDecoder().decode(blob.bytes) : "");
  }

  /** How it left, by the first request without. */
  private async whyGone(next: SentEntry, place: ViewPlace): Promise<WhyNot> {
    const source = fileSource(place);
    const now = next.segments.find(each => each.source === source);
    const left = [...(next.manifest.left ?? []), ...(await this.unread(next))].find(each => each.source === source);
    if (left && left.why !== "same" && left.why !== "size") return { kind: left.why, source, text: left.text };
    if (now) return { kind: inHistory(now) ? (now.form === "folded" ? "folded" : "short") : "changed", source };
    if (!inHistory(place) && (place.kind === "rules" || place.kind === "skill")) return { kind: "gone", source };
    if (source === PLAN) return { kind: "ended", source };
    const { cause, ts } = next.manifest;
    const isRemoved = (record: LogRecord) =>
      record.kind === "compaction" && record.ts <= ts && record.removed.includes(place.messageId ?? "");
    if (isLedger(source) || this.evidence.records.some(isRemoved)) return { kind: "compaction", source };
    const isBack = cause === "rewind" || cause === "branch" || cause === "log-repaired";
    return { kind: isBack ? "break" : "short", source, text: cause };
  }

  /** What rules import that was not read, as the bytes say that were sent. */
  private async unread({ segments }: SentEntry): Promise<UnsentRules[]> {
    const rules = segments.filter(({ source, layer }) => layer === "L2" && sourceRules(source) !== undefined);
    const texts = await Promise.all(rules.map(segment => this.textOf(segment)));
    const found = texts.flatMap(each => [...each.matchAll(UNREAD)]);
    return found.map(([, path = "", text = ""]) => ({ source: rulesSource(path), why: "import", text }));
  }

  /** A handle in the request that leads to it: to what people said, or to the output that had it. */
  private async handleTo(request: SentEntry, pages: LedgerPage[], sentence: string, { source, messageId }: ViewPlace) {
    for (const { raw } of pages.flatMap(({ whole }) => whole))
      if (placeOf(await this.blobText(raw.sha256), sentence) >= 0) return toHandle(raw.sha256);
    const result = this.evidence.records.find(
      each => each.kind === "result" && each.messageId === messageId && source === `result:${each.callId}`,
    );
    const handle = result?.kind === "result" && result.raw && toHandle(result.raw.sha256);
    return handle && (await this.whole(request, handle)).length > 0 ? handle : undefined;
  }
}

/** characters that tell a sentence from others */
const TELLING = 6;

/** It has the beginning of the sentence or its end alone: long messages lose their middle. */
function isCut({ pieces }: LedgerEntry, sentence: string): boolean {
  const texts = pieces.map(({ text }) => normalText(text).text);
  for (let length = sentence.length - 1; length >= TELLING; length--) {
    const [beginning, end] = [sentence.slice(0, length), sentence.slice(-length)];
    if (texts.some(text => text.endsWith(beginning) || text.startsWith(end))) return true;
  }
  return false;
}

/** Of rules and skills what they are named by in L2: where they were read first, they are messages. */
const fileSource = ({ source, kind, name }: ViewPlace): string =>
  kind === "rules" ? rulesSource(name) : kind === "skill" ? skillSource(name) : source;

const placed = ({ number, manifest: { turn, step, ts } }: SentEntry): ViewedRequest => ({ number, turn, step, ts });

// A sentence looked for in texts that break lines, mark words and write quotes in their own way: linear.

/** `lines`: where each of them begins in the text */
interface NormalText {
  text: string;
  lines: readonly number[];
}

const CJK = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u3001\\u3002]";
const BESIDE_CJK = new RegExp(`(?<=${CJK}) | (?=${CJK})`, "gu");
const ENDS_CJK = new RegExp(`${CJK}$`, "u");
const BEGINS_CJK = new RegExp(`^${CJK}`, "u");
/** The number that Read writes; marks of quotations, headings, lists and their boxes. */
const LINE_MARKS = /^(?:\s*\d{1,7}\t)?(?:[\s>#|*+•-]+(?:\[[ xX>]\]\s|\d{1,3}[.)]\s)?|\d{1,3}[.)]\s+)?/;
/** Scripts that part their words. */
const LETTER = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]/u;

function plainLine(line: string): string {
  const bare = line.replace(LINE_MARKS, "").replace(/\[([^\][]{1,300})\]\([^()]{1,500}\)|[*_`~\\]/g, "$1");
  const spaced = bare.replace(/[\s|]+/g, " ").trim();
  const plain = /[\u0080-\uffff]/.test(spaced)
    ? spaced
        .replace(/⟦U\+[0-9A-F]{4,6}⟧|\p{Default_Ignorable_Code_Point}/gu, "")
        .normalize("NFKC")
        .replace(/[“”„«»]/g, '"')
        .replace(/[‘’]/g, "'")
        .replace(BESIDE_CJK, "")
    : spaced;
  return plain.toLowerCase();
}

function normalText(text: string): NormalText {
  const lines: number[] = [];
  let [normal, before] = ["", ""];
  for (const line of text.split(/\r\n?|\n/)) {
    const plain = plainLine(line);
    if (plain !== "" && before !== "" && !ENDS_CJK.test(before) && !BEGINS_CJK.test(plain)) normal += " ";
    lines.push(normal.length);
    normal += plain;
    before = plain.slice(-2) || before;
  }
  return { text: normal, lines };
}

/** 1-based line of a place. */
const lineAt = ({ lines }: NormalText, at: number): number => lines.findLastIndex(start => start <= at) + 1;

/** Where all of the sentence begins; -1: nowhere. "Use tab" is not in "Use tabs". @param sentence normal */
function placeOf({ text }: NormalText, sentence: string): number {
  const isOne = (a = "", b = "") => LETTER.test(a) && LETTER.test(b);
  for (let at = text.indexOf(sentence); at >= 0 && sentence !== ""; at = text.indexOf(sentence, at + 1))
    if (!isOne(text[at - 1], sentence[0]) && !isOne(sentence.at(-1), text[at + sentence.length])) return at;
  return -1;
}
