/**
 * Which files are ignored, by the rules that ripgrep goes by with the arguments of node/ripgrep.ts: `.rgignore`, `.ignore` and
 * `.gitignore` of a folder and the folders above it, `.git/info/exclude`; the nearest file decides, in it the last line that
 * fits; no .gitignore from beyond the repository. Pure: whoever reads the files hands them in.
 */
import { globTest, type PathTest } from "./glob";

interface IgnoreRule {
  test: PathTest;
  folderOnly: boolean;
  keep: boolean;
}

type IgnoreKind = "rgignore" | "ignore" | "gitignore" | "exclude";

/** In the order in which they decide; `file` is relative to its folder. */
export const IGNORE_FILES: readonly { kind: IgnoreKind; file: string; git: boolean }[] = [
  { kind: "rgignore", file: ".rgignore", git: false },
  { kind: "ignore", file: ".ignore", git: false },
  { kind: "gitignore", file: ".gitignore", git: true },
  { kind: "exclude", file: ".git/info/exclude", git: true },
];

/** What one folder says of what lies below it. */
export interface IgnoreLevel {
  /** absolute, '/' separators */
  folder: string;
  /** it is the top of a repository */
  hasGit: boolean;
  rules: Record<IgnoreKind, IgnoreRule[]>;
}

/** @param texts those of IGNORE_FILES, in their order; "": there is none */
export function ignoreLevel(folder: string, hasGit: boolean, texts: readonly string[]): IgnoreLevel {
  const [rgignore = [], ignore = [], gitignore = [], exclude = []] = texts.map(text =>
    text === "" ? [] : parseIgnoreFile(text),
  );
  return { folder, hasGit, rules: { rgignore, ignore, gitignore, exclude } };
}

/** The rules of one ignore file; lines that make no sense are passed over, as git does. */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const raw of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const line = raw.replace(/(?<!\\)\s+$/, "");
    if (line === "" || line.startsWith("#")) continue;
    const keep = line.startsWith("!");
    const pattern = keep ? line.slice(1) : line;
    const test = globTest(pattern, { braces: false });
    if (typeof test !== "string") rules.push({ test, folderOnly: pattern.endsWith("/"), keep });
  }
  return rules;
}

/**
 * @param levels of the folder that holds the file and of those above it, the nearest first
 * @param path absolute, '/' separators
 */
export function isIgnored(levels: readonly IgnoreLevel[], path: string, isFolder: boolean): boolean {
  const decided = IGNORE_FILES.map(({ kind, git }) => decide(levels, kind, git, path, isFolder));
  return decided.find(decision => decision !== undefined) ?? false;
}

function decide(
  levels: readonly IgnoreLevel[],
  kind: IgnoreKind,
  git: boolean,
  path: string,
  isFolder: boolean,
): boolean | undefined {
  for (const { folder, hasGit, rules } of levels) {
    const below = path.slice(folder.endsWith("/") ? folder.length : folder.length + 1);
    const rule = rules[kind].findLast(({ test, folderOnly }) => (isFolder || !folderOnly) && test(below));
    if (rule) return !rule.keep;
    if (git && hasGit) return undefined;
  }
  return undefined;
}
