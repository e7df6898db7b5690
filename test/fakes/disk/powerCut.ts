/** The states in which a power cut can leave a disk. */
import { type Contents, contentsAfter, type Effect, type Entry, type NodeId } from "./effects";

export interface PowerCut {
  contents: Contents;
  /** what of the unsynced came through, in words, for a test that fails */
  words: string;
}

/** One way in which an effect may have come through; undefined: not at all. */
type Choice = Effect | undefined;

/**
 * After the first `done` entries: what was synced is there, of the rest every combination of missing, partial and whole; where
 * there are more than `limit`, all, none, each alone, each missing, and a sample that is the same each time.
 */
export function* powerCuts(
  entries: readonly Entry[],
  done: number,
  isFolder: (node: NodeId) => boolean,
  limit: number,
): Generator<PowerCut> {
  const past = entries.slice(0, done);
  const open = unsynced(past);
  const choices = [...open].map(choicesOf);
  for (const picks of combinations(
    choices.map(list => list.length),
    limit,
  )) {
    const picked = new Map([...open].map((effect, index) => [effect, choices[index]?.[picks[index] ?? 0]]));
    const came = (effect: Effect): Choice => (picked.has(effect) ? picked.get(effect) : effect);
    const effects = past.flatMap(entry => {
      if (entry.type === "sync") return [];
      // A file that moves to another folder may be found under both names, but not under none.
      if (entry.type === "names" && picked.has(entry) && entry.needs && !came(entry.needs)) return [];
      return came(entry) ?? [];
    });
    const words = [...open].map((effect, index) => `${wordsOf(effect)} ${picks[index]}`).join(", ");
    yield { contents: contentsAfter(effects, isFolder), words };
  }
}

/** Effects with no sync of their file or folder after them. */
function unsynced(past: readonly Entry[]): Set<Effect> {
  const synced = new Map<NodeId, number>();
  for (const [at, entry] of past.entries()) if (entry.type === "sync") synced.set(entry.node, at);
  return new Set(
    past.flatMap((entry, at) => (entry.type !== "sync" && at > (synced.get(entry.node) ?? -1) ? [entry] : [])),
  );
}

function wordsOf(effect: Effect): string {
  return effect.type === "names" ? `names ${effect.names.map(([name]) => name).join(" ")}` : effect.type;
}

function choicesOf(effect: Effect): Choice[] {
  if (effect.type !== "write" || effect.data.length === 0) return [undefined, effect];
  const half = effect.data.subarray(0, Math.floor(effect.data.length / 2));
  // file systems that write a length before the bytes show zeros
  return [undefined, { ...effect, data: half }, { ...effect, data: Buffer.alloc(effect.data.length) }, effect];
}

function* combinations(sizes: readonly number[], limit: number): Generator<number[]> {
  const total = sizes.reduce((product, size) => product * size, 1);
  if (total <= limit) {
    for (let number = 0; number < total; number++) yield digits(number, sizes);
    return;
  }
  const whole = sizes.map(size => size - 1);
  yield whole;
  yield sizes.map(() => 0);
  for (const [index, last] of whole.entries()) {
    yield whole.with(index, 0);
    yield sizes.map((_, at) => (at === index ? last : 0));
  }
  // a fixed stride without a common factor with the number of combinations' usual factors, 2 and 3
  const stride = 7919;
  for (let count = 2 + 2 * sizes.length, number = stride; count < limit; count++, number += stride) {
    yield digits(number % total, sizes);
  }
}

function digits(number: number, sizes: readonly number[]): number[] {
  let rest = number;
  return sizes.map(size => {
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return digit;
  });
}
