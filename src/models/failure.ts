/**
 * Why a request failed, in words for people: what happened and what it means, then what can be done. The
 * first row of the table that fits decides.
 */

import { type ModelFailure, type ModelFailureCode, NoModelError } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { plural, t } from "../shared/l10n";
import { ownFacts } from "../shared/modelProviders";
import { type FailureFacts, failureFacts, retryAfter } from "./failureFacts";
import type { LeftOut } from "./leftOut";
import { type RefusalMeaning, refusalOf } from "./refusals";
import { refusedPart } from "./refusedParts";

/** Where the request went, for the sentence. */
interface RequestPlace {
  name: string;
  address: string;
  /** how long nothing had been heard */
  timeoutMs: number;
  /** undefined: none was sent. Only ever used to take it out of what is shown. */
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

interface FailureRow {
  code: ModelFailureCode;
  fits(facts: FailureFacts, where: RequestPlace): boolean;
  /** absent: trying again would not help */
  retryable?: true;
  /** `advice` absent: nothing can be done but try again */
  say(facts: FailureFacts, where: RequestPlace): [what: string, advice?: string];
}

const status = (facts: FailureFacts) => (facts.status === undefined ? "" : ` (${facts.status})`);
const quoted = (facts: FailureFacts) => (facts.words ? t(': "{0}"', facts.words) : "");
/** A long pause is named: it is for the person to wait it out. */
const again = ({ waitMs = 0 }: FailureFacts) =>
  waitMs > 60_000
    ? t("Wait {0}, as it asks, or choose another model.", waitText(waitMs))
    : t("Try again in a moment, or choose another model.");
const is =
  (...numbers: number[]) =>
  (facts: FailureFacts) =>
    facts.status !== undefined && numbers.includes(facts.status);
const means = (wanted: RefusalMeaning) => (facts: FailureFacts) => refusalOf(facts) === wanted;
const kind =
  (...wanted: FailureFacts["kind"][]) =>
  (facts: FailureFacts) =>
    facts.kind !== undefined && wanted.includes(facts.kind);

const table: readonly FailureRow[] = [
  {
    code: "timeout",
    fits: kind("timeout", "idle"),
    retryable: true,
    say: ({ network }, { name, address, timeoutMs }) => [
      t('No reply from "{0}" at {1} for {2} s, so I stopped waiting.', name, address, Math.round(timeoutMs / 1000)),
      network === undefined
        ? t('Try again, or allow more time: "Wait for the model" in the settings.')
        : t("Check the network and try again."),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("too-long"),
    say: (_, { name, address }) => [
      t('The answer of "{0}" at {1} was too long, so it was cut off.', name, address),
      t('Ask for less at once, or allow more: "Largest answer" in the settings.'),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("too-many-calls"),
    retryable: true,
    say: (_, { name }) => [
      t('"{0}" called tools hundreds of times in one answer. The answer was cut off and nothing of it ran.', name),
      t("Try again, or choose another model."),
    ],
  },
  {
    code: "cut",
    fits: kind("cut"),
    retryable: true,
    say: ({ finishReason }, { name, address }) => [
      finishReason === undefined
        ? t('The connection to {0} ended in the middle of the answer: what "{1}" wrote is incomplete.', address, name)
        : t('"{0}" at {1} broke off its answer ({2}): what it wrote is incomplete.', name, address, finishReason),
      t("Try again."),
    ],
  },
  {
    code: "bad-answer",
    fits: facts => facts.kind === "empty" && facts.finishReason === "length",
    say: (_, { name }) => [
      t('"{0}" used all its tokens before it said anything.', name),
      t('Allow more ("Longest answer" in the settings), or less reasoning.'),
    ],
  },
  {
    code: "bad-answer",
    fits: facts => facts.kind === "empty" && facts.finishReason === "content-filter",
    say: (_, { name, address }) => [
      t('The content filter at {0} held back the answer of "{1}".', address, name),
      t("Put the request in other words."),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("empty"),
    retryable: true,
    say: (_, { name, address }) => [t('"{0}" at {1} sent an empty answer.', name, address), t("Try again.")],
  },
  {
    code: "unreadable-call",
    fits: kind("unreadable-call"),
    say: (facts, { name }) => [
      t('"{0}" wrote a tool call that cannot be read{1}.', name, quoted(facts)),
      t("Try again, or choose another model."),
    ],
  },
  {
    code: "unreadable-call",
    fits: kind("written-call"),
    say: (_, { name, address }) => [
      t('"{0}" at {1} wrote a tool call as text that cannot be read, so nothing ran.', name, address),
      t(
        'Choose "react" as the protocol in the settings, start the server with its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser, llama.cpp: --jinja), or choose another model.',
      ),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("html"),
    say: (_, { address }) => [
      t("{0} answered with a web page: this is no model server.", address),
      t("Check the server address (most end in /v1) and any proxy in between."),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("redirect"),
    say: ({ words }, { address }) => [
      t("{0} redirects to {1}, and nothing was sent there.", address, words || t("another address")),
      t("If that is your model's server, use its address."),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("wrong-api"),
    say: (_, { address }) => [
      t("{0} answers with Chat Completions, not Responses.", address),
      t('Choose "chat" as the API in the settings.'),
    ],
  },
  {
    code: "bad-answer",
    fits: kind("garbage"),
    retryable: true,
    say: (_, { address }) => [
      t("{0} sent something that is no model's answer.", address),
      t("Try again. If it stays so, check the server address and the API in the settings."),
    ],
  },
  {
    code: "auth",
    fits: kind("no-permission"),
    say: (_, { name }) => [
      t('VS Code does not let Strata use "{0}" yet.', name),
      t(
        'Send the message again and allow it, allow it in "Manage Language Model Access\u2026" of your account, or choose another model.',
      ),
    ],
  },
  {
    code: "rate-limit",
    fits: kind("blocked"),
    say: (facts, { name }) => [
      t('"{0}" takes no more requests from this account{1}.', name, quoted(facts)),
      t("Wait until its limit is over, or choose another model."),
    ],
  },
  {
    code: "unknown-model",
    fits: kind("not-found"),
    say: (_, { name }) => [
      t('VS Code no longer has the model "{0}": its extension may be off, or you may be signed out.', name),
      t("Choose another model."),
    ],
  },
  {
    code: "context-too-long",
    fits: means("context-too-long"),
    say: (facts, { name }) => [
      t('The conversation is longer than "{0}" can read{1}.', name, status(facts)),
      t("Start a new session, or set the model's real context window in the settings."),
    ],
  },
  {
    code: "rate-limit",
    fits: means("no-credit"),
    say: (facts, { address }) => [
      t("The account at {0} has no credit left{1}.", address, status(facts)),
      t("Add some there, or choose another model."),
    ],
  },
  {
    code: "rate-limit",
    fits: means("larger-than-limit"),
    say: (facts, { name, address }) => [
      t(
        'This one request is larger than the account at {0} may send to "{1}" in a minute{2}.',
        address,
        name,
        status(facts),
      ),
      t("Start a new session, raise the limit there, or choose another model."),
    ],
  },
  {
    code: "rate-limit",
    fits: means("rate-limit"),
    retryable: true,
    say: (facts, { name, address }) => [
      t('Rate limit of "{0}" at {1} reached{2}.', name, address, status(facts)),
      again(facts),
    ],
  },
  {
    code: "unknown-model",
    fits: means("unknown-model"),
    say: (facts, { name, address }) => [
      t('"{1}" is not available at {0}{2}.', address, name, status(facts)),
      t("Choose another model, or check that your key may use it."),
    ],
  },
  {
    code: "auth",
    fits: means("auth"),
    say: (facts, { address, key }) =>
      key
        ? [t("{0} rejected the API key{1}: {2}.", address, status(facts), wrongKey(key, address)), t("Set a new one.")]
        : [t("{0} needs an API key{1}.", address, status(facts)), t("Set one.")],
  },
  {
    code: "no-tools",
    fits: means("no-tools"),
    say: (facts, { name, address }) => [
      t('"{0}" at {1} takes no tools{2}.', name, address, status(facts)),
      t(
        'Choose "auto" as the protocol in the settings to send them as text, choose another model, or start the server with tool calling{0}.',
        quoted(facts),
      ),
    ],
  },
  {
    code: "server",
    fits: facts => is(408, 409, 425)(facts) || (facts.status !== undefined && facts.status >= 500),
    retryable: true,
    say: (facts, { address }) => [
      t("The server at {0} failed{1}{2}.", address, status(facts), quoted(facts)),
      again(facts),
    ],
  },
  {
    code: "bad-request",
    fits: facts => is(404, 405)(facts),
    say: (facts, { address }) => [
      t("There is no model server at {0}{1}.", address, status(facts)),
      t("Check the server address (most end in /v1) and the API in the settings."),
    ],
  },
  {
    code: "bad-request",
    fits: facts => facts.status !== undefined && facts.status >= 400,
    say: (facts, { address }) => [t("{0} refused the request{1}{2}.", address, status(facts), quoted(facts))],
  },
  {
    code: "refused",
    fits: facts => facts.network === "PROXY_407",
    say: (_, { address, proxy = "" }) => [
      t("The proxy {0} on the way to {1} wants a name and a password (407).", proxy, address),
      t("Put them into its address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT"),
    ],
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined && /^(?:ECONNREFUSED|ENOTFOUND)$/.test(facts.network),
    say: ({ network = "" }, { address, proxy }) => [
      t("No server answers at {0} ({1}).", address, network),
      proxy
        ? t("Check the address and the proxy {0} (HTTPS_PROXY, HTTP_PROXY; NO_PROXY goes past it).", proxy)
        : t("Start it, or check the address and the network."),
    ],
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined && /CERT|SIGNATURE/.test(facts.network),
    say: ({ network = "" }, { address, lostCertificates }) => [
      t("The certificate of {0} is not one that this machine trusts ({1}).", address, network),
      /EXPIRED|NOT_YET_VALID|ALTNAME/.test(network)
        ? t("Check the address, this machine's clock and the certificate's dates.")
        : lostCertificates === undefined
          ? t(
              "If you trust it, as that of a company's proxy, put the certificate into a file and name that in NODE_EXTRA_CA_CERTS before you start.",
            )
          : t("NODE_EXTRA_CA_CERTS names {0}, which is not there.", lostCertificates),
    ],
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined && /SSL|TLS|EPROTO/.test(facts.network),
    say: ({ network = "" }, { address }) => [
      t("No secure connection to {0} ({1}): it may speak no https.", address, network),
      t("Check the address, whether it begins with http or https, and any proxy."),
    ],
  },
  {
    code: "refused",
    fits: facts => facts.network !== undefined,
    retryable: true,
    say: ({ network = "" }, { address }) => [
      t("The connection to {0} broke ({1}).", address, network),
      t("Check the network and try again."),
    ],
  },
];

/** Never throws, never carries a key. What no row fits is `bad-answer` with the error's own words. */
export function explainFailure(error: unknown, where: RequestPlace): ModelFailure {
  if (error instanceof NoModelError) return { code: "no-model", message: error.message, retryable: false };
  const known = failureFacts(error);
  const waitMs = retryAfter(known.headers, where.now()) ?? known.waitMs;
  const facts = { ...known, words: withoutKeys(known.words, where.key), waitMs };
  const { leftOut } = where;
  const refusal = leftOut && refusedPart(facts, { ...where, leftOut });
  const row = table.find(({ fits }) => fits(facts, where));
  const [what, advice] = row
    ? row.say(facts, where)
    : [t('The request to "{0}" at {1} failed{2}.', where.name, where.address, quoted(facts))];
  return {
    code: row?.code ?? "bad-answer",
    message: advice === undefined ? what : t("{0} {1}", what, advice),
    what,
    retryable: row ? row.retryable === true : isRetryable(error),
    ...defined({ retryAfterMs: waitMs, status: facts.status }),
    ...(refusal && {
      code: "bad-request",
      retryable: true,
      refused: refusal.part,
      ...defined({ notice: refusal.notice }),
    }),
  };
}

function waitText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120
    ? plural(minutes, "{0} minute", "{0} minutes")
    : minutes < 2880
      ? plural(Math.round(minutes / 60), "{0} hour", "{0} hours")
      : t("some days");
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
  return owner ? t("it looks like one of {0}'s", owner) : t("it is wrong, expired or lacks permission");
}

/** Servers quote keys in their complaints, whole or in part. */
function withoutKeys(words: string, key: string | undefined): string {
  const plain = key && key.length > 3 ? words.replaceAll(key, "…") : words;
  return plain.replace(/\b(sk|pk|gsk|xai|key|AIza)[-_][-\w*.]{6,}|\bAIza[-\w]{10,}|\bBearer\s+\S+/gi, "…");
}
