/** A file in the units that Read counts: lines, or the cells of a notebook with their outputs as short text. Pure. */

import * as z from "zod";
import { MAX_CELL_CHARACTERS, MAX_LINE_CHARACTERS } from "../../ground/text/diff";
import { clipEnd } from "../../ground/text/format";
import { parseJson } from "../../ground/text/json";
import { splitLines, withLf } from "../../ground/text/lines";
import { isNotebookPath } from "./notebook";

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

const textSchema = z.union([z.string(), z.array(z.string()).transform(lines => lines.join(""))]);

const outputSchema = z.looseObject({
  output_type: z.string(),
  text: textSchema.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});

const notebookSchema = z.looseObject({
  cells: z.array(
    z.looseObject({
      cell_type: z.string(),
      source: textSchema,
      outputs: z.array(outputSchema).optional(),
    }),
  ),
});

const MAX_OUTPUT = 500;

interface ShownCell {
  /** all of it: what kind of cell it is, its source, its outputs in short */
  text: string;
  /** how much of that is before the outputs */
  sourceEnd: number;
}

export function shownCells(text: string, redact: Plain): ShownCell[] | undefined {
  const parsed = notebookSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { cells } = parsed.data;
  return cells.map((cell, index) => {
    const outputs = (cell.outputs ?? []).map(output => `Output: ${outputText(output, redact)}`);
    const source = `[Cell ${index + 1} of ${cells.length}: ${cell.cell_type}]\n${withLf(cell.source)}`;
    return { text: [source, ...outputs].join("\n"), sourceEnd: source.length };
  });
}

function outputText(output: z.infer<typeof outputSchema>, redact: Plain): string {
  if (output.ename !== undefined) return clipEnd(redact(`${output.ename}: ${output.evalue ?? ""}`), MAX_OUTPUT);
  const plain = textSchema.safeParse(output.text ?? output.data?.["text/plain"]);
  const others = Object.keys(output.data ?? {}).filter(type => type !== "text/plain");
  const text = plain.success ? clipEnd(redact(withLf(plain.data).trimEnd()), MAX_OUTPUT) : "";
  return (
    [text, others.length > 0 && `(${others.join(", ")} not shown)`].filter(Boolean).join(" ") ||
    `(${output.output_type})`
  );
}
