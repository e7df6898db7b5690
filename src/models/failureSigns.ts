/** How servers say the same thing: their own words and codes, each taken from a real answer (test/models/bodies.ts). */
import type { FailureFacts } from "./failureFacts";

/** The request is longer than the model can read. */
export const contextSigns = {
  OpenAI: [
    /context_length_exceeded/,
    /exceeds the context window/i,
    /input tokens exceed the configured limit/i,
    /Invalid '(?:messages|input|instructions)(?:\[\d+\])?(?:\.(?:content|output|text)(?:\[\d+\])?)*': (?:string|array) too long/,
  ],
  Anthropic: [/prompt is too long/i, /exceed context limit/i],
  Google: [
    /input token count.*exceeds the maximum number of tokens/i,
    /input token count is \d+ but model only supports up to/i,
  ],
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
  LiteLLM: [/ContextWindowExceeded/],
};

/**
 * Servers that nobody wrote down say it in words of their own: something that can be long, beside a limit. A request that is
 * refused so would be refused in every later turn too.
 */
const LONG =
  /\b(?:context|prompts?|inputs?|tokens?|messages?|conversation|sequence|history|chat|request|payload|body)\b|上下文|输入|輸入|长度|長度|令牌|提示词|提示詞|对话|對話|入力|プロンプト|コンテキスト|トークン|입력|토큰|컨텍스트|kontext|eingabe|anfrage|nachricht|contexto?|contesto|entrada|mensaje|mensagem|saisie|запрос|контекст|токен|сообщени/i;
const BEYOND =
  /\b(?:exceed\w*|over(?:flow\w*)?|larger|longer|greater|beyond|limit\w*|max(?:imum)?|too (?:long|large|many|big)|range)\b|超过|超過|超出|超长|超長|过长|過長|上限|最大|范围|範圍|초과|überschr|zu lang|supera|excede|demasiado larg|muito long|troppo lung|dépass|trop long|превыша|превышен|слишком (?:длин|больш)/i;
/** Windows and bodies are counted in thousands: a limit of 4 blocks or 64 characters is one of something else. */
const MIN_WINDOW = 500;
/** A model's window by its name: nothing but a part that is named beside it makes this mean something else. */
const WINDOW =
  /\b(?:context (?:length|window|size|limit)|max(?:imum)? (?:model|input|prompt|sequence|seq|total) (?:len(?:gth)?|tokens)|上下文(?:长度|窗口))/i;
const NO_WINDOW = /\b(?:ids?|images?|pictures?|tools?|functions?|schemas?|keys?|num ctx|deadline|rate)\b/i;
/**
 * What has a length or a limit too, and is made no better by less conversation: a conversation is never shortened for what
 * names one of these.
 */
const OTHER_LIMIT = [
  // Parts of a request.
  /\b(?:ids?|uuids?|images?|pictures?|photos?|pixels?|dimensions?|png|jpe?g|webp|gif|media|mime|base64|data uri|video|audio|tools?|functions?|schemas?|param(?:eter)?s?|propert(?:y|ies)|arguments?|args|fields?|enums?|patterns?|regex|files?|filenames?|documents?|pdf|pages?|attachments?|urls?|uris?|names?|keys?|headers?|cookies?|metadata|labels?|titles?|descriptions?|arrays?|items|batch|embeddings?|depth|recursion|nest(?:ed|ing)|roles?|user ?names?|blocks?|breakpoints?|prefill|voice|invalid characters?)\b/i,
  // How it is answered.
  /\b(?:stop|temperature|top [pk]|n(?! ctx)|seed|penalt(?:y|ies)|logits?|log ?probs|bias|effort|reasoning|thinking|budget|(?<!kv )cache|verbosity|format|choices?|max (?:new |completion |output )?tokens|(?:completion|output|generated|new|response) (?:tokens|length))\b/i,
  // What is allowed in a time, to an account, or at all.
  /\b(?:rate|quota|credits?|balance|concurren\w*|per (?:second|minute|hour|day|month)|daily|monthly|today|account|plan|subscription|billing|free|trial|usage|deadline|time ?out|timed out|time limit|expired?|auth\w*|jwt|safety|moderation|severity|policy|filter\w*|valid|should be (?:a|an|less|greater))\b/i,
  /\b(?:parallel|simultaneous\w*|hourly|weekly|\d+ hours?|spend\w*|tier|slow down|queued?|busy|overloaded|risk|injection|region|prohibited)\b/i,
  // In other languages.
  /bilder?\b|bildgr|werkzeug|datei|imáge?n|imagen|herramient|archivo|imagem|ferramenta|arquivo|immagin|strument|fichier|outil|изображени|картин|инструмент|файл|параметр|分あたり|レート|回数|분당|횟수|요청 수/i,
  /频率|限流|余额|并发|图片|圖片|图像|圖像|工具|函数|参数|參數|文件|額度|额度|次数|次數|画像|ファイル|ツール|이미지|도구|파일/,
];
const PICTURES =
  /\b(?:images?|pictures?|photos?|pixels?|png|jpe?g|webp|gif|media type|mime|inline data)\b|图片|圖片|图像|圖像|画像|이미지|\bbild(?:er|format|datei)?\b|\bimágen(?:es)?\b|\bimagen\b|\bimagem\b|immagin[ei]|изображени/i;

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

