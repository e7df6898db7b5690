/** Homes and mounted disks in the sandbox. No list of secret files can be complete, so only listed files are visible. Read-only, no copy: a write that is gone tomorrow is worse than a refusal. */
import { existsSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { keyFolders } from "../../shared/envFile";
import { isWithin } from "../../shared/paths";
import { isFolder, realOrSame } from "../paths";
import { readableCaches } from "./caches";
import { closest, hiddenMount, inOrder, type Mount, mountAs } from "./mounts";
import {
  HOME_SETTINGS,
  HOME_SHARED,
  HOME_TOOLS,
  SECRET_NAME,
  TOOL_VARIABLES,
  TOOLS_SECRETS,
  USER_DATA,
  USER_DATA_KEPT,
} from "./places";
import { entriesIn, followOwnLinks, namesIn } from "./quietRead";

export interface HomesOptions {
  /** of the workspace, links followed */
  roots: readonly string[];
  /** links followed; it may be missing */
  home: string;
  env: NodeJS.ProcessEnv;
  /** `strata.bash.read`: below the home where they begin with `~/` */
  listed: readonly string[];
  /** what belongs to the workspace elsewhere: absolute, links followed */
  near: readonly string[];
  /** a copy of settings without tokens; undefined: there are none */
  settingsOf(path: string): string | undefined;
  /** Nothing can be put in the place of a file: variables lead to the copies (macOS). */
  asItIs: boolean;
}

/** `mounts`: empty places, and the visible files in them; `hidden`: what stays hidden of all that is shown */
export function homesView(options: HomesOptions) {
  const { roots, home, env, near, asItIs } = options;
  // A folder without anything in it needs no other in its place.
  const others = USER_DATA.filter(path => namesIn(path).length > 0).map(realOrSame);
  const theirs = [...new Set([home, ...others])].filter(isFolder);
  const isWorkspace = (path: string) => roots.some(root => isWithin(root, path));
  const empty = theirs.filter(path => path !== "/" && !isWorkspace(path)).map(mountAs("empty"));
  const around = inOrder([...empty, ...roots.map(mountAs("write"))]);
  const isMissing = (path: string) => closest(path, around)?.kind === "empty";
  const tools = toolsOf(home);
  // A toolchain that is the workspace is no tool there.
  const named = namedBy(env).filter(path => !roots.some(root => isWithin(root, path)) && isTools(path, home));
  const searched = searchedBy(env, home, tools).filter(path => isTools(path, home));
  const used = [...USER_DATA_KEPT, ...near, ...named, ...searched];
  const elsewhere = used.filter(path => !theirs.includes(path) && isMissing(path) && existsSync(path));
  const copies = copiesOf(options);
  const listed = listedBy(options).filter(existsSync);
  // A link's own name is there no more: what it leads to is.
  const read = (path: string, from = followOwnLinks(path, roots)): Mount[] => {
    if (from === undefined) return [];
    return [isMissing(path) ? { kind: "read", path, from } : { kind: "read", path: realOrSame(path), from }];
  };
  const copied = ({ path, copy }: HomeCopy): Mount[] => (asItIs ? [{ kind: "read", path: copy }] : read(path, copy));
  return {
    mounts: [
      ...empty,
      ...outermost([...tools, ...elsewhere]).flatMap(path => read(path)),
      ...copies.flatMap(copied),
      ...listed.flatMap(path => read(path)),
    ],
    hidden: secretsIn(home, [...tools, ...named, ...readableCaches(home)]).filter(
      ({ path }) => !listed.some(each => isWithin(each, path)),
    ),
    env: asItIs ? Object.fromEntries(copies.flatMap(({ variable, copy }) => (variable ? [[variable, copy]] : []))) : {},
  };
}

/** Of those that a person named, nothing is hidden. */
export const isListed = (path: string, options: Pick<HomesOptions, "listed" | "home">): boolean =>
  listedBy(options).some(each => isWithin(each, path));

/** Lists the home once instead of a `stat` for each tool. */
function toolsOf(home: string): string[] {
  const names = new Set(namesIn(home));
  const isLikely = (path: string) => names.has(path.split("/")[0] ?? "");
  return HOME_TOOLS.filter(isLikely)
    .map(path => join(home, path))
    .filter(existsSync);
}

interface HomeCopy {
  path: string;
  copy: string;
  /** the variable with the file's path, or "" */
  variable: string;
}

function copiesOf({ home, roots, settingsOf }: HomesOptions): HomeCopy[] {
  const names = new Set(namesIn(home));
  return Object.entries(HOME_SETTINGS).flatMap(([name, variable]) => {
    const path = join(home, name);
    const place = names.has(name.split("/")[0] ?? "") ? followOwnLinks(path, roots) : undefined;
    const copy = place === undefined ? undefined : settingsOf(place);
    return copy === undefined ? [] : [{ path, copy, variable }];
  });
}

const namedBy = (env: NodeJS.ProcessEnv) =>
  TOOL_VARIABLES.flatMap(name => env[name] ?? [])
    .filter(isAbsolute)
    .map(path => resolve(path));

/** Folders that many programs share are no tool's. */
function isTools(path: string, home: string): boolean {
  if (!isWithin(home, path)) return true;
  const below = path.slice(home.length + 1).split("/");
  return !HOME_SHARED.includes(below.join("/")) && !below.some(name => keyFolders.has(name));
}

/** What programs are looked for in, of the home; with what lies beside it where that is a tool's own folder. */
function searchedBy(env: NodeJS.ProcessEnv, home: string, tools: readonly string[]): string[] {
  const folders = (env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map(path => resolve(path));
  return folders
    .filter(folder => isWithin(home, folder))
    .map(folder => {
      const around = dirname(folder);
      const isTool =
        basename(folder) === "bin" &&
        around !== home &&
        ["include", "libexec", "pyvenv.cfg"].some(name => existsSync(join(around, name)));
      return isTool && !tools.some(tool => isWithin(around, tool)) ? around : folder;
    });
}

const listedBy = ({ listed, home }: Pick<HomesOptions, "listed" | "home">): string[] =>
  listed.map(path => (path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(path)));

const outermost = (paths: readonly string[]) => [
  ...new Set(paths.filter(path => !paths.some(other => other !== path && isWithin(other, path)))),
];

function secretsIn(home: string, tools: readonly string[]): Mount[] {
  const named = TOOLS_SECRETS.map(path => join(home, path)).filter(path => tools.some(tool => isWithin(tool, path)));
  const inTools = tools
    .filter(path => !/^\.?bin$/.test(basename(path)))
    .flatMap(path =>
      entriesIn(path)
        .filter(entry => !entry.isDirectory() && SECRET_NAME.test(entry.name))
        .map(({ name }) => join(path, name)),
    );
  return [...named.filter(existsSync), ...inTools].map(hiddenMount);
}
