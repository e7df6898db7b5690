/** Who is heard: people that were paired by a code which the terminal shows. One file for all workspaces, by bot. */
import * as z from "zod";
import { ErrorForPeople, type WallClock } from "../core/ground/ports";
import { JsonFile } from "../node/jsonFile";
import { plural, t } from "../shared/l10n";
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
  /** eight digits that nobody can guess */
  newCode(): string;
  /** tells the person at the terminal */
  tell(text: string): void;
}

/** ms */
const VALID = 10 * 60_000;
const HOUR = 3_600_000;
/** wrong codes of one chat in an hour, and of all for one code */
const [TRIES, ALL_TRIES] = [5, 50];
/** chats of strangers that are remembered */
const MAX_STRANGERS = 10_000;

export class Contacts {
  private readonly file: JsonFile<z.infer<typeof contactsSchema>>;
  private code: { text: string; until: number; tries: number } | undefined;
  private readonly strangers = new Map<string, { wrong: number; since: number; answered?: number }>();

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

  /** In a private chat it is the person's own number. */
  async knows({ chat, person, isPrivate }: Pick<ChannelUpdate, "chat" | "person" | "isPrivate">): Promise<boolean> {
    return isPrivate && chat === person && [...(await this.all()).values()].includes(chat);
  }

  /** Shows a new code. */
  show(): void {
    const { clock, newCode, tell } = this.deps;
    this.code = { text: newCode(), until: clock.now() + VALID, tries: 0 };
    tell(t("To pair a chat, send this to the bot within 10 minutes: /start {0}", this.code.text));
  }

  /** The code is past, and nobody is paired: there is a new one. */
  async renew(): Promise<void> {
    if (this.code && this.code.until <= this.deps.clock.now() && (await this.all()).size === 0) this.show();
  }

  /** What a stranger is answered; undefined: nothing, since that chat was answered within the hour. */
  async meet(update: ChannelUpdate): Promise<string | undefined> {
    const now = this.deps.clock.now();
    const before = this.strangers.get(update.chat);
    if (!before && this.strangers.size >= MAX_STRANGERS) return undefined;
    const stranger = before && before.since + HOUR > now ? before : { wrong: 0, since: now };
    this.strangers.set(update.chat, stranger);
    const given = /^\/start\s+(\d{1,20})\s*$/.exec(update.text)?.[1];
    if (given !== undefined && update.isPrivate && stranger.wrong < TRIES) {
      if (this.fits(given, now)) return this.pair(update);
      stranger.wrong += 1;
      return t(
        "This code is wrong or past. {0}",
        plural(TRIES - stranger.wrong, "1 try is left.", "{0} tries are left."),
      );
    }
    if (stranger.answered !== undefined) return undefined;
    stranger.answered = now;
    return t("This bot answers only people who were paired in a private chat, by the code that its terminal shows.");
  }

  private fits(given: string, now: number): boolean {
    const { code } = this;
    if (!code || code.until <= now) return false;
    if (given === code.text) return true;
    code.tries += 1;
    if (code.tries < ALL_TRIES) return false;
    this.code = undefined;
    this.deps.tell(t("Too many wrong codes: the code is not valid any more. Start Strata again for a new one."));
    return false;
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
