/**
 * Repositories that a command made below the workspace's roots: an editor looks into each as soon as it sees it. None stays, whatever
 * it says. Of those that were there what was changed counts, and Git itself says what stands in their settings: a parser of ours would
 * read some of them otherwise.
 */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { askGit } from "../askGit";
import { gitWithoutPrograms } from "../disarmedGit";
import { identity } from "./putAside";
import { bytesOf, MAX_BYTES, textOf } from "./quietRead";

interface RepositoryState {
  /** which it is, whatever its name */
  place: string;
  /** when what it runs was changed; undefined: no command can change it */
  arming: string | undefined;
  isKept(path: string): boolean;
  /** what going on with a rebase or the like would start */
  waiting: ReadonlySet<string>;
}

export type Repositories = ReadonlyMap<string, RepositoryState>;

interface RepositoryLook {
  repositories: Repositories;
  /** What was not changed since was only not seen before. */
  moment: number;
  /** A person agreed to what runs outside meanwhile: a new one may be its, and stays where it is harmless. */
  isShared: boolean;
}

/** of those that were changed, or are perhaps another's: with more of them all are put aside, and Git is not asked */
const MAX_ASKED = 50;

/**
 * @param held those whose settings and hooks no command can change
 * @param isKept a file or folder is read-only, whatever leads to it
 */
export function repositoriesIn(
  paths: readonly string[],
  held: ReadonlySet<string>,
  isKept: (path: string) => boolean,
): Repositories {
  return new Map(
    paths.map(path => {
      // What it leads to lies elsewhere, where nobody may have held it.
      const others = foldersOf(path).slice(1);
      const arming = held.has(path) && others.length === 0 ? undefined : timesOf(path, isKept);
      return [
        path,
        {
          place: placeOf(path),
          arming,
          isKept,
          waiting: new Set([...waitingIn(path).values()].flat()),
        },
      ];
    }),
  );
}

/** Those of `paths` that were not there before, and those that run something since: of each what has to go. */
export async function madeSince(
  { repositories, moment, isShared }: RepositoryLook,
  paths: readonly string[],
  git: GitSetup,
): Promise<string[]> {
  const known = new Map([...repositories.values()].map(state => [state.place, state]));
  const [made, mayStay, waiting]: [string[], string[], string[]] = [[], [], []];
  for (const path of paths) {
    const then = known.get(placeOf(path));
    for (const [folder, lines] of then ? waitingIn(path) : [])
      if (lines.some(line => !then?.waiting.has(line))) waiting.push(folder);
    if (then ? then.arming !== undefined && then.arming !== timesOf(path, then.isKept) : isSince(path, moment))
      (then || isShared ? mayStay : made).push(path);
  }
  // One after the other: beside hundreds of others Git would answer none in time.
  for (const path of mayStay) if (mayStay.length > MAX_ASKED || (await isArmed(path, git))) made.push(path);
  return [...made.map(placeToGo), ...waiting];
}

/** What makes the folder a repository. */
export const placeToGo = (path: string): string => (/[\\/]\.git$/i.test(path) ? path : join(path, "HEAD"));

const isSince = (path: string, moment: number) => Math.max(changed(path), ...armingTimes(path)) >= moment;

/** Two links may lead to the same. */
function placeOf(path: string): string {
  const place = identity(path);
  return place.startsWith("->") ? `${path} ${place}` : place;
}

/** What makes Git run something, and when it was changed: nobody can set that back. */
const timesOf = (path: string, isKept: (path: string) => boolean) =>
  armingFiles(path)
    .map(file => (isKept(file) ? "" : `${identity(file)} ${changed(file)}`))
    .join("\n");

const armingTimes = (path: string): number[] => armingFiles(path).map(changed);

function armingFiles(path: string): string[] {
  return foldersOf(path).flatMap(folder => {
    const hooks = join(folder, "hooks");
    const files = [...SETTINGS, "commondir"].map(name => join(folder, name));
    return [...files, hooks, ...namesIn(hooks).map(name => join(hooks, name))];
  });
}

/** Where its data are: itself, what a file in its place names, and what these share with others. */
function foldersOf(path: string): string[] {
  const folder = lookAt(path)?.isFile() ? ledTo(path) : path;
  if (folder === undefined) return [path];
  const common = textOf(join(folder, "commondir")).trim();
  return [...new Set([path, folder, ...(common === "" ? [] : [resolve(folder, common)])])];
}

const changed = (path: string) => lookAt(path)?.ctimeMs ?? 0;

const SETTINGS = ["config", "config.worktree"];

