/** The folders of the window and the paths in them: what a mention names, and how a place is mentioned. */

import { PathIndex, type PathMatch, type Place } from "../core/mentions/pathIndex";
import type { ListedResource } from "../core/mentions/resources";
import { defined } from "../shared/defined";
import type { FilesParams, NearParams, WindowParams, WorkspaceParams } from "../shared/mentions/serverProtocol";
import { mentionedPath, writeFolderName, writeMention } from "../shared/mentions/write";
import { isWithin, withEnd } from "../shared/paths";

type Folder = WorkspaceParams["folders"][number];
export type EntryKind = "file" | "folder";

export class Workspace {
  folders: readonly Folder[] = [];
  /** comments of code may have mentions */
  comments = false;
  private ignoreCase = false;
  /** of MCP servers */
  resources: readonly ListedResource[] = [];
  private readonly indexes = new Map<string, PathIndex>();
  /** of lists that are not whole yet */
  private readonly coming = new Map<string, PathIndex>();
  /** roots of which a list ended */
  private readonly listed = new Set<string>();
  private whole = Promise.withResolvers<void>();
  /** of the folders' names, each as a file */
  private byName = new PathIndex("");
  /** root → its address */
  private addresses = new Map<string, string>();
  private near: NearParams = { open: [], recent: [] };

  follow({ workspace, near, resources }: WindowParams): void {
    if (near) this.near = near;
    if (resources) this.resources = resources;
    if (!workspace) return;
    const { folders, comments, ignoreCase } = workspace;
    this.folders = folders;
    this.comments = comments;
    this.ignoreCase = ignoreCase;
    this.byName = new PathIndex("");
    if (folders.length > 1) this.byName.add(this.names);
    this.addresses = new Map(folders.map(({ uri }) => [uri, (decoded(uri) ?? uri).replace(/\/$/, "")]));
    for (const roots of [this.indexes, this.coming, this.listed]) {
      for (const root of roots.keys()) if (!this.has(root)) roots.delete(root);
    }
    this.noteWhole();
  }

  /** The first list of a root answers with what it has so far. */
  take({ root, paths, begins, ends }: FilesParams): void {
    if (begins && this.has(root)) this.coming.set(root, new PathIndex(root, { ignoreCase: this.ignoreCase }));
    const index = this.coming.get(root);
    if (!index) return;
    index.add(paths);
    if (ends === "whole" || !this.listed.has(root)) this.indexes.set(root, index);
    if (!ends) return;
    this.coming.delete(root);
    this.listed.add(root);
    this.noteWhole();
  }

  /** A root has no list yet. */
  get indexing(): boolean {
    return this.folders.some(({ uri }) => !this.listed.has(uri));
  }

  /** Resolves once every root has a list. */
  async allListed(): Promise<void> {
    if (this.indexing) await this.whole.promise;
  }

  private noteWhole(): void {
    if (this.indexing) return;
    this.whole.resolve();
    this.whole = Promise.withResolvers();
  }

  get names(): string[] {
    return this.folders.map(({ name }) => name);
  }

  has(root: string): boolean {
    return this.folders.some(({ uri }) => uri === root);
  }

  /**
   * The best places for what was typed after `@`, folders of the workspace among them (`path` is ""); in one of these only
   * where the query begins with `name:`.
   */
  search(query: string, current: Place | undefined, limit: number): PathMatch[] {
    const named = this.namedFolder(query);
    const near = { ...this.near, ...defined({ current }) };
    const text = named ? named.rest : query;
    // After `src/` what is in it is asked for, not the folder once more.
    const typed = text.endsWith("/") ? text.slice(0, -1).toLowerCase() : undefined;
    const found = (named ? [named.folder] : this.folders)
      .flatMap(({ uri }) => this.indexes.get(uri)?.search(text, near, limit + 1) ?? [])
      .filter(({ path }) => path.toLowerCase() !== typed);
    const folders = named || query === "" ? [] : this.foldersCalled(query, limit);
    return this.best([...folders, ...found], limit);
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
  kindOf({ root, path }: Place): EntryKind | undefined {
    return path === "" ? "folder" : this.indexes.get(root)?.kindOf(path);
  }

  placeOfUri(uri: string): Place | undefined {
    const address = decoded(uri);
    const [folder] = [...this.addresses]
      .filter(([, outer]) => address !== undefined && isWithin(outer, address))
      .sort(([, a], [, b]) => b.length - a.length);
    return folder && { root: folder[0], path: (address ?? "").slice(folder[1].length + 1).replace(/\/$/, "") };
  }

  uriOf({ root, path }: Place): string {
    return path === "" ? root : withEnd(root) + encoded(path);
  }

  /** `@src/a.ts`, with the folder's name where it is not the first of several. A folder ends with `/`, one of the workspace with `:`. */
  mentionOf(place: Place, kind: EntryKind, range?: { first: number; last: number }): string {
    if (place.path === "") return writeFolderName(this.nameOf(place.root));
    const path = this.pathOf(place) + (kind === "folder" ? "/" : "");
    return writeMention(mentionedPath(path, this.names), defined({ range }));
  }

  /** For people: with the folder's name where there are several. */
  pathOf({ root, path }: Place): string {
    return this.folders.length > 1 && this.has(root) ? `${this.nameOf(root)}:${path}` : path;
  }

  nameOf(root: string): string {
    return this.folders.find(({ uri }) => uri === root)?.name ?? "";
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

  private foldersCalled(query: string, limit: number): PathMatch[] {
    return this.byName.search(query, { open: [], recent: [] }, limit).flatMap(({ path: name, score, positions }) => {
      const folder = this.folders.find(each => each.name === name);
      return folder ? [{ root: folder.uri, path: "", kind: "folder" as const, score, positions }] : [];
    });
  }

  /** Best first. Sorting keeps the order of equals: the first folder's come first. */
  private best(found: readonly PathMatch[], limit: number): PathMatch[] {
    return found.toSorted((a, b) => b.score - a.score).slice(0, limit);
  }

  /** `name:rest`; names count where there are several folders. */
  private namedFolder(text: string): { folder: Folder; rest: string } | undefined {
    if (this.folders.length < 2) return undefined;
    const folder = this.folders.find(({ name }) => text.startsWith(`${name}:`));
    return folder && { folder, rest: text.slice(folder.name.length + 1) };
  }
}

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
