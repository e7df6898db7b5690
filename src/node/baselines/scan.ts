/**
 * A scan of the workspace: of a repository what Git does not call clean, of other folders every file that is not ignored.
 * Listed files are copied, since no other copy exists; a file that an earlier scan copied and that was not touched since is not
 * read again.
 */

import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { mapBounded } from "../../shared/async";
import type { FileState } from "../../shared/fileStates";
import { type IgnoreLevel, isIgnored } from "../../shared/ignore";
import { locale, plural, t } from "../../shared/l10n";
import { isWithin } from "../../shared/paths";
import { makePrivateFolder } from "../disk";
import { isDiskFull } from "../errno";
import { readIgnoreLevels, readLevel } from "../ignoreFiles";
import { withSlashes } from "../paths";
import { isProcessAlive } from "../processes";
import type { GitRepository, IndexCopy, IndexedFile } from "./git";
import { lookAt, signature, statsOf, throughLink } from "./look";

const AT_ONCE = 32;
/** files that are looked at before others have their turn: a millisecond or two */
const LOOKS_IN_A_ROW = 256;
/** files of folders without Git: more are not looked at */
const MAX_WALKED = 200_000;
/** folders that tools fill, never a person's work */
const NEVER_WALKED = new Set([".git", "node_modules"]);

interface ScannedFile {
  signature: string;
  state: FileState;
  /** there was no room for its copy */
  uncopied?: true;
  indexed?: IndexedFile | undefined;
}

/** A folder that is scanned by itself: a repository, or a folder outside of any. */
export interface ScanPlace {
  /** absolute, '/' separators */
  folder: string;
  repository?: GitRepository | undefined;
}

export interface PlaceScan {
  place: ScanPlace;
  /** what it was told against; absent: no repository */
  index?: IndexCopy | undefined;
  /** by absolute path */
  files: Map<string, ScannedFile>;
  /** folders below it that are repositories of their own */
  nested: string[];
  /** of a repository: its branch, commit and stashes */
  head?: string;
  gaps: string[];
}

/** Where contents go, while there is room and time. */
interface Copies {
  /** false: what was not read by now is not read any more */
  inTime(): boolean;
  hasRoom(bytes: number): boolean;
  /** false: the disk has no room for it */
  take(sha256: string, bytes: Buffer): Promise<boolean>;
  /** one did not fit */
  diskFull: boolean;
}

interface ListEntry {
  path: string;
  indexed?: IndexedFile | undefined;
}

/** @param known of an earlier scan: what has the same signature is not read again. Rejects where Git fails. */
export async function scanPlace(
  place: ScanPlace,
  index: IndexCopy | undefined,
  known: ReadonlyMap<string, ScannedFile>,
  copies: Copies,
): Promise<PlaceScan> {
  const scan: PlaceScan = { place, index, files: new Map(), nested: [], gaps: [] };
  const listed = await list(scan);
  const [late, isThrough] = [{ count: 0 }, throughLink()];
  let looks = 0;
  const found = await mapBounded(listed, AT_ONCE, async ({ path, indexed }) => {
    looks += 1;
    if (looks % LOOKS_IN_A_ROW === 0) await setImmediate();
    const stats = isThrough(path) ? undefined : statsOf(path);
    const sign = stats ? signature(stats) : "";
    const before = known.get(path);
    const isMissed = before?.uncopied && copies.hasRoom(Number(stats?.size ?? 0n));
    if (before?.signature === sign && before.state?.type !== "unkept" && !isMissed) {
      if (before.uncopied) late.count += 1;
      return { ...before, indexed };
    }
    if (stats?.isFile() && !copies.inTime()) {
      late.count += 1;
      return { signature: sign, state: { type: "unkept" as const, why: t("it was not copied in time") }, indexed };
    }
    const { state, bytes } = await lookAt(path, stats);
    // Its state is known without a copy, so a change can be told.
    const isCopied =
      !bytes || state?.type !== "file" || (copies.hasRoom(bytes.length) && (await copies.take(state.sha256, bytes)));
    if (!isCopied) late.count += 1;
    return { signature: sign, state, indexed, ...(!isCopied && { uncopied: true as const }) };
  });
  for (const [at, file] of found.entries()) scan.files.set(listed[at]?.path ?? "", file);
  if (late.count > 0) {
    const why = copies.diskFull ? t("the disk was full") : t("there was not enough time or storage");
    scan.gaps.push(
      plural(
        late.count,
        "1 file in {1} was not copied: {2}.",
        "{0} files in {1} were not copied: {2}.",
        place.folder,
        why,
      ),
    );
  }
  return scan;
}

/** What `git init` and `git clone` make is no file of the repository around it; and only files are put back. */
export function repositoryGaps(before: readonly PlaceScan[], now: readonly PlaceScan[]): string[] {
  const made = now.flatMap(({ nested }, at) => nested.filter(path => !before[at]?.nested.includes(path)));
  const moved = now.filter(({ head }, at) => head !== undefined && head !== before[at]?.head);
  return [
    ...made.map(path => t("A command made {0} a repository of its own: what it put there stays.", path)),
    ...moved.map(({ place }) =>
      t("A command changed commits, branches or stashes of {0}: those stay, only files go back.", place.folder),
    ),
  ];
}

