/** The files in which people write rules for agents: read the same on this machine's disk and elsewhere (docs/context.md). */
import { fenceAfter } from "./fences";
import { certain, looksOtherwise, type Mention, parseMentions } from "./mentions/parse";

/** Of each folder between a root and a file too, not of the root alone. */
const NESTED_RULES = "AGENTS.md";
/** Of a root, in their order, after its CODE_LAW.md. */
export const RULES_FILES = [NESTED_RULES, "CLAUDE.md", ".github/copilot-instructions.md", "Agent.md"];
/** The first of a root, in any case of letters. */
export const LAW_FILE = "CODE_LAW.md";
export const isLawFile = (name: string) => /^code_law\.md$/i.test(name);
/** of one file; the rest is left out */
export const MAX_RULES_BYTES = 32 * 1024;
/** of a file that is longer: what is read, so that a person can be told which of its lines were left out */
export const MAX_WHOLE_BYTES = 512 * 1024;

/**
 * The rules of the folders between a root and a file (a path below it), the nearest last. Not those of installed packages:
 * they are for the people who make the package, and unread in this project.
 */
export function nestedRules(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  if (names.includes("node_modules")) return [];
  return names.map((_, depth) => [...names.slice(0, depth + 1), NESTED_RULES].join("/"));
}

/** A path below a root that `nestedRules` may give. */
export function isNestedRules(path: string): boolean {
  const parts = path.split("/");
  return parts.length > 1 && parts.at(-1) === NESTED_RULES && !parts.includes("..");
}

// Imports: `@notes/x.md` in rules names a file that is read with them. Linear in the length of the text.

/** An import of an import of …: how far. */
export const MAX_IMPORT_DEPTH = 5;
/** Of one file, and of all files together: a list of names is no set of rules. */
export const MAX_IMPORTS = 64;

export interface RuleImport {
  /** as it is named: `notes/x.md`, `../x.md`, `~/x.md`, `/home/me/x.md` */
  path: string;
  /** It is a mistake if nothing is there: it is no package's name or a person's. */
  mustExist: boolean;
}

/** Those that are in a text, each once. @param path of the file: only text for people imports */
export function importsOf(path: string, text: string): RuleImport[] {
  if (!text.includes("@") || !/(?:^|[/:])[^/.:]+$|\.(?:md|mdx|mdc|markdown|txt)$/i.test(path)) return [];
  const prose = withHome(withoutCode(text));
  const found = new Map<string, RuleImport>();
  for (const mention of parseMentions(prose)) {
    if (looksOtherwise(prose, mention) || mention.path.endsWith("/")) continue;
    const named = mention.path.replace(/^\/~\//, "~/");
    if (!found.has(named)) found.set(named, { path: named, mustExist: mustExist(named, prose, mention) });
  }
  return [...found.values()].slice(0, MAX_IMPORTS);
}

function mustExist(path: string, text: string, mention: Mention): boolean {
  if (/^(?:~|\.\.?)?\//.test(path)) return /\.[a-z0-9]{1,10}$/i.test(path);
  // `@octokit/app.js` and `@mui/material/styles.css` are of packages.
  const isOfPackage = /^[a-z0-9][a-z0-9._-]*\//.test(path) && !/\.(?:md|mdx|mdc|markdown|txt|rst|adoc)$/i.test(path);
  return !isOfPackage && certain(text, mention, "prose");
}

/** `@~/x.md` and `@my\ notes.md`, which other agents read, as mentions are written. */
const withHome = (text: string): string =>
  text
    .replace(/@~\//g, "@/~/")
    .replace(/@(?:[^\s\\"]|\\ )+/g, name =>
      name.includes("\\ ") ? `@"${name.slice(1).replaceAll("\\ ", " ")}"` : name,
    );

/** Markdown without code and comments, in which nothing imports. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.replace(/<!--[\s\S]*?(?:-->|$)/g, " ").split(/\r\n|\r|\n/);
  const prose = lines.map(line => {
    const before = fence;
    fence = fenceAfter(before, line);
    return before === undefined && fence === undefined ? line : "";
  });
  return prose.join("\n").split(/\n\n+/).map(withoutSpans).join("\n\n");
}

/** Every second piece between backticks is code. */
function withoutSpans(paragraph: string): string {
  const pieces = paragraph.split(/(?<!\\)`+/);
  return pieces.map((piece, at) => (at % 2 && at < pieces.length - 1 ? "''" : piece)).join("");
}

/** One that is not read. */
export interface UnreadImport {
  path: string;
  /** a sentence */
  problem: string;
}
