/** Which instructions stood in a request, for people. */
import type { PieceKind } from "../../shared/contextProtocol";
import { defined } from "../../shared/defined";
import { asSentence, dateTimeText, inARow } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import { oneLine } from "../ground/text/format";
import type { Report, ReportLine, ReportSection } from "../ground/text/report";
import { sourceRules, sourceSkill } from "../ground/text/sources";
import { type InView, isOwn, type NotSent, type RequestPlace, type ViewPlace, type WhyNot } from "./inView";

/** of a line */
const CHARACTERS = 160;

/** @param sentence absent: nothing was looked for */
export function inViewReport(view: InView, sentence?: string): Report {
  const { request, places, left, said = [], notes } = view;
  const labelled = (label: string): ReportLine => ({ label });
  const whole = said.filter(({ stands }) => stands === "whole").length;
  const sections: ReportSection[] = [
    sentence === undefined
      ? { title: t("What stood in {0}", requestWords(request)), lines: places.map(placeLine) }
      : { title: verdict(view), from: requestWords(request), text: oneLine(sentence, 300), lines: lookedLines(view) },
    { title: t("Not sent"), lines: left.map(leftLine) },
    {
      title: plural(
        said.length,
        "Of 1 thing that you said it had {1} word for word (+ whole, ~ in part, - not at all)",
        "Of {0} things that you said it had {1} word for word (+ whole, ~ in part, - not at all)",
        whole,
      ),
      lines: said.map(({ turn, text, stands }) =>
        labelled(t("{0} turn {1}: {2}", marks[stands], turn, oneLine(text, CHARACTERS))),
      ),
    },
    { title: t("What cannot be said for certain"), lines: notes.map(labelled) },
  ];
  return {
    title: t("Which Instructions Were in View"),
    sections: sections.filter(({ lines }, at) => at === 0 || lines.length > 0),
  };
}

const marks = { whole: "+", part: "~", no: "-" };

function verdict({ form, places, handle = "" }: InView): string {
  switch (form) {
    case "whole":
      return places.some(isOwn)
        ? t("Yes, it stood there word for word.")
        : t("It stood there only in what calls gave back, or the model wrote.");
    case "cut":
      return t("No, it was cut.");
    case "folded":
      return handle
        ? t("No, what had it was shortened; {0} leads to it.", handle)
        : t("No, what had it was shortened.");
    case "handle":
      return t("No, only {0} stood there, which leads to it.", handle);
    case "none":
      return t("No, it did not stand there.");
  }
}

function lookedLines({ form, places, last, since, first, why }: InView): ReportLine[] {
  const facts = [
    last && t("It stood there last in {0}.", requestWords(last)),
    since && t("It was missing first in {0}.", requestWords(since)),
    first && t("It stood there first in {0}.", requestWords(first)),
    why && t("Why: {0}", whyWords(why)),
    form === "none" && !last && !first && t("No request of this session had it as an instruction."),
  ];
  return [...places.map(placeLine), ...facts.flatMap(label => (label ? [{ label }] : []))];
}

const requestWords = ({ number, turn, step, ts }: RequestPlace): string =>
  t("request {0} (turn {1}, step {2}, {3})", number, turn, step, dateTimeText(ts));

const names: Partial<Record<PieceKind, (name: string) => string>> = {
  skill: name => t("Skill {0}", name),
  plan: () => t("Plan"),
  you: name => t("You: {0}", name),
  ledger: () => t("Your earlier words"),
  skills: () => t("The list of skills"),
  prompt: () => t("Strata's own instructions"),
  answer: name => t("The model: {0}", name),
  result: name => t("Result of a call: {0}", name),
  summary: () => t("A summary"),
};

function placeLine({ kind, name, segment, layer, tokens, line, source }: ViewPlace): ReportLine {
  const label = names[kind]?.(oneLine(name, CHARACTERS)) ?? name;
  const where = [t("segment {0}, layer {1}", segment, layer), plural(tokens, "1 token", "{0} tokens")];
  return { label, detail: inARow(line === undefined ? where : [t("line {0}", line), ...where]), from: source };
}

const fileOf = (source: string): string => sourceRules(source) ?? sourceSkill(source) ?? source;

const whys: Record<WhyNot["kind"], (file: string, why: WhyNot) => string> = {
  size: (file, { line = 0 }) => t("It is line {1} of {0}, which is too long: only the beginning is sent.", file, line),
  changed: file => t("{0} changed, and has these words no more.", file),
  gone: file => t("{0} was there no more: removed, moved, empty, imported no longer, or not trusted.", file),
  withheld: (file, { text = "" }) => t("{0} was not obeyed. {1}", file, asSentence(text)),
  import: (file, { text = "" }) => t("{0} is imported, and was not read. {1}", file, asSentence(text)),
  ended: () => t("The plan ended."),
  compaction: () => t("A compaction took it."),
  folded: () => t("Old results of a long turn are sent as one line."),
  short: () => t("Its turn ended: what older turns did is sent in short form."),
  break: (_, { text }) =>
    text === "rewind" || text === "branch"
      ? t("You went to another place of the conversation.")
      : t("The request was made otherwise: {0}.", text ?? t("the log does not say how")),
  later: () => t("It was written, said, loaded or read only then."),
};

const whyWords = (why: WhyNot): string => whys[why.kind](fileOf(why.source), why);

function leftLine({ source, why, text = "" }: NotSent): ReportLine {
  const detail = {
    size: () => t("Only its beginning is sent: it is too long."),
    same: () => t("It says the same as {0}, which is sent.", fileOf(text)),
    withheld: () => t("Not obeyed. {0}", text),
    import: () => t("Imported, and not read. {0}", text),
  }[why]();
  return { label: fileOf(source), ...defined({ detail }) };
}
