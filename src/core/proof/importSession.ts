/** An exported session becomes one of this storage: whole, or not at all. */
import { isObject, parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { isWithin } from "../../shared/paths";
import {
  type BlobWriter,
  type Ids,
  type RunningHash,
  type SessionFiles,
  type SessionStorage,
  StorageError,
} from "../ground/ports";
import { isSessionFileName } from "../ground/ports/storage";
import { fromBase64 } from "../ground/text/bytes";
import { decodeLog } from "../log/codec";
import { SaidIndex } from "../log/ledger/proof";
import { decodeReadable } from "../log/readLog";
import { importedLine } from "../log/recordKinds";
import { type BundlePiece, childFile, readBundle } from "./bundle";

interface ImportDeps {
  storage: SessionStorage;
  ids: Ids;
  newHash(): RunningHash;
  /** folders of the workspace that it becomes one of, absolute, '/' separators: commands of the session begin in no other */
  roots: readonly string[];
  signal?: AbortSignal;
}

/**
 * Reads the export twice: all of it is proven before anything is created. It keeps its id; where that is taken here, it
 * gets a new one, and the headers of its logs name that (records and requests name no session). What was allowed where it
 * comes from is not allowed here.
 * @param open begins reading from the start; text cut anywhere
 * @returns `was`: the id that was taken; `revoked`: permissions that do not count here
 * Rejects with BundleError, SessionError, NewerLogError, NotALogError, StorageError: then nothing is left.
 */
export async function importSession(
  open: () => AsyncIterable<string>,
  { storage, ids, newHash, roots, signal }: ImportDeps,
): Promise<{ id: string; was?: string; revoked: number }> {
  const read = (take: (piece: BundlePiece) => Promise<void> | void) =>
    readBundle(open(), newHash, piece => {
      signal?.throwIfAborted();
      return take(piece);
    });
  const heads = new Map<string, string>();
  const { sessionId } = await read(({ name, text = "" }) => {
    if (name.endsWith("history.jsonl") && !heads.has(name)) heads.set(name, text.slice(0, text.indexOf("\n") + 1));
  });
  // A log of a newer version is refused before it is here.
  for (const head of heads.values()) decodeLog(head);
  const files = await create(storage, sessionId, ids);
  const writer = new Writer(files, newHash, roots);
  let revoked: number;
  try {
    await read(piece => writer.take(piece));
    revoked = await writer.finish();
  } catch (error) {
    await writer.close();
    // Its history is written last: what cannot be removed opens as no session.
    await storage.remove(files.id).catch(() => undefined);
    throw error;
  }
  return { id: files.id, ...(files.id === sessionId ? {} : { was: sessionId }), revoked };
}

async function create(storage: SessionStorage, id: string, ids: Ids): Promise<SessionFiles> {
  try {
    return await storage.create(id);
  } catch (error) {
    // It is there already; where something else is wrong, a new one cannot be made either.
    if (error instanceof StorageError && error.code === "IO") return storage.create(ids.next("ses"));
    throw error;
  }
}

/** Blobs as they come; a log when all of it is there. */
class Writer {
  private text = "";
  private blob: BlobWriter | undefined;
  private revoked = 0;
  /** The file that makes it a session: held back until the sum at the end is proven again. */
  private history = "";
  private readonly children = new Map<string, Writer>();
  /** of archives that are other bytes here than in the export, by what they hashed to there */
  private readonly proofs = new Map<string, string>();
  private readonly said = new SaidIndex();

  constructor(
    private readonly files: SessionFiles,
    private readonly newHash: () => RunningHash,
    private readonly roots: readonly string[],
  ) {}

  /** Its children first: without them it opens as no session. @returns how many permissions do not count here */
  async finish(): Promise<number> {
    for (const child of this.children.values()) this.revoked += await child.finish();
    await this.files.replace("history.jsonl", this.history);
    await this.files.close();
    return this.revoked;
  }

  async close(): Promise<void> {
    for (const child of this.children.values()) await child.close();
    await this.files.close();
  }

  /** They keep their ids, which records name. */
  private async child(id: string): Promise<Writer> {
    const { children } = this.files;
    if (!children) throw new StorageError("IO", t("The agents of a session can't be kept here."));
    const known = this.children.get(id) ?? new Writer(await children.create(id), this.newHash, this.roots);
    this.children.set(id, known);
    return known;
  }

  async take(piece: BundlePiece): Promise<void> {
    const { name, text, more } = piece;
    const child = childFile(name);
    if (child) return (await this.child(child.childId)).take({ ...piece, name: child.file });
    if (!isSessionFileName(name)) return this.takeBlob(piece);
    this.text += text ?? "";
    if (more) return;
    const whole = this.text;
    this.text = "";
    if (name === "requests.jsonl") return this.files.replace(name, whole);
    const { log: foreign, revoked } = foreignLog(this.files.id, whole, this.roots);
    this.revoked += revoked;
    const log = this.withProofs(this.withSaidLedgers(foreign));
    if (name === "history.jsonl") {
      this.history = log;
      return;
    }
    if (log !== whole) this.proofs.set(this.sha256(whole), this.sha256(log));
    await this.files.replace(name, log);
  }

  /** An archive comes before the record of the compaction that wrote it. */
  private withProofs(log: string): string {
    if (this.proofs.size === 0) return log;
    return log.replace(/"archiveSha256":"([0-9a-f]{64})"/g, (all, sha256) =>
      all.replace(sha256, this.proofs.get(sha256) ?? sha256),
    );
  }

  /**
   * A ledger with words that no record has is left out: the next compaction makes one of the records. An archive comes before the
   * compactions that name what went there.
   */
  private withSaidLedgers(log: string): string {
    // Of an archive that cannot be read, none: it stays as it is, and is named where it is asked for.
    const records = decodeReadable(log)?.records ?? [];
    this.said.add(records);
    const forged = new Set(
      records.flatMap(record =>
        record.kind === "compaction" && this.said.unsaid(record.ledger ?? []).length > 0 ? record.id : [],
      ),
    );
    if (forged.size === 0) return log;
    const lines = log.split("\n").map(text => {
      const line = parseJson(text);
      if (!isObject(line) || !forged.has(String(line.id))) return text;
      const { ledger: _, ...rest } = line;
      return JSON.stringify(rest);
    });
    return lines.join("\n");
  }

  private sha256(text: string): string {
    const hash = this.newHash();
    hash.update(text);
    return hash.digest();
  }

  /** Its name is what its bytes hash to, which was proven before. */
  private async takeBlob({ text, base64 = "", more }: BundlePiece): Promise<void> {
    const blob = this.blob ?? this.files.blobWriter();
    this.blob = more ? blob : undefined;
    await blob.write(text === undefined ? (fromBase64(base64) ?? new Uint8Array()) : new TextEncoder().encode(text));
    if (!more) await blob.finish();
  }
}

/** Under another id it stays of its family. */
function headerFor(sessionId: string, header: Record<string, unknown>): Record<string, unknown> {
  const family = header.family ?? header.sessionId;
  return { ...header, sessionId, ...(family === sessionId ? {} : { family }) };
}

/**
 * A log that was written elsewhere, perhaps by somebody else: it names this session, what was allowed there is not allowed
 * here, messages that wait are sent by nobody but a person, its commands begin in no folder outside the workspace, and what it
 * changed outside of it is taken back by nobody. All other lines keep their bytes. Throws SessionError. (Neither approvals nor modes nor folders are in requests, so the proof of those stands.)
 * @returns `revoked`: permissions that it gave and that do not count here
 */
export function foreignLog(sessionId: string, log: string, roots: readonly string[]): { log: string; revoked: number } {
  let revoked = 0;
  const here = { roots, isFolder: (path: unknown) => typeof path === "string" && isInRoots(path, roots) };
  const lines = log.split("\n").map(text => {
    const line = parseJson(text);
    // Damaged where it comes from, so it stays as it stands.
    if (!isObject(line)) return text;
    if (line.kind === "header") return JSON.stringify(headerFor(sessionId, line));
    const imported = importedLine(line, here);
    if (imported?.revokes) revoked++;
    return imported ? JSON.stringify(imported.line) : text;
  });
  return { log: lines.join("\n"), revoked };
}

const isInRoots = (path: string, roots: readonly string[]): boolean =>
  !path.split(/[/\\]/).includes("..") && roots.some(root => isWithin(root, path));
