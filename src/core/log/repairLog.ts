/** What a crash left of a session's log, put right before it is read; nothing is deleted but a line that was cut off. */
import { plural, t } from "../../shared/l10n";
import type { LogHeader } from "../../shared/records";
import { type ArchiveName, type SessionFiles, StorageError } from "../ground/ports";
import { isArchiveName } from "../ground/ports/storage";
import { missingArchivesText } from "./archives";
import { type DecodedLog, encodeLine, recordIds } from "./codec";

/** What opening mended, in words for a person. */
export interface Repair {
  code: "log-torn" | "log-broken" | "archive-orphan" | "archive-missing";
  text: string;
}

/**
 * A cut-off last line goes, broken lines in the middle are moved to `history.broken.jsonl`, an archive that the header does not
 * name is named where records stand nowhere else; one that is missing is told. Rejects with StorageError: then the log is as it was.
 * @param log changes with what is on disk
 */
export async function repairLog(files: SessionFiles, log: DecodedLog): Promise<Repair[]> {
  const repairs = await repairLines(files, log);
  const known = new Set(log.header.archives);
  const there = (await files.list("archive")).map(name => `archive/${name}`).filter(isArchiveName);
  for (const name of there) if (!known.has(name)) repairs.push(...(await adopt(files, log, name)));
  return [...repairs, ...missingArchives(log, new Set(there))];
}

const torn = (): Repair => ({
  code: "log-torn",
  text: t(
    "The last line of this session's log was cut off, probably by a crash while it was written. It was removed; everything before it is here.",
  ),
});

/**
 * The first write was cut off in its header: nothing of it was acknowledged. Archives that are there all the same (somebody
 * emptied the log) stay findable. Rejects with StorageError.
 * @param text what is there of the log
 * @returns the header to begin with
 */
export async function restartLog(files: SessionFiles, header: LogHeader, text: string) {
  if (text !== "") await files.truncate("history.jsonl", 0);
  const archives = (await files.list("archive")).map(name => `archive/${name}`).filter(isArchiveName);
  return {
    header: { ...header, archives },
    repairs: [...(text === "" ? [] : [torn()]), ...archives.map(adopted)],
  };
}

const adopted = (name: ArchiveName): Repair => ({
  code: "archive-orphan",
  text: t(
    "{0} of this session holds records that its log did not know of any more. Recall finds them again; they are not in what the model is sent.",
    name,
  ),
});

/** Said once: it stays so. */
function missingArchives({ header, records }: DecodedLog, there: ReadonlySet<string>): Repair[] {
  const said = new Set(records.map(record => (record.kind === "note" ? record.text : "")));
  const so = t("what went there cannot be recalled, and that compaction cannot be undone");
  return header.archives
    .filter(name => !there.has(name))
    .map(name => missingArchivesText(records, [name], so))
    .filter(text => !said.has(text))
    .map(text => ({ code: "archive-missing", text }));
}

async function repairLines(files: SessionFiles, log: DecodedLog): Promise<Repair[]> {
  const repairs: Repair[] = [];
  if (log.broken.length > 0) {
    const before = (await files.read("history.broken.jsonl")) ?? "";
    await files.replace("history.broken.jsonl", before + log.broken.map(line => `${line.text}\n`).join(""));
    await files.replace("history.jsonl", log.whole);
    const lines = log.broken.map(line => line.line).join(", ");
    repairs.push({
      code: "log-broken",
      text: plural(
        log.broken.length,
        "A line of this session's log could not be read (line {1}) and moved to history.broken.jsonl. The rest is here.",
        "Some lines of this session's log could not be read (lines {1}) and moved to history.broken.jsonl. The rest is here.",
        lines,
      ),
    });
  } else if (log.torn) {
    await files.truncate("history.jsonl", log.torn.keepBytes);
  }
  if (log.torn) repairs.push(torn());
  return repairs;
}

/** A copy of records that the log has is left alone: a compaction was cut off. That naming the archive fails stops nobody from working. */
async function adopt(files: SessionFiles, log: DecodedLog, name: ArchiveName): Promise<Repair[]> {
  try {
    if (await standsElsewhere(files, log, name)) return [];
    const header = { ...log.header, archives: [...log.header.archives, name].sort() };
    await files.replace("history.jsonl", encodeLine(header) + log.whole.slice(log.whole.indexOf("\n") + 1));
    log.header = header;
    return [adopted(name)];
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const text = t("{0} belongs to no compaction of this session and was left where it is: {1}", name, error.message);
    return [{ code: "archive-orphan", text }];
  }
}

/** As after a crash before the log was replaced: every record is in the live log still, or in the next archives by now. */
async function standsElsewhere(files: SessionFiles, log: DecodedLog, name: ArchiveName): Promise<boolean> {
  const left = recordIds((await files.read(name)) ?? "");
  const drop = (text: string) => {
    for (const id of recordIds(text)) left.delete(id);
  };
  drop(log.whole);
  const archives = log.header.archives.filter(isArchiveName);
  for (const archive of [...archives.filter(other => other > name), ...archives.filter(other => other < name)]) {
    if (left.size === 0) break;
    drop((await files.read(archive)) ?? "");
  }
  return left.size === 0;
}
