/** Why a request failed, in words for people: one sentence, and behind it what the server says. */

import { type ModelFailure, NoModelError } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { inSentences } from "../shared/format";
import { plural, t } from "../shared/l10n";
import { hostOf } from "../shared/nearAddress";
import { type FailureFacts, failureFacts, retryAfter } from "./failureFacts";
import type { LeavingOut, LeftOut } from "./leftOut";
import { addressHint, type FailureRow, type RequestPlace, refusals } from "./refusals";

const network = (codes: RegExp) => (facts: FailureFacts) => facts.network !== undefined && codes.test(facts.network);

const noAnswer: FailureRow = {
  code: "bad-answer",
  say: (_, { host, address }) => [t("{0} does not answer like a model server.", host), addressHint(address)],
};
const silence: FailureRow = {
  code: "timeout",
  kind: ["timeout", "idle"],
  retryable: true,
  say: (_, { host, timeoutMs }) => [
    t("No reply from {0} for {1} s, so I stopped waiting.", host, Math.round(timeoutMs / 1000)),
  ],
};
const noServer: FailureRow = {
  code: "refused",
  remedy: "retry",
  say: (_, { host, proxy }) => [
    t("No server answers at {0}.", host),
    proxy && t("Requests go through the proxy {0} (HTTPS_PROXY, HTTP_PROXY; NO_PROXY goes past it).", proxy),
  ],
};

/** What ended without a status: errors of ours, of the stream, of VS Code and of the network. */
const ends: readonly FailureRow[] = [
  { ...silence, fits: network(/./) },
  { ...silence, remedy: "set-time" },
  {
    code: "bad-answer",
    kind: ["too-long"],
    remedy: "set-largest",
    say: (_, { name }) => [t("The answer of {0} was too long, so it was cut off.", name)],
  },
  {
    code: "bad-answer",
    kind: ["too-many-calls"],
    retryable: true,
    say: (_, { name }) => [t("{0} called tools hundreds of times in one answer, so nothing of it ran.", name)],
  },
  {
    code: "cut",
    kind: ["cut"],
    retryable: true,
    say: ({ finishReason }, { name }) => [
      finishReason === undefined
        ? t("Connection lost in the middle of the answer.")
        : t("{0} broke off its answer ({1}).", name, finishReason),
    ],
  },
  {
    code: "bad-answer",
    kind: ["empty"],
    fits: ({ finishReason }) => finishReason === "length",
    remedy: "set-longest",
    say: (_, { name }) => [t("{0} used all its tokens before it said anything.", name)],
  },
  {
    code: "bad-answer",
    kind: ["empty"],
    fits: ({ finishReason }) => finishReason === "content-filter",
    say: (_, { host }) => [t("The content filter at {0} held the answer back.", host), t("Other words may pass.")],
  },
  {
    code: "bad-answer",
    kind: ["empty"],
    retryable: true,
    say: (_, { name }) => [t("{0} sent an empty answer.", name)],
  },
  {
    code: "unreadable-call",
    kind: ["unreadable-call"],
    remedy: "retry",
    say: (_, { name }) => [t("{0} wrote a tool call that cannot be read.", name)],
  },
  {
    code: "unreadable-call",
    kind: ["written-call"],
    remedy: "set-protocol",
    say: (_, { name }) => [
      t("{0} wrote a tool call as text that cannot be read, so nothing ran.", name),
      t(
        "Its server may lack its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja).",
      ),
    ],
  },
  {
    code: "bad-answer",
    kind: ["redirect"],
    say: ({ words }, { host }) => [
      t("{0} redirects to {1}, and nothing was sent there.", host, words || t("another address")),
    ],
  },
  { ...noAnswer, kind: ["garbage"], retryable: true },
  { ...noAnswer, kind: ["wrong-api"] },
  {
    code: "bad-answer",
    kind: ["html"],
    say: (_, { host, address }) => [
      t("{0} sent a web page instead of an answer.", host),
      inSentences([t("A sign-in or a proxy may stand in between."), addressHint(address)]),
    ],
  },
  {
    code: "auth",
    kind: ["no-permission"],
    remedy: "retry",
    say: (_, { name }) => [
      t("VS Code does not let Strata use {0} yet.", name),
      t('Allow it when VS Code asks, or in "Manage Language Model Access\u2026" of your account.'),
    ],
  },
  {
    code: "rate-limit",
    kind: ["blocked"],
    say: (_, { name }) => [t("{0} takes no more requests from this account.", name)],
  },
  {
    code: "unknown-model",
    kind: ["not-found"],
    say: (_, { name }) => [
      t("VS Code no longer has the model {0}.", name),
      t("Its extension may be off, or you may be signed out."),
    ],
  },
  {
    code: "refused",
    fits: network(/^PROXY_407$/),
    remedy: "retry",
    say: (_, { host, proxy = "HOST:PORT" }) => [
      t("The proxy on the way to {0} asks for a name and a password (407).", host),
      t("Put them into its address: {0}", `HTTPS_PROXY=http://NAME:PASSWORD@${proxy}`),
    ],
  },
  { ...noServer, fits: network(/^(?:ECONNREFUSED|ENOTFOUND)$/) },
  { ...noServer, fits: network(/^(?:EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN))$/), retryable: true },
  {
    code: "refused",
    fits: network(/CERT|SIGNATURE/),
    remedy: "retry",
    say: ({ network = "" }, { host, lostCertificates }) => [
      t("The certificate of {0} is not trusted.", host),
      /EXPIRED|NOT_YET_VALID|ALTNAME/.test(network)
        ? t("Check the address, this machine's clock and the certificate's dates.")
        : lostCertificates === undefined
          ? t("For a company's proxy, name its certificate's file in NODE_EXTRA_CA_CERTS before you start.")
          : t("NODE_EXTRA_CA_CERTS names {0}, which is not there.", lostCertificates),
    ],
  },
  {
    code: "refused",
    fits: network(/SSL|TLS|EPROTO/),
    say: (_, { host, address }) => [
      t("No secure connection to {0}: it may not speak https.", host),
      addressHint(address),
    ],
  },
  {
    code: "refused",
    fits: network(/./),
    retryable: true,
    say: (_, { host }) => [t("The connection to {0} broke.", host)],
  },
];

