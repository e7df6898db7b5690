/** Lists of files in what the model is told about a command. */
import { count } from "../text/format";

/** how many are named */
const MAX_NAMES = 10;

/** "a, b", "a, b and 12 more" */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(", ")} and ${count(more)} more` : names.join(", ");
}
