/** A file in the units that Read counts: lines, or the cells of a notebook. Pure. */
import { splitLines } from "../text/lineEnds";
import { MAX_CELL_CHARACTERS, MAX_LINE_CHARACTERS } from "../text/longLines";
import { shownCells } from "./notebookCells";
import { isNotebookPath } from "./notebookJson";

export interface Units {
  unit: "line" | "cell";
  texts: readonly string[];
  /** characters that Read shows of one */
  most: number;
  /** Not all of the line, or of the cell's source, is shown (from 0). */
  isCut(index: number): boolean;
}

export function splitUnits(path: string, text: string): Units {
  const cells = isNotebookPath(path) ? shownCells(text) : undefined;
  if (cells) {
    const isCut = (index: number) => (cells[index]?.sourceEnd ?? 0) > MAX_CELL_CHARACTERS;
    return { unit: "cell", texts: cells.map(cell => cell.text), most: MAX_CELL_CHARACTERS, isCut };
  }
  const texts = splitLines(text);
  return {
    unit: "line",
    texts,
    most: MAX_LINE_CHARACTERS,
    isCut: index => (texts[index]?.length ?? 0) > MAX_LINE_CHARACTERS,
  };
}
