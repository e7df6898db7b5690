/** Sentences of rules files that the setting `strata.permissions.bindings` holds: as rules, and as commands that a turn's end demands. */
import { t } from "../../shared/l10n";
import { bindingSchema } from "../../shared/settings";
import type { SettingLevel, SettingsSource } from "../ground/ports";
import { oneLine } from "../ground/text/format";
import { parseRules, type Rule } from "./rules";

export interface SentencePlace {
  file: string;
  sentence: string;
}

/** An entry of the setting: one of these. */
export interface BindingRule {
  deny?: string | undefined;
  ask?: string | undefined;
  check?: string | undefined;
}

export interface BoundSentence extends SentencePlace {
  as: readonly BindingRule[];
  /** of its entries (`boundKey`) */
  key: string;
  level: SettingLevel;
  place: string;
}

const layersOf = (settings: SettingsSource) =>
  settings.layers?.() ?? [{ level: "user" as const, place: t("settings"), values: settings.get() }];

/** What the entries of one sentence share, at their level. */
export function boundKey(level: SettingLevel, entry: unknown): string {
  const { data } = bindingSchema.safeParse(entry);
  return JSON.stringify(data ? [level, data.file, data.sentence] : [level, entry]);
}

/** Those that deny or ask. An entry that cannot be read may have forbidden anything: every tool asks. */
export const boundRules = (entries: readonly unknown[]): Rule[] =>
  entries.flatMap((entry): Rule[] => {
    const { data } = bindingSchema.safeParse(entry);
    if (!data) {
      const problem = t("it needs `file`, `sentence` and one of `deny`, `ask` and `check`, each a text");
      const broken = { kind: "ask" as const, text: textOf(entry), tool: "*", pattern: undefined, problem };
      return [{ ...broken, bound: { file: "", sentence: "" } }];
    }
    const { file, sentence, deny, ask } = data;
    const rules = parseRules({ allow: [], deny: deny ? [deny] : [], ask: ask ? [ask] : [] });
    return rules.map(rule => ({ ...rule, bound: { file, sentence } }));
  });

const textOf = (entry: unknown) => oneLine(JSON.stringify(entry) ?? "", 200);

/** Entries with one sentence are one; of those that cannot be read, they have their text. */
export function boundSentences(settings: SettingsSource): BoundSentence[] {
  const found = new Map<string, BoundSentence>();
  for (const { level, place, values } of layersOf(settings))
    for (const entry of values["permissions.bindings"] ?? []) {
      const key = boundKey(level, entry);
      const { file = "", sentence = textOf(entry), ...as } = bindingSchema.safeParse(entry).data ?? {};
      const before = found.get(place + key)?.as ?? [];
      found.set(place + key, { key, file, sentence, level, place, as: [...before, as] });
    }
  return [...found.values()];
}

/** Commands that must have passed after the last edit of a turn, each once. */
export function boundChecks(settings: SettingsSource): (SentencePlace & { command: string })[] {
  const checks = boundSentences(settings).flatMap(({ file, sentence, as }) =>
    as.flatMap(({ check: command }) => (command ? [{ command, sentence, file }] : [])),
  );
  return [...new Map(checks.map(check => [check.command, check])).values()];
}
