/** The folders of the window and the paths in them: what a mention names, and how a place is mentioned. */

import type { ListedResource } from "../../core/mentions/resources";
import { defined } from "../../shared/defined";
import type { MentionItem } from "../../shared/findProtocol";
import { t } from "../../shared/l10n";
import { mentionedPath, writeFolderName, writeMention } from "../../shared/mentions/write";
import { isWithin, normalPath, relativeTo } from "../../shared/paths";
import { type Nearness, PathIndex, type PathMatch, type Place } from "./pathIndex";

/** `name` is what `@name:path` addresses where there are several; the first is what a path without one is relative to. */
export type MentionFolder = { uri: string; name: string };
export type EntryKind = "file" | "folder";

interface WorkspaceDeps {
  /** Comments of code may have mentions: `strata.mentions.inComments`. */
  comments(): boolean;
  near(): Nearness;
  /** the files of a folder, as far as they are listed */
  indexOf(root: string): PathIndex | undefined;
}

export class Workspace {
  private shown: readonly MentionFolder[] = [];
  resources: readonly ListedResource[] = [];
  /** of the folders' names, each as a file */
  private byName = new PathIndex("");
  /** root → its address */
  private addresses = new Map<string, string>();

  constructor(private readonly deps: WorkspaceDeps) {}

  get comments(): boolean {
    return this.deps.comments();
  }

  get folders(): readonly MentionFolder[] {
    return this.shown;
  }

  set folders(folders: readonly MentionFolder[]) {
    if (JSON.stringify(folders) === JSON.stringify(this.shown)) return;
    this.shown = folders;
    this.byName = new PathIndex("");
    if (folders.length > 1) this.byName.add(this.names);
    this.addresses = new Map(folders.map(({ uri }) => [uri, (decoded(uri) ?? uri).replace(/\/$/, "")]));
  }

  private get names(): string[] {
    return this.folders.map(({ name }) => name);
  }

  private has = (root: string): boolean => this.folders.some(({ uri }) => uri === root);

  /** For what was typed after `@`, best first. `positions` are offsets in the path that people see, with the folder's name where there are several. */
  items(query: string, limit: number, current?: Place): MentionItem[] {
    return this.search(query, current, limit).map(match => {
      const { kind, positions } = match;
      const mention = this.mentionOf(match, kind);
      if (match.path === "")
        return { kind, mention, label: this.nameOf(match.root), positions, hint: t("workspace folder") };
      const label = this.pathOf(match);
      const shift = label.length - match.path.length;
      return { kind, mention, label, positions: positions.map(at => at + shift) };
    });
  }

  /** Folders of the workspace are among them (`path` is ""); with `name:` at the query's beginning, in that one alone. */
  private search(query: string, current: Place | undefined, limit: number): PathMatch[] {
    const named = this.namedFolder(query);
    const near = { ...this.deps.near(), ...defined({ current }) };
    const text = named ? named.rest : query;
    // After `src/` what is in it is asked for, not the folder once more.
    const typed = text.endsWith("/") ? text.slice(0, -1).toLowerCase() : undefined;
    const found = (named ? [named.folder] : this.folders)
      .flatMap(({ uri }) => this.deps.indexOf(uri)?.search(text, near, limit + 1) ?? [])
      .filter(({ path }) => path.toLowerCase() !== typed);
    const all = [...(named || query === "" ? [] : this.foldersCalled(query, limit)), ...found];
    // Sorting keeps the order of equals: the first folder's come first.
    return all.toSorted((a, b) => b.score - a.score).slice(0, limit);
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

  placeOfUri(uri: string): Place | undefined {
    const address = decoded(uri);
    const [folder] = [...this.addresses]
      .filter(([, outer]) => address !== undefined && isWithin(outer, address))
      .sort(([, a], [, b]) => b.length - a.length);
    return folder && { root: folder[0], path: (address ?? "").slice(folder[1].length + 1).replace(/\/$/, "") };
  }

  /** `@src/a.ts`, with the folder's name where it is not the first of several. A folder ends with `/`, one of the workspace with `:`. */
  private mentionOf(place: Place, kind: EntryKind): string {
    if (place.path === "") return writeFolderName(this.nameOf(place.root));
    return writeMention(mentionedPath(this.pathOf(place) + (kind === "folder" ? "/" : ""), this.names));
  }

  /** For people: with the folder's name where there are several. */
  pathOf({ root, path }: Place): string {
    return this.folders.length > 1 && this.has(root) ? `${this.nameOf(root)}:${path}` : path;
  }

  private nameOf = (root: string): string => this.folders.find(({ uri }) => uri === root)?.name ?? "";

  private placeOfAbsolute(absolute: string): Place | undefined {
    const path = normalPath(absolute);
    for (const [root, address] of this.addresses) {
      const folder = address.replace(/^[^:]+:(?:\/\/[^/]*)?/, "");
      if (isWithin(folder, path)) return { root, path: relativeTo(folder, path) };
    }
    return undefined;
  }

  private foldersCalled(query: string, limit: number): PathMatch[] {
    return this.byName.search(query, { open: [], recent: [] }, limit).flatMap(({ path: name, score, positions }) => {
      const folder = this.folders.find(each => each.name === name);
      return folder ? [{ root: folder.uri, path: "", kind: "folder" as const, score, positions }] : [];
    });
  }

  /** `name:rest`; names count where there are several folders. */
  private namedFolder(text: string): { folder: MentionFolder; rest: string } | undefined {
    if (this.folders.length < 2) return undefined;
    const folder = this.folders.find(({ name }) => text.startsWith(`${name}:`));
    return folder && { folder, rest: text.slice(folder.name.length + 1) };
  }
}

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
