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
import { exactLine, visibleLine, visibleText } from "../shared/shown";

/** What is on the screen until a line comes. */
export interface Step {
  text: string;
  prompt: string;
  /** undefined: that was the last, and it is answered */
  take(line: string): Step | undefined;
}

/** @param reply is called once, after the last step */
export function formSteps(
  { form, toolName }: RecordOf<"question">,
  reply: (reply: QuestionReply) => void,
): Step | undefined {
  const { server, message = "", fields, url } = form;
  if (server === undefined) return fieldStep("The agent asks you. What you answer allows nothing.");
  const head = [`The MCP server ${exactLine(server)} asks you, in a call of ${visibleLine(toolName)}:`];
  if (message !== "") head.push(indented(message));
  if (url !== undefined)
    return yesStep([...head, `  It wants you to open: ${exactLine(url)}`], "Open it in the browser?");
  head.push("  What you answer goes to that server. Never give it a password or a key.");
  return yesStep(head, "Answer it?");

  function yesStep(lines: string[], asked: string): Step {
    return {
      text: lines.join("\n"),
      prompt: `${asked} y = yes, anything else = no: `,
      take(line) {
        const isYes = /^(y|yes)$/i.test(line.trim());
        if (isYes && url === undefined && fields.length > 0) return fieldStep("");
        reply(isYes ? { action: "accept", values: {} } : { action: "decline" });
        return undefined;
      },
    };
  }

  function fieldStep(intro: string, at = 0, values: QuestionValues = {}, problem = ""): Step | undefined {
    const field = fields[at];
    if (!field) {
      const isAnswered = server !== undefined || Object.keys(values).length > 0;
      reply(isAnswered ? { action: "accept", values } : { action: "decline" });
      return undefined;
    }
    const count = fields.length > 1 ? ` (${at + 1} of ${fields.length})` : "";
    const lines = [intro, `${visibleText(field.title)}${count}`, ...describe(field), problem && `! ${problem}`];
    return {
      text: lines.filter(line => line !== "").join("\n"),
      prompt: promptOf(field),
      take(line) {
        const value = readValue(field, line.trim());
        const wrong = value === INVALID ? "That is not one of them." : fieldProblem(field, value);
        if (wrong !== undefined) return fieldStep("", at, values, wrong);
        return fieldStep(
          "",
          at + 1,
          value === undefined || value === INVALID ? values : { ...values, [field.name]: value },
        );
      },
    };
  }
}

const indented = (text: string) =>
  visibleText(text)
    .split("\n")
    .map(line => `  ${line}`)
    .join("\n");

function describe(field: QuestionField): string[] {
  const words = field.description === undefined ? [] : [indented(field.description)];
  if (field.type !== "choice")
    return field.type === "text" && field.pattern ? [...words, `  as ${exactLine(field.pattern)}`] : words;
  return [
    ...words,
    ...field.options.flatMap(({ label, description, recommended }, at) => [
      `  ${at + 1} = ${visibleLine(label)}${recommended ? " (recommended)" : ""}`,
      ...(description === undefined ? [] : [`      ${visibleLine(description)}`]),
    ]),
  ];
}

function promptOf(field: QuestionField): string {
  const kept = field.default === undefined ? undefined : `Enter = ${visibleLine(String(field.default))}`;
  const skip = kept ?? (field.required ? undefined : "Enter = no answer");
  const how = {
    choice: () => choicePrompt(field as FieldOf<"choice">),
    text: () => (field.type === "text" && field.format ? `Your answer (${field.format})` : "Your answer"),
    number: () => "A number",
    boolean: () => "y = yes, n = no",
  }[field.type]();
  return `${how}${skip === undefined ? "" : `, ${skip}`}: `;
}

function choicePrompt({ options, multiple, ownWords }: FieldOf<"choice">): string {
  if (options.length === 0) return "Your answer";
  return `${multiple ? "Numbers, as 1,3" : "A number"}${ownWords ? ", or words of your own" : ""}`;
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
