/** The secrets that are known by value: what `.env` files and the environment hold under names that look secret. */
import type { NamedValue } from "../ports";
import { findPrivateKeys } from "../text/privateKeys";
import { type Found, findAny } from "./findAny";
import { looksRandom, looksSecret, MIN_SECRET_LENGTH } from "./looksSecret";
import { placeholder } from "./placeholder";

/**
 * Only grows: a value that a command has just replaced in its file may still be in what the command printed.
 */
export class KnownSecrets {
  /** by value; the first name counts, so that a secret reads the same from turn to turn */
  private readonly values = new Map<string, { name: string; mark: string }>();
  private readonly marks = new Map<string, string>();
  private find: ((text: string) => Found[]) | undefined;

  /** @param markOf the placeholder of a value */
  constructor(private readonly markOf: (name: string, value: string) => string) {}

  add(entries: readonly NamedValue[]): void {
    for (const entry of entries) {
      const { name } = entry;
      for (const value of pieces(entry)) if (!this.values.has(value)) this.put(name, this.markOf(name, value), value);
    }
  }

  /** What a placeholder stands for is put into a file: from now on it is hidden also where its context does not show it. */
  hold(mark: string, value: string): void {
    const isLine = value.length >= MIN_SECRET_LENGTH && !/[\r\n]/.test(value);
    if (isLine && !this.values.has(value)) this.put(placeholder.nameIn(mark), mark, value);
  }

  private put(name: string, mark: string, value: string): void {
    this.values.set(value, { name, mark });
    this.marks.set(mark, value);
    this.find = undefined;
  }

  /** `seen` is told of each placeholder that takes a value's place. Placeholders that stand in the text stay. */
  redact(text: string, seen: (mark: string, value: string) => void): string {
    if (this.values.size === 0) return text;
    this.find ??= findAny([...this.values.keys()]);
    const find = this.find;
    if (!text.includes("[secret:")) return this.replace(text, find(text), seen);
    return text
      .split(placeholder.split)
      .map((part, index) => (index % 2 === 1 ? part : this.replace(part, find(part), seen)))
      .join("");
  }

  /** Where a value with blanks in it begins that the text ends within; undefined: none does. */
  openAt(text: string): number | undefined {
    const starts = [...this.values.keys()].flatMap(value => {
      if (!/\s/.test(value)) return [];
      const tail = text.slice(Math.max(0, text.length - value.length + 1));
      for (let at = 0; at < tail.length; at += 1) {
        if (value.startsWith(tail.slice(at))) return [text.length - tail.length + at];
      }
      return [];
    });
    return starts.length > 0 ? Math.min(...starts) : undefined;
  }

  /** The value of a placeholder, whether it was ever handed out or not. */
  findValue(mark: string): string | undefined {
    return this.marks.get(mark);
  }

  private replace(text: string, found: readonly Found[], seen: (mark: string, value: string) => void): string {
    let redacted = "";
    let at = 0;
    for (const { start, end, word } of found) {
      const value = text.slice(start, end);
      const of = this.values.get(word);
      const mark = of && value === word ? of.mark : this.markOf(of?.name ?? "", value);
      seen(mark, value);
      redacted += text.slice(at, start) + mark;
      at = end;
    }
    return redacted + text.slice(at);
  }
}

/**
 * How a value is looked for: whole, also as JSON writes it; JSON and what goes over several lines also, or only, by its words, since tools put
 * numbers before lines, indent them, and pass them on one by one. (Private keys in it: privateKeys.ts.)
 */
function pieces({ name, value }: NamedValue): string[] {
  const text = value.trim();
  if (!looksSecret({ name, value: text })) return [];
  const whole = /[\r\n]/.test(text) ? [] : [...new Set([text, JSON.stringify(text).slice(1, -1)])];
  if (whole.length > 0 && !/^[[{]/.test(text)) return whole;
  return [
    ...whole,
    ...withoutKeys(text)
      .split(/[\s"'`,;:(){}[\]]+/)
      .filter(looksRandom),
  ];
}

const withoutKeys = (text: string) =>
  findPrivateKeys(text).reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
