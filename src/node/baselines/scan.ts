/**
 * A scan of the workspace, in this process: each folder that counts and each file in it is looked at by `lstat`, and the names of
 * a folder are read again only where its own times changed. Files of Git's index count, and those that are not ignored. A file as the
 * index has it is in Git's objects; all others are copied, since no other copy exists. One that an earlier scan knows and
 * that was not touched since is not read again.
 */
import { isUtf8 } from "node:buffer";
import { type BigIntStats, type Dirent, existsSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { mapBounded } from "../../shared/async";
import type { FileState } from "../../shared/fileStates";
import { type IgnoreLevel, ignoreLevel, isIgnored } from "../../shared/ignore";
import { countText, plural, t } from "../../shared/l10n";
import { folderOf, isWithin } from "../../shared/paths";
import { blobName } from "../askGit";
import { unlessHidden } from "../errno";
import { textOf } from "../sandbox/quietRead";
import type { CopyFolder } from "./copies";
import { lookAt, modeOf, signature, spelling, statsIfAllowed } from "./diskStates";
import type { GitIndex, GitRepository, IndexedFile, IndexedFolder } from "./git";

const AT_ONCE = 32;
/** files and folders that are looked at before others have their turn: a millisecond or two */
const LOOKS_IN_A_ROW = 256;
/** files that Git does not have: more are not looked at */
const MAX_WALKED = 200_000;
/** folders that tools fill, never a person's work */
const NEVER_WALKED = new Set([".git", "node_modules"]);
/** ms in which a file may change without its times changing; where they count in seconds */
const CLOCK_STEP = 20;
const COARSE_STEP = 2_000;

interface ScannedFile {
  /** "": the file is missing */
  signature: string;
  /** absent: as the index has it */
  state?: FileState;
  /** of one as the index has it, and its permissions */
  clean?: IndexedFile;
  mode?: number;
  /** there was no room for its copy */
  uncopied?: true;
  /** Its times do not tell whether it changed after the look. */
  isYoung?: true;
}

type FilesByName = ReadonlyMap<string, ScannedFile>;
const NO_FILES: FilesByName = new Map();
const GONE: ScannedFile = { signature: "", state: null };
const hidden = (): ScannedFile => ({ signature: "hidden", state: { type: "unkept", why: t("it cannot be read") } });

interface FolderScan {
  /** its own and its ignore file's */
  signature: string;
  isYoung: boolean;
  ino?: bigint;
  /** ms since the epoch: when it, or one around it, changed last that an earlier scan did not see there; 0: it saw all of them */
  placed?: number;
  /** such as are no text: what has them is left out */
  hasOddNames?: boolean;
  /** what folders above ignore, the nearest first; and with what this one does */
  above: readonly IgnoreLevel[];
  levels: readonly IgnoreLevel[];
  /** files that are not ignored */
  names: readonly string[];
  /** paths of folders that are not ignored */
  folders: readonly string[];
  /** it is a repository of its own */
  isNested: boolean;
  files: FilesByName;
}

/** A folder that is scanned by itself: a repository, or a folder outside of any. */
export interface ScanPlace {
  /** absolute, '/' separators */
  folder: string;
  repository?: GitRepository | undefined;
}

export interface PlaceScan {
  place: ScanPlace;
  index?: GitIndex | undefined;
  folders: ReadonlyMap<string, FolderScan>;
  /** ignored in the whole place */
  above: SignedLevels;
  /** folders below it that are repositories of their own */
  nested: string[];
  /** of a repository: its branch, commit and stashes */
  head?: string;
  gaps: string[];
  /** sentences that say where nobody looked */
  unseen: ReadonlySet<string>;
}

/** A file that has to be read: its state goes into `files`. */
interface UnreadFile {
  files: Map<string, ScannedFile>;
  name: string;
  path: string;
  stats: BigIntStats;
  known: ScannedFile | undefined;
  indexed: IndexedFile | undefined;
}

interface ScanMeans {
  copies: CopyFolder;
  now(): number;
  mostWalked?: number | undefined;
  /** false: what was not read by now is not read any more */
  inTime(): boolean;
}

/** @param before an earlier scan of the place: what did not change is taken from there */
export async function scanPlace(
  place: ScanPlace,
  index: GitIndex | undefined,
  before: PlaceScan | undefined,
  means: ScanMeans,
): Promise<PlaceScan> {
  const { copies } = means;
  copies.makeRoom();
  const walk = new Walk(place, index, before, means.now, means.mostWalked);
  await walk.run();
  const late = await readAll(walk.unread, means);
  const { folders, above } = walk;
  const why = copies.diskFull ? t("the disk was full") : t("there was not enough time or storage");
  const gap = () =>
    plural(late, "1 file in {1} was not copied: {2}.", "{0} files in {1} were not copied: {2}.", place.folder, why);
  const gaps = late > 0 ? [gap()] : [];
  const submodules = index?.submodules.filter(path => existsSync(`${path}/.git`)) ?? [];
  const head = place.repository?.head();
  const nested = [...new Set([...walk.nested, ...submodules])];
  return { place, index, folders, above, nested, ...(head !== undefined && { head }), gaps, unseen: walk.unseen };
}

class Walk {
  readonly folders = new Map<string, FolderScan>();
  readonly nested: string[] = [];
  readonly unseen = new Set<string>();
  readonly unread: UnreadFile[] = [];
  readonly above: SignedLevels;
  private walked = 0;
  private looks = 0;

  constructor(
    private readonly place: ScanPlace,
    private readonly index: GitIndex | undefined,
    private readonly before: PlaceScan | undefined,
    private readonly now: () => number,
    private readonly mostWalked = MAX_WALKED,
  ) {
    this.above = levelsAbove(place, before?.above);
  }

  async run(): Promise<void> {
    const { folder: top } = this.place;
    const waiting = [{ path: top, levels: this.above.levels, isIgnored: false, above: 0 }];
    for (const { path, levels, isIgnored, above } of waiting) {
      await this.pause();
      const indexed = this.index?.folders.get(path);
      const isFull = this.walked > this.mostWalked;
      if (isFull && !indexed) continue;
      const stats = statsIfAllowed(path);
      if (stats === "hidden" || !stats?.isDirectory()) continue;
      const isOwn = path === top || indexed !== undefined;
      const folder = isIgnored || isFull ? ignoredFolder(levels) : this.namesIn({ path, stats }, levels, isOwn);
      const files = folder.isNested ? NO_FILES : await this.filesIn(path, folder.names, indexed);
      const { ino, ctimeMs } = stats;
      const placed = ino === this.before?.folders.get(path)?.ino ? above : Math.max(above, Number(ctimeMs));
      this.folders.set(path, { ...folder, files, ino, placed });
      if (folder.isNested) this.nested.push(path);
      const listed = new Set(folder.folders);
      const inIndex = [...(indexed?.folders ?? [])].filter(next => !listed.has(next));
      for (const next of [...listed, ...inIndex])
        waiting.push({ path: next, levels: folder.levels, isIgnored: !listed.has(next), above: placed });
      this.walked += Math.max(0, folder.names.length - (indexed?.files.size ?? 0));
      if (folder.hasOddNames)
        this.unseen.add(t("{0} has files whose names are no text: they were not looked at.", top));
      if (isFull || this.walked <= this.mostWalked) continue;
      const most = countText(this.mostWalked);
      this.unseen.add(t("{0} has more than {1} files that Git does not know: not all were looked at.", top, most));
    }
  }

  private async pause(): Promise<void> {
    this.looks += 1;
    if (this.looks % LOOKS_IN_A_ROW === 0) await setImmediate();
  }

  /** @param isOwn it is the place itself, or the index has files in it: then it is no other repository */
  private namesIn(
    { path, stats }: { path: string; stats: BigIntStats },
    above: readonly IgnoreLevel[],
    isOwn: boolean,
  ): FolderScan {
    const known = this.before?.folders.get(path);
    // Before names are read: a write meanwhile is seen the next time.
    const sign = `${signature(stats)} ${signatureOf(`${path}/.gitignore`)}`;
    const isSame = known?.signature === sign && !known.isYoung && known.above === above;
    if (isSame && !(known.isNested && isOwn)) return known;
    const isYoung = isYoungAt(stats, this.now());
    const entries = entriesIn(path);
    const isNested = !isOwn && entries.some(({ name }) => name === ".git");
    if (isNested) return { ...ignoredFolder(above), signature: sign, isYoung, isNested };
    const levels = entries.some(({ name }) => name === ".gitignore") ? [levelOf(path), ...above] : above;
    const seen = entries.filter(
      entry => !NEVER_WALKED.has(entry.name) && !isIgnored(levels, `${path}/${entry.name}`, entry.isDirectory()),
    );
    const isOdd = seen.some(({ name }) => name.includes("\ufffd"));
    const odd = isOdd
      ? unlessHidden(() => readdirSync(path, "buffer").filter(name => !isUtf8(name)), []).map(String)
      : [];
    const named = isOdd ? seen.filter(({ name }) => !odd.includes(name)) : seen;
    const names = named.filter(entry => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name);
    const folders = named.filter(entry => entry.isDirectory()).map(({ name }) => `${path}/${name}`);
    const hasOddNames = named.length < seen.length;
    return { signature: sign, isYoung, hasOddNames, above, levels, names, folders, isNested, files: NO_FILES };
  }

  private async filesIn(folder: string, listed: readonly string[], indexed?: IndexedFolder): Promise<FilesByName> {
    const known = this.before?.folders.get(folder)?.files ?? NO_FILES;
    const files = new Map<string, ScannedFile>();
    let isSame = true;
    for (const name of indexed ? namesWith(indexed, listed) : listed) {
      await this.pause();
      const path = `${folder}/${name}`;
      const stats = statsIfAllowed(path);
      const was = known.get(name);
      const file = stats === "hidden" ? hidden() : this.withoutReading(stats, was, indexed?.files.get(name));
      isSame &&= file !== undefined && file === was;
      if (file) files.set(name, file);
      else if (stats && stats !== "hidden")
        this.unread.push({ files, name, path, stats, known: was, indexed: indexed?.files.get(name) });
    }
    return isSame && files.size === known.size ? known : files;
  }

  /** undefined: it has to be read */
  private withoutReading(stats: BigIntStats | undefined, known?: ScannedFile, indexed?: IndexedFile) {
    if (!stats) return GONE;
    const sign = signature(stats);
    const isNewlyIndexed = this.index !== this.before?.index;
    const isSame = known?.signature === sign && !known.isYoung && !known.uncopied && known.state?.type !== "unkept";
    if (isSame && known.clean && known.clean.oid === indexed?.oid) return known;
    if (isSame && !known.clean && !isNewlyIndexed) return known;
    if (indexed && !indexed.isConverted && this.index && isAsIndexed(stats, indexed, this.index.written))
      return { signature: sign, clean: indexed, mode: modeOf(stats) };
    return isSame && !known.clean ? known : undefined;
  }
}

/** Of an ignored folder only files of the index count. */
const ignoredFolder = (above: readonly IgnoreLevel[]): FolderScan => ({
  ...{ signature: "", isYoung: false, above, levels: above },
  ...{ names: [], folders: [], isNested: false, files: NO_FILES },
});

/** On a disk that does not tell case, the index may spell a name otherwise than its folder. */
function namesWith({ files }: IndexedFolder, listed: readonly string[]): Iterable<string> {
  const names = new Set(listed);
  const missing = [...files.keys()].filter(name => !names.has(name));
  if (missing.length === 0) return names;
  const spelled = new Set(FOLDS_CASE ? missing.map(spelling) : []);
  if (spelled.size > 0)
    for (const name of listed) if (!files.has(name) && spelled.has(spelling(name))) names.delete(name);
  for (const name of missing) names.add(name);
  return names;
}

const entriesIn = (folder: string): Dirent[] => unlessHidden(() => readdirSync(folder, { withFileTypes: true }), []);

const isYoungAt = ({ ctimeMs, ctimeNs }: BigIntStats, now: number): boolean =>
  Number(ctimeMs) > now - (ctimeNs % 1_000_000_000n === 0n ? COARSE_STEP : CLOCK_STEP);

/** As Git itself tells it, where a file cannot have changed after the index was written without another time. */
function isAsIndexed(stats: BigIntStats, file: IndexedFile, written: number): boolean {
  const isKind = file.isLink ? stats.isSymbolicLink() : stats.isFile();
  const isSize = Number(stats.size & CUT) === file.size && (file.size > 0 || EMPTY.has(file.oid));
  // Git on Windows takes other numbers for these.
  const isPlace = IS_WINDOWS || (isNear(stats.ctimeNs, file.ctime) && Number(stats.ino & CUT) === file.ino);
  return isKind && isSize && isPlace && isNear(stats.mtimeNs, file.mtime) && file.mtime + ROUNDED < written;
}

const IS_WINDOWS = process.platform === "win32";
const FOLDS_CASE = IS_WINDOWS || process.platform === "darwin";
const CUT = 0xffffffffn;
/** ns by which a time that is a plain number may be off */
const ROUNDED = 1_000;
const isNear = (time: bigint, other: number) => Math.abs(Number(time) - other) < ROUNDED;

const EMPTY = new Set([40, 64].map(length => blobName(Buffer.alloc(0), "0".repeat(length))));

/** @returns how many were not copied */
async function readAll(unread: readonly UnreadFile[], { copies, now, inTime }: ScanMeans): Promise<number> {
  let late = 0;
  await mapBounded(unread, AT_ONCE, async ({ files, name, path, stats, known, indexed }) => {
    const sign = signature(stats);
    const isKnown = known?.uncopied && known.signature === sign && !known.isYoung;
    if (isKnown && !copies.hasRoom(Number(stats.size))) {
      late += 1;
      files.set(name, known);
      return;
    }
    if (stats.isFile() && !inTime()) {
      late += 1;
      files.set(name, { signature: sign, state: { type: "unkept", why: t("it was not copied in time") } });
      return;
    }
    const young = isYoungAt(stats, now()) ? { isYoung: true as const } : {};
    const { state, bytes } = await lookAt(path, stats);
    const isFile = bytes !== undefined && state?.type === "file";
    if (isFile && indexed && !indexed.isLink && blobName(bytes, indexed.oid) === indexed.oid) {
      files.set(name, { signature: sign, clean: { ...indexed, size: bytes.length }, mode: modeOf(stats), ...young });
      return;
    }
    // Its state is known without a copy, so a change can be told.
    const isCopied = !isFile || (copies.hasRoom(bytes.length) && (await copies.take(state.sha256, bytes)));
    if (!isCopied) late += 1;
    files.set(name, { signature: sign, state, ...young, ...(!isCopied && { uncopied: true as const }) });
  });
  return late;
}

function signatureOf(path: string): string {
  const stats = statsIfAllowed(path);
  return stats && stats !== "hidden" ? signature(stats) : "";
}

const levelOf = (folder: string) => ignoreLevel(folder, false, ["", "", textOf(`${folder}/.gitignore`), ""]);

type SignedLevels = { levels: readonly IgnoreLevel[]; signature: string };

/** What folders around a place in a repository, and settings, ignore in it. */
function levelsAbove({ folder: place, repository }: ScanPlace, known: SignedLevels | undefined): SignedLevels {
  const { top = place, excludes = [] } = repository ?? {};
  const folders: string[] = [];
  for (let at = folderOf(place); place !== top && isWithin(top, at); at = folderOf(at)) folders.push(at);
  const files = [...folders.map(folder => `${folder}/.gitignore`), ...excludes];
  const sign = files.map(path => `${path} ${signatureOf(path)}`).join("\n");
  if (known?.signature === sign) return known;
  const excluded = ignoreLevel(top, true, ["", "", "", excludes.map(textOf).join("\n")]);
  return { levels: [...folders.map(levelOf), excluded], signature: sign };
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

/** States of files that are not as the index has them: of some there are copies. */
export const statesOf = (places: readonly PlaceScan[]): FileState[] =>
  places.flatMap(({ folders }) =>
    [...folders.values()].flatMap(({ files }) => [...files.values()].flatMap(({ state }) => state ?? [])),
  );

/** What differs between two scans of a place. */
export function differences(before: PlaceScan, now: PlaceScan) {
  const found: { path: string; before: ScannedFile | undefined; now: ScannedFile | undefined }[] = [];
  for (const folder of new Set([...before.folders.keys(), ...now.folders.keys()])) {
    const [was, is] = [before, now].map(scan => scan.folders.get(folder)?.files ?? NO_FILES);
    if (!was || !is || was === is) continue;
    for (const name of new Set([...was.keys(), ...is.keys()])) {
      const [then, after] = [was.get(name), is.get(name)];
      const isSame = then?.signature === after?.signature && !then?.isYoung;
      const isTouched = then?.clean !== undefined && then.clean.oid === after?.clean?.oid;
      if (isSame || (isTouched && then.mode === after.mode)) continue;
      found.push({ path: `${folder}/${name}`, before: then, now: after });
    }
  }
  return found;
}
