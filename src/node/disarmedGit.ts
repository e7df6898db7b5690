/**
 * The environment in which Git starts no program that a repository names. A repository's settings and attributes may be
 * anyone's: filters, hooks, pagers, what shows differences, what checks signatures, what fetches. What has a fixed name is
 * set here. Drivers have names of the repository's own, so Git is asked for them; Git treats every other repository as unsafe
 * (`safe.directory`) and refuses it.
 * Its environment disarms it: `GIT_CONFIG_COUNT` is stronger than any file and reaches whatever Git starts.
 */
import { existsSync, realpathSync } from "node:fs";
import { isWithin } from "../shared/paths";
import { askGit, type GitProgram } from "./askGit";
import { withSlashes } from "./paths";

type Setting = readonly [key: string, value: string];

/** What fetches: a repository may have left objects out, and Git would get them from wherever its settings say. */
const TRANSPORTS = ["ext", "fd", "file", "git", "http", "https", "ssh"];

/** Text in a shell's words: Git puts the path and the two files behind it. */
const NOT_SHOWN = `printf '%s: the program that shows how it differs was not started\\n' "$1"; exit 0;`;

const SETTINGS: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.editor", ":"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.alternateRefsCommand", "exit 0;"],
  ["credential.helper", ""],
  // The index is not written: that would run a hook, and a read changes nothing.
  ["diff.autoRefreshIndex", "false"],
  // Git would run itself in a submodule, and what a merge would make takes drivers of merges.
  ["diff.submodule", "short"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
  ["log.diffMerges", "separate"],
  ["log.showSignature", "false"],
  ...["gpg.program", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"].map(
    (key): Setting => [key, "false"],
  ),
  // Its complaint would show a line of any file.
  ["blame.ignoreRevsFile", ""],
  ["safe.bareRepository", "explicit"],
  ["protocol.allow", "never"],
  ...TRANSPORTS.map((name): Setting => [`protocol.${name}.allow`, "never"]),
];

const VARIABLES: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  GIT_SSH_COMMAND: "false",
  GIT_EDITOR: ":",
  // Stronger than what a repository sets for one command.
  GIT_PAGER: "cat",
};

/** Keys with a name of the repository's own in them → their replacement. Git lower-cases the rest of a key. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ""],
  [/^filter\..*\.required$/s, "false"],
  [/^diff\.(?:external|.*\.command)$/s, NOT_SHOWN],
  [/^diff\..*\.textconv$/s, "cat"],
  [/^diff\..*\.cachetextconv$/s, "false"],
  [/^merge\..*\.driver$/s, "exit 1"],
  [/^submodule\..*\.update$/s, "none"],
  [/^submodule\..*\.ignore$/s, "dirty"],
  [/^credential\..*\.helper$/s, ""],
  [/^hook\..*\.command$/s, "exit 1"],
  [/^alias\./s, ""],
  // What Git's extension for large files starts, and that may be the person's own filter.
  [/^lfs\.extension\..*\.(?:clean|smudge)$/s, ""],
];

/** A repository as Git finds it from a folder. */
export interface ArmedRepository {
  /** of its files; '/' separators */
  top: string;
  /** what takes the place of its own drivers */
  settings: readonly Setting[];
}

/** Variables that are enough where nothing can come of what a repository's own drivers do: in the sandbox. */
export function gitWithoutPrograms(env: NodeJS.ProcessEnv, more: readonly Setting[] = []): Record<string, string> {
  const given = Number(env.GIT_CONFIG_COUNT ?? 0);
  const first = Number.isInteger(given) && given > 0 ? given : 0;
  const all = [...SETTINGS, ...more];
  const numbered = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ]);
  return { ...VARIABLES, ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: `${first + all.length}` };
}

/** Variables with which Git reads these repositories, starts no program of theirs, and refuses all others. */
export function disarmedGit(env: NodeJS.ProcessEnv, repositories: readonly ArmedRepository[]): Record<string, string> {
  const known = repositories.map(({ top }): Setting => ["safe.directory", top]);
  const own = repositories.flatMap(({ settings }) => settings);
  // An empty one takes away those of the person's, which may be all.
  const all: Setting[] = [["safe.directory", ""], ...known, ["diff.ignoreSubmodules", "dirty"], ...own];
  return { ...gitWithoutPrograms(env, all), GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
}

/**
 * @returns undefined: the folder is in none, or in one whose files lie elsewhere. Rejects where Git cannot be started or is stopped
 */
export async function repositoryAround(folder: string, git: GitProgram): Promise<ArmedRepository | undefined> {
  const [found, listed] = await Promise.all([
    ask(git, folder, ["rev-parse", "--show-toplevel"]),
    ask(git, folder, ["config", "--includes", "--show-scope", "--null", "--list"]),
  ]);
  const top = found?.replace(/\r?\n$/, "");
  if (!top || listed === undefined || !isWithin(withSlashes(top), withSlashes(realpathSync.native(folder))))
    return undefined;
  const ignored = (await submodules(top, git)).map((name): Setting => [`submodule.${name}.ignore`, "dirty"]);
  return { top, settings: [...ignored, ...inPlaceOf(listed)] };
}

/** What a person has set under the same name is theirs, and counts again. */
function inPlaceOf(listed: string): Setting[] {
  const fields = listed.split("\0");
  const persons = new Map<string, string>();
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ""] = [fields[at], fields[at + 1]];
    const end = entry.indexOf("\n");
    const key = end < 0 ? entry : entry.slice(0, end);
    const neutral = NAMED.find(([pattern]) => pattern.test(key))?.[1];
    if (neutral === undefined) continue;
    if (scope === "local" || scope === "worktree") found.set(key, neutral);
    else if (end >= 0) persons.set(key, entry.slice(end + 1));
  }
  // One that is gone must not be one that is required.
  for (const key of [...found.keys()]) {
    const driver = /^filter\..*(?=\.)/s.exec(key)?.[0];
    if (driver !== undefined) found.set(`${driver}.required`, "false");
  }
  return [...found].map(([key, neutral]) => [key, persons.get(key) ?? neutral]);
}

/** Names, from where Git takes them: the folder's file, else the index, else the last commit. */
async function submodules(top: string, git: GitProgram): Promise<string[]> {
  const sources = existsSync(`${top}/.gitmodules`)
    ? [["--file", `${top}/.gitmodules`]]
    : [":", "HEAD:"].map(from => ["--blob", `${from}.gitmodules`]);
  const query = ["--null", "--name-only", "--get-regexp", "^submodule\\."];
  const texts = await Promise.all(sources.map(source => ask(git, top, ["config", ...source, ...query])));
  const keys = texts.flatMap(text => (text ?? "").split("\0"));
  return [...new Set(keys.flatMap(key => /^submodule\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))];
}

/** @returns undefined: Git says no. None of these commands starts anything, and Git takes the repository for the person's own here. */
const ask = (git: GitProgram, cwd: string, args: readonly string[]): Promise<string | undefined> =>
  askGit(cwd, { ...git, env: { ...git.env, ...gitWithoutPrograms(git.env) } }, args);
