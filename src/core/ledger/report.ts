/** What a person said in turns that left, for that person: what the model does not see comes first, since it is looked for. */
import { oneLine } from "../text/format";
import type { Report, ReportLine } from "../text/report";
import type { WordsInSight } from "./sight";

const sights = {
  none: "not in the model's view",
  part: "in part in the model's view",
  whole: "still in the model's view, word for word",
};

const CHARACTERS = 300;

export function wordsReport(words: readonly WordsInSight[]): Report<WordsInSight> {
  const sections = (["none", "part", "whole"] as const).map(sight => {
    const lines = words.filter(each => each.sight === sight).map(wordsLine);
    return { title: `${lines.length} ${sights[sight]}`, lines };
  });
  return {
    title: "What You Said",
    lead: "Nothing that you said has left the model's view.",
    sections: sections.filter(({ lines }) => lines.length > 0),
  };
}

const marks: Record<WordsInSight["mark"], string> = { pinned: ", pinned", struck: ", taken back", none: "" };

function wordsLine(words: WordsInSight): ReportLine<WordsInSight> {
  const { text, turn, asked, denied, mark } = words;
  const about = asked !== undefined ? ", an answer" : denied === undefined ? "" : `, denying ${denied}`;
  return { label: oneLine(text, CHARACTERS), from: `turn ${turn}${marks[mark]}${about}`, action: words };
}
