/** A plan as text: how it is found in an answer, what its steps are, what a person made of it, and what the model is told of it. Pure. */
import { fenceAfter, fenced } from "../../../shared/fences";
import type { Todo } from "../../../shared/toolResult";
import { oneLine, sanitizeText } from "../../ground/text/format";
import { withLf } from "../../ground/text/lines";

/** characters: what is longer is no plan to be carried out, and would stand in every request */
export const MAX_PLAN = 48_000;
const MAX_STEPS = 50;
const STEP_CHARACTERS = 200;
/** So many make an answer without the heading a plan. */
const FEWEST_STEPS = 2;

const CHECKED_ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(\S.*)$/;
const NUMBERED_ITEM = /^(\s*)(?:\d+[.)]\s+|\d+[、．]\s*)(\S.*)$/;
const BULLETED_ITEM = /^(\s*)[-*+•]\s+(\S.*)$/;

/** "Plan" in languages that models answer in. `\b` knows ASCII letters only. CJK writes without spaces. */
const END = "(?![\\p{L}\\p{N}_])";
const PLAN_WORD = `(?:(?:aktions|änderungs|arbeits|implementierungs|umsetzungs)?plan${END}(?:\\s+d['’]action${END})?|план|计划|計劃|計画|规划|方案|계획)`;
/** A heading, or a line that is bold as a whole or up to its colon: not a sentence that begins in bold. */
const PLAN_HEADING = new RegExp(
  `^(?:#{1,6}\\s+|\\*\\*(?=[^*]*(?:[:：]\\*\\*|\\*\\*\\s*(?:[:：]|$))))(?:(?:the|my|an?|der|mein|le|mon|el|mi|implementation|proposed|revised|updated|action|work)\\s+)*${PLAN_WORD}`,
  "iu",
);
const ASKS = /[?？؟][\s*_)"”»]*$/;

/** The plan of an answer in plan mode: from its heading on, else the whole where it has a checklist. undefined: it has none, or asks */
export function planIn(answer: string): string | undefined {
  const lines = withLf(answer).split("\n");
  const plain = proseLines(lines);
  const heading = plain.findIndex(line => PLAN_HEADING.test(line));
  if (heading >= 0 && (!asks(plain) || hasList(plain.slice(heading), 1))) return trimmed(lines.slice(heading));
  return itemsOf(plain, CHECKED_ITEM).length >= FEWEST_STEPS ? trimmed(lines) : undefined;
}

/** An answer with a list that asks nothing: somebody may take it for a plan. */
export function looksLikePlan(answer: string): boolean {
  const plain = proseLines(withLf(answer).split("\n"));
  return !asks(plain) && hasList(plain, FEWEST_STEPS);
}

const asks = (plain: readonly string[]): boolean => ASKS.test(plain.findLast(line => line.trim() !== "") ?? "");

const hasList = (plain: readonly string[], fewest: number): boolean =>
  [NUMBERED_ITEM, BULLETED_ITEM].some(item => itemsOf(plain, item).length >= fewest);

/**
 * The todo list that a plan makes: its checklist, else its numbered steps, else its other list; what is deeper indented belongs
 * to a step.
 */
export function planSteps(plan: string): Todo[] {
  const plain = proseLines(withLf(plan).split("\n"));
  const checked = itemsOf(plain, CHECKED_ITEM).map(([, , mark = "", content = ""]) => ({
    content: stepText(content),
    status: mark === " " ? ("pending" as const) : ("completed" as const),
  }));
  const listed = [NUMBERED_ITEM, BULLETED_ITEM].map(item =>
    itemsOf(plain, item).map(([, , content = ""]) => ({ content: stepText(content), status: "pending" as const })),
  );
  const steps = [checked, ...listed].find(each => each.length > 0) ?? [];
  return steps.filter(({ content }) => content !== "").slice(0, MAX_STEPS);
}

const PLAN_TITLE = new RegExp(`^${PLAN_WORD}\\s*[:：–-]?\\s*`, "iu");

