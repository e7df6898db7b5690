/** What a server asks the person (elicitation), as a form of ours, and their answer as it has it. A form that cannot be shown whole is not shown. */
import { defined, some } from "../../shared/defined";
import { isObject } from "../../shared/isObject";
import type { QuestionAnswer, QuestionField, QuestionForm } from "../../shared/question";

/** As the protocol has it, of any revision. */
export type ElicitParams = { message: string; requestedSchema?: unknown; mode?: string; url?: string };

export type ElicitResult = {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

const MAX_FIELDS = 40;
const MAX_OPTIONS = 100;
/** characters */
const MAX_MESSAGE = 4_000;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1_000;
const MAX_URL = 4_000;

/** undefined: it asks for what no form has, or for too much */
export function elicitForm(server: string, params: ElicitParams): QuestionForm | undefined {
  const form = { server, message: cut(String(params.message ?? ""), MAX_MESSAGE) };
  if (params.mode === "url") {
    const url = webAddress(params.url);
    return url === undefined ? undefined : { ...form, fields: [], url };
  }
  const schema = params.requestedSchema;
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const entries = Object.entries(schema.properties);
  if (entries.length > MAX_FIELDS) return undefined;
  const fields = entries.map(([name, property]) => toField(name, property, required.has(name)));
  return fields.every(field => field !== undefined) ? { ...form, fields } : undefined;
}

/** As it is opened: host and path in the letters that browsers send. undefined: no web address, or too long to read */
function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  // "https://bank.example@evil.example" is read wrong.
  return /^https?:$/.test(protocol) && username === "" && password === "" ? href : undefined;
}

type FormSchema = Record<string, unknown>;

function toField(name: string, property: unknown, required: boolean): QuestionField | undefined {
  if (!isObject(property) || name.length > MAX_TITLE) return undefined;
  const { type, title, description } = property;
  const base = {
    name,
    required,
    title: cut(typeof title === "string" && title !== "" ? title : name, MAX_TITLE),
    ...(typeof description === "string" && { description: cut(description, MAX_DESCRIPTION) }),
  };
  if (type === "boolean") return { ...base, type, ...defined({ default: bool(property.default) }) };
  if (type === "number" || type === "integer") {
    const { minimum, maximum, default: usual } = property;
    const limits = defined({ minimum: num(minimum), maximum: num(maximum), default: num(usual) });
    return { ...base, type: "number", integer: type === "integer", ...limits };
  }
  if (type === "array") return choiceField(base, property, isObject(property.items) ? property.items : {}, true);
  if (type !== "string") return undefined;
  const isChoice = "enum" in property || "oneOf" in property || "anyOf" in property;
  return isChoice ? choiceField(base, property, property, false) : textField(base, property);
}

type Base = Pick<QuestionField, "name" | "required" | "title" | "description">;

function choiceField(base: Base, property: FormSchema, listed: FormSchema, multiple: boolean) {
  const options = optionsOf(listed);
  if (!options || options.length === 0 || options.length > MAX_OPTIONS) return undefined;
  const values = options.map(({ value }) => value);
  if (new Set(values).size < values.length) return undefined;
  const usual = (Array.isArray(property.default) ? property.default : [property.default]).filter(
    (value): value is string => typeof value === "string" && values.includes(value),
  );
  const chosen = some(multiple ? usual : usual.slice(0, 1));
  const limits = defined({ minItems: int(property.minItems), maxItems: int(property.maxItems), default: chosen });
  const field: QuestionField = { ...base, type: "choice", options, multiple, ownWords: false, ...limits };
  return field;
}

/** The value is the description where the title differs from it. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: FormSchema) {
  const named = oneOf ?? anyOf;
  const pairs: [unknown, unknown][] | undefined = Array.isArray(values)
    ? values.map((value, at) => [value, Array.isArray(enumNames) ? enumNames[at] : undefined])
    : Array.isArray(named)
      ? named.map(each => (isObject(each) ? [each.const, each.title] : [undefined, undefined]))
      : undefined;
  const options = pairs?.map(([value, title]) => {
    if (typeof value !== "string" || value.length > MAX_DESCRIPTION) return undefined;
    const label = cut(typeof title === "string" && title !== "" ? title : value, MAX_TITLE);
    return { value, label, ...(label !== value && { description: value }) };
  });
  return options?.every(option => option !== undefined) ? options : undefined;
}

const FORMATS = ["email", "uri", "date", "date-time"] as const;

function textField(base: Base, property: FormSchema): QuestionField {
  const { pattern, default: usual } = property;
  return {
    ...base,
    type: "text",
    ...defined({
      format: FORMATS.find(format => format === property.format),
      minLength: int(property.minLength),
      maxLength: int(property.maxLength),
      pattern: typeof pattern === "string" ? cut(pattern, MAX_TITLE) : undefined,
      default: typeof usual === "string" ? cut(usual, MAX_MESSAGE) : undefined,
    }),
  };
}

/** As the server has it: a single choice is a text. */
export function elicitResult({ fields, url }: QuestionForm, { action, values = {} }: QuestionAnswer): ElicitResult {
  if (action !== "accept" || url !== undefined) return { action };
  const content: NonNullable<ElicitResult["content"]> = {};
  for (const field of fields) {
    const value = values[field.name];
    const plain = field.type === "choice" && !field.multiple && Array.isArray(value) ? value[0] : value;
    if (plain !== undefined) content[field.name] = plain;
  }
  return { action, content };
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const bool = (value: unknown) => (typeof value === "boolean" ? value : undefined);
const num = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const int = (value: unknown) => (Number.isInteger(value) ? (value as number) : undefined);
