/** What a session's records say of changed files: of the live log and of archives, as one history. */
import type { LogRecord, RecordOf } from "../../shared/records";
import { StorageError } from "../ground/ports";
import { type ArchiveRange, type Archives, partRecords } from "./archives";
import type { SessionLog } from "./handles";

/** A record that says something of changes. Of one that is archived, the parts that take room are empty. */
export type ChangeRecord = RecordOf<"result"> | RecordOf<"revert"> | RecordOf<"review">;

export class ChangeRecords {
  /** Archives never change: what was found there once holds. */
  private readonly known = new Map<string, ChangeRecord[]>();

  constructor(private readonly log: SessionLog) {}

  /**
   * Oldest first; `missing`: archives that cannot be read, so that what was changed there is not among them. Rejects with nothing
   * but faults.
   */
  async read(): Promise<{ records: ChangeRecord[]; missing: string[] }> {
    const missing = new Set<string>();
    const records = new Map<string, ChangeRecord>();
    for (const record of await this.archived(missing)) records.set(record.id, record);
    for (const record of this.log.records) if (isChange(record)) records.set(record.id, record);
    return { records: [...records.values()].sort((a, b) => a.seq - b.seq), missing: [...missing] };
  }

  private async archived(missing: Set<string>): Promise<ChangeRecord[]> {
    const { archived } = this.log;
    if (!archived) return [];
    const records: ChangeRecord[] = [];
    for (const range of await archived.ranges(missing)) {
      try {
        const found = this.known.get(range.name) ?? (await changesIn(archived, range));
        this.known.set(range.name, found);
        records.push(...found);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        missing.add(range.name);
      }
    }
    return records;
  }
}

function isChange(record: LogRecord): record is ChangeRecord {
  if (record.kind === "revert" || record.kind === "review") return true;
  return record.kind === "result" && (record.changes?.length ?? 0) > 0;
}

/** Nothing else outside of a string has this. */
const mayBeChange = (text: string) => text.includes('"changes":[') || /"kind":"rev(ert|iew)"/.test(text);

async function changesIn(archived: Archives, range: ArchiveRange): Promise<ChangeRecord[]> {
  const found: ChangeRecord[] = [];
  for await (const part of archived.readParts(range)) {
    for (const record of partRecords(part, mayBeChange)) {
      if (isChange(record)) found.push(record.kind === "result" ? lighten(record) : record);
    }
  }
  return found;
}

function lighten({ changes = [], ...record }: RecordOf<"result">): RecordOf<"result"> {
  return { ...record, forms: { shown: "" }, changes: changes.map(change => ({ ...change, diff: "" })) };
}
