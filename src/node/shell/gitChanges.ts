/**
 * What Git says is not committed. A repository's own settings and attributes name programs (filters, pagers, hooks, what diffs,
 * what fetches): none of them runs.
 */
import type { NothingToAttach, RepositoryChanges } from "../../core/ground/ports";
import { askGit, gitAnswer } from "../askGit";
import { disarmedGit, repositoryAround } from "../disarmedGit";
import { errno } from "../errno";
import { withSlashes } from "../paths";
import { findGit } from "../programs";
import { commandEnvironment } from "./shell";

const LIMIT_MS = 15_000;
/** characters of one command's output */
const MAX_OUTPUT = 4_000_000;

/** Names of files with all their letters. */
const AS_THEY_ARE = ["-c", "core.quotePath=false"];
/** The format is the one that is read. Git would run itself in a submodule, which has settings of its own. */
const DIFF = [
  ...["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"],
  ...["--ignore-submodules=dirty", "--submodule=short"],
];
/** Where others say which repository it is, or which programs help. */
const NOT_FOR_GIT = /^GIT_/;

/**
 * Of the repository around a folder. Rejects with the signal's reason, and where Git fails.
 * @param folder absolute
 * @param program Git, where it is known
 */
export async function readGitChanges(
  folder: string,
  signal: AbortSignal,
  program = findGit([folder]),
): Promise<RepositoryChanges | NothingToAttach> {
  if (program === undefined) return { nothing: "Git is not installed." };
  const limit = AbortSignal.timeout(LIMIT_MS);
  const within = AbortSignal.any([signal, limit]);
  try {
    const { repository, ...run } = await disarmedAround(folder, program, within);
    if (!repository) return { nothing: "The workspace is in no Git repository." };
    const { top } = repository;
    const git = (...args: string[]) => gitAnswer(top, run, [...AS_THEY_ARE, ...args]);
    return await readChanges(git, withSlashes(top));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { nothing: "Git did not answer in time." };
    if (errno(error) === "ENOENT") return { nothing: "Git is not installed." };
    throw error;
  }
}

/** Subjects of the newest commits, newest first; none where there are none, or Git does not say. Rejects with the signal's reason. */
export async function readRecentSubjects(folder: string, signal: AbortSignal, program = findGit([folder])) {
  if (program === undefined) return [];
  const within = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    const args = ["log", "--no-merges", "--no-color", "-n", "20", "--format=%s"];
    const text = await askGit(folder, await disarmedAround(folder, program, within), args);
    return (text ?? "").split("\n").filter(line => line.trim() !== "");
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** How Git is asked about the repository around a folder; none: there is none. Rejects where Git cannot be started, or is stopped. */
export async function disarmedAround(folder: string, program: string, signal: AbortSignal) {
  const env = gitEnvironment();
  const repository = await repositoryAround(folder, { program, env, signal });
  return { repository, program, signal, env: { ...env, ...disarmedGit(env, repository ? [repository] : []) } };
}

async function readChanges(
  git: (...args: string[]) => ReturnType<typeof gitAnswer>,
  root: string,
): Promise<RepositoryChanges> {
  const answers = await Promise.all([
    git(...DIFF, "--cached"),
    git(...DIFF),
    git("ls-files", "--others", "--exclude-standard", "-z"),
    git("branch", "--show-current"),
  ]);
  const failed = answers.slice(0, 3).find(({ code }) => code !== 0);
  if (failed) throw new Error(`git ended with ${failed.code}: ${failed.errors.slice(0, 500)}`);
  const [staged = "", unstaged = "", untracked = "", branch = ""] = answers.map(({ bytes }) => bytes.toString("utf8"));
  const name = branch.trim();
  const cut = Math.max(staged.length, unstaged.length) > MAX_OUTPUT;
  return {
    root,
    ...(name ? { branch: name } : {}),
    staged: staged.slice(0, MAX_OUTPUT),
    unstaged: unstaged.slice(0, MAX_OUTPUT),
    ...(cut && { cut: true as const }),
    untracked: untracked.split("\0").filter(path => path !== ""),
  };
}

/** For Strata's own Git, without the variables meant for a person's. */
export const gitEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(commandEnvironment(process.env)).filter(([name]) => !NOT_FOR_GIT.test(name)));
