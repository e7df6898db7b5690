/** What the model is told of plans, and what stands for the person's click in the conversation. Pure. */
import { fenced } from "../../../shared/fences";
import { sanitizeText } from "../../ground/text/format";
import type { planChange } from "./planText";

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
export function sentBackText({ diff, comments }: NonNullable<ReturnType<typeof planChange>>): string {
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
