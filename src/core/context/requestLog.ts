/**
 * `requests.jsonl` (docs/formats.md): for each model request a manifest says which segments it had, how much of it the
 * provider could reuse, and why it did not begin with the bytes of the one before. A blob holds each segment that is
 * nowhere in the history log (prompts, tools, rules, tail). All are synced before the request leaves.
 */
import { SerialQueue } from "../../shared/async";
import { defined, some } from "../../shared/defined";
import { parseJson } from "../../shared/isObject";
import { type Manifest, manifestSchema, type Segment, standsBeside } from "../../shared/manifest";
import type { Hash, SessionFiles } from "../ground/ports";
import type { AssembledRequest } from "./assemble";
import { causeOf, prefixReuse, type RequestBefore, type SenderKnows } from "./breakCause";
import { type MarkedRequest, REMEMBERED, remembering } from "./cacheMarks";
import { BRIEF } from "./compose";

export class RequestLog {
  /** undefined: not read since another window wrote */
  private sent: SentSoFar | undefined;
  /** a request beside the conversation may leave while a step does */
  private readonly queue = new SerialQueue();
  private readonly stored = new Set<string>();
  /** the history log was mended when the session was opened: the next break has its cause */
  private repaired: boolean;

  constructor(
    private readonly files: SessionFiles,
    private readonly hash: Hash,
    private readonly options: {
      repaired: boolean;
      /** The last line was cut off, or lines could not be read: told to the person. */
      onRepair(text: string): Promise<void>;
    },
  ) {
    this.repaired = options.repaired;
  }

  /** Rejects with StorageError. */
  before(): Promise<{
    /** the last request of a step; where none is known, of anything else; undefined: there was none */
    last: RequestBefore | undefined;
    /** what requests marked for the caches of their providers, oldest first */
    marked: readonly MarkedRequest[];
  }> {
    return this.queue.run(async () => {
      const { lastStep, previous, marked } = await this.load();
      return { last: lastStep ?? previous, marked };
    });
  }

  /** Another window wrote meanwhile: what was last is read anew. */
  forget(): void {
    this.sent = undefined;
  }

  /** Writes the manifest of a request that is about to leave, once all that it names is synced. Rejects with StorageError. */
  write(request: AssembledRequest, meta: Omit<ManifestMeta, "repaired">): Promise<Manifest> {
    return this.queue.run(async () => {
      const sent = await this.load();
      const fresh: { sha256: string; content: string }[] = request.segments.filter(
        segment => !inHistory(segment) && !this.stored.has(segment.sha256),
      );
      for (const { sha256, content } of request.left ?? [])
        if (sha256 && content && !this.stored.has(sha256)) fresh.push({ sha256, content });
      await Promise.all(
        fresh.map(({ sha256, content }) => this.files.putBlob(sha256, content)).concat(this.files.sync()),
      );
      for (const { sha256 } of fresh) this.stored.add(sha256);
      const manifest = buildManifest(request, { ...meta, repaired: this.repaired }, sent.previous, this.hash);
      await this.files.append("requests.jsonl", `${JSON.stringify(manifest)}\n`);
      await this.files.sync();
      remember(sent, manifest);
      if (isMarked(manifest)) sent.marked = remembering(sent.marked, manifest);
      if (!standsBeside(manifest)) this.repaired = false;
      return manifest;
    });
  }

  /** Takes up where an earlier process stopped: reads back to the last whole manifest, cuts a torn last line. */
  private async load(): Promise<SentSoFar> {
    if (this.sent) return this.sent;
    const text = (await this.files.read("requests.jsonl")) ?? "";
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) {
      await this.files.truncate("requests.jsonl", new TextEncoder().encode(text.slice(0, end)).length);
      this.repaired = true;
      await this.options.onRepair(
        "The last line of this session's request log was cut off, probably by a crash. It was removed.",
      );
    }
    const lines = text.slice(0, end).split("\n").slice(0, -1);
    const since = fromLastWhole(lines, lines.length);
    const manifests = since.flatMap(manifest => manifest ?? []);
    // A line on the way cannot be read: the next one is written whole.
    const isKnown = manifests.length === since.length && isWhole(since[0]);
    if (end > 0 && !isKnown) {
      await this.options.onRepair(
        "Lines of this session's request log cannot be read, so older requests may not be provable.",
      );
    }
    const sent: SentSoFar = { previous: undefined, lastStep: undefined, marked: lastMarks(lines) };
    if (isKnown) for (const manifest of manifests) remember(sent, manifest);
    this.sent = sent;
    return sent;
  }
}

interface SentSoFar {
  previous: PreviousRequest | undefined;
  lastStep: RequestBefore | undefined;
  marked: readonly MarkedRequest[];
}

function remember(sent: SentSoFar, manifest: Manifest): void {
  const { model, purpose, self, keep, changed = [], segments } = manifest;
  const before = sent.previous ?? NOTHING_SENT;
  if (standsBeside(manifest)) {
    sent.previous = { ...before, self };
    return;
  }
  const { manifests, segments: written } = before.sinceWhole;
  const isFresh = keep === 0 || !sent.previous;
  sent.previous = {
    model,
    ...defined({ purpose }),
    segments: spliceSegments(before.segments, manifest),
    self,
    sinceWhole: isFresh
      ? { manifests: 0, segments: 0 }
      : { manifests: manifests + 1, segments: written + changed.length + segments.length },
  };
  if (!purpose) sent.lastStep = sent.previous;
}

/** Messages and results are rebuilt from their records. */
export const inHistory = (segment: Pick<Segment, "source">): boolean =>
  ["message:", "result:", BRIEF].some(kind => segment.source.startsWith(kind));

