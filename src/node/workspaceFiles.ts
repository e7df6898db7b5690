/** The files of folders on disk, for an index of their paths: what is not ignored, by ripgrep. */
import type { Root } from "../core/ground/ports";
import { isWithin } from "../shared/paths";
import { fileRef, nodeRoots, realPath, withSlashes } from "./paths";
import { RipgrepSearch } from "./ripgrep";

export { vscodeRipgrep } from "./ripgrep";

interface WorkspaceFilesDeps {
  ripgrepPath(): Promise<string | undefined>;
  /** globs, relative to each root (`files.exclude`) */
  excludes(): readonly string[];
  /** the workspace's folders on disk: absolute, native paths */
  folders(): readonly string[];
}

export class WorkspaceFiles {
  private readonly search: RipgrepSearch;

  constructor(private readonly deps: WorkspaceFilesDeps) {
    const { ripgrepPath, excludes } = deps;
    this.search = new RipgrepSearch({ ripgrepPath, excludes, roots: () => this.roots() });
  }

  /** What `name:path` addresses, folder by folder: as NodeFiles names them. */
  names(): string[] {
    return this.roots().map(({ name }) => name);
  }

  /** Paths relative to the folder, '/' separators; `onFile` returns false when it has enough. */
  async files(folder: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void> {
    await this.search.files(fileRef(this.roots(), await realPath(folder)), onFile, signal);
  }

  /** Whether a path lies in one of the folders when links are followed. */
  async isInside(path: string): Promise<boolean> {
    const real = withSlashes(await realPath(path));
    return this.roots().some(root => isWithin(root.path, real));
  }

  private roots(): Root[] {
    return nodeRoots(this.deps.folders());
  }
}
