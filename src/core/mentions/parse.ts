/** `@file` in a message (CONTEXT.md, section 9). Pure. */

export interface Mention {
  /** as it stands in the text, with `@` */
  raw: string;
  /** what is named: `src/a.ts`, `folder:src/a.ts`, without quotes and range */
  path: string;
  /** 1-based lines, inclusive */
  range?: { first: number; last: number };
  /** UTF-16 offsets of `raw` */
  start: number;
  end: number;
}

/** `@"any path"` or `@path`, the path optionally after `folder:`; then optionally `:10` or `:10-40`. */
const pattern =
  /@(?:"([^"\n]+)"|((?:[a-zA-Z0-9_-][a-zA-Z0-9._-]*:(?=[a-zA-Z0-9/._-]))?[a-zA-Z0-9/._-]+))(?::(\d+)(?:-(\d+))?)?/g;

export function parseMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  for (const match of text.matchAll(pattern)) {
    const before = text[match.index - 1];
    if (before !== undefined && /[\p{L}\p{N}]/u.test(before)) continue;
    const [whole, quoted, plain, first, last] = match;
    // `@src/a.ts:12` reads `src/a.ts` and a line, `@app:12` a file named so in a folder or a line: digits are lines.
    const bare = splitRange(plain ?? "", first, last);
    const path = quoted ?? trimPunctuation(bare.path);
    if (!/[\p{L}\p{N}]/u.test(path)) continue;
    const trimmed = quoted === undefined ? bare.path.length - path.length : 0;
    const end = match.index + (trimmed > 0 ? 1 + path.length : whole.length);
    mentions.push({
      raw: text.slice(match.index, end),
      path,
      ...(trimmed === 0 && bare.range ? { range: bare.range } : {}),
      start: match.index,
      end,
    });
  }
  return mentions;
}

function splitRange(
  plain: string,
  first: string | undefined,
  last: string | undefined,
): Pick<Mention, "path" | "range"> {
  const folderLine = first === undefined ? /^([^:]+):(\d+)(?:-(\d+))?$/.exec(plain) : null;
  const from = folderLine ? folderLine[2] : first;
  const to = folderLine ? folderLine[3] : last;
  const path = folderLine?.[1] ?? plain;
  if (from === undefined) return { path };
  const start = Number(from);
  return { path, range: { first: start, last: Math.max(start, Number(to ?? from)) } };
}

/** `@src/a.ts.` at the end of a sentence names `src/a.ts`. */
function trimPunctuation(path: string): string {
  return path.replace(/[.,;:!?-]+$/, "");
}
