/** What knows one interface's events: which carry nothing, and what those mean that its package would not read. Pure but for what it heard. */
import { isObject } from "../../shared/isObject";

export type JsonFields = Record<string, unknown>;

/** One for each answer. */
export interface Mender {
  /** What goes on in the place of an event, which may have been changed; none: it carries nothing. */
  mend(event: JsonFields): readonly JsonFields[];
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** @param value undefined: it has no such field */
export function put(of: JsonFields, key: string, value: unknown): void {
  if (value === undefined) delete of[key];
  else of[key] = value;
}

/** The words in what should have been a text: an object or a list of such; undefined: there are none. */
export function wordsIn(value: unknown): string | undefined {
  if (isText(value)) return value;
  if (Array.isArray(value)) return value.map(each => wordsIn(each) ?? "").join("") || undefined;
  if (!isObject(value)) return undefined;
  return wordsIn(value.text ?? value.content ?? value.thinking ?? value.summary);
}

/** The input of a call as JSON; an empty object is one that is still to come. */
export function inputText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)) return "";
  return JSON.stringify(value);
}

/** Ids are texts: some servers count. undefined: it has none */
export const idText = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : isText(value) ? value : undefined;

/** An error as any of them writes it; undefined: this is none. */
export function errorIn({
  error,
  message,
  msg,
  detail,
  error_msg,
  object,
  type,
  code,
}: JsonFields): JsonFields | undefined {
  if (isText(error)) return { message: error };
  if (isObject(error) && Object.keys(error).length > 0) return error;
  const words = [message, msg, detail, error_msg].find(isText);
  if (words === undefined) return undefined;
  const codes = isText(code) || typeof code === "number" ? { code } : {};
  return { message: words, ...(isText(type ?? object) ? { type: type ?? object } : {}), ...codes };
}

const DEPTH = 3;

/** Numbers that are written as strings, in any interface; what is no number and should be one goes. */
export function mendCounts(usage: JsonFields, depth = DEPTH): void {
  for (const [name, value] of Object.entries(usage)) {
    if (typeof value === "string" && COUNT.test(name)) put(usage, name, count(value));
    else if (isObject(value) && depth > 1) mendCounts(value, depth - 1);
  }
}

/** `input_tokens`, `promptTokenCount` */
const COUNT = /tokens?(?:_?count)?$/i;

export function count(value: unknown): number | undefined {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) && read >= 0 ? read : undefined;
}
