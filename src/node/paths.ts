/** Paths on this machine: links followed, roots found, names for people made. */
import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileRef, Root } from "../core/ground/ports";
import { innermostRoot, isWithin, relativeTo } from "../shared/paths";
import { errno, ifThere, isMissing, unlessFails } from "./errno";

/** '/' separators, whatever the platform has. */
export const withSlashes = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path);

/** The roots of a workspace: links followed, each with a name of its own. A folder that is not there stays as it is. */
export function nodeRoots(folders: readonly string[]): Root[] {
  const names = new Set<string>();
  return folders.map(folder => {
    const named = resolve(folder);
    const real = ifThere(() => realpathSync.native(named)) ?? named;
    const base = basename(real) || "root";
    let name = base;
    for (let n = 2; names.has(name); n++) name = `${base}-${n}`;
    names.add(name);
    return { name, path: withSlashes(real), uri: pathToFileURL(real).href };
  });
}

/** Links followed; what leads nowhere, or where nobody may look, stays as it is called. */
export const realOrSame = (path: string): string => realIfThere(path) ?? path;

/** Links followed; undefined: it leads nowhere, or where nobody may look */
export const realIfThere = (path: string) => unlessFails(() => realpathSync.native(path), undefined);

/** Links are followed; false also for one that nobody may see. */
export const isFolder = (path: string): boolean => unlessFails(() => statSync(path).isDirectory(), false);

/** Names an absolute, native path whose links were followed. */
export function fileRef(roots: readonly Root[], real: string): FileRef {
  const absolute = withSlashes(real);
  const root = innermostRoot(roots, absolute);
  const uri = pathToFileURL(real).href;
  if (!root) return { uri, absolute, path: absolute, relative: absolute, inside: false };
  const relative = relativeTo(root.path, absolute) || ".";
  return { uri, absolute, path: roots.length > 1 ? `${root.name}:${relative}` : relative, relative, inside: true };
}

/**
 * Follows links as far as the path exists and keeps the rest of it. A link to something that is not there leads where it
 * points: writing "through" it must count as writing there. Looked up at once, as `PathCache` does. What is not there under its name, but in another form of Unicode, is that.
 */
export async function realPath(path: string, hops = 40): Promise<string> {
  const rest: string[] = [];
  let current = path;
  for (;;) {
    try {
      const real = realpathSync.native(current);
      const [first = "", ...below] = rest;
      const stored = await storedName(real, first);
      return stored === undefined ? join(real, ...rest) : realPath(join(real, stored, ...below), hops);
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
    const target = danglingTarget(current);
    if (target !== undefined) {
      if (hops === 0) throw Object.assign(new Error("Too many links"), { code: "ELOOP" });
      return realPath(join(target, ...rest), hops - 1);
    }
    const parent = dirname(current);
    if (parent === current) return join(current, ...rest);
    rest.unshift(basename(current));
    current = parent;
  }
}

/** As what a name that is not in the folder stands there: letters with accents are one character or two, and look the same. */
async function storedName(folder: string, name: string): Promise<string | undefined> {
  if (/^[\0-\x7f]*$/.test(name)) return undefined;
  const composed = name.normalize("NFC");
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter(each => each !== name && each.normalize("NFC") === composed).sort()[0];
}

function danglingTarget(path: string): string | undefined {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    return resolve(dirname(path), readlinkSync(path));
  } catch (error) {
    if (isUnknown(error) || errno(error) === "EINVAL") return undefined;
    throw error;
  }
}

/** Nothing is there, or in a folder that we may not look into: whoever reads or writes there is told so. */
const isUnknown = (error: unknown) => isMissing(error) || errno(error) === "EACCES";

/** For people: `~` stands for their home. */
export function tilde(path: string): string {
  const home = withSlashes(homedir());
  const slashed = withSlashes(path);
  return isWithin(home, slashed) && home !== "/" ? `~${slashed.slice(home.length)}` : slashed;
}
