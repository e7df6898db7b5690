/** What is asked before sessions go for good: by their names, since a number says nothing about what is lost. */

import { t } from "../../shared/l10n";

/** A dialog holds so many lines. */
const MAX_NAMED = 10;
const MAX_NAME = 80;

export function deletionWords(titles: readonly string[]): { question: string; detail: string } {
  const named = titles.map(title => `“${title.length > MAX_NAME ? `${title.slice(0, MAX_NAME - 1)}…` : title}”`);
  const lost = t("Its messages, outputs and archives are deleted too. To keep a copy, export the session first.");
  const [only] = named;
  if (only !== undefined && named.length === 1)
    return { question: t("Permanently delete the session {0}?", only), detail: lost };
  const more = named.length - MAX_NAMED;
  const list = [...named.slice(0, MAX_NAMED), ...(more > 0 ? [t("and {0} more", more)] : [])];
  return {
    question: t("Permanently delete these {0} sessions?", named.length),
    detail: `${list.join("\n")}\n\n${lost}`,
  };
}
