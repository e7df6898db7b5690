/**
 * Sessions in memory. A `MemoryDisk` outlives the windows on it: two `MemoryStorage` on one disk are two windows, a new one
 * after `crash()` is a restart. Every operation that writes has a number, from 1; `failAt` says what happens at one.
 */
import {
  type DeletedSession,
  type SessionFiles,
  type SessionMeta,
  type SessionStorage,
  StorageError,
  type UnreviewedMarks,
} from "../../src/core/ground/ports";
import { metaFromLog } from "../../src/node/storage/sessionStorage";
import { bytesOf, MemorySession } from "./sessionFiles";

/** What goes wrong at an operation. `torn`: the process dies with this many bytes of the operation on disk. */
export type Fault = { code: StorageError["code"] } | { torn: number };

export interface DiskSession {
  /** by their names in the session's folder: `archive/0001.jsonl` */
  files: Map<string, Buffer>;
  blobs: Map<string, Buffer>;
  /** not redacted */
  snapshots: Map<string, Buffer>;
  meta: SessionMeta | undefined;
  /** who writes; undefined: nobody */
  holder: MemorySession | undefined;
  /** opened, in the order of opening: the next to write */
  waiting: MemorySession[];
  /** its process ended without giving it back */
  leftOpen?: boolean;
  /** of its children */
  below?: MemoryDisk;
}

export class MemoryDisk {
  readonly sessions = new Map<string, DiskSession>();
  /** `key.session` → URI */
  readonly marks = new Map<string, string>();
  readonly trashed = new Map<string, { id: string; session: DiskSession }>();
  /** `append history.jsonl`, `putBlob`, …: what was asked for so far, whether it worked or not */
  readonly operations: string[] = [];
  full = false;
  /** nothing that was written is sure to be there after a power cut */
  syncFails = false;
  private readonly faults = new Map<number, Fault>();
  private crashed = 0;

  /** @param operation counted from 1 over the life of the disk; 0: the next one */
  failAt(operation: number, fault: Fault): void {
    this.faults.set(operation === 0 ? this.operations.length + 1 : operation, fault);
  }

  /** The process ends here: whoever writes to an old session finds that it is gone; locks are free. */
  crash(): void {
    this.crashed++;
    for (const session of this.sessions.values()) {
      session.leftOpen = session.holder !== undefined;
      session.holder = undefined;
      session.waiting = [];
      session.below?.crash();
    }
  }

  /** Another window takes the session over, as after a long sleep of this one. */
  steal(id: string): void {
    const session = this.sessions.get(id);
    const { holder } = session ?? {};
    if (!session || !holder) throw new Error(`nobody holds ${id}`);
    session.holder = undefined;
    holder.changed(false);
  }

  get life(): number {
    return this.crashed;
  }

  /** Throws what is to go wrong; `write` puts the beginning of the data on disk. */
  operation(name: string, write: (bytes: number) => void = () => undefined): void {
    this.operations.push(name);
    const fault = this.faults.get(this.operations.length);
    if (fault && "torn" in fault) {
      write(fault.torn);
      this.crash();
      throw new StorageError("IO", "The process was killed.");
    }
    if (fault) throw new StorageError(fault.code, `${name} failed: ${fault.code}`);
    if (this.full) throw new StorageError("DISK_FULL", "The disk is full. Free some space, then send it again.");
  }

  /** What stands in a file of a session, as text. */
  text(id: string, name: string): string | undefined {
    return this.sessions.get(id)?.files.get(name)?.toString("utf8");
  }

  /** Writes into a file behind everyone's back. */
  put(id: string, name: string, text: string): void {
    const [folder, sha256] = name.split("/");
    const session = this.sessions.get(id);
    if (folder === "snapshots" && sha256) session?.snapshots.set(sha256, Buffer.from(text, "utf8"));
    else session?.files.set(name, Buffer.from(text, "utf8"));
  }
}

