/**
 * What rules files import: `@notes/x.md` in their text names a file that is read with them (docs/context.md). Pure, and linear in the
 * length of the text; the same on this machine's disk and elsewhere.
 */

import { fenceAfter } from "./fences";
import { t } from "./l10n";
import { certain, looksOtherwise, type Mention, parseMentions } from "./mentions/parse";

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

// Markdown: what is quoted as code, or commented out, imports nothing.

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

function withoutCode(text: string): string {
  const lines = withoutComments(text).split(/\r\n|\r|\n/);
  const state: { fence: string | undefined; afterBlank: boolean; inList: boolean } = {
    fence: undefined,
    afterBlank: true,
    inList: false,
  };
  const prose = lines.map(line => {
    const isIndented = /^(?: {4}|\t)/.test(line);
    if (isIndented && state.fence === undefined && state.afterBlank && !state.inList) return "";
    const before = state.fence;
    state.fence = fenceAfter(before, line);
    if (before !== undefined || state.fence !== undefined) return "";
    if (line.trim() === "") {
      state.afterBlank = true;
      return "";
    }
    if (LIST_ITEM.test(line)) state.inList = true;
    else if (state.afterBlank && !/^\s/.test(line)) state.inList = false;
    state.afterBlank = false;
    return line;
  });
  return withoutSpans(prose.join("\n"));
}

function withoutComments(text: string): string {
  if (!text.includes("<!--")) return text;
  const [first = "", ...rest] = text.split("<!--");
  return (
    first + rest.map(part => (part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : `<!--${part}`)).join(" ")
  );
}

/** A span goes from one run of backticks to the next of the same length, within a paragraph. */
function withoutSpans(text: string): string {
  return text
    .split(/(\n\n+)/)
    .map(paragraph => (paragraph.includes("`") ? spansTaken(paragraph) : paragraph))
    .join("");
}

function spansTaken(paragraph: string): string {
  const runs = [...paragraph.matchAll(/(?<!\\)`+/g)];
  const next = new Map<number, number>();
  const ends = new Array<number | undefined>(runs.length);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at]?.[0] ?? "";
    ends[at] = next.get(length);
    next.set(length, at);
  }
  let [kept, from] = ["", 0];
  for (let at = 0; at < runs.length; at++) {
    const end = ends[at];
    const [open, close] = [runs[at], end === undefined ? undefined : runs[end]];
    if (!open || !close || end === undefined) continue;
    // Something stays in its place: what stood beside it does not touch.
    kept += `${paragraph.slice(from, open.index)}''`;
    from = close.index + close[0].length;
    at = end;
  }
  return kept + paragraph.slice(from);
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
