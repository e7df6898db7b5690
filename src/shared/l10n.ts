/**
 * Sentences for people, in their language. The English sentence is the key of its translation in `l10n/`; the composition
 * roots load a translation once, before anything is said. What the model reads stays English and never comes here.
 */
import { config, type L10nReplacement, t as translated } from "@vscode/l10n";

/** Of a value that is a sentence itself. */
const END = "\uffff";

/** A sentence that is put into another keeps its own full stop, and the other's behind it goes. */
export function t(sentence: string, ...values: L10nReplacement[]): string {
  const isSentence = (value: L10nReplacement) => /[.!?…。！？]$/.test(String(value));
  // Who writes the mark into a text would take a full stop out of it.
  if (!values.some(isSentence) || values.some(value => String(value).includes(END)))
    return translated(sentence, ...values);
  const marked = values.map(value => (isSentence(value) ? `${value}${END}` : value));
  return translated(sentence, ...marked).replace(/\uffff[.。]?/g, "");
}

/** What VS Code calls a bundle: English sentence → translated sentence. */
export type Translation = Readonly<Record<string, string>>;

/** Says everything from now on in another language. @param translation undefined: English */
export function loadTranslation(translation: Translation | undefined): void {
  config({ contents: translation ?? {} });
}

/** The language that is spoken, as `Intl` names it: each translation gives its own name for this key. */
export const locale = () => t("en");

/**
 * A sentence about a number of things: `plural(files, "1 file changed", "{0} files changed")`. Both are whole sentences; {0} is
 * the number, {1} and so on are `more`.
 */
export function plural(number: number, one: string, other: string, ...more: L10nReplacement[]): string {
  const form = new Intl.PluralRules(locale()).select(number) === "one" ? one : other;
  return t(form, countText(number), ...more);
}

/** A whole number, in groups as each of the languages writes it: `Intl` takes 12 ms to load for them. */
export const countText = (number: number): string => String(number).replace(/\B(?=(?:\d{3}){1,5}$)/g, ",");
