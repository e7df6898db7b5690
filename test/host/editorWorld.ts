/** A workspace of its own for tests of the editor's adapters: folders in a temporary place, the adapters on them. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { newScratchFolder } from "../../src/node/disk";
import { NodeFiles } from "../../src/node/files";
import { RipgrepSearch, vscodeRipgrep } from "../../src/node/ripgrep";
import { nodeHash, nodeIds } from "../../src/node/system";
import { VSCodeFiles } from "../../src/vscode/files/files";
import { UnsavedDocuments } from "../../src/vscode/files/unsavedDocuments";
import { VSCodeSearch } from "../../src/vscode/search/unsavedSearch";
import { discardEditors } from "./discardEditors";

export interface EditorWorld {
  files: VSCodeFiles;
  search: VSCodeSearch;
  unsaved: UnsavedDocuments;
  /** `strata.edits.save` */
  save: { after: boolean };
  /** absolute path of `a.ts`, `root:a.ts` */
  at(path: string): string;
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

export async function editorWorld(rootNames: readonly string[] = ["app"]): Promise<EditorWorld> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "strata-editor-")));
  const folders = rootNames.map(name => join(home, name));
  const outside = join(home, "outside");
  for (const folder of [...folders, outside]) await mkdir(folder);
  await writeFile(join(outside, "secret.txt"), "secret");
  const save = { after: true };
  const files = new VSCodeFiles({
    folders: () => folders.map(folder => vscode.Uri.file(folder)),
    disk: (roots, names) => new NodeFiles(roots, names),
    hash: nodeHash,
    saveEdits: () => save.after,
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
    async put(path, content) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
    },
    bytes: path => readFile(at(path)).catch(() => undefined),
    remove: path => rm(at(path), { recursive: true }),
    mkdir: path => mkdir(at(path), { recursive: true }).then(() => undefined),
    link: (target, path) => symlink(target, at(path)),
    makeReadOnly: path => chmod(at(path), 0o444),
    show: async path => vscode.window.showTextDocument(vscode.Uri.file(at(path))),
    async dispose() {
      await discardEditors();
      files.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Types at the beginning of the active editor. */
export async function typeAtStart(editor: vscode.TextEditor, text: string): Promise<void> {
  await editor.edit(edit => edit.insert(new vscode.Position(0, 0), text));
}
