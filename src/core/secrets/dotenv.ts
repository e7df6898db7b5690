/**
 * The variables of an `.env` file. Programs differ in how they read one (dotenv, Docker, a shell), and here it only matters
 * that no reading is missed: where a line can be read in several ways, each is an entry of its own. (C-150: why not Node's.)
 */
import type { NamedValue } from "../ground/ports";

/** `export NAME=`, `declare -x NAME=`, `NAME: `, also where the line is commented out: an old secret may still be good. */
const ASSIGNED =
  /^\uFEFF?[ \t]*(?:(?:#+|\/\/)[ \t]*)?(?:(?:export|set|readonly|declare|typeset|local)[ \t]+(?:-\w+[ \t]+){0,3}|\$env:)?([A-Za-z_][\w.-]*)[ \t]*(?:\+?=|:(?=[ \t]))[ \t]*(.*)$/s;
const OVER_LINES =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`)/gm;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

export function parseEnv(text: string): NamedValue[] {
  const lines = text.split(/\r\n?|\n/);
  const entries = lines.flatMap(line => {
    const [, name, rest] = ASSIGNED.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : readings(rest.trim()).map(value => ({ name, value }));
  });
  for (const [, name = "", double, single, back] of lines.join("\n").matchAll(OVER_LINES)) {
    const quoted = double ?? single ?? back ?? "";
    if (quoted.includes("\n")) entries.push({ name, value: double === undefined ? quoted : unescaped(quoted) });
  }
  return entries;
}

/** What may be meant by what stands behind the `=` of one line. */
function readings(rest: string): string[] {
  const quote = /^["'`]/.exec(rest)?.[0];
  const quoted = quote === undefined ? undefined : insideQuotes(rest, quote);
  // As it stands in the file too: that is what a tool shows.
  if (quoted !== undefined) return [...new Set(quote === '"' ? [quoted, unescaped(quoted)] : [quoted])];
  const open = rest.replace(/^["'`]/, "");
  const until = (end: RegExp) => open.split(end, 1)[0]?.trim() ?? "";
  return [...new Set([open, until(/\s#/), until(/#/), until(/[\s;]/)])].filter(Boolean);
}

/** Up to the first quote without a backslash, else up to the last one; undefined: there is none. */
function insideQuotes(rest: string, quote: string): string | undefined {
  let last: number | undefined;
  for (let at = 1; at < rest.length; at += 1) {
    if (rest[at] === quote) return rest.slice(1, at);
    if (rest[at] !== "\\") continue;
    at += 1;
    if (rest[at] === quote) last = at;
  }
  return last === undefined ? undefined : rest.slice(1, last);
}

const unescaped = (text: string) =>
  text.replace(/\\([\s\S])/g, (_, character: string) => ESCAPED[character] ?? character);
