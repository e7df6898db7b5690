/** Sessions on disk: `sessions/<id>/…` below one folder (docs/formats.md). */
import { randomUUID } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import {
  type Clock,
  type DeletedSession,
  type SessionFiles,
  type SessionMeta,
  type SessionStorage,
  StorageError,
  type UnreviewedMarks,
} from "../../core/ground/ports";
import { TRASH_MS } from "../../core/ground/ports/storage";
import { mapBounded } from "../../shared/async";
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { headerSchema, LOG_VERSION } from "../../shared/records";
import { sessionMetaSchema } from "../../shared/sessionModel";
import { titleFrom } from "../../shared/title";
import {
  closeToOthers,
  isFile,
  makeFolder,
  makeIfMissing,
  makePrivateFolder,
  readOr,
  removeQuietly,
  removeTree,
  treeBytes,
  writeCache,
} from "../disk";
import { errno, isMissing, orStorageError, storageError, unlessMissing } from "../errno";
import { type FileSystem, type FolderEntry, nodeFileSystem } from "../fileSystem";
import { nodeClock } from "../system";
import { NodeSessionFiles } from "./sessionFiles";
import { LOCK_TIMES, type LockTimes, type LockTiming, SessionLock } from "./sessionLock";

/** A session that is being removed: a name that no session has. */
const REMOVED = ".removed-";
/** One that was deleted and can be brought back: since when, and its id. */
const TRASHED = ".trash-";
const TRASHED_NAME = /^\.trash-(\d{1,16})-(.+)$/;
const AT_ONCE = 16;
const INCOMPLETE = () => t("The session was removed from the list, but some of its files are still on disk.");

export class NodeStorage implements SessionStorage {
  readonly unreviewed: UnreviewedMarks;
  private readonly sessions: string;
  private readonly timing: LockTiming;

  /** @param folder is created with the first session. @param options `marks`: the folder of unreviewed edits */
  constructor(
    folder: string,
    { marks = join(folder, "unreviewed"), ...times }: Partial<LockTimes> & { marks?: string } = {},
    private readonly fs: FileSystem = nodeFileSystem,
    private readonly clock: Clock = nodeClock,
  ) {
    this.sessions = join(folder, "sessions");
    this.unreviewed = this.marksIn(marks);
    this.timing = { times: { ...LOCK_TIMES, ...times }, clock };
  }

  private marksIn(folder: string): UnreviewedMarks {
    const { fs } = this;
    const lines = async (mark: string) => String(await unlessMissing(fs.readFile(join(folder, mark)), "")).split("\n");
    const idOf = (mark: string) => mark.slice(mark.indexOf(".") + 1);
    const placeOf = async (mark: string) => {
      const [, sessions = ""] = await lines(mark);
      return isAbsolute(sessions) && isId(idOf(mark)) ? join(sessions, idOf(mark)) : undefined;
    };
    return {
      list: async () => (await unlessMissing(fs.readdir(folder), [])).map(({ name }) => name),
      read: async mark => (await lines(mark))[0] ?? "",
      put: async (mark, uri) => {
        await makeIfMissing(fs, folder).catch(() => makePrivateFolder(folder));
        await writeCache(fs, join(folder, mark), `${uri}\n${resolve(this.sessions)}`);
      },
      drop: mark => removeQuietly(fs, join(folder, mark)),
      activeUntil: async mark => {
        const place = await placeOf(mark);
        if (place === undefined) return Infinity;
        const until = await lastModified(fs, join(place, "history.jsonl"));
        return until && ((await isFile(fs, join(place, "lock.json"))) ? Infinity : until);
      },
      open: async mark => {
        const place = await placeOf(mark);
        if (place === undefined) throw noSession(idOf(mark));
        return NodeSessionFiles.view(fs, idOf(mark), place, this.timing);
      },
    };
  }

  list(): Promise<SessionMeta[]> {
    return orStorageError(t("The sessions could not be listed."), async () => {
      // one folder that cannot be read (another user's, a damaged disk) must not hide the others
      const glance = (id: string) => glanceMeta(this.fs, id, this.folder(id)).catch(() => undefined);
      const metas = await mapBounded(await this.ids(), AT_ONCE, glance);
      return metas.filter(meta => meta !== undefined).sort((a, b) => b.updated - a.updated);
    });
  }

  async create(id: string): Promise<SessionFiles> {
    const folder = this.folder(id);
    try {
      // Where it is there, the first sync of the session has its name, and those above, on disk.
      if (!(await unlessMissing(this.fs.stat(this.sessions), undefined))) await makeFolder(this.fs, this.sessions);
      await closeToOthers(this.fs, this.sessions);
      await this.fs.mkdir(folder);
    } catch (error) {
      // A crash may have come before there was anything in it.
      const isBegun = errno(error) === "EEXIST" && (await this.fs.readdir(folder)).length > 0;
      if (errno(error) === "EEXIST" && !isBegun) return this.opened(id, folder);
      if (isBegun) throw new StorageError("IO", t("There is a session {0} already.", id));
      throw storageError(error, t("A new session could not be started."));
    }
    return this.opened(id, folder);
  }