const isWhole = (manifest: Manifest | undefined): boolean => manifest?.keep === 0 && !standsBeside(manifest);

/** The manifests before line `end`, from the last whole list of segments before `first` on. undefined: a line that cannot be read */
export function fromLastWhole(lines: readonly string[], end: number, first = end): (Manifest | undefined)[] {
  const manifests: (Manifest | undefined)[] = [];
  for (let at = end; at > 0 && !(at < first && isWhole(manifests[0])); ) {
    at -= 1;
    manifests.unshift(parseManifest(lines[at] ?? ""));
  }
  return manifests;
}

const markedSchema = manifestSchema.pick({
  ...{ model: true, runId: true, turn: true, step: true, purpose: true, cacheMarks: true },
});
const isMarked = <M extends Pick<Manifest, "cacheMarks">>(manifest: M): manifest is M & MarkedRequest =>
  manifest.cacheMarks !== undefined;

/** As they were remembered while they were written: as many lines back as it takes. */
function lastMarks(all: readonly string[]): MarkedRequest[] {
  const lines = all.filter(line => line.includes('"cacheMarks":['));
  const marked = lines.slice(-2 * REMEMBERED).flatMap(line => markedSchema.safeParse(parseJson(line)).data ?? []);
  return marked.filter(isMarked).reduce<MarkedRequest[]>(remembering, []);
}

export const parseManifest = (line: string): Manifest | undefined => manifestSchema.safeParse(parseJson(line)).data;

/**
 * A whole list of segments so often, so that a reader needs few records to rebuild a request; but not before half as much as
 * the list was written since the last one: else what a request writes would grow with the session.
 */
const WHOLE_EVERY = 50;

/** What the next manifest is told against. */
export interface PreviousRequest extends RequestBefore {
  self: string;
  /** manifests since the last whole one, and the segments in them */
  sinceWhole: { manifests: number; segments: number };
}

const NOTHING_SENT: Omit<PreviousRequest, "self"> = {
  model: "",
  segments: [],
  sinceWhole: { manifests: 0, segments: 0 },
};

interface ManifestMeta extends SenderKnows {
  requestId: string;
  runId: string;
  turn: number;
  step: number;
  attempt: number;
  purpose?: Manifest["purpose"];
  ts: number;
  model: string;
  bodySha256: string | null;
  repaired: boolean;
}

export function buildManifest(
  request: AssembledRequest,
  meta: ManifestMeta,
  previous: PreviousRequest | undefined,
  hash: Hash,
): Manifest {
  const { repaired, rewound: _, cause: __, ...fields } = meta;
  const segments: readonly Segment[] = request.segments;
  const { manifests, segments: written } = previous?.sinceWhole ?? { manifests: 0, segments: 0 };
  const isBeside = standsBeside(meta);
  const whole = !previous || isBeside || (manifests + 1 >= WHOLE_EVERY && 2 * written >= segments.length);
  const splice = asWritten(whole ? { keep: 0, segments } : computeSplice(previous.segments, segments));
  const reuse = prefixReuse(isBeside ? undefined : previous, segments);
  const broken = reuse.brokenAt !== undefined;
  const cause = previous && causeOf(previous, { ...meta, segments }, meta, reuse.brokenAt);
  const manifest: Omit<Manifest, "self"> = {
    version: 1,
    ...fields,
    ...splice,
    sharedTokens: reuse.sharedTokens,
    totalTokens: request.tokens,
    ...defined({ cause }),
    ...(broken && !cause ? { unexplained: true } : {}),
    ...defined({ cacheMarks: request.cacheMarks && [...request.cacheMarks] }),
    ...defined({ left: request.left?.map(({ content: _, ...left }) => left) }),
    callOptions: request.callOptions,
    requestSha256: request.sha256,
    previous: previous?.self ?? null,
  };
  return { ...manifest, self: hash.sha256(JSON.stringify(manifest)) };
}

type Splice = Pick<Manifest, "keep" | "changed" | "segments">;
type RequestSplice = Pick<Splice, "keep" | "changed"> & { segments: readonly Segment[] };

/** Without what they hold: mostly a few of hundreds are written. */
function asWritten({ keep, changed, segments }: RequestSplice): Splice {
  const bare = (segment: Segment & { content?: string; value?: unknown }): Segment => {
    const { content: _content, value: _value, ...written } = segment;
    return written;
  };
  const others = changed?.map(({ at, segment }) => ({ at, segment: bare(segment) }));
  return { keep, ...defined({ changed: others }), segments: segments.map(bare) };
}

/** Folded results change in their places: the segments behind them are not written again. */
function computeSplice(before: readonly Segment[], after: readonly Segment[]): RequestSplice {
  const isKept = (at: number) => {
    const old = before[at];
    const now = after[at];
    return old && now && (["sha256", "layer", "source", "form", "trust"] as const).every(key => old[key] === now[key]);
  };
  let keep = Math.min(before.length, after.length);
  while (keep > 0 && !isKept(keep - 1)) keep--;
  const changed: NonNullable<Splice["changed"]> = [];
  for (let at = 0; at < keep; at += 1) {
    const segment = after[at];
    if (segment && !isKept(at)) changed.push({ at, segment });
  }
  return { keep, ...defined({ changed: some(changed) }), segments: after.slice(keep) };
}

/** The list that a manifest's splice makes of the list before it. */
export function spliceSegments(before: readonly Segment[], { keep, changed = [], segments }: Splice): Segment[] {
  const kept = before.slice(0, keep);
  for (const { at, segment } of changed) kept[at] = segment;
  return [...kept, ...segments];
}
