/** Which instructions stood in a request, for people. */

import type { PieceKind } from "../../shared/contextProtocol";
import { defined } from "../../shared/defined";
import { asSentence, dateTimeText } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import { oneLine } from "../ground/text/format";
import type { Report, ReportLine, ReportSection } from "../ground/text/report";
import { sourceRules, sourceSkill } from "../ground/text/sources";
import type { InView, LeftOutOfView, RequestPlace, ViewPlace, WhyNot } from "./inView";

/** of a line */
const CHARACTERS = 160;

/** @param sentence what was looked for; absent: nothing */
export function inViewReport(view: InView, sentence?: string): Report {
  const { request, model, notes, left } = view;
  const about: ReportSection = {
    title: `${placeWords(request)} · ${model}`,
    lines: notes.map(label => ({ label })),
  };
  const title = t("Which Instructions Were in View");
  const more: ReportSection[] = left.length === 0 ? [] : [{ title: t("Not sent"), lines: left.map(leftLine) }];
  if (sentence !== undefined) return { title, sections: [about, verdict(view, sentence), ...more] };
  const listed = (heading: string, ...kinds: PieceKind[]): ReportSection[] => {
    const lines = view.places.filter(({ kind }) => kinds.includes(kind)).map(placeLine);
    return lines.length === 0 ? [] : [{ title: heading, lines }];
  };
  const said = view.said.map(({ turn, text, form }) => ({
    label: t("turn {0}: {1}", turn, oneLine(text, CHARACTERS)),
    detail: forms[form](),
  }));
  const sections = [
    ...[about, ...listed(t("Rules files"), "rules"), ...listed(t("Skills and prompts"), "skill", "instructions")],
    ...[...listed(t("Plan"), "plan"), ...listed(t("Your messages"), "you", "ledger"), ...more],
    ...(said.length > 0 ? [{ title: t("What you said before, whose messages left"), lines: said }] : []),
  ];
  const none = { title: t("No rules, skills, plan or words of yours stood in it."), lines: [] };
  return { title, sections: sections.length > 1 ? sections : [about, none] };
}

const forms: Record<InView["form"], () => string> = {
  whole: () => t("whole"),
  cut: () => t("cut"),
  folded: () => t("shortened"),
  handle: () => t("by handle only"),
  none: () => t("not at all"),
};

function verdict(view: InView, sentence: string): ReportSection {
  const { form, places, last, since, first, why, handle } = view;
  const [place] = places;
  const isData =
    place !== undefined &&
    form === "whole" &&
    ["result", "answer", "summary", "attachment", "tail", "reminder"].includes(place.kind);
  const heading: Record<InView["form"], () => string> = {
    whole: () =>
      isData ? t("It stood there as data, not as an instruction.") : t("Yes, it stood there word for word."),
    cut: () => t("No, it was cut."),
    folded: () =>
      handle ? t("No, what had it was shortened; {0} leads to it.", handle) : t("No, what had it was shortened."),
    handle: () => t("No, only {0} stood there, which leads to it.", handle ?? ""),
    none: () => t("No, it did not stand there."),
  };
  const lines: (ReportLine | false | undefined)[] = [
    ...places.map(placeLine),
    last && { label: t("It stood there last in {0}.", placeWords(last)) },
    since && { label: t("It did not since {0}.", placeWords(since)) },
    first && { label: t("It stood there first in {0}.", placeWords(first)) },
    why && { label: t("Why: {0}", whyWords(why, view)) },
    form === "none" && !last && !first && { label: t("No request of this session had it as an instruction.") },
  ];
  return {
    title: heading[form](),
    text: oneLine(sentence, 300),
    lines: lines.filter(line => line !== false && line !== undefined),
  };
}

const placeWords = ({ number, turn, step, ts }: RequestPlace): string =>
  t("request {0} (turn {1}, step {2}, {3})", number, turn, step, dateTimeText(ts));

function placeLine(place: ViewPlace): ReportLine {
  const { segment, of, layer, source, tokens, line, form } = place;
  const where = [
    line === undefined ? forms[form]() : undefined,
    line !== undefined && t("line {0}", line),
    t("segment {0} of {1}", segment, of),
    layer,
    plural(tokens, "1 token", "{0} tokens"),
  ];
  return { label: nameOf(place), detail: where.filter(Boolean).join(" · "), from: source };
}

const names: Partial<Record<PieceKind, (name: string) => string>> = {
  skill: name => t("Skill {0}", name),
  plan: () => t("The plan"),
  you: name => t("You: {0}", name),
  ledger: () => t("Your earlier words, as Strata keeps them"),
  skills: () => t("The list of skills"),
  prompt: () => t("Strata's own instructions"),
  answer: name => t("The model: {0}", name),
  result: name => t("What a call gave back: {0}", name),
  summary: () => t("A summary"),
  tail: name => t("The reminder at the end: {0}", name),
};

const nameOf = ({ kind, name }: Pick<ViewPlace, "kind" | "name">): string =>
  names[kind]?.(oneLine(name, CHARACTERS)) ?? name;

const fileOf = (source: string): string => sourceRules(source) ?? sourceSkill(source) ?? source;

function whyWords(why: WhyNot, { places, first }: InView): string {
  const file = fileOf(why.source);
  switch (why.kind) {
    case "size":
      return t("It is line {1} of {0}, which is too long: only the beginning is sent.", file, why.line);
    case "changed":
      return t("{0} changed: what was sent of it from then on has these words no more.", file);
    case "gone":
      return t("{0} was no longer among the rules: removed, moved, emptied, or no longer imported.", file);
    case "withheld":
      return t("{0} was not obeyed. {1}", file, asSentence(why.reason));
    case "import":
      return t("{0} is imported, and was not read. {1}", file, asSentence(why.reason));
    case "compaction":
      return t("A compaction took it, in turn {0} ({1}).", why.turn, dateTimeText(why.ts));
    case "folded":
      return t("Old results of a long turn are sent as one line.");
    case "short":
      return t("Its turn ended: what older turns did is sent in short form.");
    case "ended":
      return t("The plan ended.");
    case "later":
      return places.length === 0 && first && why.source.startsWith("message:")
        ? t("It came later: it was said, loaded, or came with the first read below its folder.")
        : t("It came later: {0} did not have it yet.", file);
    case "break":
      return why.cause === "rewind" || why.cause === "branch"
        ? t("You went to another place of the conversation.")
        : t("The conversation changed: {0}.", why.cause ?? t("the log does not say how"));
  }
}

function leftLine({ source, why, text = "" }: LeftOutOfView): ReportLine {
  const words = {
    size: () => t("Only its beginning is sent: it is too long."),
    import: () => t("Imported, and not read. {0}", text),
    same: () => t("It says the same as {0}, which is sent.", fileOf(text)),
    withheld: () => t("Not obeyed. {0}", text),
  };
  return { label: fileOf(source), ...defined({ detail: words[why]() }) };
}
