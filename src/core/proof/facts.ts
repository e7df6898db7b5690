/**
 * What of all that people said stands in the newest request, word for word. Taken from the records of the branch and from the bytes of the request; what a model repeats does not count. Reads only.
 */
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { standsBeside } from "../../shared/manifest";
import { manifestLines } from "../context/requestChain";
import { parseManifest } from "../context/requestLog";
import type { Hash } from "../ground/ports";
import { stringsIn } from "../ground/text/json";
import { isLedger, PLAN } from "../ground/text/sources";
import { onBranch } from "../log/branches";
import { wordsIn } from "../log/ledger/said";
import type { EvidenceFiles } from "./evidence";
import { type RebuiltSegment, rebuildRequest } from "./rebuild";

export interface Fact {
  turn: number;
  text: string;
  /** `part`: its beginning does */
  stands: "whole" | "part" | "no";
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
  const { evidence, segments } = await rebuildRequest(files, hash, request);
  const { records } = evidence;
  if (!evidence.isWhole) report.notes.push(t("Not all of the log can be read: more may have been said."));
  if (segments.some(({ content }) => content === undefined))
    report.notes.push(t("Not all of the request is there as it was sent."));
  const byId = new Map(records.map(record => [record.id, record]));
  const messages = new Set(segments.map(({ source }) => source));
  const said = saidText(segments);
  report.facts = wordsIn(onBranch(records)).map(({ recordId, turn, text }) => {
    const record = byId.get(recordId);
    const isSent = record?.kind === "message" && messages.has(`message:${record.message.id}`);
    return { turn, text, stands: isSent ? "whole" : standsIn(said, text) };
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

function standsIn(said: string, text: string): Fact["stands"] {
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
