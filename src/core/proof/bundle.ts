/**
 * A session as one file, `.strata.jsonl`: a header line, then the session's files in pieces, one a line, those of its children
 * first (`children/<id>/…`), `history.jsonl` last of each, then a line with counts and the sha256 of all lines before it (`head -n -1 FILE | sha256sum`). Reading it holds one
 * line at a time; a file that was cut off or changed is noticed at the latest at its end.
 */

import * as z from "zod";
import { isObject, parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { CodedError, type RunningHash, type SessionFileName } from "../ground/ports";
import { isSessionFileName } from "../ground/ports/storage";
import { fromBase64 } from "../ground/text/bytes";

/** 1: without children */
export const BUNDLE_VERSION = 2;

const bundleHeaderSchema = z.object({
  kind: z.literal("strata-export"),
  version: z.literal([1, BUNDLE_VERSION]),
  sessionId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/),
  /** ms since the epoch: when it was exported */
  created: z.number(),
  /** version of Strata that wrote it */
  app: z.string(),
});
export type BundleHeader = z.infer<typeof bundleHeaderSchema>;

export type BundledName = SessionFileName | `blobs/${string}` | `children/${string}`;

const BLOB_NAME = /^blobs\/([0-9a-f]{64})$/;

/** The hash that a blob's name says; undefined: it is a log. */
const blobHash = (name: string): string | undefined => {
  const child = childFile(name);
  return child ? blobHash(child.file) : BLOB_NAME.exec(name)?.[1];
};

/** Whose file it is: of a child, and what it is called there; undefined: it is the session's own. */
export function childFile(name: string): { childId: string; file: BundledName } | undefined {
  const [, childId, file] = /^children\/([A-Za-z0-9][A-Za-z0-9_-]{0,99})\/(.+)$/.exec(name) ?? [];
  return childId === undefined ? undefined : { childId, file: file as BundledName };
}

/** Deeper than agents ever ask agents. */
const MAX_DEPTH = 8;

/**
 * Nothing but these: names in a file that came from elsewhere must lead nowhere, and what was decided about calls on a machine
 * is said by that machine alone.
 */
function isBundled(name: unknown, depth = 0): boolean {
  if (typeof name !== "string") return false;
  const child = childFile(name);
  if (child) return depth < MAX_DEPTH && isBundled(child.file, depth + 1);
  return BLOB_NAME.test(name) || (isSessionFileName(name) && !UNBUNDLED.includes(name));
}
const UNBUNDLED = ["history.broken.jsonl", "permissions.jsonl"];

