/** The state of one file, and a signature that tells whether it changed since; links are not followed. */
import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, realpathSync } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileState } from "../../shared/fileStates";
import { t } from "../../shared/l10n";
import { OPEN_SAFELY } from "../directoryHandle";
import { errno, ifThere, isMissing } from "../errno";
import { withSlashes } from "../paths";

/** bytes: larger files are not kept */
const MAX_KEPT = 10 * 1024 * 1024;

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const modeOf = (stats: BigIntStats): number => Number(stats.mode & 0o7777n);

/** Changes when the file is written, renamed or gets other permissions. */
export const signature = ({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string =>
  `${size} ${mtimeNs} ${ctimeNs} ${ino} ${mode}`;

/** At once: a scan asks for thousands. undefined: there is nothing, or nothing that can be looked at */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return ifThere(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch (error) {
    if (errno(error) === "ENAMETOOLONG" || errno(error) === "ELOOP") return undefined;
    throw error;
  }
}

/** The same for names that a disk may take for one: by case, or by how a letter is put together. */
const spelling = (name: string): string => name.normalize("NFC").toLowerCase();

/** Whether a path leads through a link: then the file has another name, and this one has no file. */
export function throughLink(): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const leads = (folder: string): boolean => {
    try {
      return spelling(withSlashes(realpathSync.native(folder))) !== spelling(folder);
    } catch {
      return false;
    }
  };
  return path => {
    const folder = dirname(path);
    const found = known.get(folder) ?? leads(folder);
    known.set(folder, found);
    return found;
  };
}

interface FileLook {
  state: FileState;
  /** of a file that is kept */
  bytes?: Buffer;
}

/** Never rejects: what cannot be read is `unkept`. */
export async function lookAt(path: string, stats: BigIntStats | undefined, maxBytes = MAX_KEPT): Promise<FileLook> {
  if (!stats) return { state: null };
  try {
    if (stats.isSymbolicLink()) return { state: { type: "link", target: await readlink(path) } };
    // A folder is no file: where one was, it went.
    if (stats.isDirectory()) return { state: null };
    if (!stats.isFile()) return { state: { type: "unkept", why: t("it is no file") } };
    if (stats.size > BigInt(maxBytes))
      return { state: { type: "unkept", why: t("it has more than {0} MB", MAX_KEPT / 1024 / 1024) } };
    const bytes = await readSame(path, stats);
    if (!bytes) return { state: { type: "unkept", why: t("it changed while it was read") } };
    return { state: { type: "file", sha256: sha256Of(bytes), mode: modeOf(stats) }, bytes };
  } catch (error) {
    return isMissing(error) ? { state: null } : { state: { type: "unkept", why: t("it cannot be read") } };
  }
}

/** undefined: it is another file by now */
async function readSame(path: string, stats: BigIntStats): Promise<Buffer | undefined> {
  const handle = await open(path, OPEN_SAFELY);
  try {
    const bytes = await handle.readFile();
    return signature(await handle.stat({ bigint: true })) === signature(stats) ? bytes : undefined;
  } finally {
    await handle.close();
  }
}
