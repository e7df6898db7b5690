/** Compactions, for people: what one would do, and what one left out. Pure. */

import { compactionLine, compactionReasons, withSent } from "../../shared/compactionLine";
import { formatTokens } from "../../shared/format";
import type { LogRecord, RecordOf } from "../../shared/records";
import { wordsReport } from "../ledger/report";
import type { WordsInSight } from "../ledger/sight";
import { ledgerTexts } from "../ledger/text";
import { counted, isoMinutes, oneLine, toHandle } from "../text/format";
import type { Report, ReportLine, ReportSection } from "../text/report";
import type { ContextBudget } from "./budget";
import type { CompactionPreview, Fate } from "./preview";

const fateWords: Record<Fate, string> = {
  verbatim: "stays, as it is",
  kept: "stays",
  folded: "stays, observations become one line each",
  summarised: "is summarised",
  pinned: "stays, pinned",
};

/**
 * "Strata: Preview Compaction".
 * All tokens are in the provider's measure, as the meter's.
 */
export function previewReport(
  preview: CompactionPreview,
  { window, estimated }: Pick<ContextBudget, "window" | "estimated">,
): Report {
  const scale = estimated / Math.max(1, preview.tokens.before);
  const { before, after } = scaledTokens(preview.tokens, scale);
  const { unneeded, items } = preview;
  const share = (tokens: number) =>
    `${formatTokens(tokens)} (${Math.round((100 * tokens) / Math.max(1, window))} % of the window)`;
  const becomes = unneeded === undefined ? ` and would take ${share(after)} after it` : "";
  return {
    title: "What a compaction would do now",
    sections: [
      ...(unneeded === undefined ? [] : [{ title: "Nothing, for now", detail: unneeded, lines: [] }]),
      {
        title: `A request takes ${share(before)} now${becomes}.`,
        lines: items.length === 0 ? [] : previewLines(preview),
        ...(items.length > 0 && preview.warning !== undefined && { warnings: [preview.warning] }),
      },
      ...(items.length === 0 ? [] : [turnSection(preview, scale)]),
    ],
  };
}

const scaledTokens = ({ before, after }: CompactionPreview["tokens"], scale: number) => ({
  before: Math.round(before * scale),
  after: Math.round(after * scale),
});

function previewLines({ rounds: { summarised, kept, pinned }, folded }: CompactionPreview): ReportLine[] {
  const lines = [
    summarised === 0
      ? "No turn would be summarised."
      : `${counted(summarised, "turn")} would be summarised. Every message stays in the session's archive, where the model finds it with Recall, and Undo brings all of it back.`,
    `${counted(kept, "turn")} would stay${pinned > 0 ? `, and ${counted(pinned, "turn")} that you pinned` : ""}.`,
    folded.length > 0 &&
      `${counted(folded.length, "observation")} of what stays would become one line each, with a handle to the whole.`,
    "A turn that must stay word for word: pin it at its message in the panel.",
  ];
  return lines.flatMap(label => (label === false ? [] : [{ label }]));
}

function turnSection({ items: all, rounds }: CompactionPreview, scale: number): ReportSection {
  const items = all.map(item => ({ ...item, tokens: scaledTokens(item.tokens, scale) }));
  const sum = (key: "before" | "after") => items.reduce((tokens, item) => tokens + item.tokens[key], 0);
  const change = (before: number, after: number) => `${formatTokens(before)} → ${formatTokens(after)} tokens`;
  const more = rounds.summarised === 0 ? "" : "; with a summary, for which these have no room";
  return {
    title: `Turns: ${change(sum("before"), sum("after"))}${more}`,
    lines: items.map(({ turn, title, fate, tokens }) => ({
      label: `${turn}. ${oneLine(title, 80) || "(no words)"}`,
      from: change(tokens.before, tokens.after),
      detail: fateWords[fate],
    })),
  };
}

const WORDS = 600;

/**
 * "What was left out" of a compaction.
 * @param archivedRecords those of its archive, and what came after; of a missing archive none, which is said
 */
export function leftOutReport(
  record: RecordOf<"compaction">,
  archivedRecords: readonly LogRecord[],
  words: readonly WordsInSight[] = [],
): Report<WordsInSight> {
  const { guidance, failure, ledger = [], summaries } = record;
  const turns = removedTurns(record, archivedRecords);
  const texts = [...ledgerTexts(ledger).map(({ text }) => text), summaries.at(-1)?.text ?? "(no summary)"];
  const said = wordsReport(words);
  return {
    title: "What the compaction left out",
    sections: [
      {
        title: `${compactionLine(withSent(record, archivedRecords))}${failure ? "" : "."} ${isoMinutes(record.ts)}, ${compactionReasons[record.reason]}.`,
        detail:
          turns.length > 0
            ? "Nothing is lost: everything below is in the session's archive, and the model finds it with Recall, by words or by handle. Undo at the notice in the conversation puts it back into the model's view. Every turn made since stays."
            : `The archive ${record.archive} could not be read, or has none of these turns: what the model reads instead is all that is left of them here.`,
        lines: guidance === undefined ? [] : [{ label: "Your wish for the summary", detail: guidance }],
      },
      {
        title: "What you said in turns that left",
        detail: `${words.length === 0 ? `${said.lead} ` : ""}Show What You Said in the command palette pins words, and brings back what the model does not see.`,
        lines: [],
      },
      ...said.sections,
      { title: "What the model reads instead", text: texts.join("\n\n"), lines: [] },
      ...turns,
    ],
  };
}

function removedTurns({ removed }: RecordOf<"compaction">, records: readonly LogRecord[]): ReportSection[] {
  const gone = new Set(removed);
  const turns = new Map<number, ReportLine[]>();
  const of = (turn: number) => turns.get(turn) ?? turns.set(turn, []).get(turn) ?? [];
  // A record may stand twice: in an archive, and in the log again after an undo.
  const seen = new Set<string>();
  for (const record of records) {
    if (seen.has(record.id)) continue;
    seen.add(record.id);
    if (record.kind === "message" && gone.has(record.message.id))
      of(record.message.metadata.turn).push(...messageLines(record));
    if (record.kind === "result" && gone.has(record.messageId)) of(record.turn).push(callLine(record));
  }
  return [...turns].sort(([a], [b]) => a - b).map(([turn, lines]) => ({ title: `Turn ${turn}`, lines }));
}

function messageLines({ message }: RecordOf<"message">): ReportLine[] {
  const words = message.parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n");
  if (words.trim() === "" || message.metadata.kind === "notice") return [];
  const who = message.role === "user" ? "You" : "Strata";
  return [{ label: who, detail: oneLine(words, WORDS) }];
}

const callLine = ({ digest, raw }: RecordOf<"result">): ReportLine => ({
  label: oneLine(digest, 200),
  ...(raw && { from: toHandle(raw.sha256) }),
});