async function list(scan: PlaceScan): Promise<ListEntry[]> {
  const { place, index } = scan;
  if (!place.repository || !index) return walk(place.folder, scan);
  const [status, submodules] = await Promise.all([place.repository.status(index), place.repository.submodules()]);
  scan.nested.push(...status.nested, ...submodules.filter(path => isWithin(place.folder, path)));
  scan.head = status.head;
  return status.entries;
}

async function walk(top: string, scan: PlaceScan): Promise<ListEntry[]> {
  const found: ListEntry[] = [];
  let folders: { path: string; levels: readonly IgnoreLevel[] }[] = [
    { path: top, levels: await readIgnoreLevels(top) },
  ];
  while (folders.length > 0) {
    const below = await mapBounded(folders, AT_ONCE, async ({ path, levels }) => {
      const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
      const next: string[] = [];
      for (const entry of entries) {
        const at = `${withSlashes(path).replace(/\/$/, "")}/${entry.name}`;
        if (NEVER_WALKED.has(entry.name) || isIgnored(levels, at, entry.isDirectory())) continue;
        if (entry.isDirectory()) next.push(at);
        else if (entry.isFile() || entry.isSymbolicLink()) found.push({ path: at });
      }
      return Promise.all(next.map(async at => ({ path: at, levels: [await readLevel(join(at)), ...levels] })));
    });
    folders = found.length > MAX_WALKED ? [] : below.flat();
  }
  if (found.length > MAX_WALKED) {
    const most = MAX_WALKED.toLocaleString(locale());
    scan.gaps.push(t("{0} has more than {1} files and no Git repository: not all were looked at.", top, most));
  }
  return found;
}

/** bytes of all copies */
const MAX_COPIES = 256 * 1024 * 1024;

export class CopyFolder {
  private readonly path: string;
  /** by sha256; `done` false: it could not be written, and is not there */
  private readonly copied = new Map<string, { bytes: number; done: Promise<boolean> }>();
  private ready: Promise<void> | undefined;
  private indexes = 0;

  /** @param scratch the folder that it is made in, once it is needed */
  constructor(private readonly scratch: string) {
    this.path = join(scratch, `baseline-${process.pid}-${randomUUID()}`);
  }

  prepare(): Promise<void> {
    this.ready ??= removeLeftovers(this.scratch)
      .then(() => makePrivateFolder(this.path))
      .catch(error => {
        // A full disk may have room again.
        this.ready = undefined;
        throw error;
      });
    return this.ready;
  }

  /** For another copy of an index. */
  newIndexPath(): string {
    this.indexes += 1;
    return join(this.path, `index-${this.indexes}`);
  }

  /** What a scan copies into. @param inTime false: nothing more is copied */
  takeWhile(inTime: () => boolean): Copies {
    const taken = [...this.copied.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    let left = MAX_COPIES - taken;
    const copies: Copies = {
      diskFull: false,
      inTime,
      hasRoom: bytes => bytes <= left,
      take: async (sha256, bytes) => {
        const known = this.copied.get(sha256);
        if (known) return known.done;
        left -= bytes.length;
        const done = this.write(sha256, bytes);
        this.copied.set(sha256, { bytes: bytes.length, done });
        try {
          if (await done) return true;
        } catch (error) {
          this.copied.delete(sha256);
          throw error;
        }
        // The rest would not fit either, and other programs need the space that is left.
        left = 0;
        copies.diskFull = true;
        this.copied.delete(sha256);
        return false;
      },
    };
    return copies;
  }

  /** false: there is no room on the disk. Rejects where it fails otherwise. */
  private async write(sha256: string, bytes: Buffer): Promise<boolean> {
    const path = join(this.path, sha256);
    try {
      await writeFile(path, bytes, { mode: 0o600 });
      return true;
    } catch (error) {
      await rm(path, { force: true });
      if (isDiskFull(error)) return false;
      throw error;
    }
  }

  /** undefined: it is gone */
  read(sha256: string): Promise<Buffer | undefined> {
    return readFile(join(this.path, sha256)).catch((): undefined => undefined);
  }

  /** Removes what these scans do not need. */
  async keepOnly(scans: readonly PlaceScan[]): Promise<void> {
    const needed = new Set<string>();
    for (const { files, index } of scans) {
      if (index) needed.add(index.path);
      for (const { state } of files.values()) if (state?.type === "file") needed.add(join(this.path, state.sha256));
    }
    for (const name of await readdir(this.path)) {
      const path = join(this.path, name);
      if (needed.has(path)) continue;
      this.copied.delete(name);
      await rm(path, { force: true });
    }
  }

  /** Never rejects: what stays takes room and no more. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** What processes left that were killed. Never rejects: what stays takes room and no more. */
async function removeLeftovers(scratch: string): Promise<void> {
  for (const name of await readdir(scratch).catch(() => [])) {
    const pid = Number(/^baseline-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isProcessAlive(pid))
      await rm(join(scratch, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
