/** All that must be true of a run. */
import { checkEdits } from "./checkEdits";
import { checkLog } from "./checkLog";
import { checkMarks } from "./checkMarks";
import type { Trace } from "./trace";

/** A sentence for each thing that went wrong; none: all is well. */
export async function check(trace: Trace): Promise<string[]> {
  return [...checkMarks(trace), ...(await checkEdits(trace)), ...checkLog(trace)];
}
