/** What a server's refusal means, where a request can do without what it refuses: by a few words, each of a real answer (test/models/refusals.test.ts). */
import type { OptionalKind, OptionalPart } from "../core/ground/ports";
import { listed } from "../shared/format";
import { t } from "../shared/l10n";
import type { FailureFacts } from "./failureFacts";
import { LEAST_ANSWER, type LeftOut } from "./leftOut";
import { isPlainlyTooLong } from "./refusals";

interface PartRefusal {
  part: OptionalPart;
  /** what the person is told; absent: nothing that they would notice */
  notice?: string;
}

interface RefusalPlace {
  name: string;
  address: string;
  leftOut: LeftOut;
}

const UNKNOWN =
  /not supported|unsupported|does(?:n't| not) support|unrecognized|unknown (?:parameter|field|name|argument)|unexpected (?:keyword )?(?:argument|parameter|field|property|key)|extra_forbidden|extra (?:inputs|fields)|is not (?:allowed|permitted)/i;

const FORBIDDEN =
  /not (?:allowed|permitted|accepted)|forbidden|(?:must|should) not (?!be (?:null|empty|none|without|missing))|\bremove\b/;

const INVALID =
  /input should be|invalid value|must be one of|is not one of|not a valid|is invalid|mandatory|cannot be (?:disabled|turned off|set to 0)|can(?:no|')t disable|only works in thinking mode|not support setting|restricted to true|must be (?:set to )?(?:enabled|true)|only type=enabled/i;
const EITHER = new RegExp(`${UNKNOWN.source}|${INVALID.source}`, "i");

/** All signs of a row have to be there. */
const kinds: readonly [part: OptionalKind, ...says: RegExp[]][] = [
  [
    "images",
    /no endpoints found that support image input|image_url is only supported by certain models|unknown variant `image_url`|is not a multimodal model|at most 0 image|(?:images?|vision)(?: inputs?| content)? (?:is|are) not supported|does(?:n't| not) support (?:the )?(?:images?|vision)/i,
  ],
  ["summary", /reasoning[_. ]summar/i, /must be verified|not supported|unsupported/i],
  [
    "reasoning",
    /reasoning[_. ]?effort|\bthink(?:ing)?(?:[_ ](?:config|level|budget|mode))?\b|enable_thinking|reasoning is mandatory/i,
    EITHER,
  ],
  ["cache-key", /prompt_?cache_?key/i, UNKNOWN],
  ["usage", /stream_options|include_usage/i, UNKNOWN],
  [
    "system",
    /system (?:role|messages?|instructions?|prompts?) (?:is |are )?not supported|does(?:n't| not) support system|developer instruction is not enabled|only user and assistant roles are supported/i,
  ],
  ["turns", /roles must alternate|alternate between user and assistant|consecutive user messages/i],
  [
    "past-thoughts",
    /reasoning_(?:content|details)|messages\W*\d+\W+reasoning\b/i,
    new RegExp(`${UNKNOWN.source}|${FORBIDDEN.source}`, "i"),
  ],
  [
    "bare-steps",
    /reasoning_content/i,
    /missing|must (?!not be (?!null|empty|none|without))|required|passed? back|expected|cannot be (?:null|empty|none)/i,
  ],
  [
    "late-thinking",
    /expected [`'"]?thinking[`'"]?.{0,60}found|final [`'"]?assistant[`'"]? message must start with a thinking block/i,
  ],
];

/** What the server refused, where it can be left out and was not yet. */
export function refusedPart(facts: FailureFacts, place: RefusalPlace): PartRefusal | undefined {
  const { status = 0, words, labels } = facts;
  const { leftOut } = place;
  if (![400, 404, 413, 422, 500].includes(status)) return undefined;
  const room = refusedRoom(facts, place);
  if (room) return room;
  const said = `${labels} ${words}`;
  const [kind] = kinds.find(([part, ...says]) => !leftOut.has(part) && says.every(sign => sign.test(said))) ?? [];
  if (kind === "images") return { part: kind, notice: notice(place, t("images"), words) };
  if (kind === "reasoning") return { part: kind, notice: notice(place, t("a reasoning effort"), words) };
  if (kind) return { part: kind };
  if (isPlainlyTooLong(facts)) return undefined;
  const tools = refusedTools(facts, leftOut);
  if (tools.length > 0) return leaving(place, tools, words);
  if (leftOut.tools.length > 0 && !leftOut.has("schemas") && SCHEMA_REFUSED.test(said)) return { part: "schemas" };
  const thoughts = refusedThoughts(facts, said, leftOut);
  if (thoughts.length > 0) return { part: { keys: thoughts } };
  const pictures = refusedPictures(facts, leftOut);
  return pictures.length > 0 ? leaving(place, pictures, words) : undefined;
}

const notice = ({ name, address }: RefusalPlace, what: string, words: string): string =>
  t('"{0}" at {1} refuses {2} ("{3}"), so requests go without.', name, address, what, words);

const leaving = (place: RefusalPlace, parts: readonly { key: string; name: string }[], words: string): PartRefusal => ({
  part: { keys: parts.map(({ key }) => key) },
  notice: notice(place, listed([...new Set(parts.map(({ name }) => name))], 5), words),
});

/** Gemini counts functions within a tool, the others tools. */
const FUNCTION_AT = /function_?declarations?(?:\.|\[)(\d+)/gi;
const TOOL_AT = /\btools?["']?(?:\.|\[|,\s*|\/)(\d+)\b/gi;

/** The tools of servers that a refusal names, by name or by place. Strata's own are as every provider takes them. */
function refusedTools({ words, param = "" }: FailureFacts, { tools, hasKey }: LeftOut) {
  const said = `${words} ${param}`;
  const foreign = tools.filter(({ key, name }) => name.startsWith("mcp__") && !hasKey(key));
  // A name says more than a place: some servers count what they added too.
  const byName = foreign.filter(({ name }) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(said));
  if (byName.length > 0) return byName;
  const functions = [...said.matchAll(FUNCTION_AT)];
  const places = (functions.length > 0 ? functions : [...said.matchAll(TOOL_AT)]).map(
    ([, place]) => tools[Number(place)],
  );
  return foreign.filter(({ key }) => places.some(place => place?.key === key));
}

const SCHEMA_REFUSED =
  /(?:tools?|functions?)[._ ](?:function[._ ])?(?:parameters|schema).{0,40}(?:not (?:a )?valid|invalid|unsupported|not supported)|(?:invalid|unsupported|unrecognized|malformed|cannot (?:parse|compile)) (?:json |tool |function |input )*(?:schema|grammar)|schema conversion failed|cannot unmarshal .{0,60}\btools\.|moonshot flavored|failed to (?:parse|compile|initialize)[^.]{0,20}(?:grammar|schema)/i;

/**
 * Signed or sealed by another model, account or server: "Invalid `signature` in `thinking` block", "Thought signature is not valid", "The
 * encrypted content for item rs_… could not be verified". Or parted from what it belongs to.
 */
const THOUGHTS_REFUSED =
  /(?:invalid|corrupt\w*|malformed|missing|unable|fail\w*|cannot|could not|not (?:be )?(?:valid|verified|found)|did not match|modified|bound to|without its required|expired)/i;
const THOUGHTS =
  /thinking[`'"]? (?:or|blocks?)|thought[_ ]?signatures?|encrypted[_ ](?:content|reasoning)|reasoning[`'"]? (?:items?|blocks?|was provided)|item (?:with id )?['"`]?rs_|redacted_thinking|reasoning_?opaque|signature in/i;

function refusedThoughts({ param = "" }: FailureFacts, said: string, { thoughts, hasKey }: LeftOut): string[] {
  if (!THOUGHTS.test(`${said} ${param}`) || !THOUGHTS_REFUSED.test(said)) return [];
  return thoughts.filter(key => !hasKey(key));
}

const TOO_MANY = /too many|at most|up to \d+|(?:maximum|number|limit) of (?:\d+ )?(?:images|pictures)|image count/i;
const NAMES_PICTURE =
  /(?<![a-z])(?:images?|pictures?|photos?|pixels?|png|jpe?g|webp|gif|media[ _]type|mime|inline[ _]data)(?![a-z])/i;

/** The newest pictures: those before them were taken. Where there are too many, the oldest half. A bare 413 means the newest, too, if pictures are most of the request. */
function refusedPictures({ status, words, param = "" }: FailureFacts, { pictures, characters }: LeftOut) {
  const isMostly = pictures.reduce((sum, { length }) => sum + length, 0) > characters;
  if (!NAMES_PICTURE.test(`${words} ${param}`) && !(status === 413 && isMostly)) return [];
  if (TOO_MANY.test(words)) return pictures.slice(0, Math.ceil(pictures.length / 2));
  const newest = pictures.at(-1)?.message;
  return pictures.filter(({ message }) => message === newest);
}

/** Window, input or all of it, and how much was asked for. Each is of a real answer (test/models/refusals.test.ts). */
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

/**
 * How many tokens the answer to the newest request may have, where that is less than was asked for and enough for one: what a model
 * writes at most, or what is left of its window beside a request.
 */
function refusedRoom({ words }: FailureFacts, place: RefusalPlace): PartRefusal | undefined {
  const { answerTokens: asked, characters } = place.leftOut;
  const said = words.replace(/(\d)[,_](?=\d{3})/g, "$1");
  const room = ROOM.map(sign => sign.exec(said)?.groups).find(each => each !== undefined);
  if (room) return windowRoom(room, asked, characters);
  if (asked === undefined || !NAME.test(said)) return undefined;
  for (const { says, below } of MOST) {
    const [, number] = says.exec(said) ?? [];
    if (number === undefined) continue;
    const most = Number(number) - (below ? 1 : 0);
    const what = t('more than {0} tokens of an answer ("Longest answer" in the settings)', most);
    return most > 0 && most < asked ? { part: { answer: most }, notice: notice(place, what, words) } : undefined;
  }
  return undefined;
}

function windowRoom(
  groups: Record<string, string | undefined>,
  sent: number | undefined,
  characters: number,
): PartRefusal | undefined {
  const said = (name: string) => (groups[name] === undefined ? undefined : Number(groups[name]));
  const [window = Number.NaN, total = Number.NaN] = [said("window"), said("total")];
  const told = said("asked") ?? sent ?? Number.NaN;
  const asked = sent ?? told;
  // What is told of the input is the least it can be: half of what was asked for may fit.
  const input = groups.bound ? window - Math.floor(asked / 2) : (said("input") ?? total - told);
  const fits = window - input;
  if (!(fits >= LEAST_ANSWER && fits < asked)) return undefined;
  return { part: { window, perCharacter: input / Math.max(1, characters) } };
}
