/** What the list of sessions shows: a cache beside each log, or else the log itself. */
import { join } from "node:path";
import * as z from "zod";
import type { SessionMeta } from "../../core/ground/ports";
import { compactedUpTo } from "../../shared/compaction";
import { headerSchema, LOG_VERSION } from "../../shared/records";
import { titleFrom } from "../../shared/title";
import { readOr } from "../disk";
import { unlessMissing } from "../errno";
import type { FileSystem } from "../fileSystem";

const metaSchema = z.object({
  id: z.string(),
  title: z.string(),
  created: z.number(),
  updated: z.number(),
  turns: z.int().min(0),
  cost: z.number().min(0).optional().catch(undefined),
  compacted: z.object({ cursor: z.string(), time: z.number(), version: z.int() }).optional().catch(undefined),
  pinned: z.literal(true).optional().catch(undefined),
  changes: z
    .object({ files: z.int().min(0), added: z.int().min(0), removed: z.int().min(0) })
    .optional()
    .catch(undefined),
});

/** The few fields that a list needs, also of records that this version does not know. */
const glimpseSchema = z.object({
  kind: z.string(),
  id: z.string().catch(""),
  seq: z.number().catch(0),
  ts: z.number().catch(0),
  title: z.string().optional().catch(undefined),
  pinned: z.boolean().optional().catch(undefined),
  message: z
    .object({
      role: z.string(),
      parts: z.array(z.object({ type: z.string(), text: z.string().optional() })),
      metadata: z.object({ turn: z.number() }),
    })
    .optional()
    .catch(undefined),
  summaries: z
    .array(z.object({ sourceRange: z.object({ toId: z.string() }) }))
    .optional()
    .catch(undefined),
  compactionId: z.string().optional().catch(undefined),
  /** of a compaction: what stood in the records that it moved to the archive */
  snapshot: z
    .object({
      title: z.string().optional().catch(undefined),
      pinned: z.boolean().optional().catch(undefined),
      turn: z.number().catch(0),
    })
    .optional()
    .catch(undefined),
});

/** From `meta.json`, where it is as new as the log. undefined: the folder holds no session */
export async function glanceMeta(fs: FileSystem, id: string, folder: string): Promise<SessionMeta | undefined> {
  const logTime = await lastModified(fs, join(folder, "history.jsonl"));
  if (logTime === undefined) return undefined;
  const metaTime = await lastModified(fs, join(folder, "meta.json"));
  if (metaTime !== undefined && metaTime >= logTime) {
    const cached = metaSchema.safeParse(
      json((await readOr(fs, join(folder, "meta.json")))?.toString("utf8") ?? ""),
    ).data;
    if (cached?.id === id) return cached;
  }
  const log = await readOr(fs, join(folder, "history.jsonl"));
  return log && metaFromLog(id, log.toString("utf8"));
}

/**
 * From the live log alone, whatever is in archives; lines that make no sense are passed over. Undefined: its first line is no
 * header.
 */
export function metaFromLog(id: string, log: string): SessionMeta | undefined {
  const [first = "", ...lines] = log.split("\n");
  const header = headerSchema.safeParse(json(first.replace(/^\uFEFF/, ""))).data;
  if (!header) return undefined;
  const meta: SessionMeta = { id, title: "", created: header.created, updated: header.created, turns: 0 };
  const compactions: (z.infer<typeof glimpseSchema> & { summaries: object })[] = [];
  const undone = new Set<string>();
  let asked = "";
  let named = { title: "", seq: Number.NEGATIVE_INFINITY };
  let pinned = { on: false, seq: Number.NEGATIVE_INFINITY };
  for (const line of lines) {
    const record = glimpseSchema.safeParse(json(line)).data;
    if (!record) continue;
    const { kind, message } = record;
    // Who names a session, or pins it, has not worked on it.
    if (kind !== "title") meta.updated = Math.max(meta.updated, record.ts);
    if (kind === "compaction" && record.summaries) compactions.push({ ...record, summaries: record.summaries });
    if (kind === "undo" || kind === "redo") undone[kind === "undo" ? "add" : "delete"](record.compactionId ?? "");
    const snapshot = kind === "compaction" ? record.snapshot : undefined;
    meta.turns = Math.max(meta.turns, snapshot?.turn ?? (kind === "message" ? (message?.metadata.turn ?? 0) : 0));
    const title = kind === "title" ? record.title : snapshot?.title;
    // By number, not by place: a compaction may stand before records that are older than it.
    if (title !== undefined && record.seq >= named.seq) named = { title, seq: record.seq };
    const on = kind === "title" ? record.pinned : snapshot?.pinned;
    if (on !== undefined && record.seq >= pinned.seq) pinned = { on, seq: record.seq };
    // A session without a title is named by the first words of the person.
    if (kind === "message" && message?.role === "user")
      asked ||= titleFrom(message.parts.find(part => part.type === "text")?.text ?? "");
  }
  meta.title = named.title || asked;
  const compacted = compactedUpTo(compactions.filter(({ id }) => !undone.has(id)).sort((a, b) => a.seq - b.seq));
  const isNewer = header.version > LOG_VERSION;
  return {
    ...meta,
    ...(compacted && { compacted }),
    ...(pinned.on && { pinned: true as const }),
    ...(isNewer && { newer: true as const }),
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a torn or broken line: opening the session mends and reports it
    return undefined;
  }
}

async function lastModified(fs: FileSystem, path: string): Promise<number | undefined> {
  return (await unlessMissing(fs.stat(path), undefined))?.mtimeMs;
}
