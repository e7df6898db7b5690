/**
 * A workspace that was moved or renamed has its sessions under its old path, where nobody looks for them: each storage says whose it is,
 * and those of folders that are gone are named where a workspace has none.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { defaultStorageDir } from "../node/storage/sessionStorage";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
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

/** Says where sessions of folders are that are not there any more. */
export function tellMovedFolders(place: SessionPlace): void {
  if (!isDefault(place)) return;
  const lost = lostFolders(dirname(place.storageDir));
  if (lost.length === 0) return;
  const names = lost.slice(0, MAX_NAMED).map(({ folder, storage }) => `  ${folder}: --storage '${storage}'\n`);
  const more = lost.length > MAX_NAMED ? t("  and {0} more\n", lost.length - MAX_NAMED) : "";
  const own = t(
    "If this workspace was moved or renamed, its sessions are under its old path. Of folders that are not there any more:",
  );
  place.streams.err(`${own}\n${names.join("")}${more}`);
}

function lostFolders(all: string): { folder: string; storage: string }[] {
  if (!existsSync(all)) return [];
  return readdirSync(all).flatMap(name => {
    const storage = join(all, name);
    const folder = existsSync(join(storage, FOLDER)) ? readFileSync(join(storage, FOLDER), "utf8").trim() : "";
    const hasSessions = folder !== "" && !existsSync(folder) && hasSome(join(storage, "sessions"));
    return hasSessions ? [{ folder, storage }] : [];
  });
}

const hasSome = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;
