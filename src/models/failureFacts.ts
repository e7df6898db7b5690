/** Facts of any error: HTTP status and headers, the server's words, the network's code. The SDK's are read by their shape, so that the SDK is not loaded for them. */
import { AnswerError } from "../core/ground/ports";
import { parseJson } from "../shared/isObject";
import { EditorModelError } from "./editorModel";
import { NotAnAnswerError } from "./events/eventReader";
import { RedirectError } from "./modelFetch";

/** What a server says of its refusal. */
interface ErrorWords {
  /** its message; "": none */
  words: string;
  /** `code`, `type` and `status` of its error object, one string */
  labels: string;
  /** HTTP status in the body; in `FailureFacts` that of the answer before it */
  status?: number | undefined;
  /** which part of the request it says it is about */
  param?: string | undefined;
  /** what the body says of how long to wait, ms */
  waitMs?: number | undefined;
}

/** `words`: one line, at most 300 characters, may still hold a key; where no server said any, the error's own. */
export interface FailureFacts extends ErrorWords {
  /** lower-case names */
  headers: Record<string, string>;
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, `CERT_HAS_EXPIRED`, … */
  network?: string | undefined;
  /** set where the error is one of ours or of the stream itself */
  kind?: AnswerError["code"] | EditorModelError["code"] | "garbage" | "html" | "redirect" | "wrong-api";
  finishReason?: string | undefined;
}

const OWN = [AnswerError, NotAnAnswerError, RedirectError, EditorModelError];
const MAX_WORDS = 300;
/** Names of errors are short; a server can put anything in their place. */
const MAX_CODE = 100;

export function failureFacts(error: unknown): FailureFacts {
  const empty: FailureFacts = { headers: {}, words: errorWords(error), labels: "" };
  const own = causes(error).find(each => OWN.some(kind => each instanceof kind));
  if (own instanceof AnswerError) return { ...empty, kind: own.code, finishReason: own.finishReason };
  if (own instanceof NotAnAnswerError) return notAnAnswer(own);
  if (own instanceof RedirectError) return { ...empty, words: oneLine(own.target ?? ""), kind: "redirect" };
  if (own instanceof EditorModelError) return { ...empty, words: oneLine(own.message), kind: own.code };
  if (!isRecord(error)) return empty;
  if (error.name === "TimeoutError") return { ...empty, kind: "timeout" };
  const name = String(error.name ?? "");
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/.test(name)) return { ...empty, kind: "garbage" };
  if (causes(error).some(isBadCompression)) return { ...empty, kind: "garbage" };
  const status = typeof error.statusCode === "number" ? error.statusCode : undefined;
  const network = networkCode(error);
  // Status 200 and yet an error of the connection: it broke while the answer came.
  if (network && /TIMEOUT|ETIMEDOUT/.test(network)) return { ...empty, network, kind: "timeout" };
  if ((status === 200 && network) || errorWords(error) === "terminated") return { ...empty, kind: "cut" };
  // The SDK's error for Chat Completions chunks where Responses events were expected.
  if (/Chat Completions stream/.test(empty.words)) return { ...empty, kind: "wrong-api" };
  const said = readServerError(error);
  // An error event of a stream that had begun with 200: what the same status would be, and else that the server broke off.
  const event = !("stack" in error) && said.words ? (said.status ?? labelStatus(said) ?? 500) : undefined;
  return {
    headers: isRecord(error.responseHeaders) ? (error.responseHeaders as Record<string, string>) : {},
    words: oneLine(said.words || empty.words),
    labels: said.labels,
    param: said.param,
    status: status ?? event,
    waitMs: said.waitMs ?? waitSaid(said.words),
    network: status === 407 ? "PROXY_407" : status === undefined ? network : undefined,
  };
}

/** The error and what it was made of: the SDK wraps what reading the body threw. */
function causes(error: unknown): unknown[] {
  const all = [error];
  for (let last = error; isRecord(last) && last.cause !== undefined && all.length < 6; last = all.at(-1))
    all.push(last.cause);
  return all;
}

function notAnAnswer({ contentType, body }: NotAnAnswerError): FailureFacts {
  const read = readBody(body);
  // An error in a stream may have a code alone.
  const said = contentType === "text/event-stream" ? { ...read, words: read.words || read.labels } : read;
  if (contentType === "text/html" || !said.words)
    return { headers: {}, words: "", labels: "", kind: contentType === "text/html" ? "html" : "garbage" };
  // llama.cpp and some proxies send their errors with status 200. Within a stream the server broke off.
  const unknown = contentType === "text/event-stream" ? 500 : 400;
  const { status = labelStatus(said) ?? unknown, waitMs = waitSaid(said.words) } = said;
  return { ...said, headers: {}, words: oneLine(said.words), status, waitMs };
}

