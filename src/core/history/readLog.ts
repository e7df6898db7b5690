/** A session's log to look things up in, for those who read it without a `History`. Reads only. */
import type { ArchiveName, Hash, SessionFiles } from "../ports";
import { Archives } from "./archives";
import { decodeLog } from "./codec";
import type { SessionLog } from "./handles";

/** Rejects with StorageError, NewerLogError, NotALogError. */
export async function readLog(files: SessionFiles, hash: Hash): Promise<SessionLog> {
  const { records, header } = decodeLog((await files.read("history.jsonl")) ?? "");
  return { records, archived: new Archives(files, () => header.archives as ArchiveName[]), files, hash };
}
