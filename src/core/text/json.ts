/** JSON that may be damaged: lines of logs, archives and exports. */

/** undefined: it is no JSON; the caller says what that means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every string in a value, in its order; names of properties are none. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}
