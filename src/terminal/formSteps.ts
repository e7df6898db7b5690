/** A question that allows nothing, on the terminal: a form, one field at a time. */
import { t } from "../shared/l10n";
import type { FieldOf, QuestionField, QuestionReply, QuestionValue, QuestionValues } from "../shared/question";
import { fieldProblem } from "../shared/question";
import type { RecordOf } from "../shared/records";
import type { Shown } from "../shared/shown";
import { exactLine, linesOf, shownLines, shownSentence, shownText, visibleLine, visibleText } from "../shared/shown";

/** A text and a prompt, until a line comes. */
export interface FormStep {
  text: Shown;
  prompt: Shown;
  /** undefined: that was the last, and it is answered */
  take(line: string): FormStep | undefined;
}

/** @param reply is called once, after the last step */
export function formSteps({ form, toolName }: RecordOf<"question">, reply: (reply: QuestionReply) => void) {
  const { server, message = "", fields, url } = form;
  if (server === undefined) return fieldStep(shownSentence(t("The agent has a question.")));
  const head = [
    shownSentence(t("The MCP server {0} asks you, in a call of {1}:"), exactLine(server), visibleLine(toolName)),
  ];
  if (message !== "") head.push(indented(message));
  if (url !== undefined)
    return yesStep(
      [...head, shownSentence(t("  It asks you to open: {0}"), exactLine(url))],
      t("Open it in the browser? y = yes, anything else = no: "),
    );
  head.push(shownSentence(t("  What you answer goes to that server. Never give it a password or a key.")));
  return yesStep(head, t("Answer it? y = yes, anything else = no: "));

  function yesStep(lines: Shown[], asked: string): FormStep {
    return {
      text: shownLines(lines),
      prompt: shownSentence(asked),
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
    const title = visibleText(field.title);
    const head = fields.length > 1 ? shownSentence(t("{0} ({1} of {2})"), title, at + 1, fields.length) : title;
    const wrong = problem === "" ? NOTHING : shownText`! ${visibleLine(problem)}`;
    const lines = [intro, head, ...describe(field), wrong];
    return {
      text: shownLines(lines.filter(line => line !== NOTHING)),
      prompt: promptOf(field),
      take(line) {
        const value = readValue(field, line.trim());
        const wrong = value === INVALID ? t("That is not one of them.") : fieldProblem(field, value);
        if (wrong !== undefined) return fieldStep(NOTHING, at, values, wrong);
        const isNone = value === undefined || value === INVALID;
        return fieldStep(NOTHING, at + 1, isNone ? values : { ...values, [field.name]: value });
      },
    };
  }
}

const NOTHING = shownText``;

const indented = (text: string) => shownLines(linesOf(visibleText(text)).map(line => shownText`  ${line}`));

function describe(field: QuestionField): Shown[] {
  const words = field.description === undefined ? [] : [indented(field.description)];
  if (field.type !== "choice")
    return field.type === "text" && field.pattern ? [...words, shownText`  ${exactLine(field.pattern)}`] : words;
  return [
    ...words,
    ...field.options.flatMap(({ label, description, recommended }, at) => [
      shownText`  ${at + 1} = ${recommended ? shownSentence(t("{0} (recommended)"), visibleLine(label)) : visibleLine(label)}`,
      ...(description === undefined ? [] : [shownText`      ${visibleLine(description)}`]),
    ]),
  ];
}

function promptOf(field: QuestionField): Shown {
  const kept =
    field.default === undefined ? undefined : shownSentence(t("Enter = {0}"), visibleLine(String(field.default)));
  const skip = kept ?? (field.required ? undefined : shownSentence(t("Enter = no answer")));
  const how = wantedOf(field);
  return skip === undefined ? shownText`${how}: ` : shownText`${how}, ${skip}: `;
}

function wantedOf(field: QuestionField): Shown {
  if (field.type === "boolean") return shownSentence(t("y = yes, n = no"));
  if (field.type === "number") return shownSentence(t("A number"));
  if (field.type === "text" && field.format) return shownSentence(t("Your answer ({0})"), visibleLine(field.format));
  if (field.type === "text" || field.options.length === 0) return shownSentence(t("Your answer"));
  if (field.multiple)
    return shownSentence(field.ownWords ? t("Numbers, as 1,3, or words of your own") : t("Numbers, as 1,3"));
  return shownSentence(field.ownWords ? t("A number, or words of your own") : t("A number"));
}

const INVALID = Symbol("invalid");

/** undefined: not answered */
function readValue(field: QuestionField, line: string): QuestionValue | undefined | typeof INVALID {
  if (line === "") return field.default;
  if (field.type === "choice") return readChoice(field, line);
  if (field.type === "text") return line;
  if (field.type === "number") return Number.isNaN(Number(line)) ? INVALID : Number(line);
  return /^(y|yes)$/i.test(line) ? true : /^(n|no)$/i.test(line) ? false : INVALID;
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
