/** Which instructions stood in a request, for people. */
import type { PieceKind } from "../../shared/contextProtocol";
import { asSentence, dateTimeText, inARow } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import { oneLine } from "../ground/text/format";
import type { Report, ReportLine, ReportSection } from "../ground/text/report";
import { sourceRules, sourceSkill } from "../ground/text/sources";
import { type InView, isOwn, type UnsentRules, type ViewedRequest, type ViewPlace, type WhyNot } from "./inView";

/** of a line */
const CHARACTERS = 160;
const labelled = (label: string | false | undefined): ReportLine[] => (label ? [{ label }] : []);

/** @param sentence absent: nothing was looked for */
export function inViewReport(view: InView, sentence?: string): Report {
  const { request, places, said = [], isUnproven } = view;
  const sections: ReportSection[] = [
    sentence === undefined
      ? { title: t("Instructions in {0}", requestWords(request)), lines: [...places.map(placeLine), ...noRules(view)] }
      : {
          title: verdicts[view.form](view),
          from: requestWords(request),
          text: oneLine(sentence, 300),
          lines: lookedLines(view),
        },
    { title: t("Not sent"), lines: unsaid(view, sentence).flatMap(leftLine) },
    {
      title: t("What you said (+ whole, ~ in part, - not at all)"),
      lines: said.flatMap(({ turn, text, stands }) =>
        labelled(t("{0} turn {1}: {2}", marks[stands], turn, oneLine(text, CHARACTERS))),
      ),
    },
  ];
  return {
    title: t("Which Instructions Were in View"),
    ...(isUnproven && { lead: t("Not all of this session can be proven; strata verify says why.") }),
    sections: sections.filter(({ lines }, at) => at === 0 || lines.length > 0),
  };
}

/** Where it was looked for in vain, it may be in these; one that is why is named already. */
const unsaid = ({ form, left, why }: InView, sentence?: string): UnsentRules[] =>
  sentence === undefined ? left : form === "none" ? left.filter(({ source }) => source !== why?.source) : [];

const marks = { whole: "+", part: "~", no: "-" };

const verdicts: Record<InView["form"], (view: InView) => string> = {
  whole: ({ places }) => (places.some(isOwn) ? t("Yes, the model saw it, word for word.") : asData()),
  cut: () => t("No, it was cut."),
  folded: () => t("No, what had it was shortened."),
  handle: () => t("No, the model had only a handle that leads to it."),
  none: ({ places, isUnproven }) => {
    if (places.length > 0) return asData();
    return isUnproven ? t("Not found, but not all that was sent can be read.") : t("No, the model did not see it.");
  },
};
const asData = () => t("The model saw it, but not as an instruction.");

function lookedLines(view: InView): ReportLine[] {
  const { form, places, last, since, first, why, handle, isUnproven } = view;
  const never = form === "none" && !last && !first && !isUnproven;
  const facts = [
    last && t("Last in view: {0}.", requestWords(last)),
    since && t("First missing: {0}.", requestWords(since)),
    first && t("First in view: {0}.", requestWords(first)),
    why && t("Why: {0}", whys[why.kind](fileOf(why.source), why)),
    handle && t("Recall opens it: {0}.", handle),
    never && t("No request of this session had these words, in this order, as an instruction."),
  ];
  return [...places.map(placeLine), ...facts.flatMap(labelled), ...(never ? noRules(view) : [])];
}

const noRules = ({ hasNoRules }: InView): ReportLine[] =>
  labelled(hasNoRules && t("This request had no rules file of the workspace: they are read only where it is trusted."));

const requestWords = ({ number, turn, step, ts }: ViewedRequest): string =>
  t("request {0}, turn {1}, step {2}, {3}", number, turn, step, dateTimeText(ts));

function placeLine({ kind, name, segment, layer, tokens, line, source }: ViewPlace): ReportLine {
  const where =
    line === undefined
      ? t("segment {0}, layer {1}", segment, layer)
      : t("line {0} of segment {1}, layer {2}", line, segment, layer);
  const detail = inARow([where, plural(tokens, "1 token", "{0} tokens")]);
  const shown = oneLine(name, CHARACTERS);
  return { label: labels[kind]?.(shown) ?? (shown || source), detail, from: source };
}

/** As the view of the context has them; of others the name says it. */
const labels: { readonly [Kind in PieceKind]?: (name: string) => string } = {
  ledger: () => t("Your words from earlier turns"),
  summary: () => t("Summary"),
  skills: () => t("Names of skills"),
  skill: name => t("Skill {0}", name),
  you: name => t("You: {0}", name),
  answer: name => t("Answer: {0}", name),
};

const fileOf = (source: string): string => sourceRules(source) ?? sourceSkill(source) ?? source;

const whys: Record<WhyNot["kind"], (file: string, why: { line?: number; text?: string | undefined }) => string> = {
  size: (file, { line }) =>
    `${t("{0} is too long: only its beginning is sent.", file)}${line ? ` ${t("These words begin in its line {0}.", line)}` : ""}`,
  same: (file, { text = "" }) => t("{0} says the same as {1}, which is sent.", file, fileOf(text)),
  withheld: (file, { text = "" }) => t("{0} was left out. {1}", file, asSentence(text)),
  import: (file, { text = "" }) => t("{0} is imported, and was not read. {1}", file, asSentence(text)),
  changed: file => t("{0} changed and no longer has these words.", file),
  gone: file => t("{0} was no longer sent: removed, moved, emptied, no longer imported, or not trusted.", file),
  ended: () => t("The plan ended."),
  compaction: () => t("A compaction took it."),
  folded: () => t("Older results are sent as one line."),
  short: () => t("Its turn ended: what older turns did is sent in short form."),
  break: () => t("You went to another place of the conversation, or its log was repaired."),
  later: file =>
    file.startsWith("message:")
      ? t("It was said only then.")
      : t("{0} was written, loaded, or reached by a read below its folder only then.", file),
};

const leftLine = ({ source, why, text }: UnsentRules): ReportLine[] => labelled(whys[why](fileOf(source), { text }));
