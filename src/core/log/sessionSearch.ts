/** A search through all sessions of a storage: their titles, and what was said in them, the newest first, a part at a time. */
import { mapBounded } from "../../shared/async";
import { type Clock, type SessionFiles, type SessionMeta, type SessionStorage, StorageError } from "../ground/ports";
import { NewerLogError, NotALogError } from "./codec";
import { readLog } from "./readLog";
import { type Hit, newestLines, wordsIn } from "./searchLog";

interface SearchedSession {
  id: string;
  /** absent: its title has all words */
  line?: { source: string; text: string };
}

type ListedSession = Pick<SessionMeta, "id" | "title">;

interface SessionSearchDeps {
  storage: Pick<SessionStorage, "open">;
  list(): Promise<readonly ListedSession[]>;
  clock: Clock;
}

/** An answer is given after so many ms, or hits, and the search goes on when it is asked for. */
const PAUSE_MS = 120;
const PAGE = 40;
/** To read one is to wait for the disk, most of the time. */
const AT_ONCE = 8;
export class SessionSearch {
  private under: { query: string; left: ListedSession[]; calledOff: AbortController } | undefined;

  constructor(private readonly deps: SessionSearchDeps) {}

  /**
   * @param from 0, or the `next` of the answer before
   * @returns `next`: null: that is all. Long outputs, which are not in the log itself, are not searched.
   */
  async next(query: string, from: number): Promise<{ hits: SearchedSession[]; next: number | null }> {
    if (from === 0 || this.under?.query !== query) return this.begin(query);
    const { left, calledOff } = this.under;
    const { clock } = this.deps;
    const hits: SearchedSession[] = [];
    const start = clock.steady();
    // The first answer was 1.
    let at = from - 1;
    while (at < left.length && hits.length < PAGE && clock.steady() - start <= PAUSE_MS) {
      const some = left.slice(at, at + AT_ONCE);
      const { signal } = calledOff;
      const lines = await mapBounded(some, AT_ONCE, async ({ id }) => {
        const found = await linesOfSession(this.deps.storage, { id, query, most: 1, signal });
        const [hit] = found ?? [];
        return hit && { id, line: { source: hit.source, text: hit.text.trim() } };
      });
      if (calledOff.signal.aborted) return { hits: [], next: null };
      hits.push(...lines.filter(found => found !== undefined));
      at += some.length;
    }
    return { hits, next: at < left.length ? at + 1 : null };
  }

  /** Titles are known: all that have the words come at once. */
  private async begin(query: string): Promise<{ hits: SearchedSession[]; next: number | null }> {
    this.under?.calledOff.abort();
    const calledOff = new AbortController();
    const under = { query, left: [] as ListedSession[], calledOff };
    this.under = under;
    const all = await this.deps.list();
    if (calledOff.signal.aborted) return { hits: [], next: null };
    const inTitle = wordsIn(query);
    const titled = all.filter(({ title }) => inTitle(title)).map(({ id }) => ({ id }));
    const known = new Set(titled.map(({ id }) => id));
    under.left = all.filter(({ id }) => !known.has(id));
    return { hits: titled, next: under.left.length > 0 ? 1 : null };
  }
}

interface SearchedFor {
  id: string;
  query: string;
  most: number;
  signal: AbortSignal;
}

/** The newest lines that have all words. undefined: the session cannot be read, and none is known. */
export async function linesOfSession(storage: Pick<SessionStorage, "open">, { id, ...wanted }: SearchedFor) {
  try {
    const files = await storage.open(id, { readOnly: true });
    try {
      return await searchFiles(files, wanted);
    } finally {
      await files.close();
    }
  } catch (error) {
    const isUnread = error instanceof StorageError || error instanceof NewerLogError || error instanceof NotALogError;
    if (isUnread || wanted.signal.aborted) return undefined;
    throw error;
  }
}

async function searchFiles(files: SessionFiles, { query, most, signal }: Omit<SearchedFor, "id">): Promise<Hit[]> {
  const mayHave = wordsIn(query, { inJson: true });
  // Most sessions have none of the words: they are not taken apart.
  const text = (await files.read("history.jsonl")) ?? "";
  if (!mayHave(text) && (await files.list("archive")).length === 0) return [];
  const log = { ...(await readLog(files)), files: { getBlob: async () => undefined } };
  return newestLines(log, query, most, signal);
}
