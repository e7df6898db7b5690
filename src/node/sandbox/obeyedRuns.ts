/**
 * What commands in the sandbox made that an agent or a machine would obey. What lies in folders that are looked through is found
 * when a command is over, and put aside. Of the rest, deep below or made in the background, nobody knows whose it is: what was
 * changed while a command ran, and could have been by it, is not obeyed by this process.
 */
import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { RuleFile } from "../../core/ports";
import { holdsObeyed, obeyedBecause } from "../../shared/obeyedFiles";
import { isBelow } from "../../shared/paths";
import { realOrSame, withSlashes } from "../paths";
import { linkedPlace } from "./workspaceScan";

/** The beginning of a file's text, and how much of it is not read. */
export type ReadText = Pick<RuleFile, "text" | "cutBytes">;

interface ObeyedRun {
  /** ms since the epoch */
  began: number;
  /** absent: it runs */
  ended?: number;
  /** Places on disk of what no command could change meanwhile: another file may have been put at its path. */
  held: ReadonlySet<string>;
}

/** A file system's time lags behind the clock by a step of the kernel's, ms. */
const STEP = 50;

/** It lives as long as the process: the sandbox tells it of commands, whoever writes files for a person of these. */
export class ObeyedRuns {
  private readonly runs: ObeyedRun[] = [];
  /** the texts that persons saved, by their paths */
  private readonly saved = new Map<string, string>();

  /** @param roots of the workspace @param imported by rules files: obeyed whatever they are called */
  constructor(
    private readonly now: () => number,
    private readonly roots: () => readonly string[],
    private readonly imported: () => ReadonlySet<string> = () => new Set(),
  ) {}

  /** @param obeyed paths that are read-only in it @returns what to call once all of it is gone */
  begin(obeyed: readonly string[]): () => void {
    // By another name a command could change it all the same.
    const held = obeyed
      .filter(path => !linkedPlace(path))
      .flatMap(path => LOOKS.map(look => placeOf(seen(path, look))));
    const run: ObeyedRun = { began: this.now(), held: new Set(held) };
    this.runs.push(run);
    return () => {
      run.ended ??= this.now();
    };
  }

  /** A person saved this text, or agreed to it. What a command writes there afterwards, however soon, is not that text. */
  save(path: string, text: () => string): void {
    const parts = path.toLowerCase().split(/[\\/]/);
    const real = realOrSame(path);
    if (obeyedBecause(parts) !== undefined || this.imported().has(withSlashes(real))) this.saved.set(real, text());
  }

  /**
   * A command that ran since this process began may have made the file, changed it, or moved a folder with it to where it is.
   * @param read what was read there; absent: whatever it says
   */
  mayHaveMade(path: string, read?: ReadText): boolean {
    if (this.runs.length === 0 || (read && this.isSaved(path, read))) return false;
    const found = LOOKS.map(look => seen(path, look));
    const times = found.map(stats => stats?.ctimeMs ?? 0);
    const last = Math.max(...times);
    const around = foldersAround(path, this.roots()).map(changed);
    return this.runs.some(({ began, ended = Number.POSITIVE_INFINITY, held }) => {
      const isIn = (time: number) => time > began - STEP && time < ended + STEP;
      if (found.every(stats => held.has(placeOf(stats)))) return false;
      // Whoever saved it since had it before them.
      return times.some(isIn) || (last < ended && around.some(isIn));
    });
  }

  private isSaved(path: string, { text, cutBytes }: ReadText): boolean {
    const saved = this.saved.get(realOrSame(path));
    return saved !== undefined && (cutBytes > 0 ? saved.startsWith(text) : saved === text);
  }
}

/** Each with its place on disk. */
export const placesOf = (paths: readonly string[]): ReadonlyMap<string, string> =>
  new Map(paths.map(path => [placeOf(seen(path, lstatSync)), path]));

/**
 * Those that were not there before, under any name.
 * @param moment what was not changed since was only not seen before, unless a folder around it was moved
 */
export function obeyedSince(
  before: ReadonlyMap<string, string>,
  now: readonly string[],
  { moment, roots }: { moment: number; roots: readonly string[] },
): string[] {
  const isMoved = (path: string) => foldersAround(path, roots).some(folder => changed(folder) >= moment);
  return now.filter(path => {
    const was = before.get(placeOf(seen(path, lstatSync)));
    if (was !== undefined) return was !== path && isOfRoot(path, roots);
    return changed(path) >= moment || isMoved(path);
  });
}

/** What a command could change. @returns those that were changed since */
export function changesOf(paths: readonly string[]): () => string[] {
  const before = new Map(paths.map(path => [path, changed(path)]));
  return () => paths.filter(path => ![0, before.get(path)].includes(changed(path)));
}

/** Elsewhere nobody obeys it: workflows of an example become those of the project. */
const isOfRoot = (path: string, roots: readonly string[]) =>
  roots.includes(dirname(dirname(path))) && holdsObeyed(dirname(path).replace(/^.*\//, ""));

/** Below the roots: what is in these changes with everything. */
function foldersAround(path: string, roots: readonly string[]): string[] {
  const found: string[] = [];
  for (let folder = dirname(path); !roots.includes(folder) && dirname(folder) !== folder; folder = dirname(folder))
    found.push(folder);
  return found.length > 0 && roots.some(root => isBelow(root, path)) ? found : [];
}

const LOOKS = [lstatSync, statSync] as const;

/** undefined: gone, or a link that leads nowhere */
function seen(path: string, look: (typeof LOOKS)[number]): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

const changed = (path: string) => seen(path, lstatSync)?.ctimeMs ?? 0;

const placeOf = (stats: Stats | undefined) => (stats ? `${stats.dev} ${stats.ino}` : "");
