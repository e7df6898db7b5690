/** "Strata: Show Your Words": which of what a person said the model still sees word for word; to pin, to bring back, and to take back. */
import { wordsReport } from "../../core/ledger/report";
import type { Session } from "../../core/session/session";
import { oneLine } from "../../core/text/format";
import { choose } from "../platform/messages";
import { chooseInReport } from "../platform/reports";

const marks = [
  {
    mark: "pinned",
    label: "$(pin) Pin",
    detail: "The model sees these words from the next request on, and no compaction takes them",
  },
  { mark: "struck", label: "$(circle-slash) Take back", detail: "The model is told that these words hold no more" },
  { mark: "none", label: "$(circle-outline) Neither", detail: "As it was when you said it" },
] as const;

const TITLE_CHARACTERS = 60;

/** Resolves when it was closed. */
export async function showWords({ words }: Session): Promise<void> {
  const report = wordsReport(await words.list());
  const said = await chooseInReport(report, "Choose words, to pin them or to take them back");
  if (!said) return;
  const items = marks.filter(({ mark }) => mark !== said.mark);
  const title = oneLine(said.text, TITLE_CHARACTERS);
  const chosen = await choose(items, { title, placeHolder: "What becomes of these words?" });
  if (chosen) await words.mark(said, chosen.mark);
}
