/**
 * Working trees of Git beside the workspace, for agents that write on their own. The repository may be anyone's: no filter and no hook
 * that it names is run, and nothing is fetched.
 */
import { realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type Logger,
  type Search,
  SessionError,
  type Surroundings,
  type Worktree,
  type Worktrees,
} from "../../core/ground/ports";
import { t } from "../../shared/l10n";
import { isWithin, relativeTo } from "../../shared/paths";
import { askGit, type GitProgram, gitAnswer } from "../askGit";
import { rewinding } from "../baselines/baseline";
import { type ArmedRepository, disarmedGit, repositoryAround } from "../disarmedGit";
import { makePrivateFolder, removeFolder } from "../disk";
import { storageError } from "../errno";
import { NodeFiles } from "../files";
import { realIfThere, realPath, withSlashes } from "../paths";
import { findGit } from "../programs";
import type { NodeRules } from "../rules";
import { namesIn } from "../sandbox/quietRead";
import type { NodeSandbox } from "../sandbox/sandbox";
import { gitEnvironment } from "../shell/gitChanges";
import type { NodeShell } from "../shell/shell";
import type { NodeSkills } from "../skills";
import { worktreesDir } from "../stateFolders";

/** What the workspace's sessions have, of which a session in a tree gets the same for its folder. */
export interface WorktreeDeps {
  roots(): readonly { path: string }[];
  shell: NodeShell;
  sandbox: NodeSandbox;
  rules: NodeRules;
  skills: NodeSkills;
  search(files: NodeFiles): Search;
  surroundings: Surroundings;
  logger: Logger;
  /** `files.encoding`, where settings say it */
  encoding?: string | undefined;
  /** where copies of what commands change go */
  keep: string;
}

/** @param open ends commands of a tree: for a process that is about to end itself */
export function worktreesFor(deps: WorktreeDeps, open = endedWithProcess()) {
  return {
    async add(name: string, signal: AbortSignal) {
      const [first, ...others] = deps.roots();
      if (!first) throw new SessionError(t("No folder is open"));
      const tree = await addWorktree(first.path, name, signal);
      const notes = others.map(({ path }) => `The workspace's folder ${path} is not part of it.`);
      return { ...tree, notes: [...tree.notes, ...notes], ...placedIn(tree.folder, deps, open) };
    },
  };
}

function endedWithProcess(): Set<() => void> {
  const open = new Set<() => void>();
  process.once("exit", () => {
    for (const end of open) end();
  });
  return open;
}

/** An editor that has other folders open knows no text, problem or symbol there. */
const NONE = { unsaved: undefined, diagnostics: undefined, code: undefined, editorTasks: undefined };

function placedIn(folder: string, deps: WorktreeDeps, open: Set<() => void>) {
  const files: NodeFiles = new NodeFiles([folder], (path, text) => sandbox.saved(path, () => text), deps.encoding);
  const roots = () => files.roots;
  const sandbox: NodeSandbox = deps.sandbox.elsewhere({ roots, imported: () => rules.imported });
  const shell = deps.shell.elsewhere({ sandbox, roots: () => files.roots.map(({ path }) => path) });
  const written = { roots, madeByCommand: sandbox.mayHaveMade };
  const rules = deps.rules.elsewhere(written);
  const { platform } = deps.surroundings;
  const surroundings = { platform, trusted: () => deps.surroundings.trusted(), editor: () => undefined };
  const own = { shell, sandbox, rules, skills: deps.skills.elsewhere(written), surroundings };
  type Inner = Worktrees<Worktree & { ports: object; close(): Promise<void> }>;
  const worktrees = worktreesFor({ ...deps, ...own, roots }, open) as Inner;
  const end = () => {
    shell.killAll();
    sandbox.closeNow();
  };
  open.add(end);
  return {
    ports: {
      ...{ files, search: deps.search(files), ...own, worktrees, ...NONE, attachments: undefined },
      ...rewinding(roots, deps.keep, deps.logger),
    },
    async close() {
      open.delete(end);
      shell.killAll();
      await sandbox.close();
    },
  };
}

/** ms for Git to fill a tree, or to take it away */
const LIMIT_MS = 300_000;
/** The extension for large files would fetch from where the repository says, by programs that it names. */
const NO_LARGE_FILES = { GIT_LFS_SKIP_SMUDGE: "1" };
/** characters of what Git complains about */
const MAX_WORDS = 500;

/** As `Worktrees.add`. @param folder of the workspace: absolute */
async function addWorktree(folder: string, name: string, signal: AbortSignal): Promise<Worktree> {
  const undo: (() => Promise<unknown>)[] = [];
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    return await makeWorktree(folder, name, { signal: AbortSignal.any([signal, limit]), undo });
  } catch (error) {
    for (const step of undo) await step().catch(() => undefined);
    signal.throwIfAborted();
    const reason = limit.aborted ? new Error(t("Git did not answer in time.")) : error;
    throw new SessionError(storageError(reason, t("There is no working tree for this agent.")).message);
  }
}