/** The sessions that a file lies in, the outermost first: "", "children/a/", … */
const sessionsOf = (name: string): string[] => [
  "",
  ...[...name.matchAll(/children\/[^/]+\//g)].map(({ 0: level, index }) => name.slice(0, index + level.length)),
];

/** A piece of a file; those of one file follow each other. Logs are text; a blob that is no UTF-8 is base64. */
const pieceSchema = z.object({
  kind: z.literal("piece"),
  name: z.custom<BundledName>(name => isBundled(name)),
  text: z.string().optional(),
  base64: z.string().optional(),
  /** the next line is of the same file */
  more: z.literal(true).optional(),
});
export type BundlePiece = z.infer<typeof pieceSchema>;

const bundleEndSchema = z.object({
  kind: z.literal("end"),
  /** before this one */
  lines: z.int(),
  files: z.int(),
  /** lower-case hex, of all lines before this one with their ends, as UTF-8 */
  sha256: z.string(),
});

class BundleError extends CodedError<"NOT_AN_EXPORT" | "NEWER" | "CUT_OFF" | "CHANGED" | "TOO_LARGE"> {
  override readonly name = "BundleError";
}

/** Characters of a piece: escaped and with its frame it stays far below `MAX_LINE`. */
export const PIECE_CHARS = 256 * 1024;
const MAX_LINE = 4 * 1024 * 1024;
/** Characters of a log. More than this no program could hold as one text. */
const MAX_LOG = 400_000_000;

/**
 * Reads an export and proves it: the order of its lines, names, blobs against theirs, the sum at its end.
 * @param chunks text as it comes from a file, cut anywhere
 * @param take gets each piece as soon as its line stands; what it was given counts only when this resolves
 * @returns the header. Rejects with BundleError and with what `take` rejects with.
 */
export async function readBundle(
  chunks: AsyncIterable<string>,
  newHash: () => RunningHash,
  take: (piece: BundlePiece) => Promise<void> | void,
): Promise<BundleHeader> {
  const reader = new BundleReader(newHash);
  for await (const line of readLines(chunks)) {
    const piece = reader.next(line);
    if (piece) await take(piece);
  }
  return reader.end();
}

class BundleReader {
  private header: BundleHeader | undefined;
  private lines = 0;
  private readonly names = new Set<string>();
  /** the file whose pieces come now */
  private open: { name: string; chars: number; hash: RunningHash | undefined } | undefined;
  /** sessions of which all is there */
  private readonly whole = new Set<string>();
  private ended = false;
  private readonly sum: RunningHash;

  constructor(private readonly newHash: () => RunningHash) {
    this.sum = newHash();
  }

  next(line: string): BundlePiece | undefined {
    const value = parseJson(line);
    if (this.ended) throw this.damaged();
    if (this.header && isObject(value) && value.kind === "end") return this.finish(value);
    const piece = this.header && this.piece(value);
    this.header ??= parseHeader(value);
    this.sum.update(`${line}\n`);
    this.lines += 1;
    return piece;
  }

  end(): BundleHeader {
    if (!this.header) throw new BundleError("NOT_AN_EXPORT", t("{0} It is empty.", noExport()));
    if (!this.ended) throw cutOffError();
    return this.header;
  }

  private piece(value: unknown): BundlePiece {
    const { data: piece } = pieceSchema.safeParse(value);
    if (!piece || (piece.text === undefined) === (piece.base64 === undefined)) throw this.damaged();
    const { name, text, base64 = "", more } = piece;
    const open = this.open ?? this.begin(name);
    const data = text ?? (open.hash && fromBase64(base64));
    if (open.name !== name || data === undefined) throw this.damaged();
    open.hash?.update(data);
    open.chars += data.length;
    if (!open.hash && open.chars > MAX_LOG)
      throw new BundleError("TOO_LARGE", t("{0} in this export is too large to be opened.", name));
    this.open = more && open;
    if (!more && open.hash && open.hash.digest() !== blobHash(name)) throw this.damaged();
    return piece;
  }

  /** Each file once, the `history.jsonl` of a session behind its other files and those of its children. */
  private begin(name: string) {
    const sessions = sessionsOf(name);
    if (this.names.has(name) || sessions.some(session => this.whole.has(session))) throw this.damaged();
    this.names.add(name);
    const session = sessions.at(-1) ?? "";
    if (name === `${session}history.jsonl`) this.whole.add(session);
    return { name, chars: 0, hash: blobHash(name) === undefined ? undefined : this.newHash() };
  }

  private finish(value: unknown): undefined {
    const { data: end } = bundleEndSchema.safeParse(value);
    const adds = end?.lines === this.lines && end.files === this.names.size && end.sha256 === this.sum.digest();
    const isWhole = this.whole.has("") && [...this.names].flatMap(sessionsOf).every(each => this.whole.has(each));
    if (!adds || this.open || !isWhole) throw this.damaged();
    this.ended = true;
  }

  /** By the line that is read. */
  private damaged(): BundleError {
    const text = t(
      "This export was changed or damaged, as line {0} shows. Copy it again, or export the session again.",
      this.lines + 1,
    );
    return new BundleError("CHANGED", text);
  }
}

/** Rejects with BundleError where the last line has no end, or a line is longer than any of an export. */
async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  let first = true;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      yield held + chunk.slice(from, end);
      held = "";
      first = false;
      from = end + 1;
    }
    held += chunk.slice(from);
    if (held.length > MAX_LINE)
      throw new BundleError("NOT_AN_EXPORT", t("{0} One of its lines is too long.", noExport()));
  }
  if (!held) return;
  // A cut within the very first line: what stands there may be anything.
  if (first && !held.startsWith('{"kind":"strata-export"')) throw new BundleError("NOT_AN_EXPORT", noExport());
  throw cutOffError();
}

const noExport = () => t("This file is no export of a Strata session.");

function parseHeader(value: unknown): BundleHeader {
  const { data } = bundleHeaderSchema.safeParse(value);
  if (data) return data;
  if (isObject(value) && value.kind === "strata-export" && Number(value.version) > BUNDLE_VERSION) {
    throw new BundleError(
      "NEWER",
      t(
        "This export was written by a newer version of Strata (export version {0}, this one reads {1}). Update Strata to import it.",
        String(value.version),
        BUNDLE_VERSION,
      ),
    );
  }
  throw new BundleError("NOT_AN_EXPORT", noExport());
}

function cutOffError(): BundleError {
  const text = t("This export is cut off: its end is missing. Copy it again, or export the session again.");
  return new BundleError("CUT_OFF", text);
}
