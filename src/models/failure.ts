/**
 * Why a request failed, in words for people: one sentence that says what happened, what it means and what can be done. The
 * first row of the table that fits decides.
 */
import { type ModelFailure, type ModelFailureCode, NoModelError } from "../core/ports";
import { defined } from "../shared/defined";
import { COMMON, ownFacts, ownProviders } from "../shared/modelProviders";
import { type FailureFacts, failureFacts } from "./failureFacts";
import { signs } from "./failureSigns";
import { type LeftOut, SentParts } from "./leftOut";
import { refusedPart } from "./optionalParts";
import { retryAfter } from "./retryAfter";

/** Where the request went, for the sentence. */
interface RequestPlace {
  name: string;
  address: string;
  timeoutMs: number;
  /** undefined: none was sent. Only ever used to take it out of what is shown. */
  key: string | undefined;
  /** the host of a proxy that requests take there; absent: none is known */
  proxy?: string | undefined;
  /** the environment variable that has it in a terminal */
  keyVariable?: string;
  /** how the provider's servers say that a request is too long; absent: all that are known */
  contextSigns?: readonly RegExp[];
  /** what its requests go without already; absent: nothing can be left out */
  leftOut?: LeftOut;
  /** what the newest one had; absent: not known */
  sent?: SentParts;
  /** ms since the epoch; for a `retry-after` that is a date */
  now(): number;
}

interface FailureRow {
  code: ModelFailureCode;
  fits(facts: FailureFacts, where: RequestPlace): boolean;
  /** absent: trying again would not help */
  retryable?: true;
  say(facts: FailureFacts, where: RequestPlace): string;
}

const LOST = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN"]);
const status = (facts: FailureFacts) => (facts.status === undefined ? "" : ` (${facts.status})`);
const quoted = (facts: FailureFacts) => (facts.words ? `: "${facts.words}"` : "");
/** A long pause is named: it is for the person to wait it out. */
const again = ({ waitMs = 0 }: FailureFacts) =>
  waitMs > 60_000 ? `wait ${waitText(waitMs)}, as it asks, and try again` : "try again in a moment";
const is =
  (...numbers: number[]) =>
  (facts: FailureFacts) =>
    facts.status !== undefined && numbers.includes(facts.status);
const kind = (wanted: NonNullable<FailureFacts["kind"]>) => (facts: FailureFacts) => facts.kind === wanted;

