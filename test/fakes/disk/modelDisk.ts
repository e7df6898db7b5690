/**
 * A disk with a page cache, in memory: what programs see is not what a power cut leaves. The real storage runs on it
 * (`src/node/fileSystem.ts`); each program has calls of its own, which can fail or end with it.
 */
import type { FileSystem } from "../../../src/node/fileSystem";
import { Calls } from "./calls";
import type { Contents, Effect, Entry, NodeId } from "./effects";
import { applyEffect, emptyContents, filesOf, ROOT } from "./effects";
import { partsOf } from "./paths";
import { type PowerCut, powerCuts } from "./powerCut";
import { systemError } from "./systemError";

/** Told of each call before it does anything, and awaited; where it throws, the call fails with that and does nothing. */
export type OnCall = (call: { number: number; name: keyof FileSystem; path: string }) => void | Promise<void>;

export class ModelDisk {
  /** everything since this disk was made; what was there before is on it for good */
  readonly entries: Entry[] = [];
  /** bytes that can still be written */
  free = Number.POSITIVE_INFINITY;
  private readonly contents: Contents;
  private readonly before: Effect[];
  private readonly folders: Set<NodeId>;
  private lastNode: NodeId;
  private time: number;

  /** @param left by a power cut */
  constructor(left: Contents = emptyContents()) {
    this.contents = left;
    this.folders = new Set(left.folders.keys());
    this.before = [
      ...[...left.files].map(([node, { data, time }]): Effect => ({ type: "write", node, at: 0, data, time })),
      ...[...left.folders].map(([node, names]): Effect => ({ type: "names", node, names: [...names] })),
    ];
    this.lastNode = Math.max(...left.folders.keys(), ...left.files.keys());
    this.time = Math.max(0, ...[...left.files.values()].map(file => file.time));
  }

  /** The calls of one program. */
  process(onCall: OnCall = () => undefined): FileSystem {
    return watched(new Calls(this), onCall);
  }

  /** Every file that programs see, by its path. */
  get files(): Map<string, Buffer> {
    return filesOf(this.contents);
  }

  /** What a power cut after the first `done` entries may leave. */
  *powerCuts(done = this.entries.length, limit = 64): Generator<PowerCut> {
    const all = [...this.before, ...this.before.map(({ node }): Entry => ({ type: "sync", node })), ...this.entries];
    yield* powerCuts(all, all.length - this.entries.length + done, node => this.folders.has(node), limit);
  }

  /** Writes a file behind every program's back. */
  put(path: string, text: string): void {
    const parts = partsOf(path);
    const folder = this.find(parts.slice(0, -1).join("/"));
    if (folder === undefined) throw systemError("ENOENT");
    const node = this.newNode("file");
    this.happen({ type: "names", node: folder, names: [[parts.at(-1) ?? "", node]] });
    this.happen({ type: "write", node, at: 0, data: Buffer.from(text, "utf8"), time: this.now() });
  }

  newNode(kind: "file" | "folder"): NodeId {
    const node = ++this.lastNode;
    if (kind === "folder") this.folders.add(node);
    return node;
  }

  happen(effect: Effect): void {
    applyEffect(this.contents, effect);
    this.entries.push(effect);
  }

  now(): number {
    return ++this.time;
  }

  isFolder(node: NodeId): boolean {
    return this.folders.has(node);
  }

  names(folder: NodeId): ReadonlyMap<string, NodeId> {
    return this.contents.folders.get(folder) ?? new Map();
  }

  file(node: NodeId): { data: Buffer; time: number } {
    return this.contents.files.get(node) ?? { data: Buffer.alloc(0), time: 0 };
  }

  find(path: string): NodeId | undefined {
    let node: NodeId | undefined = ROOT;
    for (const name of partsOf(path)) {
      if (!this.folders.has(node)) throw systemError("ENOTDIR");
      node = this.names(node).get(name);
      if (node === undefined) return undefined;
    }
    return node;
  }
}

function watched(calls: FileSystem, onCall: OnCall): FileSystem {
  let number = 0;
  return new Proxy(calls, {
    get(_, name: keyof FileSystem) {
      const begin = (args: unknown[]) => onCall({ number: ++number, name, path: String(args[0]) });
      const call = (args: unknown[]) => Reflect.apply(calls[name] as (...args: unknown[]) => unknown, calls, args);
      if (name.endsWith("Sync")) {
        return (...args: unknown[]) => {
          begin(args);
          return call(args);
        };
      }
      return async (...args: unknown[]) => {
        await begin(args);
        return call(args);
      };
    },
  });
}
