/** What the mention server asks about files: it has no file system of its own. */
import * as vscode from "vscode";
import { mapBounded } from "../../shared/async";
import type { KindsParams, LookParams, LookResult } from "../../shared/mentionProtocol";
import type { MentionPlaces } from "./places";

/** Of a larger file no lines are shown, in bytes. */
const LARGEST = 1_000_000;
/** Files that are looked at at the same time. */
const AT_ONCE = 16;
const LONGEST_LINE = 200;
const BINARY_BYTES = 8_000;

type Kind = "file" | "folder";

export class MentionAnswers {
  constructor(private readonly places: Pick<MentionPlaces, "isInside">) {}

  kinds({ places }: KindsParams): Promise<(Kind | null)[]> {
    return mapBounded(places, AT_ONCE, async place => (await this.statOf(uriOf(place)))?.kind ?? null);
  }

  async look({ first, lines, ...place }: LookParams): Promise<LookResult> {
    const uri = uriOf(place);
    const stat = await this.statOf(uri);
    if (!stat) return null;
    if (stat.kind === "folder") return lookAtFolder(uri, stat.mtime, lines);
    const text = stat.size > LARGEST ? undefined : await textOf(uri);
    const shown = text?.split(/\r?\n/).slice(first - 1, first - 1 + lines) ?? [];
    while (shown.at(-1)?.trim() === "") shown.pop();
    return {
      ...stat,
      lines: shown.map(line => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line)),
    };
  }

  /** undefined: there is nothing, or it lies outside of the workspace */
  private async statOf(uri: vscode.Uri): Promise<{ kind: Kind; size: number; mtime: number } | undefined> {
    try {
      const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
      if (!(await this.places.isInside(uri))) return undefined;
      if (type & vscode.FileType.Directory) return { kind: "folder", size, mtime };
      return type & vscode.FileType.File ? { kind: "file", size, mtime } : undefined;
    } catch {
      // Whatever keeps it from being looked at: nothing can be said of it.
      return undefined;
    }
  }
}

function uriOf({ root, path }: { root: string; path: string }): vscode.Uri {
  return path === "" ? vscode.Uri.parse(root) : vscode.Uri.joinPath(vscode.Uri.parse(root), path);
}

async function lookAtFolder(uri: vscode.Uri, mtime: number, lines: number): Promise<LookResult> {
  const entries = await vscode.workspace.fs.readDirectory(uri);
  const names = entries.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name)).sort();
  const shown = names.length > lines ? [...names.slice(0, Math.max(0, lines - 1)), "…"] : names;
  return { kind: "folder", size: names.length, mtime, lines: shown };
}

/** Unsaved text is what counts. undefined: it is no text */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === name);
  if (open) return open.getText();
  const bytes = await vscode.workspace.fs.readFile(uri);
  return bytes.subarray(0, BINARY_BYTES).includes(0) ? undefined : vscode.workspace.decode(bytes, { uri });
}
