/** Prints a report: what is chosen in the editor is none of it. */
import type { Report, ReportLine } from "../core/text/report";
import { visibleLine, visibleText } from "../shared/shown";
import type { Output } from "./output";

type Line = ReportLine<unknown> & { lines?: readonly ReportLine<unknown>[] };

export function printReport({ lead, sections }: Report<unknown>, { out }: Pick<Output, "out">): void {
  if (sections.length === 0) out(`${lead}\n`);
  for (const { title, ...section } of sections) printLine({ label: title, ...section }, "", out);
}

function printLine(line: Line, indent: string, out: Output["out"]): void {
  const { label, from, detail, warnings = [], text, lines = [] } = line;
  const inner = `${indent}  `;
  out(`${indent}${visibleLine(label)}${from === undefined ? "" : `  (${visibleLine(from)})`}\n`);
  if (detail) out(`${inner}${visibleLine(detail)}\n`);
  for (const each of lines) printLine(each, inner, out);
  for (const warning of warnings) out(`${inner}! ${visibleLine(warning)}\n`);
  if (text) out(`${visibleText(text).replace(/^/gm, inner)}\n`);
}
