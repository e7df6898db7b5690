/** What VS Code's language commands answer, as the core's places: from 1 instead of 0, files instead of URIs. */
import * as vscode from "vscode";
import type {
  CodeAction,
  CodeChange,
  CodeLocation,
  CodePosition,
  CodeRange,
  CodeSymbol,
  FileRef,
} from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { cellNumber, notebookAround } from "../editor/documents";

/** The file that a URI names; undefined: none that tools can touch. */
export type RefOf = (uri: vscode.Uri) => Promise<FileRef | undefined>;

export const toPosition = ({ line, column }: CodePosition) => new vscode.Position(line - 1, column - 1);

const fromRange = ({ start, end }: vscode.Range): CodeRange => ({
  start: { line: start.line + 1, column: start.character + 1 },
  end: { line: end.line + 1, column: end.character + 1 },
});

export const toRange = ({ start, end }: CodeRange) => new vscode.Range(toPosition(start), toPosition(end));

type SymbolMatch = Pick<CodeLocation, "name" | "container" | "kind"> & {
  uri: vscode.Uri;
  range: vscode.Range;
  whole?: vscode.Range | undefined;
};

export function fromLink(found: vscode.Location | vscode.LocationLink): SymbolMatch {
  if (!("targetUri" in found)) return found;
  const { targetUri: uri, targetRange: whole, targetSelectionRange: range = whole } = found;
  return { uri, range, whole };
}

export const fromCall = ({ from, fromRanges }: vscode.CallHierarchyIncomingCall): SymbolMatch[] =>
  fromRanges.map(range => ({ uri: from.uri, range, name: from.name }));

export const fromSymbol = ({ name, kind, containerName, location }: vscode.SymbolInformation): SymbolMatch => ({
  name,
  kind: kindName(kind),
  uri: location.uri,
  range: location.range,
  ...defined({ container: containerName !== "" ? containerName : undefined }),
});

/** Those that are in files, each place once. */
export async function toLocations(found: readonly SymbolMatch[], refOf: RefOf): Promise<CodeLocation[]> {
  const refs = new Map<string, Promise<FileRef | undefined>>();
  const known = new Set<string>();
  const places = found.map(async ({ uri, range, whole, ...rest }): Promise<CodeLocation[]> => {
    const name = uri.toString();
    const key = JSON.stringify([name, range, rest.name]);
    if (known.has(key)) return [];
    known.add(key);
    const asked = refs.get(name) ?? refOf(uri);
    refs.set(name, asked);
    const ref = await asked;
    if (!ref) return [];
    const extra = defined({ whole: whole && fromRange(whole), cell: cellNumber(uri) });
    return [{ ref, range: fromRange(range), ...rest, ...extra }];
  });
  return (await Promise.all(places)).flat();
}

const kindName = (kind: vscode.SymbolKind) => (vscode.SymbolKind[kind] ?? "symbol").toLowerCase();

/** Older extensions give flat lists, in which the name of what is around says where a symbol belongs. */
export function toOutline(found: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]): CodeSymbol[] {
  const out: CodeSymbol[] = [];
  const add = (symbol: vscode.DocumentSymbol | vscode.SymbolInformation, containers: readonly string[]) => {
    const { name } = symbol;
    const isTree = "selectionRange" in symbol;
    const whole = isTree ? symbol.range : symbol.location.range;
    const range = isTree ? symbol.selectionRange : whole;
    out.push({ name, kind: kindName(symbol.kind), containers, whole: fromRange(whole), range: fromRange(range) });
    if (isTree) for (const child of symbol.children) add(child, [...containers, name]);
  };
  for (const symbol of found) {
    const around = "containerName" in symbol && symbol.containerName ? [symbol.containerName] : [];
    add(symbol, around);
  }
  return out;
}

export const toHover = ({ contents }: vscode.Hover): string =>
  contents
    .map(part => {
      if (typeof part === "string") return part;
      return "language" in part ? `\`\`\`${part.language}\n${part.value}\n\`\`\`` : part.value;
    })
    .filter(text => text.trim() !== "")
    .join("\n\n");

/** An answer names a file that tools cannot touch. */
const NOWHERE = "it also changes what is in no folder of the workspace";
const FILES = "it also creates, renames or deletes files";
const SNIPPETS = "it also inserts a snippet or changes cells, which only the editor can do";
const NOTEBOOKS = "it also changes notebooks";

/** @param textOf what the editor has of a file: places are places in that */
export async function toChange(edit: vscode.WorkspaceEdit, refOf: RefOf, textOf: (uri: vscode.Uri) => Promise<string>) {
  const more = hidden(edit);
  const files: CodeChange["files"][number][] = [];
  for (const [uri, edits] of edit.entries()) {
    const isCell = notebookAround(uri) !== undefined;
    const ref = isCell ? undefined : await refOf(uri);
    if (!ref) {
      more.push(isCell ? NOTEBOOKS : NOWHERE);
      continue;
    }
    const text = await textOf(uri);
    files.push({ ref, text, edits: edits.map(each => ({ range: fromRange(each.range), text: each.newText })) });
  }
  return { files, ...defined({ more: more[0] }) };
}

/** The editor's interface hides all that is no plain text, and keeps it beside the edits that it shows. */
function hidden(edit: vscode.WorkspaceEdit): string[] {
  const { _edits: all } = edit as { _edits?: unknown };
  if (!Array.isArray(all)) return [];
  if (all.some(each => typeof each === "object" && each && ("from" in each || "to" in each))) return [FILES];
  const shown = edit.entries().reduce((sum, [, edits]) => sum + edits.length, 0);
  return all.length > shown ? [SNIPPETS] : [];
}

export async function toAction(
  action: vscode.CodeAction | vscode.Command,
  toCodeChange: (edit: vscode.WorkspaceEdit) => Promise<CodeChange>,
): Promise<CodeAction> {
  const { title } = action;
  if (!("kind" in action) && typeof action.command === "string") return { title, kind: "" };
  const { kind, isPreferred, edit } = action as vscode.CodeAction;
  const change = edit && edit.size > 0 ? await toCodeChange(edit) : undefined;
  return { title, kind: kind?.value ?? "", ...defined({ preferred: isPreferred || undefined, change }) };
}
