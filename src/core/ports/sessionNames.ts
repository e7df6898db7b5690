/** What the files of a session are called (CONTEXT.md, section 6). */

/** The append-only files of a session. */
export type SessionLogName = "history.jsonl" | "requests.jsonl" | "runs.jsonl";

/** `archive/0001.jsonl`: the records that a compaction replaced; written once. */
export type ArchiveName = `archive/${string}.jsonl`;

/** Every file of a session that is read as a whole. Those in folders are numbered: `archive/0001.jsonl`. */
export type SessionFileName = SessionLogName | "history.broken.jsonl" | ArchiveName | `runs/${string}.jsonl`;

/** The folders of a session whose names can be listed. */
export type SessionFolderName = "archive" | "runs" | "orphans" | "blobs";

const LOG = /^(history|requests|runs)\.jsonl$/;
const FILE = /^(history|history\.broken|requests|runs|(archive|runs)\/[0-9]{4,9})\.jsonl$/;

export function isSessionLogName(name: string): name is SessionLogName {
  return LOG.test(name);
}

/** Names also come from the headers of logs: one that leads out of the session's folder is none. */
export function isSessionFileName(name: string): name is SessionFileName {
  return FILE.test(name);
}

/** Of the names that a log's header gives: those that can be read. */
export function isArchiveName(name: string): name is ArchiveName {
  return name.startsWith("archive/") && FILE.test(name);
}

/** What a file that is set aside is called in `orphans`: no name that is taken. */
export function orphanName(name: SessionFileName, taken: ReadonlySet<string>): string {
  const stem = name.replace("/", "-").replace(/\.jsonl$/, "");
  let free = `${stem}.jsonl`;
  for (let count = 2; taken.has(free); count++) free = `${stem}.${count}.jsonl`;
  return free;
}
