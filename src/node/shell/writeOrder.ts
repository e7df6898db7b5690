/**
 * In which order two pipes were written to. Two pipes alone do not say: what a command prints within one look at them comes as all of
 * the one and then all of the other. Linux tells of each write to a file with a name, in their order; several to the same one
 * in a row are one.
 */
import { type FSWatcher, watch } from "node:fs";

/** stdout, stderr */
type StreamIndex = 0 | 1;
export type OutputPiece = readonly [at: StreamIndex, chunk: Uint8Array];

export class WriteOrder {
  private runs: StreamIndex[] = [];

  private constructor(private readonly watchers: readonly FSWatcher[]) {}

  /** @param readers their reading ends. undefined: the system does not tell */
  static of(readers: readonly [number, number]): WriteOrder | undefined {
    if (process.platform !== "linux") return undefined;
    const watchers: FSWatcher[] = [];
    try {
      // By the descriptor: the names are gone.
      for (const fd of readers) watchers.push(watch(`/proc/self/fd/${fd}`, { persistent: false }));
      const order = new WriteOrder(watchers);
      for (const at of [0, 1] as const) {
        watchers[at]?.on("change", kind => kind === "change" && order.runs.at(-1) !== at && order.runs.push(at));
        watchers[at]?.on("error", () => undefined);
      }
      return order;
    } catch {
      // no more watches for this user, or a system that has none
      for (const watcher of watchers) watcher.close();
      return undefined;
    }
  }

  /**
   * What came since the last time, line by line where both were written to. @param isLast nothing is kept back for what is known to
   * be written and has not come
   */
  sort(came: readonly OutputPiece[], isLast: boolean): PieceOrder {
    const { runs } = this;
    this.runs = [];
    if (new Set(runs).size < 2 || new Set(came.map(([at]) => at)).size < 2) return { pieces: came, rest: [] };
    const { pieces, rest, waiting } = inRuns([joined(came, 0), joined(came, 1)], runs, isLast);
    this.runs = [...waiting, ...this.runs];
    return { pieces, rest };
  }

  close(): void {
    for (const watcher of this.watchers) watcher.close();
  }
}

interface PieceOrder {
  pieces: readonly OutputPiece[];
  rest: readonly OutputPiece[];
}

const joined = (came: readonly OutputPiece[], at: StreamIndex) =>
  Buffer.concat(came.flatMap(([from, chunk]) => (from === at ? [chunk] : [])));

/** How much a run wrote is not told: mostly a line, or each time as many. What is more comes with the last one. */
export function inRuns(
  chunks: readonly [Uint8Array, Uint8Array],
  runs: readonly StreamIndex[],
  isLast = true,
): PieceOrder & { waiting: readonly StreamIndex[] } {
  const counts = [0, 1].map(at => runs.filter(run => run === at).length);
  const parts = [shares(chunks[0], counts[0] ?? 0), shares(chunks[1], counts[1] ?? 0)] as const;
  const pieces: OutputPiece[] = [];
  for (const [index, at] of runs.entries()) {
    const part = parts[at].shift();
    if (part && part.length > 0) pieces.push([at, part]);
    // Of this one there is more to read, and all that follows comes behind it.
    else if (!isLast) {
      const rest = ([0, 1] as const).flatMap(other => parts[other].map((left): OutputPiece => [other, left]));
      return { pieces, rest: rest.filter(([, left]) => left.length > 0), waiting: runs.slice(index) };
    }
  }
  return { pieces, rest: [], waiting: [] };
}

/** The chunk in so many parts of whole lines. */
function shares(chunk: Uint8Array, runs: number): Uint8Array[] {
  const ends: number[] = [];
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) ends.push(at + 1);
  if (ends.at(-1) !== chunk.length) ends.push(chunk.length);
  const each = Math.max(1, Math.floor(ends.length / runs));
  const parts: Uint8Array[] = [];
  for (let run = 0; run < runs; run++) {
    const from = run === 0 ? 0 : (ends[run * each - 1] ?? chunk.length);
    const to = run === runs - 1 ? chunk.length : (ends[(run + 1) * each - 1] ?? chunk.length);
    parts.push(chunk.subarray(from, to));
  }
  return parts;
}
