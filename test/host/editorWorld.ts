/** A workspace of its own for tests of the editor's adapters: folders in a temporary place, the adapters on them. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { newScratchFolder } from "../../src/node/disk";
import { NodeFiles } from "../../src/node/files";
import { RipgrepSearch, vscodeRipgrep } from "../../src/node/ripgrep";
import { nodeHash, nodeIds } from "../../src/node/system";
import { defined } from "../../src/shared/defined";
import { VSCodeFiles } from "../../src/vscode/files/files";
import { UnsavedDocuments } from "../../src/vscode/files/unsavedDocuments";
import { VSCodeSearch } from "../../src/vscode/search/unsavedSearch";
import { discardEditors } from "./discardEditors";
import type { SlowDisk } from "./slowDisk";

export interface EditorWorld {
  files: VSCodeFiles;
  search: VSCodeSearch;
  unsaved: UnsavedDocuments;
  /** `strata.edits.save` */
  save: { after: boolean };
  /** absolute path of `a.ts`, `root:a.ts` */
  at(path: string): string;
  uri(path: string): vscode.Uri;
  put(path: string, content: string | Uint8Array): Promise<void>;
  bytes(path: string): Promise<Uint8Array | undefined>;
  remove(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  link(target: string, path: string): Promise<void>;
  makeReadOnly(path: string): Promise<void>;
  /** Opens the file in an editor. */
  show(path: string): Promise<vscode.TextEditor>;
  outside: string;
  dispose(): Promise<void>;
}

/** @param slow has the files, where a test decides how long the editor waits for them; @param openMs that the editor gets to open one */
export async function editorWorld(
  rootNames: readonly string[] = ["app"],
  { slow, openMs }: { slow?: SlowDisk; openMs?: number } = {},
): Promise<EditorWorld> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "strata-editor-")));
  const folders = rootNames.map(name => join(home, name));
  const outside = join(home, "outside");
  for (const folder of [...folders, outside]) await mkdir(folder);
  await writeFile(join(outside, "secret.txt"), "secret");
  const save = { after: true };
  const uriOf = (path: string) => vscode.Uri.file(path).with(defined({ scheme: slow?.scheme }));
  const files = new VSCodeFiles({
    folders: () => folders.map(uriOf),
    disk: roots => slow?.files(roots) ?? new NodeFiles(roots),
    hash: nodeHash,
    saveEdits: () => save.after,
    ...defined({ openMs }),
  });
  const ripgrepPath = () => vscodeRipgrep(vscode.env.appRoot);
  const search = new VSCodeSearch({
    disk: new RipgrepSearch({ ripgrepPath, roots: () => files.roots }),
    engine: new RipgrepSearch({ ripgrepPath, roots: () => [], everything: true }),
    files,
    newScratch: () => newScratchFolder(join(home, "scratch", nodeIds.next("s"))),
    ownFolders: [],
  });
  const at = (path: string) => {
    const index = rootNames.findIndex(name => path.startsWith(`${name}:`));
    return index < 0 ? join(folders[0]!, path) : join(folders[index]!, path.slice(rootNames[index]!.length + 1));
  };
  return {
    ...{ files, search, save, at, outside, unsaved: new UnsavedDocuments(files) },
    uri: path => uriOf(at(path)),
    async put(path, content) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
    },
    bytes: path => readFile(at(path)).catch(() => undefined),
    remove: path => rm(at(path), { recursive: true }),
    mkdir: path => mkdir(at(path), { recursive: true }).then(() => undefined),
    link: (target, path) => symlink(target, at(path)),
    makeReadOnly: path => chmod(at(path), 0o444),
    show: async path => vscode.window.showTextDocument(uriOf(at(path))),
    async dispose() {
      await discardEditors();
      files.dispose();
      slow?.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Types at the beginning of the active editor. */
export async function typeAtStart(editor: vscode.TextEditor, text: string): Promise<void> {
  await editor.edit(edit => edit.insert(new vscode.Position(0, 0), text));
}
