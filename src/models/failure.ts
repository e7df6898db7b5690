/** Why a request failed, in words for people: what happened and what it means, then what can be done. */

import { type ModelFailure, NoModelError } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { t } from "../shared/l10n";
import { type FailureFacts, failureFacts, retryAfter } from "./failureFacts";
import type { LeavingOut, LeftOut } from "./leftOut";
import { checkAddress, type FailureRow, quoted, type RequestPlace, refusals } from "./refusals";

const another = () => t("Try again, or choose another model.");
const network = (codes: RegExp) => (facts: FailureFacts) => facts.network !== undefined && codes.test(facts.network);

const noAnswer: FailureRow = {
  code: "bad-answer",
  say: (_, { address }) => [t("{0} sent something that is no model's answer.", address), checkAddress()],
};

/** What ended without a status: errors of ours, of the stream, of VS Code and of the network. */
const ends: readonly FailureRow[] = [
  {
    code: "timeout",
    kind: ["timeout", "idle"],
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
    kind: ["too-long"],
    say: (_, { name, address }) => [
      t('The answer of "{0}" at {1} was too long, so it was cut off.', name, address),
      t('Ask for less at once, or allow more: "Largest answer" in the settings.'),
    ],
  },
  {
    code: "bad-answer",
    kind: ["too-many-calls"],
    retryable: true,
    say: (_, { name }) => [
      t('"{0}" called tools hundreds of times in one answer. The answer was cut off and nothing of it ran.', name),
      another(),
    ],
  },
  {
    code: "cut",
    kind: ["cut"],
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
    kind: ["empty"],
    fits: ({ finishReason }) => finishReason === "length",
    say: (_, { name }) => [
      t('"{0}" used all its tokens before it said anything.', name),
      t('Allow more ("Longest answer" in the settings), or less reasoning.'),
    ],
  },
  {
    code: "bad-answer",
    kind: ["empty"],
    fits: ({ finishReason }) => finishReason === "content-filter",
    say: (_, { name, address }) => [
      t('The content filter at {0} held back the answer of "{1}".', address, name),
      t("Put the request in other words."),
    ],
  },
  {
    code: "bad-answer",
    kind: ["empty"],
    retryable: true,
    say: (_, { name, address }) => [t('"{0}" at {1} sent an empty answer.', name, address), t("Try again.")],
  },
  {
    code: "unreadable-call",
    kind: ["unreadable-call"],
    say: (facts, { name }) => [t('"{0}" wrote a tool call that cannot be read{1}.', name, quoted(facts)), another()],
  },
  {
    code: "unreadable-call",
    kind: ["written-call"],
    say: (_, { name, address }) => [
      t('"{0}" at {1} wrote a tool call as text that cannot be read, so nothing ran.', name, address),
      t(
        'Choose "react" as the protocol in the settings, start the server with its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser, llama.cpp: --jinja), or choose another model.',
      ),
    ],
  },
  {
    code: "bad-answer",
    kind: ["redirect"],
    say: ({ words }, { address }) => [
      t("{0} redirects to {1}, and nothing was sent there.", address, words || t("another address")),
      t("If that is your model's server, use its address."),
    ],
  },
  { ...noAnswer, kind: ["garbage"], retryable: true },
  { ...noAnswer, kind: ["html", "wrong-api"] },
  {
    code: "auth",
    kind: ["no-permission"],
    say: (_, { name }) => [
      t('VS Code does not let Strata use "{0}" yet.', name),
      t(
        'Send the message again and allow it, allow it in "Manage Language Model Access\u2026" of your account, or choose another model.',
      ),
    ],
  },
  {
    code: "rate-limit",
    kind: ["blocked"],
    say: (facts, { name }) => [
      t('"{0}" takes no more requests from this account{1}.', name, quoted(facts)),
      t("Wait until its limit is over, or choose another model."),
    ],
  },
  {
    code: "unknown-model",
    kind: ["not-found"],
    say: (_, { name }) => [
      t('VS Code no longer has the model "{0}": its extension may be off, or you may be signed out.', name),
      t("Choose another model."),
    ],
  },
  {
    code: "refused",
    fits: network(/^PROXY_407$/),
    say: (_, { address, proxy = "" }) => [
      t("The proxy {0} on the way to {1} wants a name and a password (407).", proxy, address),
      t("Put them into its address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT"),
    ],
  },
  {
    code: "refused",
    fits: network(/^(?:ECONNREFUSED|ENOTFOUND)$/),
    say: ({ network = "" }, { address, proxy }) => [
      t("No server answers at {0} ({1}).", address, network),
      proxy
        ? t("Check the address and the proxy {0} (HTTPS_PROXY, HTTP_PROXY; NO_PROXY goes past it).", proxy)
        : t("Start it, or check the address and the network."),
    ],
  },
  {
    code: "refused",
    fits: network(/CERT|SIGNATURE/),
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
    fits: network(/SSL|TLS|EPROTO/),
    say: ({ network = "" }, { address }) => [
      t("No secure connection to {0} ({1}): it may speak no https.", address, network),
      t("Check the address, whether it begins with http or https, and any proxy."),
    ],
  },
  {
    code: "refused",
    fits: network(/./),
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
  const { row, left } = refusalOf(facts, where.leftOut);
  const [what, advice] = row
    ? row.say(facts, where)
    : [t('The request to "{0}" at {1} failed{2}.', where.name, where.address, quoted(facts))];
  return {
    code: row?.code ?? "bad-answer",
    message: advice === undefined ? what : t("{0} {1}", what, advice),
    what,
    retryable: row ? row.retryable === true || left !== undefined : isRetryable(error),
    ...defined({ retryAfterMs: waitMs, status: facts.status, refused: left?.part }),
    ...(left?.what !== undefined && { notice: leftOutNotice(left.what, facts, where) }),
  };
}

/** @param leftOut absent: nothing can be left out */
export function refusalOf(facts: FailureFacts, leftOut?: LeftOut): { row?: FailureRow; left?: LeavingOut } {
  const { labels, words, kind, status = 0 } = facts;
  const isSaid = (sign: RegExp) => sign.test(labels) || sign.test(words);
  // The words of an error of ours may be the model's own.
  for (const row of [...ends, ...refusals]) {
    if (row.status && !row.status.includes(status)) continue;
    if (row.kind && !row.kind.includes(kind)) continue;
    if (!(row.says ?? []).every(isSaid) || (row.not && isSaid(row.not)) || row.fits?.(facts) === false) continue;
    const left = leftOut && row.leave?.(facts, leftOut);
    if (!row.leave || left) return { row, ...defined({ left }) };
  }
  return {};
}

const leftOutNotice = (what: string, { words }: FailureFacts, { name, address }: RequestPlace): string =>
  t('"{0}" at {1} refuses {2} ("{3}"), so requests go without.', name, address, what, words);

function isRetryable(error: unknown): boolean {
  return typeof error === "object" && error !== null && "isRetryable" in error && error.isRetryable === true;
}

/** Servers quote keys in their complaints, whole or in part. */
function withoutKeys(words: string, key: string | undefined): string {
  const plain = key && key.length > 3 ? words.replaceAll(key, "…") : words;
  return plain.replace(/\b(sk|pk|gsk|xai|key|AIza)[-_][-\w*.]{6,}|\bAIza[-\w]{10,}|\bBearer\s+\S+/gi, "…");
}
