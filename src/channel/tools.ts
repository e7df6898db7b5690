/** Tools of a session that is reached by a channel: telling a contact something, and reading what was said with one. */

import * as z from "zod";
import chatHistory from "../../prompts/tools/chatHistory.md";
import chatSend from "../../prompts/tools/chatSend.md";
import { type Sleeper, ToolError } from "../core/ground/ports";
import { counted } from "../core/ground/text/format";
import { type ForeignTools, success, type Tool } from "../core/tool/tool";
import { untilAborted } from "../shared/async";
import type { Json } from "../shared/messages";
import type { Contacts } from "./contacts";
import type { Journal } from "./journal";
import type { Outbox } from "./outbox";
import { answerMessages } from "./said";

interface ChatToolsDeps {
  contacts: Contacts;
  journal: Journal;
  outbox: Outbox;
  clock: Sleeper;
}

const [USUAL, MOST] = [20, 50];
/** ms that a call waits for the network; then it is sent behind it */
const SENDING = 60_000;

const contact = z.string().min(1).describe("name");
const sendInput = z.object({ contact, text: z.string().min(1).max(20_000) });
const historyInput = z.object({ contact, limit: z.int().min(1).max(MOST).default(USUAL) });

/** Beside those of MCP servers. */
export function withChatTools(others: ForeignTools | undefined, deps: ChatToolsDeps): ForeignTools {
  const own = [sendTool(deps), historyTool(deps)] as Tool[];
  return { refresh: async () => others?.refresh(), list: found => [...own, ...(others?.list(found) ?? [])] };
}

function sendTool(deps: ChatToolsDeps): Tool<z.infer<typeof sendInput>> {
  return {
    name: "ChatSend",
    description: chatSend.trim(),
    effect: "network",
    input: takes(sendInput),
    async prepare(input) {
      const chat = await chatOf(deps, input.contact);
      return {
        targets: [],
        title: `Send a message to ${input.contact}`,
        detail: { type: "other", summary: "Sends this message by the bot", input },
        binding: JSON.stringify(["ChatSend", chat, input]),
        async perform({ callId, signal }) {
          const parts = answerMessages(input.text);
          const added = await Promise.all(parts.map((part, at) => deps.outbox.add(`c:${callId}:${at}`, chat, part)));
          const sent = Promise.all(added.map(one => one.sent));
          const numbers = await untilAborted(Promise.race([sent, deps.clock.sleep(SENDING, signal)]), signal);
          if (numbers?.includes(0))
            throw new ToolError("EXIT", `The message could not be delivered to ${input.contact}.`);
          const text = numbers
            ? "Sent."
            : "The network is down: it is sent as soon as that is possible. Do not send it again.";
          const data = { contact: input.contact, sent: numbers !== undefined };
          return success({ data, text, digest: `ChatSend ${input.contact}` });
        },
      };
    },
  };
}

function historyTool(deps: ChatToolsDeps): Tool<z.infer<typeof historyInput>> {
  return {
    name: "ChatHistory",
    description: chatHistory.trim(),
    effect: "read",
    // Whoever wrote it: words of others are no instructions.
    trust: "outside",
    input: takes(historyInput),
    async prepare({ contact, limit }) {
      const chat = await chatOf(deps, contact);
      return {
        targets: [],
        title: `Read the chat with ${contact}`,
        detail: { type: "other", summary: "Reads what was said with this person", input: { contact, limit } },
        binding: JSON.stringify(["ChatHistory", chat, limit]),
        async perform() {
          const said = deps.journal.said.flatMap(line => {
            const [of, who] =
              line.kind === "in" ? [line.update, contact] : [{ chat: line.chat, ...line.message }, "bot"];
            const isSaid = of.chat === chat && !("kind" in of && of.kind === "press");
            return isSaid ? [`${new Date(line.ts).toISOString().slice(0, 16)} ${who}: ${of.text}`] : [];
          });
          const text = said.slice(-limit).join("\n") || "Nothing was said yet.";
          return success({
            data: { contact },
            text,
            digest: `ChatHistory ${contact} · ${counted(said.length, "message")}`,
          });
        },
      };
    },
  };
}

async function chatOf({ contacts }: ChatToolsDeps, name: string): Promise<string> {
  const all = await contacts.all();
  const chat = all.get(name);
  if (chat !== undefined) return chat;
  throw new ToolError("NOT_FOUND", `There is no contact ${name}. There are: ${[...all.keys()].join(", ") || "none"}.`);
}

function takes<T>(schema: z.ZodType<T>): Tool<T>["input"] {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: "input" });
  return {
    jsonSchema: jsonSchema as Json,
    parse(input) {
      const { data, error } = schema.safeParse(input);
      return error ? { complaint: z.prettifyError(error) } : { value: data as T };
    },
  };
}
