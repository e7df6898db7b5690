/**
 * Which instructions stood in a request, and whether a sentence did: read off manifests, blobs and records, never off files as they
 * are now. Reads only.
 */
import type { PieceKind } from "../../shared/contextProtocol";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { LeftOut, Manifest, Segment } from "../../shared/manifest";
import { manifestLines, type RequestEntry, readRequests } from "../context/requestChain";
import { inHistory } from "../context/requestLog";
import { describe, recordedWords } from "../context/requests/sentRequests";
import { type Hash, SessionError } from "../ground/ports";
import { toHandle } from "../ground/text/format";
import { isLedger, PLAN, rulesSource, skillSource, sourceRules } from "../ground/text/sources";
import { onBranch } from "../log/branches";
import { wordsIn } from "../log/ledger/said";
import { Evidence, type EvidenceFiles, messagePlaces } from "./evidence";
import { NoRequestError, segmentText } from "./rebuild";
import { cutPlace, lineAt, type NormalText, normalText, placeOf } from "./sentences";

/** By its number (negative: from the end), or whose turn, answer or call it was for; nothing: the newest. */
export interface ViewTarget {
  request?: number | undefined;
  turn?: number | undefined;
  callId?: string | undefined;
  requestId?: string | undefined;
}

export type RequestPlace = Pick<Manifest, "turn" | "step" | "ts" | "model"> & { number: number };

/** A segment that is an instruction, or has the sentence. */
export interface ViewPlace extends Pick<Segment, "layer" | "source" | "tokens"> {
  /** 1-based, of all in the request */
  segment: number;
  kind: PieceKind;
  name: string;
  messageId?: string;
  /** of its text, 1-based: where the sentence begins */
  line?: number;
}

type ViewForm = "whole" | "cut" | "folded" | "handle" | "none";

/** Why a sentence did not stand there; `text`: a reason in words, or a cause of the manifest's. */
export interface WhyNot {
  kind:
    | "size"
    | "changed"
    | "gone"
    | "withheld"
    | "import"
    | "ended"
    | "compaction"
    | "folded"
    | "short"
    | "break"
    | "later";
  /** of the segment that had it, or would have it */
  source: string;
  line?: number;
  text?: string | undefined;
}

/** What manifests say, and imports that were not read. */
export type NotSent = Omit<LeftOut, "why"> & { why: LeftOut["why"] | "import" };

export interface InView {
  request: RequestPlace;
  form: ViewForm;
  /** instructions before what models and tools said */
  places: ViewPlace[];
  /** the newest request before that had all of it, and the first one without */
  last?: RequestPlace;
  since?: RequestPlace;
  /** the first that has it, where that is a later one */
  first?: RequestPlace;
  why?: WhyNot;
  handle?: string;
  left: NotSent[];
  /** where no sentence is looked for: what the person said before */
  said?: SaidWords[];
  notes: string[];
}

export interface SaidWords {
  turn: number;
  text: string;
  /** `part`: its middle was cut out */
  stands: "whole" | "part" | "no";
}

type Sent = RequestEntry & { manifest: Manifest; segments: Segment[] };
const isSent = (entry: RequestEntry | undefined): entry is Sent => !!entry?.manifest && entry.segments !== undefined;
const isStep = (entry: RequestEntry | undefined): entry is Sent =>
  isSent(entry) && entry.manifest.purpose === undefined;

