/** Telegram's Bot API as a channel. Its token is in every address: no failure may tell one. */
import type { Message, Update } from "grammy/types";
import { Api, GrammyError, HttpError, InputFile } from "grammy/web";
import { defined } from "../shared/defined";
import { t } from "../shared/l10n";
import { type Channel, ChannelError, type ChannelMessage, type ChannelUpdate } from "./channel";

type GrammySignal = Parameters<Api["getMe"]>[0];

/** s that a request waits for messages, and that any may take: a connection that went silent is given up */
const [POLL, LONGEST] = [25, 40];
/** ms */
const DOWNLOAD = 120_000;
const WANTED = ["message", "edited_message", "callback_query"] as const;
const OFFICIAL = "https://api.telegram.org";

export class TelegramChannel implements Channel {
  private readonly api: Api;
  private readonly root: string;
  /** Behind what was received; absent: all that is not confirmed. Kept nowhere: after a week of silence numbers begin anew. */
  private offset: { offset?: number } = {};

  /** @param root of a Bot API server */
  constructor(
    private readonly token: string,
    root = OFFICIAL,
  ) {
    this.root = root.replace(/\/$/, "");
    // Node's fetch sends a document, which is a stream, only so.
    const baseFetchConfig = { duplex: "half" } as object;
    this.api = new Api(token, { apiRoot: this.root, timeoutSeconds: LONGEST, baseFetchConfig });
  }

  async receive(signal: AbortSignal): Promise<ChannelUpdate[]> {
    const how = { timeout: POLL, allowed_updates: WANTED, ...this.offset };
    const updates = await asked(signal, own => this.api.getUpdates(how, own));
    const last = updates.at(-1);
    this.offset = last ? { offset: last.update_id + 1 } : {};
    return updates.flatMap(update => channelUpdate(update) ?? []);
  }

  async send(chat: string, { text, buttons, file }: ChannelMessage, signal: AbortSignal): Promise<number> {
    const keys = buttons?.map(row => row.map(({ label, data }) => ({ text: label, callback_data: data })));
    const more = keys ? { reply_markup: { inline_keyboard: keys } } : {};
    const sent = await asked<Message>(signal, own => {
      if (!file) return this.api.sendMessage(chat, text, { ...more, link_preview_options: { is_disabled: true } }, own);
      const document = new InputFile(new TextEncoder().encode(text), file.name);
      return this.api.sendDocument(chat, document, { ...more, caption: file.caption }, own);
    });
    return sent.message_id;
  }

  async edit(chat: string, message: number, signal: AbortSignal): Promise<void> {
    await asked(signal, own => this.api.editMessageReplyMarkup(chat, message, {}, own));
  }

  async answerPress(press: string, text: string, signal: AbortSignal): Promise<void> {
    await asked(signal, own => this.api.answerCallbackQuery(press, { text: text.slice(0, MAX_ANSWER) }, own));
  }

  async file(id: string, signal: AbortSignal): Promise<Uint8Array> {
    const { file_path: path = "" } = await asked(signal, own => this.api.getFile(id, own));
    return asked(signal, () => this.download(path, AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD)])));
  }

  private async download(path: string, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await fetch(`${this.root}/file/bot${this.token}/${path}`, { signal, redirect: "error" });
    if (answer.status !== 200)
      throw new ChannelError(answer.status === 404 ? "refused" : "later", t("Telegram does not give this file now."));
    return new Uint8Array(await answer.arrayBuffer());
  }
}

/** characters that a press is answered with */
const MAX_ANSWER = 200;

async function asked<T>(signal: AbortSignal, ask: (own: GrammySignal) => Promise<T>): Promise<T> {
  try {
    // The same thing: its types know a shim only.
    return await ask(signal as unknown as GrammySignal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ChannelError ? error : failure(error);
  }
}

/** Where the connection failed with these, nothing left this machine. */
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

function failure(error: unknown): ChannelError {
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error;
    const words = t("Telegram says: {0}", description);
    if (code === 401 || description === "Not Found") return new ChannelError("ended", words);
    if (code === 429) return new ChannelError("later", words, (parameters.retry_after ?? 1) * 1_000);
    if (code === 409) return new ChannelError("taken", words);
    // What has no such code came from something between.
    return new ChannelError(code >= 400 && code < 500 ? "refused" : "unknown", words);
  }
  const thrown = error instanceof HttpError ? error.error : error;
  const { code = "" } = (thrown instanceof Error ? (thrown.cause ?? {}) : {}) as { code?: string };
  return new ChannelError(
    UNSENT.includes(code) ? "later" : "unknown",
    t("Telegram cannot be reached. {0}", code).trim(),
  );
}

function channelUpdate(update: Update): ChannelUpdate | undefined {
  const { update_id: id, message, edited_message: edited, callback_query: press } = update;
  const said = message ?? edited ?? press?.message;
  const from = press?.from ?? said?.from;
  if (!said || !from) return undefined;
  const { chat, message_id: number } = said;
  const who = { chat: String(chat.id), person: String(from.id), name: from.username ?? from.first_name };
  const common = { id, ...who, isPrivate: chat.type === "private", message: number };
  if (press) return { ...common, kind: "press", text: press.data ?? "", press: press.id };
  const { text, caption } = said as Message;
  const file = fileOf(said as Message);
  return { ...common, kind: message ? "message" : "edit", text: text ?? caption ?? "", ...defined({ file }) };
}

/** Of a photo the largest that there is. */
function fileOf({ photo, document, audio, video, voice }: Message): ChannelUpdate["file"] {
  const sent = photo?.at(-1) ?? document ?? audio ?? video ?? voice;
  const name = document?.file_name ?? audio?.file_name ?? video?.file_name ?? (photo ? "photo.jpg" : "file");
  return sent && { id: sent.file_id, name, ...defined({ bytes: sent.file_size }) };
}
