/** A session's log for those who read it without a `History`. Reads only. */
import type { LogRecord } from "../../shared/records";
import type { ArchiveName, CallerFiles, Hash, SessionFiles, SessionTextReader } from "../ground/ports";
import { isArchiveName } from "../ground/ports/storage";
import { Archives } from "./archives";
import { type DecodedLog, decodeLog, neverBegan } from "./codec";

/** To look things up in: all, or records whose lines may be wanted. Rejects with StorageError, NewerLogError, NotALogError. */
export async function readLog(files: SessionFiles, hash?: Hash, mayBe?: RegExp) {
  const lines = ((await files.read("history.jsonl")) ?? "").split("\n");
  const wanted = lines.filter((line, at) => !mayBe || at === 0 || at === lines.length - 1 || mayBe.test(line));
  const { records, header } = decodeLog(wanted.join("\n"));
  return {
    records,
    archived: new Archives(files, () => header.archives as ArchiveName[]),
    files,
    ...(hash && { hash }),
  };
}

/** The sessions below one, the newest first: each is open to read while it is looked at. Rejects with StorageError. */
export async function* childrenOf({ children }: CallerFiles): AsyncGenerator<SessionFiles> {
  if (!children) return;
  for (const { id } of await children.list()) {
    const files = await children.open(id, { readOnly: true });
    try {
      yield files;
    } finally {
      await files.close();
    }
  }
}

/** Every record of a session, live and archived. */
interface WholeLog {
  /** oldest first, each once */
  records: LogRecord[];
  /** 1-based lines that are no records, by file */
  broken: { file: string; line: number }[];
  /** as the header names them, oldest first */
  archives: ArchiveName[];
  /** those of them that are not there or cannot be read */
  missing: string[];
  /** records with a number that is not above the one before */
  falling: LogRecord[];
}

/** For those who need all records (proofs, lists). Rejects with StorageError, and for the live log with NewerLogError and NotALogError. */
export async function readWholeLog(files: SessionTextReader): Promise<WholeLog> {
  const text = (await files.read("history.jsonl")) ?? "";
  if (neverBegan(text)) return { records: [], broken: [], archives: [], missing: [], falling: [] };
  const live = decodeLog(text);
  const archives = live.header.archives as ArchiveName[];
  const byId = new Map<string, LogRecord[]>();
  const whole: WholeLog = { records: [], broken: [], archives, missing: [], falling: [] };
  const take = (file: string, log: DecodedLog) => {
    // The same record may stand in two files. Two of one file with the same id are two: one of them is damaged.
    for (const [id, records] of Map.groupBy(log.records, record => record.id)) byId.set(id, records);
    whole.falling.push(...notRising(log.records));
    whole.broken.push(...log.broken.map(({ line }) => ({ file, line })));
  };
  for (const name of archives) {
    const text = isArchiveName(name) ? await files.read(name) : undefined;
    const log = text === undefined ? undefined : decodeReadable(text);
    if (log) take(name, log);
    else whole.missing.push(name);
  }
  take("history.jsonl", live);
  whole.records = [...byId.values()].flat().sort((a, b) => a.seq - b.seq);
  whole.falling = [...new Set([...whole.falling, ...notRising(whole.records)])];
  return whole;
}

const notRising = (records: readonly LogRecord[]) =>
  records.filter(({ seq }, at) => seq <= (records[at - 1]?.seq ?? 0));

/** undefined: no first line that can be read, or a newer version: the caller names the file. */
export function decodeReadable(text: string): DecodedLog | undefined {
  try {
    return decodeLog(text);
  } catch {
    return undefined;
  }
}
