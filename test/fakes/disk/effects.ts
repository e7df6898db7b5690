/**
 * What a disk holds, as effects on it. The same effects make what programs see and what a power cut leaves: there, those
 * that were not synced may be missing, in any combination, and a write may have come through in part.
 */

/** A file or a folder; names lead to it. The root is 0. */
export type NodeId = number;

export type Effect =
  | { type: "write"; node: NodeId; at: number; data: Buffer; time: number }
  | { type: "length"; node: NodeId; length: number; time: number }
  /** Names of one folder, all at once: `undefined` removes one. `needs`: comes through only with that one. */
  | { type: "names"; node: NodeId; names: [name: string, node: NodeId | undefined][]; needs?: Effect };

/** What happened to a disk, in order: effects, and which node's effects were on disk for good by then. */
export type Entry = Effect | { type: "sync"; node: NodeId };

export interface Contents {
  folders: Map<NodeId, Map<string, NodeId>>;
  files: Map<NodeId, { data: Buffer; time: number }>;
}

export const ROOT: NodeId = 0;

export function emptyContents(): Contents {
  return { folders: new Map([[ROOT, new Map()]]), files: new Map() };
}

export function applyEffect(contents: Contents, effect: Effect): void {
  if (effect.type === "names") {
    const folder = contents.folders.get(effect.node) ?? new Map<string, NodeId>();
    contents.folders.set(effect.node, folder);
    for (const [name, node] of effect.names) {
      if (node === undefined) folder.delete(name);
      else folder.set(name, node);
    }
    return;
  }
  const before = contents.files.get(effect.node)?.data ?? Buffer.alloc(0);
  const length = effect.type === "length" ? effect.length : Math.max(before.length, effect.at + effect.data.length);
  const data = Buffer.alloc(length);
  before.copy(data);
  if (effect.type === "write") effect.data.copy(data, effect.at);
  contents.files.set(effect.node, { data, time: effect.time });
}

/** What a disk shows that had all of this happen to it, cut to what can be reached by names. */
export function contentsAfter(effects: Iterable<Effect>, isFolder: (node: NodeId) => boolean): Contents {
  const all = emptyContents();
  for (const effect of effects) applyEffect(all, effect);
  const reached = emptyContents();
  const visit = (folder: NodeId) => {
    const names = all.folders.get(folder) ?? new Map<string, NodeId>();
    reached.folders.set(folder, new Map(names));
    for (const node of names.values()) {
      if (isFolder(node)) visit(node);
      // a name of a file of which no byte came through
      else reached.files.set(node, all.files.get(node) ?? { data: Buffer.alloc(0), time: 0 });
    }
  };
  visit(ROOT);
  return reached;
}

/** Every file with its path, for tests to look at, and to tell two states apart. */
export function filesOf(contents: Contents): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const visit = (folder: NodeId, path: string) => {
    for (const [name, node] of [...(contents.folders.get(folder) ?? [])].sort()) {
      if (contents.folders.has(node)) visit(node, `${path}/${name}`);
      else files.set(`${path}/${name}`, contents.files.get(node)?.data ?? Buffer.alloc(0));
    }
  };
  visit(ROOT, "");
  return files;
}
