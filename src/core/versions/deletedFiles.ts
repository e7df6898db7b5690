/** A file that the session knows and that is not there any more: the model hears of it before Write brings it back. */
import type { Stamp } from "../../shared/toolResult";
import { type Clock, type FileRef, type Files, ToolError } from "../ports";

/** What a call knows of its session's files. */
export interface KnownStamps {
  signal: AbortSignal;
  /** the stamp of the last time this session read or wrote the file; undefined: never */
  stampOf(uri: string): Stamp | undefined;
}

export interface DeletedFilePorts {
  files: Pick<Files, "stat" | "renamedTo">;
  clock: Pick<Clock, "sleep">;
}

/** ms between looks: git, and editors that put a new file in the place of the old one, take it away for a moment */
const LOOKS = [10, 20, 40];

/**
 * Whether there is no such file, so that Write makes it. Throws ToolError NOT_FOUND where the session knows one that somebody
 * deleted or renamed, and was not told so: whoever writes it once more means it.
 */
export async function isNew(ports: DeletedFilePorts, ref: FileRef, call: KnownStamps): Promise<boolean> {
  if (await ports.files.stat(ref)) return false;
  const stamp = call.stampOf(ref.uri);
  if (!stamp || stamp.gone) return true;
  for (const ms of LOOKS) {
    await ports.clock.sleep(ms, call.signal);
    if (await ports.files.stat(ref)) return false;
  }
  const to = await renameTarget(ports, ref);
  const words = to
    ? `${ref.path} was renamed to ${to.path} since you last read or wrote it. Nothing was written. Edit it there; call Write again only if there should be a second file at ${ref.path}.`
    : `${ref.path} was deleted or moved since you last read or wrote it. Nothing was written. If it should be there all the same, call Write again.`;
  const data = { path: ref.path, ...(to && { renamedTo: to.path }) };
  throw new ToolError("NOT_FOUND", words, data, { stamps: deletedStamps(ref, call) });
}

/** Where a file went that is not there; undefined: nobody knows. */
export async function renameTarget(
  { files }: Pick<DeletedFilePorts, "files">,
  ref: FileRef,
): Promise<FileRef | undefined> {
  const renamed = await files.renamedTo?.(ref);
  return renamed && (await files.stat(renamed)) ? renamed : undefined;
}

/** For a result that says that a file is not there: none where the session does not know it. */
export function deletedStamps({ uri }: FileRef, call: Pick<KnownStamps, "stampOf">): { uri: string; stamp: Stamp }[] {
  const stamp = call.stampOf(uri);
  return stamp ? [{ uri, stamp: asDeleted(stamp) }] : [];
}

/** What it held stays known: it may come back. */
export const asDeleted = (stamp: Stamp): Stamp => ({ ...stamp, gone: true });
