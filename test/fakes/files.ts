/**
 * A workspace in memory: several roots, an editor with open documents that may hold unsaved text, and whatever a test
 * wants to happen between a tool's `prepare` and its `applyChange`. Without symbolic links.
 */
import { posix } from "node:path";
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  type DirectoryEntry,
  FileError,
  type FileRef,
  type FileStat,
  type Files,
  type Root,
  type TextFile,
  type TogetherOutcome,
} from "../../src/core/ground/ports";
import { decode, encode, encodingAs, mediaTypeOf } from "./encoding";
import { hash } from "./hash";
import { applyEdits } from "./textEdits";

interface DiskFile {
  bytes: Uint8Array;
  mtime: number;
}

interface OpenDocument {
  text: string;
  encoding: string;
  version: number;
  dirty: boolean;
}

const IMAGE_LIMIT = 20 * 1024 * 1024;
const uriOf = (absolute: string) => `file://${absolute.split("/").map(encodeURIComponent).join("/")}`;

export class MemoryFiles implements Files {
  readonly roots: readonly Root[];
  readonly home = "/home/person";
  /** every change that was asked for, whether it was applied or not */
  readonly asked: ApplyEdits[] = [];
  /** `strata.edits.save` */
  save = true;
  /** What a formatter makes of a text that is saved. */
  formatOnSave: ((text: string) => string) | undefined;
  /** Runs before each `apply` looks at the base: what a person types while an approval is open. */
  beforeApply: ((ref: FileRef) => void) | undefined;
  /** Hears of each file that is changed through `apply`. */
  onChange: ((ref: FileRef) => void) | undefined;
  /** The next call of an operation fails with this. */
  readonly failNext: Partial<Record<"stat" | "read" | "apply" | "list", FileError>> = {};
  private readonly disk = new Map<string, DiskFile>();
  private readonly folders = new Set<string>();
  readonly open = new Map<string, OpenDocument>();
  private time = Date.UTC(2026, 0, 1);

  /** `{ app: { "src/a.ts": "text" } }`: the root `app` is `/ws/app`. Later files are newer. */
  constructor(roots: Record<string, Record<string, string | Uint8Array>> = { app: {} }) {
    this.roots = Object.keys(roots).map(name => ({ name, path: `/ws/${name}`, uri: uriOf(`/ws/${name}`) }));
    for (const root of this.roots) {
      this.folders.add(root.path);
      for (const [path, content] of Object.entries(roots[root.name] ?? {})) this.put(`${root.path}/${path}`, content);
    }
  }

  // ------------------------------------------------------------- for tests

  /** Writes to disk as another program would: an open document does not notice, unless it was clean. */
  put(path: string, content: string | Uint8Array): void {
    const absolute = this.absolute(path);
    this.disk.set(absolute, {
      bytes: typeof content === "string" ? encode(content, "utf8") : content,
      mtime: this.tick(),
    });
    const document = this.open.get(absolute);
    const decoded = decode(this.bytesOf(absolute));
    if (document && !document.dirty && decoded) this.change(document, decoded.text);
  }

  mkdir(path: string): void {
    this.folders.add(this.absolute(path));
  }

  remove(path: string): void {
    const absolute = this.absolute(path);
    this.disk.delete(absolute);
    if (!this.open.get(absolute)?.dirty) this.open.delete(absolute);
  }

  touch(path: string, mtime = this.tick()): void {
    this.disk.set(this.absolute(path), { bytes: this.bytesOf(this.absolute(path)), mtime });
  }

  /** Opens a document in the editor; with `unsaved` it holds that text. */
  edit(path: string, unsaved?: string): void {
    const absolute = this.absolute(path);
    const found = this.disk.get(absolute);
    const decoded = found ? decode(found.bytes) : { text: "", encoding: "utf8" };
    if (!decoded) throw new Error(`${path} is binary`);
    const document = this.open.get(absolute) ?? { ...decoded, version: 1, dirty: false };
    this.open.set(absolute, document);
    if (unsaved === undefined) return;
    this.change(document, unsaved);
    document.dirty = true;
  }

  /** What is on disk, byte for byte; undefined: nothing. */
  onDisk(path: string): string | undefined {
    const found = this.disk.get(this.absolute(path));
    return found && Buffer.from(found.bytes).toString("utf8");
  }

  /** Absolute, as they are spelled there. */
  namesOnDisk(): string[] {
    return [...this.disk.keys()].sort();
  }

  bytesOnDisk(path: string): Uint8Array | undefined {
    return this.disk.get(this.absolute(path))?.bytes;
  }

