/**
 * Up to where a provider is to cache that wants to be told (docs/context.md). It keeps a beginning only where a mark stood at its end, so
 * a request marks the newest place that an earlier one marked over the same bytes: that part is read from the cache.
 * Manifests tell which these are, so that a session that is opened again decides as the one that ran on. Pure.
 */
import type { CacheMark, Manifest, Segment } from "../../shared/manifest";
import type { Hash } from "../ground/ports";

export interface MarkedRequest extends Pick<Manifest, "model" | "runId" | "turn" | "step" | "purpose"> {
  cacheMarks: readonly CacheMark[];
}

const MARKS = 4;

/** Requests whose marks are remembered: of older ones hardly anything is still cached. */
export const REMEMBERED = 200;

/** Those that are remembered once a request left. Of a step that is sent again the attempt before brought nothing. */
export function remembering(
  marked: readonly MarkedRequest[],
  { model, runId, turn, step, purpose, cacheMarks }: MarkedRequest,
): MarkedRequest[] {
  const request = { model, runId, turn, step, purpose, cacheMarks };
  const last = marked.at(-1);
  const keys = ["model", "runId", "turn", "step", "purpose"] as const;
  const isAgain = last !== undefined && keys.every(key => last[key] === request[key]);
  return [...(isAgain ? marked.slice(0, -1) : marked.slice(1 - REMEMBERED)), request];
}

type SegmentPlace = Pick<Segment, "layer" | "role" | "source" | "form" | "sha256">;

/** @param marked of earlier requests to the same model, oldest first */
export function chooseMarks(segments: readonly SegmentPlace[], marked: readonly MarkedRequest[], hash: Hash) {
  const tail = segments.findIndex(({ layer }) => layer === "tail");
  const end = tail < 0 ? segments.length : tail;
  const rules = rulesEnd(segments);
  const hashOf = prefixHashes(segments, hash);
  const history = segments.findLastIndex(({ layer, role }) => layer === "L3" && role !== "system") + 1;
  const places = [end, newestMarked(segments, end, marked, hashOf), rules, beforeFoldable(segments, end), history];
  const chosen = [...new Set(places)].filter((at): at is number => at !== undefined && at > 0).slice(0, MARKS);
  return chosen.sort((a, b) => a - b).map(at => ({ at, sha256: hashOf(at) }));
}

/** Where the rules end: they stay when the rest of the instructions changes. */
export const rulesEnd = (segments: readonly Pick<Segment, "role" | "layer">[]): number =>
  segments.findLastIndex(({ role, layer }) => isInstructions(role) && layer !== "L3") + 1;

const isInstructions = (role: Segment["role"]): boolean => role === "system" || role === "tools";

const HASH = 16;

/** Of the segments before a place. */
const prefixHashes = (segments: readonly Pick<Segment, "sha256">[], hash: Hash) => {
  const all = segments.map(({ sha256 }) => sha256);
  return (at: number): string => hash.sha256(all.slice(0, at).join("\n")).slice(0, HASH);
};

/** The newest place that a request marked whose bytes up to there are the same. */
function newestMarked(
  segments: readonly SegmentPlace[],
  end: number,
  marked: readonly MarkedRequest[],
  hashOf: (at: number) => string,
): number | undefined {
  const hashes = new Map<number, Set<string>>();
  for (const { at, sha256 } of marked.flatMap(({ cacheMarks }) => cacheMarks))
    hashes.set(at, (hashes.get(at) ?? new Set()).add(sha256));
  const places = [...hashes.keys()].sort((a, b) => b - a);
  return places.find(at => at <= end && isEnd(segments, at) && hashes.get(at)?.has(hashOf(at)) === true);
}

function isEnd(segments: readonly SegmentPlace[], at: number): boolean {
  const [before, next] = [segments[at - 1], segments[at]];
  if (!before || before.layer === "tail") return false;
  if (isInstructions(before.role)) return at === rulesEnd(segments);
  return !(before.role === "tool" && next?.role === "tool");
}

/** Before the first step that the next fold may change: results are folded from the oldest on. */
function beforeFoldable(segments: readonly SegmentPlace[], end: number): number | undefined {
  let folded: number | undefined;
  let first: number | undefined;
  for (let at = 0; at < end; at++) {
    if (segments[at]?.role !== "tool") continue;
    const step = at - 1;
    const results = at;
    while (segments[at + 1]?.role === "tool") at++;
    const run = segments.slice(results, at + 1);
    if (run.every(({ form }) => form === "folded")) [folded, first] = [at + 1, undefined];
    else if (run.some(({ form }) => form === "folded")) [folded, first] = [step, step];
    else first ??= step;
  }
  return first ?? folded;
}
