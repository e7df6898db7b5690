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
import { collapseWhitespace } from "../ground/text/format";
import { parseJson, stringsIn } from "../ground/text/json";
import { textPieces } from "../ground/text/sentences";
import { isAsked, isLedger, PLAN } from "../ground/text/sources";
import { othersWording } from "../ground/text/wording";
import { leftBranches, onBranch } from "../log/branches";
import { type TypedWords, wordsIn } from "../log/ledger/said";
import { OPTION_CHARACTERS } from "../log/ledger/text";
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
  /** `part`: some of its sentences do */
  stands: "whole" | "part" | "no";
  /** sentences that do not stand; absent where all do */
  missing?: string[];
  /** the compaction with which it went; absent: it stands, or no compaction took it */
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
  const standing = new StandingSegments(segments);
  const departures = new Departures(records);
  report.facts = wordsIn(onBranch(records, leftBranches(records))).map(words => {
    const record = departures.record(words.recordId);
    const fact = standing.factOf(words, record);
    const since = fact.stands === "whole" ? undefined : departures.since(words.recordId);
    return since ? { ...fact, since } : fact;
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

/** The words of the request that are a person's, or the result of asking one. */
class StandingSegments {
  private readonly messages: Set<string>;
  private readonly said: string;
  private readonly results: string;
  private readonly chosen: string;

  constructor(segments: readonly RebuiltSegment[]) {
    const isSaid = ({ source, role, layer }: RebuiltSegment) =>
      (isLedger(source) && !isAsked(source)) ||
      source === PLAN ||
      (role === "user" && layer !== "tail" && source.startsWith("message:"));
    this.messages = new Set(segments.map(({ source }) => source));
    this.said = textOf(segments.filter(isSaid));
    this.chosen = textOf(segments.filter(({ source }) => isAsked(source)));
    this.results = textOf(segments.filter(({ role }) => role === "tool"));
  }

  factOf({ turn, text, asked, chosen, denied }: TypedWords, record: LogRecord | undefined): Fact {
    const kind = kindOf({ asked, denied }, record);
    const fact = { kind, turn, text };
    if (record?.kind === "message" && this.messages.has(`message:${record.message.id}`))
      return { ...fact, stands: "whole" };
    const stands = (words: string) => {
      const key = normal(words);
      if (chosen && this.chosen.includes(normal(othersWording(words, OPTION_CHARACTERS)))) return true;
      return holds(this.said, key) || ((kind === "answer" || kind === "denial") && holds(this.results, key));
    };
    if (stands(text)) return { ...fact, stands: "whole" };
    const pieces = textPieces(text).map(piece => piece.text);
    const missing = pieces.filter(piece => !stands(piece));
    if (missing.length === 0) return { ...fact, stands: "whole" };
    return { ...fact, stands: missing.length < pieces.length ? "part" : "no", missing };
  }
}

const SHORT = 12;

/** A short word is not looked for within others: "no" is none in "note". */
function holds(text: string, words: string): boolean {
  if (words.length > SHORT) return text.includes(words);
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text[at - 1] ?? "", text[at + words.length] ?? ""];
    if (!isWithinWord(before, words[0]) && !isWithinWord(after, words.at(-1))) return true;
  }
  return false;
}

const isWithinWord = (beside: string, end = ""): boolean => isLetter(beside) && isLetter(end);

/** Of a script that has blanks between words. */
const isLetter = (character: string): boolean =>
  /[\p{L}\p{N}]/u.test(character) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character);

const textOf = (segments: readonly RebuiltSegment[]): string =>
  normal(segments.flatMap(({ content }) => stringsIn(parseJson(content ?? "null"))).join("\n"));

/** As the ledger tells sentences apart, and quotes what was pasted. */
const normal = (text: string): string =>
  collapseWhitespace(text)
    .replace(/[“”]/g, '"')
    .replace(/[.!。！…]$/, "")
    .toLowerCase();

function kindOf({ asked, denied }: Pick<TypedWords, "asked" | "denied">, record: LogRecord | undefined): FactKind {
  if (asked !== undefined) return "answer";
  if (denied !== undefined) return "denial";
  if (record?.kind === "plan") return "remark";
  return record?.kind === "message" && record.message.metadata.kind === "steer" ? "steering" : "message";
}

/** With which compaction words left. */
class Departures {
  private readonly compactions: RecordOf<"compaction">[];
  private readonly byId: ReadonlyMap<string, LogRecord>;
  /** by record: the message that it is, or goes with */
  private readonly messages = new Map<string, string>();

  constructor(records: readonly LogRecord[]) {
    this.compactions = compactionsInEffect(records);
    this.byId = new Map(records.map(record => [record.id, record]));
    let last: string | undefined;
    for (const record of records) {
      const own = owningMessageId(record);
      if (record.kind !== "result" && own !== undefined) last = own;
      if (last !== undefined) this.messages.set(record.id, own ?? last);
    }
  }

  record(id: string): LogRecord | undefined {
    return this.byId.get(id);
  }

  /** The first one behind which neither the message nor a whole entry of the ledger stands. */
  since(recordId: string): Fact["since"] {
    const messageId = this.messages.get(recordId) ?? "";
    const took = this.compactions.findIndex(({ removed }) => removed.includes(messageId));
    if (took < 0) return undefined;
    const isWhole = ({ ledger = [] }: RecordOf<"compaction">) =>
      ledger.some(({ entries }) =>
        entries.some(entry => entry.recordId === recordId && !entry.cut && entry.pieces.every(({ gap }) => !gap)),
      );
    const at = this.compactions.findIndex((record, place) => place >= took && !isWhole(record));
    const record = this.compactions[at];
    return record && { number: at + 1, id: record.id, ts: record.ts };
  }
}
