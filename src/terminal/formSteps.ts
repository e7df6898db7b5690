/** A question that allows nothing, on the terminal: a form, one field at a time. */
import {
  type FieldOf,
  fieldProblem,
  type QuestionField,
  type QuestionReply,
  type QuestionValue,
  type QuestionValues,
} from "../shared/question";
import type { RecordOf } from "../shared/records";
import { exactLine, linesOf, type Shown, shownLines, shownText, visibleLine, visibleText } from "../shared/shown";

/** What is on the screen until a line comes. */
export interface FormStep {
  text: Shown;
  prompt: Shown;
  /** undefined: that was the last, and it is answered */
  take(line: string): FormStep | undefined;
}

/** @param reply is called once, after the last step */
export function formSteps(
  { form, toolName }: RecordOf<"question">,
  reply: (reply: QuestionReply) => void,
): FormStep | undefined {
  const { server, message = "", fields, url } = form;
  if (server === undefined) return fieldStep(shownText`The agent asks you. What you answer allows nothing.`);
  const head = [shownText`The MCP server ${exactLine(server)} asks you, in a call of ${visibleLine(toolName)}:`];
  if (message !== "") head.push(indented(message));
  if (url !== undefined)
    return yesStep([...head, shownText`  It wants you to open: ${exactLine(url)}`], "Open it in the browser?");
  head.push(shownText`  What you answer goes to that server. Never give it a password or a key.`);
  return yesStep(head, "Answer it?");

  function yesStep(lines: Shown[], asked: "Answer it?" | "Open it in the browser?"): FormStep {
    return {
      text: shownLines(lines),
      prompt: shownText`${asked} y = yes, anything else = no: `,
      take(line) {
        const isYes = /^(y|yes)$/i.test(line.trim());
        if (isYes && url === undefined && fields.length > 0) return fieldStep();
        reply(isYes ? { action: "accept", values: {} } : { action: "decline" });
        return undefined;
      },
    };
  }

  function fieldStep(intro = NOTHING, at = 0, values: QuestionValues = {}, problem = ""): FormStep | undefined {
    const field = fields[at];
    if (!field) {
      const isAnswered = server !== undefined || Object.keys(values).length > 0;
      reply(isAnswered ? { action: "accept", values } : { action: "decline" });
      return undefined;
    }
    const count = fields.length > 1 ? shownText` (${at + 1} of ${fields.length})` : "";
    const wrong = problem === "" ? NOTHING : shownText`! ${visibleLine(problem)}`;
    const lines = [intro, shownText`${visibleText(field.title)}${count}`, ...describe(field), wrong];
    return {
      text: shownLines(lines.filter(line => line !== NOTHING)),
      prompt: promptOf(field),
      take(line) {
        const value = readValue(field, line.trim());
        const wrong = value === INVALID ? "That is not one of them." : fieldProblem(field, value);
        if (wrong !== undefined) return fieldStep(NOTHING, at, values, wrong);
        return fieldStep(
          NOTHING,
          at + 1,
          value === undefined || value === INVALID ? values : { ...values, [field.name]: value },
        );
      },
    };
  }
}

const NOTHING = shownText``;

const indented = (text: string) => shownLines(linesOf(visibleText(text)).map(line => shownText`  ${line}`));

function describe(field: QuestionField): Shown[] {
  const words = field.description === undefined ? [] : [indented(field.description)];
  if (field.type !== "choice")
    return field.type === "text" && field.pattern ? [...words, shownText`  as ${exactLine(field.pattern)}`] : words;
  return [
    ...words,
    ...field.options.flatMap(({ label, description, recommended }, at) => [
      shownText`  ${at + 1} = ${visibleLine(label)}${recommended ? " (recommended)" : ""}`,
      ...(description === undefined ? [] : [shownText`      ${visibleLine(description)}`]),
    ]),
  ];
}

function promptOf(field: QuestionField): Shown {
  const kept = field.default === undefined ? undefined : shownText`Enter = ${visibleLine(String(field.default))}`;
  const skip = kept ?? (field.required ? undefined : shownText`Enter = no answer`);
  const how: Shown = {
    choice: () => choicePrompt(field as FieldOf<"choice">),
    text: () =>
      field.type === "text" && field.format ? shownText`Your answer (${field.format})` : shownText`Your answer`,
    number: () => shownText`A number`,
    boolean: () => shownText`y = yes, n = no`,
  }[field.type]();
  return skip === undefined ? shownText`${how}: ` : shownText`${how}, ${skip}: `;
}

function choicePrompt({ options, multiple, ownWords }: FieldOf<"choice">): Shown {
  if (options.length === 0) return shownText`Your answer`;
  return shownText`${multiple ? "Numbers, as 1,3" : "A number"}${ownWords ? ", or words of your own" : ""}`;
}

const INVALID = Symbol("invalid");

/** undefined: not answered */
function readValue(field: QuestionField, line: string): QuestionValue | undefined | typeof INVALID {
  if (line === "") return field.default;
  switch (field.type) {
    case "choice":
      return readChoice(field, line);
    case "text":
      return line;
    case "number":
      return Number.isNaN(Number(line)) ? INVALID : Number(line);
    case "boolean":
      return /^(y|yes)$/i.test(line) ? true : /^(n|no)$/i.test(line) ? false : INVALID;
  }
}

function readChoice({ options, ownWords }: FieldOf<"choice">, line: string): string[] | typeof INVALID {
  const numbers = /^\d+([\s,]+\d+)*$/.test(line) ? line.split(/[\s,]+/).map(Number) : [];
  const chosen = numbers.map(at => options[at - 1]?.value);
  if (numbers.length > 0 && options.length > 0) {
    const known = chosen.filter(value => value !== undefined);
    return known.length === chosen.length ? [...new Set(known)] : INVALID;
  }
  const named = options.find(({ label }) => label.toLowerCase() === line.toLowerCase());
  return named ? [named.value] : ownWords ? [line] : INVALID;
}
