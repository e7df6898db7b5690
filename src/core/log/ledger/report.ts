/** What a person said in turns that left, for that person, who looks for what the model does not see: it comes first. */
import { plural, t } from "../../../shared/l10n";
import { oneLine } from "../../ground/text/format";
import type { Report, ReportLine } from "../../ground/text/report";
import type { WordsInSight } from "./sight";

const sights = () =>
  [
    { sight: "none", title: t("Not in the model's view") },
    { sight: "part", title: t("In part in the model's view") },
    { sight: "whole", title: t("In the model's view, word for word") },
  ] as const;

/** A list cuts a line where it ends; what is longer no search looks through either. */
const CHARACTERS = 200;
const ASKED_CHARACTERS = 80;

/** Words of each group: oldest first. */
export const wordsReport = (all: readonly WordsInSight[]): Report<WordsInSight> => ({
  title: t("What You Said"),
  lead: t("Nothing that you said has left the model's view."),
  sections: sights().flatMap(({ sight, title }) => {
    const own = all.filter(each => each.sight === sight);
    return own.length === 0 ? [] : [{ title: t("{0} ({1})", title, own.length), lines: own.map(wordsLine) }];
  }),
});

function wordsLine(words: WordsInSight): ReportLine<WordsInSight> {
  const { text, turn, asked, chosen, denied, mark } = words;
  const lines = text.trim().split("\n").length;
  const facts = [
    t("turn {0}", turn),
    asked !== undefined && (chosen ? t("an option that you chose") : t("an answer")),
    denied !== undefined && t("denying {0}", denied),
    { none: false, pinned: t("pinned"), struck: t("taken back") }[mark],
    lines > 1 && plural(lines, "1 line", "{0} lines"),
  ];
  return {
    label: oneLine(text, CHARACTERS),
    from: facts.filter(Boolean).join(" · "),
    ...(asked !== undefined && { detail: t("It was asked: {0}", oneLine(asked, ASKED_CHARACTERS)) }),
    action: words,
  };
}
