/** A session as one file to take along or to send (format: bundle.ts). Reads only. */

import { inARow, namesText } from "../../shared/format";
import { parseJson } from "../../shared/isObject";
import { plural, t } from "../../shared/l10n";
import type { LogRecord } from "../../shared/records";
import { mapStrings, type Redact } from "../../shared/redacted";
import { inHistory } from "../context/requestLog";
import { type Hash, type RunningHash, type SessionFiles, type SessionTextReader, StorageError } from "../ground/ports";
import { isSessionFileName } from "../ground/ports/storage";
import { toBase64 } from "../ground/text/bytes";
import { decodeLine, decodeLog, decodeUtf8 } from "../log/codec";
import { childrenOf, decodeReadable } from "../log/readLog";
import { recordedTexts } from "../log/recordKinds";
import { redactRecord } from "../log/redactRecord";
import { BUNDLE_VERSION, type BundledName, type BundleHeader, type BundlePiece, PIECE_CHARS } from "./bundle";

export interface ExportDeps {
  /** Secrets become placeholders. Idempotent: only what became known as a secret since it was recorded changes. */
  redact: Redact;
  hash: Hash;
  newHash(): RunningHash;
  now(): number;
  /** version of Strata */
  app: string;
  /** Called once, before the last line. */
  onReport?(report: ExportReport): void;
}

export interface ExportReport {
  files: number;
  blobs: number;
  /** places where a secret stood that was none yet when it was recorded; requests with them do not verify any more */
  secrets: number;
  /** archives that are missing, and blobs that are not what their names say: not in the export */
  leftOut: string[];
}

/** What is in an export, then, each in a sentence, what its reader has to know. */
export function reportSentences({ files, blobs, secrets, leftOut }: ExportReport): string[] {
  const counts = [plural(files, "1 log", "{0} logs"), plural(blobs, "1 output", "{0} outputs")];
  const sentences = [t("{0}.", inARow(counts))];
  if (secrets > 0)
    sentences.push(
      plural(
        secrets,
        "1 place holds what is known as a secret now, and was not when it was recorded: replaced by a placeholder in the export. What was sent or printed there will not verify after an import; in this workspace's session it still stands.",
        "{0} places hold what is known as a secret now, and was not when it was recorded: replaced by placeholders in the export. What was sent or printed there will not verify after an import; in this workspace's session it still stands.",
      ),
    );
  if (leftOut.length > 0) sentences.push(t("Left out, missing or damaged: {0}.", namesText(leftOut)));
  return sentences;
}

/**
 * The lines of an export, each with its end. Never in it: snapshots, locks, caches, lines that could not be read.
 * Throws while iterating: StorageError, NewerLogError, NotALogError.
 */
export async function* exportSession(files: SessionFiles, deps: ExportDeps): AsyncGenerator<string> {
  const logs = await readTogether(files);
  const isAlone = ((await files.children?.list()) ?? []).length === 0;
  const writer = new LineWriter(deps.newHash());
  const out: ExportProgress = { isAlone, writer, cleaner: new Cleaner(deps), blobs: 0, leftOut: [] };
  const about = { sessionId: files.id, created: deps.now(), app: deps.app };
  // What has no children an earlier Strata reads too.
  yield writer.line({ kind: "strata-export", version: isAlone ? 1 : BUNDLE_VERSION, ...about });
  yield* sessionPieces(files, logs, deps.hash, out);
  const { blobs, cleaner, leftOut } = out;
  deps.onReport?.({ files: writer.files - blobs, blobs, secrets: cleaner.secrets, leftOut });
  yield writer.end();
}

/** What went out so far. */
interface ExportProgress {
  /** It had no children when it was begun. */
  isAlone: boolean;
  writer: LineWriter;
  cleaner: Cleaner;
  blobs: number;
  leftOut: string[];
}

