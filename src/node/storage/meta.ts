/** What the list of sessions shows: a cache beside each log, or else the log itself. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { SessionMeta } from "../../core/ports";
import { headerSchema } from "../../shared/records";
import { titleFrom } from "../../shared/title";
import { isMissing } from "../errno";
import { readOr } from "./disk";

const metaSchema = z.object({
  id: z.string(),
  title: z.string(),
  created: z.number(),
  updated: z.number(),
  turns: z.int().min(0),
});

/** The few fields that a list needs, whatever else a record holds: also of records that this version does not know. */
const glimpseSchema = z.object({
  kind: z.string(),
  ts: z.number().catch(0),
  title: z.string().optional().catch(undefined),
  message: z
    .object({
      role: z.string(),
      parts: z.array(z.object({ type: z.string(), text: z.string().optional() })),
      metadata: z.object({ turn: z.number() }),
    })
    .optional()
    .catch(undefined),
});

/** undefined: the folder holds no session. */
export async function readMeta(id: string, folder: string): Promise<SessionMeta | undefined> {
  const logTime = await changed(join(folder, "history.jsonl"));
  if (logTime === undefined) return undefined;
  const metaTime = await changed(join(folder, "meta.json"));
  // A log that is newer than its cache is of a session that runs now, or that crashed.
  if (metaTime !== undefined && metaTime >= logTime) {
    const cached = parseMeta((await readOr(join(folder, "meta.json")))?.toString("utf8") ?? "");
    if (cached?.id === id) return cached;
  }
  const log = await readOr(join(folder, "history.jsonl"));
  return log && metaOfLog(id, log.toString("utf8"));
}

/** From the log alone; lines that make no sense are passed over. Undefined: its first line is no header. */
export function metaOfLog(id: string, log: string): SessionMeta | undefined {
  const [first = "", ...lines] = log.split("\n");
  const header = headerSchema.safeParse(json(first)).data;
  if (!header) return undefined;
  const meta: SessionMeta = { id, title: "", created: header.created, updated: header.created, turns: 0 };
  let named = false;
  for (const line of lines) {
    const record = glimpseSchema.safeParse(json(line)).data;
    if (!record) continue;
    meta.updated = Math.max(meta.updated, record.ts);
    if (record.kind === "title" && record.title !== undefined) {
      meta.title = record.title;
      named = true;
    }
    if (record.kind !== "message" || !record.message) continue;
    const { role, parts, metadata } = record.message;
    meta.turns = Math.max(meta.turns, metadata.turn);
    if (!named && meta.title === "" && role === "user") {
      meta.title = titleFrom(parts.find(part => part.type === "text")?.text ?? "");
    }
  }
  return meta;
}

function parseMeta(text: string): SessionMeta | undefined {
  return metaSchema.safeParse(json(text)).data;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a torn or broken line: opening the session mends and reports it, the list goes on without it
    return undefined;
  }
}

async function changed(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
