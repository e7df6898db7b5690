/**
 * Which files are ignored, by the rules that ripgrep goes by with the arguments of node/ripgrep.ts: `.rgignore`, `.ignore` and
 * `.gitignore` of a folder and the folders above it, `.git/info/exclude`; the nearest file decides, in it the last line that
 * fits; no .gitignore from beyond the repository. Pure: whoever reads the files hands them in.
 */
import { globTest, type PathTest } from "./glob";
import { relativeTo } from "./paths";

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

/** Without the blanks at its end; one behind a backslash is meant. */
function withoutEnd(line: string): string {
  const bare = line.trimEnd();
  return bare.endsWith("\\") ? line.slice(0, bare.length + 1) : bare;
}

/** Stars of one rule, and rules of one file with several: each name is held against all of them. More are passed over. */
const MAX_STARS = 8;
const MAX_STARRED = 200;
/** Rules of one file. */
const MAX_RULES = 20_000;

/** The rules of one ignore file; lines that make no sense are passed over, as git does. */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  let starred = 0;
  for (const raw of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const line = withoutEnd(raw);
    if (line === "" || line.startsWith("#")) continue;
    const keep = line.startsWith("!");
    const pattern = keep ? line.slice(1) : line;
    const stars = pattern.match(/\*+/g)?.length ?? 0;
    if (stars > 1) starred += 1;
    if (stars > MAX_STARS || (stars > 1 && starred > MAX_STARRED) || rules.length >= MAX_RULES) continue;
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

function decide(levels: readonly IgnoreLevel[], kind: IgnoreKind, git: boolean, path: string, isFolder: boolean) {
  for (const { folder, hasGit, rules } of levels) {
    const below = relativeTo(folder, path);
    const rule = rules[kind].findLast(({ test, folderOnly }) => (isFolder || !folderOnly) && test(below));
    if (rule) return !rule.keep;
    if (git && hasGit) return undefined;
  }
  return undefined;
}
