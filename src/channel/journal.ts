/** What came through a channel and what goes, in a file that only grows: each line is on disk before it is acted on. */

import { dirname } from "node:path";
import * as z from "zod";
import type { Clock } from "../core/ground/ports";
import { AppendFile, makePrivateFolder, readOr, replaceFile } from "../node/disk";
import { nodeFileSystem } from "../node/fileSystem";
import { KeyedQueue, SerialQueue } from "../shared/async";
import { parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import { plainText } from "../shared/shown";
import {
  type Channel,
  ChannelError,
  type ChannelMessage,
  channelMessageSchema,
  channelUpdateSchema,
  persistently,
} from "./channel";

/** `ts`: ms since the epoch */
const lineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("in"), ts: z.number(), update: channelUpdateSchema }),
  /** by strangers */
  z.object({ kind: z.literal("refused"), ids: z.array(z.int()) }),
  /** That update answers the agent's question. */
  z.object({ kind: z.literal("reply"), id: z.int(), question: z.string() }),
  z.object({ kind: z.literal("done"), id: z.int() }),
  /** absent: its next message begins one */
  z.object({ kind: z.literal("session"), chat: z.string(), session: z.string().optional() }),
  z.object({
    kind: z.literal("out"),
    ts: z.number(),
    key: z.string(),
    chat: z.string(),
    message: channelMessageSchema,
  }),
  z.object({ kind: z.literal("try"), key: z.string() }),
  /** `message`: its number; 0: it cannot be delivered */
  z.object({ kind: z.literal("sent"), key: z.string(), message: z.int() }),
  z.object({ kind: z.literal("poll"), ts: z.number() }),
]);
type Line = z.infer<typeof lineSchema>;
type LineOf<K extends Line["kind"]> = Extract<Line, { kind: K }>;

export class Journal {
  /** numbers of updates that came */
  readonly seen = new Set<number>();
  /** updates that are not done, oldest first */
  readonly open = new Map<number, LineOf<"in">["update"]>();
  /** by update: the question that it answers */
  readonly replies = new Map<number, string>();
  /** by chat */
  readonly sessions = new Map<string, string>();
  /** by key: not sent yet */
  readonly outs = new Map<string, LineOf<"out">>();
  /** keys of what may have been sent by a process before */
  readonly tried = new Set<string>();
  readonly sent = new Map<string, number>();
  /** what was said, both ways, oldest first */
  readonly said: (LineOf<"in"> | LineOf<"out">)[] = [];
  /** when the service was last reached; 0: never */
  reached = 0;
  /** of people who are not heard */
  refused = 0;
  private readonly queue = new SerialQueue();

  private constructor(private readonly file: AppendFile) {}

  /** @returns `broken`: how many lines cannot be read. Rejects with the errors of the disk. */
  static async open(path: string): Promise<{ journal: Journal; broken: number }> {
    await makePrivateFolder(dirname(path));
    const text = (await readOr(nodeFileSystem, path))?.toString("utf8") ?? "";
    // A line without an end was never acted on.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const lines = whole
      .split("\n")
      .slice(0, -1)
      .map(line => lineSchema.safeParse(parseJson(line)).data);
    if (whole !== text) await replaceFile(nodeFileSystem, path, whole);
    const journal = new Journal(await AppendFile.open(nodeFileSystem, path));
    for (const line of lines) if (line) journal.apply(line);
    return { journal, broken: lines.filter(line => line === undefined).length };
  }

  /** Resolves when they are on disk and count. Rejects with the errors of the disk: then none does. */
  write(...lines: Line[]): Promise<void> {
    return this.queue.run(async () => {
      await this.file.append(lines.map(line => `${JSON.stringify(line)}\n`).join(""));
      await this.file.sync();
      for (const line of lines) this.apply(line);
    });
  }

  close(): Promise<void> {
    return this.queue.run(() => this.file.close());
  }

