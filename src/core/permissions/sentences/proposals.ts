/** Which sentences of rules files are bound, could be, or are guidance that no rule holds. Nothing binds by itself. (docs/permissions.md) */
import rulesPrompt from "../../../../prompts/rules.md";
import { t } from "../../../shared/l10n";
import type { RuleFile, SettingsSource } from "../../ground/ports";
import { oneLine, sanitizeText } from "../../ground/text/format";
import type { ReportSection } from "../../ground/text/report";
import { type BoundSentence, boundSentences, type Held, type SentencePlace } from "../bindings";
import { parseRules, wildcard } from "../rules";
import { SentenceForms } from "./forms";

export interface BindingProposal extends SentencePlace {
  as: Held;
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
  const read = files.flatMap(({ path: file, text }) => forms.statements(text).map(each => ({ ...each, file })));
  const all = [...new Map(read.slice(0, MAX_READ).map(each => [placed(each), each]))].map(([key, each]) => {
    const as = each.as ?? looked.find(one => placed(one) === key)?.as;
    const checks = (as?.check ?? []).map(command => `Bash(${command} *)`);
    return { ...each, key, as, wanted: [...each.wanted, ...checks] };
  });
  const said = new Set(all.map(({ key }) => key));
  // Of a file that could not be read nothing is known.
  const isRead = ({ file }: SentencePlace) => file !== "" && !files.some(each => each.path === file && each.problem);
  const bound = boundSentences(settings).map(each => ({ ...each, isStale: !said.has(placed(each)) && isRead(each) }));
  const open = all.filter(({ key }) => !bound.some(each => placed(each) === key));
  type Known = (typeof all)[number];
  const forbids = ({ as }: Known, { wanted }: Known) =>
    wanted.some(rule => as?.deny?.some(each => wildcard(each, rule)));
  const against = (each: Known) => all.find(other => forbids(each, other) || forbids(other, each));
  return {
    bound,
    proposed: open.flatMap(each => (each.as ? [{ ...each, as: each.as, against: against(each) }] : [])),
    guidance: open.filter(({ as, tells }) => !as && tells),
  };
}

export const rulesOf = ({ as }: BindingProposal): string[] =>
  Object.entries(as).flatMap(([kind, all = []]) => all.map(each => `${kind}: ${each}`));

/** Those that are bound, and those that could be: for people. */
export function bindingSections({ bound, proposed }: Bindings): [held: ReportSection, open: ReportSection] {
  const line = (each: BindingProposal, from: string, ...warnings: string[]) => ({
    ...{ label: each.sentence, text: rulesOf(each).join("\n"), from, warnings },
  });
  const stale = (file: string) => t("{0} here does not say this, or not any more. It holds until you unbind it.", file);
  const unlike = ({ file, sentence }: SentencePlace) =>
    t("{0} says: “{1}”. They disagree, so nothing is bound.", file, sentence);
  const held = bound.map(each =>
    line(each, [each.file, each.place].filter(Boolean).join(" · "), ...(each.isStale ? [stale(each.file)] : [])),
  );
  const open = proposed.map(each => line(each, each.file, ...(each.against ? [unlike(each.against)] : [])));
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
  const forms = new SentenceForms();
  const isHeld = (kind: string, what: string) => {
    if (kind === "check") return forms.checks(`\`${what}\``) !== undefined;
    const [rule] = parseRules({ allow: [], ask: [], deny: [what] });
    const isNarrow = /^[\p{L}\p{N}._~/][^()]*[\p{L}\p{N}]/u.test(rule?.pattern ?? "");
    return rule?.problem === undefined && isNarrow && ["Bash", "Edit", "Read"].includes(rule?.tool ?? "");
  };
  const lines = answer.split(/\r\n|\r|\n/).flatMap(line => {
    const [, at, kind = "", what = ""] = /^(\d{1,3})\. (deny|ask|check): (\S.{0,300})$/.exec(line.trim()) ?? [];
    return isHeld(kind, what) ? [{ at: Number(at) - 1, kind, what }] : [];
  });
  return asked.slice(0, MAX_ASKED).flatMap(({ file, sentence }, at) => {
    const own = Map.groupBy(
      lines.filter(each => each.at === at),
      each => each.kind,
    );
    const as: Held = Object.fromEntries([...own].map(([kind, all]) => [kind, all.map(({ what }) => what)]));
    return own.size > 0 ? [{ file, sentence, as }] : [];
  });
}
