/** Jupyter notebooks as Read shows them: cells as units, outputs as short text. Pure. */
import * as z from "zod";
import { clipEnd } from "../text/format";
import { withLf } from "../text/lineEnds";

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

export interface ShownCell {
  /** all of it: what kind of cell it is, its source, its outputs in short */
  text: string;
  /** how much of that is before the outputs */
  sourceEnd: number;
}

/** undefined: the text is not a notebook. */
export function shownCells(text: string): ShownCell[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const parsed = notebookSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { cells } = parsed.data;
  return cells.map((cell, index) => {
    const outputs = (cell.outputs ?? []).map(output => `Output: ${outputText(output)}`);
    const source = `[Cell ${index + 1} of ${cells.length}: ${cell.cell_type}]\n${withLf(cell.source)}`;
    return { text: [source, ...outputs].join("\n"), sourceEnd: source.length };
  });
}

function outputText(output: z.infer<typeof outputSchema>): string {
  if (output.ename !== undefined) return clipEnd(`${output.ename}: ${output.evalue ?? ""}`, MAX_OUTPUT);
  const plain = textSchema.safeParse(output.text ?? output.data?.["text/plain"]);
  const others = Object.keys(output.data ?? {}).filter(type => type !== "text/plain");
  const text = plain.success ? clipEnd(withLf(plain.data).trimEnd(), MAX_OUTPUT) : "";
  return (
    [text, others.length > 0 && `(${others.join(", ")} not shown)`].filter(Boolean).join(" ") ||
    `(${output.output_type})`
  );
}
