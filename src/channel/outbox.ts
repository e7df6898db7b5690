/** Sends, in the order of each chat, until all is sent: without end while the network is down, and across processes. */
import type { Clock } from "../core/ground/ports";
import { KeyedQueue } from "../shared/async";
import { t } from "../shared/l10n";
import { visibleText } from "../shared/shown";
import { type Channel, ChannelError, type ChannelMessage, persistently } from "./channel";
import type { Contacts } from "./contacts";
import type { Journal } from "./journal";

interface OutboxDeps {
  channel: Channel;
  journal: Journal;
  clock: Clock;
  /** secrets → placeholders: the one door for text that leaves through the channel */
  redact(text: string): string;
  contacts: Contacts;
  tell(text: string): void;
  /** It cannot go on. */
  fail(error: unknown): void;
  signal: AbortSignal;
}

/** ms between two messages to a chat, as Telegram asks for */
const PACE = 1_000;

export class Outbox {
  private readonly queue = new KeyedQueue();
  private readonly known = new Set<string>();
  /** by chat */
  private readonly last = new Map<string, number>();

  constructor(private readonly deps: OutboxDeps) {}

  /**
   * Resolves when it is certain to be sent, also after a crash; nothing happens where that key was given before.
   * @returns resolves with what it became: the number of the message; 0: it cannot be delivered
   */
  async add(key: string, chat: string, given: ChannelMessage): Promise<{ sent: Promise<number> }> {
    const { journal, clock, redact, fail, signal } = this.deps;
    const before = journal.sent.get(key);
    if (before !== undefined || this.known.has(key)) return { sent: Promise.resolve(before ?? 0) };
    this.known.add(key);
    const message = { ...given, text: visibleText(redact(given.text)) };
    if (!journal.outs.has(key)) await journal.write({ kind: "out", ts: clock.now(), key, chat, message });
    const sent = this.queue.run(chat, () => this.deliver(key, chat, message));
    sent.catch(error => signal.aborted || fail(error));
    return { sent };
  }

  /** What a process before left unsent; what has buttons is asked anew by its session. */
  async resume(): Promise<void> {
    for (const { key, chat, message } of [...this.deps.journal.outs.values()])
      if (!message.buttons) await this.add(key, chat, message);
  }

  private async deliver(key: string, chat: string, message: ChannelMessage): Promise<number> {
    const { journal, contacts } = this.deps;
    const isInDoubt = journal.tried.has(key);
    await journal.write({ kind: "try", key });
    const isHeard = key.startsWith("u:") || (await contacts.has(chat));
    const number = isHeard ? await this.untilSent(chat, message, isInDoubt) : 0;
    await journal.write({ kind: "sent", key, message: number });
    return number;
  }

  private async untilSent(chat: string, message: ChannelMessage, isInDoubt: boolean): Promise<number> {
    const { channel, clock, signal, tell } = this.deps;
    let isRepeat = isInDoubt;
    const send = async () => {
      await clock.sleep(Math.max(0, (this.last.get(chat) ?? 0) + PACE - clock.now()), signal);
      this.last.set(chat, clock.now());
      return channel.send(chat, isRepeat ? marked(message) : message, signal);
    };
    const failed = ({ kind }: ChannelError) => {
      isRepeat ||= kind === "unknown";
    };
    return persistently(send, this.deps, failed).catch((error: unknown) => {
      if (!(error instanceof ChannelError) || error.kind !== "refused") throw error;
      tell(t("! A message could not be delivered. {0}", error.message));
      return 0;
    });
  }
}

/** So that it passes for no second one. */
function marked(message: ChannelMessage): ChannelMessage {
  const mark = t("(repeated: it is not known whether this came)");
  const { file } = message;
  if (file) return { ...message, file: { ...file, caption: `${file.caption}\n${mark}` } };
  return { ...message, text: `${message.text}\n${mark}` };
}
