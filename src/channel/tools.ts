/** Tools of a session that a channel reaches: telling a contact something, and reading what was said with one. */
import * as z from "zod";
import chatHistory from "../../prompts/tools/chatHistory.md";
import chatSend from "../../prompts/tools/chatSend.md";
import { type Sleeper, ToolError } from "../core/ground/ports";
import { type ForeignTools, type RunContext, success, type Tool, type ToolOutcome } from "../core/tool/tool";
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

/** ms that a call waits for the network; then it is sent behind it */
const SENDING = 60_000;

const contact = z.string().min(1);
const sendInput = z.object({ contact, text: z.string().min(1).max(20_000) });
const historyInput = z.object({ contact, limit: z.int().min(1).max(50).default(20) });

/** Beside those of MCP servers. */
export function withChatTools(others: ForeignTools | undefined, deps: ChatToolsDeps): ForeignTools {
  const send = chatTool(deps, sendInput, "Sends this message by the bot", (input, chat, run) =>
    sent(deps, { ...input, chat }, run),
  );
  const history = chatTool(deps, historyInput, "Reads what was said with this person", async (input, chat) =>
    saidWith(deps.journal, { ...input, chat }),
  );
  const own: Tool[] = [
    { ...send, name: "ChatSend", description: chatSend.trim(), effect: "network" },
    // Words of others are no instructions.
    { ...history, name: "ChatHistory", description: chatHistory.trim(), effect: "read", trust: "outside" },
  ];
  return { refresh: async () => others?.refresh(), list: found => [...own, ...(others?.list(found) ?? [])] };
}

function chatTool<T extends { contact: string } & Record<string, Json>>(
  { contacts }: ChatToolsDeps,
  schema: z.ZodType<T>,
  summary: string,
  perform: (input: T, chat: string, run: RunContext) => Promise<ToolOutcome>,
): { input: Tool["input"]; prepare: Tool["prepare"] } {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: "input" });
  const parse = (given: unknown) => {
    const { data, error } = schema.safeParse(given);
    return error ? { complaint: z.prettifyError(error) } : { value: data };
  };
  return {
    input: { jsonSchema: jsonSchema as Json, parse },
    async prepare(given) {
      const input = given as T;
      const all = await contacts.all();
      const chat = all.get(input.contact);
      const names = [...all.keys()].join(", ");
      if (chat === undefined) throw new ToolError("NOT_FOUND", `No contact ${input.contact}. There are: ${names}`);
      return {
        targets: [],
        title: `${summary}: ${input.contact}`,
        detail: { type: "other", summary, input },
        binding: JSON.stringify([summary, chat, input]),
        perform: run => perform(input, chat, run),
      };
    },
  };
}

async function sent(
  { outbox, clock }: ChatToolsDeps,
  { contact: name, text, chat }: z.infer<typeof sendInput> & { chat: string },
  { callId, signal }: RunContext,
): Promise<ToolOutcome> {
  const parts = answerMessages(text).map((part, at) => outbox.add(`c:${callId}:${at}`, chat, part));
  const all = Promise.all(parts).then(added => Promise.all(added.map(one => one.sent)));
  const numbers = await untilAborted(Promise.race([all, clock.sleep(SENDING, signal)]), signal);
  if (numbers?.includes(0)) throw new ToolError("EXIT", `The message could not be delivered to ${name}.`);
  const words = numbers ? "Sent." : "The network is down: it will be sent. Do not send it again.";
  return success({ data: { contact: name }, text: words, digest: `ChatSend ${name}` });
}

function saidWith(
  { said }: Journal,
  { contact: name, limit, chat }: z.infer<typeof historyInput> & { chat: string },
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
