/** Search in files, whatever they are stored on. */
import * as vscode from "vscode";
import type { Logger, Patterns } from "../core/ports";
import type { VSCodeFiles } from "../vscode/files/files";
import type { VSCodeSearchDeps } from "../vscode/search/unsavedSearch";

/** Gives folders for unsaved text that is searched. What a window left behind that was killed while it searched goes first. */
export async function scratchFolders(
  storage: vscode.Uri,
  { nodeIds, newScratchFolder, removeFolder }: typeof import("../node/adapters"),
  logger: Logger,
): Promise<VSCodeSearchDeps["newScratch"]> {
  const scratch = vscode.Uri.joinPath(storage, "unsaved");
  await removeFolder(scratch.fsPath).catch(error =>
    logger.log("warning", "unsaved text of a search before was not removed", { error: String(error) }),
  );
  return () => newScratchFolder(vscode.Uri.joinPath(scratch, nodeIds.next("s")).fsPath);
}

/** Each place is searched by what reaches it; one ripgrep for the workspace, one for folders of which all is to be searched. */
export function createSearch(
  { VSCodeSearch, routedSearch, VirtualSearch, excludedGlobs: excludes }: typeof import("../vscode/agent"),
  { RipgrepSearch, vscodeRipgrep }: typeof import("../node/adapters"),
  deps: { files: VSCodeFiles; patterns: Patterns } & Pick<VSCodeSearchDeps, "ownFolders" | "newScratch">,
) {
  const { files, patterns } = deps;
  const ripgrepPath = () => vscodeRipgrep(vscode.env.appRoot);
  const disk = new RipgrepSearch({ ripgrepPath, excludes, roots: () => files.diskRoots });
  const engine = new RipgrepSearch({ ripgrepPath, roots: () => [], everything: true });
  const search = new VSCodeSearch({ ...deps, disk, engine });
  return routedSearch(search, new VirtualSearch({ files, excludes, patterns }));
}
