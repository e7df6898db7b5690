/** A workspace of folders that are on no disk, and of some that are, for tests of the editor's adapters. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { newScratchFolder } from "../../src/node/disk";
import { NodeFiles } from "../../src/node/files";
import { RipgrepSearch, vscodeRipgrep } from "../../src/node/ripgrep";
import { nodeHash, nodeIds } from "../../src/node/system";
import { VSCodeFiles } from "../../src/vscode/files/files";
import { VirtualSearch } from "../../src/vscode/search/virtualSearch";
import { discardEditors } from "./discardEditors";
import { MemoryFileSystem } from "./memfs";

/** @param onDisk names of the roots that are folders of this machine; @param openMs that the editor gets to open a file */
export async function virtualWorld(rootNames: readonly string[], onDisk: readonly string[] = [], openMs?: number) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "strata-virtual-")));
  const outside = join(home, "outside");
  for (const folder of [outside, ...onDisk.map(name => join(home, name))]) await mkdir(folder);
  // A name that no world had: what the editor remembers of files hangs on their URI.
  const scheme = `mem${home
    .slice(-6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "x")}`;
  const memory = new MemoryFileSystem();
  const provider = vscode.workspace.registerFileSystemProvider(scheme, memory);
  const folders = rootNames.map(name =>
    onDisk.includes(name) ? vscode.Uri.file(join(home, name)) : vscode.Uri.from({ scheme, path: `/${name}` }),
  );
  for (const folder of folders) if (folder.scheme === scheme) memory.createDirectory(folder);
  const save = { after: true };
  const files = new VSCodeFiles({
    folders: () => folders,
    disk: (roots, names) => new NodeFiles(roots, names),
    hash: nodeHash,
    saveEdits: () => save.after,
    ...(openMs !== undefined && { openMs }),
  });
  const ripgrepPath = () => vscodeRipgrep(vscode.env.appRoot);
  const uri = (path: string) => {
    const index = rootNames.findIndex(name => path.startsWith(`${name}:`));
    const below = index < 0 ? path : path.slice((rootNames[index] ?? "").length + 1);
    return vscode.Uri.joinPath(folders[Math.max(0, index)] ?? vscode.Uri.file(home), below);
  };
  return {
    ...{ files, outside, save, scheme, memory, uri },
    search: new VirtualSearch({
      ...{ files, ownFolders: [], most: 100 },
      newScratch: () => newScratchFolder(join(home, "scratch", nodeIds.next("s"))),
      engine: root => new RipgrepSearch({ ripgrepPath, roots: () => [root], sorted: true }),
    }),
    async put(path: string, content: string | Uint8Array) {
      const at = uri(path);
      if (at.scheme === scheme) return memory.put(at, content);
      await mkdir(dirname(at.fsPath), { recursive: true });
      await writeFile(at.fsPath, content);
    },
    async bytes(path: string) {
      const at = uri(path);
      return at.scheme === scheme ? memory.bytes(at) : readFile(at.fsPath).catch(() => undefined);
    },
    async remove(path: string) {
      const at = uri(path);
      if (at.scheme === scheme) memory.delete(at);
      else await rm(at.fsPath, { recursive: true });
    },
    async mkdir(path: string) {
      await vscode.workspace.fs.createDirectory(uri(path));
    },
    /** Whoever has the files on no disk is gone. */
    leave: () => provider.dispose(),
    show: async (path: string) => vscode.window.showTextDocument(uri(path)),
    async dispose() {
      await discardEditors();
      files.dispose();
      provider.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}
