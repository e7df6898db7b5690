/**
 * What commands in the sandbox made that an agent or a machine would obey. What lies in folders that are looked through is found
 * when a command is over, and put aside. Of the rest, deep below or made in the background, nobody knows whose it is: what was
 * changed while a command ran, and could have been by it, is not obeyed by this process.
 */
import { lstatSync, statSync } from "node:fs";

interface Run {
  /** ms since the epoch */
  began: number;
  /** absent: it runs */
  ended?: number;
  /** what no command could change meanwhile */
  held: ReadonlySet<string>;
}

/** A file system's time lags behind the clock by a step of the kernel's, ms. */
const STEP = 50;

export class ObeyedRuns {
  private readonly runs: Run[] = [];

  constructor(private readonly now: () => number) {}

  /** @param obeyed paths that are read-only in it @returns what to call once all of it is gone */
  begin(obeyed: readonly string[]): () => void {
    const run: Run = { began: this.now(), held: new Set(obeyed) };
    this.runs.push(run);
    return () => {
      run.ended ??= this.now();
    };
  }

  /** A command that ran since this process began may have made the file, or changed it. */
  mayHaveMade(path: string): boolean {
    if (this.runs.length === 0) return false;
    const times = [lstatSync, statSync].map(look => look(path, { throwIfNoEntry: false })?.ctimeMs ?? 0);
    return this.runs.some(
      ({ began, ended = Number.POSITIVE_INFINITY, held }) =>
        !held.has(path) && times.some(time => time > began - STEP && time < ended + STEP),
    );
  }
}

/** Each with its place on disk. */
export const placesOf = (paths: readonly string[]): ReadonlySet<string> => new Set(paths.map(placeOf));

/** Those that were not there before, under any name. @param moment what was not changed since was only not seen before */
export const obeyedSince = (before: ReadonlySet<string>, now: readonly string[], moment: number): string[] =>
  now.filter(path => !before.has(placeOf(path)) && changed(path) >= moment);

const changed = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;

function placeOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev} ${stats.ino}` : "";
}