const table: readonly FailureRow[] = [
  {
    code: "timeout",
    fits: kind("timeout"),
    retryable: true,
    say: (_, { name, address, timeoutMs }) =>
      `Nothing came from "${name}" at ${address} for ${Math.round(timeoutMs / 1000)} seconds, so the request was given up; try again, or raise strata.model.timeoutSeconds if the model needs longer to begin.`,
  },
  {
    code: "timeout",
    fits: kind("idle"),
    retryable: true,
    say: (_, { name, address }) =>
      `${address} kept the connection open for a long time, but "${name}" wrote nothing, so the request was given up; try again, or choose another model.`,
  },
  {
    code: "bad-answer",
    fits: kind("too-long"),
    say: (_, { name, address }) =>
      `The answer of "${name}" at ${address} did not end within what one answer may have, so it was cut off; try again in other words, or raise strata.model.maxAnswerMegabytes.`,
  },
  {
    code: "bad-answer",
    fits: kind("too-many-calls"),
    retryable: true,
    say: (_, { name }) =>
      `"${name}" called tools hundreds of times in one answer, so the answer was cut off and nothing of it ran; try again, or choose another model.`,
  },
  {
    code: "cut",
    fits: facts => facts.kind === "cut" && facts.finishReason !== undefined,
    retryable: true,
    say: ({ finishReason }, { name, address }) =>
      `"${name}" at ${address} broke its answer off (${finishReason}), so what it had written is incomplete; try again.`,
  },
  {
    code: "cut",
    fits: kind("cut"),
    retryable: true,
    say: (_, { name, address }) =>
      `The connection to ${address} ended in the middle of the answer, so what "${name}" had written is incomplete; try again.`,
  },
  {
    code: "bad-answer",
    fits: facts => facts.kind === "empty" && facts.finishReason === "length",
    say: (_, { name }) =>
      `"${name}" used up all the tokens it may write before it said anything; raise strata.model.maxOutputTokens or lower strata.model.reasoning.`,
  },
  {
    code: "bad-answer",
    fits: facts => facts.kind === "empty" && facts.finishReason === "content-filter",
    say: (_, { name, address }) =>
      `The filter at ${address} held back the answer of "${name}"; put the request in other words.`,
  },
  {
    code: "bad-answer",
    fits: kind("empty"),
    retryable: true,
    say: (_, { name, address }) =>
      `"${name}" at ${address} sent an empty answer, neither text nor a tool call; try again.`,
  },
  {
    code: "unreadable-call",
    fits: kind("unreadable-call"),
    say: (facts, { name }) =>
      `"${name}" wrote a tool call that cannot be read${quoted(facts)}; try again, or choose a model that is better at it.`,
  },
  {
    code: "unreadable-call",
    fits: kind("written-call"),
    say: (_, { name, address }) =>
      `"${name}" at ${address} wrote a tool call as text that cannot be read, so nothing was run; set strata.model.protocol to react, start the server with its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser, llama.cpp: --jinja), or choose another model.`,
  },
  {
    code: "bad-answer",
    fits: kind("html"),
    say: (_, { address }) =>
      `${address} answered with a web page, so this is not the address of a model server; check strata.model.baseUrl (it usually ends in /v1) and any proxy in between.`,
  },
  {
    code: "bad-answer",
    fits: kind("redirect"),
    say: ({ words }, { address }) =>
      `${address} sends requests on to ${words || "another address"}, and nothing was sent there; if that is your model's server, set strata.model.baseUrl to it.`,
  },
  {
    code: "bad-answer",
    fits: kind("wrong-api"),
    say: (_, { address }) =>
      `${address} answers in Chat Completions where Responses were asked for; set strata.model.api to chat.`,
  },
  {
    code: "bad-answer",
    fits: kind("garbage"),
    retryable: true,
    say: (_, { address }) =>
      `${address} sent something that cannot be read as a model's answer; try again, and if it stays so, check strata.model.baseUrl and strata.model.api.`,
  },
  {
    code: "auth",
    fits: kind("no-permission"),
    say: (_, { name }) =>
      `VS Code has no leave to let Strata use "${name}"; send the message again and allow it, allow it in "Manage Language Model Access…" of the account, or choose another model.`,
  },
  {
    code: "rate-limit",
    fits: kind("blocked"),
    say: (facts, { name }) =>
      `"${name}" takes no more requests from this account${quoted(facts)}; wait until its limit is over, or choose another model.`,
  },
  {
    code: "unknown-model",
    fits: kind("not-found"),
    say: (_, { name }) =>
      `VS Code has no model "${name}" any more: its extension may be off or you may be signed out; choose another model.`,
  },
  {
    code: "context-too-long",
    fits: (facts, { contextSigns }) => signs.contextTooLong(facts, contextSigns),
    say: (facts, { name }) =>
      `The conversation is longer than "${name}" can read${status(facts)}; start a new session, or set strata.model.contextWindow to what the model really takes.`,
  },
  {
    code: "rate-limit",
    fits: signs.noCredit,
    say: (facts, { address }) =>
      `The account at ${address} has no credit left${status(facts)}; add some there, or choose another model.`,
  },
  {
    code: "rate-limit",
    fits: facts => signs.rateLimit(facts) && signs.largerThanLimit(facts),
    say: (facts, { name, address }) =>
      `This one request is larger than the account at ${address} may send to "${name}" in a minute${status(facts)}; start a new session, raise the limit there, or choose another model.`,
  },
  {
    code: "rate-limit",
    fits: signs.rateLimit,
    retryable: true,
    say: (facts, { name, address }) =>
      `${address} is taking no more requests for "${name}" just now${status(facts)}: a limit was reached; ${again(facts)}, or choose another model.`,
  },
  {
    code: "unknown-model",
    fits: facts => signs.unknownModel(facts) && (facts.status === undefined || facts.status < 500),
    say: (facts, { name, address }) =>
      `${address} knows no model "${name}"${status(facts)}, or the key may not use it; check strata.model.name.`,
  },
  {
    code: "auth",
    fits: facts => is(401, 403)(facts) || signs.badKey(facts),
    say: (facts, { address, key, keyVariable = ownProviders[COMMON].keyVariables[0] }) =>
      key
        ? `${address} refused the key${status(facts)}: ${wrongKey(key, address)}; set a new key ("Strata: Set API Key", in a terminal ${keyVariable}).`
        : `${address} wants a key and none is set${status(facts)}; set one ("Strata: Set API Key", in a terminal ${keyVariable}).`,
  },
  {
    code: "no-tools",
    fits: signs.noTools,
    say: (facts, { name, address }) =>
      `"${name}" at ${address} takes no tools${status(facts)}; set strata.model.protocol to auto or react to have them sent as text, choose another model, or start the server with tool calling${quoted(facts)}.`,
  },
  {
    code: "server",
    fits: facts => is(408, 409, 425)(facts) || (facts.status !== undefined && facts.status >= 500),
    retryable: true,
    say: (facts, { address }) => `The server at ${address} failed${status(facts)}${quoted(facts)}; ${again(facts)}.`,
  },
  {
    code: "bad-request",
    fits: facts => is(404, 405)(facts),
    say: (facts, { address }) =>
      `There is no model server at ${address}${status(facts)}; check strata.model.baseUrl (it usually ends in /v1) and strata.model.api.`,
  },
  {
    code: "bad-request",
    fits: facts => facts.status !== undefined && facts.status >= 400,
    say: (facts, { address }) => `${address} refused the request${status(facts)}${quoted(facts)}.`,
  },
  {
    code: "refused",
    fits: facts => facts.network === "ECONNREFUSED",
    say: (_, { address, proxy }) =>
      proxy
        ? `Nothing answers at ${address} by way of the proxy ${proxy} (connection refused); check the proxy, which the environment names (HTTPS_PROXY, HTTP_PROXY), or except the address from it (NO_PROXY).`
        : `Nothing answers at ${address} (connection refused); start the model server, or check strata.model.baseUrl.`,
  },
  {
    code: "refused",
    fits: facts => facts.network === "ENOTFOUND",
    say: (_, { address, proxy }) =>
      `There is no computer with the name in ${address}${proxy ? `, or with that of the proxy ${proxy}` : ""}; check strata.model.baseUrl and the network.`,
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined && LOST.has(facts.network),
    retryable: true,
    say: (facts, { address }) =>
      `The connection to ${address} broke (${facts.network}); check the network and try again.`,
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined && /CERT|SSL|TLS|SIGNATURE|EPROTO/.test(facts.network),
    say: (facts, { address }) =>
      `No safe connection to ${address} (${facts.network}): its certificate is not trusted, or it speaks no https; check strata.model.baseUrl and the proxy's certificate.`,
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined,
    retryable: true,
    say: (facts, { address }) => `${address} cannot be reached (${facts.network}); check the network and try again.`,
  },
];