  async open(id: string, { readOnly = false }: { readOnly?: boolean } = {}): Promise<SessionFiles> {
    const folder = this.folder(id);
    await this.mustBeThere(id, folder);
    if (readOnly) return this.withChildren(NodeSessionFiles.view(this.fs, id, folder, this.timing), folder);
    try {
      await closeToOthers(this.fs, this.sessions);
    } catch {
      // on a disk that cannot be written; the session says so itself when something is to be written
    }
    return this.opened(id, folder);
  }

  private opened = async (id: string, folder: string) =>
    this.withChildren(await NodeSessionFiles.open(this.fs, id, folder, this.timing), folder);

  private withChildren(files: NodeSessionFiles, folder: string): SessionFiles {
    files.children = new NodeStorage(folder, this.timing.times, this.fs, this.clock);
    return files;
  }

  async writeMeta(meta: SessionMeta): Promise<void> {
    const folder = this.folder(meta.id);
    try {
      await writeCache(this.fs, join(folder, "meta.json"), `${JSON.stringify(meta)}\n`);
    } catch (error) {
      if (isMissing(error)) throw noSession(meta.id);
      throw storageError(error, t("The session's entry in the list was not updated."));
    }
  }

  usage(): Promise<{ id: string; bytes: number }[]> {
    return orStorageError(t("The size of the sessions could not be found out."), async () => {
      // what cannot be deleted today can be another day
      await this.emptyTrash().catch(() => undefined);
      const names = [...(await this.ids()), ...(await this.trashed()).map(({ name }) => name)];
      const sizes = await mapBounded(names, AT_ONCE, async id => {
        const folder = join(this.sessions, id);
        const isSession = id.startsWith(TRASHED) || (await isFile(this.fs, join(folder, "history.jsonl")));
        return isSession ? [{ id, bytes: await treeBytes(this.fs, folder).catch(() => 0) }] : [];
      });
      return sizes.flat();
    });
  }

  async remove(id: string): Promise<void> {
    await this.moveAway(id, join(this.sessions, `${REMOVED}${randomUUID()}`), t("The session was not removed."));
    await orStorageError(INCOMPLETE(), () => this.emptyTrash());
  }

  async trash(id: string): Promise<string> {
    const key = `${TRASHED}${this.clock.now()}-${id}`;
    await this.moveAway(id, join(this.sessions, key), t("The session was not deleted."));
    return key;
  }

  deleted(): Promise<DeletedSession[]> {
    return orStorageError(t("The deleted sessions could not be listed."), async () => {
      const found = await mapBounded(await this.trashed(), AT_ONCE, async ({ name, id, deleted }) => {
        const meta = await glanceMeta(this.fs, id, join(this.sessions, name)).catch(() => undefined);
        return { key: name, deleted, meta: meta ?? { id, title: "", created: 0, updated: 0, turns: 0 } };
      });
      return found.sort((a, b) => b.deleted - a.deleted);
    });
  }

  async restore(key: string): Promise<string> {
    const found = await this.inTrash(key);
    return orStorageError(t("The session was not restored."), async () => {
      const folder = this.folder(found.id);
      if (await unlessMissing(this.fs.stat(folder), undefined))
        throw new StorageError("IO", t("There is a session {0} already.", found.id));
      await this.fs.rename(join(this.sessions, key), folder);
      await this.fs.syncFolder(this.sessions);
      return found.id;
    });
  }

  async purge(key: string): Promise<void> {
    await this.inTrash(key);
    await orStorageError(INCOMPLETE(), async () => {
      await this.fs.rename(join(this.sessions, key), join(this.sessions, `${REMOVED}${randomUUID()}`));
      await this.emptyTrash();
    });
  }

  /** Under its lock: a session here no more when it resolves, also after a crash. @param doing what could not be done */
  private async moveAway(id: string, to: string, doing: string): Promise<void> {
    const folder = this.folder(id);
    const lock = new SessionLock(this.fs, folder, this.timing, async () => undefined);
    try {
      // A link may lead to foreign files. A folder without a log goes too: a failed import.
      const entry = (await this.entries()).find(each => each.name === id);
      if (!entry?.isDirectory()) throw entry ? notOurs(id, folder) : noSession(id);
      await lock.startSurely();
      if (!lock.isHeld)
        throw new StorageError(
          "IN_USE",
          t("This session is open in another window or terminal. Close it there first."),
        );
      await lock.park();
      await this.fs.rename(folder, to);
      await this.fs.syncFolder(this.sessions);
      await removeQuietly(this.fs, join(to, "lock.json"));
    } catch (error) {
      throw storageError(error, doing);
    } finally {
      await lock.stop();
    }
  }

  private async trashed(): Promise<{ name: string; id: string; deleted: number }[]> {
    return (await this.entries()).flatMap(entry => {
      const [, deleted, id = ""] = TRASHED_NAME.exec(entry.name) ?? [];
      return deleted !== undefined && isId(id) && entry.isDirectory()
        ? [{ name: entry.name, id, deleted: Number(deleted) }]
        : [];
    });
  }