/** Never throws, never carries a key. What no row fits is `bad-answer` with the error's own words. */
export function explainFailure(error: unknown, at: Omit<RequestPlace, "host">): ModelFailure {
  if (error instanceof NoModelError) return { code: "no-model", message: error.message, retryable: false };
  const where = { ...at, host: hostOf(at.address) };
  const known = failureFacts(error);
  const waitMs = retryAfter(known.headers, where.now()) ?? known.waitMs;
  const facts = { ...known, words: withoutKeys(known.words, where.key), waitMs };
  const { row, left } = refusalOf(facts, where.leftOut);
  const [message, hint] = row ? row.say(facts, where) : [t("The request to {0} failed.", where.host)];
  const wait = waitMs !== undefined && waitMs > 60_000 && t("It asks to wait {0}.", waitText(waitMs));
  const details = inSentences([hint && withoutKeys(hint, where.key), wait, ownWords(facts)]);
  return {
    code: row?.code ?? "bad-answer",
    message,
    retryable: row ? row.retryable === true || left !== undefined : isRetryable(error),
    ...defined({ details: details || undefined, remedy: row?.remedy }),
    ...defined({ retryAfterMs: waitMs, status: facts.status, refused: left?.part }),
    ...(left?.what !== undefined && { notice: leftOutNotice(left.what, facts, where) }),
  };
}

/** Of the server, of VS Code, or of a model's call; what our own errors say is in the row's sentence. */
const QUOTED: readonly FailureFacts["kind"][] = [undefined, "unreadable-call", "no-permission", "blocked", "not-found"];
function ownWords({ network, kind, words }: FailureFacts): string {
  if (network !== undefined) return network === "PROXY_407" ? "" : network;
  return words && QUOTED.includes(kind) ? t("“{0}”", words) : "";
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

const leftOutNotice = (what: string, { words }: FailureFacts, { name, host }: RequestPlace): string =>
  t("{0} at {1} refuses {2} (“{3}”), so requests go without.", name, host, what, words);

function isRetryable(error: unknown): boolean {
  return typeof error === "object" && error !== null && "isRetryable" in error && error.isRetryable === true;
}

/** Servers quote keys in their complaints, whole or in part. */
function withoutKeys(words: string, key: string | undefined): string {
  const plain = key && key.length > 3 ? words.replaceAll(key, "…") : words;
  return plain.replace(/\b(sk|pk|gsk|xai|key|AIza)[-_][-\w*.]{6,}|\bAIza[-\w]{10,}|\bBearer\s+\S+/gi, "…");
}

function waitText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120
    ? plural(minutes, "{0} minute", "{0} minutes")
    : minutes < 2880
      ? plural(Math.round(minutes / 60), "{0} hour", "{0} hours")
      : t("some days");
}
