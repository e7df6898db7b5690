/**
 * What Git says is not committed. A repository's own settings and attributes name programs (filters, pagers, hooks, what diffs,
 * what fetches): none of them runs.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { NothingToAttach, RepositoryChanges } from "../../core/ground/ports";
import { disarmedGit, repositoryAround } from "../disarmedGit";
import { errno } from "../errno";
import { withSlashes } from "../paths";
import { findGit } from "../programs";
import { commandEnvironment } from "./shell";

const LIMIT_MS = 15_000;
/** bytes of one command's output */
const MAX_OUTPUT_BYTES = 4_000_000;
const run = promisify(execFile);

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
    const env = gitEnvironment();
    const repository = await repositoryAround(folder, { program, env, signal: within });
    if (!repository) return { nothing: "The workspace is in no Git repository." };
    const { top } = repository;
    const disarmed = { ...env, ...disarmedGit(env, [repository]) };
    const git = (...args: string[]) =>
      runGit(program, [...AS_THEY_ARE, ...args], top, { env: disarmed, signal: within });
    return await readChanges(git, withSlashes(top));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { nothing: "Git did not answer in time." };
    if (errno(error) === "ENOENT") return { nothing: "Git is not installed." };
    throw error;
  }
}

/** Subjects of the newest commits, newest first; none where there are none, or Git does not say. Rejects with the signal's reason. */
export async function readRecentSubjects(
  folder: string,
  signal: AbortSignal,
  program = findGit([folder]),
): Promise<string[]> {
  if (program === undefined) return [];
  const within = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const env = gitEnvironment();
  const log = async () => {
    const repository = await repositoryAround(folder, { program, env, signal: within });
    const disarmed = { ...env, ...disarmedGit(env, repository ? [repository] : []) };
    const args = ["log", "--no-merges", "--no-color", "-n", "20", "--format=%s"];
    return runGit(program, args, folder, { env: disarmed, signal: within });
  };
  const { exitCode, text } = await log().catch(error => {
    signal.throwIfAborted();
    return { exitCode: null, text: String(error) };
  });
  return exitCode === 0 ? text.split("\n").filter(line => line.trim() !== "") : [];
}

type GitRunner = (...args: string[]) => Promise<GitOutput>;

async function readChanges(git: GitRunner, root: string): Promise<RepositoryChanges> {
  const [staged, unstaged, untracked, branch] = await Promise.all([
    git(...DIFF, "--cached"),
    git(...DIFF),
    git("ls-files", "--others", "--exclude-standard", "-z"),
    git("branch", "--show-current"),
  ]);
  const failed = [staged, unstaged, untracked].find(({ exitCode }) => exitCode !== 0);
  if (failed) throw new Error(`git ended with ${failed.exitCode}: ${failed.errors.slice(0, 500)}`);
  const name = branch.text.trim();
  return {
    root,
    ...(name ? { branch: name } : {}),
    staged: staged.text,
    unstaged: unstaged.text,
    ...(staged.cut || unstaged.cut ? { cut: true as const } : {}),
    untracked: untracked.text.split("\0").filter(path => path !== ""),
  };
}

interface GitOutput {
  exitCode: number | null;
  text: string;
  errors: string;
  /** there is more than was read */
  cut: boolean;
}

/** For Strata's own Git, without the variables meant for a person's. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(commandEnvironment(process.env)).filter(([name]) => !NOT_FOR_GIT.test(name));
  return Object.fromEntries(inherited);
}

async function runGit(
  program: string,
  args: readonly string[],
  cwd: string,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<GitOutput> {
  try {
    const printed = await run(program, args, { ...options, cwd, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true });
    return { exitCode: 0, text: printed.stdout, errors: printed.stderr, cut: false };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    const cut = code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
    if (!cut && typeof code !== "number") throw error;
    return { exitCode: typeof code === "number" ? code : 0, text: stdout, errors: stderr, cut };
  }
}
