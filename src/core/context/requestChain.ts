/**
 * `requests.jsonl` read as evidence: every line in order, its list of segments spliced together, and what is wrong with it
 * (docs/formats.md). Pure; one pass.
 */
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import { type BreakCause, type Manifest, type Segment, standsBeside } from "../../shared/manifest";
import type { Hash } from "../ground/ports";
import { segmentKind } from "../ground/text/sources";
import { causeOf, prefixReuse, type RequestBefore, type SenderKnows } from "./breakCause";
import { requestHash } from "./compose";
import { inHistory, parseManifest, spliceSegments } from "./requestLog";

export interface Defect {
  /** id of the agent's session that it is in; absent: in the one that was asked about */
  session?: string;
  /**
   * manifest: a line of requests.jsonl is not as written; chain: it does not follow the line before; splice: its list of
   * segments cannot be put together; request: the list is not the one of the request; segment: bytes that are missing or
   * differ; prefix: a break without a cause; cause: one that the segments contradict; count: tokens; answer: an answer whose request has no manifest;
   * observation: the whole output or an image of a call, or a summary, as its handle names it; archive: a file of records that
   * a compaction moved; range: messages that a summary says it is about, and that are others;
   * ledger: words of a person's that no record has, or that left and are neither on a page nor counted; source: a segment that
   * says otherwise of itself than its source does; history: what the conversation was then, and the request is not; record: what a
   * record says of others, and is not so.
   */
  kind:
    | "manifest"
    | "chain"
    | "splice"
    | "request"
    | "segment"
    | "prefix"
    | "cause"
    | "count"
    | "answer"
    | "observation"
    | "archive"
    | "range"
    | "ledger"
    | "source"
    | "history"
    | "record";
  request?: number;
  requestId?: string;
  /** 1-based place in the request */
  segment?: number;
  /** of the segment, `obs:<sha256>`, or the archive's name */
  source?: string;
  expected?: string;
  /** sha256 of the bytes there; null: there are none */
  found?: string | null;
  /** the fault, for a person; no sentence */
  text: string;
}

export interface RequestEntry {
  number: number;
  manifest?: Manifest;
  /** the whole list; undefined: it cannot be known */
  segments?: Segment[];
  defects: Defect[];
}

/** The lines of the file; a last one that has no end is a request that never left. With another end than its own it is damaged. */
export function manifestLines(text: string): { lines: string[]; torn: string } {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  return parseManifest(torn.slice(0, -1)) ? { lines: [...lines, torn], torn: "" } : { lines, torn };
}

interface PreviousEntry {
  number: number;
  /** "": nothing was sent yet */
  model: string;
  purpose?: Manifest["purpose"];
  /** hash as the line itself has it; undefined: the line cannot be read */
  self?: string;
  segments?: Segment[];
  /** all lines since the last whole list are as they were written */
  intact: boolean;
}

export function* readRequests(lines: readonly string[], hash: Hash): Generator<RequestEntry> {
  let before: PreviousEntry | undefined;
  for (const [at, line] of lines.entries()) {
    const entry = readLine(at + 1, line, before, hash);
    const { manifest, segments, defects } = entry;
    const ownDefect = defects.some(({ kind }) => kind === "manifest");
    const { number } = entry;
    before =
      manifest && standsBeside(manifest)
        ? { ...(before ?? { segments: [], model: "", intact: true }), number, self: manifest.self }
        : {
            ...{ number, model: manifest?.model ?? "" },
            ...defined({ self: manifest?.self, purpose: manifest?.purpose, segments }),
            intact: !ownDefect && (manifest?.keep === 0 || before === undefined || before.intact),
          };
    yield entry;
  }
}

function readLine(number: number, line: string, before: PreviousEntry | undefined, hash: Hash): RequestEntry {
  const manifest = parseManifest(line);
  if (!manifest) {
    return { number, defects: [{ kind: "manifest", request: number, text: t("the manifest cannot be read") }] };
  }
  const defects: Defect[] = [];
  const add: Add = (kind, text, more = {}) =>
    defects.push({ kind, request: number, requestId: manifest.requestId, ...more, text });
  const self = lineHash(line, manifest.self, hash);
  if (self !== manifest.self) {
    add("manifest", t("the manifest is not as it was written"), { expected: manifest.self, found: self });
  }
  checkLink(manifest, before, add);
  const segments = splice(manifest, before);
  if (!segments) {
    if (before?.segments)
      add("splice", t("the list of segments keeps {0} of {1}", manifest.keep, before.segments.length));
    else if (before?.self === undefined)
      add("splice", t("the list of segments builds on request {0}", before?.number ?? 0));
    return { number, manifest, defects };
  }
  checkSources(segments, add);
  const found = requestHash(segments, manifest.callOptions, hash);
  if (found !== manifest.requestSha256) {
    const text = t("the segments of the manifest are not those of the request");
    add("request", text, { expected: manifest.requestSha256, found });
  }
  const known = before?.intact && before.segments ? { ...before, segments: before.segments } : undefined;
  if (standsBeside(manifest)) checkReuse(manifest, segments, undefined, add);
  else if (!before || known) checkReuse(manifest, segments, known, add);
  return { number, manifest, segments, defects };
}

