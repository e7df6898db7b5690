/** "Strata: Show Your Words": which of what a person said the model still sees word for word; to pin, to bring back, and to take back. */
import { wordsReport } from "../../core/ledger/report";
import type { WordsInSight } from "../../core/ledger/sight";
import type { Session } from "../../core/session/session";
import { oneLine } from "../../core/text/format";
import { choose } from "../platform/messages";
import { chooseInReport } from "../platform/reports";

/** Resolves when it was closed. */
export async function showWords({ words }: Session): Promise<void> {
  const chosen = await chooseInReport(
    wordsReport(await words.list()),
    "Choose words, to pin them or to take them back",
  );
  if (chosen) await markWords(chosen, words);
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
    title: oneLine(said.text, 200),
    placeHolder: "What becomes of these words?",
  });
  if (chosen) await words.mark(said, chosen.mark);
}
