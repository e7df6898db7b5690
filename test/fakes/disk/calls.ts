/** What one program can do with a disk: the calls of `src/node/fileSystem.ts`, with the errors of a real one. */
import type { FileSystem } from "../../../src/node/fileSystem";
import type { Effect, NodeId } from "./effects";
import type { ModelDisk } from "./modelDisk";
import { partsOf } from "./paths";
import { systemError } from "./systemError";

export class Calls implements FileSystem {
  private readonly opened = new Map<number, NodeId>();
  private lastFd = 2;

  constructor(private readonly disk: ModelDisk) {}

  async open(path: string, flags: "a" | "wx"): Promise<number> {
    const { folder, name } = this.place(path);
    let node = this.disk.names(folder).get(name);
    if (node !== undefined && flags === "wx") throw systemError("EEXIST");
    if (node !== undefined && this.disk.isFolder(node)) throw systemError("EISDIR");
    if (node === undefined) {
      node = this.disk.newNode("file");
      this.disk.happen({ type: "names", node: folder, names: [[name, node]] });
    }
    const fd = ++this.lastFd;
    this.opened.set(fd, node);
    return fd;
  }

  async close(fd: number): Promise<void> {
    this.nodeOf(fd);
    this.opened.delete(fd);
  }

  async write(fd: number, bytes: Uint8Array, from: number): Promise<number> {
    return this.writeSync(fd, bytes, from);
  }

  writeSync(fd: number, bytes: Uint8Array, from: number, position?: number): number {
    const node = this.nodeOf(fd);
    if (this.disk.free <= 0) throw systemError("ENOSPC");
    const data = Buffer.from(bytes.subarray(from, from + this.disk.free));
    this.disk.free -= data.length;
    this.disk.happen({
      ...{ type: "write", node, data, time: this.disk.now() },
      at: position ?? this.disk.file(node).data.length,
    });
    return data.length;
  }

  async fdatasync(fd: number): Promise<void> {
    this.disk.entries.push({ type: "sync", node: this.nodeOf(fd) });
  }

  async ftruncate(fd: number, length: number): Promise<void> {
    this.disk.happen({ type: "length", node: this.nodeOf(fd), length, time: this.disk.now() });
  }

  async fstat(fd: number) {
    const node = this.nodeOf(fd);
    return { size: this.disk.file(node).data.length, identity: String(node) };
  }

  identitySync(path: string): string | undefined {
    const node = this.disk.find(path);
    return node === undefined ? undefined : String(node);
  }

  async stat(path: string) {
    return this.statOf(this.there(path));
  }

  private statOf(node: NodeId) {
    const { data, time } = this.disk.file(node);
    const folder = this.disk.isFolder(node);
    return { size: data.length, mtimeMs: time, mode: folder ? 0o40700 : 0o100600, isFile: () => !folder };
  }

  async readFile(path: string): Promise<Buffer> {
    const node = this.there(path);
    if (this.disk.isFolder(node)) throw systemError("EISDIR");
    return Buffer.from(this.disk.file(node).data);
  }

  async readdir(path: string) {
    return [...this.disk.names(this.folder(path))].map(([name, node]) => ({
      name,
      isFile: () => !this.disk.isFolder(node),
      isDirectory: () => this.disk.isFolder(node),
    }));
  }

  async mkdir(path: string): Promise<void> {
    const { folder, name } = this.place(path);
    if (this.disk.names(folder).has(name)) throw systemError("EEXIST");
    this.disk.happen({ type: "names", node: folder, names: [[name, this.disk.newNode("folder")]] });
  }

  async rename(from: string, to: string): Promise<void> {
    const node = this.there(from);
    const source = this.place(from);
    const target = this.place(to);
    const there = this.disk.names(target.folder).get(target.name);
    if (there !== undefined && this.disk.isFolder(there)) throw systemError("EISDIR");
    if (there === node) return;
    if (source.folder === target.folder) {
      const names: [string, NodeId | undefined][] = [
        [source.name, undefined],
        [target.name, node],
      ];
      return this.disk.happen({ type: "names", node: source.folder, names });
    }
    const arrival: Effect = { type: "names", node: target.folder, names: [[target.name, node]] };
    this.disk.happen(arrival);
    this.disk.happen({ type: "names", node: source.folder, names: [[source.name, undefined]], needs: arrival });
  }

  async link(from: string, to: string): Promise<void> {
    const node = this.there(from);
    const { folder, name } = this.place(to);
    if (this.disk.names(folder).has(name)) throw systemError("EEXIST");
    this.disk.happen({ type: "names", node: folder, names: [[name, node]] });
  }

  async unlink(path: string): Promise<void> {
    if (this.disk.isFolder(this.there(path))) throw systemError("EISDIR");
    const { folder, name } = this.place(path);
    this.disk.happen({ type: "names", node: folder, names: [[name, undefined]] });
  }

  async rmdir(path: string): Promise<void> {
    if (this.disk.names(this.folder(path)).size > 0) throw systemError("ENOTEMPTY");
    const { folder, name } = this.place(path);
    this.disk.happen({ type: "names", node: folder, names: [[name, undefined]] });
  }

  async chmod(path: string): Promise<void> {
    this.there(path);
  }

  async syncFolder(path: string): Promise<void> {
    this.disk.entries.push({ type: "sync", node: this.folder(path) });
  }

  private nodeOf(fd: number): NodeId {
    const node = this.opened.get(fd);
    if (node === undefined) throw systemError("EBADF");
    return node;
  }

  private there(path: string): NodeId {
    const node = this.disk.find(path);
    if (node === undefined) throw systemError("ENOENT");
    return node;
  }

  private folder(path: string): NodeId {
    const node = this.there(path);
    if (!this.disk.isFolder(node)) throw systemError("ENOTDIR");
    return node;
  }

  private place(path: string): { folder: NodeId; name: string } {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    return { folder: this.folder(`/${parts.join("/")}`), name };
  }
}
