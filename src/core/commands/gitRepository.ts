/** Which repository Git takes in a folder, and whether its data lie there. */
import { t } from "../../shared/l10n";
import { folderOf, isBelow } from "../../shared/paths";
import type { FileRef, Files } from "../ground/ports";
import { isThere } from "../tool/writtenPaths";

/** bytes of a file that says where another one is */
const MAX_POINTER = 64 * 1024;

/** The folder whose repository Git takes there, else the folder itself. */
export async function topOf(folder: string, files: Files): Promise<string> {
  const start = (await physical(folder, files)).absolute;
  for (let at = start; ; at = folderOf(at)) {
    if (await isThere(files, `${at}/.git`)) return at || "/";
    if (!at.includes("/")) return start;
  }
}

/** The repository around a folder: its top, what is named .git there, and the folder that this is or leads to. */
async function repositoryOf(folder: string, files: Files) {
  const top = await topOf(folder, files);
  const dot = `${top === "/" ? "" : top}/.git`;
  const named = await pointer(dot, files);
  return { top, dot, isNamed: named !== undefined, git: named === undefined ? dot : await placed(top, named, files) };
}

/**
 * A repository that uses another one's objects shows that one's content. Worktrees and submodules are known to the repository that they
 * belong to.
 * @returns why it may be so: a part of a sentence. Rejects with FileError where it cannot be looked at
 */
export async function whyElsewhere(folder: string, files: Files): Promise<string | undefined> {
  const { top, dot, isNamed, git } = await repositoryOf(folder, files);
  if (!(await isThere(files, dot))) return undefined;
  const elsewhere = (path: string) => t("reads the Git repository {0}, which may be another folder's", path);
  const own = (await files.resolve(dot)).absolute;
  if (own !== dot) return elsewhere(own);
  if (isNamed && !(await belongsTo(top, git, files))) return elsewhere(git);
  const shared = await pointer(`${git}/commondir`, files);
  const common = shared === undefined ? git : await placed(git, shared, files);
  if (shared !== undefined && !git.startsWith(`${common}/worktrees/`)) return elsewhere(common);
  for (const inner of ["/objects", "/objects/pack", "/refs"]) {
    const real = await placed(common, common + inner, files);
    if (real !== common + inner) return elsewhere(real);
  }
  const others = await pointer(`${common}/objects/info/alternates`, files);
  return others ? elsewhere(others.split("\n")[0] as string) : undefined;
}

/** It says itself that this is its worktree, or it is a submodule's of a repository around it. */
async function belongsTo(top: string, git: string, files: Files): Promise<boolean> {
  if (isBelow(top, git)) return true;
  const back = await pointer(`${git}/gitdir`, files);
  if (back !== undefined && (await placed(git, back, files)) === `${top}/.git`) return true;
  const [, around] = /^(.*?)\/\.git\/modules\//.exec(git) ?? [];
  return around !== undefined && isBelow(around, top);
}

const placed = async (folder: string, path: string, files: Files): Promise<string> =>
  (await physical(/^(?:[A-Za-z]:)?\//.test(path) ? path : `${folder}/${path}`, files)).absolute;

/** What a small file says; undefined: it is none. */
async function pointer(path: string, files: Files): Promise<string | undefined> {
  const ref = await files.resolve(path);
  if ((await files.stat(ref))?.type !== "file") return undefined;
  const read = await files.read(ref, MAX_POINTER);
  return "text" in read ? read.text.trim().replace(/^gitdir: */, "") : "";
}

/** The branch of the repository around a folder, by its files: Git is not started. undefined: none. Rejects with FileError */
export async function branchOf(folder: string, files: Files): Promise<string | undefined> {
  const { git } = await repositoryOf(folder, files);
  const head = await pointer(`${git}/HEAD`, files);
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
