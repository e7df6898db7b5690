/** A Bot API server as its documentation has it: what breaks a rule of it is answered as there, and counted. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../fakes/eventually";

export const TOKEN = "123456:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr";

interface Button {
  text: string;
  callback_data: string;
}

export interface SentMessage {
  id: number;
  chat: string;
  /** of a document its content */
  text: string;
  caption?: string;
  buttons: Button[];
  /** its buttons were taken away */
  isOver: boolean;
}

type Answer = { status: number; body: object } | "reset";

interface Payload {
  chat_id?: string;
  text?: string;
  message_id?: number;
  callback_query_id?: string;
  file_id?: string;
  offset?: number;
  timeout?: number;
  caption?: string;
  document?: string;
  reply_markup?: { inline_keyboard?: Button[][] };
}

const ok = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } });
const refused = (code: number, description: string, parameters?: object): Answer => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
});

export class TelegramServer {
  readonly sent: SentMessage[] = [];
  /** what was answered to presses */
  readonly told: string[] = [];
  readonly files = new Map<string, Uint8Array>();
  /** requests that broke a rule */
  readonly broken: string[] = [];
  /** next answers in the place of the real ones, by method; `reset` after it was done */
  readonly next: { method: string; answer: Answer; isDone?: boolean }[] = [];
  isRevoked = false;
  private updates: { update_id: number }[] = [];
  private number = 100;
  private readonly messages = { next: 1 };
  private poll: ((isTaken: boolean) => void) | undefined;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** A person writes. @returns the number of the message */
  say(person: number, text: string, more: object = {}): number {
    const message_id = this.messages.next++;
    this.add({ message: { message_id, date: 0, ...from(person), text, ...more } });
    return message_id;
  }

  edit(person: number, message_id: number, text: string): void {
    this.add({ edited_message: { message_id, date: 0, ...from(person), text } });
  }

  press(person: number, { id, chat }: SentMessage, data: string): void {
    const message = { message_id: id, date: 0, chat: { id: Number(chat), type: "private" } };
    this.add({
      callback_query: { id: String(this.number), chat_instance: "1", from: from(person).from, message, data },
    });
  }

  add(update: object): void {
    this.updates.push({ update_id: this.number++, ...update });
    this.poll?.(false);
  }

  /** The same ones once more: as if their confirmation was lost. */
  repeat(count: number, update: object): void {
    for (let time = 0; time < count; time++) this.updates.push({ update_id: this.number, ...update });
    this.number += 1;
    this.poll?.(false);
  }

  get unconfirmed(): number {
    return this.updates.length;
  }

  /** The newest message to a chat that fits. */
  async heard(chat: number, fits: RegExp, count = 1, limitMs = 50_000): Promise<SentMessage> {
    const found = () => this.sent.filter(each => each.chat === String(chat) && fits.test(each.text)).at(count - 1);
    return eventually(`${chat} is told ${fits}`, found, { limitMs, saw: () => this.sent });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, kind, method = "", name] = /^\/(file\/)?bot[^/]+\/([^/?]+)(?:\/(.*))?$/.exec(request.url ?? "") ?? [];
    if (!request.url?.includes(`bot${TOKEN}/`) || this.isRevoked) return end(response, refused(401, "Unauthorized"));
    if (kind) {
      const file = this.files.get(name ?? method);
      response.writeHead(file ? 200 : 404).end(file);
      return;
    }
    const at = this.next.findIndex(each => each.method === method);
    const planned = at < 0 ? undefined : this.next.splice(at, 1)[0];
    if (planned && !planned.isDone) return end(response, planned.answer);
    const answer = await this.answer(method, payloadOf(request, Buffer.concat(chunks)), response);
    if (answer !== "reset" && answer.status === 400 && method !== "editMessageReplyMarkup")
      this.broken.push(JSON.stringify(answer.body));
    end(response, planned?.answer ?? answer);
  }

  private async answer(method: string, payload: Payload, response: ServerResponse): Promise<Answer> {
    if (method === "getUpdates") return this.getUpdates(payload, response);
    if (method === "sendMessage") {
      const { text = "" } = payload;
      if (text.trim() === "") return refused(400, "Bad Request: message text is empty");
      if (text.length > 4096) return refused(400, "Bad Request: message is too long");
      return this.take(payload, text);
    }
    if (method === "sendDocument") {
      if ((payload.caption ?? "").length > 1024) return refused(400, "Bad Request: message caption is too long");
      return this.take(payload, payload.document ?? "");
    }
    if (method === "editMessageReplyMarkup") {
      const message = this.sent.find(({ id }) => id === payload.message_id);
      if (!message || message.isOver) return refused(400, "Bad Request: message is not modified");
      message.isOver = true;
      return ok(true);
    }
    if (method === "answerCallbackQuery") {
      if ((payload.text ?? "").length > 200) return refused(400, "Bad Request: MESSAGE_TOO_LONG");
      this.told.push(payload.text ?? "");
      return ok(true);
    }
    if (method === "getFile") {
      const { file_id: file_path = "" } = payload;
      return this.files.has(file_path)
        ? ok({ file_id: file_path, file_path })
        : refused(400, "Bad Request: invalid file_id");
    }
    return refused(404, "Not Found");
  }

  private take({ chat_id: chat = "", caption, reply_markup: keys }: Payload, text: string): Answer {
    const buttons = (keys?.inline_keyboard ?? []).flat();
    for (const { callback_data: data } of buttons)
      if (Buffer.byteLength(data) < 1 || Buffer.byteLength(data) > 64)
        return refused(400, "Bad Request: BUTTON_DATA_INVALID");
    const id = this.messages.next++;
    this.sent.push({ id, chat: String(chat), text, ...(caption && { caption }), buttons, isOver: false });
    return ok({ message_id: id });
  }

  /** A new poll ends the one before; an offset confirms all before it. */
  private async getUpdates({ offset, timeout = 0 }: Payload, response: ServerResponse): Promise<Answer> {
    this.poll?.(true);
    if (offset !== undefined) this.updates = this.updates.filter(({ update_id: id }) => id >= offset);
    if (this.updates.length === 0 && timeout > 0) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.poll = resolve;
      response.on("close", () => resolve(false));
      const end = setTimeout(() => resolve(false), timeout * 1_000);
      const isTaken = await promise;
      clearTimeout(end);
      if (isTaken)
        return refused(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        );
      this.poll = undefined;
    }
    return ok(this.updates.slice(0, 100));
  }
}

const from = (person: number) => ({
  from: { id: person, is_bot: false, first_name: `P${person}` },
  chat: { id: person, type: "private" },
});

function payloadOf({ headers }: IncomingMessage, body: Buffer): Payload {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return JSON.parse(body.toString() || "{}") as Payload;
  const parts = body.toString().split(`--${boundary}`).slice(1, -1);
  const named = parts.map(part => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    return {
      name: /name="([^"]+)"/.exec(head)?.[1] ?? "",
      isFile: head.includes("filename="),
      value: rest.join("\r\n\r\n").slice(0, -2),
    };
  });
  const of = (name: string) => named.find(part => part.name === name)?.value;
  const keys = of("reply_markup");
  return {
    chat_id: of("chat_id") ?? "",
    document: named.find(({ isFile }) => isFile)?.value ?? "",
    ...(of("caption") !== undefined && { caption: of("caption") ?? "" }),
    ...(keys && { reply_markup: JSON.parse(keys) as NonNullable<Payload["reply_markup"]> }),
  };
}

function end(response: ServerResponse, answer: Answer): void {
  if (answer === "reset") {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
}
