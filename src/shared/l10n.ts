/**
 * Sentences for people, in their language. The English sentence is the key of its translation in `l10n/`; the composition
 * roots load a translation once, before anything is said. What the model reads stays English and never comes here.
 */
import { config, type L10nReplacement, t } from "@vscode/l10n";

export { t };

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
  return t(form, number.toLocaleString(locale()), ...more);
}