const says = (signs: readonly RegExp[]) => (facts: FailureFacts) =>
  signs.some(sign => sign.test(facts.labels) || sign.test(facts.words));
/** `call_id`, `callId` and `messages.3.id` name an id, `'messages[0].name'` a name. */
const inWords = (text: string): string => text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_.[\]'"`:/-]+/g, " ");
const saidOf = ({ words, param = "" }: FailureFacts): string => inWords(`${words} ${param}`);
/** Whether one of its numbers, if it has any, can be a window's or a body's. Those of names and places are none. */
const mayBeWindow = (words: string): boolean => {
  const numbers = [
    ...words.matchAll(
      /(?<![\w.,[-])(\d{1,15}(?:[.,_]\d{1,15}){0,5})(?![\d_-])\s?(k|m|kb|mb|kib|mib|万|萬)?(?![a-z])/gi,
    ),
  ];
  return (
    numbers.length === 0 ||
    numbers.some(([, number = "", unit]) => unit !== undefined || Number(number.replace(/[.,_]/g, "")) >= MIN_WINDOW)
  );
};
const isBeyondLength = (facts: FailureFacts): boolean => {
  if (facts.status !== 400 && facts.status !== 413 && facts.status !== 422) return false;
  const said = saidOf(facts);
  if (!LONG.test(facts.words) || !BEYOND.test(facts.words) || !mayBeWindow(facts.words)) return false;
  return !OTHER_LIMIT.some(other => other.test(said)) || (WINDOW.test(said) && !NO_WINDOW.test(said));
};
/** Nothing but the size of the body, in bytes. */
const isTooLarge = (facts: FailureFacts): boolean =>
  facts.status === 413 && !OTHER_LIMIT.some(other => other.test(saidOf(facts)));
const allContextSigns = Object.values(contextSigns).flat();

export const signs = {
  /** A limit per minute is no window, whatever else the message says. */
  contextTooLong: (facts: FailureFacts, known: readonly RegExp[] = allContextSigns) =>
    !says(perMinute)(facts) && (says(known)(facts) || isTooLarge(facts) || isBeyondLength(facts)),
  /** In words that are known for it. */
  plainlyTooLong: (facts: FailureFacts) => says(allContextSigns)(facts),
  isTooLarge,
  namesPicture: (facts: FailureFacts) => PICTURES.test(saidOf(facts)),
  unknownModel: says(unknownModel),
  noTools: says(noTools),
  badKey: says(badKey),
  noCredit: (facts: FailureFacts) => facts.status === 402 || says(noCredit)(facts),
  rateLimit: (facts: FailureFacts) =>
    facts.status === 429 || /rate_limit/.test(facts.labels) || (facts.status === 413 && says(perMinute)(facts)),
  /** The one request is more than a minute's allowance: waiting does not help. */
  largerThanLimit: says(largerThanLimit),
};
