/** Facts of any shape, as tools give them, read without trust. */
import { isObject } from "../../../shared/isObject";
import type { Json } from "../../../shared/messages";

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
