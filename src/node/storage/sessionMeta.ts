/** What the list of sessions shows: a cache beside each log, or else the log itself. */
import { join } from "node:path";
import * as z from "zod";
import type { SessionMeta } from "../../core/ground/ports";
import { parseJson } from "../../shared/isObject";
import { headerSchema, LOG_VERSION } from "../../shared/records";
import { sessionMetaSchema } from "../../shared/sessionsProtocol";
import { titleFrom } from "../../shared/title";
import { readOr } from "../disk";
import { unlessMissing } from "../errno";
import type { FileSystem } from "../fileSystem";

const ifSound = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const named = { title: ifSound(z.string()), pinned: ifSound(z.boolean()) };
/** The few fields that a list needs, also of records that this version does not know. */
const glimpseSchema = z.object({
  kind: z.string(),
  seq: z.number().catch(0),
  ts: z.number().catch(0),
  ...named,
  message: ifSound(
    z.object({
      role: z.string(),
      parts: z.array(z.object({ type: z.string(), text: z.string().optional() })),
      metadata: z.object({ turn: z.number() }),
    }),
  ),
  /** of a compaction: what stood in the records that it moved to the archive */
  snapshot: ifSound(z.object({ ...named, turn: z.number().catch(0) })),
});

/** From `meta.json`, where it is as new as the log. undefined: the folder holds no session */
export async function glanceMeta(fs: FileSystem, id: string, folder: string): Promise<SessionMeta | undefined> {
  const logTime = await lastModified(fs, join(folder, "history.jsonl"));
  if (logTime === undefined) return undefined;
  const metaTime = await lastModified(fs, join(folder, "meta.json"));
  if (metaTime !== undefined && metaTime >= logTime) {
    const cached = sessionMetaSchema.safeParse(parseJson(String(await readOr(fs, join(folder, "meta.json"))))).data;
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
  const header = headerSchema.safeParse(parseJson(first)).data;
  if (!header) return undefined;
  const meta: SessionMeta = { id, title: "", created: header.created, updated: header.created, turns: 0 };
  let asked = "";
  // A torn or broken line is mended and reported where the session is opened.
  const records = lines.flatMap(line => glimpseSchema.safeParse(parseJson(line)).data ?? []);
  // By number, not by place: a compaction may stand before records that are older than it.
  records.sort((a, b) => a.seq - b.seq);
  for (const { kind, ts, message, snapshot, ...record } of records) {
    // Who names a session, or pins it, has not worked on it.
    if (kind !== "title") meta.updated = Math.max(meta.updated, ts);
    const { title, pinned } = kind === "title" ? record : kind === "compaction" ? (snapshot ?? {}) : {};
    meta.title = title ?? meta.title;
    if (pinned !== undefined) meta.pinned = pinned || undefined;
    meta.turns = Math.max(meta.turns, snapshot?.turn ?? (kind === "message" ? (message?.metadata.turn ?? 0) : 0));
    // A session without a title is named by the first words of the person.
    if (kind === "message" && message?.role === "user")
      asked ||= titleFrom(message.parts.find(part => part.type === "text")?.text ?? "");
  }
  const isNewer = header.version > LOG_VERSION;
  return { ...meta, title: meta.title || asked, ...(isNewer && { newer: true as const }) };
}

const lastModified = async (fs: FileSystem, path: string) => (await unlessMissing(fs.stat(path), undefined))?.mtimeMs;
