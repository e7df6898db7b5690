/** What the programs that scripts start see of the user's environment. Node 20, no dependencies. */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";

/** git's settings for a repository of ours: who commits is named, and neither signing nor hooks of the user's take part. */
export const gitFlags = [
  ...["-c", "user.name=Strata", "-c", "user.email=strata@localhost"],
  ...["-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", "-c", "init.defaultBranch=main"],
];

/**
 * The environment without git's variables. In a git hook GIT_DIR, GIT_INDEX_FILE and others name the user's repository,
 * and git obeys them before it looks at the folder it runs in.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function gitEnv(env = process.env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^GIT_/i.test(name)));
}

/**
 * The environment without what git and npm set for a program that they start. npm's `npm_config_userconfig` and its like name
 * files of the person, and a npm that is started obeys them before it looks at its home.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function callersEnv(env = process.env) {
  return Object.fromEntries(Object.entries(gitEnv(env)).filter(([name]) => !name.startsWith("npm_")));
}

/**
 * What the demo's editor, terminals and agent see: the user's environment and PATH, without git's and npm's variables and
 * without what npm put in front of the PATH for us.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function ownEnvironment(env = process.env) {
  const folders = (env.PATH ?? "").split(delimiter);
  const own = folders.filter(folder => !/node_modules[\\/]\.bin$|node-gyp-bin$/.test(folder));
  return { ...callersEnv(env), PATH: own.join(delimiter) };
}

/**
 * `code` on PATH, where it opens a desktop VS Code that can show our folder.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findDesktop(env = process.env) {
  // In a terminal of a remote VS Code (SSH, container, WSL) `code` hands over to that window and takes no profile of ours.
  if (env.VSCODE_IPC_HOOK_CLI) return undefined;
  if (process.platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const found = spawnSync(process.platform === "win32" ? "where" : "which", ["code"], { encoding: "utf8", env });
  return found.status === 0 ? found.stdout.split(/\r?\n/)[0] : undefined;
}
