/**
 * Does git start a program here, only because somebody looks at the repository? Its own settings can name some (a monitor of
 * the files, a pager, drivers for differences), and came with the folder; those of the person are theirs.
 */
import { type FileRef, type Files, unlessFileError } from "../ports";

type GitFiles = Pick<Files, "resolve" | "stat" | "read">;

/** bytes */
const MAX_CONFIG = 256 * 1024;
const MAX_LEVELS = 40;

/** Section and key, in lower case, the part in quotes left out: none of them names a program. */
const harmless =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|longpaths|untrackedcache|splitindex|preloadindex|fscache|quotepath|sparsecheckout|sparsecheckoutcone|sharedrepository|compression|protectntfs|protecthfs|trustctime|checkstat|multipackindex|commitgraph|bigfilethreshold)|remote\.(?:url|fetch|push|pushurl|tagopt|prune|prunetags|skipdefaultupdate|gh-resolved|mirror)|remote\.pushdefault|branch\.(?:remote|merge|rebase|pushremote|description|autosetupmerge|autosetuprebase|sort|vscode-merge-base|gh-merge-base|github-pr-owner-number)|user\.(?:name|email|signingkey)|author\.\w+|committer\.\w+|pull\.(?:rebase|ff)|push\.(?:default|followtags|autosetupremote)|init\.\w+|submodule\.(?:url|active|branch|ignore|path|fetchrecursesubmodules|recurse)|rerere\.\w+|gc\.\w+|pack\.\w+|index\.\w+|feature\.\w+|fetch\.\w+|merge\.(?:conflictstyle|ff|renames|log|stat)|rebase\.\w+|color\.\w+|advice\.\w+|status\.\w+|log\.\w+|diff\.(?:algorithm|renames|noprefix|mnemonicprefix|colormoved|context|submodule|statgraphwidth|renamelimit|indentheuristic)|commit\.gpgsign|tag\.(?:gpgsign|sort)|gui\.\w+|extensions\.(?:worktreeconfig|objectformat|noop|preciousobjects|refstorage)|lfs\.(?:repositoryformatversion|access|locksverify)|http\.postbuffer|maintenance\.(?:auto|strategy)|i18n\.\w+|pretty\.\w+)$/;

/** Why git may start a program in one of the folders; undefined: nothing does. @param folders absolute, '/' separators */
export async function gitRuns(files: GitFiles, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await repositoryRuns(files, folder);
    if (found) return found;
  }
  return undefined;
}

async function repositoryRuns(files: GitFiles, start: string): Promise<string | undefined> {
  let folder = start.replace(/\/$/, "");
  for (let level = 0; level < MAX_LEVELS && folder !== ""; level++) {
    const git = await there(files, `${folder}/.git`);
    // What only looks like a repository is passed over by git: the next one counts as well.
    if (await isRepository(files, folder)) return "this folder is a repository in itself, whose settings came with it";
    if (git && git.type !== "directory") return linkedRuns(files, folder);
    if (git) {
      const runs = await directRuns(files, folder);
      if (runs || (await isRepository(files, `${folder}/.git`))) return runs;
    }
    folder = folder.slice(0, folder.lastIndexOf("/"));
  }
  return undefined;
}

async function isRepository(files: GitFiles, folder: string): Promise<boolean> {
  if (!(await there(files, `${folder}/HEAD`))) return false;
  return Boolean((await there(files, `${folder}/objects`)) ?? (await there(files, `${folder}/commondir`)));
}

async function directRuns(files: GitFiles, folder: string): Promise<string | undefined> {
  if (await there(files, `${folder}/.git/commondir`)) return "git's settings of this folder lie elsewhere";
  return (await settingsRun(files, `${folder}/.git`)) ?? submodulesRun(files, folder);
}

