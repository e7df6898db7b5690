/** How problems are written, for models and people. */
import { type Problem, type Severity, severities } from "../ports";
import { counted, oneLine } from "../text/format";

/** of one message; compilers explain themselves at length */
const MAX_CHARACTERS = 300;

/** `12:5` */
export const problemPlace = ({ line, column, cell }: Problem): string =>
  cell === undefined ? `${line}:${column}` : `cell ${cell}, ${line}:${column}`;

/**
 * `Cannot find name 'x'. (ts 2304)`
 * @param redact before the message is cut: of half a secret nothing is found
 */
export function problemMessage({ message, source, code }: Problem, redact: (text: string) => string): string {
  const from = [source, code].filter(part => part !== undefined && part !== "").join(" ");
  return oneLine(redact(message), MAX_CHARACTERS) + (from === "" ? "" : ` (${redact(from)})`);
}

/** `src/a.ts:12:5 error Cannot find name 'x'. (ts 2304)`, of a cell `a.ipynb cell 2, 12:5 error …`; `redact` as there. */
export function problemLine(path: string, problem: Problem, redact: (text: string) => string): string {
  const between = problem.cell === undefined ? ":" : " ";
  return `${path}${between}${problemPlace(problem)} ${problem.severity} ${problemMessage(problem, redact)}`;
}

/** one, several */
const names: Record<Severity, [string, string]> = {
  error: ["error", "errors"],
  warning: ["warning", "warnings"],
  info: ["info", "infos"],
  hint: ["hint", "hints"],
};

/** "1 error, 2 warnings"; with `which`: "1 new error, 2 new warnings". Empty for none. */
export function countsText(problems: readonly Problem[], which = ""): string {
  return severities
    .map(severity => ({ many: problems.filter(problem => problem.severity === severity).length, severity }))
    .filter(({ many }) => many > 0)
    .map(({ many, severity }) => counted(many, which + names[severity][0], which + names[severity][1]))
    .join(", ");
}

/** "errors or warnings": all kinds down to the least that was asked for. */
export function kindsText(least: Severity): string {
  const kinds = severities.slice(0, severities.indexOf(least) + 1).map(severity => names[severity][1]);
  return kinds.join(", ").replace(/, ([^,]*)$/, " or $1");
}
