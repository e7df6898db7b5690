/**
 * What commands in the sandbox made that an agent or a machine would obey. What lies in folders that are looked through is found
 * when a command is over, and put aside. Of the rest, deep below or made in the background, nobody knows whose it is: what was
 * changed while a command ran, and could have been by it, is not obeyed by this process.
 */
import { lstatSync, statSync } from "node:fs";
import { obeyedBecause } from "../../shared/obeyedFiles";
import { realOrSame } from "../paths";

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

/** It lives as long as the process: the sandbox tells it of commands, whoever writes files for a person of these. */
export class ObeyedRuns {
  private readonly runs: Run[] = [];
  /** what was saved, by its path: when it was changed then, ms */
  private readonly saved = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** @param obeyed paths that are read-only in it @returns what to call once all of it is gone */
  begin(obeyed: readonly string[]): () => void {
    const run: Run = { began: this.now(), held: new Set(obeyed) };
    this.runs.push(run);
    return () => {
      run.ended ??= this.now();
    };
  }

  /** A person saved it, or agreed to what was written. Since a command may have changed it again it is known by its time. */
  save(path: string): void {
    const parts = path.toLowerCase().split(/[\\/]/);
    if (obeyedBecause(parts) !== undefined) this.saved.set(realOrSame(path), changedAt(path));
  }

  /** A command that ran since this process began may have made the file, or changed it. */
  mayHaveMade(path: string): boolean {
    if (this.runs.length === 0) return false;
    const real = realOrSame(path);
    if (this.saved.get(real) === changedAt(path)) return false;
    const times = [lstatSync, statSync].map(look => look(path, { throwIfNoEntry: false })?.ctimeMs ?? 0);
    return this.runs.some(
      ({ began, ended = Number.POSITIVE_INFINITY, held }) =>
        !(held.has(path) || held.has(real)) && times.some(time => time > began - STEP && time < ended + STEP),
    );
  }
}

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;

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