type Add = (kind: Defect["kind"], text: string, more?: Partial<Defect>) => void;

const LAYERS: readonly Segment["layer"][] = ["L1", "L2", "L3", "turn", "tail"];

/** Layer, role and trust of a segment are its source's; of messages and results they are their records' (replay.ts). */
function checkSources(segments: readonly Segment[], add: Add): void {
  let last = 0;
  for (const [at, { source, layer, role, trust }] of segments.entries()) {
    const place = { segment: at + 1, source };
    const kind = segmentKind(source);
    if (LAYERS.indexOf(layer) < last)
      add("source", t("stands in layer {0}, behind layer {1}", layer, LAYERS[last] ?? ""), place);
    last = Math.max(last, LAYERS.indexOf(layer));
    if (kind && kind.layer === layer && kind.roles.includes(role) && kind.trusts.includes(trust)) continue;
    if (inHistory({ source })) continue;
    const said = [layer, role, trust].join(" ");
    const own = kind && [kind.layer, kind.roles.join("/"), kind.trusts.join("/")].join(" ");
    const wrong = own && t("is told as {0}, and by its source it is {1}", said, own);
    add("source", wrong ?? t("has a source that nobody writes"), place);
  }
}

/** The line's own bytes, not what they parse to: whitespace and escapes count. */
function lineHash(line: string, self: string, hash: Hash): string | null {
  const end = `,"self":"${self}"}`;
  return line.endsWith(end) ? hash.sha256(`${line.slice(0, -end.length)}}`) : null;
}

function checkLink({ previous }: Manifest, before: PreviousEntry | undefined, add: Add): void {
  const expected = before ? before.self : null;
  // After an unreadable line the link is unknown: the line itself is named, and a process that opened the file starts anew.
  if (before && (before.self === undefined || (previous === null && !before.segments))) return;
  if (previous === expected) return;
  const text = before
    ? t("the manifest does not follow the one of request {0}", before.number)
    : t("the manifest is not the first one: those before it are missing");
  add("chain", text, { expected: previous ?? t("the first"), found: expected ?? null });
}

function splice(manifest: Manifest, before: PreviousEntry | undefined): Segment[] | undefined {
  if (manifest.keep === 0) return spliceSegments([], manifest);
  const kept = before?.segments;
  if (!kept || manifest.keep < 0 || manifest.keep > kept.length) return undefined;
  if (manifest.changed?.some(({ at }) => at >= manifest.keep)) return undefined;
  return spliceSegments(kept, manifest);
}

/** The counts are a function of the lists, and a prefix that breaks has a cause. */
function checkReuse(manifest: Manifest, segments: readonly Segment[], before: RequestBefore | undefined, add: Add) {
  const totalTokens = segments.reduce((sum, { tokens }) => sum + tokens, 0);
  const { sharedTokens, brokenAt } = prefixReuse(before, segments);
  if (totalTokens !== manifest.totalTokens || sharedTokens !== manifest.sharedTokens) {
    add(
      "count",
      t(
        "the manifest counts {0} of {1} tokens shared, its segments {2} of {3}",
        ...[manifest.sharedTokens, manifest.totalTokens, sharedTokens, totalTokens],
      ),
    );
  }
  if (manifest.cause && before) {
    const own = causeOf(before, { ...manifest, segments }, claimsOf(manifest), brokenAt);
    if (own !== manifest.cause) add("cause", wrongCause(manifest.cause, own));
  }
  if (brokenAt === undefined || manifest.cause) return;
  const segment = before?.segments[brokenAt];
  add(
    "prefix",
    segment
      ? t("the prefix of the request before breaks at segment {0} ({1}) without a cause", brokenAt + 1, segment.source)
      : t("the prefix of the request before breaks without a cause"),
  );
}

/** Of what only the sender knew, what its manifest says is believed. */
const claimsOf = ({ cause }: Manifest): SenderKnows => ({
  repaired: cause === "log-repaired",
  rewound: cause === "rewind",
  ...(cause === "context-error-retry" ? { cause } : {}),
});

const wrongCause = (cause: BreakCause, own: BreakCause | undefined): string =>
  own === undefined
    ? t('the manifest names the cause "{0}", and the segments do not say so', cause)
    : t('the manifest names the cause "{0}", but by the segments it is {1}', cause, `"${own}"`);

/** @param at index of the segment in the request */
export function segmentDefect(
  { number, manifest }: RequestEntry,
  at: number,
  { source, sha256 }: Segment,
  { found, text }: { found: string | null; text: string },
): Defect {
  const requestId = manifest ? { requestId: manifest.requestId } : {};
  return { kind: "segment", request: number, ...requestId, segment: at + 1, source, expected: sha256, found, text };
}
