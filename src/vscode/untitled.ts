/** Documents that were never saved: they stand in the editor only, under `untitled:` and the name on their tab. */
import * as vscode from "vscode";
import { FileError, type FileRef } from "../core/ports";

const PREFIX = "untitled:";

type Untitled = Pick<vscode.TextDocument, "uri">;

export const isUntitled = ({ uri }: Pick<FileRef, "uri">): boolean => uri.startsWith(PREFIX);

/** Open documents and notebooks that were never saved. */
export function untitledDocuments(): readonly Untitled[] {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return [...textDocuments, ...notebookDocuments].filter(({ isUntitled, isClosed }) => isUntitled && !isClosed);
}

/** The name for people and models: `untitled:Untitled-1`. */
export const untitledName = ({ path }: vscode.Uri): string => PREFIX + path;

/**
 * `untitled:Untitled-1`, or the name alone. undefined: `input` names none, and does not say that it does; rejects with
 * FileError NOT_FOUND where it does.
 * @param place the file that a document will be saved to, where it was made for one
 */
export async function resolveUntitled(
  input: string,
  place: (path: string) => Promise<FileRef>,
): Promise<FileRef | undefined> {
  const open = untitledDocuments();
  const isSaid = input.startsWith(PREFIX);
  const name = isSaid ? input.slice(PREFIX.length) : input;
  const found = open.find(({ uri }) => uri.path === name);
  if (found) return untitledRef(found.uri, place);
  if (!isSaid) return undefined;
  const names = open.map(({ uri }) => untitledName(uri)).join(", ");
  const others = names === "" ? "None is open." : `Open are: ${names}.`;
  throw new FileError("NOT_FOUND", `There is no unsaved document ${name} in the editor. ${others}`);
}

/** One that was made for a file lies where that file would, and is protected as that is. */
async function untitledRef(uri: vscode.Uri, place: (path: string) => Promise<FileRef>): Promise<FileRef> {
  const name = untitledName(uri);
  const { inside, relative } = uri.path.startsWith("/") ? await place(uri.path) : { inside: true, relative: uri.path };
  return { uri: uri.toString(), absolute: name, path: name, relative, inside };
}
