/** The files that a shell's patterns stand for, as the disk is now: a link among them leads anywhere. */
import { isEnvExample } from "../../shared/envFile";
import { globTest } from "../../shared/glob";
import { fileName } from "../../shared/paths";
import type { FileRef, Files } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { protectedBecause } from "../permissions/protectedPaths";

/** folders that are looked into, and files that are found, for one pattern */
const MAX_LISTED = 200;
const MAX_FOUND = 1000;

/** @param patterns absolute, '/' separators. undefined: too many to be looked at, or a pattern of a kind that is not known */
export async function matches(patterns: readonly string[], files: Files): Promise<FileRef[] | undefined> {
  const found: FileRef[] = [];
  for (const pattern of patterns) {
    const paths = await expanded(pattern, files);
    if (paths === undefined || found.length + paths.length > MAX_FOUND) return undefined;
    const refs = await Promise.all(paths.map(path => unlessFileError(files.resolve(path), undefined)));
    found.push(...refs.filter(ref => ref !== undefined));
  }
  return found;
}

/** Part by part, from the left: without a star it is a name, with one it matches the folder's entries. */
export async function expanded(pattern: string, files: Files): Promise<string[] | undefined> {
  let paths = [""];
  let listed = 0;
  for (const part of pattern.split("/").filter(Boolean)) {
    if (!/[*?[]/.test(part)) {
      paths = paths.map(path => `${path}/${part}`);
      continue;
    }
    const test = /[()@+!]/.test(part) ? "" : globTest(part, { braces: false });
    listed += paths.length;
    if (typeof test === "string" || listed > MAX_LISTED) return undefined;
    // Names with a dot are only meant by what begins with one.
    const isMeant = (name: string) => (part.startsWith(".") || !name.startsWith(".")) && test(name);
    const next = await Promise.all(paths.map(async path => ({ path, entries: await entriesOf(path || "/", files) })));
    paths = next.flatMap(({ path, entries }) =>
      entries.flatMap(({ name }) => (isMeant(name) ? `${path}/${name}` : [])),
    );
    if (paths.length > MAX_FOUND) return undefined;
  }
  return paths;
}

interface SearchScope {
  /** only files whose names end so */
  endings?: readonly string[];
  /** by Git, which shows nothing of its own folder */
  byGit?: true;
}

/**
 * The first protected file below a folder, the nearest first.
 * @returns its path; "": more folders than are looked into; undefined: none
 */
export async function protectedBelow({ absolute }: FileRef, { endings, byGit }: SearchScope, files: Files) {
  let listed = 0;
  for await (const entries of below(absolute, files, name => name !== ".git" && name !== "node_modules")) {
    if (++listed > MAX_LISTED) return "";
    for (const { name, path, type } of entries) {
      const isOwn = name === ".git";
      const isMeant = type === "directory" ? isOwn : !endings || endings.some(ending => name.endsWith(ending));
      if (isMeant && !(isOwn && byGit) && isProtected(path, absolute)) return path;
    }
  }
  return undefined;
}

/** The first link below a folder; "": more than is looked into; undefined: none. */
export async function linkBelow({ absolute }: FileRef, files: Files): Promise<string | undefined> {
  let found = 0;
  for await (const entries of below(absolute, files)) {
    found += entries.length;
    if (found > MAX_FOUND) return "";
    for (const { path } of entries)
      if ((await unlessFileError(files.resolve(path), undefined))?.absolute !== path) return path;
  }
  return undefined;
}

/** Entries of a folder, then of those below it, the nearest first. */
async function* below(top: string, files: Files, isEntered: (name: string) => boolean = () => true) {
  const waiting = [top];
  for (const folder of waiting) {
    const entries = (await entriesOf(folder, files)).map(entry => ({ ...entry, path: `${folder}/${entry.name}` }));
    yield entries;
    for (const { name, type, path } of entries) if (type === "directory" && isEntered(name)) waiting.push(path);
  }
}

const isProtected = (absolute: string, folder: string) =>
  !isEnvExample(fileName(absolute)) &&
  protectedBecause({ absolute, relative: absolute.slice(folder.length + 1), inside: true }, []) !== undefined;

/** None where it is no folder. */
const entriesOf = (path: string, files: Files) =>
  unlessFileError(
    files.resolve(path).then(ref => files.list(ref)),
    [],
  );
