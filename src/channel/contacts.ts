/** Who is heard: people that were paired by a code which the terminal shows. One file for all workspaces, by bot. */
import { randomInt } from "node:crypto";
import * as z from "zod";
import { ErrorForPeople, type WallClock } from "../core/ground/ports";
import { JsonFile } from "../node/jsonFile";
import { t } from "../shared/l10n";
import type { ChannelUpdate } from "./channel";

/** by bot, by name: their chat */
const contactsSchema = z.record(z.string(), z.record(z.string(), z.object({ chat: z.string() })));

class ContactsError extends ErrorForPeople {
  override readonly name = "ContactsError";
}

interface PairingDeps {
  /** absolute */
  path: string;
  bot: string;
  clock: WallClock;
  /** tells the person at the terminal */
  tell(text: string): void;
}

/** ms */
const VALID = 10 * 60_000;
const HOUR = 3_600_000;
/** wrong codes of one chat in an hour */
const TRIES = 5;

export class Contacts {
  private readonly file: JsonFile<z.infer<typeof contactsSchema>>;
  private code: { text: string; until: number } | undefined;
  private readonly strangers = new Map<string, { since: number; tries: number; isAnswered: boolean }>();

  constructor(private readonly deps: PairingDeps) {
    this.file = new JsonFile(deps.path, contactsSchema, {}, path => {
      throw new ContactsError(
        t("{0} is broken, so nobody can be told from a stranger. Mend it, or move it away.", path),
      );
    });
  }

  /** Their chats by name. Rejects where the file is broken or cannot be read. */
  async all(): Promise<Map<string, string>> {
    const mine = (await this.file.read())[this.deps.bot] ?? {};
    return new Map(Object.entries(mine).map(([name, { chat }]) => [name, chat]));
  }

  async has(chat: string): Promise<boolean> {
    return [...(await this.all()).values()].includes(chat);
  }

  /** Shows a code, by chance. */
  show(): void {
    const { clock, tell } = this.deps;
    this.code = { text: String(randomInt(100_000_000)).padStart(8, "0"), until: clock.now() + VALID };
    tell(t("To pair a chat, send this to the bot within 10 minutes: /start {0}", this.code.text));
  }

  /** What a stranger is answered; undefined: nothing, since that chat was answered within the hour. */
  async meet(update: ChannelUpdate): Promise<string | undefined> {
    const now = this.deps.clock.now();
    const before = this.strangers.get(update.chat);
    const stranger = before && before.since + HOUR > now ? before : { since: now, tries: 0, isAnswered: false };
    this.strangers.set(update.chat, stranger);
    const given = /^\/start\s+(\d{1,20})\s*$/.exec(update.text)?.[1];
    if (given !== undefined && update.isPrivate && stranger.tries < TRIES) {
      stranger.tries += 1;
      if (given === this.code?.text && now < this.code.until) return this.pair(update);
      return t("This code is wrong or past. Tries that are left: {0}", TRIES - stranger.tries);
    }
    if (stranger.isAnswered) return undefined;
    stranger.isAnswered = true;
    return t("This bot answers only people who were paired in a private chat, by the code that its terminal shows.");
  }

  private async pair({ chat, name }: ChannelUpdate): Promise<string> {
    this.code = undefined;
    const { bot, tell } = this.deps;
    const wanted = name.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40) || "person";
    let called = wanted;
    await this.file.change(now => {
      const mine = now[bot] ?? {};
      for (let number = 2; mine[called]; number++) called = `${wanted}-${number}`;
      return { ...now, [bot]: { ...mine, [called]: { chat } } };
    });
    tell(t("Paired: {0}", called));
    return t("Paired. You are called {0} here. Send a task, or /help.", called);
  }
}
