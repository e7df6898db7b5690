/** Which repository Git takes in a folder, and whether all of it lies there. */

import { t } from "../../shared/l10n";
import { folderOf, isBelow } from "../../shared/paths";
import { type Files, unlessFileError } from "../ports";
import { physical } from "./physical";

type GitFiles = Pick<Files, "resolve" | "stat" | "read">;

/** bytes of a file that says where another one is */
const MAX_POINTER = 64 * 1024;

/** The folder whose repository Git takes there; where there is none, the folder itself. */
export async function topOf(folder: string, files: Pick<Files, "resolve" | "stat">): Promise<string> {
  const start = (await physical(folder, files)).absolute;
  for (let at = start; ; at = folderOf(at)) {
    if (await isThere(`${at}/.git`, files)) return at || "/";
    if (!at.includes("/")) return start;
  }
}

const isThere = async (path: string, files: Pick<Files, "resolve" | "stat">): Promise<boolean> =>
  (await unlessFileError(
    files.resolve(path).then(ref => files.stat(ref)),
    undefined,
  )) !== undefined;

/**
 * A repository whose objects are another one's shows what is in that. Worktrees and submodules are known to the repository that they
 * belong to.
 * @returns why it may be so: a part of a sentence. Rejects with FileError where it cannot be looked at
 */
export async function whyElsewhere(folder: string, files: GitFiles): Promise<string | undefined> {
  const top = await topOf(folder, files);
  const dot = `${top === "/" ? "" : top}/.git`;
  if (!(await isThere(dot, files))) return undefined;
  const elsewhere = (path: string) => t("reads the Git repository {0}, which may be another folder's", path);
  const own = (await files.resolve(dot)).absolute;
  if (own !== dot) return elsewhere(own);
  const named = await pointer(dot, "", files);
  const folderOfGit = named === undefined ? dot : await placed(top, named, files);
  if (named !== undefined && !(await belongsTo(top, folderOfGit, files))) return elsewhere(folderOfGit);
  const shared = await pointer(folderOfGit, "/commondir", files);
  const common = shared === undefined ? folderOfGit : await placed(folderOfGit, shared, files);
  if (shared !== undefined && !folderOfGit.startsWith(`${common}/worktrees/`)) return elsewhere(common);
  for (const inner of ["/objects", "/objects/pack", "/refs"]) {
    const real = await placed(common, common + inner, files);
    if (real !== common + inner) return elsewhere(real);
  }
  const others = await pointer(common, "/objects/info/alternates", files);
  return others ? elsewhere(others.split("\n")[0] as string) : undefined;
}

/** It says itself that this is its worktree, or it is a submodule's of a repository around it. */
async function belongsTo(top: string, folderOfGit: string, files: GitFiles): Promise<boolean> {
  if (isBelow(top, folderOfGit)) return true;
  const back = await pointer(folderOfGit, "/gitdir", files);
  if (back !== undefined && (await placed(folderOfGit, back, files)) === `${top}/.git`) return true;
  const [, around] = /^(.*?)\/\.git\/modules\//.exec(folderOfGit) ?? [];
  return around !== undefined && isBelow(around, top);
}

const placed = async (folder: string, path: string, files: GitFiles): Promise<string> =>
  (await physical(path.startsWith("/") ? path : `${folder}/${path}`, files)).absolute;

/** undefined: there is no such file */
async function pointer(folder: string, name: string, files: GitFiles): Promise<string | undefined> {
  const ref = await files.resolve(folder + name);
  if ((await files.stat(ref))?.type !== "file") return undefined;
  const read = await files.read(ref, MAX_POINTER);
  return "text" in read ? read.text.trim().replace(/^gitdir: */, "") : "";
}
