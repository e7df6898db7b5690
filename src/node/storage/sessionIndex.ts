/**
 * What was last found of each session, so that a list of thousands need not read their folders anew: `sessions/.index.jsonl`, a
 * header and a row for each. It is made of the folders and may be lost at any time; an entry counts as long as the log stands as it stood
 * then. Windows replace it as a whole, so one's entries may be another's loss: they are found again.
 */
import { join } from "node:path";
import * as z from "zod";
import type { SessionMeta } from "../../core/ground/ports";
import { readOr, writeCache } from "../disk";
import { unlessMissing } from "../errno";
import type { FileSystem } from "../fileSystem";

const NAME = ".index.jsonl";
const FORMAT = 3;
const HEADER_BYTES = 256;
/** So many are read as fast as an index is. */
const FEW = 100;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  /** ms since the epoch; 0: never */
  measured: z.number(),
  /** of all sessions, then */
  bytes: z.number().min(0),
});
export type SessionMeasure = Pick<z.infer<typeof headerSchema>, "measured" | "bytes">;

/** The log as it stood: files that are written right after each other have one time. */
export interface LogStamp {
  modified: number;
  length: number;
  /** tells files apart */
  inode: number;
}

export const isSameStamp = (a: LogStamp, b: LogStamp): boolean =>
  a.modified === b.modified && a.length === b.length && a.inode === b.inode;

/** undefined: there is no such file, or it cannot be looked at */
export function stampOf(fs: FileSystem, path: string): LogStamp | undefined {
  try {
    const stats = fs.statSync(path);
    return stats?.isFile() ? { modified: stats.mtimeMs, length: stats.size, inode: stats.ino } : undefined;
  } catch {
    return undefined;
  }
}

export interface IndexEntry {
  id: string;
  log: LogStamp;
  meta?: SessionMeta | undefined;
  /** There was no newer meta.json: one may have come since. */
  isFromLog?: boolean | undefined;
  bytes?: number | undefined;
}

const NEVER: SessionMeasure = { measured: 0, bytes: 0 };

interface KnownIndex {
  measured: SessionMeasure;
  entries: Map<string, IndexEntry>;
}

export class SessionIndex {
  private readonly path: string;
  /** as it was read last: of ten thousand it takes longer to read than all the rest */
  private last: { file: LogStamp; known: KnownIndex } | undefined;

  constructor(
    private readonly fs: FileSystem,
    sessions: string,
  ) {
    this.path = join(sessions, NAME);
  }

  /** Of what makes no sense, nothing. */
  async read(): Promise<KnownIndex> {
    // Stamped before the read, so that a replacement meanwhile is read again.
    const file = stampOf(this.fs, this.path);
    if (file && this.last && isSameStamp(file, this.last.file)) return this.last.known;
    const known = await this.readAnew();
    this.last = file && { file, known };
    return known;
  }

  private async readAnew(): Promise<KnownIndex> {
    const nothing = { measured: NEVER, entries: new Map<string, IndexEntry>() };
    const text = (await readOr(this.fs, this.path).catch(() => undefined))?.toString("utf8");
    if (text === undefined) return nothing;
    const end = text.indexOf("\n");
    const measured = headerSchema.safeParse(json(text.slice(0, Math.max(0, end)))).data;
    const rows = json(text.slice(end + 1));
    if (!measured || !Array.isArray(rows)) return nothing;
    const entries = new Map<string, IndexEntry>();
    for (const row of rows) {
      const entry = entryOf(row);
      if (entry) entries.set(entry.id, entry);
    }
    return { measured, entries };
  }

  /** The first line alone. */
  async measured(): Promise<SessionMeasure> {
    const part = await unlessMissing(this.fs.readPart(this.path, 0, HEADER_BYTES), undefined).catch(() => undefined);
    const line = Buffer.from(part?.bytes ?? [])
      .toString("utf8")
      .split("\n")[0];
    return headerSchema.safeParse(json(line ?? "")).data ?? NEVER;
  }

  /** Where that fails (a full disk, one that cannot be written), the next list takes longer. */
  async write({ measured, bytes }: SessionMeasure, entries: readonly IndexEntry[]): Promise<void> {
    if (entries.length <= FEW) return;
    const header = JSON.stringify({ format: FORMAT, measured, bytes });
    const text = `${header}\n${JSON.stringify(entries.map(rowOf))}\n`;
    await writeCache(this.fs, this.path, text).catch(() => undefined);
  }
}

/** Flags of an entry, as bits of a number. */
const FLAGS = { isFromLog: 1, pinned: 2, newer: 4 };

const rowOf = ({ id, log, meta, isFromLog, bytes }: IndexEntry): unknown[] => {
  const flags = (isFromLog ? FLAGS.isFromLog : 0) + (meta?.pinned ? FLAGS.pinned : 0) + (meta?.newer ? FLAGS.newer : 0);
  const { files = 0, added = 0, removed = 0 } = meta?.changes ?? {};
  return [
    ...[id, log.modified, log.length, log.inode, bytes ?? null, flags],
    ...(meta ? [meta.title, meta.created, meta.updated, meta.turns, meta.cost ?? null, files, added, removed] : []),
    ...(meta?.compacted ? [meta.compacted.cursor, meta.compacted.time, meta.compacted.version] : []),
  ];
};

const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;
const isCountOrNull = (value: unknown): value is number | null => value === null || isCount(value);

/** By hand: of ten thousand, a schema takes longer than reading the file and parsing it. */
function entryOf(row: unknown): IndexEntry | undefined {
  if (!Array.isArray(row)) return undefined;
  const [id, modified, length, inode, bytes, flags, ...told] = row as unknown[];
  const log = isCount(modified) && isCount(length) && isCount(inode) ? { modified, length, inode } : undefined;
  if (typeof id !== "string" || !log || !isCountOrNull(bytes) || !isCount(flags)) return undefined;
  const meta = metaOf(id, flags, told);
  return { id, log, isFromLog: (flags & FLAGS.isFromLog) !== 0, bytes: bytes ?? undefined, ...(meta && { meta }) };
}

/** undefined: nothing was told */
function metaOf(id: string, flags: number, told: readonly unknown[]): SessionMeta | undefined {
  const [title, created, updated, turns, cost, files, added, removed, ...compacted] = told;
  const isTold = typeof title === "string" && typeof created === "number" && typeof updated === "number";
  if (!isTold || !isCount(turns) || !isCountOrNull(cost)) return undefined;
  const meta: SessionMeta = { id, title, created, updated, turns };
  if (cost !== null) meta.cost = cost;
  if (flags & FLAGS.pinned) meta.pinned = true;
  if (flags & FLAGS.newer) meta.newer = true;
  if (isCount(files) && files > 0 && isCount(added) && isCount(removed)) meta.changes = { files, added, removed };
  const [cursor, time, version] = compacted;
  if (typeof cursor === "string" && typeof time === "number" && typeof version === "number")
    meta.compacted = { cursor, time, version };
  return meta;
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // torn or broken: its session is read
    return undefined;
  }
}
