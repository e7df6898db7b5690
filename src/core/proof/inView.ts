/**
 * Which instructions stood in a request: read off its manifest, its blobs and the records of the log, never off files as they are
 * now. Of a sentence: where it stood in the bytes that were sent, or since when it did not, and why. Reads only.
 */
import type { PieceKind } from "../../shared/contextProtocol";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { BreakCause, LeftOut, Manifest, Segment } from "../../shared/manifest";
import type { LogRecord } from "../../shared/records";
import { manifestLines, readRequests } from "../context/requestChain";
import { inHistory } from "../context/requestLog";
import { instruction, pieceOf } from "../context/requests/contextRows";
import { recordedWords } from "../context/requests/sentRequests";
import { type Hash, SessionError } from "../ground/ports";
import { toHandle } from "../ground/text/format";
import { isInstruction, isLedger, PLAN, rulesSource, skillSource, sourceRules } from "../ground/text/sources";
import { onBranch } from "../log/branches";
import { wordsIn } from "../log/ledger/said";
import { Evidence, type EvidenceFiles, messagePlaces } from "./evidence";
import { NoRequestError, segmentText } from "./rebuild";
import { cutPlace, lineAt, type NormalText, normalText, placeOf } from "./sentences";

/** The request that is meant: by its number (negative: from the end), or whose answer, call or turn it was for. Nothing: the newest. */
export interface ViewTarget {
  request?: number | undefined;
  turn?: number | undefined;
  callId?: string | undefined;
  requestId?: string | undefined;
}

export interface RequestPlace {
  number: number;
  turn: number;
  step: number;
  ts: number;
}

/** A segment that has instructions, or words of the sentence. */
export interface ViewPlace {
  /** 1-based place in the request */
  segment: number;
  of: number;
  layer: Segment["layer"];
  source: string;
  kind: PieceKind;
  name: string;
  form: "whole" | "cut";
  tokens: number;
  /** of the segment's text, 1-based; absent: all of it is meant */
  line?: number;
}

/** Why a sentence did not stand there. `source`: of the segment that had it before, or would have it. */
export type WhyNot =
  | { kind: "size"; source: string; line: number }
  | { kind: "changed" | "gone" | "later" | "ended" | "folded" | "short"; source: string }
  | { kind: "withheld" | "import"; source: string; reason: string }
  | { kind: "compaction"; source: string; turn: number; ts: number }
  | { kind: "break"; source: string; cause?: BreakCause | undefined };

/** Beside what manifests say, imports that were not read. */
export type LeftOutOfView = Omit<LeftOut, "why"> & { why: LeftOut["why"] | "import" };

export interface InView {
  sessionId: string;
  request: RequestPlace;
  model: string;
  form: "whole" | "cut" | "folded" | "handle" | "none";
  /** of a sentence: where it stands, instructions before what tools and models said; else all instructions */
  places: ViewPlace[];
  /** the newest request before this one that had all of it, and the first without */
  last?: RequestPlace;
  since?: RequestPlace;
  /** the first one that has it, where that came later */
  first?: RequestPlace;
  why?: WhyNot;
  handle?: string;
  left: readonly LeftOutOfView[];
  /** what a person said before this request, where it is not among the places as they wrote it */
  said: { turn: number; text: string; form: InView["form"] }[];
  notes: string[];
}

interface Request {
  place: RequestPlace;
  manifest: Manifest;
  segments: readonly Segment[];
  hasDefects: boolean;
}

