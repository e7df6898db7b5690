/**
 * What of all that people said stands in the newest request, word for word, and since which compaction the rest does not. Taken
 * from the records of the branch and from the bytes of the request; what a model repeats does not count. Reads only.
 */
import { t } from "../../shared/l10n";
import { standsBeside } from "../../shared/manifest";
import type { LogRecord, RecordOf } from "../../shared/records";
import { manifestLines } from "../context/requestChain";
import { parseManifest } from "../context/requestLog";
import type { Hash } from "../ground/ports";
import { parseJson, stringsIn } from "../ground/text/json";
import { isLedger, PLAN } from "../ground/text/sources";
import { leftBranches, onBranch } from "../log/branches";
import { type TypedWords, wordsIn } from "../log/ledger/said";
import { compactionsInEffect } from "../log/project";
import { readWholeLog } from "../log/readLog";
import { owningMessageId } from "../log/recordsToArchive";
import type { EvidenceFiles } from "./evidence";
import { type RebuiltSegment, rebuildRequest } from "./rebuild";

export const factKinds = ["message", "steering", "answer", "denial", "remark"] as const;
export type FactKind = (typeof factKinds)[number];

export interface Fact {
  kind: FactKind;
  turn: number;
  text: string;
  /** `part`: its beginning does */
  stands: "whole" | "part" | "no";
  /** the compaction with which it went; absent: it stands whole, or no compaction took it */
  since?: { number: number; id: string; ts: number };
}

export interface FactsReport {
  sessionId: string;
  /** number of the newest request of a step; undefined: there was none */
  request: number | undefined;
  /** in the order in which they were said */
  facts: Fact[];
  /** what is worth knowing */
  notes: string[];
}

/** Rejects with StorageError, NewerLogError, NotALogError. */
export async function factsReport(files: EvidenceFiles, hash: Hash): Promise<FactsReport> {
  const request = newestRequest((await files.read("requests.jsonl")) ?? "");
  const report: FactsReport = { sessionId: files.id, request, facts: [], notes: [] };
  if (request === undefined) return report;
  const { records, missing, broken } = await readWholeLog(files);
  const { segments } = await rebuildRequest(files, hash, request);
  if (missing.length + broken.length > 0)
    report.notes.push(t("Not all of the log can be read: more may have been said."));
  if (segments.some(({ content }) => content === undefined))
    report.notes.push(t("Not all of the request is there as it was sent."));
  const byId = new Map(records.map(record => [record.id, record]));
  const messages = new Set(segments.map(({ source }) => source));
  const said = saidText(segments);
  const compactionOf = departures(records);
  report.facts = wordsIn(onBranch(records, leftBranches(records))).map(words => {
    const record = byId.get(words.recordId);
    const fact = { kind: kindOf(words, record), turn: words.turn, text: words.text };
    const isSent = record?.kind === "message" && messages.has(`message:${record.message.id}`);
    const stands = isSent ? "whole" : standsIn(said, words);
    const since = stands === "whole" ? undefined : compactionOf(words.recordId);
    return { ...fact, stands, ...(since && { since }) };
  });
  return report;
}

/** Of a step, and not one for a title or a summary. */
function newestRequest(text: string): number | undefined {
  const { lines } = manifestLines(text);
  const at = lines.findLastIndex(line => {
    const manifest = parseManifest(line);
    return manifest !== undefined && !standsBeside(manifest) && manifest.purpose === undefined;
  });
  return at < 0 ? undefined : at + 1;
}

/** What of a request is a person's, or came of asking one. */
function saidText(segments: readonly RebuiltSegment[]): string {
  const isSaid = ({ source, role, layer }: RebuiltSegment) =>
    isLedger(source) ||
    source === PLAN ||
    role === "tool" ||
    (role === "user" && layer !== "tail" && source.startsWith("message:"));
  const strings = segments.filter(isSaid).flatMap(({ content }) => stringsIn(parseJson(content ?? "null")));
  return normal(strings.join("\n"));
}

/** characters: what of a message that lost its middle always stands */
const BEGINNING = 12;

function standsIn(said: string, { text }: TypedWords): Fact["stands"] {
  const words = normal(text);
  if (words.length <= BEGINNING) return hasWord(said, words) ? "whole" : "no";
  if (said.includes(words)) return "whole";
  return said.includes(words.slice(0, BEGINNING)) ? "part" : "no";
}

/** "no" is none in "note". */
const hasWord = (said: string, word: string): boolean =>
  said.split(word).some((before, at, parts) => {
    const after = parts[at + 1];
    return after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
  });

/** As the ledger writes it: on one line, with plain quotes. */
const normal = (text: string): string => text.replace(/\s+/g, " ").replace(/[“”]/g, '"').trim();

function kindOf({ asked, denied }: TypedWords, record: LogRecord | undefined): FactKind {
  if (asked !== undefined) return "answer";
  if (denied !== undefined) return "denial";
  if (record?.kind === "plan") return "remark";
  return record?.kind === "message" && record.message.metadata.kind === "steer" ? "steering" : "message";
}

/** With which compaction words left: the first one behind which neither the message nor a whole entry of the ledger stands. */
function departures(records: readonly LogRecord[]): (recordId: string) => Fact["since"] {
  const compactions = compactionsInEffect(records);
  /** by record: the message that it is, or goes with */
  const messages = new Map<string, string>();
  let last: string | undefined;
  for (const record of records) {
    const own = owningMessageId(record);
    if (record.kind !== "result" && own !== undefined) last = own;
    if (last !== undefined) messages.set(record.id, own ?? last);
  }
  const isWhole = ({ ledger = [] }: RecordOf<"compaction">, recordId: string) =>
    ledger.some(({ entries }) =>
      entries.some(entry => entry.recordId === recordId && !entry.cut && entry.pieces.every(({ gap }) => !gap)),
    );
  return recordId => {
    const messageId = messages.get(recordId) ?? "";
    const took = compactions.findIndex(({ removed }) => removed.includes(messageId));
    if (took < 0) return undefined;
    const at = compactions.findIndex((record, place) => place >= took && !isWhole(record, recordId));
    const record = compactions[at];
    return record && { number: at + 1, id: record.id, ts: record.ts };
  };
}
