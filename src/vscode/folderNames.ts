/** What `name:path` addresses in a workspace of several folders. */
import type * as vscode from "vscode";

/** The last part of each folder's path, numbered where two are the same. */
export function uniqueNames(folders: readonly vscode.Uri[]): string[] {
  const names = new Set<string>();
  return folders.map(({ path, authority, scheme }) => {
    const base = path.split("/").findLast(part => part !== "") ?? (authority || scheme);
    let name = base;
    for (let n = 2; names.has(name); n += 1) name = `${base}-${n}`;
    names.add(name);
    return name;
  });
}