/** Rejects with NoRequestError, SessionError, StorageError, NewerLogError, NotALogError. @param sentence absent: all are listed */
export async function inView(files: EvidenceFiles, hash: Hash, target: ViewTarget, sentence?: string): Promise<InView> {
  const { lines } = manifestLines((await files.read("requests.jsonl")) ?? "");
  const requests = [...readRequests(lines, hash)].map(
    ({ number, manifest, segments, defects }): Request | undefined => {
      if (!manifest || !segments) return undefined;
      const { turn, step, ts } = manifest;
      return { place: { number, turn, step, ts }, manifest, segments, hasDefects: defects.length > 0 };
    },
  );
  const evidence = await Evidence.read(files, hash);
  const at = meant(requests, evidence.records, target);
  const request = requests[at];
  if (!request) throw new NoRequestError(target.request ?? at + 1, requests.length);
  const search = new ViewSearch(files, evidence, requests, at);
  const view = sentence === undefined ? await search.list(request) : await search.look(request, sentence);
  const notes = [
    ...(request.hasDefects || search.isPart
      ? [t("Not all of this request can be proven; strata verify says why.")]
      : []),
    ...(evidence.isWhole ? [] : [t("Not all of the log can be read: more may have been said.")]),
  ];
  const { manifest, place } = request;
  return {
    sessionId: files.id,
    request: place,
    model: manifest.model,
    left: manifest.left ?? [],
    said: [],
    ...view,
    notes,
  };
}

/** Index of the request. */
function meant(requests: readonly (Request | undefined)[], records: readonly LogRecord[], target: ViewTarget): number {
  const { request, turn, callId, requestId } = target;
  if (request !== undefined) return request < 0 ? requests.length + request : request - 1;
  if (turn === undefined && callId === undefined && requestId === undefined) return requests.findLastIndex(isStep);
  const answers = records.flatMap(record => (record.kind === "message" ? [record.message] : []));
  const answer = answers.findLast(
    ({ id, parts }) =>
      id === requestId || parts.some(part => part.type === "dynamic-tool" && part.toolCallId === callId),
  );
  const id = answer?.metadata.requestId ?? requestId;
  const at = requests.findLastIndex(
    each => isStep(each) && (id === undefined ? each?.place.turn === turn : each?.manifest.requestId === id),
  );
  if (at < 0) throw new SessionError(t("No request of this session is known for that."));
  return at;
}

const isStep = (request: Request | undefined): boolean =>
  request !== undefined && request.manifest.purpose === undefined;

