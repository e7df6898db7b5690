/** Where a link of the model's may lead: the web, a file of the workspace, or nowhere. Model output is text, never trusted. */

export type LinkTarget =
  | { kind: "web"; url: string }
  | FileTarget
  /** a recorded output of the session */
  | { kind: "handle"; handle: string }
  | { kind: "none" };

/** Lines and columns count from 1; `to`: the last line of several. */
type FileTarget = { kind: "file"; path: string; line: number | undefined; column?: number; to?: number };

const HANDLE = /\bobs:[0-9a-f]{12}\b/;

/** Only http and https lead out; a scheme of any other kind leads nowhere, but for files of this machine. */
export function linkTarget(href: string): LinkTarget {
  const target = href.trim();
  if (isHandle(target)) return { kind: "handle", handle: target };
  if (/^https?:\/\//i.test(target) && URL.canParse(target)) return { kind: "web", url: new URL(target).href };
  const local = /^file:\/\/\/(.+)$/i.exec(target)?.[1];
  if (local !== undefined) return fileTarget(decode(isDrive(local) ? local : `/${local}`)) ?? { kind: "none" };
  if (target === "" || /^[a-z][a-z0-9+.-]+:(?!\d)/i.test(target) || target.startsWith("#")) return { kind: "none" };
  return fileTarget(decode(target)) ?? { kind: "none" };
}

const isDrive = (path: string) => /^[a-z]:[\\/]/i.test(path);

/** ":12", ":12:5", ":12-20", "#L12", "#L12C5", "#L12-L20", "#12-20", "(12,5)" */
const LINES = String.raw`(?:#L?|:)\d+(?:(?:[C:]|,C?)\d+)?(?:-L?\d+(?:[C:]\d+)?)?|\(\d+(?:,\d+)?\)`;
const placed = new RegExp(`^(.+?)(${LINES})$`);

/** Of another machine (`\\\\host\\share`): to look at it is to sign in there, with this person's name. */
const namesHost = (path: string) => /^[\\/]{2}/.test(path);

/** The path and the lines in it; characters that no path has, or another machine: undefined. */
function fileTarget(text: string): FileTarget | undefined {
  const found = placed.exec(text);
  const hash = text.indexOf("#");
  const path = found?.[1] ?? text.slice(0, hash < 0 ? text.length : hash);
  if (path === "" || namesHost(path) || hasOddCharacters(path)) return undefined;
  return { kind: "file", path, ...linesOf(found?.[2]) };
}

function linesOf(text = ""): Pick<FileTarget, "line" | "column" | "to"> {
  const [, line, column, to] = /^\D*(\d+)(?:[C:,]+(\d+))?(?:-L?(\d+))?/.exec(text) ?? [];
  return {
    line: line === undefined ? undefined : Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    ...(to === undefined ? {} : { to: Number(to) }),
  };
}

const isHandle = (text: string) => HANDLE.exec(text)?.[0] === text;

/** Inline code that is a handle, or surely a path: it has a folder and an extension, or an extension and a line. */
export function codeTarget(code: string): LinkTarget {
  if (isHandle(code)) return { kind: "handle", handle: code };
  const target = code.length > MAX_PATH ? undefined : fileTarget(code);
  return target !== undefined && isSurelyPath(target) ? target : { kind: "none" };
}

const MAX_PATH = 1_000;

function isSurelyPath({ path, line }: FileTarget): boolean {
  const name = /[^\\/]*$/.exec(path)?.[0] ?? "";
  const folders = path.slice(0, path.length - name.length);
  if (!/\.[a-z]\w{0,7}$/i.test(name) || /[\n`=;{}()[\],]|:[\\/]{2}|^[-$~]/.test(path)) return false;
  const rest = isDrive(path) ? path.slice(2) : path;
  if (rest.includes(":")) return false;
  // "node scripts/test.mjs" runs something, and "a.ts b.ts" are two
  const [first = ""] = rest.split(/[\\/]/, 1);
  if (/\s/.test(first) || /^\s|\s$|\.[a-z]\w{0,7}\s+\S*[\\/]/i.test(path)) return false;
  if (folders === "") return line !== undefined && !/\s/.test(name);
  return !/[\\/]\s|\s[\\/]|\s-/.test(path);
}

export type TextLink = { text: string; target: LinkTarget };

/** Plain text in pieces: those that name a file and a line ("src/a.ts:10") or an output ("obs:3fa9…") have a target. */
export const splitReferences = (text: string): TextLink[] =>
  splitHandles(text).flatMap(piece => (piece.target.kind === "handle" ? [piece] : splitFiles(piece.text)));

/** The same of a line of an output, Python's stacks too; a line without an end names outputs alone. */
export function splitOutput(line: string): TextLink[] {
  if (line.length > MAX_LINE) return splitHandles(line);
  const python = /^\s*File "([^"<>]+)", line (\d+)/.exec(line);
  if (python === null) return splitReferences(line);
  const [whole, path = "", at] = python;
  const text = whole.trimStart();
  return [
    { text: whole.slice(0, whole.length - text.length), target: { kind: "none" } },
    { text, target: namesHost(path) ? { kind: "none" } : { kind: "file", path, line: Number(at) } },
    ...splitReferences(line.slice(whole.length)),
  ];
}

const MAX_LINE = 2_000;

const splitHandles = (text: string) => split(text, new RegExp(HANDLE, "g"), handle => ({ kind: "handle", handle }));

/**
 * What a name has in plain text. Not of scripts that write no blanks between words: where a name begins is not to be seen there.
 */
const LETTER = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{N}\p{M}_@+\-`;
const START = String.raw`(?<![${LETTER}./\\:]|[\p{L}](?=[/\\]))`;
const FOLDERS = String.raw`(?:[A-Za-z]:[\\/]|\.{0,2}[\\/])?(?:[${LETTER}.]+[\\/])*`;
const NAME = String.raw`[${LETTER}][${LETTER}.]*\.[A-Za-z]\w{0,7}`;
const REFERENCE = new RegExp(String.raw`${START}${FOLDERS}${NAME}(?:${LINES})(?![\w/\\])`, "gu");

function splitFiles(text: string): TextLink[] {
  // Most texts name none.
  if (!/\.[A-Za-z]\w{0,7}[:#(]/.test(text)) return [{ text, target: { kind: "none" } }];
  return split(text, REFERENCE, reference => fileTarget(reference) ?? { kind: "none" });
}

function split(text: string, pattern: RegExp, toTarget: (match: string) => LinkTarget): TextLink[] {
  const pieces: TextLink[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), target: { kind: "none" } });
    pieces.push({ text: match[0], target: toTarget(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), target: { kind: "none" } });
  return pieces;
}

function hasOddCharacters(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
  return /[\u0000-\u001f<>"|*?]/.test(path);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Character references, which markdown allows in text: `&lt;` → `<`. The result is text and stays text. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
