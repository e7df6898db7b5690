/** Sessions on disk: `sessions/<id>/…` below one folder (CONTEXT.md, section 6). */
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type SessionFiles, type SessionMeta, type SessionStorage, StorageError } from "../../core/ports";
import { errno, isMissing } from "../errno";
import { mapBounded } from "../queue";
import { FOLDER_MODE, makePrivateFolder, syncFolder, writeWhole } from "./disk";
import { storageError } from "./errors";
import { LOCK_TIMES, type LockTimes } from "./lock";
import { readMeta } from "./meta";
import { NodeSessionFiles } from "./sessionFiles";

export { configDir, defaultStorageDir } from "./location";

const FOLDERS_AT_ONCE = 16;

export class NodeStorage implements SessionStorage {
  private readonly sessions: string;
  private readonly times: LockTimes;

  /** @param folder is created with the first session */
  constructor(folder: string, times: Partial<LockTimes> = {}) {
    this.sessions = join(folder, "sessions");
    this.times = { ...LOCK_TIMES, ...times };
  }

  async list(): Promise<SessionMeta[]> {
    try {
      const ids = (await readdir(this.sessions)).filter(isId);
      const metas = await mapBounded(ids, FOLDERS_AT_ONCE, id => this.metaOf(id));
      return metas.filter(meta => meta !== undefined).sort((a, b) => b.updated - a.updated);
    } catch (error) {
      if (isMissing(error)) return [];
      throw storageError(error, "The sessions could not be listed.");
    }
  }

  async create(id: string): Promise<SessionFiles> {
    const folder = this.folder(id);
    try {
      await makePrivateFolder(this.sessions);
      await mkdir(folder, { mode: FOLDER_MODE });
      await syncFolder(this.sessions);
    } catch (error) {
      if (errno(error) === "EEXIST") throw new StorageError("IO", `There is a session ${id} already.`);
      throw storageError(error, "A new session could not be started.");
    }
    return NodeSessionFiles.open(id, folder, this.times);
  }

  async open(id: string, { readOnly = false }: { readOnly?: boolean } = {}): Promise<SessionFiles> {
    const folder = this.folder(id);
    if (!(await exists(join(folder, "history.jsonl"))) && !(await exists(join(folder, "lock.json"))))
      throw noSession(id);
    if (readOnly) return NodeSessionFiles.view(id, folder, this.times);
    try {
      await makePrivateFolder(this.sessions);
    } catch {
      // on a disk that cannot be written; the session says so itself when something is to be written
    }
    return NodeSessionFiles.open(id, folder, this.times);
  }

  async writeMeta(meta: SessionMeta): Promise<void> {
    const folder = this.folder(meta.id);
    try {
      await writeWhole(join(folder, "meta.json"), `${JSON.stringify(meta)}\n`, { sync: false });
    } catch (error) {
      if (isMissing(error)) throw noSession(meta.id);
      throw storageError(error, "The session's entry in the list was not updated.");
    }
  }

  private async metaOf(id: string): Promise<SessionMeta | undefined> {
    try {
      return await readMeta(id, join(this.sessions, id));
    } catch {
      // one folder that cannot be read (another user's, a damaged disk) must not hide the others
      return undefined;
    }
  }

  private folder(id: string): string {
    if (!isId(id)) throw noSession(id);
    return join(this.sessions, id);
  }
}

function noSession(id: string): StorageError {
  return new StorageError("NOT_FOUND", `There is no session ${JSON.stringify(id.slice(0, 80))} here.`);
}

/** Names of folders come from people too (`--session`): nothing that leads elsewhere. */
function isId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw storageError(error, "The session could not be opened.");
  }
}
