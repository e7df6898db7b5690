/**
 * What Git says is not committed. A repository's own settings and attributes name programs (filters, pagers, hooks, what diffs,
 * what fetches): none of them runs, whoever cloned it from wherever.
 */
import { spawn } from "node:child_process";
import type { NothingToAttach, RepositoryChanges } from "../../core/ports";
import { errno } from "../errno";
import { withSlashes } from "../paths";
import { commandEnvironment, onPath } from "./shell";

const LIMIT_MS = 15_000;
/** bytes of one command's output */
const MAX_OUTPUT_BYTES = 4_000_000;

/** What fetches: a repository may have left objects out, and Git would get them from wherever its settings say. */
const TRANSPORTS = ["ext", "fd", "file", "git", "http", "https", "ssh"];
export const SAFE = [
  ...["--no-optional-locks", "--no-pager"],
  ...settings(
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "safe.bareRepository=explicit",
  ),
  ...settings("protocol.allow=never", ...TRANSPORTS.map(name => `protocol.${name}.allow=never`)),
];
/** The format is the one that is read. Git would run itself in a submodule, which has settings of its own. */
const DIFF = [
  ...["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"],
  ...["--ignore-submodules=dirty", "--submodule=short"],
];
/** Where others say which repository it is, or which programs help. */
const NOT_FOR_GIT = /^GIT_/;
const ALWAYS = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};

function settings(...values: readonly string[]): string[] {
  return values.flatMap(value => ["-c", value]);
}

/**
 * Of the repository around a folder. Rejects with the signal's reason, and where Git fails.
 * @param folder absolute
 * @param program Git, where it is known
 */
export async function readGitChanges(
  folder: string,
  signal: AbortSignal,
  program = onPath(process.platform === "win32" ? "git.exe" : "git", process.env),
): Promise<RepositoryChanges | NothingToAttach> {
  if (program === undefined) return { nothing: "Git is not installed." };
  const limit = AbortSignal.timeout(LIMIT_MS);
  const git = (cwd: string, ...args: string[]) =>
    runGit(program, [...SAFE, ...args], cwd, AbortSignal.any([signal, limit]));
  try {
    const top = await git(folder, "rev-parse", "--show-toplevel");
    const root = top.text.trim();
    if (top.exitCode !== 0 || root === "") return { nothing: "The workspace is in no Git repository." };
    const filters = await ownFilters(git, root);
    if ("nothing" in filters) return filters;
    return await readChanges((...args) => git(root, ...filters.off, ...args), withSlashes(root));
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
  program = onPath(process.platform === "win32" ? "git.exe" : "git", process.env),
): Promise<string[]> {
  if (program === undefined) return [];
  // What checks signatures would be a program that the settings name.
  const args = [...SAFE, ...settings("log.showSignature=false"), "log", "--no-merges", "--no-color", "-n", "20"];
  const within = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const { exitCode, text } = await runGit(program, [...args, "--format=%s"], folder, within).catch(error => {
    signal.throwIfAborted();
    return { exitCode: null, text: String(error) };
  });
  return exitCode === 0 ? text.split("\n").filter(line => line.trim() !== "") : [];
}

type Git = (...args: string[]) => Promise<GitOutput>;

/** What switches the filters off that the repository's own settings define; those of the person's settings (LFS) stay. */
export async function ownFilters(
  git: (cwd: string, ...args: string[]) => Promise<Pick<GitOutput, "text">>,
  root: string,
): Promise<{ off: string[] } | NothingToAttach> {
  const query = ["--includes", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const found = await Promise.all(["--local", "--worktree"].map(scope => git(root, "config", scope, ...query)));
  const names = found.flatMap(({ text }) => text.split("\0").filter(name => name !== ""));
  // `-c` takes what is before the first "=" for the name.
  const odd = names.find(name => /[=\n]/.test(name));
  if (odd !== undefined)
    return { nothing: "The repository's settings define a filter of an odd name, so Git is not run in it." };
  const drivers = new Set(names.map(name => name.slice(0, name.lastIndexOf("."))));
  return {
    off: [...drivers].flatMap(driver =>
      settings(`${driver}.clean=`, `${driver}.smudge=`, `${driver}.process=`, `${driver}.required=false`),
    ),
  };
}

async function readChanges(git: Git, root: string): Promise<RepositoryChanges> {
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

/** What Git runs with here: nothing of it asks, fetches, or writes into the repository. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(commandEnvironment(process.env)).filter(([name]) => !NOT_FOR_GIT.test(name));
  return { ...Object.fromEntries(inherited), ...ALWAYS };
}

function runGit(program: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<GitOutput> {
  const { promise, resolve, reject } = Promise.withResolvers<GitOutput>();
  const env = gitEnvironment();
  const child = spawn(program, args, { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const output = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const found = { stdout: "", stderr: "" };
  let left = MAX_OUTPUT_BYTES;
  let cut = false;
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (chunk: Buffer) => {
      const part = chunk.subarray(0, left);
      cut ||= part.length < chunk.length;
      left -= part.length;
      found[stream] += output[stream].decode(part, { stream: true });
      // Whatever else it would print is passed over.
      if (cut) child.kill();
    });
  child.on("error", reject);
  child.on("close", code => resolve({ exitCode: cut ? 0 : code, text: found.stdout, errors: found.stderr, cut }));
  return promise;
}
