/** The table of refusals: what the person reads, and what the next request goes without. The first row that fits decides. All words are of real answers (test/models/bodies.ts). */
import type { ModelFailure, ModelFailureCode, OptionalKind } from "../core/ground/ports";
import { listed } from "../shared/format";
import { t } from "../shared/l10n";
import { keyOwner, keyServers, ownProviders } from "../shared/modelProviders";
import type { FailureFacts } from "./failureFacts";
import { LEAST_ANSWER, type LeavingOut, type LeftOut } from "./leftOut";

/** Where the request went, for the sentence. */
export interface RequestPlace {
  name: string;
  address: string;
  host: string;
  /** how long nothing had been heard */
  timeoutMs: number;
  /** undefined: none was sent. Used only to take it out of the shown words. */
  key: string | undefined;
  /** the host of a proxy that requests take there; absent: none is known */
  proxy?: string | undefined;
  /** the file of NODE_EXTRA_CA_CERTS, where it is not there */
  lostCertificates?: string | undefined;
  /** what its requests go without already; absent: nothing can be left out */
  leftOut?: LeftOut;
  /** ms since the epoch; for a `retry-after` that is a date */
  now(): number;
}

export interface FailureRow {
  code: ModelFailureCode;
  /** of an error that is ours or of the stream */
  kind?: readonly FailureFacts["kind"][];
  status?: readonly number[];
  /** Each of them is in its code or its words. */
  says?: readonly RegExp[];
  /** Neither code nor words have it. */
  not?: RegExp;
  fits?(facts: FailureFacts): boolean;
  /** The row fits where it gives something. */
  leave?(facts: FailureFacts, leftOut: LeftOut): LeavingOut | undefined;
  retryable?: true;
  remedy?: NonNullable<ModelFailure["remedy"]>;
  /** `hint`: what helps and no action does */
  say(facts: FailureFacts, where: RequestPlace): [sentence: string, hint?: string | undefined];
}

const status = (facts: FailureFacts) => (facts.status === undefined ? "" : ` (${facts.status})`);
export const addressHint = (address: string) =>
  address.endsWith("/v1") ? t("Its address is {0}.", address) : t("Its address is {0}, but most end in /v1.", address);
const oneOf = (...signs: RegExp[]) => new RegExp(signs.map(({ source }) => source).join("|"), "i");

