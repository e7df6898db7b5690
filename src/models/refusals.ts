/** What a server's refusal means: by status, code and a few words, each of a real answer (test/models/bodies.ts). */
import type { FailureFacts } from "./failureFacts";

export type RefusalMeaning =
  | "context-too-long"
  | "no-credit"
  | "larger-than-limit"
  | "rate-limit"
  | "unknown-model"
  | "auth"
  | "no-tools";

interface RefusalRow {
  means: RefusalMeaning;
  status?: readonly number[];
  /** Its code or its words have one of them. */
  says?: readonly RegExp[];
  /** Neither code nor words have it. */
  not?: RegExp;
}

const PER_MINUTE = /tokens per min|rate[ _]limit|\bTPM\b/i;
/** What has a size of its own, which less conversation does not change. */
const PART = /\b(?:images?|pictures?|photos?|audio|video|files?|document|base64|header|url|media|tools?|name)\b/i;

const TOO_LONG: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|ContextWindowExceeded|tokens_limit_reached|^(?:1261|336103)\b/,
  /context (?:window|length|size|limit) (?:is|of|was|has been|exceeds)|(?:exceeds?|exceeded|available|maximum|the|model|model's|greater than) (?:the )?(?:maximum )?context (?:window|length|size|limit)|exceeds n_ctx|n_keep.*>=? *n_ctx|max_seq_len/i,
  /prompt (?:is |length )?(?:too long|exceeds max)|prompt tokens too long|(?<!audio )input is (?:too long|larger)/i,
  /(?:model|prompt) length is|maximum (?:model|sequence) length|max(?:imum)? prompt length|too long to fit into the model|too large for model with/i,
  /(?:input|prompt) token(?:s| count).{0,40}(?:exceed|supports up to)|too many (?:input )?tokens: |input tokens exceed|number of input tokens exceeds|token limit: \d|^token limit$|message exceeds token limit|max message tokens/i,
  /reduce the length of the messages|range of input length|`?inputs`? (?:tokens \+ `?max_new_tokens`? must be <=|must have less than)|should not exceed max_num_tokens|input length \d+ exceeds|request payload size exceeds|request body too large/i,
  /Invalid '(?:messages|input|instructions)(?:\[\d+\])?(?:\.(?:content|output|text)(?:\[\d+\])?)*': (?:string|array) too long/,
];
const UNKNOWN_MODEL: readonly RegExp[] = [
  /model_not_found|^model: \S{1,200}$/,
  /model\b.{0,120}\b(?:not found|does not exist|doesn't exist|not exist|is not found|not available)/i,
  /(?:invalid|unknown) model\b|not a valid model|models\/\S{1,200} is not found|model identifier is invalid|does not have access to model/i,
];
const NO_TOOLS: readonly RegExp[] = [
  /\b(?:does not|doesn't|do not|don't|cannot|can't|can not) (?:support|advertise|accept|take|use|handle) (?:the )?(?:use of )?[`'"]?(?:tools?|functions?)\b/i,
  /(?<!parallel |strict )\b(?:tools?|functions?)[`'"]?[ _-]?(?:calling|calls?|use|choice)?[`'"]?(?: (?:parameter|param|field|argument))? (?:(?:is|are) (?:not |un)|isn't |aren't |not )(?:currently )?(?:supported|enabled|available|allowed|implemented)/i,
  /\b(?:unrecognized|unknown|unsupported|unexpected|extra|invalid) (?:request )?(?:argument|parameter|param|field|input|key|property)s?(?: supplied)?:? [`'"]?tools?\b/i,
  /\b(?:property|field|parameter|argument|input) [`'"]?tools?[`'"]? is (?:un|not )(?:supported|recognized|known|expected|permitted|allowed)/i,
  /extra_forbidden.{0,60}"tools"|"tools".{0,60}extra_forbidden|--enable-auto-tool-choice|tools param requires --jinja|no endpoints found that support tool use/i,
];

/** The first row that fits counts. */
const rows: readonly RefusalRow[] = [
  { means: "context-too-long", says: TOO_LONG, not: PER_MINUTE },
  { means: "context-too-long", status: [413], not: new RegExp(`${PER_MINUTE.source}|${PART.source}`, "i") },
  { means: "no-credit", status: [402] },
  {
    means: "no-credit",
    says: [/insufficient_quota|insufficient (?:balance|credits|funds)|credit balance is too low/i],
  },
  { means: "larger-than-limit", status: [413, 429], says: [/request too large/i] },
  { means: "rate-limit", status: [429] },
  { means: "rate-limit", says: [/rate_limit/] },
  { means: "rate-limit", status: [413], says: [PER_MINUTE] },
  { means: "unknown-model", says: UNKNOWN_MODEL },
  { means: "auth", status: [401, 403] },
  { means: "auth", says: [/invalid_api_key|authentication_error|api key not valid|(?:invalid|incorrect) api key/i] },
  { means: "no-tools", says: NO_TOOLS },
];

/** undefined: no row says */
export function refusalOf(facts: FailureFacts): RefusalMeaning | undefined {
  const { status = 0, labels, words } = facts;
  const fits = (sign: RegExp) => sign.test(labels) || sign.test(words);
  return rows.find(
    row =>
      (!row.status || row.status.includes(status)) &&
      (!row.says || row.says.some(fits)) &&
      !(row.not && fits(row.not)) &&
      (row.means !== "unknown-model" || status < 500),
  )?.means;
}

/** In words that are known for it. */
export const isPlainlyTooLong = ({ labels, words }: FailureFacts): boolean =>
  TOO_LONG.some(sign => sign.test(labels) || sign.test(words));