/** Never throws, never carries a key. What no row fits is `bad-answer` with the error's own words. */
export function explainFailure(error: unknown, where: RequestPlace): ModelFailure {
  if (error instanceof NoModelError) return { code: "no-model", message: error.message, retryable: false };
  const known = failureFacts(error);
  const waitMs = retryAfter(known.headers, where.now()) ?? known.waitMs;
  const facts = { ...known, words: withoutKeys(known.words, where.key), waitMs };
  const refused = where.leftOut && refusedPart(facts, where.leftOut, where.sent ?? new SentParts());
  if (refused) {
    const message = `"${where.name}" at ${where.address} ${refused.words}.`;
    return { code: "bad-request", message, retryable: true, refused: refused.part };
  }
  const row = table.find(({ fits }) => fits(facts, where));
  return {
    code: row?.code ?? "bad-answer",
    message: row ? row.say(facts, where) : `The request to "${where.name}" at ${where.address} failed${quoted(facts)}.`,
    retryable: row ? row.retryable === true : isRetryable(error),
    ...defined({ retryAfterMs: waitMs, status: facts.status }),
  };
}

function waitText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : minutes < 2880 ? `${Math.round(minutes / 60)} hours` : "some days";
}

function isRetryable(error: unknown): boolean {
  return typeof error === "object" && error !== null && "isRetryable" in error && error.isRetryable === true;
}

const keyOwners: readonly [begins: RegExp, owner: string, address: RegExp][] = [
  ...ownFacts.flatMap(({ title, keys }): [RegExp, string, RegExp][] =>
    keys ? [[keys.begin, title, keys.address]] : [],
  ),
  [/^sk-or-/, "OpenRouter", /openrouter/],
  [/^gsk_/, "Groq", /groq/],
  [/^xai-/, "xAI", /\/\/[^/]*x\.ai/],
];

/** The key itself is not shown, only whose it looks like. */
function wrongKey(key: string, address: string): string {
  const owner = keyOwners.find(([begins, , own]) => begins.test(key) && !own.test(address))?.[1];
  return owner ? `it looks like one of ${owner}'s` : "it is wrong, expired or not allowed to do this";
}

/** Servers quote keys in their complaints, whole or in part. */
function withoutKeys(words: string, key: string | undefined): string {
  const plain = key && key.length > 3 ? words.replaceAll(key, "…") : words;
  return plain.replace(/\b(sk|pk|gsk|xai|key|AIza)[-_][-\w*.]{6,}|\bAIza[-\w]{10,}|\bBearer\s+\S+/gi, "…");
}
