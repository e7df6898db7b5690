/**
 * What a command did to the files that the session has read or written: looked at before and after it. A file that stood as
 * the session knew it, and that only the command can have changed, gets a new stamp, so that the next edit does not report
 * a change by others. Content decides: a changed time alone is no change.
 */
import { mapBounded } from "../../shared/async";
import { uriToPath } from "../../shared/filePlace";
import type { FileChange, FileVersion, Stamp } from "../../shared/toolResult";
import type { FileRef, FileStat, Files, UnsavedFiles, WallClock } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { fileChange } from "../ground/text/diff";
import { count } from "../ground/text/format";
import type { Snapshots } from "../log/snapshots";
import { asDeleted, stampModelKnows } from "../log/stamps";

/** bytes: larger files are not read */
export const MAX_LOOKED_AT = 20 * 1024 * 1024;
/** The files read last: more are not looked at. */
const MAX_FILES = 2_000;
/** Of so many files it is worked out which lines changed; exactly, until that took so long (ms), then of small changes only. */
const MAX_DIFFS = 200;
const EXACT_MS = 1_000;
const SMALL_CHANGE = 20;
/** At most so many calls of the file system at once, and so many texts in memory. */
const STATS_AT_ONCE = 32;
const READS_AT_ONCE = 8;
/** ms: what a file as young holds may change without its time changing (FAT counts in steps of two seconds) */
const YOUNG = 2_000;
/** ms: how far two readings of the same time lie apart at most, by the way they were rounded */
const SAME_TIME = 0.005;

export interface ChangeDetectorPorts {
  files: Files;
  /** absent: there is no editor */
  unsaved?: UnsavedFiles | undefined;
  /** versions of files as the session knows them, by URI */
  stamps(): ReadonlyMap<string, Stamp>;
  /** the text of a version, where the session still has it */
  textOf(version: FileVersion): Promise<string | undefined>;
  /** keeps both states of a change, so that it can be taken back; absent: none is kept */
  snapshots?: Snapshots | undefined;
  clock: WallClock;
}

export interface DetectedChange {
  /**
   * changed: the session knows its new content, by `stamp`; differs: it changed, but not, or not surely, by the command
   * alone and from what the session knew; gone: no such file any more, and by `stamp` the session
   * knows that; unsaved: the editor has unsaved changes, and the file below them changed.
   */
  kind: "changed" | "differs" | "gone" | "unsaved";
  ref: FileRef;
  stamp?: Stamp;
  /** where its earlier text is known */
  change?: FileChange;
}

/** Before the command; undefined: not known. `sha256` of its content; undefined: not known. */
type FileStanding = { kind: "gone" } | { kind: "file"; stat: FileStat; sha256: string | undefined } | undefined;

interface WatchedFile {
  /** says where the file is; its names are made when the model is told */
  place: FileRef;
  /** undefined: the session has not read it */
  stamp: Stamp | undefined;
  standing: FileStanding;
}

interface LookBefore {
  watched: readonly WatchedFile[];
  /** ms since the epoch */
  began: number;
}

/** "unknown": it cannot be looked at */
type StatAnswer = FileStat | undefined | "unknown";

export class FileChangeDetector {
  constructor(private readonly ports: ChangeDetectorPorts) {}

  /**
   * Looks at the files before a command.
   * @param saved stamps of files that were saved for the command: they count more than the session's
   * @param left files with unsaved changes
   */
  async before(saved: readonly { uri: string; stamp: Stamp }[], left: readonly FileRef[]): Promise<LookBefore> {
    const began = this.ports.clock.now();
    const stamps = new Map([...this.ports.stamps()].slice(-MAX_FILES));
    for (const { uri, stamp } of saved) stamps.set(uri, stamp);
    const uris = new Set([...stamps.keys(), ...left.map(ref => ref.uri)]);
    const places = [...uris].flatMap(uri => uriToFileRef(uri) ?? []);
    const watched = await mapBounded(places, STATS_AT_ONCE, async (place): Promise<WatchedFile> => {
      const stamp = stamps.get(place.uri);
      return { place, stamp, standing: await this.standing(place, stamp) };
    });
    return { watched, began };
  }

