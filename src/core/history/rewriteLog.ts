/**
 * The live log's text, taken apart and put together line by line: what stays keeps its bytes, also where this version does
 * not know all of it. Pure.
 */
import type { ArchiveName } from "../ports";

interface Line {
  id: unknown;
  seq: number;
  text: string;
}

/** The lines that stay, and those of the records that go, each with its end. The header is in neither. */
export function splitLog(log: string, goes: ReadonlySet<string>): { kept: string[]; gone: string[] } {
  const kept: string[] = [];
  const gone: string[] = [];
  for (const { id, text } of recordLines(log)) (typeof id === "string" && goes.has(id) ? gone : kept).push(text);
  return { kept, gone };
}

/** The lines of both logs in the order of their numbers, each record once. The headers are not among them. */
export function mergeLogs(archive: string, live: string): string[] {
  const seen = new Set<unknown>();
  return [...recordLines(archive), ...recordLines(live)]
    .filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)))
    .sort((a, b) => a.seq - b.seq)
    .map(({ text }) => text);
}

/** Of all records, also of kinds that this version does not know. */
export function recordIds(log: string): Set<string> {
  return new Set(recordLines(log).flatMap(({ id }) => (typeof id === "string" ? [id] : [])));
}

/** The name of the next archive; where a log that came from elsewhere leaves no room behind the last one, a free one. */
export function nextArchiveName(archives: readonly string[]): ArchiveName {
  const taken = new Set(archives.map(name => Number(/(?:^|\/)(\d{4,9})\.jsonl$/.exec(name)?.[1] ?? 0)));
  let next = [...taken].reduce((most, number) => Math.max(most, number), 0) + 1;
  if (next > LAST_ARCHIVE) for (next = 1; taken.has(next); ) next++;
  return `archive/${String(next).padStart(4, "0")}.jsonl`;
}

/** Names have nine digits at most. */
const LAST_ARCHIVE = 999_999_999;

function recordLines(log: string): Line[] {
  const lines = log.split("\n").slice(1, -1);
  let last = 0;
  return lines.map(text => {
    const { id, seq } = parseIds(text);
    // A line that says nothing of its place stays behind the one before it.
    last = seq ?? last;
    return { id, seq: last, text: `${text}\n` };
  });
}

function parseIds(line: string): { id?: unknown; seq?: number } {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return {};
    const { id, seq } = value as { id?: unknown; seq?: unknown };
    return { id, ...(typeof seq === "number" ? { seq } : {}) };
  } catch {
    // No record: it stays as it stands.
    return {};
  }
}
