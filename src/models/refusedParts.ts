/** Which part of the newest request a server's refusal means, and how much room it leaves for an answer. */
import { listed } from "../shared/format";
import { t } from "../shared/l10n";
import type { FailureFacts } from "./failureFacts";
import { LEAST_ANSWER, type LeavingOut, type LeftOut } from "./leftOut";

function leaving(parts: readonly { key: string; name: string }[]): LeavingOut | undefined {
  if (parts.length === 0) return undefined;
  return { part: { keys: parts.map(({ key }) => key) }, what: listed([...new Set(parts.map(({ name }) => name))], 5) };
}

/** Gemini counts functions within a tool, the others tools. */
const FUNCTION_AT = /function_?declarations?(?:\.|\[)(\d+)/gi;
const TOOL_AT = /\btools?["']?(?:\.|\[|,\s*|\/)(\d+)\b/gi;

/** The tools of servers that a refusal names, by name or by place. Strata's own are as every provider takes them. */
export function refusedTools({ words, param = "" }: FailureFacts, { tools, hasKey }: LeftOut): LeavingOut | undefined {
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

export function refusedThoughts(facts: FailureFacts, { thoughts, hasKey }: LeftOut): LeavingOut | undefined {
  const said = `${facts.labels} ${facts.words}`;
  if (!THOUGHTS.test(`${said} ${facts.param ?? ""}`) || !THOUGHTS_REFUSED.test(said)) return undefined;
  const keys = thoughts.filter(key => !hasKey(key));
  return keys.length > 0 ? { part: { keys } } : undefined;
}

const TOO_MANY = /too many|at most|up to \d+|(?:maximum|number|limit) of (?:\d+ )?(?:images|pictures)|image count/i;
const NAMES_PICTURE =
  /(?<![a-z])(?:images?|pictures?|photos?|pixels?|png|jpe?g|webp|gif|media[ _]type|mime|inline[ _]data)(?![a-z])/i;

/** The newest pictures: those before them were taken. Where there are too many, the oldest half. A bare 413 means the newest, too, if pictures are most of the request. */
export function refusedPictures(facts: FailureFacts, { pictures, characters }: LeftOut): LeavingOut | undefined {
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
export function refusedRoom({ words }: FailureFacts, { answerTokens: asked, characters }: LeftOut) {
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
