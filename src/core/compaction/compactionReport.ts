/** Compactions in Markdown, for people: what one would do, and what one left out. Pure. */

import { compactionLine, compactionReasons, withSent } from "../../shared/compactionLine";
import { fenced } from "../../shared/fences";
import { formatTokens } from "../../shared/format";
import type { LogRecord, RecordOf } from "../../shared/records";
import type { WordsInSight } from "../ledger/sight";
import { ledgerTexts } from "../ledger/text";
import { counted, isoMinutes, oneLine, toHandle } from "../text/format";
import type { ContextUse } from "./budget";
import type { CompactionPlan, Fate } from "./plan";

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
export function planReport(
  plan: CompactionPlan,
  { window, estimated }: Pick<ContextUse, "window" | "estimated">,
): string {
  const scale = estimated / Math.max(1, plan.tokens.before);
  const { before, after } = scaledTokens(plan.tokens, scale);
  const nothing = plan.unneeded !== undefined;
  const share = (tokens: number) =>
    `${formatTokens(tokens)} (${Math.round((100 * tokens) / Math.max(1, window))} % of the window)`;
  return [
    "# What a compaction would do now",
    "",
    ...(nothing ? [`**Nothing, for now.** ${plan.unneeded}`, ""] : []),
    `A request takes ${share(before)} now${nothing ? "" : ` and would take ${share(after)} after it`}.`,
    "",
    ...(plan.items.length === 0 ? [] : planTurnLines(plan, scale)),
  ].join("\n");
}

const scaledTokens = ({ before, after }: CompactionPlan["tokens"], scale: number) => ({
  before: Math.round(before * scale),
  after: Math.round(after * scale),
});

function planTurnLines(plan: CompactionPlan, scale: number): string[] {
  const { rounds, folded, warning } = plan;
  const { summarised, kept, pinned } = rounds;
  const items = plan.items.map(item => ({ ...item, tokens: scaledTokens(item.tokens, scale) }));
  const sum = (key: "before" | "after") => items.reduce((tokens, item) => tokens + item.tokens[key], 0);
  return [
    summarised === 0
      ? "- No turn would be summarised."
      : `- ${counted(summarised, "turn")} would be summarised. Every message stays in the session's archive, where the model finds it with Recall, and Undo brings all of it back.`,
    `- ${counted(kept, "turn")} would stay${pinned > 0 ? `, and ${counted(pinned, "turn")} that you pinned` : ""}.`,
    ...(folded.length > 0
      ? [
          `- ${counted(folded.length, "observation")} of what stays would become one line each, with a handle to the whole.`,
        ]
      : []),
    ...(warning === undefined ? [] : [`- **Note:** ${warning}`]),
    "- A turn that must stay word for word: pin it at its message in the panel.",
    "",
    "| Turn | Round | What happens | Tokens now | Tokens after |",
    "| ---: | --- | --- | ---: | ---: |",
    ...items.map(
      ({ turn, title, fate, tokens }) =>
        `| ${turn} | ${cell(title)} | ${fateWords[fate]} | ${formatTokens(tokens.before)} | ${formatTokens(tokens.after)} |`,
    ),
    `| | **History** | | **${formatTokens(sum("before"))}** | **${formatTokens(sum("after"))}** |`,
    "",
    ...(summarised === 0 ? [] : ["The rows have no room for the summary in them; the request above has.", ""]),
  ];
}

const cell = (text: string) => plainWords(oneLine(text, 80)).replaceAll("|", "\\|") || "(no words)";

/** What a person typed may look like Markdown: links, images and HTML are shown as typed. */
const plainWords = (text: string) => text.replace(/[\\[\]<>`*_#!]/g, "\\$&");

const WORDS = 600;

/**
 * "What was left out" of a compaction.
 * @param archivedRecords those of its archive, and what came after; of a missing archive none, which is said
 */
export function leftOutReport(
  record: RecordOf<"compaction">,
  archivedRecords: readonly LogRecord[],
  words: readonly WordsInSight[] = [],
): string {
  const summary = record.summaries.at(-1);
  const ledger = ledgerTexts(record.ledger ?? []).map(({ text }) => text);
  const turns = removedTurnLines(record, archivedRecords);
  return [
    "# What the compaction left out",
    "",
    `${compactionLine(withSent(record, archivedRecords))}${record.failure ? "" : "."} ${isoMinutes(record.ts)}, ${compactionReasons[record.reason]}.`,
    ...(record.guidance === undefined ? [] : ["", `Your wish for the summary: ${plainWords(record.guidance)}`]),
    "",
    turns.length > 0
      ? "Nothing is lost: everything below is in the session's archive, and the model finds it with Recall, by words or by handle. To put it back into the model's view: **Undo** at the notice in the conversation. Every turn made since stays."
      : `The archive \`${record.archive}\` could not be read, or has none of these turns: what the model reads instead is all that is left of them here.`,
    "",
    "## What you said in turns that left",
    "",
    ...wordsLines(words),
    "",
    "## What the model reads instead",
    "",
    ...(ledger.length > 0 ? [fenced(ledger.join("\n\n"), "markdown"), ""] : []),
    ...(summary ? [fenced(summary.text, "markdown")] : ["(no summary)"]),
    "",
    "## The turns",
    "",
    ...(turns.length > 0 ? turns : ["(none can be read)"]),
    "",
  ].join("\n");
}

const sightWords: Record<WordsInSight["sight"], string> = {
  whole: "still in the model's view, word for word",
  part: "in part in the model's view",
  none: "not in the model's view",
};

const markWords: Record<WordsInSight["mark"], string> = { pinned: ", pinned", struck: ", taken back", none: "" };

/** As it is now, for all turns that left. */
function wordsLines(words: readonly WordsInSight[]): string[] {
  if (words.length === 0) return ["Nothing."];
  const lines = (["none", "part", "whole"] as const).flatMap(sight => {
    const own = words.filter(each => each.sight === sight);
    if (own.length === 0) return [];
    const items = own.map(
      ({ turn, text, mark }) => `  - turn ${turn}${markWords[mark]}: ${plainWords(oneLine(text, 300))}`,
    );
    return [`- **${own.length} ${sightWords[sight]}**`, ...items];
  });
  return [
    ...lines,
    "",
    "**Show What You Said** in the command palette pins words, and brings back what the model does not see.",
  ];
}

function removedTurnLines({ removed }: RecordOf<"compaction">, records: readonly LogRecord[]): string[] {
  const gone = new Set(removed);
  const turns = new Map<number, string[]>();
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
  return [...turns].sort(([a], [b]) => a - b).flatMap(([turn, lines]) => [`### Turn ${turn}`, "", ...lines, ""]);
}

function messageLines({ message }: RecordOf<"message">): string[] {
  const words = message.parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n");
  if (words.trim() === "" || message.metadata.kind === "notice") return [];
  const who = message.role === "user" ? "You" : "Strata";
  return [`- **${who}**: ${plainWords(oneLine(words, WORDS))}`];
}

function callLine({ digest, raw }: RecordOf<"result">): string {
  return `  - ${plainWords(oneLine(digest, 200))}${raw ? ` \`${toHandle(raw.sha256)}\`` : ""}`;
}