  inEditor(path: string): string | undefined {
    return this.open.get(this.absolute(path))?.text;
  }

  /** Every file, with its time of change (ms); also those that only the editor has. */
  all(): { ref: FileRef; mtime: number }[] {
    return [...new Set([...this.disk.keys(), ...this.open.keys()])]
      .sort()
      .map(absolute => ({ ref: this.refOf(absolute), mtime: this.disk.get(absolute)?.mtime ?? 0 }));
  }

  /** The text as it stands; undefined: binary or nothing. */
  textOf(ref: FileRef): string | undefined {
    const found = this.disk.get(ref.absolute);
    return this.open.get(ref.absolute)?.text ?? (found && decode(found.bytes)?.text);
  }

  // ------------------------------------------------------------- the port

  async resolve(input: string): Promise<FileRef> {
    return this.refOf(this.absolute(input));
  }

  async stat(ref: FileRef): Promise<FileStat | undefined> {
    this.fault("stat");
    const found = this.disk.get(ref.absolute);
    const document = this.open.get(ref.absolute);
    if (found || document) {
      return {
        type: "file",
        size: (found?.bytes ?? encode(document?.text ?? "", "utf8")).length,
        mtime: found?.mtime ?? 0,
      };
    }
    return this.isFolder(ref.absolute) ? { type: "directory", size: 0, mtime: this.time } : undefined;
  }

