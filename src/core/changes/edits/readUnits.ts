/** A file in the units that Read counts: lines, or the cells of a notebook with their outputs as short text. Pure. */
import { isObject } from "../../../shared/isObject";
import type { Json } from "../../../shared/messages";
import { MAX_CELL_CHARACTERS, MAX_LINE_CHARACTERS } from "../../ground/text/diff";
import { clipEnd } from "../../ground/text/format";
import { splitLines, withLf } from "../../ground/text/lines";
import { isNotebookPath, joinedText, readNotebook } from "./notebook";

type Plain = (text: string) => string;

export interface Units {
  unit: "line" | "cell";
  texts: readonly string[];
  /** characters that Read shows of one */
  most: number;
  /** Not all of the line, or of the cell's source, is shown (from 0). */
  isCut(index: number): boolean;
}

/** @param redact before an output is cut: of half a secret nothing is found. Any other where no text goes out */
export function splitUnits(path: string, text: string, redact: Plain): Units {
  const cells = isNotebookPath(path) ? shownCells(text, redact) : undefined;
  if (cells) {
    const isCut = (index: number) => (cells[index]?.sourceEnd ?? 0) > MAX_CELL_CHARACTERS;
    return { unit: "cell", texts: cells.map(cell => cell.text), most: MAX_CELL_CHARACTERS, isCut };
  }
  const texts = splitLines(text);
  const isCut = (index: number) => (texts[index]?.length ?? 0) > MAX_LINE_CHARACTERS;
  return { unit: "line", texts, most: MAX_LINE_CHARACTERS, isCut };
}

const MAX_OUTPUT = 500;

interface ShownCell {
  /** kind, source, outputs in short */
  text: string;
  /** how much of that is before the outputs */
  sourceEnd: number;
}

export function shownCells(text: string, redact: Plain): ShownCell[] | undefined {
  const cells = readNotebook(text)?.cells;
  return cells?.map(({ type, source, json }, index) => {
    const outputs = Array.isArray(json.outputs) ? json.outputs.flatMap(one => (isObject(one) ? [one] : [])) : [];
    const shown = `[Cell ${index + 1} of ${cells.length}: ${type}]\n${withLf(source)}`;
    const all = [shown, ...outputs.map(output => `Output: ${outputText(output, redact)}`)];
    return { text: all.join("\n"), sourceEnd: shown.length };
  });
}

function outputText({ output_type, text, data, ename, evalue }: Record<string, Json>, redact: Plain): string {
  if (typeof ename === "string") return clipEnd(redact(`${ename}: ${evalue ?? ""}`), MAX_OUTPUT);
  const forms = isObject(data) ? data : {};
  const plain = joinedText(text ?? forms["text/plain"]);
  const others = Object.keys(forms).filter(type => type !== "text/plain");
  const told = typeof plain === "string" ? clipEnd(redact(withLf(plain).trimEnd()), MAX_OUTPUT) : "";
  const left = others.length > 0 ? `(${others.join(", ")} not shown)` : "";
  return [told, left].filter(Boolean).join(" ") || `(${output_type})`;
}
