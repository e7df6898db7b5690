/** What a question says in a terminal. What is allowed is what is read: nothing in it is hidden, and no line of it passes for one of the question's own. */

import { type ApprovalAction, isDanger, toldEffects } from "../shared/approval";
import { t } from "../shared/l10n";
import { actionTitle } from "../shared/outcomeSaid";
import {
  exactLine,
  exactText,
  linesOf,
  type Shown,
  shownLines,
  shownSentence,
  shownText,
  visibleLine,
  visibleText,
} from "../shared/shown";

/**
 * @param columns of the terminal: lines are broken here, since the terminal would continue one where the question's own
 * begin; 0: it does not say, as some that are made by programs; undefined: no breaks
 */
export function brokenText(text: Shown, columns: number | undefined): string {
  return text
    .split("\n")
    .map(line => broken(line, columns))
    .join("\n");
}

export function questionText(action: ApprovalAction): Shown {
  const told = toldEffects(action);
  const words = exactLine(told.map(effect => effect.words).join(" · "));
  const effects = told.some(isDanger) ? [shownText`  ! ${words}`] : told.length > 0 ? [shownText`  ${words}`] : [];
  const before = (action.denied ?? []).map(({ words }) => shownText`  ! ${exactLine(words)}`);
  return shownLines([
    visibleLine(actionTitle(action)),
    ...before,
    ...effects,
    ...detailLines(action),
    ...ruleLines(action),
  ]);
}

/** What answers with "always": by the narrowest rules, or by wider ones. */
export const ALWAYS = ["a", "w"] as const;

/** The rules that each of these would write: a line for each, since a rule may look like two. */
function ruleLines({ rules = [] }: ApprovalAction): Shown[] {
  return ALWAYS.slice(0, rules.length).flatMap((key, at) => [
    shownSentence(t("  {0} = always allow, written into your settings:"), visibleLine(key)),
    ...(rules[at] ?? []).map(rule => shownText`    ${exactLine(rule)}`),
  ]);
}

function detailLines({ detail }: ApprovalAction): Shown[] {
  if (detail.type === "command") {
    const [first = "", ...more] = linesOf(exactText(detail.command));
    const command = [shownText`  $ ${first}`, ...more.map(line => shownText`    ${line}`)];
    const lines = [...command, shownSentence(t("  in {0}"), exactLine(detail.cwd))];
    // On lines of their own: a folder may have any name.
    lines.push(shownSentence(detail.sandbox ? t("  It runs in the sandbox.") : t("  It runs outside the sandbox.")));
    if (detail.background)
      lines.push(shownSentence(t("  It keeps running in the background until it ends, or this run does.")));
    return lines;
  }
  if (detail.type === "edit") return detail.changes.flatMap(diffLines);
  if (detail.type === "other") {
    return [detail.summary, JSON.stringify(detail.input)].map(text => shownText`  ${exactLine(text)}`);
  }
  return detail.paths.map(path => shownText`  ${exactLine(path)}`);
}

/** The header has the path, which may have line ends in it. */
function diffLines({ path, created, diff }: { path: string; created: boolean; diff: string }): Shown[] {
  const own = `--- ${created ? "/dev/null" : path}\n+++ ${path}`;
  if (!diff.startsWith(own)) return linesOf(visibleText(diff));
  const name = exactLine(path);
  const header = shownText`--- ${created ? "/dev/null" : name}\n+++ ${name}`;
  return linesOf(shownText`${header}${visibleText(diff.slice(own.length))}`);
}

/** Begins the second row of a broken line. */
const GOES_ON = "  … ";
/** A narrower terminal breaks them itself. */
const MIN_COLUMNS = 20;
/** where a terminal does not say */
const USUAL_COLUMNS = 80;

/** Into parts that the terminal shows as one row each. Characters beyond ASCII may be two columns wide, or none. */
function broken(line: string, columns = Number.POSITIVE_INFINITY): string {
  const room = Math.max(MIN_COLUMNS, columns || USUAL_COLUMNS) - 1;
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const char of line) {
    const more = char === "\t" ? TAB : char <= "~" ? 1 : 2;
    if (width + more > room) {
      rows.push(row);
      row = GOES_ON;
      width = GOES_ON.length;
    }
    row += char;
    width += more;
  }
  return [...rows, row].join("\n");
}

/** A tab takes eight columns at most. */
const TAB = 8;
