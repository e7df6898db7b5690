/** The files in which people write rules for agents: read the same on this machine's disk and elsewhere (docs/context.md). */
import { fenceAfter } from "./fences";
import { t } from "./l10n";
import { certain, looksOtherwise, type Mention, parseMentions } from "./mentions/parse";

/** Of each folder between a root and a file too, not of the root alone. */
const NESTED_RULES = "AGENTS.md";
/** Of a root, in their order, after its CODE_LAW.md. */
export const RULES_FILES = [NESTED_RULES, "CLAUDE.md", ".github/copilot-instructions.md", "Agent.md"];
/** The first of a root, whatever the case of its name. */
export const LAW_FILE = "CODE_LAW.md";
export const isLawFile = (name: string) => /^code_law\.md$/i.test(name);
/** What stands behind these in one file is left out. */
export const MAX_RULES_BYTES = 32 * 1024;

/**
 * The rules of the folders between a root and a file (a path below it), the nearest last. Not those of installed packages:
 * they are for the people who make them, and nobody of this project has read them.
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
const MAX_DEPTH = 5;
/** Of one file, and of all files together: a list of names is no set of rules. */
const MAX_IMPORTS = 64;

export interface RuleImport {
  /** as it is named: `notes/x.md`, `../x.md`, `~/x.md`, `/home/me/x.md` */
  path: string;
  /** Whether it is a mistake that nothing is there. `package`: only where the folder that it begins with is there */
  missing: "mistake" | "package" | "other";
}

/** Those that are in a text, each once. @param path of the file: what is no text for people names nothing */
export function importsOf(path: string, text: string): RuleImport[] {
  if (!text.includes("@") || !/(?:^|[/:])[^/.]+$|\.(?:md|mdx|mdc|markdown|txt)$/i.test(path)) return [];
  const prose = withHome(withoutCode(text));
  const found = new Map<string, RuleImport>();
  for (const mention of parseMentions(prose)) {
    if (looksOtherwise(prose, mention) || mention.path.endsWith("/")) continue;
    const named = mention.path.replace(/^\/~\//, "~/");
    if (!found.has(named)) found.set(named, { path: named, missing: meaningOf(named, prose, mention) });
  }
  return [...found.values()].slice(0, MAX_IMPORTS);
}

function meaningOf(path: string, text: string, mention: Mention): RuleImport["missing"] {
  if (/^(?:~|\.\.?)?\//.test(path)) return /\.[a-z0-9]{1,10}$/i.test(path) ? "mistake" : "other";
  if (!certain(text, mention, "prose")) return "other";
  if (/\.(?:md|mdx|mdc|markdown|txt|rst|adoc)$/i.test(path)) return "mistake";
  // `@octokit/app.js` and `@mui/material/styles.css` are of packages.
  return /^[a-z0-9][a-z0-9._-]*\//.test(path) ? "package" : "mistake";
}

/** `@~/x.md` and `@my\ notes.md`, which other agents read, as mentions are written. */
function withHome(text: string): string {
  return text
    .replace(/@~\//g, "@/~/")
    .replace(/@(?:[^\s\\"]|\\ )+/g, name =>
      name.includes("\\ ") ? `@"${name.slice(1).replaceAll("\\ ", " ")}"` : name,
    );
}

/** Of Markdown what is no code and no comment: nothing that is quoted so imports anything. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.replace(/<!--[\s\S]*?(?:-->|$)/g, " ").split(/\r\n|\r|\n/);
  const prose = lines.map(line => {
    const before = fence;
    fence = fenceAfter(before, line);
    return before === undefined && fence === undefined ? line : "";
  });
  const paragraphs = prose.join("\n").split(/\n\n+/);
  return paragraphs.map(withoutSpans).join("\n\n");
}

/** Every second piece between backticks is code. */
function withoutSpans(paragraph: string): string {
  const pieces = paragraph.split(/(?<!\\)`+/);
  return pieces.map((piece, at) => (at % 2 && at < pieces.length - 1 ? "''" : piece)).join("");
}

// Reading them.

interface RuleText {
  path: string;
  text: string;
  problem?: string;
  importedBy?: string;
  unread?: readonly UnreadImport[];
}

/** One that is not read. */
export interface UnreadImport {
  path: string;
  /** a sentence */
  problem: string;
}

/** A file of rules where it lies. `key`: the same for the same file */
export interface RuleAt<Place extends { key: string }, Rule> {
  place: Place;
  rule: Rule;
  imports: readonly RuleImport[];
}

export const notThere = () => t("It is not there.");

/**
 * Rules files, each followed by its imports. A file is read once, and a text is given once.
 * @param seen texts that are already there
 * @param open opens an import of the file at `by`; undefined: nothing to tell
 */
export async function withImports<Place extends { key: string }, Rule extends RuleText>(
  files: readonly RuleAt<Place, Rule>[],
  seen: Set<string>,
  open: (named: RuleImport, by: Place) => Promise<RuleAt<Place, Rule> | UnreadImport | undefined>,
): Promise<Rule[]> {
  const opened = new Set(files.map(({ place }) => place.key));
  const found: Rule[] = [];
  let room = MAX_IMPORTS;
  const take = async ({ place, rule, imports }: RuleAt<Place, Rule>, depth: number): Promise<void> => {
    const isNew = rule.problem !== undefined || !seen.has(rule.text);
    seen.add(rule.text);
    const at = isNew ? found.push(rule) - 1 : -1;
    const unread: UnreadImport[] = [];
    for (const named of imports) {
      const next = await open(named, place);
      if (!next) continue;
      if ("problem" in next) {
        unread.push(next);
        continue;
      }
      if (opened.has(next.place.key)) continue;
      const { path, problem } = next.rule;
      const reason = problem ?? (depth === MAX_DEPTH ? tooDeep() : room === 0 ? tooMany() : undefined);
      if (reason !== undefined) {
        unread.push({ path, problem: reason });
        continue;
      }
      opened.add(next.place.key);
      room -= 1;
      await take({ ...next, rule: { ...next.rule, importedBy: rule.path } }, depth + 1);
    }
    if (isNew && unread.length > 0) found[at] = { ...rule, unread };
  };
  for (const file of files) await take(file, 0);
  return found;
}

const tooDeep = () => t("It is imported by a file that is {0} imports deep itself.", MAX_DEPTH);
const tooMany = () => t("More than {0} files are imported.", MAX_IMPORTS);
