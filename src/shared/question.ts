/**
 * What a person is asked beside permissions: by the agent (AskUser), or by an MCP server (elicitation). A question is a form
 * of fields; its answer is words or values and allows nothing.
 */
import * as z from "zod";
import { plural, t } from "./l10n";

const optionSchema = z.object({
  /** what the answer has for it; unique in its field */
  value: z.string(),
  label: z.string(),
  description: z.string().optional(),
  /** the asker would take it */
  recommended: z.literal(true).optional(),
});

const base = {
  /** unique in its form */
  name: z.string(),
  title: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
};

const questionFieldSchema = z.discriminatedUnion("type", [
  z.object({
    ...base,
    type: z.literal("choice"),
    options: z.array(optionSchema),
    multiple: z.boolean(),
    /** words of the person's own may stand in the place of an option, or beside several */
    ownWords: z.boolean(),
    minItems: z.int().optional(),
    maxItems: z.int().optional(),
    default: z.array(z.string()).optional(),
  }),
  z.object({
    ...base,
    type: z.literal("text"),
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
    minLength: z.int().optional(),
    maxLength: z.int().optional(),
    /** for people: expressions of others are never run */
    pattern: z.string().optional(),
    default: z.string().optional(),
  }),
  z.object({
    ...base,
    type: z.literal("number"),
    integer: z.boolean(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ ...base, type: z.literal("boolean"), default: z.boolean().optional() }),
]);
export type QuestionField = z.infer<typeof questionFieldSchema>;
export type FieldOf<T extends QuestionField["type"]> = Extract<QuestionField, { type: T }>;

export const questionFormSchema = z.object({
  /** the MCP server that asks; absent: the agent does */
  server: z.string().optional(),
  /** what the asker says about the whole */
  message: z.string().optional(),
  fields: z.array(questionFieldSchema),
  /** an address that the server wants to have opened, instead of fields */
  url: z.string().optional(),
});
export type QuestionForm = z.infer<typeof questionFormSchema>;

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
/** By name of the field. Of a choice: values of options, and the person's own words. */
const questionValuesSchema = z.record(z.string(), valueSchema);
export type QuestionValue = z.infer<typeof valueSchema>;
export type QuestionValues = z.infer<typeof questionValuesSchema>;

/** What a person does about a question. `decline`: they leave it to the asker */
export const questionReplySchema = z.object({
  action: z.enum(["accept", "decline", "cancel"]),
  values: questionValuesSchema.optional(),
  /** words about the whole, in the place of values */
  words: z.string().optional(),
});
export type QuestionReply = z.infer<typeof questionReplySchema>;

export const questionAnswerSchema = questionReplySchema.extend({
  /** `nobody`: no person is there */
  by: z.enum(["user", "stop", "nobody"]),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** The problem of an answer, in a sentence for the person. */
export function replyProblem(form: QuestionForm, { action, values = {}, words }: QuestionReply): string | undefined {
  if (action !== "accept" || form.url !== undefined) return undefined;
  const ofAgent = form.server === undefined;
  if (ofAgent && words?.trim()) return undefined;
  for (const field of form.fields) {
    const problem = fieldProblem(field, values[field.name]);
    if (problem !== undefined) return `${field.title}: ${problem}`;
  }
  const answered = form.fields.some(({ name }) => !isEmpty(values[name]));
  return ofAgent && !answered ? t("Choose an option, or write your own answer.") : undefined;
}

const isEmpty = (value: QuestionValue | undefined) =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** The problem of the value of a field, for a person. */
export function fieldProblem(field: QuestionField, value: QuestionValue | undefined): string | undefined {
  if (value === undefined || isEmpty(value)) return field.required ? t("Required.") : undefined;
  switch (field.type) {
    case "choice":
      return Array.isArray(value) ? choiceProblem(field, value) : t("Choose from the list.");
    case "text":
      return typeof value === "string" ? textProblem(field, value) : t("Write a text.");
    case "number":
      return typeof value === "number" ? numberProblem(field, value) : t("Write a number.");
    case "boolean":
      return typeof value === "boolean" ? undefined : t("Choose yes or no.");
  }
}

function choiceProblem({ options, multiple, ownWords, minItems, maxItems }: FieldOf<"choice">, value: string[]) {
  const unknown = value.filter(each => !options.some(option => option.value === each));
  if (unknown.length > (ownWords ? 1 : 0)) return t("Choose from the list.");
  if (!multiple && value.length > 1) return t("Choose one.");
  if (minItems !== undefined && value.length < minItems) return t("Choose at least {0}.", minItems);
  if (maxItems !== undefined && value.length > maxItems) return t("Choose at most {0}.", maxItems);
  return undefined;
}

const formats: Record<NonNullable<FieldOf<"text">["format"]>, { is(text: string): boolean; words(): string }> = {
  email: { is: text => /^[^\s@]+@[^\s@]+$/.test(text), words: () => t("Write an e-mail address: name@example.com") },
  uri: { is: text => URL.canParse(text), words: () => t("Write an address: https://example.com") },
  date: { is: text => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text), words: () => t("Write a date: 2026-01-31") },
  "date-time": {
    is: text => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(text) && isDate(text),
    words: () => t("Write a date and a time: 2026-01-31T09:30:00Z"),
  },
};

/** Also that it is in the calendar: 31 February becomes a day of March. */
function isDate(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(text)) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
  );
}

function textProblem({ format, minLength = 0, maxLength }: FieldOf<"text">, text: string): string | undefined {
  const length = [...text].length;
  if (length < minLength) return plural(minLength, "Write at least 1 character.", "Write at least {0} characters.");
  if (maxLength !== undefined && length > maxLength)
    return plural(maxLength, "Write at most 1 character.", "Write at most {0} characters.");
  return format === undefined || formats[format].is(text) ? undefined : formats[format].words();
}

function numberProblem({ integer, minimum, maximum }: FieldOf<"number">, value: number): string | undefined {
  if (!Number.isFinite(value) || (integer && !Number.isInteger(value)))
    return integer ? t("Write a whole number.") : t("Write a number.");
  if (minimum !== undefined && value < minimum) return t("Write {0} or more.", minimum);
  if (maximum !== undefined && value > maximum) return t("Write {0} or less.", maximum);
  return undefined;
}

/** What the person answered to the agent, as the model reads it. */
export function answerText({ fields }: QuestionForm, { action, values = {}, words }: QuestionAnswer): string {
  if (action !== "accept") return "The user leaves this to you. Decide yourself, and say what you decided.";
  if (words !== undefined) return `The user answers in their own words:\n${words.trim()}`;
  const lines = fields.map(field => `${field.title}\n→ ${valueText(field, values[field.name])}`);
  return `The user answers:\n${lines.join("\n")}`;
}

/** A value in words: labels of options, and what the person wrote. */
function valueText(field: QuestionField, value: QuestionValue | undefined): string {
  if (value === undefined || isEmpty(value)) return "(not answered)";
  if (field.type !== "choice" || !Array.isArray(value)) return String(value);
  const label = (each: string) => field.options.find(option => option.value === each)?.label;
  return value.map(each => label(each) ?? `in their own words: ${each.trim()}`).join("; ");
}