/** Its children first: its records name outputs of theirs, which may be renamed. @param place before names: "", `children/<id>/`, … */
async function* sessionPieces(
  files: SessionFiles,
  { history, requests }: Awaited<ReturnType<typeof readTogether>>,
  hash: Hash,
  out: ExportProgress,
  place = "",
): AsyncGenerator<string> {
  const { writer, cleaner, leftOut } = out;
  for await (const child of out.isAlone ? [] : childrenOf(files)) {
    const [logs, below] = [await readTogether(child), `${place}children/${child.id}/`];
    if (decodeReadable(logs.history)) yield* sessionPieces(child, logs, hash, out, below);
    else leftOut.push(below);
  }
  const { archives } = decodeLog(history.slice(0, history.indexOf("\n") + 1)).header;
  const at = (name: string) => `${place}${name}` as BundledName;
  const written = new Set<string>();
  const listed = new Set(await files.list("blobs"));
  const named = new Set([...requestBlobs(requests), ...resultBlobs(history)]);
  cleaner.know(requests);
  for (const sha256 of listed) {
    const bytes = await files.getBlob(sha256);
    if (bytes === undefined || hash.sha256(bytes) !== sha256) {
      leftOut.push(at(`blobs/${sha256}`));
      continue;
    }
    const blob = cleaner.blob(sha256, bytes);
    if (written.has(blob.name)) continue;
    written.add(blob.name);
    yield* writer.file(at(blob.name), blobPieces(blob));
  }
  out.blobs += written.size;
  for (const name of archives) {
    const log = isSessionFileName(name) ? await files.read(name) : undefined;
    for (const sha256 of resultBlobs(log ?? "")) named.add(sha256);
    if (log !== undefined) yield* writer.file(at(name), textParts(cleaner.log(log)));
    else leftOut.push(at(name));
  }
  if (requests) yield* writer.file(at("requests.jsonl"), textParts(cleaner.log(requests)));
  // The one that makes it a session comes last, so that whoever imports it can write in this order.
  yield* writer.file(at("history.jsonl"), textParts(cleaner.log(history)));
  for (const sha256 of named) if (!listed.has(sha256)) leftOut.push(at(`blobs/${sha256}`));
}

const MAX_TRIES = 5;

/** Both as of one moment: a request names messages, an answer names its request. */
async function readTogether(files: SessionTextReader): Promise<{ history: string; requests: string }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const history = (await files.read("history.jsonl")) ?? "";
    const requests = (await files.read("requests.jsonl")) ?? "";
    if ((await files.read("history.jsonl")) === history) return { history, requests };
  }
  throw new StorageError("IO", t("The session is being written right now. Export it when its turn has ended."));
}

/** The hashes of segments that stand in no record, as `RequestLog` writes them. */
function requestBlobs(requests: string): string[] {
  const segments = requests.matchAll(/"source":"([^"]*)","sha256":"([0-9a-f]{64})"/g);
  return [...segments].flatMap(([, source = "", sha256 = ""]) => (inHistory({ source }) ? [] : [sha256]));
}

/** The hashes of outputs that are not in their record. */
function resultBlobs(log: string): string[] {
  const outputs = log.matchAll(/"raw":\{"sha256":"([0-9a-f]{64})","bytes":\d+,"inline":false\}/g);
  return [...outputs].map(([, sha256 = ""]) => sha256);
}

type Blob = { name: `blobs/${string}` } & ({ text: string } | { bytes: Uint8Array });

/** Redacts again what was redacted when it was recorded, in the same units, and counts what that changes. */
class Cleaner {
  secrets = 0;
  /** blobs, outputs, summaries and archives that have other bytes now, and so another hash */
  private readonly renamed = new Map<string, string>();
  /** the hashes of blobs that are segments of requests: JSON of a text, where others are the text itself */
  private readonly segments = new Set<string>();

  constructor(private readonly deps: ExportDeps) {}

  know(requests: string): void {
    for (const [, sha256 = ""] of requests.matchAll(/"sha256":"([0-9a-f]{64})"/g)) this.segments.add(sha256);
  }

  blob(sha256: string, bytes: Uint8Array): Blob {
    const text = decodeUtf8(bytes);
    if (text === undefined) return { name: `blobs/${sha256}`, bytes };
    const clean = this.segments.has(sha256) ? this.json(text, value => mapStrings(value, this.redact)) : undefined;
    const redacted = clean ?? this.redact(text);
    if (redacted === text) return { name: `blobs/${sha256}`, text };
    const renamed = this.deps.hash.sha256(redacted);
    this.renamed.set(sha256, renamed);
    return { name: `blobs/${renamed}`, text: redacted };
  }

  /** The whole lines of a log; one in which nothing changes keeps its bytes. */
  *log(text: string): Generator<string> {
    const clean = this.deps.newHash();
    let changed = false;
    for (let from = 0; ; ) {
      const end = text.indexOf("\n", from) + 1;
      if (end === 0) break;
      const was = text.slice(from, end);
      const line = this.line(was);
      changed ||= line !== was;
      clean.update(line);
      yield line;
      from = end;
    }
    // An archive comes before the record that says what it hashes to.
    if (changed) this.renamed.set(this.deps.hash.sha256(text), clean.digest());
  }

