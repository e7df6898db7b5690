/**
 * A workspace that was moved or renamed has its sessions under its old path, where nobody looks for them: each storage says whose it is,
 * and those of folders that are gone are named where a workspace has none.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { clipEnd } from "../core/ground/text/format";
import { defaultStorageDir, NodeStorage } from "../node/storage/sessionStorage";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { UsageError } from "../terminal/args";
import type { SessionPlace } from "./place";

/** in a workspace's storage: its path */
const FOLDER = "folder";
const MAX_NAMED = 3;

const isDefault = ({ workspace, storageDir }: SessionPlace): boolean =>
  storageDir === resolve(defaultStorageDir(workspace));

/** Once for each workspace that has a session. */
export function rememberFolder(place: SessionPlace): void {
  const { workspace, storageDir, streams } = place;
  const file = join(storageDir, FOLDER);
  if (!isDefault(place) || !existsSync(join(storageDir, "sessions")) || existsSync(file)) return;
  try {
    writeFileSync(file, `${resolve(workspace)}\n`, { mode: 0o600 });
  } catch (error) {
    streams.err(t("Where this workspace lies could not be kept beside its sessions: {0}\n", errorMessage(error)));
  }
}

/** Says which sessions there are of folders that are not there any more, and how one goes on here. */
export async function tellMovedFolders(place: SessionPlace): Promise<void> {
  if (!isDefault(place)) return;
  const lost = storages(place).filter(({ folder }) => folder !== "" && !existsSync(folder));
  const told = await Promise.all(lost.map(async each => ({ ...each, sessions: await namesOf(each.storage) })));
  const [shown, more] = [told.slice(0, MAX_NAMED), told.length - MAX_NAMED];
  if (shown.length === 0) return;
  const own = t(
    "If this workspace was moved or renamed, its sessions are under its old path: --session ID goes on with one here. Of folders that are not there any more:",
  );
  const lines = shown.map(({ folder, sessions }) => `  ${folder}: ${sessions}\n`).join("");
  place.streams.err(`${own}\n${lines}${more > 0 ? t("  and {0} more\n", more) : ""}`);
}

/** The newest, with their titles. */
async function namesOf(storage: string): Promise<string> {
  const all = await new NodeStorage(storage).list();
  const names = all.slice(0, MAX_NAMED).map(({ id, title }) => (title === "" ? id : `${id} (${clipEnd(title, 40)})`));
  return [...names, ...(all.length > MAX_NAMED ? ["…"] : [])].join(", ");
}

/**
 * A session that is not this workspace's, but of a folder that is not there any more, comes here. Rejects with UsageError where its folder
 * is there still, and with StorageError.
 */
export async function adoptSession(place: SessionPlace, id: string): Promise<void> {
  const isHere = existsSync(join(place.storageDir, "sessions", id));
  if (!isDefault(place) || isHere || !/^[\w-]+$/.test(id)) return;
  const found = storages(place).find(({ storage }) => existsSync(join(storage, "sessions", id)));
  if (!found) return;
  const { folder, storage } = found;
  if (folder === "") throw new UsageError(t("Session {0} lies in {1}: name that with --storage.", id, storage));
  if (existsSync(folder))
    throw new UsageError(t("Session {0} is of {1}: go on with it there, or with --workspace.", id, folder));
  await place.storage.adopt(id, new NodeStorage(storage));
  place.streams.err(
    t("Session {0} was of {1}, which is not there any more: from here on it is of this workspace.\n", id, folder),
  );
}

/** Those of other workspaces that have sessions; `folder` "": nobody noted whose it is. */
function storages({ storageDir }: SessionPlace): { folder: string; storage: string }[] {
  const all = dirname(storageDir);
  if (!existsSync(all)) return [];
  return readdirSync(all).flatMap(name => {
    const storage = join(all, name);
    const noted = join(storage, FOLDER);
    const folder = existsSync(noted) ? readFileSync(noted, "utf8").trim() : "";
    return storage !== storageDir && hasSome(join(storage, "sessions")) ? [{ folder, storage }] : [];
  });
}

const hasSome = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;
