/** Where a link of the model's may lead: the web, a file of the workspace, or nowhere. Model output is text, never trusted. */

export type LinkTarget =
  | { kind: "web"; url: string }
  /** `line` is 1-based */
  | { kind: "file"; path: string; line: number | undefined }
  /** a recorded output of the session */
  | { kind: "handle"; handle: string }
  | { kind: "none" };

const HANDLE = /\bobs:[0-9a-f]{12}\b/;

/** Only http and https lead out; a scheme of any other kind leads nowhere. */
export function linkTarget(href: string): LinkTarget {
  const target = href.trim();
  if (isHandle(target)) return { kind: "handle", handle: target };
  if (/^https?:\/\//i.test(target) && URL.canParse(target)) return { kind: "web", url: new URL(target).href };
  if (target === "" || /^[a-z][a-z0-9+.-]+:(?!\d)/i.test(target) || target.startsWith("//") || target.startsWith("#")) {
    return { kind: "none" };
  }
  return fileTarget(decode(target)) ?? { kind: "none" };
}

const reference = /^(.+?)(?:#L|:)(\d+)(?:(?::\d+)?(?:-L?\d+)?)?$/;

/** "src/a.ts:10", "src/a.ts#L10-L20", "src/a.ts:10:5" → path and first line; characters that no path has: undefined. */
function fileTarget(text: string): LinkTarget | undefined {
  const found = reference.exec(text);
  const hash = text.indexOf("#");
  const path = found?.[1] ?? text.slice(0, hash < 0 ? text.length : hash);
  if (path === "" || hasOddCharacters(path)) return undefined;
  return { kind: "file", path, line: found?.[2] === undefined ? undefined : Number(found[2]) };
}

const isHandle = (text: string) => HANDLE.exec(text)?.[0] === text;

/** Inline code that is a handle, or surely a path: it has a folder and an extension, or an extension and a line. */
export function codeTarget(code: string): LinkTarget {
  if (isHandle(code)) return { kind: "handle", handle: code };
  const withFolder = /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]*\.[A-Za-z]\w{0,7}(?:(?:#L|:)\d+(?:[:-]L?\d+)*)?$/;
  const withLine = /^[\w@.+-]+\.[A-Za-z]\w{0,7}(?:#L|:)\d+(?:[:-]L?\d+)*$/;
  if (!withFolder.test(code) && !withLine.test(code)) return { kind: "none" };
  return fileTarget(code) ?? { kind: "none" };
}

interface TextLink {
  text: string;
  target: LinkTarget;
}

/** Plain text in pieces: those that name a file and a line ("src/a.ts:10") or an output ("obs:3fa9…") have a target. */
export function splitReferences(text: string): TextLink[] {
  return splitHandles(text).flatMap(piece => (piece.target.kind === "handle" ? [piece] : splitFiles(piece.text)));
}

/** The same for handles alone: in outputs, files and lines are too many. */
export function splitHandles(text: string): TextLink[] {
  return split(text, new RegExp(HANDLE, "g"), handle => ({ kind: "handle", handle }));
}

function splitFiles(text: string): TextLink[] {
  // it begins where such characters do: else each of them would look through the whole word
  const pattern =
    /(?<![\w/@.+:-])(?:\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7}:\d+(?:[:-]\d+)*(?![\w/])/g;
  return split(text, pattern, reference => fileTarget(reference) ?? { kind: "none" });
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
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
