/** The folders of the window and the paths in them: what a mention names, and how a place is mentioned. */
import type { PathIndex, PathMatch, Place } from "../core/mentions/pathIndex";
import { writeMention } from "../core/mentions/write";
import type { ChangedParams, NearParams, WorkspaceParams } from "../shared/mentionProtocol";

type Folder = WorkspaceParams["folders"][number];
export type Kind = "file" | "folder";

export class Workspace {
  folders: readonly Folder[] = [];
  inComments = false;
  ignoreCase = false;
  private readonly indexes = new Map<string, PathIndex>();
  private near: NearParams = { open: [], recent: [] };

  /** @returns roots that were not there before */
  set({ folders, inComments, ignoreCase }: WorkspaceParams): string[] {
    this.folders = folders;
    this.inComments = inComments;
    this.ignoreCase = ignoreCase;
    const roots = new Set(folders.map(({ uri }) => uri));
    for (const root of this.indexes.keys()) if (!roots.has(root)) this.indexes.delete(root);
    return [...roots].filter(root => !this.indexes.has(root));
  }

  has(root: string): boolean {
    return this.folders.some(({ uri }) => uri === root);
  }

  setNear(near: NearParams): void {
    this.near = near;
  }

  /** The index of a root, if there is one. */
  indexOf(root: string): PathIndex | undefined {
    return this.indexes.get(root);
  }

  setIndex(root: string, index: PathIndex): void {
    if (this.has(root)) this.indexes.set(root, index);
  }

  change({ root, created, deleted }: ChangedParams): void {
    const index = this.indexes.get(root);
    for (const path of deleted) index?.remove(root, path);
    index?.add(root, created);
  }

  /** The best places for what was typed after `@`; in one folder only where the query begins with `name:`. */
  search(query: string, current: Place | undefined, limit: number): PathMatch[] {
    const named = this.namedFolder(query);
    const near = { ...this.near, ...(current && { current }) };
    const text = named ? named.rest : query;
    // After `src/` what is in it is asked for, not the folder once more.
    const typed = text.endsWith("/") ? text.slice(0, -1).toLowerCase() : undefined;
    const found = (named ? [named.folder] : this.folders)
      .flatMap(({ uri }) => this.indexes.get(uri)?.search(text, near, limit + 1) ?? [])
      .filter(({ path }) => path.toLowerCase() !== typed);
    // Sorting keeps the order of equals: the first folder's come first.
    if (this.folders.length > 1) found.sort((a, b) => b.score - a.score);
    return found.slice(0, limit);
  }

  /** Places with names like that of a path that is not there. */
  nearest(mentioned: string, limit: number): PathMatch[] {
    const named = this.namedFolder(mentioned);
    const found = (named ? [named.folder] : this.folders).flatMap(
      ({ uri }) => this.indexes.get(uri)?.nearest(named ? named.rest : mentioned, limit) ?? [],
    );
    if (this.folders.length > 1) found.sort((a, b) => b.score - a.score);
    return found.slice(0, limit);
  }

  /** What a mention's path names; undefined: a place outside of every folder. */
  placeOf(mentioned: string): Place | undefined {
    const named = this.namedFolder(mentioned);
    const folder = named?.folder ?? this.folders[0];
    if (!folder || /^(?:~|[a-z]:[/\\])/i.test(mentioned)) return undefined;
    if (!named && mentioned.startsWith("/")) return this.placeOfAbsolute(mentioned);
    const path = normalized(named?.rest ?? mentioned);
    return path === undefined ? undefined : { root: folder.uri, path };
  }

  /** undefined: no index has it, which does not say that it is not there */
  kindOf({ root, path }: Place): Kind | undefined {
    return path === "" ? "folder" : this.indexes.get(root)?.kindOf(root, path);
  }

  placeOfUri(uri: string): Place | undefined {
    const folder = this.folders
      .filter(({ uri: root }) => uri === root || uri.startsWith(withSlash(root)))
      .sort((a, b) => b.uri.length - a.uri.length)[0];
    if (!folder) return undefined;
    const path = decoded(uri.slice(withSlash(folder.uri).length));
    return path === undefined ? undefined : { root: folder.uri, path: path.replace(/\/$/, "") };
  }

  uriOf({ root, path }: Place): string {
    return path === "" ? root : withSlash(root) + encoded(path);
  }

  isSame(one: string, other: string): boolean {
    return one === other || (this.ignoreCase && one.toLowerCase() === other.toLowerCase());
  }

  /** `@src/a.ts`, with the folder's name where it is not the first of several. A folder ends with `/`. */
  mentionOf(place: Place, kind: Kind, range?: { first: number; last: number }): string {
    const folder = this.nameNeeded(place.root);
    const path = kind === "folder" ? `${place.path}/` : place.path;
    return writeMention(path, { ...(folder !== undefined && { folder }), ...(range && { range }) });
  }

  /** For people: with the folder's name where there are several. */
  pathOf({ root, path }: Place): string {
    const name = this.folders.length > 1 ? this.folders.find(({ uri }) => uri === root)?.name : undefined;
    return name === undefined ? path : `${name}:${path}`;
  }

  private placeOfAbsolute(absolute: string): Place | undefined {
    for (const { uri } of this.folders) {
      const folder = decoded(uri.replace(/^[^:]+:(?:\/\/[^/]*)?/, ""))?.replace(/\/$/, "");
      const path = normalized(absolute);
      if (folder === undefined || path === undefined) continue;
      if (`/${path}` === folder) return { root: uri, path: "" };
      if (`/${path}`.startsWith(`${folder}/`)) return { root: uri, path: path.slice(folder.length) };
    }
    return undefined;
  }

  private nameNeeded(root: string): string | undefined {
    return this.folders[0]?.uri === root ? undefined : this.folders.find(({ uri }) => uri === root)?.name;
  }

  /** `name:rest`; names count where there are several folders. */
  private namedFolder(text: string): { folder: Folder; rest: string } | undefined {
    if (this.folders.length < 2) return undefined;
    const folder = this.folders.find(({ name }) => text.startsWith(`${name}:`));
    return folder && { folder, rest: text.slice(folder.name.length + 1) };
  }
}

const withSlash = (uri: string) => (uri.endsWith("/") ? uri : `${uri}/`);
const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/");

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // No URI that an editor writes.
    return undefined;
  }
}

/** `./a//b/../c/` is `a/c`; undefined: it leads out of the root */
function normalized(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
