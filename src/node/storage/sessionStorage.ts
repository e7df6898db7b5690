/** Sessions on disk: `sessions/<id>/…` below one folder (docs/formats.md). */
import { createHash, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { type Clock, type SessionFiles, type SessionMeta, type SessionStorage, StorageError } from "../../core/ports";
import { closeToOthers, isFile, isTemporary, makeFolder, removeQuietly, removeTree, writeCache } from "../disk";
import { errno, isMissing, unlessMissing } from "../errno";
import { type FileSystem, type FolderEntry, nodeFileSystem } from "../fileSystem";
import { nodeClock } from "../system";
import { NodeSessionFiles } from "./sessionFiles";
import { SessionList } from "./sessionList";
import { LOCK_TIMES, type LockTimes, type LockTiming, SessionLock } from "./sessionLock";
import { orStorageError, storageError } from "./storageErrors";

/** ms for which what all sessions take counts as known, about */
const MEASURED_MS = 10 * 60_000;
/** Sessions that are measured for a rough figure. Of thousands that nobody measured yet, a run need not wait for all. */
const ROUGHLY = 300;
/** A session that is being removed: a name that no session has. */
const REMOVED = ".removed-";

export class NodeStorage implements SessionStorage {
  private readonly sessions: string;
  private readonly timing: LockTiming;
  private readonly all: SessionList;

  /** @param folder is created with the first session */
  constructor(
    folder: string,
    times: Partial<LockTimes> = {},
    private readonly fs: FileSystem = nodeFileSystem,
    private readonly clock: Clock = nodeClock,
  ) {
    this.sessions = join(folder, "sessions");
    this.all = new SessionList(fs, this.sessions);
    this.timing = { times: { ...LOCK_TIMES, ...times }, clock };
  }

  list(): Promise<SessionMeta[]> {
    return orStorageError("The sessions could not be listed.", async () => {
      const entries = await this.all.listed(await this.ids());
      const metas = entries.map(({ meta }) => meta).filter(meta => meta !== undefined);
      return metas.sort((a, b) => b.updated - a.updated);
    });
  }

  async create(id: string): Promise<SessionFiles> {
    const folder = this.folder(id);
    try {
      await makeFolder(this.fs, this.sessions);
      await closeToOthers(this.fs, this.sessions);
      await this.fs.mkdir(folder);
      await this.fs.syncFolder(this.sessions);
    } catch (error) {
      if (errno(error) === "EEXIST") throw new StorageError("IO", `There is a session ${id} already.`);
      throw storageError(error, "A new session could not be started.");
    }
    return NodeSessionFiles.open(this.fs, id, folder, this.timing);
  }

  async open(id: string, { readOnly = false }: { readOnly?: boolean } = {}): Promise<SessionFiles> {
    const folder = this.folder(id);
    await this.mustBeThere(id, folder);
    if (readOnly) return NodeSessionFiles.view(this.fs, id, folder, this.timing);
    try {
      await closeToOthers(this.fs, this.sessions);
    } catch {
      // on a disk that cannot be written; the session says so itself when something is to be written
    }
    return NodeSessionFiles.open(this.fs, id, folder, this.timing);
  }

  async writeMeta(meta: SessionMeta): Promise<void> {
    const folder = this.folder(meta.id);
    try {
      await writeCache(this.fs, join(folder, "meta.json"), `${JSON.stringify(meta)}\n`);
    } catch (error) {
      if (isMissing(error)) throw noSession(meta.id);
      throw storageError(error, "The session's entry in the list was not updated.");
    }
  }

  usage(): Promise<{ id: string; bytes: number }[]> {
    return orStorageError("The size of the sessions could not be found out.", async () => {
      const sessions = await this.all.measured(await this.ids(), this.clock.now());
      // what cannot be deleted today can be another day
      await this.emptyTrash().catch(() => undefined);
      return sessions;
    });
  }

  roughBytes(): Promise<number> {
    return orStorageError("The size of the sessions could not be found out.", async () => {
      const now = this.clock.now();
      const { measured, bytes } = await this.all.lastMeasured();
      if (measured <= now && now - measured < MEASURED_MS) return bytes;
      const sized = await this.all.measured(await this.ids(), now, ROUGHLY);
      return sized.reduce((sum, session) => sum + session.bytes, 0);
    });
  }

  async remove(id: string): Promise<void> {
    const folder = this.folder(id);
    const lock = new SessionLock(this.fs, folder, this.timing, async () => undefined);
    try {
      // A link leads to what is not ours to delete. One without a log goes too: an import that came to nothing.
      const entry = (await this.entries()).find(({ name }) => name === id);
      if (!entry?.isDirectory()) throw entry ? notOurs(id, folder) : noSession(id);
      await lock.startSurely();
      if (!lock.isHeld)
        throw new StorageError("IN_USE", "This session is open in another window or terminal. Close it there first.");
      await lock.park();
      // from here on it is no session any more, also after a crash
      await this.fs.rename(folder, join(this.sessions, `${REMOVED}${randomUUID()}`));
      await this.all.forget(id);
    } catch (error) {
      throw storageError(error, "The session was not removed.");
    } finally {
      await lock.stop();
    }
    const incomplete = "The session was removed from the list, but some of its files are still on disk.";
    await orStorageError(incomplete, () => this.emptyTrash());
  }

  /** Deletes what was removed, now or before a crash. */
  private async emptyTrash(): Promise<void> {
    const entries = await this.entries();
    // An index that a process died over; where one is being written, another will be.
    for (const { name } of entries.filter(({ name }) => isTemporary(name)))
      await removeQuietly(this.fs, join(this.sessions, name));
    const removed = entries.filter(({ name }) => name.startsWith(REMOVED));
    // not before it is known that a power cut cannot bring their old names back
    if (removed.length > 0) await this.fs.syncFolder(this.sessions);
    for (const entry of removed) if (entry.isDirectory()) await removeTree(this.fs, join(this.sessions, entry.name));
  }

  private async ids(): Promise<string[]> {
    return (await this.entries())
      .map(({ name }) => name)
      .filter(isId)
      .sort();
  }

  /** What lies beside each other in the folder of the sessions; nothing where there is none. */
  private entries(): Promise<FolderEntry[]> {
    return unlessMissing(this.fs.readdir(this.sessions), []);
  }

  private folder(id: string): string {
    if (!isId(id)) throw noSession(id);
    return join(this.sessions, id);
  }

  private async mustBeThere(id: string, folder: string): Promise<void> {
    const isThere = (name: string) => isFile(this.fs, join(folder, name));
    const found = orStorageError(
      "The session could not be opened.",
      async () => (await isThere("history.jsonl")) || (await isThere("lock.json")),
    );
    if (!(await found)) throw noSession(id);
  }
}

function noSession(id: string): StorageError {
  return new StorageError("NOT_FOUND", `There is no session ${JSON.stringify(id.slice(0, 80))} here.`);
}

function notOurs(id: string, folder: string): StorageError {
  return new StorageError(
    "IO",
    `Session ${id} was not removed: ${folder} is a link (or no folder at all), and what it leads to is not Strata's to delete. Remove it yourself.`,
  );
}

/** Names of folders come from people too (`--session`): nothing that leads elsewhere. */
function isId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}

// Where Strata keeps its things outside the editor: state by workspace, and the person's own settings and rules.

/** The folder for the sessions of a workspace in the terminal: the same for every way to name the workspace. */
export function defaultStorageDir(workspace: string, env: NodeJS.ProcessEnv = process.env): string {
  const path = canonical(workspace);
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
  const name =
    basename(path)
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .slice(0, 40) || "root";
  return join(stateDir(env), "strata", "workspaces", `${hash}-${name}`);
}

/** Where what models cost is kept, for terminal and editor alike. */
export function spendingDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(stateDir(env), "strata", "spending");
}

/** The folder of `settings.json` and the person's own `AGENTS.md`. */
export function configDir(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32") return join(env.APPDATA ?? join(homedir(), "AppData", "Roaming"), "strata");
  return join(absolute(env.XDG_CONFIG_HOME) ?? join(homedir(), ".config"), "strata");
}

function stateDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === "win32") return env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  const own = absolute(env.XDG_STATE_HOME);
  if (own) return own;
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  return join(homedir(), ".local", "state");
}

/** The XDG specification: relative paths are to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function canonical(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // it is not there: the caller says so, this only makes a name
    return resolve(path);
  }
}
