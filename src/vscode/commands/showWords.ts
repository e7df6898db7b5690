/** "Strata: Show Your Words": which of what a person said the model still sees word for word; to pin, to bring back, and to take back. */
import * as vscode from "vscode";
import type { WordsInSight } from "../../core/ledger/sight";
import type { Session } from "../../core/session/session";
import { oneLine } from "../../core/text/format";
import { choose, inform } from "../platform/messages";

type Item = vscode.QuickPickItem & { words?: WordsInSight };

/** Those that the model does not see come first: they are what somebody looks for. */
const groups = [
  { sight: "none", title: "Not in the model's view" },
  { sight: "part", title: "In part in the model's view" },
  { sight: "whole", title: "In the model's view, word for word" },
] as const;

const CHARACTERS = 200;

/** Resolves when it was closed. */
export async function showWords({ words }: Session): Promise<void> {
  const all = await words.list();
  if (all.length === 0) return void inform("Nothing that you said has left the model's view.");
  const items = groups.flatMap(({ sight, title }): Item[] => {
    const own = all.filter(each => each.sight === sight);
    return own.length === 0 ? [] : [separator(`${title} (${own.length})`), ...own.map(wordsItem)];
  });
  const chosen = await choose(items, {
    title: "What You Said",
    placeHolder: "Choose words, to pin them or to take them back",
  });
  if (chosen?.words) await markWords(chosen.words, words);
}

const marks = [
  {
    mark: "pinned",
    label: "$(pin) Pin",
    detail: "The model sees these words from the next request on, and no compaction takes them",
  },
  { mark: "struck", label: "$(circle-slash) Take back", detail: "The model is told that these words hold no more" },
  { mark: "none", label: "$(circle-outline) Neither", detail: "As it was when you said it" },
] as const;

async function markWords(said: WordsInSight, words: Session["words"]): Promise<void> {
  const items = marks.filter(({ mark }) => mark !== said.mark);
  const chosen = await choose(items, {
    title: oneLine(said.text, CHARACTERS),
    placeHolder: "What becomes of these words?",
  });
  if (chosen) await words.mark(said, chosen.mark);
}

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });

function wordsItem(words: WordsInSight): Item {
  const { text, turn, asked, denied, mark } = words;
  const about = asked === undefined ? (denied === undefined ? "" : ` · denying ${denied}`) : " · an answer";
  return {
    label: `${{ pinned: "$(pinned) ", struck: "$(circle-slash) ", none: "" }[mark]}${oneLine(text, CHARACTERS)}`,
    description: `turn ${turn}${about}`,
    words,
  };
}
