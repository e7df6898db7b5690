/** Words of theirs that a person pinned: they never leave the ledger, and where the model does not see them it is told once more. */
import type { PinnedWords } from "../../shared/compaction";
import type { RecordOf } from "../../shared/records";
import { oneLine } from "../text/format";
import type { Conversation } from "./conversation";

export function applyWordsPin(conversation: Conversation, record: RecordOf<"wordsPin">): void {
  const { recordId, turn, asked, denied, text, pinned, isUnseen, seq } = record;
  const { wordsPins } = conversation;
  wordsPins.delete(recordId);
  if (!pinned) return;
  const said = { recordId, turn, ...(asked !== undefined && { asked }), ...(denied !== undefined && { denied }) };
  wordsPins.set(recordId, { ...said, text, seq, ...(isUnseen && { isUntold: true as const }) });
}

/** source of what is injected of them */
export const WORDS_PINS = "wordsPins";
const CHARACTERS = 4_000;

/** What the model has to hear before its next request; undefined: it sees all. For `Inject.injectSystemOnce`. */
export function wordsPinNews({
  wordsPins,
}: Pick<Conversation, "wordsPins">): { text: string; fingerprint: string; source: string } | undefined {
  const untold = [...wordsPins.values()].filter(({ isUntold }) => isUntold);
  if (untold.length === 0) return undefined;
  const lines = untold.map(({ turn, text }) => `- turn ${turn}: “${oneLine(text, CHARACTERS)}”`);
  return {
    text: ["The user brings back what they said before, and which holds:", ...lines].join("\n"),
    fingerprint: `${WORDS_PINS}:${Math.max(...untold.map(({ seq }) => seq))}`,
    source: WORDS_PINS,
  };
}

/** What it was told is known from here on. */
export function markWordsPinsTold({ wordsPins }: Conversation, { source, fingerprint }: RecordOf<"inject">): void {
  if (source !== WORDS_PINS) return;
  const upTo = Number(fingerprint.slice(WORDS_PINS.length + 1));
  for (const [id, { isUntold: _, ...pin }] of wordsPins)
    if (pin.seq <= upTo) wordsPins.set(id, pin satisfies PinnedWords);
}
