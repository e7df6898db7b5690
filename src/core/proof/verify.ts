/**
 * Proves a session's requests: every manifest against its own hash and the one before, every segment against its bytes,
 * every request against its hash; then what the log names beside requests (docs/formats.md). Reads only.
 */
import { namesText } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import { type Segment, standsBeside } from "../../shared/manifest";
import type { LogRecord } from "../../shared/records";
import { type Defect, manifestLines, type RequestEntry, readRequests, segmentDefect } from "../context/requestChain";
import {
  type ArchiveName,
  ErrorForPeople,
  type Hash,
  onlyFor,
  type SessionByteReader,
  type SessionFiles,
  StorageError,
} from "../ground/ports";
import { toHandle } from "../ground/text/format";
import { rangeProblem } from "../log/applyCompaction";
import { owningMessageId } from "../log/archives";
import { decodeUtf8, LINE_END } from "../log/codec";
import { SaidIndex } from "../log/ledger/proof";
import { childrenOf } from "../log/readLog";
import { recordedTexts } from "../log/recordKinds";
import { Evidence, type EvidenceFiles, type EvidencePlace, type MissingEvidence, messagePlaces } from "./rebuild";
import { Replay } from "./replay";

export interface VerifyReport {
  sessionId: string;
  requests: number;
  /** requests of which every byte is there as it was sent, and whose manifest follows the one before */
  proven: number;
  /** estimates; `shared`: what requests began with that the one before them had too */
  tokens: { sent: number; shared: number };
  /** prefix breaks by cause; `unexplained`: without one */
  breaks: Record<string, number>;
  /** whole outputs and images of calls, attachments that were cut, and summaries, that are as their handles say */
  observations: number;
  /** archives that are as they were written */
  archives: number;
  /** sessions of agents below it: all of this is of them too */
  agents: number;
  /** In order; what several requests have wrong is named with the first of them. Empty: all proven. */
  defects: Defect[];
  /** worth knowing, but no defect */
  notes: string[];
}

/** With its agents and theirs. Rejects with StorageError, NewerLogError, NotALogError; where an agent's log does so, that is a defect. */
export const verifySession = (files: EvidenceFiles, hash: Hash): Promise<VerifyReport> =>
  verifyTree(files, hash, new Set());

/** @param sound gets handles that lead to the recorded bytes */
async function verifyTree(files: EvidenceFiles, hash: Hash, sound: Set<string>): Promise<VerifyReport> {
  const evidence = await Evidence.read(files, hash);
  const report = await verifyOwn(files, evidence, hash, sound);
  const found = new Set<string>();
  for await (const child of childrenOf(files)) {
    found.add(child.id);
    try {
      addBelow(report, await verifyTree(child, hash, sound), child.id);
    } catch (error) {
      if (!(error instanceof ErrorForPeople)) throw error;
      report.defects.push({ session: child.id, kind: "record", source: "history.jsonl", text: error.message });
    }
  }
  checkChildren(evidence, report, found, sound);
  return report;
}

/** What was found of a child is named with its id. */
function addBelow(report: VerifyReport, below: VerifyReport, session: string): void {
  for (const key of ["requests", "proven", "observations", "archives"] as const) report[key] += below[key];
  for (const key of ["sent", "shared"] as const) report.tokens[key] += below.tokens[key];
  for (const [cause, times] of Object.entries(below.breaks)) report.breaks[cause] = (report.breaks[cause] ?? 0) + times;
  report.agents += 1 + below.agents;
  report.defects.push(...below.defects.map(defect => ({ session, ...defect })));
  report.notes.push(...below.notes.map(note => `${session}: ${note}`));
}

