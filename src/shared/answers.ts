/** What was answered to a question of the agent's, in words. */
import { plural, t } from "./l10n";
import type { QuestionAnswer, QuestionForm } from "./question";
import { visibleText } from "./shown";

interface QuestionCall {
  form: QuestionForm;
  answer?: QuestionAnswer | undefined;
}

/** In a word or two; undefined: it is none of the agent's, or nobody answered yet */
export function answeredWords(question: QuestionCall | null): string | undefined {
  if (!question?.answer || question.form.server !== undefined) return undefined;
  const { action, by, values = {}, words } = question.answer;
  if (by !== "user" || action === "cancel") return t("not answered");
  if (action === "decline") return t("left to the agent");
  const asked = question.form.fields.length;
  const answered = words === undefined ? Object.keys(values).length : asked;
  return answered === asked
    ? t("answered")
    : plural(asked, "{1} of 1 question answered", "{1} of {0} questions answered", answered);
}

/** Each question with its answer; words of the person's own answer all of them together. */
export function answersOf({ form, answer }: QuestionCall): [asked: string, answered: string][] {
  const { action = "cancel", by = "nobody", values = {}, words = "" } = answer ?? {};
  const left =
    action === "decline"
      ? t("You let the agent decide")
      : by === "stop"
        ? t("Not answered: you stopped")
        : t("Not answered");
  if (words.trim() !== "") {
    return [[form.fields.map(({ title }) => visibleText(title)).join(" "), visibleText(words.trim())]];
  }
  return form.fields.map(({ name, title }) => {
    const said = [values[name] ?? []].flat().map(String).join(", ");
    return [visibleText(title), action === "accept" && said !== "" ? visibleText(said) : left];
  });
}
