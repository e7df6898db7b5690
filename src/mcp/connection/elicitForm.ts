/** What a server asks the person (elicitation), as a form of ours, and their answer as it has it. A form that cannot be shown whole is not shown. The package has looked at its shape, in any revision. */
import type { ElicitRequest, ElicitResult, PrimitiveSchemaDefinition } from "@modelcontextprotocol/client";
import { defined, some } from "../../shared/defined";
import type { FieldOf, QuestionAnswer, QuestionField, QuestionForm } from "../../shared/question";

export type ElicitParams = ElicitRequest["params"];

const MAX_FIELDS = 40;
const MAX_OPTIONS = 100;
/** characters */
const MAX_MESSAGE = 4_000;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1_000;
const MAX_URL = 4_000;

/** undefined: it asks for too much, or for what is not to be opened */
export function elicitForm(server: string, params: ElicitParams): QuestionForm | undefined {
  const form = { server, message: cut(params.message, MAX_MESSAGE) };
  if (params.mode === "url") {
    const url = webAddress(params.url);
    return url === undefined ? undefined : { ...form, fields: [], url };
  }
  const { properties, required = [] } = params.requestedSchema;
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return undefined;
  const fields = entries.map(([name, property]) => toField(name, property, required.includes(name)));
  return fields.every(field => field !== undefined) ? { ...form, fields } : undefined;
}

/** As it is opened: host and path in the letters that browsers send. undefined: no web address, or too long to read */
function webAddress(text: string): string | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  // "https://bank.example@evil.example" is read wrong.
  return /^https?:$/.test(protocol) && username === "" && password === "" ? href : undefined;
}

function toField(name: string, property: PrimitiveSchemaDefinition, required: boolean): QuestionField | undefined {
  if (name.length > MAX_TITLE) return undefined;
  const { title, description, default: usual } = property;
  const base = {
    ...{ name, required, title: cut(title || name, MAX_TITLE) },
    ...defined({ description: description === undefined ? undefined : cut(description, MAX_DESCRIPTION) }),
  };
  switch (property.type) {
    case "boolean":
      return { ...base, type: property.type, ...defined({ default: property.default }) };
    case "number":
    case "integer": {
      const { type, minimum, maximum } = property;
      const limits = defined({ minimum, maximum, default: property.default });
      return { ...base, type: "number", integer: type === "integer", ...limits };
    }
    case "array": {
      const { items, minItems, maxItems, default: chosen = [] } = property;
      const options = "anyOf" in items ? items.anyOf.map(titled) : items.enum.map(value => toOption(value));
      const limits = defined({ minItems: int(minItems), maxItems: int(maxItems) });
      return choiceField({ ...base, ...limits, multiple: true }, options, chosen);
    }
    case "string": {
      const chosen = typeof usual === "string" ? [usual] : [];
      const one = { ...base, multiple: false };
      if ("oneOf" in property) return choiceField(one, property.oneOf.map(titled), chosen);
      if (!("enum" in property)) return textField(base, property);
      const names = "enumNames" in property ? property.enumNames : undefined;
      return choiceField(
        one,
        property.enum.map((value, at) => toOption(value, names?.[at])),
        chosen,
      );
    }
  }
}

type Option = FieldOf<"choice">["options"][number];

/** The value is the description where the title differs from it. */
function toOption(value: string, title?: string): Option {
  const label = cut(title || value, MAX_TITLE);
  return { value, label, ...(label !== value && { description: value }) };
}

const titled = (option: { const: string; title: string }) => toOption(option.const, option.title);

type Base = Pick<QuestionField, "name" | "required" | "title" | "description">;

function choiceField(base: Base & { multiple: boolean }, options: Option[], usual: string[]) {
  const values = options.map(({ value }) => value);
  const isWhole = options.length > 0 && options.length <= MAX_OPTIONS && new Set(values).size === values.length;
  if (!isWhole || values.some(value => value.length > MAX_DESCRIPTION)) return undefined;
  const chosen = some(usual.filter(value => values.includes(value)));
  const field: QuestionField = { ...base, type: "choice", options, ownWords: false, ...defined({ default: chosen }) };
  return field;
}

type TextSchema = Extract<PrimitiveSchemaDefinition, { minLength?: unknown }>;

function textField(base: Base, { format, minLength, maxLength, default: usual }: TextSchema): QuestionField {
  const chosen = usual === undefined ? undefined : cut(usual, MAX_MESSAGE);
  const limits = defined({ format, minLength: int(minLength), maxLength: int(maxLength), default: chosen });
  return { ...base, type: "text", ...limits };
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
const int = (value: number | undefined) => (Number.isSafeInteger(value) ? value : undefined);
