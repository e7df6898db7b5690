/** `strata serve --telegram`: the channel, built and wired. Loaded for this command alone. */
import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChannelError } from "../channel/channel";
import { Contacts } from "../channel/contacts";
import { Journal } from "../channel/journal";
import { Outbox } from "../channel/outbox";
import { Serve } from "../channel/serve";
import { TelegramChannel } from "../channel/telegram";
import { withChatTools } from "../channel/tools";
import type { AgentPorts } from "../core/agent/session/openSession";
import { makePrivateFolder } from "../node/disk";
import { FILE_MODE } from "../node/fileSystem";
import { configDir } from "../node/storage/sessionStorage";
import { t } from "../shared/l10n";
import type { CommandOf } from "../terminal/args";
import { UsageError } from "../terminal/argValues";
import type { Interrupts } from "../terminal/interrupts";
import { EXIT } from "../terminal/output";
import type { SessionPlace } from "./place";

/** Another process receives the bot's messages: who starts this one may try later. */
const TRY_LATER = 75;

/**
 * Until it is interrupted, or the bot is no more. Rejects with ErrorForPeople and the errors of the disk.
 * @param given the token, as the environment had it
 * @throws UsageError
 */
export async function serve(
  command: CommandOf<"serve">,
  given: string | undefined,
  world: AgentPorts,
  { storageDir, streams }: SessionPlace,
  interrupts: Interrupts,
): Promise<number> {
  const token = given?.trim() ?? "";
  const bot = /^(\d{1,20}):[\w-]{1,200}$/.exec(token)?.[1];
  if (bot === undefined) throw new UsageError(t("Set STRATA_TELEGRAM_TOKEN to the token that BotFather gave."));
  world.redactor.learn(`STRATA_TELEGRAM_TOKEN=${token}`);
  const tell = (text: string) => streams.err(`${text}\n`);
  const folder = join(storageDir, "channel");
  const { journal, broken } = await Journal.open(join(folder, `telegram-${bot}.jsonl`));
  if (broken > 0)
    tell(t("! The journal of this channel has {0} lines that cannot be read: they are passed over.", broken));
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, interrupts.signal]);
  const fail = (error: unknown) => {
    ended.reject(error);
    over.abort();
  };
  const { clock } = world;
  const channel = new TelegramChannel(token, command.telegramApi);
  const newCode = () => String(randomInt(100_000_000)).padStart(8, "0");
  const contacts = new Contacts({ path: join(configDir(), "channels.json"), bot, clock, newCode, tell });
  const isHeard = async (chat: string) => [...(await contacts.all()).values()].includes(chat);
  const { redact } = world.redactor;
  const outbox = new Outbox({ channel, journal, clock, redact, isHeard, warn: tell, fail, signal });
  const ports = { ...world, foreignTools: withChatTools(world.foreignTools, { contacts, journal, outbox, clock }) };
  const keepFile = async (name: string, bytes: Uint8Array) => {
    const path = join(folder, "files", name);
    await makePrivateFolder(join(folder, "files"));
    await writeFile(path, bytes, { mode: FILE_MODE });
    return path;
  };
  const serving = new Serve({
    channel,
    journal,
    outbox,
    contacts,
    ports,
    mode: command.mode,
    keepFile,
    tell,
    fail,
    signal,
  });
  await serving.run().catch(fail);
  await journal.close();
  if (interrupts.signal.aborted) return EXIT.stopped;
  return ended.promise.catch((error: unknown) => {
    if (!(error instanceof ChannelError) || error.kind !== "taken") throw error;
    tell(t("{0} Another process receives this bot's messages: end that one, or use another bot.", error.message));
    return TRY_LATER;
  });
}
