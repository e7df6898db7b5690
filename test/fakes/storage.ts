/**
 * Sessions in memory. A `MemoryDisk` outlives the windows on it: two `MemoryStorage` on one disk are two windows, a new one
 * after `crash()` is a restart. Every operation that writes has a number, from 1; `failAt` says what happens at one.
 */
import { createHash } from "node:crypto";
import {
  type BlobWriter,
  type SessionFileName,
  type SessionFiles,
  type SessionLogName,
  type SessionMeta,
  type SessionStorage,
  StorageError,
} from "../../src/core/ports";

/** What goes wrong at an operation. `torn`: the process dies with this many bytes of the operation on disk. */
export type Fault = { code: StorageError["code"] } | { torn: number };

interface DiskSession {
  files: Map<string, Buffer>;
  blobs: Map<string, Buffer>;
  meta: SessionMeta | undefined;
  /** who writes; undefined: nobody */
  holder: MemorySession | undefined;
  /** opened, in the order of opening: the next to write */
  waiting: MemorySession[];
}

export class MemoryDisk {
  readonly sessions = new Map<string, DiskSession>();
  /** `append history.jsonl`, `putBlob`, …: what was asked for so far, whether it worked or not */
  readonly operations: string[] = [];
  full = false;
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
      session.holder = undefined;
      session.waiting = [];
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
    this.sessions.get(id)?.files.set(name, Buffer.from(text, "utf8"));
  }
}

export class MemoryStorage implements SessionStorage {
  constructor(readonly disk = new MemoryDisk()) {}

  async list(): Promise<SessionMeta[]> {
    return [...this.disk.sessions]
      .flatMap(([id, { files, meta }]) => {
        const log = files.get("history.jsonl")?.toString("utf8");
        const found = meta ?? (log === undefined ? undefined : metaOf(id, log));
        return found ? [found] : [];
      })
      .sort((a, b) => b.updated - a.updated);
  }

  async create(id: string): Promise<SessionFiles> {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id)) throw new StorageError("NOT_FOUND", `There is no session ${id} here.`);
    if (this.disk.sessions.has(id)) throw new StorageError("IO", `There is a session ${id} already.`);
    this.disk.operation("create");
    this.disk.sessions.set(id, { files: new Map(), blobs: new Map(), meta: undefined, holder: undefined, waiting: [] });
    return this.open(id);
  }

  async open(id: string, { readOnly = false }: { readOnly?: boolean } = {}): Promise<SessionFiles> {
    const session = this.disk.sessions.get(id);
    if (!session) throw new StorageError("NOT_FOUND", `There is no session ${id} here.`);
    const files = new MemorySession(id, session, this.disk);
    if (readOnly) return files;
    if (session.holder) session.waiting.push(files);
    else session.holder = files;
    return files;
  }

  async writeMeta(meta: SessionMeta): Promise<void> {
    const session = this.disk.sessions.get(meta.id);
    if (!session) throw new StorageError("NOT_FOUND", `There is no session ${meta.id} here.`);
    this.disk.operation("writeMeta");
    session.meta = meta;
  }
}

class MemorySession implements SessionFiles {
  private readonly listeners: ((writable: boolean) => void)[] = [];
  private readonly life: number;
  private wasLost = false;
  private closed = false;

  constructor(
    readonly id: string,
    private readonly session: DiskSession,
    private readonly disk: MemoryDisk,
  ) {
    this.life = disk.life;
  }

  get writable(): boolean {
    return this.session.holder === this && !this.closed;
  }

  async read(name: SessionFileName): Promise<string | undefined> {
    return this.session.files.get(name)?.toString("utf8");
  }

  async append(name: SessionLogName, text: string): Promise<void> {
    this.mustHold();
    const data = Buffer.from(text, "utf8");
    const write = (bytes: number) => {
      const before = this.session.files.get(name) ?? Buffer.alloc(0);
      this.session.files.set(name, Buffer.concat([before, data.subarray(0, bytes)]));
    };
    this.disk.operation(`append ${name}`, write);
    write(data.length);
  }

