/** Text in which every secret that is known is a placeholder: the type of what is logged, hashed, sent or exported. */

declare const redacted: unique symbol;

/** Made by `Redactor.redact` alone; what is put together of such texts is a plain string again, and goes through it once more. */
export type Redacted = string & { readonly [redacted]: true };

/** Secrets become stable placeholders. Idempotent. */
export type Redact = (text: string) => Redacted;

/** Of a text without secrets: a part has none either. */
export const partOf = (text: Redacted, from: number, to?: number): Redacted => text.slice(from, to) as Redacted;

export const NOTHING = "" as Redacted;

/** What a record has lost its secrets when it was appended, and is sent as it was: a request begins with the bytes of the one before it. */
export const asLogged = (text: string): Redacted => text as Redacted;

/** Every string in a JSON value, mapped. Keys stay. */
export function mapStrings<T>(value: T, map: (text: string) => string): T {
  if (typeof value === "string") return map(value) as T;
  if (Array.isArray(value)) return value.map(item => mapStrings(item, map)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)])) as T;
}
