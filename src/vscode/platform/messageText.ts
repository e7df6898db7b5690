/** Texts of VS Code's messages and lists. */
import { t } from "../../shared/l10n";
import { visibleText } from "../../shared/shown";

/**
 * For VS Code's messages and lists, where texts of servers, files and sessions stand too: nothing in it is hidden, and what
 * VS Code would make a link, a command's among them, stays text.
 */
export const messageText = (text: string): string => visibleText(text).replaceAll("](", "] (");

/** For lists: `$(date)` in a command is no icon there. */
export const withoutIcons = (text: string): string => text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");

/** A dialog holds so many lines. */
const MAX_NAMED = 10;
const MAX_NAME = 80;

/** Asked before sessions go for good: by their names, since a number says nothing about what is lost. */
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