/** An agent that worked has left a log, and what its report names leads to what it saw. @param found ids of those that are there */
function checkChildren(
  { records }: Evidence,
  { defects, notes }: VerifyReport,
  found: ReadonlySet<string>,
  sound: ReadonlySet<string>,
): void {
  const children = records.filter(record => record.kind === "child");
  const worked = children.filter(({ usage }) => usage !== undefined && usage.input + usage.output > 0);
  for (const childId of new Set(worked.map(record => record.childId)))
    if (!found.has(childId))
      defects.push({ session: childId, kind: "record", source: "history.jsonl", text: t("is missing") });
  const named = new Set(children.map(({ childId }) => childId));
  const others = [...found].filter(id => !named.has(id)).map(id => `sessions/${id}`);
  if (others.length > 0) notes.push(t("The log does not name {0}: a crash left it.", namesText(others)));
  const reports = records.flatMap(record =>
    record.kind === "result" && record.toolName === "Task" ? [record.forms.shown] : [],
  );
  for (const handle of new Set(reports.flatMap(text => text.match(/\bobs:[0-9a-f]{12}\b/g) ?? [])))
    if (!sound.has(handle))
      defects.push({
        kind: "observation",
        source: handle,
        text: t("is named by an agent's report, and no output has it"),
      });
}

async function verifyOwn(
  files: EvidenceFiles,
  evidence: Evidence,
  hash: Hash,
  sound: Set<string>,
): Promise<VerifyReport> {
  const manifests = (await files.read("requests.jsonl")) ?? "";
  const { lines, torn } = manifestLines(manifests);
  const report: VerifyReport = {
    sessionId: files.id,
    requests: lines.length,
    proven: 0,
    tokens: { sent: 0, shared: 0 },
    breaks: {},
    observations: 0,
    archives: 0,
    agents: 0,
    defects: [],
    notes: [],
  };
  const { unreadable } = evidence;
  if (torn) report.notes.push(t("The last line of requests.jsonl is cut off: a request that never left."));
  if (unreadable.length > 0)
    report.notes.push(t("Of the session's log, this cannot be read: {0}.", namesText(unreadable)));
  const checker = new SegmentChecker(evidence);
  const replay = new Replay(evidence.records, hash, evidence.isWhole && evidence.isNamed);
  const requestIds = new Set<string>();
  for (const entry of readRequests(lines, hash)) {
    if (entry.manifest) requestIds.add(entry.manifest.requestId);
    count(entry, report);
    const wrong = entry.manifest && standsBeside(entry.manifest) ? undefined : replay.check(entry);
    report.defects.push(...entry.defects, ...(wrong ? [wrong] : []));
    const sound = await checker.check(entry, report.defects);
    const broken = entry.defects.some(({ kind }) => kind !== "prefix" && kind !== "count");
    if (entry.segments && sound && !broken) report.proven++;
  }
  if (replay.untold > 0)
    report.notes.push(
      plural(
        replay.untold,
        "1 request left before a part of the log was lost: nobody can tell whether all of the conversation was in it.",
        "{0} requests left before a part of the log was lost: nobody can tell whether all of the conversation was in them.",
      ),
    );
  replay.finish();
  report.defects.push(...checkNumbers(evidence), ...replay.defects);
  report.defects.push(...(await checkManifestBytes(files, manifests, hash, report.defects)));
  report.defects.push(...answersWithoutManifest(evidence, requestIds));
  await checkObservations(evidence, hash, report, sound);
  report.defects.push(...checkLedgers(evidence));
  await checkArchives(evidence, files, hash, report);
  report.defects.push(...checkRanges(evidence));
  return report;
}

function count({ manifest }: RequestEntry, { tokens, breaks }: VerifyReport): void {
  if (!manifest) return;
  tokens.sent += manifest.totalTokens;
  tokens.shared += manifest.sharedTokens;
  const cause = manifest.cause ?? (manifest.unexplained ? "unexplained" : undefined);
  if (cause) breaks[cause] = (breaks[cause] ?? 0) + 1;
}

/** Looks at each segment once, however many requests and forms it stands in. */
class SegmentChecker {
  private readonly known = new Map<string, MissingEvidence | undefined>();
  private readonly named = new Set<string>();
  /** the request before; `sound`: so many of its segments, from the first */
  private before: { segments: readonly Segment[]; places: (EvidencePlace | undefined)[]; sound: number } = {
    segments: [],
    places: [],
    sound: 0,
  };

  constructor(private readonly evidence: Evidence) {}