const PER_MINUTE = /tokens per min|rate[ _]limit|\bTPM\b/i;
/** What has a size of its own, which less conversation does not change. */
const PART = /\b(?:images?|pictures?|photos?|audio|video|files?|document|base64|header|url|media|tools?|name)\b/i;
const TOO_LONG = oneOf(
  /context_length_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|ContextWindowExceeded|tokens_limit_reached|^(?:1261|336103)\b/,
  /context (?:window|length|size|limit) (?:is|of|was|has been|exceeds)|(?:exceeds?|exceeded|available|maximum|the|model|model's|greater than) (?:the )?(?:maximum )?context (?:window|length|size|limit)|exceeds n_ctx|n_keep.*>=? *n_ctx|max_seq_len/,
  /prompt (?:is |length )?(?:too long|exceeds max)|prompt tokens too long|(?<!audio )input is (?:too long|larger)/,
  /(?:model|prompt) length is|maximum (?:model|sequence) length|max(?:imum)? prompt length|too long to fit into the model|too large for model with/,
  /(?:input|prompt) token(?:s| count).{0,40}(?:exceed|supports up to)|too many (?:input )?tokens: |input tokens exceed|number of input tokens exceeds|token limit: \d|^token limit$|message exceeds token limit|max message tokens/,
  /reduce the length of the messages|range of input length|`?inputs`? (?:tokens \+ `?max_new_tokens`? must be <=|must have less than)|should not exceed max_num_tokens|input length \d+ exceeds|request payload size exceeds|request body too large/,
  /Invalid '(?:messages|input|instructions)(?:\[\d+\])?(?:\.(?:content|output|text)(?:\[\d+\])?)*': (?:string|array) too long/,
);
const UNKNOWN_MODEL = oneOf(
  /model_not_found|^model: \S{1,200}$|(?:invalid|unknown) model\b|not a valid model|models\/\S{1,200} is not found/,
  /model\b.{0,120}\b(?:not found|does not exist|doesn't exist|not exist|is not found|not available)/,
  /model identifier is invalid|does not have access to model/,
);
const NO_TOOLS = oneOf(
  /\b(?:does not|doesn't|do not|don't|cannot|can't|can not) (?:support|advertise|accept|take|use|handle) (?:the )?(?:use of )?[`'"]?(?:tools?|functions?)\b/,
  /(?<!parallel |strict )\b(?:tools?|functions?)[`'"]?[ _-]?(?:calling|calls?|use|choice)?[`'"]?(?: (?:parameter|param|field|argument))? (?:(?:is|are) (?:not |un)|isn't |aren't |not )(?:currently )?(?:supported|enabled|available|allowed|implemented)/,
  /\b(?:unrecognized|unknown|unsupported|unexpected|extra|invalid) (?:request )?(?:argument|parameter|param|field|input|key|property)s?(?: supplied)?:? [`'"]?tools?\b/,
  /\b(?:property|field|parameter|argument|input) [`'"]?tools?[`'"]? is (?:un|not )(?:supported|recognized|known|expected|permitted|allowed)/,
  /extra_forbidden.{0,60}"tools"|"tools".{0,60}extra_forbidden|--enable-auto-tool-choice|tools param requires --jinja|no endpoints found that support tool use/,
);

const UNKNOWN =
  /not supported|unsupported|does(?:n't| not) support|unrecognized|unknown (?:parameter|field|name|argument)|unexpected (?:keyword )?(?:argument|parameter|field|property|key)|extra_forbidden|extra (?:inputs|fields)|is not (?:allowed|permitted)/i;
const INVALID =
  /input should be|invalid value|must be one of|is not one of|not a valid|is invalid|mandatory|cannot be (?:disabled|turned off|set to 0)|can(?:no|')t disable|only works in thinking mode|not support setting|restricted to true|must be (?:set to )?(?:enabled|true)|only type=enabled/;
const FORBIDDEN =
  /not (?:allowed|permitted|accepted)|forbidden|(?:must|should) not (?!be (?:null|empty|none|without|missing))|\bremove\b/;
const SCHEMA =
  /(?:tools?|functions?)[._ ](?:function[._ ])?(?:parameters|schema).{0,40}(?:not (?:a )?valid|invalid|unsupported|not supported)|(?:invalid|unsupported|unrecognized|malformed|cannot (?:parse|compile)) (?:json |tool |function |input )*(?:schema|grammar)|schema conversion failed|cannot unmarshal .{0,60}\btools\.|moonshot flavored|failed to (?:parse|compile|initialize)[^.]{0,20}(?:grammar|schema)/i;

const sayRefused: FailureRow["say"] = (facts, { host }) => [t("{0} refused the request{1}.", host, status(facts))];
/** Leaves a part out after a refusal of such a status, each part once. */
const refusing = (leave: NonNullable<FailureRow["leave"]>, ...says: RegExp[]): FailureRow => ({
  code: "bad-request",
  status: [400, 404, 413, 422, 500],
  says,
  leave,
  say: sayRefused,
});
const kind = (part: OptionalKind, ...says: RegExp[]) =>
  refusing((_, { has }) => (has(part) ? undefined : { part, ...named(part) }), ...says);
function named(part: OptionalKind): { what?: string } {
  if (part === "images") return { what: t("images") };
  return part === "reasoning" ? { what: t("a reasoning effort") } : {};
}

const parts: readonly FailureRow[] = [
  refusing(refusedRoom),
  kind(
    "images",
    /no endpoints found that support image input|image_url is only supported by certain models|unknown variant `image_url`|is not a multimodal model|at most 0 image|(?:images?|vision)(?: inputs?| content)? (?:is|are) not supported|does(?:n't| not) support (?:the )?(?:images?|vision)/i,
  ),
  kind("summary", /reasoning[_. ]summar/i, /must be verified|not supported|unsupported/i),
  kind(
    "reasoning",
    /reasoning[_. ]?effort|\bthink(?:ing)?(?:[_ ](?:config|level|budget|mode))?\b|enable_thinking|reasoning is mandatory/i,
    oneOf(UNKNOWN, INVALID),
  ),
  kind("usage", /stream_options|include_usage/i, UNKNOWN),
  kind(
    "system",
    /system (?:role|messages?|instructions?|prompts?) (?:is |are )?not supported|does(?:n't| not) support system|developer instruction is not enabled|only user and assistant roles are supported/i,
  ),
  kind("turns", /roles must alternate|alternate between user and assistant|consecutive user messages/i),
  kind("past-thoughts", /reasoning_(?:content|details)|messages\W*\d+\W+reasoning\b/i, oneOf(UNKNOWN, FORBIDDEN)),
  kind(
    "bare-steps",
    /reasoning_content/i,
    /missing|must (?!not be (?!null|empty|none|without))|required|passed? back|expected|cannot be (?:null|empty|none)/i,
  ),
  kind(
    "late-thinking",
    /expected [`'"]?thinking[`'"]?.{0,60}found|final [`'"]?assistant[`'"]? message must start with a thinking block/i,
  ),
];

const row = (code: ModelFailureCode, signs: Partial<FailureRow>, say: FailureRow["say"]): FailureRow => ({
  code,
  ...signs,
  say,
});
const tooLong = row("context-too-long", { remedy: "set-window" }, (_, { name }) => [t("Too long for {0}.", name)]);
const noCredit = row("rate-limit", {}, (facts, { host }) => [
  t("The account at {0} has no credit left{1}.", host, status(facts)),
]);
const rateLimit = row("rate-limit", { retryable: true }, (facts, { host }) => [
  t("Rate limit reached at {0}{1}.", host, status(facts)),
]);
const noKey = row("auth", { remedy: "set-key" }, (facts, { host, address, key }) => [
  !key
    ? t("{0} needs an API key{1}.", host, status(facts))
    : facts.status === 403
      ? t("{0} denied access{1}.", host, status(facts))
      : t("The API key was rejected{0}.", status(facts)),
  key && wrongKey(key, address),
]);
const isFailing = ({ status = 0 }: FailureFacts) => [408, 409, 425].includes(status) || status >= 500;

export const refusals: readonly FailureRow[] = [
  ...parts,
  { ...tooLong, says: [TOO_LONG], not: PER_MINUTE },
  refusing(refusedTools),
  refusing((_, { has, tools }) => (tools.length > 0 && !has("schemas") ? { part: "schemas" } : undefined), SCHEMA),
  refusing(refusedThoughts),
  refusing(refusedPictures),
  { ...tooLong, status: [413], not: oneOf(PER_MINUTE, PART) },
  { ...noCredit, status: [402] },
  { ...noCredit, says: [/insufficient_quota|insufficient (?:balance|credits|funds)|credit balance is too low/i] },
  row("rate-limit", { status: [413, 429], says: [/request too large/i] }, (facts, { host }) => [
    t("One request is larger than {0} allows in a minute{1}.", host, status(facts)),
  ]),
  { ...rateLimit, status: [429] },
  { ...rateLimit, says: [/rate_limit/] },
  { ...rateLimit, status: [413], says: [PER_MINUTE] },
  row("unknown-model", { says: [UNKNOWN_MODEL], fits: ({ status = 0 }) => status < 500 }, (facts, { name, host }) => [
    t("{0} is not available at {1}{2}.", name, host, status(facts)),
  ]),
  { ...noKey, status: [401] },
  { ...noKey, status: [403], remedy: "choose-model" },
  { ...noKey, says: [/invalid_api_key|authentication_error|api key not valid|(?:invalid|incorrect) api key/i] },
  row("no-tools", { says: [NO_TOOLS], remedy: "set-protocol" }, (facts, { name, host }) => [
    t("{0} at {1} takes no tools{2}.", name, host, status(facts)),
  ]),
  row("server", { fits: isFailing, retryable: true }, (facts, { host }) => [
    /overload/i.test(`${facts.labels} ${facts.words}`)
      ? t("{0} is overloaded{1}.", host, status(facts))
      : t("The server at {0} failed{1}.", host, status(facts)),
  ]),
  row("bad-request", { status: [404, 405] }, (facts, { host, address }) => [
    t("There is no model server at {0}{1}.", host, status(facts)),
    addressHint(address),
  ]),
  row("bad-request", { fits: ({ status = 0 }) => status >= 400 }, sayRefused),
];

/** The key itself is not shown, only whose it looks like. undefined: it may be right */
function wrongKey(key: string, address: string): string | undefined {
  if (key.includes("://")) return t("It looks like an address.");
  const owner = keyOwner(key);
  const theirs =
    owner && "provider" in owner
      ? ownProviders[owner.provider]
      : Object.values(keyServers).find(server => server.address === owner?.address);
  const isTheirs = theirs && (address.startsWith(theirs.address) || address.includes(theirs.title.toLowerCase()));
  return theirs && !isTheirs ? t("It looks like a key of {0}.", theirs.title) : undefined;
}

function leaving(parts: readonly { key: string; name: string }[]): LeavingOut | undefined {
  if (parts.length === 0) return undefined;
  return { part: { keys: parts.map(({ key }) => key) }, what: listed([...new Set(parts.map(({ name }) => name))], 5) };
}

/** Gemini counts functions within a tool, the others tools. */
const FUNCTION_AT = /function_?declarations?(?:\.|\[)(\d+)/gi;
const TOOL_AT = /\btools?["']?(?:\.|\[|,\s*|\/)(\d+)\b/gi;

/** The tools of servers that a refusal names, by name or by place. Strata's own are as every provider takes them. */
function refusedTools({ words, param = "" }: FailureFacts, { tools, hasKey }: LeftOut): LeavingOut | undefined {
  const said = `${words} ${param}`;
  const foreign = tools.filter(({ key, name }) => name.startsWith("mcp__") && !hasKey(key));
  // A name says more than a place: some servers count what they added too.
  const byName = foreign.filter(({ name }) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(said));
  if (byName.length > 0) return leaving(byName);
  const functions = [...said.matchAll(FUNCTION_AT)];
  const places = (functions.length > 0 ? functions : [...said.matchAll(TOOL_AT)]).map(
    ([, place]) => tools[Number(place)],
  );
  return leaving(foreign.filter(({ key }) => places.some(place => place?.key === key)));
}

/** Signed or sealed by another model, account or server: "Invalid `signature` in `thinking` block", "The encrypted content … could not be verified". Or parted from what it belongs to. */
const THOUGHTS_REFUSED =
  /(?:invalid|corrupt\w*|malformed|missing|unable|fail\w*|cannot|could not|not (?:be )?(?:valid|verified|found)|did not match|modified|bound to|without its required|expired)/i;
const THOUGHTS =
  /thinking[`'"]? (?:or|blocks?)|thought[_ ]?signatures?|encrypted[_ ](?:content|reasoning)|reasoning[`'"]? (?:items?|blocks?|was provided)|item (?:with id )?['"`]?rs_|redacted_thinking|reasoning_?opaque|signature in/i;

function refusedThoughts(facts: FailureFacts, { thoughts, hasKey }: LeftOut): LeavingOut | undefined {
  const said = `${facts.labels} ${facts.words}`;
  if (!THOUGHTS.test(`${said} ${facts.param ?? ""}`) || !THOUGHTS_REFUSED.test(said)) return undefined;
  const keys = thoughts.filter(key => !hasKey(key));
  return keys.length > 0 ? { part: { keys } } : undefined;
}

const TOO_MANY = /too many|at most|up to \d+|(?:maximum|number|limit) of (?:\d+ )?(?:images|pictures)|image count/i;
const NAMES_PICTURE =
  /(?<![a-z])(?:images?|pictures?|photos?|pixels?|png|jpe?g|webp|gif|media[ _]type|mime|inline[ _]data)(?![a-z])/i;

/** The newest pictures: those before them were taken. Where there are too many, the oldest half. A bare 413 means the newest, too, if pictures are most of the request. */
function refusedPictures(facts: FailureFacts, { pictures, characters }: LeftOut): LeavingOut | undefined {
  const { status, words, param = "" } = facts;
  const isMostly = pictures.reduce((sum, { length }) => sum + length, 0) > characters;
  if (!NAMES_PICTURE.test(`${words} ${param}`) && !(status === 413 && isMostly)) return undefined;
  if (TOO_MANY.test(words)) return leaving(pictures.slice(0, Math.ceil(pictures.length / 2)));
  const newest = pictures.at(-1)?.message;
  return leaving(pictures.filter(({ message }) => message === newest));
}

/** Window, input or total, and how much was asked for. All are of real answers (test/models/refusals.test.ts). */
const ROOM: readonly RegExp[] = [
  // Anthropic, Bedrock
  /exceed context limit: (?<input>\d+) \+ (?<asked>\d+) > (?<window>\d+)/i,
  // vLLM from 0.11, which counts no further than it has to
  /context length is (?<window>\d+) tokens.{0,40}requested (?<asked>\d+) output tokens and your prompt contains (?<bound>at least )?(?<input>\d+)/i,
  // vLLM from 0.6
  /context length is (?<window>\d+) tokens and your request has (?<input>\d+) input tokens/i,
  // OpenAI, DeepSeek, vLLM, OpenRouter, SGLang
  /context length (?:is|of) (?<window>\d+) tokens.{0,40}requested (?:about |a total of )?(?<total>\d+) tokens.{0,120}?(?<asked>\d+) (?:tokens )?(?:in|for) the (?:completion|output)/i,
  // TGI, Together
  /must be <= (?<window>\d+)\. Given: (?<input>\d+) `inputs` tokens and (?<asked>\d+)/i,
  // Cerebras
  /messages or completion.{0,20}current length is (?<total>\d+) while limit is (?<window>\d+)/i,
];

const NAME = /max_?(?:new_?|output_?|completion_?)?tokens|maximum tokens/i;
/** The number that follows is the most; "below": it is too much already. */
const MOST: readonly { says: RegExp; below?: true }[] = [
  { says: /> (\d+), which is the maximum allowed/i },
  { says: /range[^[]{0,40}\[\s*\d+\s*,\s*(\d+)\s*\]/i },
  { says: /range is from \d+ \(inclusive\) to (\d+) \(exclusive\)/i, below: true },
  { says: /(?:at most|up to|<=|≤|less than or equal to|no (?:more|greater|larger) than)\s*[`'"]?(\d+)/i },
  { says: /(?:less|lower|smaller) than\s*[`'"]?(\d+)/i, below: true },
  { says: /between [`'"]?\d+[`'"]? and [`'"]?(\d+)/i },
  { says: /(?:maximum|limit)(?: \w+){0,4}?(?: of| is|:| \()\s*[`'"]?(\d+)/i },
];

/** Tokens for the answer to the newest request, where fewer than asked for are enough: what a model writes at most, or the rest of its window. */
function refusedRoom({ words }: FailureFacts, { answerTokens: asked, characters }: LeftOut) {
  const said = words.replace(/(\d)[,_](?=\d{3})/g, "$1");
  const room = ROOM.map(sign => sign.exec(said)?.groups).find(each => each !== undefined);
  if (room) return windowRoom(room, asked, characters);
  if (asked === undefined || !NAME.test(said)) return undefined;
  for (const { says, below } of MOST) {
    const [, number] = says.exec(said) ?? [];
    if (number === undefined) continue;
    const most = Number(number) - (below ? 1 : 0);
    const what = t("more than {0} tokens of an answer", most);
    return most > 0 && most < asked ? { part: { answer: most }, what } : undefined;
  }
  return undefined;
}

function windowRoom(groups: Record<string, string | undefined>, sent: number | undefined, characters: number) {
  const said = (name: string) => (groups[name] === undefined ? undefined : Number(groups[name]));
  const [window = Number.NaN, total = Number.NaN] = [said("window"), said("total")];
  const told = said("asked") ?? sent ?? Number.NaN;
  const asked = sent ?? told;
  // The told input is the least it can be: half of the tokens that were asked for may fit.
  const input = groups.bound ? window - Math.floor(asked / 2) : (said("input") ?? total - told);
  const fits = window - input;
  if (!(fits >= LEAST_ANSWER && fits < asked)) return undefined;
  return { part: { window, perCharacter: input / Math.max(1, characters) } };
}
