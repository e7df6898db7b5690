/**
 * Which calls a hook is for: names with `|` and `*`, or a small regular expression, as other agents take them. Pure, and never
 * slow: the pattern may be a repository's.
 * At most two repetitions and no repeated group: none is slow on a long name.
 */
import { t } from "../../../shared/l10n";
import { wildcard } from "../../permissions/rules";

export type HookMatcher = (names: readonly string[]) => boolean;

/** @returns a sentence where it cannot be read */
export function readMatcher(text: string): HookMatcher | string {
  const plain = text.trim().replace(/^\^/, "").replace(/\$$/, "");
  const inner = /^\(([^()]*)\)$/.exec(plain)?.[1] ?? plain;
  if (inner === "" || inner === "*" || inner === ".*") return () => true;
  const parts = inner.split("|").map(part => part.trim().replaceAll(".*", "*"));
  const rule = ruleIn(text);
  if (rule !== undefined)
    return t(
      'The matcher "{0}" is a permission rule, which no tool\'s name fits: write "matcher": "{1}" and the rule in "if".',
      text.slice(0, 100),
      rule,
    );
  const isOdd = parts.some(part => !/^[\p{L}\p{N}_:*.-]+$/u.test(part));
  const expression = isOdd ? smallExpression(text.trim()) : undefined;
  if (expression) return names => names.some(name => expression.test(name.slice(0, MAX_NAME)));
  if (isOdd || parts.length > 200)
    return t(
      'The matcher "{0}" cannot be read: it takes names with | between them, * in them, and small regular expressions.',
      text.slice(0, 100),
    );
  return names => parts.some(part => names.some(name => wildcard(part, name)));
}

/** `Bash(rm:*)`: as an expression it would fit no tool, and a guard would be none without a word. @returns the tool */
function ruleIn(text: string): string | undefined {
  for (const [, part = "", tool = ""] of text.matchAll(RULE)) {
    const expression = smallExpression(`^${part}$`);
    if (!expression?.test(tool)) return tool;
  }
  return undefined;
}
const RULE =
  /(?<![^|]) {0,9}((Bash|Read|Edit|Write|MultiEdit|NotebookEdit|Grep|Glob|LS|Skill|WebFetch|WebSearch)\([^()|]+\)) {0,9}(?![^|])/g;

const MAX_EXPRESSION = 500;
/** characters: each step is tried at most this often to the power of MAX_REPEATS */
const MAX_NAME = 200;
const MAX_REPEATS = 2;

/** undefined: no expression, or one that could take long: it repeats a group, or too much. */
function smallExpression(text: string): RegExp | undefined {
  const plain = text
    .replace(/\\[A-Za-z]/g, "a")
    .replace(/\\./g, "a")
    .replace(/\[\^?[^\][]*\]/g, "a");
  const repeats = plain.match(/[*+{]/g)?.length ?? 0;
  if (text.length > MAX_EXPRESSION || repeats > MAX_REPEATS || /\)[*+{]|\\|[[\]]/.test(plain)) return undefined;
  // "Bash(git *)" is a permission rule written here by mistake; a blank is in no tool's name.
  if (/\s/.test(plain)) return undefined;
  try {
    return new RegExp(text);
  } catch {
    // no expression
    return undefined;
  }
}

/** The names that a tool goes by; the last is what other agents call it: `db:query` → `mcp__db__query`. */
export function toolNames(name: string): string[] {
  const [, server, tool] = /^([^:]+):(.+)$/.exec(name) ?? [];
  // Several edits are one call of Edit: a guard for them would be none without a word.
  if (server === undefined || tool === undefined) return name === "Edit" ? ["MultiEdit", name] : [name];
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");
  return [name, `mcp__${plain(server)}__${plain(tool)}`];
}