  /** false: not all of the request is there; what was not named before becomes a defect. */
  async check(entry: RequestEntry, defects: Defect[]): Promise<boolean> {
    const segments = entry.segments ?? [];
    const { before } = this;
    // Most requests begin with the very segments of the one before: what is known of those is not asked again.
    const shared = sharedLength(before.segments, segments);
    const places = before.places.slice(0, shared);
    const last = places.findLast(place => place !== undefined);
    places.push(...messagePlaces(segments.slice(shared), last));
    let sound = Math.min(before.sound, shared);
    for (let at = shared; at < segments.length; at++) {
      const segment = segments[at];
      if (segment && (await this.isSound(entry, at, segment, places[at], defects)) && sound === at) sound++;
    }
    this.before = { segments, places, sound };
    return sound === segments.length;
  }

  private async isSound(
    entry: RequestEntry,
    at: number,
    segment: Segment,
    place: EvidencePlace | undefined,
    defects: Defect[],
  ): Promise<boolean> {
    const id = place ? `${place.messageId} ${place.piece} ${segment.sha256}` : segment.sha256;
    const key = `${segment.form} ${id}`;
    const wrong = this.known.has(key) ? this.known.get(key) : await this.defectOf(segment, place);
    this.known.set(key, wrong);
    if (!wrong) return true;
    if (!this.named.has(id)) defects.push(segmentDefect(entry, at, segment, wrong));
    this.named.add(id);
    return false;
  }

  private async defectOf(segment: Segment, place: EvidencePlace | undefined): Promise<MissingEvidence | undefined> {
    const found = await this.evidence.find(segment, place);
    return "content" in found ? undefined : found;
  }
}

function sharedLength(before: readonly Segment[], segments: readonly Segment[]): number {
  let at = 0;
  while (at < segments.length && segments[at] === before[at]) at++;
  return at;
}

/** Numbers rise, and each record and message has an id of its own. */
function checkNumbers({ records, falling, isNamed }: Evidence): Defect[] {
  if (!isNamed) return [];
  const add = ({ id }: LogRecord, text: string): Defect => ({ kind: "record", source: `record:${id}`, text });
  const numbers = falling.map(record => add(record, t("has number {0}, which does not rise", record.seq)));
  const seen = new Set<string>();
  const twice = records.filter(record => {
    const message = record.kind === "result" ? undefined : owningMessageId(record);
    const own = [record.id, ...(message === undefined ? [] : [`message:${message}`])];
    const isTwice = own.some(id => seen.has(id));
    for (const id of own) seen.add(id);
    return isTwice;
  });
  return [...numbers, ...twice.map(record => add(record, t("has the id of another")))];
}

/** Answers that came, so their requests left: each has a manifest, or the end of the file is gone. */
function answersWithoutManifest(evidence: Evidence, requestIds: ReadonlySet<string>): Defect[] {
  return evidence.records.flatMap((record): Defect[] => {
    const requestId = answeredRequest(record);
    if (requestId === undefined || requestIds.has(requestId)) return [];
    const source = record.kind === "message" ? `message:${record.message.id}` : "attempt";
    return [
      { kind: "answer", requestId, source, text: t("has an answer, but its request has no manifest that can be read") },
    ];
  });
}

function answeredRequest(record: Evidence["records"][number]): string | undefined {
  if (record.kind === "attempt" || record.kind === "title") return record.requestId;
  if (record.kind !== "message" || record.message.parts.length === 0) return undefined;
  return record.message.metadata.requestId;
}

/** What the model saw, or saw a part of: its handle leads to the recorded bytes. */
async function checkObservations(
  evidence: Evidence,
  hash: Hash,
  report: VerifyReport,
  sound: Set<string>,
): Promise<void> {
  const seen = new Set<string>();
  for (const record of evidence.records) {
    const images = record.kind === "result" ? (record.images ?? []) : [];
    const blobs = images.map(({ url }) => ({ sha256: url.slice("blob:".length), text: undefined }));
    for (const { sha256, text } of [...recordedTexts(record), ...blobs]) {
      // A summary stands in each compaction that kept it, a blob may be of several outputs.
      if (seen.has(sha256) && (text === undefined || record.kind === "compaction")) continue;
      if (text === undefined || record.kind === "compaction") seen.add(sha256);
      const inLog = text !== undefined && { found: hash.sha256(text), text: t("is not as it was recorded") };
      const looked = inLog || (await evidence.blob(sha256));
      if ("bytes" in looked || looked.found === sha256) {
        report.observations++;
        sound.add(toHandle(sha256));
      } else report.defects.push({ kind: "observation", source: `obs:${sha256}`, expected: sha256, ...looked });
    }
  }
}