  private line(line: string): string {
    const body = line.slice(0, -1);
    const clean = this.json(body, value => redactRecord(value as LogRecord, this.redact, { uris: true }));
    if (clean !== undefined && clean !== body) this.renameTexts(decodeLine(body).record, decodeLine(clean).record);
    return `${this.withNames(clean ?? this.redact(body))}\n`;
  }

  /** Outputs and summaries that stand in the record itself: their handles are of their text. */
  private renameTexts(was: LogRecord | undefined, is: LogRecord | undefined): void {
    if (!was || !is) return;
    const after = recordedTexts(is);
    for (const [at, { sha256, text }] of recordedTexts(was).entries()) {
      const clean = after[at]?.text;
      if (clean !== undefined && clean !== text) this.renamed.set(sha256, this.deps.hash.sha256(clean));
    }
  }

  /** JSON of the changed value; the text as it stands where nothing changed; undefined: it is no JSON. */
  private json(text: string, change: (value: unknown) => unknown): string | undefined {
    const value = parseJson(text);
    if (value === undefined) return undefined;
    const before = this.secrets;
    const changed = change(value);
    return this.secrets === before ? text : JSON.stringify(changed);
  }

  private readonly redact: Redact = text => {
    const redacted = this.deps.redact(text);
    if (redacted !== text) this.secrets += Math.max(1, marks(redacted) - marks(text));
    return redacted;
  };

  /** Handles and hashes of renamed blobs, wherever they stand. */
  private withNames(line: string): string {
    if (this.renamed.size === 0) return line;
    return line.replace(/(?<![0-9a-f])[0-9a-f]{12,64}(?![0-9a-f])/g, found => {
      for (const [old, renamed] of this.renamed) if (old.startsWith(found)) return renamed.slice(0, found.length);
      return found;
    });
  }
}

const marks = (text: string): number => text.split("[secret:").length;

function* blobPieces(blob: Blob): Generator<Pick<BundlePiece, "text" | "base64">> {
  if ("text" in blob) {
    yield* textParts([blob.text]);
    return;
  }
  // A multiple of three: only the last one has padding.
  const size = 3 * 64 * 1024;
  for (let at = 0; at === 0 || at < blob.bytes.length; at += size) {
    yield { base64: toBase64(blob.bytes.subarray(at, at + size)) };
  }
}

/** Joined and cut to pieces of about the same size, never within a character. */
function* textParts(texts: Iterable<string>): Generator<{ text: string }> {
  let held = "";
  let any = false;
  for (const text of texts) {
    held += text;
    let at = 0;
    for (; held.length - at >= PIECE_CHARS; any = true) {
      const end = at + PIECE_CHARS;
      const unit = held.charCodeAt(end - 1);
      const cut = unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
      yield { text: held.slice(at, cut) };
      at = cut;
    }
    held = held.slice(at);
  }
  if (held || !any) yield { text: held };
}

class LineWriter {
  files = 0;
  private lines = 0;

  constructor(private readonly sum: RunningHash) {}

  line(value: BundleHeader | BundlePiece): string {
    const line = `${JSON.stringify(value)}\n`;
    this.sum.update(line);
    this.lines++;
    return line;
  }

  *file(name: BundledName, pieces: Iterable<Pick<BundlePiece, "text" | "base64">>): Generator<string> {
    this.files++;
    let before: Pick<BundlePiece, "text" | "base64"> | undefined;
    for (const piece of pieces) {
      if (before) yield this.line({ kind: "piece", name, ...before, more: true });
      before = piece;
    }
    if (before) yield this.line({ kind: "piece", name, ...before });
  }

  end(): string {
    const end = { kind: "end", lines: this.lines, files: this.files, sha256: this.sum.digest() };
    return `${JSON.stringify(end)}\n`;
  }
}

/** @param title redacted @param ending of a file for people; absent: of one that can be imported */
export function exportName(id: string, title: string, ending?: string): string {
  const slug = slugify(title);
  if (ending !== undefined) return `${slug || id}.${ending}`;
  return `${slug ? `${slug}-` : ""}${id}.strata.jsonl`;
}

/** A title as a part of a file's name, in any script. */
function slugify(title: string): string {
  const words =
    title
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...words.join("-")].slice(0, 40).join("").replace(/-$/, "");
}
