/** What a person said in turns that left, for that person, who looks for what the model does not see: it comes first. */
import { counted, oneLine } from "../text/format";
import type { Report, ReportLine } from "../text/report";
import type { WordsInSight } from "./sight";

const sights = [
  { sight: "none", title: "Not in the model's view" },
  { sight: "part", title: "In part in the model's view" },
  { sight: "whole", title: "In the model's view, word for word" },
] as const;

/** A list cuts a line where it ends; what is longer no search looks through either. */
const CHARACTERS = 200;
const ASKED_CHARACTERS = 80;

/** Words of each group: oldest first. */
export const wordsReport = (all: readonly WordsInSight[]): Report<WordsInSight> => ({
  title: "What You Said",
  lead: "Nothing that you said has left the model's view.",
  sections: sights.flatMap(({ sight, title }) => {
    const own = all.filter(each => each.sight === sight);
    return own.length === 0 ? [] : [{ title: `${title} (${own.length})`, lines: own.map(wordsLine) }];
  }),
});

function wordsLine(words: WordsInSight): ReportLine<WordsInSight> {
  const { text, turn, asked, chosen, denied, mark } = words;
  const lines = text.trim().split("\n").length;
  const facts = [
    `turn ${turn}`,
    asked !== undefined && (chosen ? "an option that you chose" : "an answer"),
    denied !== undefined && `denying ${denied}`,
    { none: false, pinned: "pinned", struck: "taken back" }[mark],
    lines > 1 && counted(lines, "line"),
  ];
  return {
    label: oneLine(text, CHARACTERS),
    from: facts.filter(Boolean).join(" · "),
    ...(asked !== undefined && { detail: `It was asked: ${oneLine(asked, ASKED_CHARACTERS)}` }),
    action: words,
  };
}
