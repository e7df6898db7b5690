/** What placeholders stand for, beyond a process: an edit can put back what was read before a restart. No text from here goes into a message or a log: JSON's errors quote what they read. */
import * as z from "zod";
import { errorMessage } from "../../shared/errorMessage";
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import type { SecretVault } from "../ground/ports";

const MAX_ENTRIES = 500;
/** characters of all secrets together */
const MAX_CHARACTERS = 512 * 1024;
/** places in which an entry was handed out that are kept: the newest */
const MAX_PLACES = 64;
/** ms after which the time of an entry that is used is brought up to date */
const DAY = 24 * 60 * 60 * 1000;

const entrySchema = z.object({
  secret: z.string(),
  /** ms since the epoch: when a text with it was last redacted, give or take a day */
  at: z.number(),
  /** where its placeholder was handed out, newest last; it is restored only there */
  places: z.array(z.string()).default([]),
});
const keptSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), entrySchema) });
type MemoryEntry = z.infer<typeof entrySchema>;

export class SecretMemory {
  private readonly entries = new Map<string, MemoryEntry>();
  /** what this process saw: no other may lose it */
  private readonly own = new Set<string>();
  private writing: Promise<void> | undefined;
  private unsaved = false;
  private warned = false;

  constructor(private readonly deps: { vault: SecretVault; now(): number; warn(text: string): void }) {}

  /** Reads the vault; later again, for entries of other processes. Never rejects. */
  async load(): Promise<void> {
    await this.guarded(async () => void this.taken(await this.deps.vault.read()));
  }

  /** What a process kept, with what this one knows. */
  private taken(kept: string | undefined) {
    const all = parse(kept);
    for (const [mark, entry] of all) {
      const own = this.own.has(mark) ? this.entries.get(mark) : undefined;
      this.entries.set(mark, own ? { ...own, places: newest([...entry.places, ...own.places]) } : entry);
    }
    return all;
  }

  /** @param place a placeholder that comes from elsewhere (a file, another session) is not restored here */
  get(mark: string, place: string): string | undefined {
    const entry = this.entries.get(mark);
    return entry?.places.includes(place) ? entry.secret : undefined;
  }

  /** Kept soon. @param place where the placeholder is handed out */
  set(mark: string, secret: string, place: string): void {
    const at = this.deps.now();
    const known = this.entries.get(mark);
    const isSame = known?.secret === secret && known.places.includes(place);
    if (isSame && at - known.at < DAY) return;
    this.entries.set(mark, { secret, at, places: newest([...(known?.places ?? []), place]) });
    this.own.add(mark);
    this.unsaved = true;
    this.writing ??= this.write();
  }

  /** Resolves when all is kept that was set before. Never rejects. */
  async flush(): Promise<void> {
    await this.writing;
  }

  /** One write after the other: what comes meanwhile goes with the next. */
  private async write(): Promise<void> {
    // What one text brings is one write.
    await Promise.resolve();
    while (this.unsaved) {
      this.unsaved = false;
      await this.guarded(() => this.deps.vault.update(kept => this.merged(kept)));
    }
    this.writing = undefined;
  }

  private merged(kept: string | undefined): string {
    const all = this.taken(kept);
    for (const mark of this.own) {
      const entry = this.entries.get(mark);
      if (entry) all.set(mark, entry);
    }
    return JSON.stringify({ version: 1, secrets: Object.fromEntries(newestEntries(all)) });
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work().catch(async error => {
        if (!(error instanceof UnreadableError)) throw error;
        const place = await this.deps.vault.setAside(error.text);
        this.deps.warn(
          t(
            "The placeholders for secrets could not be read, so new ones are made; the old file is kept in {0}. A secret that was hidden before must be read again before an edit can put it back.",
            place,
          ),
        );
        await work();
      });
    } catch (error) {
      if (this.warned) return;
      this.warned = true;
      this.deps.warn(
        t(
          "What placeholders for secrets stand for cannot be kept ({0}). Secrets stay hidden; after a restart a file must be read again before an edit can put its secrets back.",
          errorMessage(error),
        ),
      );
    }
  }
}

/** Each once, at its last place. */
const newest = (places: readonly string[]): string[] =>
  [...new Set(places.toReversed())].slice(0, MAX_PLACES).toReversed();

class UnreadableError extends Error {
  constructor(readonly text: string) {
    super("unreadable");
  }
}

function parse(kept: string | undefined): Map<string, MemoryEntry> {
  if (kept === undefined) return new Map();
  const read = keptSchema.safeParse(parseJson(kept)).data;
  if (!read) throw new UnreadableError(kept);
  return new Map(Object.entries(read.secrets));
}

/** Sorted, so that the same entries are the same text. */
function newestEntries(entries: ReadonlyMap<string, MemoryEntry>): [string, MemoryEntry][] {
  let room = MAX_CHARACTERS;
  return [...entries]
    .sort(([a, { at: left }], [b, { at: right }]) => right - left || (a < b ? -1 : 1))
    .slice(0, MAX_ENTRIES)
    .filter(([mark, { secret, places }]) => {
      room -= mark.length + secret.length + places.join().length;
      return room >= 0;
    });
}