async function makeWorktree(
  folder: string,
  name: string,
  { signal, undo }: { signal: AbortSignal; undo: (() => Promise<unknown>)[] },
): Promise<Worktree> {
  const program = findGit([folder]);
  if (program === undefined) throw new Error(t("Git is not installed."));
  const repository = await repositoryAround(folder, { program, env: gitEnvironment(), signal });
  if (!repository) throw new Error(t("The workspace is no working tree of a Git repository."));
  const { top } = repository;
  const path = await newFolder(top, name);
  undo.unshift(() => removeFolder(path));
  const git = disarmed(program, signal, [repository, { top: path, settings: [] }]);
  const [head, conditions] = await Promise.all([
    askGit(top, git, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
    askGit(top, git, ["config", "--includes", "--show-scope", "--get-regexp", "^includeif\\."]),
  ]);
  const commit = head?.trim();
  if (!commit) throw new Error(t("The repository has no commit yet."));
  // Without conditions the tree has the workspace's settings, which are disarmed.
  if (/^(?:local|worktree)\t/m.test(conditions ?? ""))
    throw new Error(t("The repository's own settings may be others there (includeIf)."));
  const branch = `strata/${name}`;
  const ref = [`refs/heads/${branch}`, commit];
  // Short, and not to be stopped half-way: what is there could not be told then.
  const surely = (...args: string[]) => obeyed(top, { ...git, signal: AbortSignal.timeout(LIMIT_MS) }, ...args);
  await surely("update-ref", ...ref, "");
  undo.unshift(() => surely("update-ref", "-d", ...ref));
  undo.unshift(() => surely("worktree", "remove", "-f", "-f", path));
  await surely("worktree", "add", "--quiet", "--no-checkout", path, branch);
  await obeyed(path, git, "reset", "--hard", "--quiet", "--no-recurse-submodules");
  const place = join(path, relativeTo(withSlashes(top), withSlashes(realpathSync.native(folder))));
  // The commit may have a link there.
  if (realIfThere(place) !== place)
    throw new Error(t("The workspace's folder is not in the commit that is checked out."));
  const { submodules, notes } = await lookAt(path, git);
  const own = { top, path, branch, commit, program };
  return {
    ...{ path, folder: place, branch },
    notes: [
      `${place} is a working tree of Git for this agent alone, on a new branch ${branch} at commit ${commit.slice(0, 12)}. What is not committed is not in it: unsaved text, changes, and what Git ignores (installed dependencies, builds, .env).`,
      `${folder}, the workspace of the caller, is outside of it: paths that lead there ask first.`,
      ...notes,
    ],
    removeIfClean: () => removeIfClean(submodules, own).catch(() => false),
  };
}

/** An empty folder outside of the repository, that no other user can look into. */
async function newFolder(top: string, name: string): Promise<string> {
  const place = worktreesDir(top);
  await makePrivateFolder(place);
  const path = join(await realPath(place), name);
  if (isWithin(withSlashes(top), withSlashes(path)))
    throw new Error(t("Strata's folder for it, {0}, is in the repository.", place));
  await mkdir(path);
  return path;
}

/** How a new tree differs from a person's. */
async function lookAt(path: string, git: GitProgram) {
  const list = (...args: string[]) => obeyed(path, git, "ls-files", "-z", ...args);
  const [listed, filtered] = await Promise.all([list("--stage", "-t"), list("--", ".", ":(exclude,attr:!filter)")]);
  const submodules = [...listed.matchAll(/(?:^|\0)\S 160000 \S+ \d\t([^\0]+)/g)].map(([, below = ""]) => below);
  const notes = [
    ...(submodules.length > 0 ? ["Its submodules are empty folders."] : []),
    ...(/(?:^|\0)S /.test(listed) ? ["It is a sparse checkout, as the workspace is: files are left out."] : []),
    ...(filtered === "" ? [] : ["Files behind a filter of Git (LFS, git-crypt) are as Git stores them."]),
  ];
  return { submodules, notes };
}

async function removeIfClean(
  submodules: readonly string[],
  { top, path, branch, commit, program }: Record<"top" | "path" | "branch" | "commit" | "program", string>,
): Promise<boolean> {
  const how = { program, env: gitEnvironment(), signal: AbortSignal.timeout(LIMIT_MS) };
  const armed = await Promise.all([top, path].map(folder => repositoryAround(folder, how)));
  const git = disarmed(program, how.signal, armed);
  const status = ["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--no-show-stash"];
  if ((await obeyed(path, git, ...status)) !== `# branch.oid ${commit}\n# branch.head ${branch}\n`) return false;
  // In the empty folder of a submodule Git sees nothing.
  if (submodules.some(below => namesIn(join(path, below)).length > 0)) return false;
  await obeyed(top, git, "worktree", "remove", path);
  await askGit(top, git, ["update-ref", "-d", `refs/heads/${branch}`, commit]);
  return true;
}

/** Git that starts no program which these repositories name, and refuses others. */
function disarmed(program: string, signal: AbortSignal, armed: readonly (ArmedRepository | undefined)[]): GitProgram {
  const env = gitEnvironment();
  const known = armed.filter(one => one !== undefined);
  return { program, signal, env: { ...env, ...NO_LARGE_FILES, ...disarmedGit(env, known) } };
}

/** Rejects in Git's words where it says no. */
async function obeyed(cwd: string, git: GitProgram, ...args: string[]): Promise<string> {
  const { code, bytes, errors } = await gitAnswer(cwd, git, args);
  if (code !== 0) throw new Error(errors.trim().slice(-MAX_WORDS));
  return bytes.toString("utf8");
}