  private async standing(place: FileRef, stamp: Stamp | undefined): Promise<FileStanding> {
    const stat = await this.stat(place);
    if (stat === undefined) return { kind: "gone" };
    if (stat === "unknown" || stat.type !== "file") return undefined;
    // A dirty stamp is of the editor's text, not of the disk's.
    const isKnown = stamp && !stamp.dirty && isSameTime(stamp.mtime, stat.mtime);
    return { kind: "file", stat, sha256: isKnown ? stamp.sha256 : undefined };
  }

  /**
   * Looks again when the command has ended: what changed, the files that were read last at the end.
   * @param saves asked once the files were looked at: what the editor saved meanwhile, by URI
   */
  async after(before: LookBefore, saves: () => Promise<ReadonlySet<string>>): Promise<DetectedChange[]> {
    const looked = await this.lookedAgain(before);
    const byEditor = await saves();
    return looked.flatMap((one): DetectedChange[] => {
      if (!one) return [];
      // A save in the editor wrote it too: the two cannot be told apart.
      return one.kind === "changed" && byEditor.has(one.ref.uri) ? [{ kind: "differs", ref: one.ref }] : [one];
    });
  }

  private async lookedAgain({ watched, began }: LookBefore): Promise<(DetectedChange | undefined)[]> {
    const looked = await mapBounded(watched, STATS_AT_ONCE, async file => {
      const now = await this.stat(file.place);
      return wasTouched(file.standing, now, began) ? [{ ...file, now }] : [];
    });
    const end = this.ports.clock.now() + EXACT_MS;
    const mostLines = () => (this.ports.clock.now() < end ? undefined : SMALL_CHANGE);
    const unsaved = new Set((await this.ports.unsaved?.unsaved())?.map(ref => ref.uri));
    const touched = looked.flat().map((file, index) => ({ file, withDiff: index < MAX_DIFFS }));
    return mapBounded(touched, READS_AT_ONCE, ({ file, withDiff }) =>
      this.compare(file, unsaved.has(file.place.uri), withDiff ? mostLines : undefined),
    );
  }

  /** undefined: unchanged, known to the session, or not one of its files. */
  private async compare(
    { place, stamp, standing, now }: WatchedFile & { now: StatAnswer },
    isUnsaved: boolean,
    mostLines: (() => number | undefined) | undefined,
  ): Promise<DetectedChange | undefined> {
    const ref = await unlessFileError(this.ports.files.resolve(place.absolute), place);
    const before = standing?.kind === "file" ? standing : undefined;
    const isFile = now !== undefined && now !== "unknown" && now.type === "file";
    const isOther = !isFile || !before || !isSame(before.stat, now);
    if (isUnsaved) return isOther ? { kind: "unsaved", ref } : undefined;
    if (!stamp) return undefined;
    const isKnown = before?.sha256 === stamp.sha256;
    const textBefore = mostLines && isKnown ? await this.ports.textOf(stamp) : undefined;
    // Where a link leads to another file now, the file itself is gone.
    const stored = isKnown ? { sha256: stamp.sha256, mode: before.stat.mode } : undefined;
    if (ref.uri !== place.uri) return this.gone(ref, textBefore, stored);
    if (!isFile) return { ...(await this.gone(ref, textBefore, stored)), stamp: asDeleted(stamp) };
    const file = now.size > MAX_LOOKED_AT ? undefined : await this.readOnDisk(ref);
    if (!file) return isOther ? { kind: "differs", ref } : undefined;
    const { sha256 } = file.stamp;
    if (sha256 === before?.sha256 || sha256 === stamp.sha256) return undefined;
    if (!before || !isKnown) return { kind: "differs", ref };
    if (file.kind === "binary" || textBefore === undefined)
      return { kind: "changed", ref, stamp: stampModelKnows(stamp, file.stamp) };
    const states = await this.ports.snapshots?.keepBoth(textBefore, file.text);
    const change = { ...fileChange(ref, textBefore, file.text, mostLines?.()), ...states };
    return { kind: "changed", ref, stamp: stampModelKnows(stamp, file.stamp, states), change };
  }

