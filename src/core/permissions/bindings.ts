/** Sentences of rules files that the setting `strata.permissions.bindings` holds: as rules, and as commands that a turn's end demands. */
import { t } from "../../shared/l10n";
import { bindingSchema } from "../../shared/settings";
import type { SettingLevel, SettingsSource } from "../ground/ports";
import { oneLine, sanitizeText } from "../ground/text/format";
import { parseRules, type Rule } from "./rules";

export interface SentencePlace {
  file: string;
  sentence: string;
}

/** What holds a sentence: rules, or commands that must have run. */
export type BindingRules = Partial<Record<"deny" | "ask" | "check", readonly string[] | undefined>>;
export type BindingEntry = SentencePlace & BindingRules;

export interface BoundSentence {
  /** of one that cannot be read, only its text */
  entry: BindingEntry;
  /** all of its text */
  key: string;
  level: SettingLevel;
  place: string;
}

const readEntry = (entry: unknown) => bindingSchema.safeParse(entry).data;
const textOf = (entry: unknown) => oneLine(JSON.stringify(entry) ?? "", 200);

const withDot = /^[^\s./]*[./]\S*$/;

/** As it is quoted: a workspace's entry may say anything, and is to speak as nothing but a file. */
function quoted({ file, sentence }: SentencePlace): SentencePlace {
  const [name, words] = [file, sentence].map(text => sanitizeText(text).replace(/[“”]/g, '"')) as [string, string];
  return { file: oneLine(withDot.test(name) ? name : JSON.stringify(name), 200), sentence: oneLine(words, 400) };
}

/** Those that deny or ask. An entry that cannot be read may have forbidden anything: every tool asks. */
export const boundRules = (entries: readonly unknown[]): Rule[] =>
  entries.flatMap((entry): Rule[] => {
    const { file, sentence, deny = [], ask = [] } = readEntry(entry) ?? { file: "", sentence: "" };
    const problem = t("it needs `file`, `sentence`, and a list of texts under `deny`, `ask` or `check`");
    const broken = { kind: "ask" as const, text: textOf(entry), tool: "*", pattern: undefined, problem };
    const rules = file === "" ? [broken] : parseRules({ allow: [], deny, ask });
    return rules.map(rule => ({ ...rule, bound: quoted({ file, sentence }) }));
  });

export function boundSentences(settings: SettingsSource): BoundSentence[] {
  const alone = () => [{ level: "user" as const, place: t("settings"), values: settings.get() }];
  return (settings.layers?.() ?? alone()).flatMap(({ level, place, values }) =>
    (values["permissions.bindings"] ?? []).map(each => {
      const entry = readEntry(each) ?? { file: "", sentence: textOf(each) };
      return { entry, key: JSON.stringify(each), level, place };
    }),
  );
}

export type BoundCheck = SentencePlace & { command: string };

/** Commands that must have passed after the last edit of a turn, each once. */
export function boundChecks(settings: SettingsSource): BoundCheck[] {
  const checks = boundSentences(settings).flatMap(({ entry: { check = [], ...said } }) =>
    check.map(command => ({ command, ...quoted(said) })),
  );
  return [...new Map(checks.map(check => [check.command, check])).values()];
}