/** The body is not compressed as its head says: a proxy took one of both away. */
const isBadCompression = (cause: unknown): boolean =>
  isRecord(cause) &&
  typeof cause.code === "string" &&
  /^(?:Z_[A-Z]|ZSTD_error|ERR_+(?:BROTLI|ERROR_FORMAT))/.test(cause.code);

/** From the body of the response; for an error inside a stream from the frame that carried it. */
function readServerError(error: Record<string, unknown>): ErrorWords {
  const body = typeof error.responseBody === "string" ? readBody(error.responseBody) : { words: "", labels: "" };
  if (body.words || body.labels) return body;
  const frame = readError(isRecord(error.data) ? error.data : error);
  return frame.words || frame.labels ? frame : readError(error);
}

function readBody(body: string): ErrorWords {
  const json = parseJson(body);
  return json === undefined ? { words: /<\/?[a-z][^<>]*>/i.test(body) ? "" : body, labels: "" } : readError(json);
}

/**
 * `{error: {message, code, type}}` (OpenAI, llama.cpp), `{error: "…"}` (Ollama), `{message, type, code}` (vLLM before 0.10,
 * Mistral), `{detail: …}` (FastAPI), `[{error: …}]` (Google), `{type: "response.failed", response: {error}}` (Responses),
 * `{base_resp: {status_code, status_msg}}` (MiniMax), `{error_msg}` (Baidu), `{msg}` (Ascend).
 */
function readError(value: unknown): ErrorWords {
  if (Array.isArray(value)) return readError(value[0]);
  if (typeof value === "string") return { words: value, labels: "" };
  if (!isRecord(value)) return { words: "", labels: "" };
  if (isRecord(value.response) && value.response.error) return readError(value.response.error);
  if (value.error) return readError(value.error);
  if (isRecord(value.base_resp)) return readError(value.base_resp);
  const { message, detail, code } = value;
  const status = errorStatus(code);
  const behind = isRecord(value.metadata) ? readBehind(value.metadata) : undefined;
  if (behind?.words)
    return { ...behind, status: status ?? behind.status, labels: `${labelsOf(value)} ${behind.labels}`.trim() };
  const words = [message, detail, value.status_msg, value.error_msg, value.msg].find(part => typeof part === "string");
  return {
    words: typeof words === "string" ? words : detail || message ? JSON.stringify(detail ?? message) : "",
    labels: labelsOf(value),
    param: typeof value.param === "string" ? value.param.slice(0, MAX_CODE) : undefined,
    status,
    waitMs: retryDelay(value.details),
  };
}

const labelsOf = ({ code, type, status }: Record<string, unknown>): string =>
  [code, type, status]
    .filter(part => part !== undefined && part !== null)
    .join(" ")
    .slice(0, MAX_WORDS);

function errorStatus(code: unknown): number | undefined {
  const status = typeof code === "string" && /^[45]\d\d$/.test(code) ? Number(code) : code;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

/** The status of an error without one, by its names. */
const LABELS: readonly [number, RegExp][] = [
  [429, /rate_?limit|too_?many_?requests|resource_?exhausted|throttl/i],
  [503, /overload|unavailable|capacity|busy|high_?demand/i],
  [504, /time_?d?_?out|deadline/i],
  [401, /authentication|invalid_api_key|unauthori[sz]ed/i],
  [404, /not_?found/i],
  [400, /invalid|bad_?request|validation|unsupported/i],
  [500, /server_?error|internal|api_error|upstream|fail/i],
];
const labelStatus = ({ words, labels }: ErrorWords): number | undefined =>
  LABELS.find(([, name]) => name.test(labels))?.[0] ??
  (/overloaded|try again (?:later|in)|at capacity/i.test(words) ? 503 : undefined);

/** OpenRouter's: what the provider behind it said, whose own words are only that it did. */
function readBehind({ raw, provider_name: provider, reasons }: Record<string, unknown>): ErrorWords {
  const said = typeof raw === "string" ? readBody(raw) : readError(raw);
  const why = Array.isArray(reasons) ? reasons.filter(reason => typeof reason === "string").join(", ") : "";
  const words = said.words || why;
  return words && typeof provider === "string" ? { ...said, words: `${words} (${provider})` } : { ...said, words };
}

/** Google's `RetryInfo`: `"34.07s"` */
function retryDelay(details: unknown): number | undefined {
  const info = Array.isArray(details) ? details.find(part => isRecord(part) && "retryDelay" in part) : undefined;
  return info ? timeWritten(String(info.retryDelay), 0) : undefined;
}

function networkCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; isRecord(current) && depth < 6; current = current.cause, depth++) {
    const { code, message } = current;
    if (typeof message === "string" && /proxy/i.test(`${code} ${message}`) && /\b407\b/.test(message))
      return "PROXY_407";
    if (
      typeof code === "string" &&
      code.length <= MAX_CODE &&
      /^(E(?!RR_)[A-Z][A-Z0-9_]+|UND_ERR_\w+|HPE_\w+|ERR_(TLS|SSL|PROXY)\w+|\w*CERT\w*|\w*SIGNATURE\w*)$/.test(code)
    )
      return code;
    // `localhost` is two addresses: each that refused is an error of its own.
    if (Array.isArray(current.errors)) return networkCode(current.errors[0]);
  }
  return undefined;
}

