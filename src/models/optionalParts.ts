/** What a server may refuse of a request that can do without it: how it says so, and the request as it is then. */
import type { LanguageModel } from "ai";
import type { OptionalPart } from "../core/ports";
import { unseen } from "./chatTurns";
import type { Facts } from "./failureFacts";

type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
type CallOptions = Parameters<Model["doStream"]>[0];
type Message = CallOptions["prompt"][number];
type UserMessage = Extract<Message, { role: "user" }>;

interface Refusal {
  part: OptionalPart;
  /** all of them */
  says: readonly RegExp[];
  /** what the person is told: the end of a sentence that begins with the model */
  words: string;
}

const UNKNOWN =
  /not supported|unsupported|does(?:n't| not) support|unrecognized|unknown (?:parameter|field|name|argument)|extra_forbidden|extra inputs/i;

/** Each sign is of a real answer (test/models/refusals.test.ts). */
const refusals: readonly Refusal[] = [
  {
    part: "images",
    says: [
      /no endpoints found that support image input|image_url is only supported by certain models|unknown variant `image_url`|is not a multimodal model|at most 0 image|(?:images?|vision)(?: inputs?| content)? (?:is|are) not supported|does(?:n't| not) support (?:the )?(?:images?|vision)/i,
    ],
    words: "cannot see images, so they are named to it instead; to show them, choose another model",
  },
  {
    part: "summary",
    says: [/reasoning[_. ]summar/i, /must be verified|not supported|unsupported/i],
    words: "gives no summary of what it thinks here",
  },
  {
    part: "reasoning",
    says: [/reasoning[_. ]?effort|\bthink(?:ing)?(?:[_ ](?:config|level|budget|mode))?\b/i, UNKNOWN],
    words: "does not take how much it is to think, so strata.model.reasoning is not sent to it",
  },
  { part: "cache-key", says: [/prompt_?cache_?key/i, UNKNOWN], words: "takes no key for its cache, so none is sent" },
  {
    part: "usage",
    says: [/stream_options|include_usage/i, UNKNOWN],
    words: "does not report usage, so it is estimated",
  },
  {
    part: "system",
    says: [
      /system (?:role|messages?|instructions?|prompts?) (?:is |are )?not supported|does(?:n't| not) support system|developer instruction is not enabled/i,
    ],
    words: "takes no system message, so that text goes as yours",
  },
  {
    part: "turns",
    says: [/roles must alternate|alternate between user and assistant|consecutive user messages/i],
    words: "takes no two messages of one side in a row, so they go as one",
  },
];

/** What the server refused, where it can be left out and was not yet. */
export function refusedPart(
  { status = 0, words, labels }: Facts,
  leftOut: ReadonlySet<OptionalPart>,
): Refusal | undefined {
  if (![400, 404, 422, 500].includes(status)) return undefined;
  const said = `${labels} ${words}`;
  return refusals.find(({ part, says }) => !leftOut.has(part) && says.every(sign => sign.test(said)));
}

/** The call without what was refused. Fields of the body that no option has are left out where the body is made. */
export function withoutParts(params: CallOptions, leftOut: ReadonlySet<OptionalPart>): CallOptions {
  if (leftOut.size === 0) return params;
  let { prompt, reasoning, providerOptions = {} } = params;
  if (leftOut.has("images")) prompt = prompt.map(withoutImages);
  if (leftOut.has("system")) prompt = prompt.map(asUser);
  if (leftOut.has("turns") || leftOut.has("system")) prompt = joinUsers(prompt);
  if (leftOut.has("reasoning")) {
    reasoning = undefined;
    providerOptions = withoutOptions(providerOptions, REASONING);
  }
  if (leftOut.has("summary")) providerOptions = withoutSummary(providerOptions);
  if (leftOut.has("cache-key")) providerOptions = withoutOptions(providerOptions, ["promptCacheKey"]);
  return { ...params, prompt, reasoning, providerOptions };
}

const REASONING = ["reasoningEffort", "reasoningSummary", "forceReasoning", "thinking", "thinkingConfig"];

type Options = NonNullable<CallOptions["providerOptions"]>;

/** Absent, the SDK would ask for one wherever an effort is set. */
function withoutSummary({ openai, ...options }: Options): Options {
  return openai === undefined ? options : { ...options, openai: { ...openai, reasoningSummary: null } };
}

function withoutOptions(options: Options, names: readonly string[]): Options {
  return Object.fromEntries(
    Object.entries(options).map(([provider, own]) => [
      provider,
      Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name))),
    ]),
  );
}

function withoutImages(message: Message): Message {
  if (message.role !== "user") return message;
  const content = message.content.map(part => (part.type === "file" ? unseen(part) : part));
  return { ...message, content };
}

const asUser = (message: Message): Message =>
  message.role === "system" ? { role: "user", content: [{ type: "text", text: message.content }] } : message;

function joinUsers(prompt: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of prompt) {
    const before = joined.at(-1);
    if (message.role === "user" && before?.role === "user") joined[joined.length - 1] = joinTwo(before, message);
    else joined.push(message);
  }
  return joined;
}

/** Texts alone become one text: the strictest servers take nothing else. */
function joinTwo(first: UserMessage, second: UserMessage): UserMessage {
  const content = [...first.content, ...second.content];
  const texts = content.flatMap(part => (part.type === "text" ? [part.text] : []));
  if (texts.length < content.length) return { ...second, content };
  return { ...second, content: [{ type: "text", text: texts.join("\n\n") }] };
}