  async read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    this.fault("read");
    return this.readNow(ref, maxBytes);
  }

  async apply(change: ApplyEdits): Promise<ApplyOutcome> {
    const outcome = this.applyNow(change);
    if (outcome.kind === "applied") this.onChange?.(change.ref);
    return outcome;
  }

  /** One after the other; once one is made, what fails is told and the rest goes on. */
  async applyTogether(changes: readonly ApplyEdits[]): Promise<TogetherOutcome> {
    const done: Extract<TogetherOutcome, { kind: "applied" }>["files"][number][] = [];
    for (const change of changes) {
      const isFirst = !done.some(({ kind }) => kind === "applied");
      try {
        const outcome = await this.apply(change);
        if (outcome.kind === "applied") done.push(outcome);
        else if (isFirst) return outcome;
        else done.push({ kind: "failed", why: "it changed at the same moment. Read it, then Edit it." });
      } catch (error) {
        if (isFirst || !(error instanceof FileError)) throw error;
        done.push({ kind: "failed", why: error.message });
      }
    }
    return { kind: "applied", files: done };
  }

  private applyNow(change: ApplyEdits): ApplyOutcome {
    this.asked.push(change);
    this.beforeApply?.(change.ref);
    this.fault("apply");
    const { absolute } = change.ref;
    const exists = this.disk.has(absolute) || this.open.has(absolute);
    if (change.base === null) {
      if (exists) return { kind: "stale" };
      this.refuseFileAsFolder(absolute);
      return this.store(absolute, applyEdits("", change.edits), encodingAs(change.as));
    }
    if (!exists) return { kind: "stale" };
    const now = this.readNow(change.ref, Number.POSITIVE_INFINITY);
    if (now.kind === "binary" || now.stamp.sha256 !== change.base) return { kind: "stale" };
    return this.store(absolute, applyEdits(now.text, change.edits), now.encoding);
  }

  async removeFile(ref: FileRef, base: string): Promise<"removed" | "stale"> {
    this.beforeApply?.(ref);
    this.fault("apply");
    if (!this.disk.has(ref.absolute) || this.readNow(ref, Number.MAX_VALUE).stamp.sha256 !== base) return "stale";
    this.remove(ref.absolute);
    // As an editor does: the text that is taken away is the one that was looked at.
    this.open.delete(ref.absolute);
    return "removed";
  }

  async list(ref: FileRef): Promise<DirectoryEntry[]> {
    this.fault("list");
    if (!this.isFolder(ref.absolute)) throw new FileError("NOT_FOUND", `${ref.path} is not a folder`);
    const prefix = ref.absolute === "/" ? "/" : `${ref.absolute}/`;
    const entries = new Map<string, DirectoryEntry>();
    const add = (absolute: string, type: "file" | "directory", size: number) => {
      if (!absolute.startsWith(prefix) || absolute === ref.absolute) return;
      const [name = "", ...below] = absolute.slice(prefix.length).split("/");
      if (below.length > 0) entries.set(name, { name, type: "directory", size: 0 });
      else if (!entries.has(name)) entries.set(name, { name, type, size });
    };
    for (const folder of this.folders) add(folder, "directory", 0);
    for (const [absolute, file] of this.disk) add(absolute, "file", file.bytes.length);
    return [...entries.values()];
  }

  // ------------------------------------------------------------- inside

  private readNow(ref: FileRef, maxBytes: number): TextFile | BinaryFile {
    const document = this.open.get(ref.absolute);
    const found = this.disk.get(ref.absolute);
    if (!document && !found) throw new FileError("NOT_FOUND", `${ref.path} is not there`);
    const bytes = document ? encode(document.text, document.encoding) : this.bytesOf(ref.absolute);
    if (bytes.length > maxBytes) throw new FileError("TOO_LARGE", `${ref.path} has ${bytes.length} bytes`);
    const stamp = {
      mtime: found?.mtime ?? 0,
      ...(document && { version: document.version }),
      sha256: hash.sha256(bytes),
      dirty: document?.dirty ?? false,
    };
    if (document) return { kind: "text", text: document.text, encoding: document.encoding, stamp, from: "editor" };
    const decoded = decode(bytes);
    if (decoded) return { kind: "text", ...decoded, stamp, from: "disk" };
    const mediaType = mediaTypeOf(bytes);
    const isSmallImage = mediaType?.startsWith("image/") && bytes.length <= IMAGE_LIMIT;
    return {
      kind: "binary",
      size: bytes.length,
      stamp,
      ...(mediaType && { mediaType }),
      ...(isSmallImage && { bytes }),
    };
  }

  /** The user's own unsaved text stays unsaved, and the edit with it. */
  store(absolute: string, edited: string, encoding: string, byPerson = false): ApplyOutcome {
    const saved = byPerson || (this.save && !this.open.get(absolute)?.dirty);
    const text = saved ? (this.formatOnSave?.(edited) ?? edited) : edited;
    if (saved) this.disk.set(absolute, { bytes: encode(text, encoding), mtime: this.tick() });
    const document = this.open.get(absolute) ?? (saved ? undefined : { text, encoding, version: 1, dirty: true });
    if (document) {
      this.open.set(absolute, document);
      this.change(document, text);
      document.dirty = !saved;
    }
    const stamp = {
      mtime: this.disk.get(absolute)?.mtime ?? 0,
      ...(document && { version: document.version }),
      sha256: hash.sha256(encode(text, encoding)),
      dirty: !saved,
    };
    return { kind: "applied", stamp, text, saved };
  }

  private refuseFileAsFolder(absolute: string): void {
    for (let folder = posix.dirname(absolute); folder !== "/"; folder = posix.dirname(folder)) {
      if (this.disk.has(folder)) throw new FileError("IO", `${folder} is a file, not a folder`);
    }
  }

  private change(document: OpenDocument, text: string): void {
    document.text = text;
    document.version += 1;
  }

  private absolute(input: string): string {
    const named = /^([^/:]+):(.*)$/.exec(input);
    const root = named && this.roots.find(candidate => candidate.name === named[1]);
    if (root && named) return trim(posix.join(root.path, named[2] ?? ""));
    if (input.startsWith("/")) return trim(posix.normalize(input));
    if (input === "~" || input.startsWith("~/")) return trim(posix.join(this.home, input.slice(1)));
    return trim(posix.join(this.roots[0]?.path ?? "/", input));
  }

  private refOf(absolute: string): FileRef {
    const root = this.roots.find(({ path }) => absolute === path || absolute.startsWith(`${path}/`));
    if (!root) return { uri: uriOf(absolute), absolute, path: absolute, relative: absolute, inside: false };
    const relative = absolute.slice(root.path.length + 1) || ".";
    return {
      uri: uriOf(absolute),
      absolute,
      path: this.roots.length > 1 ? `${root.name}:${relative}` : relative,
      relative,
      inside: true,
    };
  }

  private isFolder(absolute: string): boolean {
    if (absolute === "/" || this.folders.has(absolute)) return true;
    return [...this.disk.keys(), ...this.folders].some(other => other.startsWith(`${absolute}/`));
  }

  private bytesOf(absolute: string): Uint8Array {
    return this.disk.get(absolute)?.bytes ?? new Uint8Array();
  }

  private fault(operation: "stat" | "read" | "apply" | "list"): void {
    const error = this.failNext[operation];
    delete this.failNext[operation];
    if (error) throw error;
  }

  private tick(): number {
    this.time += 1000;
    return this.time;
  }
}

const trim = (path: string) => (path.length > 1 ? path.replace(/\/$/, "") : path);
