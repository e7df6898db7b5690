/** `strata serve --telegram`: the channel, built and wired. With the agent a program of its own. */
import { join } from "node:path";
import { ChannelError } from "../channel/channel";
import { Contacts, withChatTools } from "../channel/contacts";
import { Journal, Outbox } from "../channel/journal";
import { Serve } from "../channel/serve";
import { TelegramChannel } from "../channel/telegram";
import { makePrivateFolder } from "../node/disk";
import { nodeFileSystem } from "../node/fileSystem";
import { configDir } from "../node/stateFolders";
import { LOCK_TIMES, SessionLock } from "../node/storage/sessionLock";
import { t } from "../shared/l10n";
import type { CommandOf } from "../terminal/args";
import { UsageError } from "../terminal/argValues";
import { EXIT } from "../terminal/output";
import { type Serving, withAgent } from "./agent";
import type { CliOutcome, PlaceArgs } from "./place";

export const withServe = (command: CommandOf<"serve">, where: PlaceArgs): Promise<CliOutcome> =>
  withAgent(command, where, { serving: on => serve(command, on) });

/** Until it is interrupted, or the bot is no more. Rejects with UsageError, ErrorForPeople and the errors of the disk. */
async function serve({ telegramApi, mode }: CommandOf<"serve">, on: Parameters<Serving>[0]): Promise<number> {
  const { token, ports: world, interrupts, storageDir, streams } = on;
  const bot = /^(\d{1,20}):[\w-]{1,200}$/.exec(token)?.[1];
  if (bot === undefined) throw new UsageError(t("Set STRATA_TELEGRAM_TOKEN to the token that BotFather gave."));
  if (telegramApi !== undefined && !/^https?:/.test(URL.parse(telegramApi)?.protocol ?? ""))
    throw new UsageError(t('--telegram-api takes an address as http://127.0.0.1:8081, not "{0}".', telegramApi));
  const { clock, redactor } = world;
  redactor.learn(`STRATA_TELEGRAM_TOKEN=${token}`);
  const tell = (text: string) => streams.err(`${text}\n`);
  const over = new AbortController();
  const fail = (error: unknown) => over.abort(error);
  const signal = AbortSignal.any([over.signal, interrupts.signal]);
  const folder = join(storageDir, "channel");
  await makePrivateFolder(folder);
  const lock = new SessionLock(nodeFileSystem, folder, { times: LOCK_TIMES, clock }, async isHeld => {
    if (!isHeld) fail(new ChannelError("taken", t("Another process serves this workspace's channel now.")));
  });
  await lock.startSurely();
  if (!lock.isHeld) {
    await lock.stop();
    tell(t("Another process serves this workspace's channel now."));
    return EXIT.later;
  }
  const { journal, broken } = await Journal.open(join(folder, `telegram-${bot}.jsonl`));
  if (broken > 0) tell(t("! Lines of the channel's journal that cannot be read, and are passed over: {0}", broken));
  const base = { journal, clock, tell, fail, signal, channel: new TelegramChannel(token, telegramApi) };
  const contacts = new Contacts({ ...base, path: join(configDir(), "channels.json"), bot });
  const outbox = new Outbox({ ...base, contacts, redact: redactor.redact });
  const parts = { ...base, contacts, outbox };
  const ports = { ...world, foreignTools: withChatTools(world.foreignTools, parts) };
  try {
    await new Serve({ ...parts, ports, mode, folder: join(folder, "files") }).run();
    throw signal.reason;
  } catch (error) {
    if (interrupts.signal.aborted) return EXIT.stopped;
    const why: unknown = over.signal.aborted ? over.signal.reason : error;
    if (!(why instanceof ChannelError) || why.kind !== "taken") throw why;
    tell(t("{0} Another process receives this bot's messages: end that one, or use another bot.", why.message));
    return EXIT.later;
  } finally {
    over.abort();
    await journal.close();
    await lock.stop();
  }
}
