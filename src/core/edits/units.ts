/** A file in the units that Read counts: lines, or the cells of a notebook. Pure. */
import { splitLines } from "../text/lineEnds";
import { MOST_OF_CELL, MOST_OF_LINE } from "../text/longLines";
import { shownCells } from "./notebook";
import { isNotebookPath } from "./notebookJson";

export interface Units {
  unit: "line" | "cell";
  texts: readonly string[];
  /** characters that Read shows of one */
  most: number;
  /** Not all of the line, or of the cell's source, is shown (from 0). */
  isCut(index: number): boolean;
}

export function unitsOf(path: string, text: string): Units {
  const cells = isNotebookPath(path) ? shownCells(text) : undefined;
  if (cells) {
    const isCut = (index: number) => (cells[index]?.sourceEnd ?? 0) > MOST_OF_CELL;
    return { unit: "cell", texts: cells.map(cell => cell.text), most: MOST_OF_CELL, isCut };
  }
  const texts = splitLines(text);
  return { unit: "line", texts, most: MOST_OF_LINE, isCut: index => (texts[index]?.length ?? 0) > MOST_OF_LINE };
}
