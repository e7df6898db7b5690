/** "Strata: Show What You Said": which of what a person said the model still sees word for word; to pin, to bring back, and to take back. */
import * as vscode from "vscode";
import type { WordsInSight } from "../../core/ledger/sight";
import type { Session } from "../../core/session/session";
import { choose, inform } from "../platform/messages";
import { markItems, wordItems, wordsTitle } from "./wordItems";

/** Resolves when it was closed. */
export async function showWords({ words }: Session): Promise<void> {
  const all = await words.list();
  if (all.length === 0) return void inform("Nothing that you said has left the model's view.");
  const items = wordItems(all).map(item =>
    "words" in item ? item : { ...item, kind: vscode.QuickPickItemKind.Separator },
  );
  const chosen = await choose(items, {
    title: "What You Said",
    placeHolder: "Choose words, to pin them or to take them back",
    matchOnDetail: true,
  });
  if (chosen && "words" in chosen) await markWords(chosen.words, words);
}

async function markWords(said: WordsInSight, words: Session["words"]): Promise<void> {
  const chosen = await choose(markItems(said), {
    title: wordsTitle(said),
    placeHolder: "What becomes of these words?",
  });
  if (chosen) await words.mark(said, chosen.mark);
}