  async truncate(name: SessionLogName, bytes: number): Promise<void> {
    this.mustHold();
    this.disk.operation(`truncate ${name}`);
    this.session.files.set(name, Buffer.from((this.session.files.get(name) ?? Buffer.alloc(0)).subarray(0, bytes)));
  }

  async replace(name: SessionFileName, text: string): Promise<void> {
    this.mustHold();
    // a rename is whole or not at all: a crash leaves the old file
    this.disk.operation(`replace ${name}`);
    this.session.files.set(name, Buffer.from(text, "utf8"));
  }

  async putBlob(sha256: string, data: string | Uint8Array): Promise<void> {
    this.mustHold();
    requireBlobName(sha256);
    if (this.session.blobs.has(sha256)) return;
    this.disk.operation("putBlob");
    this.store(sha256, Buffer.from(data));
  }

  async getBlob(sha256: string): Promise<Uint8Array | undefined> {
    requireBlobName(sha256);
    return this.session.blobs.get(sha256);
  }

  blobWriter(): BlobWriter {
    this.mustHold();
    const chunks: Uint8Array[] = [];
    return {
      write: async chunk => {
        this.disk.operation("blob write");
        chunks.push(Uint8Array.from(chunk));
      },
      finish: async () => {
        this.disk.operation("blob finish");
        const data = Buffer.concat(chunks);
        const sha256 = createHash("sha256").update(data).digest("hex");
        this.store(sha256, data);
        return { sha256, bytes: data.length };
      },
      discard: async () => {
        chunks.length = 0;
      },
    };
  }

  onLockChange(listener: (writable: boolean) => void): void {
    this.listeners.push(listener);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    const held = this.writable;
    this.closed = true;
    this.session.waiting = this.session.waiting.filter(other => other !== this);
    if (!held) return;
    const next = this.session.waiting.shift();
    this.session.holder = next;
    if (next) next.changed(true);
    else if (!this.session.files.has("history.jsonl")) this.disk.sessions.delete(this.id);
  }

  /** Tells the listeners; for the disk only. */
  changed(writable: boolean): void {
    this.wasLost = !writable;
    for (const listener of this.listeners) listener(writable);
  }

  private store(sha256: string, data: Buffer): void {
    const actual = createHash("sha256").update(data).digest("hex");
    if (actual !== sha256) throw new StorageError("IO", `A blob was to be ${sha256} but is ${actual}.`);
    this.session.blobs.set(sha256, data);
  }

  private mustHold(): void {
    if (this.life !== this.disk.life) throw new StorageError("IO", "The process was killed.");
    if (this.writable) return;
    if (this.wasLost) throw new StorageError("LOST_LOCK", "Another window has taken this session over.");
    throw new StorageError("READ_ONLY", "This session is being written by another window.");
  }
}

function requireBlobName(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new StorageError("NOT_FOUND", `${sha256} is no blob's name.`);
}

function metaOf(id: string, log: string): SessionMeta | undefined {
  const records = log.split("\n").flatMap(line => {
    try {
      return [JSON.parse(line)];
    } catch {
      // a torn or broken line, as opening finds it
      return [];
    }
  });
  const [header, ...rest] = records;
  if (header?.kind !== "header") return undefined;
  const messages = rest.filter(record => record.kind === "message" && record.message?.role === "user");
  const named = rest.findLast(record => record.kind === "title")?.title;
  return {
    id,
    title: named ?? messages[0]?.message.parts[0]?.text?.split("\n")[0] ?? "",
    created: header.created,
    updated: Math.max(header.created, ...rest.map(record => record.ts ?? 0)),
    turns: Math.max(0, ...messages.map(record => record.message.metadata.turn)),
  };
}
