/**
 * Which names of a folder are ignored, by the rules that ripgrep goes by with the arguments of ripgrep.ts: `.rgignore`, `.ignore`
 * and `.gitignore` of the folder and the folders above it, `.git/info/exclude`; the nearest file decides, in it the last
 * line that fits; no .gitignore from beyond the repository.
 */
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { globRegExp } from "../shared/glob";
import { errno, isMissing } from "./errno";
import { relativeTo, withSlashes } from "./paths";

interface IgnoreRule {
  regex: RegExp;
  folderOnly: boolean;
  keep: boolean;
}

/** The rules of one ignore file; lines that make no sense are passed over, as git does. */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const raw of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const line = raw.replace(/(?<!\\)\s+$/, "");
    if (line === "" || line.startsWith("#")) continue;
    const keep = line.startsWith("!");
    const pattern = keep ? line.slice(1) : line;
    const regex = globRegExp(pattern, { braces: false });
    if (typeof regex !== "string") rules.push({ regex, folderOnly: pattern.endsWith("/"), keep });
  }
  return rules;
}

interface Level {
  /** absolute, '/' separators */
  folder: string;
  hasGit: boolean;
  rules: Record<IgnoreKind, IgnoreRule[]>;
}

type IgnoreKind = "rgignore" | "ignore" | "gitignore" | "exclude";

/** In the order in which they decide. */
const KINDS: readonly { kind: IgnoreKind; file: string; git: boolean }[] = [
  { kind: "rgignore", file: ".rgignore", git: false },
  { kind: "ignore", file: ".ignore", git: false },
  { kind: "gitignore", file: ".gitignore", git: true },
  { kind: "exclude", file: join(".git", "info", "exclude"), git: true },
];

/** What is ignored below one folder. Read anew for each question: ignore files change while an agent works. */
export class IgnoreRules {
  private constructor(private readonly levels: readonly Level[]) {}

  /** @param folder absolute, native */
  static async at(folder: string): Promise<IgnoreRules> {
    const folders: string[] = [];
    for (let at = folder; ; at = dirname(at)) {
      folders.push(at);
      if (dirname(at) === at) break;
    }
    return new IgnoreRules(await Promise.all(folders.map(readLevel)));
  }

  /** @param path absolute, '/' separators, in the folder */
  ignores(path: string, isFolder: boolean): boolean {
    return (
      KINDS.map(({ kind, git }) => this.decide(kind, git, path, isFolder)).find(decided => decided !== undefined) ??
      false
    );
  }

  private decide(kind: IgnoreKind, git: boolean, path: string, isFolder: boolean): boolean | undefined {
    for (const level of this.levels) {
      const below = relativeTo(level.folder, path);
      const rule = level.rules[kind].findLast(
        ({ regex, folderOnly }) => (isFolder || !folderOnly) && regex.test(below),
      );
      if (rule) return !rule.keep;
      if (git && level.hasGit) return undefined;
    }
    return undefined;
  }
}

async function readLevel(folder: string): Promise<Level> {
  const [hasGit, ...texts] = await Promise.all([
    exists(join(folder, ".git")),
    ...KINDS.map(({ file }) => readIfThere(join(folder, file))),
  ]);
  const [rgignore = [], ignore = [], gitignore = [], exclude = []] = texts.map(text =>
    text ? parseIgnoreFile(text) : [],
  );
  return { folder: withSlashes(folder), hasGit, rules: { rgignore, ignore, gitignore, exclude } };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES") return false;
    throw error;
  }
}

/** What can't be read ignores nothing, as with ripgrep. */
async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error) || ["EACCES", "EISDIR", "EPERM"].includes(errno(error))) return "";
    throw error;
  }
}
