/** Prints a report: what is chosen in the editor is none of it. */
import { type Report, reportLines } from "../core/ground/text/report";
import type { Output } from "./output";

export const printReport = (report: Report<unknown>, { out }: Pick<Output, "out">): void =>
  out(`${reportLines(report).join("\n")}\n`);
