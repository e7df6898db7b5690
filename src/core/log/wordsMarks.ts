/**
 * Words of theirs that a person pinned, which never leave the ledger, or took back, which stand there struck out. What the model does
 * not know of it is told with its next request.
 */
import type { MarkedWords } from "../../shared/compaction";
import { defined } from "../../shared/defined";
import { wordsKey } from "../../shared/ledger";
import type { RecordOf } from "../../shared/records";
import { oneLine } from "../ground/text/format";
import { othersWording } from "../ground/text/wording";
import type { Conversation } from "./conversation";

export function applyWordsMark(conversation: Conversation, record: RecordOf<"wordsMark">): void {
  const { recordId, turn, asked, chosen, denied, text, mark, isUntold, seq } = record;
  const { wordsMarks } = conversation;
  const key = wordsKey(record);
  wordsMarks.delete(key);
  if (mark === "none") return;
  const said = { recordId, turn, ...defined({ asked, chosen, denied }) };
  wordsMarks.set(key, { ...said, text, mark, seq, ...defined({ isUntold }) });
}

/** source of what is injected of them */
export const WORDS_MARKS = "wordsMarks";
const CHARACTERS = 4_000;
const ASKED_CHARACTERS = 120;

const heads: Record<MarkedWords["mark"], string> = {
  pinned: "The user brings back what they said before, and which holds:",
  struck: "The user takes back what they said before. It holds no more:",
};

/** What the model has to hear before its next request; undefined: it sees all. For `Inject.injectSystemOnce`. */
export function wordsMarkNews({
  wordsMarks,
}: Conversation): { text: string; fingerprint: string; source: string } | undefined {
  const untold = [...wordsMarks.values()].filter(({ isUntold }) => isUntold);
  if (untold.length === 0) return undefined;
  const parts = (["pinned", "struck"] as const).flatMap(mark => {
    const lines = untold.filter(each => each.mark === mark).map(markedLine);
    return lines.length === 0 ? [] : [heads[mark], ...lines];
  });
  const newest = Math.max(...untold.map(({ seq }) => seq));
  return { text: parts.join("\n"), fingerprint: `${WORDS_MARKS}:${newest}`, source: WORDS_MARKS };
}

/** An option that was chosen is the model's wording. */
function markedLine({ turn, asked, chosen, text }: MarkedWords): string {
  const about = asked === undefined ? "" : `, to your question ${othersWording(asked, ASKED_CHARACTERS)}`;
  return chosen
    ? `- turn ${turn}${about}: that they chose your option ${othersWording(text, CHARACTERS)}`
    : `- turn ${turn}${about}: “${oneLine(text, CHARACTERS)}”`;
}

/** What it was told is known from here on. */
export function markWordsMarksTold({ wordsMarks }: Conversation, { source, fingerprint }: RecordOf<"inject">): void {
  if (source !== WORDS_MARKS) return;
  const upTo = Number(fingerprint.slice(WORDS_MARKS.length + 1));
  for (const [key, { isUntold: _, ...marked }] of wordsMarks) if (marked.seq <= upTo) wordsMarks.set(key, marked);
}
