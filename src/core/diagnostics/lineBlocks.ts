/** Where the lines of a text stand after it was edited. Pure. */
import { diffLines } from "../text/unifiedDiff";

/** Lines `[oldFirst, oldFirst + oldCount)` became `[newFirst, newFirst + newCount)`; 1-based, either may be none. */
export interface Block {
  oldFirst: number;
  oldCount: number;
  newFirst: number;
  newCount: number;
}

/** What differs, in order, as the smallest runs of whole lines. Line ends are not compared. */
export function changedBlocks(before: string, after: string): Block[] {
  const blocks: Block[] = [];
  for (const hunk of diffLines(before, after).hunks) {
    let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
    let open: Block | undefined;
    for (const line of hunk.lines) {
      const kind = line.charAt(0);
      if (kind === "\\") continue;
      if (kind === " ") {
        open = undefined;
        oldLine += 1;
        newLine += 1;
        continue;
      }
      if (!open) {
        open = { oldFirst: oldLine, oldCount: 0, newFirst: newLine, newCount: 0 };
        blocks.push(open);
      }
      if (kind === "-") {
        open.oldCount += 1;
        oldLine += 1;
      } else {
        open.newCount += 1;
        newLine += 1;
      }
    }
  }
  return blocks;
}

/** A line that stayed, by its number in the new text; or the index of the block that it went into. */
export type LinePlace = { line: number } | { block: number };

/** @param line of the old text, 1-based @param blocks as `changedBlocks` gives them */
export function mapOldLine(line: number, blocks: readonly Block[]): LinePlace {
  let shift = 0;
  for (const [index, { oldFirst, oldCount, newFirst, newCount }] of blocks.entries()) {
    if (line < oldFirst) break;
    if (line < oldFirst + oldCount) return { block: index };
    shift = newFirst + newCount - oldFirst - oldCount;
  }
  return { line: line + shift };
}

/** @param line of the new text, 1-based; a line that stayed has its own number */
export function mapNewLine(line: number, blocks: readonly Block[]): LinePlace {
  const block = blocks.findIndex(({ newFirst, newCount }) => line >= newFirst && line < newFirst + newCount);
  return block < 0 ? { line } : { block };
}
