/** The person's language in a terminal, as POSIX and GNU name it in the environment. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadTranslation } from "../shared/l10n";

type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/** The name of a translation in `l10n/`. undefined: English. Traditional Chinese is another one, which is not there. */
export function translationIn(env: TerminalEnvironment): "zh-cn" | undefined {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || windowsLocale();
  if (/^(?:C|POSIX)\b/.test(locale)) return undefined;
  const [first = ""] = (env.LANGUAGE || locale).split(":");
  return /^zh(?![_-](?:TW|HK|MO|Hant))(?![a-z])/i.test(first) ? "zh-cn" : undefined;
}

/** Windows has no such variables. */
const windowsLocale = () => (process.platform === "win32" ? Intl.DateTimeFormat().resolvedOptions().locale : "");

/** Speaks the person's language from now on. Each program that is built by itself does so. */
export function speakLanguage(env: TerminalEnvironment): void {
  const name = translationIn(env);
  if (name === undefined) return;
  const file = join(import.meta.dirname, "../../l10n", `bundle.l10n.${name}.json`);
  // A program copied without l10n speaks English.
  if (existsSync(file)) loadTranslation(JSON.parse(readFileSync(file, "utf8")));
}
