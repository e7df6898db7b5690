/** The files of one session in memory, as one window has them open. */
import { createHash } from "node:crypto";
import {
  type BlobWriter,
  type SessionFileName,
  type SessionFiles,
  type SessionFolderName,
  type SessionLogName,
  type SessionStorage,
  StorageError,
} from "../../src/core/ground/ports";
import { isSessionFileName, isSessionLogName } from "../../src/core/ground/ports/storage";
import type { DiskSession, MemoryDisk } from "./storage";

export class MemorySession implements SessionFiles {
  children?: SessionStorage;
  private readonly listeners: ((writable: boolean) => void)[] = [];
  private readonly life: number;
  private wasLost = false;
  private closed = false;
  private unsynced = false;

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
    requireFileName(name);
    return this.session.files.get(name)?.toString("utf8");
  }

  async readBytes(name: SessionFileName) {
    requireFileName(name);
    return this.session.files.get(name);
  }

  async append(name: SessionLogName, text: string): Promise<void> {
    this.mustHold();
    requireFileName(name, isSessionLogName);
    const data = Buffer.from(text, "utf8");
    const write = (bytes: number) => {
      const before = this.session.files.get(name) ?? Buffer.alloc(0);
      this.session.files.set(name, Buffer.concat([before, data.subarray(0, bytes)]));
    };
    this.disk.operation(`append ${name}`, write);
    write(data.length);
    this.unsynced = true;
  }

  async sync(): Promise<void> {
    if (!this.unsynced) return;
    this.mustHold();
    if (this.disk.syncFails) throw new StorageError("IO", "The disk fails. Open the session again.");
    this.unsynced = false;
  }

  async truncate(name: SessionLogName, bytes: number): Promise<void> {
    this.mustHold();
    requireFileName(name, isSessionLogName);
    this.disk.operation(`truncate ${name}`);
    this.session.files.set(name, Buffer.from((this.session.files.get(name) ?? Buffer.alloc(0)).subarray(0, bytes)));
  }

  async replace(name: SessionFileName, text: string): Promise<void> {
    this.mustHold();
    requireFileName(name);
    // a rename is whole or not at all: a crash leaves the old file
    this.disk.operation(`replace ${name}`);
    this.session.files.set(name, Buffer.from(text, "utf8"));
  }

  async list(folder: SessionFolderName): Promise<string[]> {
    if (folder === "blobs") return [...this.session.blobs.keys()].sort();
    return [...this.session.files.keys()]
      .filter(name => name.startsWith(`${folder}/`) && isSessionFileName(name))
      .map(name => name.slice(folder.length + 1))
      .sort();
  }

  async bytes(): Promise<number> {
    return bytesOf(this.session);
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
        chunks.push(Buffer.from(chunk as string));
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

  async putSnapshot(sha256: string, given: string | Uint8Array): Promise<void> {
    this.mustHold();
    requireBlobName(sha256);
    if (this.session.snapshots.has(sha256)) return;
    this.disk.operation("putSnapshot");
    const data = typeof given === "string" ? Buffer.from(given, "utf8") : Buffer.from(given);
    this.session.snapshots.set(sha256, named(sha256, data));
  }

  async getSnapshotBytes(sha256: string): Promise<Uint8Array | undefined> {
    requireBlobName(sha256);
    const data = this.session.snapshots.get(sha256);
    return data && named(sha256, data);
  }

  async getSnapshot(sha256: string): Promise<string | undefined> {
    requireBlobName(sha256);
    const data = this.session.snapshots.get(sha256);
    return data && named(sha256, data).toString("utf8");
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
    else if (!this.session.files.has("history.jsonl") && this.session.blobs.size === 0)
      this.disk.sessions.delete(this.id);
  }

  /** Tells the listeners; for the disk only. */
  changed(writable: boolean): void {
    this.wasLost = !writable;
    for (const listener of this.listeners) listener(writable);
  }

  private store(sha256: string, data: Buffer): void {
    this.session.blobs.set(sha256, named(sha256, data));
  }

  private mustHold(): void {
    if (this.life !== this.disk.life) throw new StorageError("IO", "The process was killed.");
    if (this.writable) return;
    if (this.wasLost) throw new StorageError("LOST_LOCK", "Another window has taken this session over.");
    throw new StorageError("READ_ONLY", "This session is being written by another window.");
  }
}

function named(sha256: string, data: Buffer): Buffer {
  const actual = createHash("sha256").update(data).digest("hex");
  if (actual !== sha256) throw new StorageError("IO", `What was to be ${sha256} is ${actual}: it is damaged.`);
  return data;
}

function requireBlobName(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new StorageError("NOT_FOUND", `${sha256} is no blob's name.`);
}

function requireFileName(name: string, isName: (name: string) => boolean = isSessionFileName): void {
  if (!isName(name)) throw new StorageError("IO", `${name} is no file of a session.`);
}

export function bytesOf({ files, blobs, snapshots }: DiskSession): number {
  return [...files.values(), ...blobs.values(), ...snapshots.values()].reduce((sum, data) => sum + data.length, 0);
}
