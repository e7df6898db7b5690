/** A recorded unified diff → the rows that a card shows, as the editor's diff: numbers, changed words, colours. Pure. */
import { diffWordsWithSpace } from "diff";
import type { CodeSpan, Highlight } from "../../markdown/highlight";
import { visibleText } from "../../text/format";

export interface DiffRow {
  /** `gap`, `rest`: lines that are left out, unchanged ones and others; `eof`: the line above has no end */
  kind: "same" | "added" | "removed" | "gap" | "rest" | "eof";
  hunk: number;
  /** its numbers in the old and the new file; of left-out lines their count */
  old?: number;
  now?: number;
  lines?: number;
  /** as `visibleText` shows it, without the sign; and the line that it was or became */
  text: string;
  other?: string;
}

/** `changed`: its line became another one, and this is what differs */
type DiffPiece = CodeSpan & { changed: boolean };

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const kinds: Readonly<Record<string, DiffRow["kind"]>> = { "+": "added", "-": "removed", "\\": "eof" };

/** Without the lines that only name the files: the card names them. */
export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [hunk, old, now] = [0, 0, 0];
  let removed: DiffRow[] = [];
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const [head, ...sides] = HEAD.exec(line) ?? [];
    const kind = kinds[line.charAt(0)] ?? "same";
    if (head !== undefined) {
      const last = now;
      // A side without lines names the one before it.
      [old = 0, now = 0] = [0, 2].map(at => Number(sides[at]) + (sides[at + 1] === "0" ? 1 : 0));
      hunk += 1;
      removed = [];
      if (hunk > 1 && now > last) rows.push({ kind: "gap", hunk, lines: now - last, text: "" });
    } else if (hunk > 0) {
      const numbers = kind === "eof" ? {} : kind === "added" ? { now } : kind === "removed" ? { old } : { old, now };
      const row: DiffRow = { kind, hunk, text: visibleText(line.slice(1)), ...numbers };
      if (row.old === old) old += 1;
      if (row.now === now) now += 1;
      // Of a block, the first line that went became the first one that came.
      const was = kind === "added" ? removed.shift() : undefined;
      if (was) [was.other, row.other] = [row.text, was.text];
      if (kind === "same" || (kind === "removed" && rows.at(-1)?.kind === "added")) removed = [];
      if (kind === "removed") removed.push(row);
      rows.push(row);
    }
  }
  return rows;
}

/** More code of one diff stays plain, and a line with more changed words whole. */
const MAX_COLOURED = 20_000;
const MAX_WORDS = 200;

/** By row: its text in pieces, none left out or moved. The highlighter gives colours, never text. */
export function diffPieces(rows: readonly DiffRow[], language: string, highlight: Highlight): DiffPiece[][] {
  const scopes = new Map<DiffRow, readonly (string | null)[]>();
  let left = MAX_COLOURED;
  for (const hunk of Map.groupBy(rows, row => row.hunk).values()) {
    // Each side is code by itself; what they share has the new one's colours.
    for (const own of ["removed", "added"]) {
      const side = hunk.filter(({ kind }) => kind === "same" || kind === own);
      const code = side.map(({ text }) => text).join("\n");
      if (code.length > left) continue;
      left -= code.length;
      const all = highlight(code, language).flatMap(({ text, scope }) => Array<string | null>(text.length).fill(scope));
      let at = 0;
      for (const row of side) {
        scopes.set(row, all.slice(at, at + row.text.length));
        at += row.text.length + 1;
      }
    }
  }
  return rows.map(row => piecesOf(row.text, scopes.get(row) ?? [], changedIn(row)));
}

/** By character; empty: no line became it, both have little in common, or too much differs. */
function changedIn({ text, other }: DiffRow): boolean[] {
  if (other === undefined) return [];
  const parts = diffWordsWithSpace(other, text, { maxEditLength: MAX_WORDS }) ?? [];
  const own = parts.filter(({ removed }) => !removed);
  const common = own.reduce((sum, { added, value }) => sum + (added ? 0 : value.trim().length), 0);
  if (common * 3 < Math.max(text.trim().length, other.trim().length)) return [];
  return own.flatMap(({ value, added }) => Array<boolean>(value.length).fill(added));
}

function piecesOf(text: string, scopes: readonly (string | null)[], changed: readonly boolean[]): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && scopes[at] === scopes[from] && changed[at] === changed[from]) continue;
    pieces.push({ text: text.slice(from, at), scope: scopes[from] ?? null, changed: changed[from] ?? false });
    from = at;
  }
  return pieces;
}
