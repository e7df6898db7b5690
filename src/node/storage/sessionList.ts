/** Every session of a storage at a glance: what the list shows, and what each takes on disk. Reads only what changed since. */
import { join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { mapBounded } from "../../shared/async";
import { treeBytes } from "../disk";
import type { FileSystem } from "../fileSystem";
import {
  type IndexEntry,
  isSameStamp,
  type LogStamp,
  SessionIndex,
  type SessionMeasure,
  stampOf,
} from "./sessionIndex";
import { glanceMeta } from "./sessionMeta";

const FOLDERS_AT_ONCE = 16;
/** So many are looked at before others get their turn: some milliseconds on a slow disk. */
const LOOKS = 512;
/** So many that changed are looked at again sooner than all are written down. */
const SLIGHTLY = 30;

export class SessionList {
  private readonly index: SessionIndex;

  constructor(
    private readonly fs: FileSystem,
    private readonly sessions: string,
  ) {
    this.index = new SessionIndex(fs, sessions);
  }

  /** Each with its `meta`. @param ids sorted */
  async listed(ids: readonly string[]): Promise<IndexEntry[]> {
    const { entries, measured, changed } = await this.current(ids);
    const stale = entries.filter(entry => !entry.meta || (entry.isFromLog && this.hasNewMeta(entry)));
    await mapBounded(stale, FOLDERS_AT_ONCE, async entry => {
      // one folder that cannot be read (another user's, a damaged disk) must not hide the others
      const found = await glanceMeta(this.fs, entry.id, this.folder(entry.id)).catch(() => undefined);
      Object.assign(entry, { meta: found?.meta, isFromLog: found?.isFromLog });
    });
    if (changed > SLIGHTLY || stale.length > SLIGHTLY) await this.index.write(measured, entries);
    return entries;
  }

  /**
   * Each with its `bytes`.
   * @param most so many are measured; others count with their log's length
   * @param beside bytes in the trash
   */
  async measured(
    ids: readonly string[],
    now: number,
    { most = Number.POSITIVE_INFINITY, beside = 0 }: { most?: number; beside?: number } = {},
  ): Promise<SessionSize[]> {
    const { entries } = await this.current(ids);
    const unknown = entries.filter(({ bytes }) => bytes === undefined);
    await mapBounded(unknown.slice(0, most), FOLDERS_AT_ONCE, async entry => {
      entry.bytes = await treeBytes(this.fs, this.folder(entry.id)).catch(() => undefined);
    });
    const sized = entries.map(({ id, bytes, log }) => ({ id, bytes: bytes ?? log.length }));
    await this.index.write({ measured: now, bytes: sized.reduce((sum, { bytes }) => sum + bytes, beside) }, entries);
    return sized;
  }

  lastMeasured(): Promise<SessionMeasure> {
    return this.index.measured();
  }

  async forget(id: string): Promise<void> {
    const { measured, entries } = await this.index.read();
    if (entries.delete(id)) await this.index.write(measured, [...entries.values()]);
  }

  /** As the index has them where nothing changed since, else with nothing but their logs' stamps. */
  private async current(ids: readonly string[]) {
    const { measured, entries: known } = await this.index.read();
    const entries: IndexEntry[] = [];
    for (const [at, id] of ids.entries()) {
      if (at % LOOKS === LOOKS - 1) await setImmediate();
      const log = this.stamp(id, "history.jsonl");
      if (!log) continue;
      const entry = known.get(id);
      entries.push(entry && isSameStamp(entry.log, log) ? entry : { id, log });
    }
    const same = entries.filter(entry => known.get(entry.id) === entry).length;
    return { measured, entries, changed: Math.max(entries.length, known.size) - same };
  }

  private hasNewMeta({ id, log }: IndexEntry): boolean {
    return (this.stamp(id, "meta.json")?.modified ?? Number.NEGATIVE_INFINITY) >= log.modified;
  }

  private stamp(id: string, name: string): LogStamp | undefined {
    // as above
    return stampOf(this.fs, `${this.sessions}${sep}${id}${sep}${name}`);
  }

  private folder(id: string): string {
    return join(this.sessions, id);
  }
}

interface SessionSize {
  id: string;
  bytes: number;
}