  private async inTrash(key: string): Promise<{ id: string }> {
    const find = async () => (await this.trashed()).find(({ name }) => name === key);
    const found = await orStorageError(t("The deleted sessions could not be listed."), find);
    if (!found) throw new StorageError("NOT_FOUND", t("This session is no longer in the trash."));
    return found;
  }

  /** Deletes what was removed, now or before a crash, and what was in the trash for its time. */
  private async emptyTrash(): Promise<void> {
    const now = this.clock.now();
    for (const { name, deleted } of await this.trashed())
      if (now - deleted > TRASH_MS)
        await this.fs.rename(join(this.sessions, name), join(this.sessions, `${REMOVED}${randomUUID()}`));
    const removed = (await this.entries()).filter(({ name }) => name.startsWith(REMOVED));
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
      t("The session could not be opened."),
      async () =>
        (await isThere("history.jsonl")) ||
        (await isThere("lock.json")) ||
        // pictures of a message that was not sent yet
        (await unlessMissing(this.fs.stat(join(folder, "blobs")), undefined)) !== undefined,
    );
    if (!(await found)) throw noSession(id);
  }
}

const noSession = (id: string): StorageError =>
  new StorageError("NOT_FOUND", t("There is no session {0} here.", JSON.stringify(id.slice(0, 80))));

const notOurs = (id: string, folder: string): StorageError =>
  new StorageError(
    "IO",
    t(
      "Session {0} was not removed: {1} is a link (or no folder at all), and what it leads to is not Strata's to delete. Remove it yourself.",
      id,
      folder,
    ),
  );

/** Names of folders come from people too (`--session`): nothing that leads elsewhere. */
const isId = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);

const ifSound = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const named = { title: ifSound(z.string()), pinned: ifSound(z.boolean()) };
/** The few fields that a list needs, also of records that this version does not know. */
const glimpseSchema = z.object({
  kind: z.string(),
  seq: z.number().catch(0),
  ts: z.number().catch(0),
  ...named,
  message: ifSound(
    z.object({
      role: z.string(),
      parts: z.array(z.object({ type: z.string(), text: z.string().optional() })),
      metadata: z.object({ turn: z.number() }),
    }),
  ),
  /** of a compaction: what stood in the records that it moved to the archive */
  snapshot: ifSound(z.object({ ...named, turn: z.number().catch(0) })),
});

/** From `meta.json`, where it is as new as the log. undefined: the folder holds no session */
async function glanceMeta(fs: FileSystem, id: string, folder: string): Promise<SessionMeta | undefined> {
  const logTime = await lastModified(fs, join(folder, "history.jsonl"));
  if (logTime === undefined) return undefined;
  const metaTime = await lastModified(fs, join(folder, "meta.json"));
  if (metaTime !== undefined && metaTime >= logTime) {
    const cached = sessionMetaSchema.safeParse(parseJson(String(await readOr(fs, join(folder, "meta.json"))))).data;
    if (cached?.id === id) return cached;
  }
  const log = await readOr(fs, join(folder, "history.jsonl"));
  return log && metaFromLog(id, log.toString("utf8"));
}

/**
 * From the live log alone, whatever is in archives; lines that make no sense are passed over. Undefined: its first line is no
 * header.
 */
export function metaFromLog(id: string, log: string): SessionMeta | undefined {
  const [first = "", ...lines] = log.split("\n");
  const header = headerSchema.safeParse(parseJson(first)).data;
  if (!header) return undefined;
  const meta: SessionMeta = { id, title: "", created: header.created, updated: header.created, turns: 0 };
  let asked = "";
  // A torn or broken line is mended and reported where the session is opened.
  const records = lines.flatMap(line => glimpseSchema.safeParse(parseJson(line)).data ?? []);
  // By number, not by place: a compaction may stand before records that are older than it.
  records.sort((a, b) => a.seq - b.seq);
  for (const { kind, ts, message, snapshot, ...record } of records) {
    // Who names a session, or pins it, has not worked on it.
    if (kind !== "title") meta.updated = Math.max(meta.updated, ts);
    const { title, pinned } = kind === "title" ? record : kind === "compaction" ? (snapshot ?? {}) : {};
    meta.title = title ?? meta.title;
    if (pinned !== undefined) meta.pinned = pinned || undefined;
    meta.turns = Math.max(meta.turns, snapshot?.turn ?? (kind === "message" ? (message?.metadata.turn ?? 0) : 0));
    // A session without a title is named by the first words of the person.
    if (kind === "message" && message?.role === "user")
      asked ||= titleFrom(message.parts.find(part => part.type === "text")?.text ?? "");
  }
  const isNewer = header.version > LOG_VERSION;
  return { ...meta, title: meta.title || asked, ...(isNewer && { newer: true as const }) };
}

const lastModified = async (fs: FileSystem, path: string) => (await unlessMissing(fs.stat(path), undefined))?.mtimeMs;
