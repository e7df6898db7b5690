/** Which sentences of rules files are bound, could be, or are guidance that no rule holds. Nothing binds by itself. (docs/permissions.md) */
import rulesPrompt from "../../../../prompts/rules.md";
import { t } from "../../../shared/l10n";
import type { RuleFile, SettingsSource } from "../../ground/ports";
import { oneLine, sanitizeText } from "../../ground/text/format";
import type { ReportSection } from "../../ground/text/report";
import { type BindingRule, type BoundSentence, boundSentences, type SentencePlace } from "../bindings";
import { parseRules, wildcard } from "../rules";
import { SentenceForms } from "./forms";
import { statementsOf } from "./statements";

export interface BindingProposal extends SentencePlace {
  /** entries of the setting, all of this sentence */
  as: readonly BindingRule[];
  /** another sentence that demands what this one forbids: neither is bound */
  against?: SentencePlace | undefined;
}

export interface Bindings {
  /** `isStale`: its file, read now, does not have the sentence */
  bound: (BoundSentence & { isStale: boolean })[];
  proposed: BindingProposal[];
  guidance: SentencePlace[];
}

/** Sentences of all files. */
const MAX_READ = 3_000;
const MAX_ASKED = 150;

/** A full stop more or less, or another case, is the same sentence. */
const placed = ({ file, sentence }: SentencePlace) =>
  `${file}\n${sentence.toLowerCase().replace(/(?<![.!。！\s])[.!。！\s]+$/u, "")}`;

/** @param looked what the model proposed, where it was asked */
export function bindingsIn(
  files: readonly RuleFile[],
  settings: SettingsSource,
  looked: readonly BindingProposal[] = [],
): Bindings {
  const forms = new SentenceForms();
  const read = files.flatMap(({ path: file, text }) => statementsOf(text, forms).map(each => ({ ...each, file })));
  const all = read.slice(0, MAX_READ).map(({ file, said: sentence, read: plain = "" }) => {
    const known = forms.boundAs(plain) ?? looked.find(each => each.file === file && each.sentence === sentence)?.as;
    const [as, checks] = [known ?? [], (known ?? []).flatMap(({ check }) => (check ? [`Bash(${check} *)`] : []))];
    return { file, sentence, as, tells: forms.one.tells.test(sentence), wanted: [...forms.demanded(plain), ...checks] };
  });
  const said = new Map(all.map(each => [placed(each), each]));
  // Of a file that could not be read nothing is known.
  const isRead = ({ file }: SentencePlace) => file !== "" && !files.some(each => each.path === file && each.problem);
  const bound = boundSentences(settings).map(each => ({ ...each, isStale: !said.has(placed(each)) && isRead(each) }));
  for (const each of bound) said.delete(placed(each));
  type Known = (typeof all)[number];
  const forbids = ({ as }: Known, { wanted }: Known) =>
    wanted.some(rule => as.some(({ deny }) => deny && wildcard(deny, rule)));
  const disagrees = (each: Known) => all.find(other => forbids(each, other) || forbids(other, each));
  const open = [...said.values()];
  return {
    bound,
    proposed: open.filter(({ as }) => as.length > 0).map(each => ({ ...each, against: disagrees(each) })),
    guidance: open.filter(({ as, tells }) => as.length === 0 && tells),
  };
}

export const entriesOf = ({ as }: BindingProposal): string[] =>
  as.flatMap(each => Object.entries(each).map(([kind, what]) => `${kind}: ${what}`));

/** Those that are bound, and those that could be: for people. */
export function bindingSections({ bound, proposed }: Bindings): [held: ReportSection, open: ReportSection] {
  const stale = (file: string) => t("{0} here does not say this, or not any more. It holds until you unbind it.", file);
  const unlike = ({ file, sentence }: SentencePlace) =>
    t("{0} says: “{1}”. They disagree, so nothing is bound.", file, sentence);
  const line = ({ sentence: label, ...each }: BindingProposal) => ({
    label,
    text: entriesOf({ ...each, sentence: label }).join("\n"),
  });
  const held = bound.map(each => ({
    ...{
      ...line(each),
      from: [each.file, each.place].filter(Boolean).join(" · "),
      warnings: each.isStale ? [stale(each.file)] : [],
    },
  }));
  const open = proposed.map(each => ({
    ...{ ...line(each), from: each.file, warnings: each.against ? [unlike(each.against)] : [] },
  }));
  return [
    { title: t("Sentences that bind"), lines: held },
    { title: t("Sentences that could bind"), lines: open },
  ];
}

/** For the model for small things, where the person asks for it. */
export const rulesQuestion = (sentences: readonly SentencePlace[]) => ({
  instruction: rulesPrompt,
  text: sentences
    .slice(0, MAX_ASKED)
    .map(({ sentence }, at) => `${at + 1}. ${oneLine(sanitizeText(sentence), 400)}`)
    .join("\n"),
});

/**
 * Proposals in its answer. A line of no such kind, or whose rule names nothing, is left out: one for every command
 * or file would hold up all work.
 */
export function readProposals(answer: string, asked: readonly SentencePlace[]): BindingProposal[] {
  const lines = answer
    .split(/\r\n|\r|\n/)
    .map(line => /^(\d{1,3})\. (deny|ask|check): (\S.{0,300})$/.exec(line.trim()) ?? []);
  return asked.slice(0, MAX_ASKED).flatMap(({ file, sentence }, at) => {
    const own = lines.filter(([, number]) => Number(number) === at + 1);
    const as = own.flatMap(([, , kind, what = ""]): BindingRule[] => {
      if (kind === "check") return new SentenceForms().checks(`\`${what}\``) ?? [];
      const [rule] = parseRules({ allow: [], ask: [], deny: [what] });
      const isNarrow = /^[\p{L}\p{N}._~/][^()]*[\p{L}\p{N}]/u.test(rule?.pattern ?? "");
      if (rule?.problem !== undefined || !isNarrow || !["Bash", "Edit", "Read"].includes(rule?.tool ?? "")) return [];
      return [kind === "deny" ? { deny: what } : { ask: what }];
    });
    return as.length > 0 ? [{ file, sentence, as }] : [];
  });
}
