/** What a run of looking says of itself. */
import { locale, plural, t } from "../../../src/shared/l10n";
import type { Json } from "../../../src/shared/messages";
import { type LookedAt, toolTraits } from "../../../src/shared/toolTraits";
import { toolTarget } from "./toolWords";

interface LookCall {
  toolName: string;
  input: Json | null;
}

const words: Record<LookedAt, (number: number) => string> = {
  file: number => plural(number, "looked at 1 file", "looked at {0} files"),
  folder: number => plural(number, "listed 1 folder", "listed {0} folders"),
  search: number => (number === 2 ? t("searched twice") : plural(number, "searched once", "searched {0} times")),
  symbol: number => plural(number, "looked up 1 symbol", "looked up {0} symbols"),
};

/** "Looked at 2 files, searched twice": files that were read in parts count once. */
export function looksWords(calls: readonly LookCall[]): string {
  const parts = (Object.keys(words) as LookedAt[]).flatMap(kind => {
    const own = calls.filter(({ toolName }) => toolTraits(toolName).looksAt === kind);
    const number = kind === "search" ? own.length : new Set(own.map(toolTarget)).size;
    return number > 0 ? [words[kind](number)] : [];
  });
  const said = new Intl.ListFormat(locale(), { type: "conjunction", style: "narrow" }).format(parts);
  return said.charAt(0).toLocaleUpperCase(locale()) + said.slice(1);
}

export const failedWords = (number: number) => plural(number, "1 failed", "{0} failed");
