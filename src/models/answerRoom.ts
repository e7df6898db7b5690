/**
 * How many tokens an answer may have: what a model writes at most, and what is left of its window beside a request, each as its server
 * says it when more was asked for. The request goes again and asks for less.
 */
import { t } from "../shared/l10n";
import type { FailureFacts } from "./failureFacts";
import { LEAST_ANSWER, type PartRefusal, type SentParts } from "./leftOut";

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

/** What the answer to the newest request may have, where that is less than was asked for and enough for one. */
export function refusedRoom({ words }: FailureFacts, sent: SentParts): PartRefusal | undefined {
  const said = words.replace(/(\d)[,_](?=\d{3})/g, "$1");
  const room = ROOM.map(sign => sign.exec(said)?.groups).find(each => each !== undefined);
  if (room) return windowRoom(room, sent);
  if (sent.answerTokens === undefined || !NAME.test(said)) return undefined;
  for (const { says, below } of MOST) {
    const [, number] = says.exec(said) ?? [];
    if (number === undefined) continue;
    const most = Number(number) - (below ? 1 : 0);
    return most > 0 && most < sent.answerTokens ? refusal({ answer: most }, most) : undefined;
  }
  return undefined;
}

function windowRoom(groups: Record<string, string | undefined>, sent: SentParts): PartRefusal | undefined {
  const [window, said, total] = ["window", "input", "total"].map(name => Number(groups[name] ?? Number.NaN));
  const told = Number(groups.asked ?? sent.answerTokens ?? Number.NaN);
  const asked = sent.answerTokens ?? told;
  if (window === undefined || !(asked > 0)) return undefined;
  // What is told of the input is the least it can be: half of what was asked for may fit.
  const input = groups.bound ? window - Math.floor(asked / 2) : groups.input ? said : (total ?? Number.NaN) - told;
  const fits = window - (input ?? Number.NaN);
  if (!(fits >= LEAST_ANSWER && fits < asked)) return undefined;
  return refusal({ window, perCharacter: (window - fits) / Math.max(1, sent.characters) }, fits);
}

const refusal = (part: PartRefusal["part"], tokens: number): PartRefusal => ({
  part,
  words: (name, address) =>
    t(
      '"{0}" at {1} takes no request for more than {2} tokens of an answer ("Longest answer" in the settings), so no more is asked for.',
      name,
      address,
      tokens,
    ),
});