const errorWords = (error: unknown): string =>
  oneLine(isRecord(error) && typeof error.message === "string" ? error.message : String(error));

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS - 1)}…` : line;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** ms that a server asks to wait: `retry-after-ms`, `retry-after` (seconds or a date), else when its limits are reset. Header names in lower case. */
export function retryAfter(headers: Record<string, string>, now: number): number | undefined {
  const inMs = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (inMs >= 0) return Math.round(inMs);
  return timeWritten(headers["retry-after"], now) ?? limitReset(headers, now);
}

const RESET = /^(?:x-|anthropic-)?ratelimit-(?:reset(?:-\w+)*|\w+(?:-\w+)*-reset)$/;

/** Of limits that are used up the last one; where that is not said, the next one. */
function limitReset(headers: Record<string, string>, now: number): number | undefined {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const ms = RESET.test(name) ? timeWritten(value, now) : undefined;
    return ms === undefined ? [] : [{ ms, isUsedUp: Number(headers[name.replace("reset", "remaining")]) === 0 }];
  });
  const usedUp = limits.filter(({ isUsedUp }) => isUsedUp).map(({ ms }) => ms);
  if (usedUp.length > 0) return Math.max(...usedUp);
  return limits.length > 0 ? Math.min(...limits.map(({ ms }) => ms)) : undefined;
}

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A larger number is no duration but a time since the epoch, in seconds or ms. */
const MAX_SECONDS = 1e8;

/** `7`, `0.5`, `6m0s`, `20ms`, `2026-01-01T00:00:00Z`, `Wed, 21 Oct 2015 07:28:00 GMT`, seconds or ms since the epoch. */
function timeWritten(text: string | undefined, now: number): number | undefined {
  const written = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(written)) {
    const number = Number(written);
    if (number < MAX_SECONDS) return Math.round(number * 1000);
    return Math.max(0, number < 1e11 ? number * 1000 - now : number - now);
  }
  if (/^\d[\d.smhd]*$/.test(written)) return durationAt(written);
  const date = /^(?:\d{4}-\d\d-\d\dT|[A-Za-z]{3,9}, )/.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const SAID = /\b(?:resets?|again|retry|retrying|wait|available)\b[^.\d]{0,20}\b(?:in|after|for)\s+(\d[\w.,\s]{0,40})/i;
/** "Your quota will reset after 12h34m16s", "Please try again in 6m0s", "retry in 38.2s", "in 2 hours". ms; undefined: it says nothing */
const waitSaid = (words: string) => durationAt(SAID.exec(words.slice(0, 2_000))?.[1] ?? "");

const PART =
  /,?\s*(\d+(?:\.\d+)?)\s?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/iy;

/** ms; undefined: the text begins with no duration */
function durationAt(text: string): number | undefined {
  let wait: number | undefined;
  PART.lastIndex = 0;
  for (let part = PART.exec(text); part; part = PART.exec(text)) {
    const [, digits, unit = ""] = part;
    const name = /^(?:ms|milli)/i.test(unit) ? "ms" : (unit[0] ?? "").toLowerCase();
    wait = (wait ?? 0) + Number(digits) * (units[name] ?? 0);
  }
  return wait === undefined ? undefined : Math.round(wait);
}
