/** Programs of this machine: a folder of the workspace in PATH serves neither Strata nor commands that run unasked. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { t } from "../shared/l10n";
import { isWithin } from "../shared/paths";
import { unlessFails } from "./errno";
import { realOrSame, withSlashes } from "./paths";

/** The system's own. */
export const SYSTEM_PATH = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"].join(delimiter);

const isOf = (roots: readonly string[], path: string) => {
  const place = withSlashes(realOrSame(path));
  return roots.some(root => isWithin(root, place) || isWithin(root, withSlashes(path)));
};

/** PATH without relative folders, and without those in these folders by any name. @param roots links followed, with '/' separators */
export const trustedPath = (path: string, roots: readonly string[]) => trustedFolders(path, roots).join(delimiter);

const trustedFolders = (path: string, roots: readonly string[]) =>
  path.split(delimiter).filter(folder => isAbsolute(folder) && !isOf(roots, folder));

/** @param roots nothing is taken from there, also not by a link that leads there */
export function findProgram(name: string, env: NodeJS.ProcessEnv, roots: readonly string[]): string | undefined {
  const paths = trustedFolders(env.PATH ?? env.Path ?? "", roots).map(folder => join(folder, name));
  return paths.find(path => existsSync(path) && !isOf(roots, path));
}

export const findGit = (roots: readonly string[]): string | undefined =>
  findProgram(process.platform === "win32" ? "git.exe" : "git", process.env, roots);

/** They start what a file of the workspace names (`.tool-versions`, `package.json`), or get it from the network first. */
const isVersionManager = (folder: string, real: string) =>
  basename(folder) === "shims" ||
  /^(?:volta-shim|mise|rtx|asdf|proto-shim|pyenv|rbenv|aqua|aqua-proxy)$/.test(basename(real));

/** Why what has this name is not surely a program of the machine: a part of a sentence. Undefined: it is, or there is none. */
export function doubtOf(name: string, env: NodeJS.ProcessEnv, roots: readonly string[]): string | undefined {
  const folder = trustedFolders(env.PATH ?? env.Path ?? "", roots).find(each => isProgram(join(each, name)));
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  if (isOf(roots, path)) return t("starts `{0}`, which is a file of the workspace", name);
  return isVersionManager(folder, realOrSame(path))
    ? t("starts `{0}`, of which the workspace may say which program that is", name)
    : undefined;
}

export const isProgram = (path: string): boolean =>
  unlessFails(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);
