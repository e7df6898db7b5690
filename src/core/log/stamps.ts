/**
 * What the session knows of the version of a file: that the model saw all of its text, parts of it, or only that it is there; and
 * of a file that is not there any more, of which the model hears before Write brings it back.
 * Lines that were read in part allow an edit, never an overwrite.
 */
import { defined } from "../../shared/defined";
import type { FileVersion, Stamp } from "../../shared/toolResult";
import { type FileRef, type Files, type Sleeper, ToolError } from "../ground/ports";
import type { SnapshotFields } from "./snapshots";

/** Lines (cells of a notebook), from 1, both ends counted. */
type LineNumbers = [first: number, last: number];

/**
 * The stamp of a version of which the model is told that it is there, and not what is in it.
 * @param states snapshots of the text of `known` and of this one, where they were kept
 */
export function stampModelKnows(known: Stamp, stamp: Stamp, states: SnapshotFields = {}): Stamp {
  const told = withSnapshot(stamp, states.after);
  const { seen, parts } = known;
  if (parts && !seen) return { ...told, parts: known.sha256 === stamp.sha256 ? parts : { ...parts, lines: [] } };
  const last = seen ?? toVersion(withSnapshot(known, states.before));
  return last.sha256 === stamp.sha256 ? told : { ...told, seen: last };
}

/**
 * The stamp of a version of which the model was shown `first` to `last` of `total` just now, those in `cut` not whole.
 * @param known the stamp of the last time that it read or left the file; undefined: never
 */
export function readInPart(
  known: Stamp | undefined,
  stamp: Stamp,
  { first, last, total, cut }: { first: number; last: number; total: number; cut: readonly number[] },
): Stamp {
  if (first <= 1 && last >= total && cut.length === 0) return stamp;
  const parts = { total, lines: spansWithout(first, last, cut) };
  if (!known) return { ...stamp, parts };
  const told = stampModelKnows(known, stamp);
  return isSeenWhole(told) ? told : joinParts(known, { ...told, parts });
}

/** `stamp` with what the model saw of the same version before: once it saw all of it, it has seen it whole. */
export function joinParts(known: Stamp | undefined, stamp: Stamp): Stamp {
  if (!stamp.parts || known?.sha256 !== stamp.sha256) return stamp;
  const { parts, seen: _, ...whole } = stamp;
  if (isSeenWhole(known)) return whole;
  const lines = joined([...(known.parts?.lines ?? []), ...parts.lines]);
  const [all] = lines;
  return all && all[0] <= 1 && all[1] >= parts.total ? whole : { ...stamp, parts: { ...parts, lines } };
}

/** @param cut ascending */
function spansWithout(first: number, last: number, cut: readonly number[]): LineNumbers[] {
  const spans: LineNumbers[] = [];
  let next = first;
  for (const line of [...cut, last + 1]) {
    if (line > next) spans.push([next, line - 1]);
    next = line + 1;
  }
  return spans;
}

/** The model saw the whole current text. */
const isSeenWhole = ({ seen, parts }: Stamp) => !seen && !parts;

/** Sorted; those that overlap or touch are one. */
function joined(spans: readonly LineNumbers[]): LineNumbers[] {
  const out: LineNumbers[] = [];
  for (const [first, last] of [...spans].sort((a, b) => a[0] - b[0])) {
    const before = out.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else out.push([first, last]);
  }
  return out;
}

/** Which snapshot has the text, for when the process that read it is gone. @param snapshot null, undefined: none was kept */
export const withSnapshot = (stamp: Stamp, snapshot: string | null | undefined): Stamp =>
  typeof snapshot === "string" && snapshot !== stamp.sha256 ? { ...stamp, snapshot } : stamp;

export const toVersion = ({ sha256, snapshot }: FileVersion): FileVersion => ({ sha256, ...defined({ snapshot }) });

/** The stamp of the last time this session read or wrote the file; undefined: never. */
interface KnownStamps {
  stampOf(uri: string): Stamp | undefined;
}

interface Protection {
  /** why a file is always asked about; undefined: it is not */
  protectedBecause(ref: FileRef): string | undefined;
}

export interface DeletedFilePorts {
  files: Files;
  clock: Sleeper;
}

/** ms between looks: git, and editors that put a new file in the place of the old one, take it away for a moment */
const LOOKS = [10, 20, 40];

/**
 * Whether there is no such file, so that Write makes it. Throws ToolError NOT_FOUND where the session knows one that somebody
 * deleted or renamed, and was not told so: whoever writes it once more means it.
 */
export async function isNew(
  ports: DeletedFilePorts,
  ref: FileRef,
  call: KnownStamps & Protection & { signal: AbortSignal },
): Promise<boolean> {
  if (await ports.files.stat(ref)) return false;
  const stamp = call.stampOf(ref.uri);
  if (!stamp || stamp.gone) return true;
  for (const ms of LOOKS) {
    await ports.clock.sleep(ms, call.signal);
    if (await ports.files.stat(ref)) return false;
  }
  const to = await renameTarget(ports, ref, call);
  const words = to
    ? `${ref.path} was renamed to ${to.path} since you last read or wrote it. Nothing was written. Edit it there; call Write again only if there should be a second file at ${ref.path}.`
    : `${ref.path} was deleted or moved since you last read or wrote it. Nothing was written. If it should be there all the same, call Write again.`;
  const data = { path: ref.path, ...defined({ renamedTo: to?.path }) };
  throw new ToolError("NOT_FOUND", words, data, { stamps: deletedStamps(ref, call) });
}

/** Where a file went that is not there; undefined: nobody knows, or may say it unasked. */
export async function renameTarget({ files }: Pick<DeletedFilePorts, "files">, ref: FileRef, call: Protection) {
  const renamed = await files.renamedTo?.(ref);
  if (renamed && call.protectedBecause(renamed) !== call.protectedBecause(ref)) return undefined;
  return renamed && (await files.stat(renamed)) ? renamed : undefined;
}

/** For a result that says that a file is not there: none where the session does not know it. */
export function deletedStamps({ uri }: FileRef, call: KnownStamps): { uri: string; stamp: Stamp }[] {
  const stamp = call.stampOf(uri);
  return stamp ? [{ uri, stamp: asDeleted(stamp) }] : [];
}

/** What it held stays known: it may come back. */
export const asDeleted = (stamp: Stamp): Stamp => ({ ...stamp, gone: true });
