/** The lists of "Strata: Show What You Said". Pure. */
import type { WordsInSight } from "../../core/ledger/sight";
import { counted, oneLine } from "../../core/text/format";

/** Those that the model does not see come first: they are what somebody looks for. */
const groups = [
  { sight: "none", title: "Not in the model's view" },
  { sight: "part", title: "In part in the model's view" },
  { sight: "whole", title: "In the model's view, word for word" },
] as const;

/** VS Code cuts a line where it ends; what is longer no search looks through either. */
const CHARACTERS = 200;
const TITLE_CHARACTERS = 60;
const ASKED_CHARACTERS = 80;

const icons = { pinned: "$(pinned) ", struck: "$(circle-slash) ", none: "" };

type WordItem = { label: string; description: string; detail?: string; words: WordsInSight } | { label: string };

/** A line above each group, then its words, oldest first. */
export function wordItems(all: readonly WordsInSight[]): WordItem[] {
  return groups.flatMap(({ sight, title }): WordItem[] => {
    const own = all.filter(each => each.sight === sight);
    return own.length === 0 ? [] : [{ label: `${title} (${own.length})` }, ...own.map(wordItem)];
  });
}

function wordItem(words: WordsInSight): WordItem {
  const { text, turn, asked, mark } = words;
  return {
    label: `${icons[mark]}${plainIcons(oneLine(text, CHARACTERS))}`,
    description: [`turn ${turn}`, ...aboutOf(words), ...linesOf(text)].join(" · "),
    ...(asked !== undefined && { detail: `It was asked: ${plainIcons(oneLine(asked, ASKED_CHARACTERS))}` }),
    words,
  };
}

function aboutOf({ asked, chosen, denied, mark }: WordsInSight): string[] {
  const kind = chosen ? "an option that you chose" : asked !== undefined ? "an answer" : undefined;
  return [
    ...(kind === undefined ? [] : [kind]),
    ...(denied === undefined ? [] : [`denying ${denied}`]),
    ...(mark === "none" ? [] : [mark === "pinned" ? "pinned" : "taken back"]),
  ];
}

/** What one line does not show. */
function linesOf(text: string): string[] {
  const many = text.trim().split("\n").length;
  return many < 2 ? [] : [counted(many, "line")];
}

/** Nobody's words are an icon of VS Code's. */
const plainIcons = (text: string): string => text.replaceAll("$(", "$ (");

export const wordsTitle = ({ text }: WordsInSight): string => oneLine(text, TITLE_CHARACTERS);

const marks = [
  {
    mark: "pinned",
    label: "$(pin) Pin",
    detail: "The model sees these words from the next request on, and no compaction takes them",
  },
  { mark: "struck", label: "$(circle-slash) Take back", detail: "The model is told that these words hold no more" },
  { mark: "none", label: "$(circle-outline) Neither", detail: "As it was when you said it" },
] as const;

/** What may become of words: all but what they are. */
export const markItems = ({ mark: is }: WordsInSight): readonly (typeof marks)[number][] =>
  marks.filter(({ mark }) => mark !== is);
