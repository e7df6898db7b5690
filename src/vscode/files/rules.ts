/** Rules of folders that are on no disk, after those that are: the files at their root, under the same names and bounds. */

import * as vscode from "vscode";
import type { FileRef, ReadText, Root, RuleFile, Rules } from "../../core/ground/ports";
import { isOnDisk } from "../../core/ground/ports/files";
import { isLawFile, MAX_RULES_BYTES, RULES_FILES } from "../../shared/rulesFiles";
import { listEntries } from "./storedFiles";

const MAX_READ_BYTES = 4 * 1024 * 1024;

interface RoutedRulesDeps {
  /** the user's own, and those of folders on disk */
  disk: Rules;
  roots(): readonly Root[];
  trusted(): boolean;
  /** Why a file is not read; undefined: it may be. */
  ruledOut(file: FileRef, isImport: boolean): string | undefined;
}

/** Asked before every model step, and read each time. */
export class RoutedRules implements Rules {
  constructor(private readonly deps: RoutedRulesDeps) {}

  get imported(): ReadonlySet<string> {
    return this.deps.disk.imported;
  }

  nested: Rules["nested"] = file => this.deps.disk.nested(file);

  async read(nested: readonly string[] = []): Promise<RuleFile[]> {
    const rules = await this.deps.disk.read(nested);
    const roots = this.deps.trusted() ? this.deps.roots().filter(root => !isOnDisk(root)) : [];
    return [...rules, ...(await Promise.all(roots.map(root => this.rulesOf(root)))).flat()];
  }

  private async rulesOf(root: Root): Promise<RuleFile[]> {
    const prefix = this.deps.roots().length > 1 ? `${root.name}:` : "";
    const names = (await listEntries(vscode.Uri.parse(root.uri))).map(([name]) => name);
    const others = RULES_FILES.filter(name => names.includes(name.split("/")[0] ?? ""));
    const found = [...names.filter(isLawFile).sort(), ...others].map(async (name): Promise<RuleFile[]> => {
      const uri = vscode.Uri.joinPath(vscode.Uri.parse(root.uri), name);
      const text = await this.text(uri);
      const [path, absolute] = [prefix + name, `${root.path}/${name}`];
      const problem = this.deps.ruledOut({ uri: uri.toString(), absolute, path, relative: name, inside: true }, false);
      if (text === undefined) return [];
      return [{ path, trust: "rules", ...(problem === undefined ? text : { text: "", cutBytes: 0, problem }) }];
    });
    return (await Promise.all(found)).flat();
  }

  /** undefined: there is none, or nothing in it */
  private async text(uri: vscode.Uri): Promise<ReadText | undefined> {
    try {
      const { type, size } = await vscode.workspace.fs.stat(uri);
      // These file systems give a file whole.
      if (!(type & vscode.FileType.File) || size > MAX_READ_BYTES) return undefined;
      return decodeRule(await vscode.workspace.fs.readFile(uri));
    } catch {
      return undefined;
    }
  }
}

function decodeRule(bytes: Uint8Array): ReadText | undefined {
  const head = bytes.subarray(0, MAX_RULES_BYTES);
  // A character that the cut went through stays with what was cut.
  const text = new TextDecoder().decode(head, { stream: true });
  return text.trim() === "" || text.includes("\0") ? undefined : { text, cutBytes: bytes.length - head.length };
}
