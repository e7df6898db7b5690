/** Whether a session's files have the bytes that were written: archives, blobs that no request names, the text of manifests. */
import { type ArchiveName, type Hash, type SessionFiles, StorageError } from "../ports";
import type { Defect } from "./defect";
import type { Evidence } from "./evidence";

export interface FilesReport {
  defects: Defect[];
  notes: string[];
  /** files that are as they were written */
  sound: number;
}

/** The hash of each archive stands in the record of its compaction. Rejects with StorageError. */
export async function checkArchives(
  evidence: Evidence,
  files: Pick<SessionFiles, "readPart" | "list">,
  hash: Hash,
): Promise<FilesReport> {
  const report: FilesReport = { defects: [], notes: [], sound: 0 };
  const hashes = new Map(
    evidence.records.flatMap(record => (record.kind === "compaction" ? [[record.archive, record.archiveSha256]] : [])),
  );
  for (const name of evidence.archives) {
    const bytes = await readWhole(files, name);
    const expected = hashes.get(name);
    if (typeof bytes === "string") {
      const text = `${bytes}: the records that went there can neither be proven nor recalled`;
      report.defects.push({ kind: "archive", source: name, found: null, text });
    } else if (expected === undefined) {
      report.notes.push(`No compaction says what ${name} has to be, so it is not proven.`);
    } else {
      const found = hash.sha256(bytes);
      const text = "is not as it was written";
      if (found === expected) report.sound++;
      else report.defects.push({ kind: "archive", source: name, expected, found, text });
    }
  }
  const named = new Set<string>(evidence.archives);
  const others = (await files.list("archive")).map(name => `archive/${name}`).filter(name => !named.has(name));
  if (others.length > 0) report.notes.push(`The log does not name ${others.join(", ")}: a crash left it.`);
  return report;
}

/** @returns the bytes, or what is wrong */
async function readWhole(files: Pick<SessionFiles, "readPart">, name: ArchiveName): Promise<Uint8Array | string> {
  try {
    return (await files.readPart(name, 0, Number.MAX_SAFE_INTEGER))?.bytes ?? "is missing";
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return "cannot be read";
  }
}

/** Those that nothing was proven with: each is what its name says all the same. Rejects with StorageError. */
export async function checkOtherBlobs(evidence: Evidence, files: Pick<SessionFiles, "list">): Promise<FilesReport> {
  const report: FilesReport = { defects: [], notes: [], sound: 0 };
  const others = (await files.list("blobs")).filter(name => !evidence.looked.has(name));
  const named = others.length > 0 ? hashesIn(evidence) : new Set<string>();
  let spare = 0;
  for (const name of others) {
    const blob = await evidence.blob(name);
    if (!("bytes" in blob)) report.defects.push({ kind: "blob", source: `blob:${name}`, expected: name, ...blob });
    else if (named.has(name)) report.sound++;
    else spare++;
  }
  if (spare > 0) {
    const words =
      spare === 1 ? "1 blob is named nowhere: it only takes" : `${spare} blobs are named nowhere: they only take`;
    report.notes.push(`${words} up room.`);
  }
  return report;
}

function hashesIn({ records }: Evidence): Set<string> {
  return new Set(records.flatMap(record => JSON.stringify(record).match(/[0-9a-f]{64}/g) ?? []));
}

/**
 * Bytes that are no text, which reading makes alike, and a last line with another end than its own.
 * @param text of `requests.jsonl`, as it was read; @param found what is known to be wrong
 */
export async function checkManifestBytes(
  files: Pick<SessionFiles, "readPart">,
  text: string,
  hash: Hash,
  found: readonly Defect[],
): Promise<Defect[]> {
  const bytes = (await files.readPart("requests.jsonl", 0, Number.MAX_SAFE_INTEGER))?.bytes ?? new Uint8Array(0);
  if (hash.sha256(bytes) === hash.sha256(text)) return [];
  const known = new Set(found.flatMap(({ kind, request }) => (kind === "manifest" ? [request] : [])));
  return brokenLines(bytes)
    .filter(line => !known.has(line))
    .map(request => ({ kind: "manifest", request, text: "the manifest is not as it was written: it is no text" }));
}

function brokenLines(bytes: Uint8Array): number[] {
  const broken: number[] = [];
  for (let from = 0, line = 1; from < bytes.length; line++) {
    const end = bytes.indexOf(10, from);
    const to = end < 0 ? bytes.length : end;
    if (!isText(bytes.subarray(from, to))) broken.push(line);
    from = to + 1;
  }
  return broken;
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
