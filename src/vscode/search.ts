/**
 * Search that sees unsaved text: what the editor holds is written to a folder of its own, laid out as in the workspace, and
 * searched by the same engine; hits in the files on disk that it stands for are left out. Unsaved text of a protected file
 * (a .env) is written only when that file itself is searched, which is asked about.
 */
import * as vscode from "vscode";
import { protectedBecause } from "../core/permissions/policy";
import type { FileRef, GrepLine, GrepQuery, Search } from "../core/ports";
import type { OpenDocuments } from "./documents";

export interface VSCodeSearchDeps {
  disk: Search;
  documents: Pick<OpenDocuments, "unsaved">;
  /** a new name below it for each search; deleted afterwards */
  scratch: vscode.Uri;
  newId(): string;
  /** makes a folder, and what is missing above it, that no other user can read */
  makePrivateFolder(path: string): Promise<void>;
  /** absolute folders of Strata's own settings and storage, '/' separators */
  ownFolders: readonly string[];
}

interface Unsaved {
  ref: FileRef;
  text: string;
  /** below the folder that is searched; undefined: it is the file that is searched */
  below: string | undefined;
}

export class VSCodeSearch implements Search {
  constructor(private readonly deps: VSCodeSearchDeps) {}

  async grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    const unsaved = await this.unsavedBelow(query.ref, signal);
    if (unsaved.length === 0) return this.deps.disk.grep(query, onLine, signal);
    let enough = false;
    const take = (line: GrepLine) => {
      enough = onLine(line) === false;
      return !enough;
    };
    await this.grepUnsaved(query, unsaved, take, signal);
    if (enough) return;
    const standIns = new Set(unsaved.map(({ ref }) => ref.path));
    await this.deps.disk.grep(query, line => (standIns.has(line.path) ? true : onLine(line)), signal);
  }

  glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]> {
    return this.deps.disk.glob(ref, pattern, signal);
  }

  ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    return this.deps.disk.ignored(folder, names, signal);
  }

  /** Documents with unsaved text that the search would reach. */
  private async unsavedBelow(searched: FileRef, signal: AbortSignal): Promise<Unsaved[]> {
    const found: Unsaved[] = [];
    for (const { document, ref } of await this.deps.documents.unsaved()) {
      const text = document.getText();
      const prefix = searched.absolute.endsWith("/") ? searched.absolute : `${searched.absolute}/`;
      if (ref.uri === searched.uri) found.push({ ref, text, below: undefined });
      else if (ref.absolute.startsWith(prefix) && !this.isProtected(ref)) {
        const below = ref.absolute.slice(prefix.length);
        if (!(await this.isIgnored(searched, below, signal))) found.push({ ref, text, below });
      }
    }
    return found;
  }

  /** By what the file is: that it lies outside the workspace was asked about with the search. */
  private isProtected(ref: FileRef): boolean {
    const relative = ref.inside ? ref.relative : ref.absolute;
    return protectedBecause({ ...ref, inside: true, relative }, this.deps.ownFolders) !== undefined;
  }

  private async isIgnored(searched: FileRef, below: string, signal: AbortSignal): Promise<boolean> {
    const parts = below.split("/");
    for (const [depth, name] of parts.entries()) {
      const folder = parts.slice(0, depth).map(part => `/${part}`);
      const ref = { ...searched, absolute: searched.absolute.replace(/\/$/, "") + folder.join("") };
      if ((await this.deps.disk.ignored(ref, [name], signal)).has(name)) return true;
    }
    return false;
  }

  private async grepUnsaved(
    query: GrepQuery,
    unsaved: readonly Unsaved[],
    onLine: (line: GrepLine) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const folder = vscode.Uri.joinPath(this.deps.scratch, this.deps.newId());
    const bytes = new TextEncoder();
    await this.deps.makePrivateFolder(folder.fsPath);
    try {
      for (const { ref, text, below } of unsaved) {
        const name = below ?? ref.absolute.slice(ref.absolute.lastIndexOf("/") + 1);
        await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), bytes.encode(text));
      }
      const single = unsaved.find(({ below }) => below === undefined);
      const place = single ? vscode.Uri.joinPath(folder, single.ref.absolute.split("/").at(-1) ?? "") : folder;
      const absolute = vscode.Uri.file(place.fsPath).path;
      await this.deps.disk.grep({ ...query, ref: { ...query.ref, absolute } }, onLine, signal);
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true, useTrash: false });
    }
  }
}
