/** An object with fields: no list, and not `null`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** JSON that may be damaged. undefined: it is no JSON, or with a reviver nested too deeply; the caller says what that means. */
export function parseJson(text: string, reviver?: Reviver): unknown {
  try {
    // As editors leave it at the beginning of a file.
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text, reviver);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
