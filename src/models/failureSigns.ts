/** How servers say the same thing: their own words and codes, each taken from a real answer (test/models/bodies.ts). */
import type { Facts } from "./failureFacts";

/** The request is longer than the model can read. */
export const contextSigns = {
  OpenAI: [/context_length_exceeded/, /exceeds the context window/i, /input tokens exceed the configured limit/i],
  Anthropic: [/prompt is too long/i, /exceed context limit/i, /request_too_large/],
  Google: [/input token count.*exceeds the maximum number of tokens/i],
  vLLM: [/maximum context length is/i, /longer than the maximum model length/i, /too long to fit into the model/i],
  "llama.cpp": [
    /exceed_context_size_error/,
    /exceeds the available context size/i,
    /context size has been exceeded/i,
    /input is larger than the context size/i,
  ],
  Ollama: [/exceeded max(imum)? context length/i, /input length exceeds the (maximum )?context length/i],
  "LM Studio": [
    /greater than the context length/i,
    /context length of only \d+ tokens/i,
    /n_keep.*>=? *n_ctx/i,
    /reached context length of \d+ tokens/i,
  ],
  OpenRouter: [/endpoint's maximum context length/i],
  Groq: [/reduce the length of the messages/i],
  xAI: [/maximum prompt length is/i],
  Mistral: [/too large for model with \d+ maximum context length/i],
  SGLang: [/longer than the model's context length/i, /exceeds the model's maximum context length/i],
  TGI: [/`?inputs`? (?:tokens \+ `?max_new_tokens`? must be <=|must have less than \d+ tokens)/i],
  DashScope: [/range of input length should be/i],
  Volcengine: [/exceed max message tokens/i, /input length \d+ exceeds/i],
  Kimi: [/exceeded model token limit/i],
  MiniMax: [/context window exceeds limit/i, /^token limit$/i],
  Zhipu: [/prompt exceeds max length/i],
  Cohere: [/total number of tokens in the prompt cannot exceed/i],
  Copilot: [
    /model_max_prompt_tokens_exceeded/,
    /prompt token count of \d+ exceeds the limit/i,
    /message exceeds token limit/i,
  ],
  Bedrock: [/input is too long for requested model/i, /too many input tokens/i],
};

/**
 * Servers that nobody wrote down say it in words of their own: something that can be long, beside a limit. A request that is
 * refused so would be refused in every later turn too.
 */
const LONG =
  /\b(?:context|prompt|inputs?|tokens?|messages?|conversation|length|size)\b|上下文|输入|輸入|长度|長度|令牌|提示词|对话/i;
const BEYOND =
  /\b(?:exceed\w*|over(?:flow\w*)?|larger|longer|greater|limit\w*|max(?:imum)?|too (?:long|large|many|big)|range)\b|超过|超過|超出|超长|超長|过长|過長|上限|最大|范围|範圍/i;
/** What has a length or a limit too, and is made no better by less conversation. */
const OTHER_LIMIT =
  /\b(?:arrays?|tools?|functions?|schemas?|stop|temperature|top_[pk]|n|seed|penalty|names?|ids?|keys?|files?|images? (?:size|count)|rate|quota|credits?|balance|concurren\w*|per (?:second|minute|hour|day)|should be (?:a|an|less|greater)|valid)\b|max_?(?:new_|completion_|output_)?tokens|(?:completion|output) (?:tokens|length)|频率|限流|余额|并发/i;

/** There is no such model, or not for this key. */
const unknownModel: readonly RegExp[] = [
  /model_not_found/,
  /model\b.{0,120}\b(not found|does not exist|doesn't exist|not exist|is not found|not available)/i,
  /(invalid|unknown) model\b/i,
  /not a valid model/i,
  /^model: \S{1,200}$/,
  /models\/\S{1,200} is not found/i,
  /model identifier is invalid/i,
  /does not have access to model/i,
];

/** The model or the server's set-up takes no tools. */
const noTools: readonly RegExp[] = [
  /\b(?:does not|doesn't|do not|don't|cannot|can't|can not) (?:support|advertise|accept|take|use|handle) (?:the )?(?:use of )?[`'"]?(?:tools?|functions?)\b/i,
  /(?<!parallel |strict )\b(?:tools?|functions?)[`'"]?[ _-]?(?:calling|calls?|use|choice)?[`'"]?(?: (?:parameter|param|field|argument))? (?:(?:is|are) (?:not |un)|isn't |aren't |not )(?:currently )?(?:supported|enabled|available|allowed|implemented)/i,
  /\b(?:unrecognized|unknown|unsupported|unexpected|extra|invalid) (?:request )?(?:argument|parameter|param|field|input|key|property)s?(?: supplied)?:? [`'"]?tools?\b/i,
  /\b(?:property|field|parameter|argument|input) [`'"]?tools?[`'"]? is (?:un|not )(?:supported|recognized|known|expected|permitted|allowed)/i,
  /extra_forbidden.{0,60}"tools"|"tools".{0,60}extra_forbidden/,
  /--enable-auto-tool-choice/,
  /tools param requires --jinja/i,
  /no endpoints found that support tool use/i,
  /不支持(?:使用)?(?:工具|函数)|(?:工具|函数)调用.{0,6}(?:不支持|不可用|未启用)/,
];

const badKey: readonly RegExp[] = [
  /invalid_api_key|authentication_error/,
  /api key not valid/i,
  /(invalid|incorrect) api key/i,
];
const noCredit: readonly RegExp[] = [
  /insufficient_quota/,
  /insufficient (balance|credits|funds)/i,
  /credit balance is too low/i,
];
const perMinute: readonly RegExp[] = [/tokens per min/i, /rate[ _]limit/i, /\bTPM\b/];
const largerThanLimit: readonly RegExp[] = [/request too large/i];

const says = (signs: readonly RegExp[]) => (facts: Facts) =>
  signs.some(sign => sign.test(facts.labels) || sign.test(facts.words));
const isBeyondLength = ({ status, words }: Facts): boolean =>
  (status === 400 || status === 422) && LONG.test(words) && BEYOND.test(words) && !OTHER_LIMIT.test(words);
const allContextSigns = Object.values(contextSigns).flat();

export const signs = {
  /** A limit per minute is no window, whatever else the message says. */
  contextTooLong: (facts: Facts, known: readonly RegExp[] = allContextSigns) =>
    !says(perMinute)(facts) && (facts.status === 413 || says(known)(facts) || isBeyondLength(facts)),
  unknownModel: says(unknownModel),
  noTools: says(noTools),
  badKey: says(badKey),
  noCredit: (facts: Facts) => facts.status === 402 || says(noCredit)(facts),
  rateLimit: (facts: Facts) =>
    facts.status === 429 || /rate_limit/.test(facts.labels) || (facts.status === 413 && says(perMinute)(facts)),
  /** The one request is more than a minute's allowance: waiting does not help. */
  largerThanLimit: says(largerThanLimit),
};