/** Each entry of a ledger is what a record of a person's words says. Only a whole log can prove it. */
function checkLedgers(evidence: Evidence): Defect[] {
  if (!evidence.isWhole) return [];
  const said = new SaidIndex();
  said.add(evidence.records);
  const pages = evidence.records.flatMap(record => (record.kind === "compaction" ? (record.ledger ?? []) : []));
  const byRecord = new Map(said.unsaid(pages).map(({ recordId, turn }) => [recordId, turn]));
  return [...byRecord].map(([recordId, turn]): Defect => {
    const text = t("the words of turn {0} are not what the record says that they come from", turn);
    return { kind: "ledger", source: `record:${recordId}`, text };
  });
}

/** The hash of each archive stands in the record of its compaction. Rejects with StorageError. */
async function checkArchives(
  { records, archives }: Evidence,
  files: Pick<SessionFiles, "readBytes" | "list">,
  hash: Hash,
  report: VerifyReport,
): Promise<void> {
  const hashes = new Map(
    records.flatMap(record => (record.kind === "compaction" ? [[record.archive, record.archiveSha256]] : [])),
  );
  for (const name of archives) {
    const bytes = await readWhole(files, name);
    const expected = hashes.get(name);
    if (typeof bytes === "string") {
      const text = t("{0}: the records that went there can neither be proven nor recalled", bytes);
      report.defects.push({ kind: "archive", source: name, found: null, text });
    } else if (expected === undefined) {
      report.notes.push(t("No compaction says what {0} has to be, so it is not proven.", name));
    } else {
      const found = hash.sha256(bytes);
      const text = t("is not as it was written");
      if (found === expected) report.archives++;
      else report.defects.push({ kind: "archive", source: name, expected, found, text });
    }
  }
  const named = new Set<string>(archives);
  const others = (await files.list("archive")).map(name => `archive/${name}`).filter(name => !named.has(name));
  if (others.length > 0) report.notes.push(t("The log does not name {0}: a crash left it.", namesText(others)));
}

/** Which summaries stood when a compaction was made is in one before it: some were undone since. */
function checkRanges({ records }: Evidence): Defect[] {
  const compactions = records.filter(record => record.kind === "compaction");
  return compactions.flatMap((record, at): Defect[] => {
    const before = [...compactions.slice(0, at).map(({ summaries }) => summaries), []];
    const problems = before.map(standing => rangeProblem(record, standing));
    const text = problems.includes(undefined) ? undefined : (problems.at(-2) ?? problems.at(-1));
    return text === undefined
      ? []
      : [{ kind: "range", source: `compaction:${record.id}`, text: t("the summary {0}", text) }];
  });
}

/** @returns the bytes, or what is wrong */
async function readWhole(files: SessionByteReader, name: ArchiveName): Promise<Uint8Array | string> {
  const unread = onlyFor(StorageError, () => t("cannot be read"));
  return (await files.readBytes(name).catch(unread)) ?? t("is missing");
}

/**
 * Bytes that are no text, which reading makes alike, and a last line with another end than its own.
 * @param text of `requests.jsonl`, as it was read; @param found what is known to be wrong
 */
export async function checkManifestBytes(files: SessionByteReader, text: string, hash: Hash, found: readonly Defect[]) {
  const bytes = (await files.readBytes("requests.jsonl")) ?? new Uint8Array(0);
  if (hash.sha256(bytes) === hash.sha256(text)) return [];
  const defects: Defect[] = [];
  const wrong = t("the manifest is not as it was written: it is no text");
  const known = new Set(found.flatMap(({ kind, request }) => (kind === "manifest" ? [request] : [])));
  for (let from = 0, line = 1; from < bytes.length; line++) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end < 0 ? bytes.length : end;
    if (!known.has(line) && decodeUtf8(bytes.subarray(from, to)) === undefined)
      defects.push({ kind: "manifest", request: line, text: wrong });
    from = to + 1;
  }
  return defects;
}
