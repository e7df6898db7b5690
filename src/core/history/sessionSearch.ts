/** A search through all sessions of a storage: their titles, and what was said in them, the newest first, a part at a time. */
import { type Clock, type SessionFiles, type SessionMeta, type SessionStorage, StorageError } from "../ports";
import { NewerLogError, NotALogError } from "./codec";
import { readLog } from "./readLog";
import { newestLine, wordsIn } from "./searchLog";

interface SearchedSession {
  id: string;
  /** absent: its title has all words */
  line?: { source: string; text: string };
}

interface SessionSearchDeps {
  storage: Pick<SessionStorage, "open">;
  list(): Promise<readonly Pick<SessionMeta, "id" | "title">[]>;
  clock: Pick<Clock, "steady">;
}

/** An answer is given after so many ms, or hits, and the search goes on when it is asked for. */
const PAUSE_MS = 120;
const PAGE = 40;

export class SessionSearch {
  private under: { query: string; titled: Set<string>; left: string[]; calledOff: AbortController } | undefined;

  constructor(private readonly deps: SessionSearchDeps) {}

  /**
   * @param from 0, or the `next` of the answer before
   * @returns `next`: null: that is all. Long outputs, which are not in the log itself, are not searched.
   */
  async next(query: string, from: number): Promise<{ hits: SearchedSession[]; next: number | null }> {
    if (from === 0 || this.under?.query !== query) return this.begin(query);
    const { left, titled, calledOff } = this.under;
    const hits: SearchedSession[] = [];
    const start = this.deps.clock.steady();
    let at = from;
    for (; at < left.length; at += 1) {
      if (hits.length >= PAGE || this.deps.clock.steady() - start > PAUSE_MS) break;
      const id = left[at] ?? "";
      const line = titled.has(id) ? undefined : await this.search(id, query, calledOff.signal);
      if (calledOff.signal.aborted) return { hits: [], next: null };
      if (line) hits.push({ id, line });
    }
    return { hits, next: at < left.length ? at : null };
  }

  /** Titles are known: all that have the words come at once. */
  private async begin(query: string): Promise<{ hits: SearchedSession[]; next: number | null }> {
    this.under?.calledOff.abort();
    const calledOff = new AbortController();
    const all = await this.deps.list();
    const inTitle = wordsIn(query);
    const hits = all.filter(({ title }) => inTitle(title)).map(({ id }) => ({ id }));
    this.under = {
      query,
      titled: new Set(hits.map(({ id }) => id)),
      left: ["", ...all.map(({ id }) => id)],
      calledOff,
    };
    return { hits, next: all.length > 0 ? 1 : null };
  }

  /** The newest line that has all words. A session that cannot be read has none. */
  private async search(id: string, query: string, signal: AbortSignal): Promise<SearchedSession["line"] | undefined> {
    try {
      const files = await this.deps.storage.open(id, { readOnly: true });
      try {
        return await searchFiles(files, query, signal);
      } finally {
        await files.close();
      }
    } catch (error) {
      const isUnread = error instanceof StorageError || error instanceof NewerLogError || error instanceof NotALogError;
      if (isUnread || signal.aborted) return undefined;
      throw error;
    }
  }
}

async function searchFiles(files: SessionFiles, query: string, signal: AbortSignal) {
  const mayHave = wordsIn(query, { inJson: true });
  // Most sessions have none of the words: they are not taken apart.
  const text = (await files.read("history.jsonl")) ?? "";
  const isArchived = (await files.list("archive")).length > 0;
  if (!mayHave(text) && !isArchived) return undefined;
  const { records, archived } = await readLog(files);
  const log = { records, ...(archived && { archived }), files: { getBlob: async () => undefined } };
  const hit = await newestLine(log, query, signal);
  return hit && { source: hit.source, text: hit.text.trim() };
}
