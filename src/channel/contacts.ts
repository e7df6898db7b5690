/** Who is heard: people that were paired by a code which the terminal shows; and the tools by which the agent reaches them. */

import { randomInt, randomUUID } from "node:crypto";
import * as z from "zod";
import chatHistory from "../../prompts/tools/chatHistory.md";
import chatSend from "../../prompts/tools/chatSend.md";
import { FileError, ToolError } from "../core/ground/ports";
import {
  type ForeignTools,
  type PreparedCall,
  type RunContext,
  success,
  type Tool,
  type ToolOutcome,
  zodInput,
} from "../core/tool/tool";
import { JsonFile } from "../node/jsonFile";
import { untilAborted } from "../shared/async";
import { t } from "../shared/l10n";
import type { Json } from "../shared/messages";
import type { ChannelUpdate } from "./channel";
import type { ChannelParts, Journal, Outbox } from "./journal";

/** by bot, by name: their chat */
const contactsSchema = z.record(z.string(), z.record(z.string(), z.object({ chat: z.string() })));

interface ContactsDeps extends ChannelParts {
  /** absolute */
  path: string;
  bot: string;
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

  constructor(private readonly deps: ContactsDeps) {
    this.file = new JsonFile(deps.path, contactsSchema, {}, path => {
      throw new FileError(
        "IO",
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

// Tools of a session that a channel reaches: telling a contact something, and reading what was said with one.

interface ChatToolsDeps extends ChannelParts {
  contacts: Contacts;
  outbox: Outbox;
}

/** ms that a call waits for the network; then it is sent behind it */
const SENDING = 60_000;

const contact = z.string().min(1);
const sendInput = z.object({ contact, text: z.string().min(1).max(20_000) });
const historyInput = z.object({ contact, limit: z.int().min(1).max(50).default(20) });

/** Beside those of MCP servers. */
export function withChatTools(others: ForeignTools | undefined, deps: ChatToolsDeps): ForeignTools {
  const send: Tool<z.infer<typeof sendInput>> = {
    ...{ name: "ChatSend", description: chatSend.trim(), effect: "network", input: zodInput(sendInput) },
    prepare: input =>
      prepared(deps, "Sends this message by the bot", input, (chat, run) => sent(deps, input, chat, run)),
  };
  const history: Tool<z.infer<typeof historyInput>> = {
    ...{ name: "ChatHistory", description: chatHistory.trim(), effect: "read", input: zodInput(historyInput) },
    // Words of others are no instructions.
    trust: "outside",
    prepare: input =>
      prepared(deps, "Reads what was said with this person", input, async chat => saidWith(deps.journal, input, chat)),
  };
  const own = [send, history] as Tool[];
  return { refresh: async () => others?.refresh(), list: found => [...own, ...(others?.list(found) ?? [])] };
}

async function prepared(
  { contacts }: ChatToolsDeps,
  summary: string,
  input: { contact: string } & Record<string, Json>,
  perform: (chat: string, run: RunContext) => Promise<ToolOutcome>,
): Promise<PreparedCall> {
  const all = await contacts.all();
  const chat = all.get(input.contact);
  const names = [...all.keys()].join(", ");
  if (chat === undefined) throw new ToolError("NOT_FOUND", `No contact ${input.contact}. There are: ${names}`);
  return {
    targets: [],
    title: `${summary}: ${input.contact}`,
    detail: { type: "other", summary, input },
    binding: JSON.stringify([summary, chat, input]),
    perform: run => perform(chat, run),
  };
}

async function sent(
  { outbox, clock }: ChatToolsDeps,
  { contact: name, text }: z.infer<typeof sendInput>,
  chat: string,
  { signal }: RunContext,
): Promise<ToolOutcome> {
  // Ids of calls come again: servers count anew.
  const { sent: whole } = await outbox.add(`c:${randomUUID()}`, chat, text);
  const number = await untilAborted(Promise.race([whole, clock.sleep(SENDING, signal)]), signal);
  if (number === 0) throw new ToolError("EXIT", `The message could not be delivered to ${name}.`);
  const words = number ? "Sent." : "The network is down: it will be sent. Do not send it again.";
  return success({ data: { contact: name }, text: words, digest: `ChatSend ${name}` });
}

function saidWith(
  { said }: Journal,
  { contact: name, limit }: z.infer<typeof historyInput>,
  chat: string,
): ToolOutcome {
  const lines = said.flatMap(({ ts, ...line }) => {
    const [of, who, text] =
      line.kind === "in" ? [line.update.chat, name, line.update.text] : [line.chat, "bot", line.message.text];
    const isWord = line.kind === "out" || line.update.kind !== "press";
    return of === chat && isWord ? [`${new Date(ts).toISOString()} ${who}: ${text}`] : [];
  });
  const text = lines.slice(-limit).join("\n") || "Nothing was said yet.";
  return success({ data: { contact: name }, text, digest: `ChatHistory ${name}` });
}
