/** What a server may refuse of a request that can do without it: how it says so, and the request as it is then. */
import type { OptionalKind } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { listed } from "../shared/format";
import { plural, t } from "../shared/l10n";
import type { Json } from "../shared/messages";
import { refusedRoom } from "./answerRoom";
import type { FailureFacts } from "./failureFacts";
import { type LeftOut, type PartRefusal, pictureKey, type SentParts, thoughtKey, toolKey } from "./leftOut";
import { unseen } from "./react/protocol";
import { isPlainlyTooLong } from "./refusals";
import type {
  SdkCallOptions,
  SdkFilePart,
  SdkMessage,
  SdkProviderOptions,
  SdkTextPart,
  SdkTool,
  SdkUserMessage,
} from "./sdk/types";
import { plainSchema } from "./toolSchemas";

interface KindRefusal extends PartRefusal<OptionalKind> {
  /** all of them */
  says: readonly RegExp[];
}

const UNKNOWN =
  /not supported|unsupported|does(?:n't| not) support|unrecognized|unknown (?:parameter|field|name|argument)|unexpected (?:keyword )?(?:argument|parameter|field|property|key)|extra_forbidden|extra (?:inputs|fields)|is not (?:allowed|permitted)/i;

const FORBIDDEN =
  /not (?:allowed|permitted|accepted)|forbidden|(?:must|should) not (?!be (?:null|empty|none|without|missing))|\bremove\b/;

const noReasoning = (name: string, address: string) =>
  t('"{0}" at {1} takes no reasoning effort, so none is sent.', name, address);

/** Each sign is of a real answer (test/models/refusals.test.ts). */
const refusals: readonly KindRefusal[] = [
  {
    part: "images",
    says: [
      /no endpoints found that support image input|image_url is only supported by certain models|unknown variant `image_url`|is not a multimodal model|at most 0 image|(?:images?|vision)(?: inputs?| content)? (?:is|are) not supported|does(?:n't| not) support (?:the )?(?:images?|vision)/i,
    ],
    words: (name, address) =>
      t(
        '"{0}" at {1} cannot see images, so it is told their names instead. To show them, choose another model.',
        name,
        address,
      ),
  },
  {
    part: "summary",
    says: [/reasoning[_. ]summar/i, /must be verified|not supported|unsupported/i],
    words: (name, address) => t('"{0}" at {1} gives no summary of its reasoning here.', name, address),
  },
  {
    part: "reasoning",
    says: [/reasoning[_. ]?effort|\bthink(?:ing)?(?:[_ ](?:config|level|budget|mode))?\b/i, UNKNOWN],
    words: noReasoning,
  },
  {
    part: "reasoning",
    says: [
      /reasoning[_. ]?effort|thinking[_. ]?level/i,
      /input should be|invalid value|must be one of|is not one of|not a valid|is invalid/i,
    ],
    words: noReasoning,
  },
  {
    part: "reasoning",
    says: [
      /reasoning|think/i,
      /mandatory|cannot be (?:disabled|turned off|set to 0)|can(?:no|')t disable|only works in thinking mode|not support setting thinking_budget to 0|restricted to true|must be (?:set to )?(?:enabled|true)|only type=enabled/i,
    ],
    words: (name, address) => t('"{0}" at {1} always reasons, and how much is left to it.', name, address),
  },
  {
    part: "cache-key",
    says: [/prompt_?cache_?key/i, UNKNOWN],
    words: (name, address) => t('"{0}" at {1} takes no key for its cache, so none is sent.', name, address),
  },
  {
    part: "usage",
    says: [/stream_options|include_usage/i, UNKNOWN],
    words: (name, address) => t('"{0}" at {1} does not report usage, so it is estimated.', name, address),
  },
  {
    part: "system",
    says: [
      /system (?:role|messages?|instructions?|prompts?) (?:is |are )?not supported|does(?:n't| not) support system|developer instruction is not enabled|only user and assistant roles are supported/i,
    ],
    words: (name, address) =>
      t('"{0}" at {1} takes no system message, so that text is sent as a user message.', name, address),
  },
  {
    part: "turns",
    says: [/roles must alternate|alternate between user and assistant|consecutive user messages/i],
    words: (name, address) =>
      t('"{0}" at {1} takes no two messages of one side in a row, so they are sent as one.', name, address),
  },
  {
    part: "past-thoughts",
    says: [
      /reasoning_(?:content|details)|messages\W*\d+\W+reasoning\b/i,
      new RegExp(`${UNKNOWN.source}|${FORBIDDEN.source}`, "i"),
    ],
    words: (name, address) => t('"{0}" at {1} takes no earlier reasoning, so it is left out.', name, address),
  },
  {
    part: "bare-steps",
    says: [
      /reasoning_content/i,
      /missing|must (?!not be (?!null|empty|none|without))|required|passed? back|expected|cannot be (?:null|empty|none)/i,
    ],
    words: (name, address) => t('"{0}" at {1} needs the reasoning of each step, so it is sent along.', name, address),
  },
  {
    part: "late-thinking",
    says: [
      /expected [`'"]?thinking[`'"]?.{0,60}found|final [`'"]?assistant[`'"]? message must start with a thinking block/i,
    ],
    words: (name, address) =>
      t('"{0}" at {1} cannot begin to reason in the middle of a turn, so it goes on without.', name, address),
  },
];

/** What the server refused, where it can be left out and was not yet. */
export function refusedPart(facts: FailureFacts, leftOut: LeftOut, sent: SentParts): PartRefusal | undefined {
  const { status = 0, words, labels } = facts;
  if (![400, 404, 413, 422, 500].includes(status)) return undefined;
  const room = refusedRoom(facts, sent);
  if (room) return room;
  const said = `${labels} ${words}`;
  const kind = refusals.find(({ part, says }) => !leftOut.has(part) && says.every(sign => sign.test(said)));
  if (kind) return kind;
  if (isPlainlyTooLong(facts)) return undefined;
  return (
    refusedTools(facts, leftOut, sent.tools) ??
    refusedSchemas(said, leftOut, sent.tools) ??
    refusedThoughts(facts, said, leftOut, sent) ??
    refusedPictures(facts, sent)
  );
}

/** Gemini counts functions within a tool, the others tools. */
const FUNCTION_AT = /function_?declarations?(?:\.|\[)(\d+)/gi;
const TOOL_AT = /\btools?["']?(?:\.|\[|,\s*|\/)(\d+)\b/gi;

/** Ours are as every provider takes them: a refusal that names one of those means something else. */
const isForeign = ({ name }: SentParts["tools"][number]): boolean => name.startsWith("mcp__");

/** The tools of servers that a refusal names, by name or by place. */
function refusedTools(
  { words, param = "" }: FailureFacts,
  { hasSome }: LeftOut,
  tools: SentParts["tools"],
): PartRefusal | undefined {
  const said = `${words} ${param}`;
  const places = [...said.matchAll(FUNCTION_AT)];
  const at = (places.length > 0 ? places : [...said.matchAll(TOOL_AT)]).flatMap(
    ([, place]) => tools[Number(place)] ?? [],
  );
  const byName = tools.filter(({ name }) => isNamed(name, said));
  // A name says more than a place: some servers count what they added too.
  const named = (byName.length > 0 ? byName : at).filter(tool => isForeign(tool) && !hasSome(tool.key));
  if (named.length === 0) return undefined;
  const names = [...new Set(named.map(({ name }) => name))];
  return {
    part: { tools: named.map(({ key }) => key) },
    words: (name, address) =>
      plural(
        names.length,
        '"{1}" at {2} refuses the tool {3} ("{4}"), so requests go without it.',
        '"{1}" at {2} refuses {0} tools: {3} ("{4}"). Requests go without them.',
        ...[name, address, listed(names), words],
      ),
  };
}

/** A word of a text is no name: it stands in quotes, or is none that a text has. */
function isNamed(name: string, said: string): boolean {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "");
  const quoted = new RegExp(`["'\`]${plain}["'\`]|\\b(?:tool|function)(?: name)?:? ${plain}(?![\\w-])`, "i");
  return quoted.test(said) || (/_/.test(plain) && new RegExp(`(?<![\\w-])${plain}(?![\\w-])`).test(said));
}

const SCHEMA_REFUSED =
  /(?:tools?|functions?)[._ ](?:function[._ ])?(?:parameters|schema).{0,40}(?:not (?:a )?valid|invalid|unsupported|not supported)|(?:invalid|unsupported|unrecognized|malformed|cannot (?:parse|compile)) (?:json |tool |function |input )*(?:schema|grammar)|schema conversion failed|cannot unmarshal .{0,60}\btools\.|moonshot flavored|failed to (?:parse|compile|initialize)[^.]{0,20}(?:grammar|schema)/i;

/** A schema is refused, and nobody knows whose. */
function refusedSchemas(said: string, { has }: LeftOut, tools: SentParts["tools"]): PartRefusal | undefined {
  if (tools.length === 0 || has("schemas") || !SCHEMA_REFUSED.test(said)) return undefined;
  return {
    part: "schemas",
    words: (name, address) =>
      t('"{0}" at {1} refuses a tool\'s schema, so tools are described more simply.', name, address),
  };
}

/**
 * Signed or sealed by another model, account or server: "Invalid `signature` in `thinking` block", "Thought signature is not valid", "The
 * encrypted content for item rs_… could not be verified". Or parted from what it belongs to.
 */
const THOUGHTS_REFUSED =
  /(?:invalid|corrupt\w*|malformed|missing|unable|fail\w*|cannot|could not|not (?:be )?(?:valid|verified|found)|did not match|modified|bound to|without its required|expired)/i;
const THOUGHTS =
  /thinking[`'"]? (?:or|blocks?)|thought[_ ]?signatures?|encrypted[_ ](?:content|reasoning)|reasoning[`'"]? (?:items?|blocks?|was provided)|item (?:with id )?['"`]?rs_|redacted_thinking|reasoning_?opaque|signature in/i;

function refusedThoughts(
  { words, param = "" }: FailureFacts,
  said: string,
  { hasSome }: LeftOut,
  { thoughts }: SentParts,
): PartRefusal | undefined {
  if (!THOUGHTS.test(`${said} ${param}`) || !THOUGHTS_REFUSED.test(said)) return undefined;
  const out = thoughts.filter(key => !hasSome(key));
  if (out.length === 0) return undefined;
  return {
    part: { thoughts: out },
    words: (name, address) =>
      t('"{0}" at {1} refuses earlier reasoning ("{2}"), so it is left out.', name, address, words),
  };
}

const TOO_MANY = /too many|at most|up to \d+|(?:maximum|number|limit) of (?:\d+ )?(?:images|pictures)|image count/i;
const NAMES_PICTURE =
  /(?<![a-z])(?:images?|pictures?|photos?|pixels?|png|jpe?g|webp|gif|media[ _]type|mime|inline[ _]data)(?![a-z])/i;
/** of a request's characters: so much pictures are, where its size is refused and nothing else is said */
const MOST_OF_IT = 0.5;

/** The newest pictures: those before them were taken. Where there are too many, the oldest half. */
function refusedPictures(facts: FailureFacts, { pictures, characters }: SentParts): PartRefusal | undefined {
  const bytes = pictures.reduce((sum, picture) => sum + picture.bytes, 0);
  const isLarge = facts.status === 413 && bytes > (bytes + characters) * MOST_OF_IT;
  if (pictures.length === 0 || !(NAMES_PICTURE.test(`${facts.words} ${facts.param ?? ""}`) || isLarge))
    return undefined;
  const newest = pictures.at(-1)?.message;
  const out = TOO_MANY.test(facts.words)
    ? pictures.slice(0, Math.ceil(pictures.length / 2))
    : pictures.filter(({ message }) => message === newest);
  const names = [...new Set(out.map(({ name }) => name))];
  return {
    part: { pictures: out.map(({ key }) => key) },
    words: (name, address) =>
      plural(
        out.length,
        '"{1}" at {2} refuses the picture {3} ("{4}"), so requests go without it.',
        '"{1}" at {2} refuses {0} pictures: {3} ("{4}"). Requests go without them.',
        ...[name, address, listed(names, 5), facts.words],
      ),
  };
}

/** The call without what was refused. Fields of the body that no option has are left out where the body is made. */
export function withoutParts(params: SdkCallOptions, leftOut: LeftOut): SdkCallOptions {
  let { prompt, tools, reasoning, providerOptions = {} } = params;
  if (leftOut.has("images")) prompt = prompt.map(message => withoutImages(message, () => true, unseen));
  prompt = prompt.map(message => withoutImages(message, part => leftOut.hasSome(pictureKey(part)), refusedPicture));
  prompt = prompt.map(message => withoutThoughts(message, leftOut));
  tools = tools?.filter(tool => !leftOut.hasSome(toolKey(tool)));
  if (leftOut.has("schemas")) tools = tools?.map(plainTool);
  if (leftOut.has("system")) prompt = prompt.map(asUser);
  if (leftOut.has("turns") || leftOut.has("system")) prompt = joinUsers(prompt);
  if (leftOut.has("reasoning") || (leftOut.has("late-thinking") && !beganThinking(prompt))) {
    reasoning = undefined;
    providerOptions = withoutOptions(providerOptions, REASONING);
  }
  if (leftOut.has("summary")) providerOptions = withoutSummary(providerOptions);
  if (leftOut.has("cache-key")) providerOptions = withoutOptions(providerOptions, ["promptCacheKey"]);
  const maxOutputTokens = leftOut.answerTokens({ ...params, prompt });
  return { ...params, prompt, ...(tools && { tools }), reasoning, providerOptions, ...defined({ maxOutputTokens }) };
}

const REASONING = ["reasoningEffort", "reasoningSummary", "forceReasoning", "thinking", "thinkingConfig"];

/** Absent, the SDK would ask for one wherever an effort is set. */
function withoutSummary({ openai, ...options }: SdkProviderOptions): SdkProviderOptions {
  return openai === undefined ? options : { ...options, openai: { ...openai, reasoningSummary: null } };
}

function withoutOptions(options: SdkProviderOptions, names: readonly string[]): SdkProviderOptions {
  return Object.fromEntries(
    Object.entries(options).map(([provider, own]) => [
      provider,
      Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name))),
    ]),
  );
}

/** Whether the newest step of a model begins with what it thought. */
function beganThinking(prompt: readonly SdkMessage[]): boolean {
  const step = prompt.findLast(message => message.role === "assistant");
  return step?.role !== "assistant" || step.content[0]?.type === "reasoning";
}

/** The same object where it has none of them. What goes with a thought that stays behind names it by its id, or has its signature. */
function withoutThoughts(message: SdkMessage, leftOut: LeftOut): SdkMessage {
  if (message.role !== "assistant") return message;
  const goes = (part: (typeof message.content)[number]) => {
    const key = thoughtKey(part);
    return key !== undefined && (leftOut.hasSome(key) || (part.type === "reasoning" && leftOut.has("past-thoughts")));
  };
  if (!message.content.some(goes)) return message;
  const content = message.content.flatMap(part => {
    if (part.type === "reasoning" && goes(part)) return [];
    return [{ ...part, providerOptions: withoutOptions(part.providerOptions ?? {}, ["itemId", "thoughtSignature"]) }];
  });
  return { ...message, content } as SdkMessage;
}

/** The same object where it has none of them. */
function withoutImages(
  message: SdkMessage,
  goes: (part: SdkFilePart) => boolean,
  instead: (part: SdkFilePart) => SdkTextPart,
): SdkMessage {
  if (message.role !== "user" || !message.content.some(part => part.type === "file" && goes(part))) return message;
  const content = message.content.map(part => (part.type === "file" && goes(part) ? instead(part) : part));
  return { ...message, content };
}

const refusedPicture = ({ mediaType }: SdkFilePart): SdkTextPart => ({
  type: "text",
  text: `[${mediaType}: left out, since the model's server refused it]`,
});

const plainTool = (tool: SdkTool): SdkTool =>
  tool.type === "function" ? { ...tool, inputSchema: plainSchema(tool.inputSchema as Json) as never } : tool;

const asUser = (message: SdkMessage): SdkMessage =>
  message.role === "system" ? { role: "user", content: [{ type: "text", text: message.content }] } : message;

function joinUsers(prompt: readonly SdkMessage[]): SdkMessage[] {
  const joined: SdkMessage[] = [];
  for (const message of prompt) {
    const before = joined.at(-1);
    if (message.role === "user" && before?.role === "user") joined[joined.length - 1] = joinTwo(before, message);
    else joined.push(message);
  }
  return joined;
}

/** Texts alone become one text: the strictest servers take nothing else. */
function joinTwo(first: SdkUserMessage, second: SdkUserMessage): SdkUserMessage {
  const content = [...first.content, ...second.content];
  const texts = content.flatMap(part => (part.type === "text" ? [part.text] : []));
  if (texts.length < content.length) return { ...second, content };
  return { ...second, content: [{ type: "text", text: texts.join("\n\n") }] };
}