  private apply(line: Line): void {
    if (line.kind === "in" || line.kind === "out") this.said.push(line);
    if (line.kind === "in") {
      this.seen.add(line.update.id);
      this.open.set(line.update.id, line.update);
      this.reached = line.ts;
    } else if (line.kind === "refused") {
      for (const id of line.ids) this.seen.add(id);
      this.refused += line.ids.length;
    } else if (line.kind === "reply") this.replies.set(line.id, line.question);
    else if (line.kind === "done") this.open.delete(line.id);
    else if (line.kind === "session" && line.session) this.sessions.set(line.chat, line.session);
    else if (line.kind === "session") this.sessions.delete(line.chat);
    else if (line.kind === "out") this.outs.set(line.key, line);
    else if (line.kind === "try") this.tried.add(line.key);
    else if (line.kind === "sent") {
      this.outs.delete(line.key);
      this.sent.set(line.key, line.message);
    } else this.reached = line.ts;
  }
}

// Sends, in the order of each chat, until all is sent: without end while the network is down, and across processes.

/** What the parts of a channel work with. */
export interface ChannelParts {
  channel: Channel;
  journal: Journal;
  clock: Clock;
  /** tells the person at the terminal, a line */
  tell(text: string): void;
  /** It cannot go on. */
  fail(error: unknown): void;
  /** aborted when it ends */
  signal: AbortSignal;
}

interface OutboxDeps extends ChannelParts {
  /** secrets → placeholders: the one door for text that leaves by the channel */
  redact(text: string): string;
  /** who is heard: others get refusals only */
  contacts: { has(chat: string): Promise<boolean> };
}

/** ms between two messages to a chat, as Telegram asks for */
const PACE = 1_000;
/** UTF-16 units of a message, and of the words beside a document; a mark has room beside each */
const [MAX_MESSAGE, MAX_CAPTION] = [4_000, 900];

export class Outbox {
  private readonly queue = new KeyedQueue();
  /** by key: what is on its way */
  private readonly known = new Map<string, Promise<number>>();
  /** by chat */
  private readonly last = new Map<string, number>();

  constructor(private readonly deps: OutboxDeps) {}

  /**
   * Resolves when it is certain to be sent, also after a crash; nothing happens where that key was given before.
   * @returns `sent` resolves with what it became: the number of the message; 0: it cannot be delivered
   */
  async add(key: string, chat: string, text: string, buttons?: ChannelMessage["buttons"]) {
    const { journal, clock, redact, fail, signal } = this.deps;
    const before = journal.sent.get(key);
    const known = before === undefined ? this.known.get(key) : Promise.resolve(before);
    if (known) return { sent: known };
    const message = inOnePiece(plainText(redact(text)), buttons);
    const isWritten = journal.outs.has(key)
      ? Promise.resolve()
      : journal.write({ kind: "out", ts: clock.now(), key, chat, message });
    const sent = isWritten.then(() => this.queue.run(chat, () => this.deliver(key, chat, message)));
    this.known.set(key, sent);
    sent.catch(error => signal.aborted || fail(error));
    await isWritten;
    return { sent };
  }

  /** What a process before left unsent; what has buttons is asked anew by its session. */
  async resume(): Promise<void> {
    for (const { key, chat, message } of [...this.deps.journal.outs.values()])
      if (!message.buttons) await this.add(key, chat, message.text);
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

/** Never cut: what is too long is a document, with its beginning beside it. */
function inOnePiece(text: string, buttons: ChannelMessage["buttons"]): ChannelMessage {
  const message = { text, ...(buttons && { buttons }) };
  if (text.length <= MAX_MESSAGE) return message;
  const name = buttons ? "question.txt" : "answer.md";
  const beginning = [...text.slice(0, MAX_CAPTION)].slice(0, -1).join("");
  return { ...message, file: { name, caption: `${beginning}…\n${t("The whole of it is in the document.")}` } };
}

/** So that it passes for no second one. */
function marked(message: ChannelMessage): ChannelMessage {
  const mark = t("(repeated: it is not known whether this came)");
  const { file } = message;
  if (file) return { ...message, file: { ...file, caption: `${file.caption}\n${mark}` } };
  return { ...message, text: `${message.text}\n${mark}` };
}
