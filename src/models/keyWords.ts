/** What is said of a key that was refused, without it. */
import { t } from "../shared/l10n";
import { ownFacts } from "../shared/modelProviders";

const keyOwners: readonly [begins: RegExp, owner: string, address: RegExp][] = [
  ...ownFacts.flatMap(({ title, keys }): [RegExp, string, RegExp][] =>
    keys ? [[keys.begin, title, keys.address]] : [],
  ),
  [/^sk-or-/, "OpenRouter", /openrouter/],
  [/^gsk_/, "Groq", /groq/],
  [/^xai-/, "xAI", /\/\/[^/]*x\.ai/],
];

/** The key itself is not shown, only whose it looks like. */
export function wrongKey(key: string, address: string): string {
  const owner = keyOwners.find(([begins, , own]) => begins.test(key) && !own.test(address))?.[1];
  return owner ? t("it looks like one of {0}'s", owner) : t("it is wrong, expired or lacks permission");
}

/** Servers quote keys in their complaints, whole or in part. */
export function withoutKeys(words: string, key: string | undefined): string {
  const plain = key && key.length > 3 ? words.replaceAll(key, "…") : words;
  return plain.replace(/\b(sk|pk|gsk|xai|key|AIza)[-_][-\w*.]{6,}|\bAIza[-\w]{10,}|\bBearer\s+\S+/gi, "…");
}