export class MemoryStorage implements SessionStorage {
  readonly unreviewed: UnreviewedMarks = {
    list: async () => [...this.disk.marks.keys()],
    read: async mark => this.disk.marks.get(mark) ?? "",
    put: async (mark, uri) => void this.disk.marks.set(mark, uri),
    drop: async mark => void this.disk.marks.delete(mark),
    open: mark => this.open(mark.slice(mark.indexOf(".") + 1), { readOnly: true }),
    activeUntil: async mark => {
      const id = mark.slice(mark.indexOf(".") + 1);
      const session = this.disk.sessions.get(id);
      const isOpen = session?.holder !== undefined || session?.leftOpen;
      return session && (isOpen ? Infinity : metaFromLog(id, this.disk.text(id, "history.jsonl") ?? "")?.updated);
    },
  };

  constructor(readonly disk = new MemoryDisk()) {}

  async list(): Promise<SessionMeta[]> {
    return [...this.disk.sessions]
      .flatMap(([id, { files, meta }]) => {
        const log = files.get("history.jsonl")?.toString("utf8");
        const found = meta ?? (log === undefined ? undefined : metaFromLog(id, log));
        return found ? [found] : [];
      })
      .sort((a, b) => b.updated - a.updated);
  }

  async create(id: string): Promise<SessionFiles> {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id)) throw new StorageError("NOT_FOUND", `There is no session ${id} here.`);
    if (this.disk.sessions.has(id)) throw new StorageError("IO", `There is a session ${id} already.`);
    this.disk.operation("create");
    const empty = { files: new Map(), blobs: new Map(), snapshots: new Map(), waiting: [] };
    this.disk.sessions.set(id, { ...empty, meta: undefined, holder: undefined });
    return this.open(id);
  }

  async open(id: string, { readOnly = false }: { readOnly?: boolean } = {}): Promise<SessionFiles> {
    const session = this.disk.sessions.get(id);
    if (!session) throw new StorageError("NOT_FOUND", `There is no session ${id} here.`);
    const files = new MemorySession(id, session, this.disk);
    session.below ??= new MemoryDisk();
    files.children = new MemoryStorage(session.below);
    if (readOnly) return files;
    if (session.holder) session.waiting.push(files);
    else session.holder = files;
    session.leftOpen = false;
    return files;
  }

  async writeMeta(meta: SessionMeta): Promise<void> {
    const session = this.disk.sessions.get(meta.id);
    if (!session) throw new StorageError("NOT_FOUND", `There is no session ${meta.id} here.`);
    this.disk.operation("writeMeta");
    session.meta = meta;
  }

  async usage(): Promise<{ id: string; bytes: number }[]> {
    return [...this.disk.sessions]
      .filter(([, { files }]) => files.has("history.jsonl"))
      .map(([id, session]) => ({ id, bytes: bytesOf(session) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async remove(id: string): Promise<void> {
    const session = this.disk.sessions.get(id);
    if (!session) throw new StorageError("NOT_FOUND", `There is no session ${id} here.`);
    if (session.holder) throw new StorageError("IN_USE", "This session is open in another window.");
    this.disk.operation("remove");
    this.disk.sessions.delete(id);
  }

  async trash(id: string): Promise<string> {
    const session = this.disk.sessions.get(id);
    await this.remove(id);
    const key = `.trash-${this.disk.trashed.size}-${id}`;
    if (session) this.disk.trashed.set(key, { id, session });
    return key;
  }

  async deleted(): Promise<DeletedSession[]> {
    return [...this.disk.trashed].map(([key, { id, session }]) => {
      const log = session.files.get("history.jsonl")?.toString("utf8") ?? "";
      const meta = session.meta ?? metaFromLog(id, log) ?? { id, title: "", created: 0, updated: 0, turns: 0 };
      return { key, deleted: 0, meta };
    });
  }

  async restore(key: string): Promise<string> {
    const { id, session } = this.inTrash(key);
    if (this.disk.sessions.has(id)) throw new StorageError("IO", `There is a session ${id} already.`);
    this.disk.sessions.set(id, session);
    this.disk.trashed.delete(key);
    return id;
  }

  async purge(key: string): Promise<void> {
    this.inTrash(key);
    this.disk.trashed.delete(key);
  }

  private inTrash(key: string) {
    const found = this.disk.trashed.get(key);
    if (!found) throw new StorageError("NOT_FOUND", "This session is no longer in the trash.");
    return found;
  }
}
