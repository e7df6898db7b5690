/** Files of JSON that people write, and values of JSON. */
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { isObject, type Reviver } from "../../../shared/isObject";

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