/** Git looks into them by itself, and each has settings of its own. */
async function submodulesRun(files: GitFiles, folder: string): Promise<string | undefined> {
  const modules = await textOf(files, `${folder}/.gitmodules`);
  if (modules === "unreadable") return UNREADABLE;
  const paths = [...(modules?.text.matchAll(/^[ \t]{0,99}path[ \t]{0,99}=(.*)$/gm) ?? [])].map(([, path = ""]) =>
    path.trim(),
  );
  if (paths.length > 50) return "it has more than 50 submodules, each with settings of its own";
  for (const path of paths) {
    const git = await there(files, `${folder}/${path}/.git`);
    const runs =
      git &&
      (git.type === "directory"
        ? settingsRun(files, `${folder}/${path}/.git`)
        : linkedRuns(files, `${folder}/${path}`));
    const found = await runs;
    if (found) return found;
  }
  return undefined;
}

const UNREADABLE = "git's settings of this folder cannot be read";

/** `.git` is a file in a worktree and in a submodule: it says where the settings are. */
async function linkedRuns(files: GitFiles, folder: string): Promise<string | undefined> {
  const link = await textOf(files, `${folder}/.git`);
  const to =
    link === undefined || link === "unreadable" ? "" : (/^gitdir: ([^\n]+)\n*$/.exec(link.text)?.[1]?.trim() ?? "");
  const match = /^(.*\/\.git)(?:\/(?:worktrees|modules)\/.+)?$/.exec(to ?? "");
  if (!to || !match?.[1]) return "git's data of this folder lie elsewhere";
  const own = to.startsWith("/") ? to : `${folder}/${to}`;
  const shared = match[1].startsWith("/") ? match[1] : `${folder}/${match[1]}`;
  // A worktree says itself where the rest is: by default two folders up.
  const common = await textOf(files, `${own}/commondir`);
  if (common === "unreadable" || (common && common.text.trim() !== "../.."))
    return "git's settings of this folder lie elsewhere";
  return (await settingsRun(files, own)) ?? settingsRun(files, shared);
}

async function settingsRun(files: GitFiles, git: string): Promise<string | undefined> {
  for (const name of ["config", "config.worktree"]) {
    const read = await textOf(files, `${git}/${name}`);
    if (read === "unreadable") return UNREADABLE;
    const key = read === undefined ? undefined : settingThatRuns(read.text);
    if (key) return `the settings of this repository have \`${key}\`, which may start a program`;
  }
  const hook = await there(files, `${git}/hooks/post-index-change`);
  return hook && "this repository has a hook that runs when its state is looked at";
}

/** The first setting that may name a program; undefined: there is none. */
function settingThatRuns(text: string): string | undefined {
  let section = "";
  for (const line of text.split("\n")) {
    // A value may go on in the next line, a comment does not: whose line the next one is, is not told apart.
    if (/\\\s*$/.test(line)) return line.trim().slice(0, 40);
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*(.*)$/.exec(line);
    if (header) section = header[1]?.toLowerCase() ?? "";
    const rest = (header ? header[2] : line)?.trim() ?? "";
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const name = /^([\w-]+)\s*(?:=|$)/.exec(rest)?.[1]?.toLowerCase();
    const key = `${section}.${name ?? rest.slice(0, 40)}`;
    if (name === undefined || !harmless.test(key)) return key;
  }
  return undefined;
}

async function there(files: GitFiles, path: string) {
  return unlessFileError(
    files.resolve(path).then(ref => files.stat(ref)),
    undefined,
  );
}

/** undefined: there is no such file. One that is too long for us, or no text to us, may still be one to git. */
async function textOf(files: GitFiles, path: string): Promise<{ text: string } | "unreadable" | undefined> {
  const read = await unlessFileError(
    files.resolve(path).then((ref: FileRef) => files.read(ref, MAX_CONFIG)),
    undefined,
  );
  if (read && "text" in read) return { text: read.text };
  return (await there(files, path)) ? "unreadable" : undefined;
}
