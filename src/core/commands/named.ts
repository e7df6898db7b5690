/** Lists of files in what the model is told about a command. */
import { count } from "../text/format";

/** how many are named */
const MOST = 10;

/** "a, b", "a, b and 12 more" */
export function named(names: readonly string[]): string {
  const more = names.length - MOST;
  return more > 0 ? `${names.slice(0, MOST).join(", ")} and ${count(more)} more` : names.join(", ");
}
