/**
 * A log that was written elsewhere, perhaps by somebody else: it names this session, what was allowed there is not allowed
 * here, and messages that wait are sent by nobody but a person. All other lines keep their bytes. (Neither approvals nor modes are in requests, so the proof of those stands.)
 */
import { isObject, parseJson } from "../text/json";

/** @returns `revoked`: permissions that it gave and that do not count here */
export function foreignLog(sessionId: string, log: string): { log: string; revoked: number } {
  let revoked = 0;
  const lines = log.split("\n").map(line => {
    const record = objectOf(line);
    if (record?.kind === "header") return JSON.stringify({ ...record, sessionId });
    const bound = record && withoutPermissions(record);
    if (bound) revoked++;
    const held = record && withHeldMessages(bound ?? record);
    return held || bound ? JSON.stringify(held ?? bound) : line;
  });
  return { log: lines.join("\n"), revoked };
}

type Json = Record<string, unknown>;

/** undefined: it gives none */
function withoutPermissions(record: Json): Json | undefined {
  if (record.kind === "mode" && isLoose(record.mode)) return { ...record, mode: "ask" };
  if (record.kind === "approval" && isObject(record.answer) && record.answer.scope === "session") {
    return { ...record, answer: { ...record.answer, scope: "once" } };
  }
  if (record.kind !== "compaction" || !isObject(record.snapshot)) return undefined;
  const { mode, grants } = record.snapshot;
  const granted = Array.isArray(grants) && grants.length > 0;
  if (!isLoose(mode) && !granted) return undefined;
  return { ...record, snapshot: { ...record.snapshot, grants: [], ...(isLoose(mode) ? { mode: "ask" } : {}) } };
}

/** undefined: none waits in it */
function withHeldMessages(record: Json): Json | undefined {
  if (record.kind === "pending" && record.op === "added") return { ...record, held: true };
  if (record.kind !== "compaction" || !isObject(record.snapshot)) return undefined;
  const { pending } = record.snapshot;
  if (!Array.isArray(pending) || pending.length === 0) return undefined;
  const held = pending.map(item => (isObject(item) ? { ...item, held: true } : item));
  return { ...record, snapshot: { ...record.snapshot, pending: held } };
}

const isLoose = (mode: unknown): boolean => mode === "edits" || mode === "auto";

/** undefined: damaged where it comes from, so it stays as it stands */
function objectOf(line: string): Json | undefined {
  const value = parseJson(line);
  return isObject(value) ? value : undefined;
}