/** What Strata writes where it leaves something out: of a file its end, of a person's words their middle. */
const FILE_CUT = /\[\d+ more bytes of this file were left out/g;
const WORDS_CUT = /\.\.\./g;
const UNREAD = /^\[([^\n]{1,500}), which it imports, was not read\. ([^\n]*)\]$/gm;
/** The heaviest first: what a person wrote for agents, then what they said. */
const INSTRUCTIONS: readonly PieceKind[] = [
  "rules",
  "skill",
  "plan",
  "instructions",
  "you",
  "ledger",
  "skills",
  "prompt",
];
const isOwn = ({ kind }: Pick<ViewPlace, "kind">) => INSTRUCTIONS.includes(kind);
/** Of rules and skills what they are named by in L2: where they were read first, they are messages. */
const fileSource = ({ source, kind, name }: Pick<ViewPlace, "source" | "kind" | "name">): string =>
  kind === "rules" ? rulesSource(name) : kind === "skill" ? skillSource(name) : source;

type Found = Pick<InView, "form" | "places"> & Partial<InView>;

class ViewSearch {
  /** a segment could not be had */
  isPart = false;
  private readonly texts = new Map<string, NormalText>();
  private lookedFor = { sentence: "", places: new Map<NormalText, number>() };
  private readonly words: ReturnType<typeof recordedWords>;
  /** sources of results of calls that a person was asked about */
  private readonly answered: ReadonlySet<string>;

  constructor(
    private readonly files: EvidenceFiles,
    private readonly evidence: Evidence,
    private readonly requests: readonly (Request | undefined)[],
    private readonly at: number,
  ) {
    this.words = recordedWords(evidence.records);
    this.answered = new Set(
      evidence.records.flatMap(record =>
        record.kind === "question"
          ? [`result:${record.callId}`]
          : record.kind === "approval"
            ? [`result:${record.action.callId}`]
            : [],
      ),
    );
  }

  /** All instructions, and what a person said before. */
  async list(request: Request): Promise<Found> {
    const all = await this.placesOf(request, (_, text, { kind }) => ({
      form: ["rules", "skill"].includes(kind) && new RegExp(FILE_CUT).test(text.text) ? "cut" : "whole",
    }));
    const places = all.filter(place => isOwn(place) && !["prompt", "skills"].includes(place.kind));
    const before = this.evidence.records.filter(({ ts }) => ts <= request.place.ts);
    const byId = new Map(before.map(record => [record.id, record]));
    const sources = new Set(places.map(({ source }) => source));
    const said: InView["said"] = [];
    for (const { recordId, turn, text } of wordsIn(onBranch(before))) {
      const record = byId.get(recordId);
      const source = record?.kind === "message" ? `message:${record.message.id}` : "";
      if (!sources.has(source)) said.push({ turn, text, form: await this.formOfSaid(request, text, source) });
    }
    return { form: "whole", places, said };
  }

  /** Of words whose message is not there. */
  private async formOfSaid(request: Request, words: string, source: string): Promise<InView["form"]> {
    const sentence = normalText(words).text;
    if ((await this.whole(request, sentence)).some(isOwn)) return "whole";
    if ((await this.cut(request, sentence)).length > 0) return "cut";
    return (await this.handleTo(request, sentence, source)) ? "handle" : "none";
  }

  async look(request: Request, words: string): Promise<Found> {
    const sentence = normalText(words).text;
    if (sentence === "") throw new SessionError(t("Say which words to look for."));
    const places = await this.whole(request, sentence);
    if (places.some(isOwn)) return { form: "whole", places };
    const cut = await this.cut(request, sentence);
    const before = await this.before(request, sentence);
    const size = await this.behindTheCut(request, sentence);
    if (!before) {
      if (cut.length > 0) return { form: "cut", places: cut, ...defined({ why: size }) };
      if (size) return { form: "cut", places, why: size };
      return { form: places.length > 0 ? "whole" : "none", places, ...(await this.later(sentence)) };
    }
    const { last, next, place } = before;
    if (places.length > 0 && !isOwn(place)) return { form: "whole", places };
    const why = (size?.source === fileSource(place) ? size : undefined) ?? (await this.whyGone(last, next, place));
    const times = { last: last.place, since: next.place, why };
    if (cut.length > 0 || why.kind === "size") return { form: "cut", places: [...cut, ...places], ...times };
    const handle = await this.handleTo(request, sentence, place.source);
    const isShort = inHistory(place) && request.segments.some(({ source }) => source === place.source);
    return { form: isShort ? "folded" : handle ? "handle" : "none", places, ...times, ...defined({ handle }) };
  }

  private async whole(request: Request, sentence: string): Promise<ViewPlace[]> {
    const found = await this.placesOf(request, (_, text) => {
      const at = this.placeIn(text, sentence);
      return at < 0 ? undefined : { form: "whole", line: lineAt(text, at) };
    });
    const isPlan = (kind: PieceKind) => kind === "answer" && this.isSaid(sentence, ["plan"]);
    const isYours = ({ kind, source }: ViewPlace) =>
      kind === "result" && this.answered.has(source) && this.isSaid(sentence, ["approval", "question"]);
    for (const place of found)
      if (isPlan(place.kind)) place.kind = "plan";
      else if (isYours(place)) place.kind = "you";
    return found.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || a.segment - b.segment);
  }

  /** Most texts stand in many requests. */
  private placeIn(text: NormalText, sentence: string): number {
    if (this.lookedFor.sentence !== sentence) this.lookedFor = { sentence, places: new Map() };
    const known = this.lookedFor.places.get(text) ?? placeOf(text, sentence);
    this.lookedFor.places.set(text, known);
    return known;
  }

  private cut(request: Request, sentence: string): Promise<ViewPlace[]> {
    return this.placesOf(request, ({ source }, text, { kind }) => {
      if (!["rules", "skill", "instructions"].includes(kind) && !isLedger(source)) return undefined;
      const place = isLedger(source)
        ? cutPlace(text, sentence, WORDS_CUT, "both")
        : cutPlace(text, sentence, FILE_CUT, "before");
      return place < 0 ? undefined : { form: "cut", line: lineAt(text, place) };
    });
  }

  /** A person had it carried out, or it is in words of theirs: what stands in an answer or a result is theirs then. */
  private isSaid(sentence: string, kinds: readonly LogRecord["kind"][]): boolean {
    const records = this.evidence.records.filter(record => kinds.includes(record.kind));
    const texts = kinds.includes("plan")
      ? records.flatMap(record => (record.kind === "plan" && record.op === "carried-out" ? [record.text] : []))
      : wordsIn(records).map(({ text }) => text);
    return texts.some(text => placeOf(normalText(text), sentence) >= 0);
  }

  private async placesOf(
    { segments }: Request,
    match: (
      segment: Segment,
      text: NormalText,
      piece: Pick<ViewPlace, "kind" | "name">,
    ) => Pick<ViewPlace, "form" | "line"> | undefined,
  ): Promise<ViewPlace[]> {
    const found: ViewPlace[] = [];
    const places = messagePlaces(segments);
    for (const [at, segment] of segments.entries()) {
      const { layer, source, tokens, role } = segment;
      if (role === "tools" || source === "tools") continue;
      const piece = this.pieceOf(segment);
      const text = await this.textOf(segment, places[at]);
      const hit = text && match(segment, text, piece);
      if (hit) found.push({ segment: at + 1, of: segments.length, layer, source, tokens, ...piece, ...hit });
    }
    return found;
  }

  private async textOf(segment: Segment, place: Parameters<Evidence["find"]>[1]): Promise<NormalText | undefined> {
    const key = `${segment.sha256} ${segment.source}`;
    const known = this.texts.get(key);
    if (known) return known;
    const found = await this.evidence.find(segment, place);
    if (!("content" in found)) {
      this.isPart = true;
      return undefined;
    }
    const text = normalText(segmentText(found));
    this.texts.set(key, text);
    return text;
  }

  private pieceOf(segment: Segment): Pick<ViewPlace, "kind" | "name"> {
    if (!inHistory(segment)) {
      const { kind, name } = pieceOf(segment);
      return { kind, name };
    }
    const known = this.words.pieces.get(segment.source);
    const injected = known?.kind === "reminder" && (known.name === PLAN || isInstruction(known.name));
    return injected ? instruction(known.name) : (known ?? { kind: "reminder", name: segment.source });
  }

  /** The newest request before that had all of it, as an instruction where one did. */
  private async before(request: Request, sentence: string) {
    let asData: { last: Request; next: Request; place: ViewPlace } | undefined;
    let next = request;
    for (const last of this.requests.slice(0, this.at).reverse()) {
      if (!last || !isStep(last)) continue;
      const [place] = await this.whole(last, sentence);
      if (place && isOwn(place)) return { last, next, place };
      if (place) asData ??= { last, next, place };
      next = last;
    }
    return asData;
  }

  /** The first request after it that has it. */
  private async later(sentence: string): Promise<Partial<InView>> {
    for (const request of this.requests.slice(this.at + 1)) {
      if (!request || !isStep(request)) continue;
      const [place] = (await this.whole(request, sentence)).filter(isOwn);
      if (place) return { first: request.place, why: { kind: "later", source: place.source } };
    }
    return {};
  }

  /** It is in the part of a file that was too long. */
  private async behindTheCut({ manifest: { left = [] } }: Request, sentence: string): Promise<WhyNot | undefined> {
    for (const { source, sha256 } of left) {
      const bytes = sha256 === undefined ? undefined : await this.evidence.blob(sha256);
      if (!bytes || !("bytes" in bytes)) continue;
      const text = normalText(new TextDecoder().decode(bytes.bytes));
      const at = placeOf(text, sentence);
      if (at >= 0) return { kind: "size", source, line: lineAt(text, at) };
    }
    return undefined;
  }

  /** What became of it between two requests that follow each other. */
  private async whyGone(last: Request, next: Request, { source, kind, name }: ViewPlace): Promise<WhyNot> {
    const now = next.segments.find(each => each.source === source);
    const ownSource = fileSource({ source, kind, name });
    const left = next.manifest.left?.find(each => each.source === ownSource);
    if (left?.why === "withheld") return { kind: "withheld", source: ownSource, reason: left.text ?? "" };
    const isFile = ["rules", "skill"].includes(kind);
    if (isFile && next.segments.some(each => each.source === ownSource)) return { kind: "changed", source: ownSource };
    const unread = (await this.unread(next)).find(each => each.source === ownSource);
    if (unread) return { kind: "import", source, reason: unread.text ?? "" };
    if (isFile && source === ownSource) return { kind: "gone", source };
    if (source === PLAN) return { kind: "ended", source };
    if (now) return { kind: now.form === "folded" ? "folded" : "short", source };
    const id = source.slice(source.indexOf(":") + 1);
    const compaction = this.evidence.records.find(
      record =>
        record.kind === "compaction" &&
        record.ts >= last.place.ts &&
        (record.removed.includes(id) || !inHistory({ source }) || this.isOfRemoved(record.removed, id)),
    );
    if (compaction?.kind === "compaction" && compaction.ts <= next.place.ts)
      return { kind: "compaction", source, turn: compaction.snapshot.turn, ts: compaction.ts };
    const turn = this.turnOf(source);
    const isBrief =
      turn !== undefined && next.segments.some(each => each.form === "brief" && this.turnOf(each.source) === turn);
    return isBrief ? { kind: "short", source } : { kind: "break", source, cause: next.manifest.cause };
  }

  /** A call's result goes with its message. */
  private isOfRemoved(removed: readonly string[], callId: string): boolean {
    return this.evidence.records.some(
      record => record.kind === "result" && record.callId === callId && removed.includes(record.messageId),
    );
  }

  private turnOf(source: string): number | undefined {
    const id = source.slice(source.indexOf(":") + 1);
    const record = this.evidence.records.find(
      each => (each.kind === "message" && each.message.id === id) || (each.kind === "result" && each.callId === id),
    );
    return record?.kind === "message"
      ? record.message.metadata.turn
      : record?.kind === "result"
        ? record.turn
        : undefined;
  }

  /** What rules import that was not read, as the bytes say that were sent. */
  async unread({ segments }: Request): Promise<LeftOutOfView[]> {
    const rules = segments.filter(({ source, layer }) => layer === "L2" && sourceRules(source) !== undefined);
    const found = await Promise.all(rules.map(segment => this.evidence.find(segment, undefined)));
    return found.flatMap(each =>
      [...("content" in each ? segmentText(each) : "").matchAll(UNREAD)].map(([, path = "", text = ""]) => ({
        ...{ source: rulesSource(path), why: "import" as const, text },
      })),
    );
  }

  /** A handle that stands in the request and leads to it. @param source of the segment that had it */
  private async handleTo(request: Request, sentence: string, source: string): Promise<string | undefined> {
    const handles: [handle: string, sha256?: string][] = [];
    for (const record of this.evidence.records) {
      if (record.kind === "compaction")
        for (const { whole } of record.ledger ?? [])
          for (const { raw } of whole) handles.push([toHandle(raw.sha256), raw.sha256]);
      if (record.kind === "result" && `result:${record.callId}` === source && record.raw)
        handles.push([toHandle(record.raw.sha256)]);
      if (record.kind === "message" && `message:${record.message.id}` === source)
        handles.push([`turn:${record.message.metadata.turn}`]);
    }
    for (const [handle, sha256] of handles.reverse()) {
      const shown = await this.whole(request, handle);
      if (shown.length === 0) continue;
      if (sha256 === undefined) return handle;
      const bytes = await this.files.getBlob(sha256);
      if (bytes && placeOf(normalText(new TextDecoder().decode(bytes)), sentence) >= 0) return handle;
    }
    return undefined;
  }
}