const PLAIN = ["HEAD", "commondir", "index", "packed-refs", "shallow"];
const isOdd = (stats: ReturnType<typeof lookAt>) => stats !== undefined && !stats.isFile() && !stats.isSymbolicLink();

/** What `git init`, `git clone` and work with branches and submodules write; with any other key a repository counts as armed. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|worktree|sparsecheckout|sparsecheckoutcone)|remote\..*\.(?:url|fetch|pushurl|tagopt|partialclonefilter|promisor)|branch\..*\.(?:remote|merge|rebase|vscode-merge-base)|user\.(?:name|email)|init\.defaultbranch|submodule\.(?:.*\.url|.*\.active|active)|extensions\.(?:objectformat|partialclone|refstorage))$/s;

/** bytes of a file with settings; one that is larger is none that Git wrote */
const MAX_SETTINGS = 256 * 1024;

interface GitSetup {
  /** undefined: there is none here */
  program: string | undefined;
  env: NodeJS.ProcessEnv;
}

async function isArmed(path: string, git: GitSetup): Promise<boolean> {
  const stats = lookAt(path);
  if (!stats) return false;
  // A link leads to what may be another thing at any time.
  if (!stats.isDirectory() && !stats.isFile()) return true;
  const runs = await Promise.all(foldersOf(path).map(each => runsSomething(each, git)));
  return runs.includes(true);
}

async function runsSomething(folder: string, git: GitSetup): Promise<boolean> {
  // A person's Git would wait for a pipe for ever.
  if (PLAIN.some(name => isOdd(lookAt(join(folder, name))))) return true;
  // What is not there today may be there tomorrow.
  if (lookAt(join(folder, "hooks"))?.isSymbolicLink()) return true;
  if (namesIn(join(folder, "hooks")).some(name => !name.endsWith(".sample"))) return true;
  const files = SETTINGS.map(name => join(folder, name)).filter(path => changed(path) !== 0);
  const harmless = await Promise.all(files.map(path => isHarmless(path, git)));
  return harmless.includes(false);
}

async function isHarmless(path: string, { program, env }: GitSetup): Promise<boolean> {
  const stats = lookAt(path);
  // Under another name, of which nobody knows, it could be changed at any time.
  if (program === undefined || !stats?.isFile() || stats.nlink > 1 || stats.size > MAX_SETTINGS) return false;
  const args = ["config", "--file", path, "--no-includes", "--null", "--list"];
  const asked = askGit("/", { program, env: { ...env, ...gitWithoutPrograms(env) } }, args);
  const listed = await asked.catch(() => undefined);
  const isEach = (entry: string) => {
    const end = entry.indexOf("\n");
    // `ext::sh -c …` is an address too.
    return entry === "" || (HARMLESS.test(end < 0 ? entry : entry.slice(0, end)) && !entry.includes("::"));
  };
  // What Git cannot read or say now it may read later.
  return listed?.split("\0").every(isEach) ?? false;
}

/** Where Git keeps what it goes on with, and in which files it says how. */
const STATES = ["rebase-merge", "rebase-apply", "sequencer"];
const TODOS = ["git-rebase-todo", "todo"];
const MANNERS = ["strategy", "strategy_opts", "opts"];
const STARTS_NOTHING =
  /^\s*(?:#.*|(?:[perfsdltmub]|pick|edit|reword|fixup|squash|drop|label|reset|merge|update-ref|break|noop|revert)(?:\s.*)?)?$/;

/** By the state's folder: lines by which `git rebase --continue` and the like would start a program. */
function waitingIn(path: string): Map<string, string[]> {
  const folders = foldersOf(path).flatMap(folder => STATES.map(name => join(folder, name)));
  const lines = (file: string, isPlain: RegExp) => {
    if (changed(file) === 0) return [];
    const text = bytesOf(file, MAX_BYTES)?.toString("utf8");
    return text === undefined ? [file] : text.split("\n").filter(line => !isPlain.test(line));
  };
  return new Map(
    folders
      .filter(folder => changed(folder) !== 0)
      .map(folder => [
        folder,
        [
          ...TODOS.flatMap(name => lines(join(folder, name), STARTS_NOTHING)),
          // `git merge-…` is looked for by its path where there is one.
          ...MANNERS.flatMap(name => lines(join(folder, name), /^[^/]*$/)),
        ],
      ]),
  );
}

function ledTo(file: string): string | undefined {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(textOf(file)) ?? [];
  return named === undefined ? undefined : resolve(dirname(file), named);
}

function lookAt(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
