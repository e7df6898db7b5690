/** Files of JSON that people write, and values of JSON. */
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { isObject, type Reviver } from "../../../shared/isObject";
import type { Json } from "../../../shared/messages";

/** A reviver: numbers that JavaScript would write otherwise (`1.0`, integers above 2^53) are written back as they were read. */
export const keepNumbers: Reviver = (_key, value, context) => {
  const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown };
  const source = typeof value === "number" ? context?.source : undefined;
  return source === undefined || source === String(value) ? value : (rawJSON?.(source) ?? value);
};

/**
 * A file of settings: with comments, trailing commas and a byte order mark, as editors leave it. `problem`: why it cannot be
 * read, a part of a sentence. Nesting without an end, which the parser does not survive, is one.
 */
export function parseSettingsFile(text: string): { value: unknown; problem?: undefined } | { problem: string } {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problem: "it is nested too deeply" };
  }
  const [broken] = errors;
  if (!broken) return { value };
  const line = text.slice(0, broken.offset).split("\n").length;
  return { problem: `line ${line} is no JSON (${printParseErrorCode(broken.error)})` };
}

/** Every string in a value, in its order; names of properties are none. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** Facts of any shape, as tools give them, read without trust. */

export type ResultFacts = Readonly<Record<string, Json>>;

/** No facts where the data is no object. */
export const toFacts = (data: Json | undefined): ResultFacts => (isObject(data) ? data : {});

/** Those of the keys that are there. */
export const pick = (facts: ResultFacts, ...keys: readonly string[]): Record<string, Json> =>
  Object.fromEntries(keys.flatMap(key => (facts[key] === undefined ? [] : [[key, facts[key]]])));

/** "" where it is no text. */
export function text(facts: ResultFacts, key: string): string {
  const value = facts[key];
  return typeof value === "string" ? value : "";
}

/** 0 where it is no number. */
export function number(facts: ResultFacts, key: string): number {
  const value = facts[key];
  return typeof value === "number" ? value : 0;
}

/** The texts of a list; none where it is no list. */
export function list(facts: ResultFacts, key: string): string[] {
  const value = facts[key];
  return Array.isArray(value) ? value.filter(item => typeof item === "string") : [];
}
