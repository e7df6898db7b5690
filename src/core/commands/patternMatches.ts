/** The files that a shell's patterns stand for, as the disk is now: a link among them leads anywhere. */
import { isEnvExample, isEnvFile } from "../../shared/envFile";
import { globTest } from "../../shared/glob";
import { type FileRef, type Files, unlessFileError } from "../ports";

type PatternFiles = Pick<Files, "resolve" | "list">;

/** folders that are looked into, and files that are found, for one pattern */
const MAX_LISTED = 200;
const MAX_FOUND = 1000;

/** @param patterns absolute, '/' separators. undefined: too many to be looked at, or a pattern of a kind that is not known */
export async function matches(patterns: readonly string[], files: PatternFiles): Promise<FileRef[] | undefined> {
  const found: FileRef[] = [];
  for (const pattern of patterns) {
    const paths = await expanded(pattern, files);
    if (paths === undefined || found.length + paths.length > MAX_FOUND) return undefined;
    const refs = await Promise.all(paths.map(path => unlessFileError(files.resolve(path), undefined)));
    found.push(...refs.filter(ref => ref !== undefined));
  }
  return found;
}

/** Part by part, from the left: without a star it is a name, with one it stands for what is in the folder. */
async function expanded(pattern: string, files: PatternFiles): Promise<string[] | undefined> {
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
    const next = await Promise.all(
      paths.map(async path => (await namesIn(path, files)).filter(isMeant).map(name => `${path}/${name}`)),
    );
    paths = next.flat();
    if (paths.length > MAX_FOUND) return undefined;
  }
  return paths;
}

/** The first `.env` file in one of the folders or right below it; undefined: there is none, or too much to be looked at. */
export async function envFileBelow(folders: readonly FileRef[], files: PatternFiles): Promise<string | undefined> {
  let listed = 0;
  const look = async (folder: string, depth: number): Promise<string | undefined> => {
    listed += 1;
    if (listed > MAX_LISTED) return undefined;
    const entries = await unlessFileError(
      files.resolve(folder).then(ref => files.list(ref)),
      [],
    );
    const env = entries.find(({ name, type }) => type !== "directory" && isEnvFile(name) && !isEnvExample(name));
    if (env) return `${folder}/${env.name}`;
    if (depth === 0) return undefined;
    for (const { name, type } of entries) {
      if (type !== "directory" || passedOver.test(name)) continue;
      const found = await look(`${folder}/${name}`, depth - 1);
      if (found) return found;
    }
    return undefined;
  };
  for (const { absolute } of folders) {
    const found = await look(absolute, 1);
    if (found) return found;
  }
  return undefined;
}

const passedOver = /^(?:\.git|node_modules|vendor|target|dist|build|out)$/;

/** None where it is no folder. */
async function namesIn(path: string, files: PatternFiles): Promise<string[]> {
  const entries = await unlessFileError(
    files.resolve(path || "/").then(ref => files.list(ref)),
    [],
  );
  return entries.map(({ name }) => name);
}