/** What Strata writes where it leaves something out: of a file its end, of a person's words their middle; of rules what they import. */
const FILE_CUT = /\[\d+ more bytes of this file were left out/g;
const WORDS_CUT = /\.\.\./g;
const UNREAD = /^\[([^\n]{1,500}), which it imports, was not read\. ([^\n]*)\]$/gm;

const OWN: ReadonlySet<PieceKind> = new Set([
  ...(["rules", "skill", "plan", "instructions", "you", "ledger", "skills", "prompt"] as const),
]);
/** What a person wrote for the model, or said to it. */
export const isOwn = ({ kind }: Pick<ViewPlace, "kind">): boolean => OWN.has(kind);

type Found = Pick<InView, "form" | "places"> & Partial<InView>;

export class ViewSearch {
  /** a segment is not to be had */
  private isPart = false;
  private readonly texts = new Map<string, NormalText>();
  private readonly words: ReturnType<typeof recordedWords>;

  private constructor(
    private readonly files: EvidenceFiles,
    private readonly evidence: Evidence,
    private readonly requests: readonly RequestEntry[],
  ) {
    this.words = recordedWords(evidence.records);
  }

  /** Rejects with StorageError, NewerLogError, NotALogError. */
  static async open(files: EvidenceFiles, hash: Hash): Promise<ViewSearch> {
    const { lines } = manifestLines((await files.read("requests.jsonl")) ?? "");
    return new ViewSearch(files, await Evidence.read(files, hash), [...readRequests(lines, hash)]);
  }

  /** @param sentence absent: all instructions are listed. Rejects with NoRequestError, SessionError, StorageError */
  async view(target: ViewTarget, sentence?: string): Promise<InView> {
    const request = this.meant(target);
    const normal = sentence && normalText(sentence).text;
    if (normal === "") throw new SessionError(t("Say which words to look for."));
    const found = normal === undefined ? await this.list(request) : await this.look(request, normal);
    const left = [...(request.manifest.left ?? []), ...(await this.unread(request))];
    return { request: placed(request), left, notes: this.notes(request), ...found };
  }

  /** Once all was read. */
  private notes({ defects }: RequestEntry): string[] {
    const isProven = defects.length === 0 && this.evidence.isWhole && !this.isPart;
    return isProven ? [] : [t("Not all of this session can be proven; strata verify says why.")];
  }

  private meant({ request, turn, callId, requestId }: ViewTarget): Sent {
    const { requests } = this;
    const byNumber = request === undefined ? undefined : requests.at(request < 0 ? request : request - 1);
    if (isSent(byNumber)) return byNumber;
    if (request !== undefined) throw new NoRequestError(request, requests.length);
    const answer = this.evidence.records.findLast(
      record =>
        record.kind === "message" &&
        (record.message.id === requestId ||
          record.message.parts.some(part => part.type === "dynamic-tool" && part.toolCallId === callId)),
    );
    const id = (answer?.kind === "message" && answer.message.metadata.requestId) || requestId || callId;
    const found = requests
      .filter(isStep)
      .findLast(({ manifest }) => (id ? manifest.requestId === id : (turn ?? manifest.turn) === manifest.turn));
    if (!found) throw new SessionError(t("Nothing is known to have been sent for that."));
    return found;
  }

  /** All instructions. */
  private async list(request: Sent): Promise<Found> {
    const all = await this.placesOf(request, () => ({}));
    const places = all.filter(place => isOwn(place) && !["prompt", "skills"].includes(place.kind));
    return { form: "whole", places, said: await this.said(request) };
  }

  private async look(request: Sent, sentence: string): Promise<Found> {
    const places = await this.whole(request, sentence);
    if (places.some(isOwn)) return { form: "whole", places };
    const steps = this.requests.filter(isStep);
    const earlier = steps.filter(({ number }) => number < request.number).reverse();
    const before = await this.nearest(earlier, sentence);
    const [cut, size] = [await this.cut(request, sentence), await this.behindCut(request, sentence)];
    if (!before) {
      if (cut.length > 0 || size) return { form: "cut", places: [...cut, ...places], ...defined({ why: size }) };
      const after = steps.filter(({ number }) => number > request.number);
      const later = await this.nearest(after, sentence);
      const comes = later &&
        isOwn(later.place) && {
          first: placed(later.request),
          why: { kind: "later" as const, source: later.place.source },
        };
      return { form: places.length > 0 ? "whole" : "none", places, ...comes };
    }
    if (places.length > 0 && !isOwn(before.place)) return { form: "whole", places };
    const next = earlier[before.at - 1] ?? request;
    const why = size?.source === fileSource(before.place) ? size : await this.whyGone(next, before.place);
    const times = { last: placed(before.request), since: placed(next), why };
    if (cut.length > 0 || why === size) return { form: "cut", places: [...cut, ...places], ...times };
    const handle = await this.handleTo(request, sentence, before.place);
    const isShort = inHistory(before.place) && request.segments.some(({ source }) => source === before.place.source);
    return { form: isShort ? "folded" : handle ? "handle" : "none", places, ...times, ...defined({ handle }) };
  }

  /** What a person said before, on the branch of the conversation, and what of it stands there; what a model repeats does not count. */
  private async said(request: Sent): Promise<SaidWords[]> {
    const { records } = this.evidence;
    const byId = new Map(records.map(record => [record.id, record]));
    const sources = new Set(request.segments.map(({ source }) => source));
    const before = records.filter(({ ts }) => ts <= request.manifest.ts);
    return Promise.all(
      wordsIn(onBranch(before)).map(async ({ recordId, turn, text }): Promise<SaidWords> => {
        const record = byId.get(recordId);
        const sentence = normalText(text).text;
        // Answers and denials stand in results.
        const isWhole =
          (record?.kind === "message" && sources.has(`message:${record.message.id}`)) ||
          (await this.whole(request, sentence)).some(place => isOwn(place) || place.kind === "result");
        const isPart = !isWhole && (await this.cut(request, sentence)).length > 0;
        return { turn, text, stands: isWhole ? "whole" : isPart ? "part" : "no" };
      }),
    );
  }

  private async whole(request: Sent, sentence: string): Promise<ViewPlace[]> {
    const found = await this.placesOf(request, text => {
      const at = placeOf(text, sentence);
      return at < 0 ? undefined : { line: lineAt(text, at) };
    });
    return found.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || a.segment - b.segment);
  }

  private cut(request: Sent, sentence: string): Promise<ViewPlace[]> {
    return this.placesOf(request, (text, kind) => {
      if (kind !== "ledger" && kind !== "rules" && kind !== "skill") return undefined;
      const at =
        kind === "ledger" ? cutPlace(text, sentence, WORDS_CUT, "both") : cutPlace(text, sentence, FILE_CUT, "before");
      return at < 0 ? undefined : { line: lineAt(text, at) };
    });
  }

  private async placesOf(
    { segments }: Sent,
    match: (text: NormalText, kind: PieceKind) => Pick<ViewPlace, "line"> | undefined,
  ): Promise<ViewPlace[]> {
    const found: ViewPlace[] = [];
    const places = messagePlaces(segments);
    for (const [at, segment] of segments.entries()) {
      const { layer, source, tokens, role, sha256 } = segment;
      if (role === "tools" || source === "tools") continue;
      const key = `${sha256} ${source}`;
      if (!this.texts.has(key)) this.texts.set(key, normalText(await this.textOf(segment, places[at])));
      const { kind, name } = describe(segment, this.words);
      const hit = match(this.texts.get(key) as NormalText, kind);
      const { messageId } = places[at] ?? {};
      if (hit) found.push({ segment: at + 1, layer, source, tokens, kind, name, ...defined({ messageId }), ...hit });
    }
    return found;
  }

  private async textOf(segment: Segment, place?: Parameters<Evidence["find"]>[1]): Promise<string> {
    const found = await this.evidence.find(segment, place);
    if (!("content" in found)) this.isPart = true;
    return "content" in found ? segmentText(found) : "";
  }

  /** The first of them that has it as an instruction; where none does, that has it. */
  private async nearest(requests: readonly Sent[], sentence: string) {
    let other: { at: number; request: Sent; place: ViewPlace } | undefined;
    for (const [at, request] of requests.entries()) {
      const [place] = await this.whole(request, sentence);
      if (place && isOwn(place)) return { at, request, place };
      if (place) other ??= { at, request, place };
    }
    return other;
  }

  /** It is in the part of a file that was too long. */
  private async behindCut({ manifest: { left = [] } }: Sent, sentence: string): Promise<WhyNot | undefined> {
    for (const { source, sha256 } of left) {
      const blob = sha256 === undefined ? undefined : await this.evidence.blob(sha256);
      const text = normalText(blob && "bytes" in blob ? new TextDecoder().decode(blob.bytes) : "");
      const at = placeOf(text, sentence);
      if (at >= 0) return { kind: "size", source, line: lineAt(text, at) };
    }
    return undefined;
  }

  /** What became of it in the first request without. */
  private async whyGone(next: Sent, place: ViewPlace): Promise<WhyNot> {
    const { records } = this.evidence;
    const source = fileSource(place);
    const now = next.segments.find(each => each.source === source);
    const left = [...(next.manifest.left ?? []), ...(await this.unread(next))].find(each => each.source === source);
    if (left && left.why !== "same" && left.why !== "size") return { kind: left.why, source, text: left.text };
    if (now) return { kind: inHistory(now) ? (now.form === "folded" ? "folded" : "short") : "changed", source };
    if (!inHistory(place) && (place.kind === "rules" || place.kind === "skill")) return { kind: "gone", source };
    if (source === PLAN) return { kind: "ended", source };
    const { messageId = "" } = place;
    if (isLedger(source) || records.some(each => each.kind === "compaction" && each.removed.includes(messageId)))
      return { kind: "compaction", source };
    const { cause } = next.manifest;
    const isBack = cause === "rewind" || cause === "branch" || cause === "log-repaired";
    return { kind: isBack ? "break" : "short", source, text: cause };
  }

  /** What rules import that was not read, as the bytes say that were sent. */
  private async unread({ segments }: Sent): Promise<NotSent[]> {
    const rules = segments.filter(({ source, layer }) => layer === "L2" && sourceRules(source) !== undefined);
    const texts = await Promise.all(rules.map(segment => this.textOf(segment)));
    return texts.flatMap(each =>
      [...each.matchAll(UNREAD)].map(([, path = "", text = ""]) => ({
        source: rulesSource(path),
        why: "import",
        text,
      })),
    );
  }

  /** A handle in the request that leads to it: to the output that had it, to its turn, to the words that a ledger cut. */
  private async handleTo(
    request: Sent,
    sentence: string,
    { source, messageId = "" }: ViewPlace,
  ): Promise<string | undefined> {
    const handles = this.evidence.records.flatMap((record): [handle: string, sha256?: string][] => {
      if (record.kind === "result" && record.messageId === messageId && `result:${record.callId}` === source)
        return record.raw ? [[toHandle(record.raw.sha256)]] : [];
      if (record.kind === "message" && `message:${record.message.id}` === source)
        return [[`turn:${record.message.metadata.turn}`]];
      if (record.kind !== "compaction") return [];
      const words = (record.ledger ?? []).flatMap(({ whole }) => whole);
      return words.map(({ raw: { sha256 } }) => [toHandle(sha256), sha256]);
    });
    for (const [handle, sha256] of handles.reverse()) {
      if ((await this.whole(request, handle)).length === 0) continue;
      const bytes = sha256 === undefined ? undefined : await this.files.getBlob(sha256);
      const isIt = bytes && placeOf(normalText(new TextDecoder().decode(bytes)), sentence) >= 0;
      if (sha256 === undefined || isIt) return handle;
    }
    return undefined;
  }
}

/** Of rules and skills what they are named by in L2: where they were read first, they are messages. */
const fileSource = ({ source, kind, name }: Pick<ViewPlace, "source" | "kind" | "name">): string =>
  kind === "rules" ? rulesSource(name) : kind === "skill" ? skillSource(name) : source;

const placed = ({ number, manifest: { turn, step, ts, model } }: Sent): RequestPlace => ({
  number,
  turn,
  step,
  ts,
  model,
});
