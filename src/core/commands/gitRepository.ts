/** Which repository Git takes in a folder, and whether its data lie there. */
import { t } from "../../shared/l10n";
import { folderOf, isBelow } from "../../shared/paths";
import type { FileRef, Files } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";

/** bytes of a file that says where another one is */
const MAX_POINTER = 64 * 1024;

/** The folder whose repository Git takes there, else the folder itself. */
export async function topOf(folder: string, files: Files): Promise<string> {
  const start = (await physical(folder, files)).absolute;
  for (let at = start; ; at = folderOf(at)) {
    if (await isThere(`${at}/.git`, files)) return at || "/";
    if (!at.includes("/")) return start;
  }
}

const isThere = async (path: string, files: Files): Promise<boolean> =>
  (await unlessFileError(
    files.resolve(path).then(ref => files.stat(ref)),
    undefined,
  )) !== undefined;

/**
 * A repository that uses another one's objects shows that one's content. Worktrees and submodules are known to the repository that they
 * belong to.
 * @returns why it may be so: a part of a sentence. Rejects with FileError where it cannot be looked at
 */
export async function whyElsewhere(folder: string, files: Files): Promise<string | undefined> {
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
async function belongsTo(top: string, folderOfGit: string, files: Files): Promise<boolean> {
  if (isBelow(top, folderOfGit)) return true;
  const back = await pointer(folderOfGit, "/gitdir", files);
  if (back !== undefined && (await placed(folderOfGit, back, files)) === `${top}/.git`) return true;
  const [, around] = /^(.*?)\/\.git\/modules\//.exec(folderOfGit) ?? [];
  return around !== undefined && isBelow(around, top);
}

const placed = async (folder: string, path: string, files: Files): Promise<string> =>
  (await physical(/^(?:[A-Za-z]:)?\//.test(path) ? path : `${folder}/${path}`, files)).absolute;

const pointer = async (folder: string, name: string, files: Files): Promise<string | undefined> =>
  (await textOf(folder + name, files, MAX_POINTER))?.trim().replace(/^gitdir: */, "");

async function textOf(path: string, files: Files, maxBytes: number): Promise<string | undefined> {
  const ref = await files.resolve(path);
  if ((await files.stat(ref))?.type !== "file") return undefined;
  const read = await files.read(ref, maxBytes);
  return "text" in read ? read.text : "";
}

/** The branch of the repository around a folder, by its files: Git is not started. undefined: none. Rejects with FileError */
export async function branchOf(folder: string, files: Files): Promise<string | undefined> {
  const top = await topOf(folder, files);
  const dot = `${top === "/" ? "" : top}/.git`;
  const named = await pointer(dot, "", files);
  const head = await pointer(named === undefined ? dot : await placed(top, named, files), "/HEAD", files);
  const [, branch] = /^ref: refs\/heads\/(\S+)$/.exec(head ?? "") ?? [];
  // A repository that keeps its refs in another form has this name there.
  return branch === ".invalid" ? undefined : branch;
}

/** `link/../x` is beside what the link leads to: each step is one of the disk. */
export async function physical(path: string, files: Files): Promise<FileRef> {
  const [first = "", ...steps] = path.split(/\/\.\.(?=\/|$)/);
  let ref = await files.resolve(first || "/");
  for (const step of steps.slice(0, 100)) {
    const above = folderOf(ref.absolute) || "/";
    ref = await files.resolve(above + step);
  }
  return steps.length > 100 ? files.resolve("/") : ref;
}