  private async gone(ref: FileRef, before: string | undefined, stored: FileChange["stored"]): Promise<DetectedChange> {
    if (before === undefined) return { kind: "gone", ref };
    const change = fileChange(ref, before, "");
    const diff = change.diff.replace(`\n+++ ${ref.path}`, "\n+++ /dev/null");
    const states = await this.ports.snapshots?.keepBoth(before, null);
    return { kind: "gone", ref, change: { ...change, diff, ...states, ...(stored && { stored }) } };
  }

  private stat(place: FileRef): Promise<StatAnswer> {
    return unlessFileError(this.ports.files.stat(place), "unknown");
  }

  /** undefined: it cannot be read, or is the editor's text */
  private async readOnDisk(place: FileRef) {
    const file = await unlessFileError(this.ports.files.read(place, MAX_LOOKED_AT), undefined);
    return file?.stamp.dirty ? undefined : file;
  }
}

function wasTouched(before: FileStanding, now: StatAnswer, began: number): boolean {
  if (!before || now === "unknown") return false;
  if (before.kind === "gone") return now?.type === "file";
  return now?.type !== "file" || !isSame(before.stat, now) || now.mtime > began - YOUNG;
}

const isSameTime = (a: number, b: number) => Math.abs(a - b) <= SAME_TIME;

const isSame = (a: FileStat, b: FileStat) => isSameTime(a.mtime, b.mtime) && a.size === b.size;

/** Where a file is, by its URI alone; undefined: on no disk. */
function uriToFileRef(uri: string): FileRef | undefined {
  const absolute = uri.startsWith("file:") ? uriToPath(uri) : undefined;
  return absolute === undefined ? undefined : { uri, absolute, path: absolute, relative: absolute, inside: false };
}

/** bytes of all diffs of one command, about: later ones are left out, their counts stay */
const MAX_DIFF = 256 * 1024;

export interface FileChangeReport {
  /** a line each, for the model */
  notes: string[];
  stamps: { uri: string; stamp: Stamp }[];
  changes: FileChange[];
  /** "src/a.ts +3 −1", "src/b.ts gone": for the form that is kept, at most 10 */
  facts: string[];
}

/** Notes for the model, stamps and changes. @param detected the files that were read last at the end */
export function reportFileChanges(detected: readonly DetectedChange[]): FileChangeReport {
  const line = (kind: DetectedChange["kind"], before: string, after = "") => {
    const names = detected.filter(one => one.kind === kind).map(changeName);
    return names.length > 0 ? [`${before}: ${listNames(names)}.${after}`] : [];
  };
  const readAgain = " Read them again before you edit them.";
  const ask = " The editor will ask the user which text to keep.";
  return {
    notes: [
      ...line("changed", "Files read before that the command changed"),
      ...line("gone", "Files read before that are gone"),
      ...line("differs", "Files read before that changed, perhaps not by the command alone", readAgain),
      ...line("unsaved", "Files with unsaved changes in the editor that the command changed on disk", ask),
    ],
    stamps: detected.flatMap(({ ref, stamp }) => (stamp ? [{ uri: ref.uri, stamp }] : [])),
    changes: boundDiffs(detected.flatMap(({ change }) => change ?? [])),
    facts: detected.slice(0, 10).map(one => `${one.ref.path} ${changeFact(one)}`),
  };
}

const changeName = ({ kind, ref, change }: DetectedChange): string =>
  kind === "changed" && change ? `${ref.path} (${lineCounts(change)})` : ref.path;

const changeFact = ({ kind, change }: DetectedChange): string =>
  kind === "changed" && change ? lineCounts(change) : words[kind];

const words: Record<DetectedChange["kind"], string> = {
  changed: "changed",
  gone: "gone",
  differs: "changed, perhaps not by the command alone",
  unsaved: "changed on disk, unsaved in the editor",
};

const lineCounts = ({ added, removed }: FileChange) =>
  added + removed > 0 ? `+${added} −${removed}` : "line ends only";

function boundDiffs(changes: readonly FileChange[]): FileChange[] {
  let room = MAX_DIFF;
  return changes.map(change => {
    room -= change.diff.length;
    return room >= 0 ? change : { ...change, diff: "" };
  });
}

/** files that are named in what the model is told */
const MAX_NAMES = 10;

/** "a, b", "a, b and 12 more" */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(", ")} and ${count(more)} more` : names.join(", ");
}