/** What its first heading says, without "Plan:"; "": it has none. */
export function planTitle(plan: string): string {
  const heading = /^#{1,6}\s+(.*)/m.exec(plan)?.[1] ?? "";
  return oneLine(heading.replace(PLAN_TITLE, "").replace(/[*_`]/g, ""), STEP_CHARACTERS);
}

/** What a record says of a plan. */
export const planFacts = (text: string) => ({ title: planTitle(text), steps: planSteps(text).length, text });

const trimmed = (lines: readonly string[]): string => `${lines.join("\n").trim()}\n`;

const stepText = (content: string): string => oneLine(content.replace(/\*\*|__/g, "").trim(), STEP_CHARACTERS);

/** Those least indented. */
function itemsOf(lines: readonly string[], item: RegExp): RegExpExecArray[] {
  const matches = lines.map(line => item.exec(line)).filter(match => match !== null);
  const least = Math.min(...matches.map(([, indent = ""]) => indent.length));
  return matches.filter(([, indent = ""]) => indent.length === least);
}

/** Line by line what is no code and no HTML comment: "" where nothing is left. */
function proseLines(lines: readonly string[]): string[] {
  let fence: string | undefined;
  let inComment = false;
  return lines.map(line => {
    const before = fence;
    if (!inComment) fence = fenceAfter(before, line);
    if (before !== undefined || fence !== undefined) return "";
    const { text, open } = withoutComments(line, inComment);
    inComment = open;
    return text;
  });
}

function withoutComments(line: string, wasOpen: boolean): { text: string; open: boolean } {
  let [text, rest, open] = ["", line, wasOpen];
  for (;;) {
    const at = rest.indexOf(open ? "-->" : "<!--");
    if (!open) text += at < 0 ? rest : rest.slice(0, at);
    if (at < 0) return { text, open };
    rest = rest.slice(at + (open ? 3 : 4));
    open = !open;
  }
}

/** as message of the person: "Carry out" was pressed */
export const CARRY_OUT = "Carry out the plan.";

/** for the person, where an answer in plan mode has a list and no plan */
export const NO_PLAN =
  "This is an answer, not a plan. To get a plan that you can edit and carry out, say: Write it as a plan.";

const APPROVED =
  "The user approved the plan: plan mode is over. Carry it out; it counts instead of any other plan. The todo list was made of its steps: keep it up.";

const REMARKS = " Remarks in it (lines with `>`, `<!-- -->`) are the user's.";

interface PlanOrigin {
  /** it stands in this conversation, as it is, as an answer of the model */
  isAsProposed: boolean;
  /** The person wrote some into it. What a plan quotes without them is not theirs. */
  hasRemarks: boolean;
}

/** Told once, right behind the person's message. */
export function approvedText(plan: string, { isAsProposed, hasRemarks }: PlanOrigin): string {
  if (isAsProposed) return `${APPROVED} It is the last plan you wrote, unchanged.`;
  return `${APPROVED}${hasRemarks ? REMARKS : ""} This is the plan as the user left it:\n\n${plan}`;
}

/** In L2, once a compaction took what said it. */
export const standingText = (plan: string): string =>
  sanitizeText(`The plan that the user approved, and which this session carries out:\n\n${plan}`);

/** Told once, with the request after its end. @param title "": it has none */
export const endedText = (title: string): string =>
  `The user ended the plan${title === "" ? "" : ` “${title}”`} and emptied the todo list made of it. Do not go on with it unless they ask for it.`;

/** The person's message with which a plan goes back. */
export function sentBackText({ diff, comments }: { diff: string; comments: number }): string {
  const what =
    comments === 0
      ? "I changed your plan. Take the changes up"
      : "I commented on your plan: answer the comments (lines with `>`, `<!-- -->`), take my changes up, leave the comments out";
  return `${what} and write the whole plan again.\n\n${fenced(diff, "diff", "`")}`;
}

/** Of such a message, the lines that the person put into the plan; undefined: it is none. */
export function remarksSentBack(message: string): string | undefined {
  const [, diff] = /^I (?:changed|commented on) your plan[^\n]+\n\n`{3,}diff\n([\s\S]*)\n`{3,}$/.exec(message) ?? [];
  return diff
    ?.split("\n")
    .filter(line => line.startsWith("+") && !line.startsWith("+++"))
    .map(line => line.slice(1))
    .join("\n");
}
