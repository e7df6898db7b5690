/**
 * Sentences of rules files that a setting holds: the rules that they are in force as, the commands that they demand at a turn's end,
 * and which sentences could be bound. Nothing binds by itself. (docs/permissions.md)
 */
import { t } from "../../shared/l10n";
import { bindingSchema } from "../../shared/settings";
import type { RuleFile, SettingLevel, SettingsSource } from "../ground/ports";
import { oneLine } from "../ground/text/format";
import { parseRules, type Rule, wildcard } from "./rules";
import { type BindingRule, boundAs, demanded } from "./sentences/forms";
import { statementsOf } from "./sentences/statements";

interface SentenceAt {
  file: string;
  sentence: string;
}

export interface BindingProposal extends SentenceAt {
  /** entries of the setting, all of this sentence */
  as: readonly BindingRule[];
  /** another sentence that demands what this one forbids: neither is bound */
  against?: SentenceAt | undefined;
}

interface BoundSentence extends SentenceAt {
  as: readonly BindingRule[];
  /** of its entries (`boundKey`) */
  key: string;
  level: SettingLevel;
  place: string;
  /** not found in its file */
  isStale: boolean;
}

export interface Bindings {
  bound: BoundSentence[];
  proposed: BindingProposal[];
  /** sentences that tell how to work, and that no rule could hold */
  guidance: SentenceAt[];
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

/** Commands that must have passed after the last edit of a turn, each once. */
export function boundChecks(settings: SettingsSource): { command: string; sentence: string; file: string }[] {
  const entries = layersOf(settings).flatMap(({ values }) => values["permissions.bindings"] ?? []);
  const checks = entries.flatMap(entry => {
    const { check: command, sentence = "", file = "" } = bindingSchema.safeParse(entry).data ?? {};
    return command ? [{ command, sentence, file }] : [];
  });
  return [...new Map(checks.map(check => [check.command, check])).values()];
}

/** @param looked what the model proposed, where it was asked */
export function bindingsIn(
  files: readonly RuleFile[],
  settings: SettingsSource,
  looked: readonly BindingProposal[] = [],
): Bindings {
  const read = files.flatMap(({ path: file, text }) =>
    statementsOf(text).map(({ said: sentence, read: plain = "" }) => {
      const as = boundAs(plain) ?? looked.find(each => each.file === file && each.sentence === sentence)?.as ?? [];
      const checks = as.flatMap(({ check }) => (check ? [`Bash(${check} *)`] : []));
      return { file, sentence, as, wanted: [...demanded(plain), ...checks] };
    }),
  );
  const all = read.slice(0, MAX_READ);
  const said = new Map(all.map(each => [placed(each), each]));
  const bound = boundIn(settings).map(each => ({ ...each, isStale: !said.has(placed(each)) }));
  for (const each of bound) said.delete(placed(each));
  type Read = (typeof all)[number];
  const forbids = ({ as }: Read, { wanted }: Read) =>
    wanted.some(rule => as.some(({ deny }) => deny && wildcard(deny, rule)));
  const disagrees = (each: Read) => all.find(other => forbids(each, other) || forbids(other, each));
  const open = [...said.values()];
  return {
    bound,
    proposed: open.filter(({ as }) => as.length > 0).map(each => ({ ...each, against: disagrees(each) })),
    guidance: open.filter(({ as, sentence }) => as.length === 0 && TELLS.test(sentence)),
  };
}

/** Sentences of all files. */
const MAX_READ = 3_000;

/**
 * Proposals in a model's answer about numbered sentences. A line that is none of the three kinds, or no rule that names something, is
 * left out: one for every command or file would hold up all work.
 */
export function readProposals(answer: string, asked: readonly SentenceAt[]): BindingProposal[] {
  const lines = answer
    .split(/\r\n|\r|\n/)
    .map(line => /^(\d{1,3})\. (deny|ask|check): (\S.{0,300})$/.exec(line.trim()) ?? []);
  return asked.flatMap(({ file, sentence }, at) => {
    const own = lines.filter(([, number]) => Number(number) === at + 1);
    const as = own.flatMap(([, , kind, what = ""]): BindingRule[] => {
      if (kind === "check") return boundAs(`Run \`${what.replaceAll("`", "")}\` before you finish.`) ?? [];
      const [rule] = parseRules({ allow: [], ask: [], deny: [what] });
      const isNarrow = /^[\p{L}\p{N}._~/][^()]*[\p{L}\p{N}]/u.test(rule?.pattern ?? "");
      if (rule?.problem !== undefined || !isNarrow || !["Bash", "Edit", "Read"].includes(rule?.tool ?? "")) return [];
      return [kind === "deny" ? { deny: what } : { ask: what }];
    });
    return as.length > 0 ? [{ file, sentence, as }] : [];
  });
}

/** A full stop more or less, or another case, is the same sentence. */
const placed = ({ file, sentence }: SentenceAt) => `${file}\n${sentence.toLowerCase().replace(/[.!。！\s]+$/u, "")}`;

const TELLS =
  /\b(?:never|do not|don[’']t|must|always|should|avoid|ask|prefer|only|ensure|make sure|run|use|keep)\b|禁止|不要|请勿|切勿|不得|必须|务必|应该|请|避免|优先/i;

/** Entries with one sentence are one. */
function boundIn(settings: SettingsSource): Omit<BoundSentence, "isStale">[] {
  const found = new Map<string, Omit<BoundSentence, "isStale">>();
  for (const { level, place, values } of layersOf(settings))
    for (const entry of values["permissions.bindings"] ?? []) {
      const key = boundKey(level, entry);
      const { file = "", sentence = textOf(entry), ...as } = bindingSchema.safeParse(entry).data ?? {};
      const before = found.get(place + key)?.as ?? [];
      found.set(place + key, { key, file, sentence, level, place, as: [...before, as] });
    }
  return [...found.values()];
}
