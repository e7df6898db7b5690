/** Why a request failed, in words for people: one sentence, and behind it what the server says. */
import { type ModelFailure, NoModelError } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { inSentences } from "../shared/format";
import { plural, t } from "../shared/l10n";
import { hostOf } from "../shared/nearAddress";
import { type FailureFacts, failureFacts, retryAfter } from "./failureFacts";
import type { LeavingOut, LeftOut } from "./leftOut";
import { addressHint, type FailureRow, type RequestPlace, refusals } from "./refusals";

type Say = FailureRow["say"];
type More = Partial<FailureRow>;
const again: More = { retryable: true };

/** An error of ours, of the stream or of VS Code. */
const ended = (kind: FailureFacts["kind"], code: FailureRow["code"], more: More, say: Say): FailureRow => ({
  ...{ code, kind: [kind], say, ...more },
});
/** An empty answer that ended for this reason. */
const empty = (reason: string, more: More, say: Say) =>
  ended("empty", "bad-answer", { fits: ({ finishReason }) => finishReason === reason, ...more }, say);
/** An error with a code of the network: mended outside, then tried again. */
const broke = (codes: RegExp, more: More, say: Say): FailureRow => ({
  ...{ code: "refused", remedy: "retry", say, fits: ({ network }) => network !== undefined && codes.test(network) },
  ...more,
});

const noAnswer: Say = (_, at) => [t("{0} does not answer like a model server.", at.host), addressHint(at.address)];
const silence: Say = (_, { host, timeoutMs }) => [
  t("No reply from {0} for {1} s, so I stopped waiting.", host, Math.round(timeoutMs / 1000)),
];
const noServer: Say = (_, { host, proxy }) => [
  t("No server answers at {0}.", host),
  proxy && t("Requests go through the proxy {0} (HTTPS_PROXY, HTTP_PROXY; NO_PROXY goes past it).", proxy),
];

/** What ended without a status. */
const ends: readonly FailureRow[] = [
  ended("timeout", "timeout", { ...again, remedy: "set-time" }, silence),
  ended("idle", "timeout", { ...again, remedy: "set-time" }, silence),
  ended("too-long", "bad-answer", { remedy: "set-largest" }, (_, { name }) => [
    t("The answer of {0} was too long, so it was cut off.", name),
  ]),
  ended("too-many-calls", "bad-answer", again, (_, { name }) => [
    t("{0} called tools hundreds of times in one answer, so nothing of it ran.", name),
  ]),
  ended("cut", "cut", again, ({ finishReason }, { name }) => [
    finishReason === undefined
      ? t("Connection lost in the middle of the answer.")
      : t("{0} broke off its answer ({1}).", name, finishReason),
  ]),
  empty("length", { remedy: "set-longest" }, (_, { name }) => [
    t("{0} used all its tokens before it said anything.", name),
  ]),
  empty("content-filter", {}, (_, { host }) => [
    t("The content filter at {0} held the answer back.", host),
    t("Other words may pass."),
  ]),
  ended("empty", "bad-answer", again, (_, { name }) => [t("{0} sent an empty answer.", name)]),
  ended("unreadable-call", "unreadable-call", { remedy: "retry" }, (_, { name }) => [
    t("{0} wrote a tool call that cannot be read.", name),
  ]),
  ended("written-call", "unreadable-call", { remedy: "set-protocol" }, (_, { name }) => [
    t("{0} wrote a tool call as text that cannot be read, so nothing ran.", name),
    t(
      "Its server may lack its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja).",
    ),
  ]),
  ended("redirect", "bad-answer", {}, ({ words }, { host }) => [
    t("{0} redirects to {1}, and nothing was sent there.", host, words || t("another address")),
  ]),
  ended("garbage", "bad-answer", again, noAnswer),
  ended("wrong-api", "bad-answer", {}, noAnswer),
  ended("html", "bad-answer", {}, (_, { host, address }) => [
    t("{0} sent a web page instead of an answer.", host),
    inSentences([t("A sign-in or a proxy may stand in between."), addressHint(address)]),
  ]),
  ended("no-permission", "auth", { remedy: "retry" }, (_, { name }) => [
    t("VS Code does not let Strata use {0} yet.", name),
    t('Allow it when VS Code asks, or in "Manage Language Model Access\u2026" of your account.'),
  ]),
  ended("blocked", "rate-limit", {}, (_, { name }) => [t("{0} takes no more requests from this account.", name)]),
  ended("not-found", "unknown-model", {}, (_, { name }) => [
    t("VS Code no longer has the model {0}.", name),
    t("Its extension may be off, or you may be signed out."),
  ]),
  broke(/^PROXY_407$/, {}, (_, { host, proxy = "HOST:PORT" }) => [
    t("The proxy on the way to {0} asks for a name and a password (407).", host),
    t("Put them into its address: {0}", `HTTPS_PROXY=http://NAME:PASSWORD@${proxy}`),
  ]),
  broke(/^(?:ECONNREFUSED|ENOTFOUND)$/, {}, noServer),
  broke(/^(?:EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN))$/, again, noServer),
  broke(/CERT|SIGNATURE/, {}, ({ network = "" }, { host, lostCertificates }) => [
    t("The certificate of {0} is not trusted.", host),
    /EXPIRED|NOT_YET_VALID|ALTNAME/.test(network)
      ? t("Check the address, this machine's clock and the certificate's dates.")
      : lostCertificates === undefined
        ? t("For a company's proxy, name its certificate's file in NODE_EXTRA_CA_CERTS before you start.")
        : t("NODE_EXTRA_CA_CERTS names {0}, which is not there.", lostCertificates),
  ]),
  broke(/SSL|TLS|EPROTO/, { remedy: "choose-model" }, (_, { host, address }) => [
    t("No secure connection to {0}: it may not speak https.", host),
    addressHint(address),
  ]),
  broke(/./, again, (_, { host }) => [t("The connection to {0} broke.", host)]),
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
    ...(left?.what !== undefined && {
      notice: t("{0} at {1} refuses {2} (“{3}”), so requests go without.", at.name, where.host, left.what, facts.words),
    }),
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

const isRetryable = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "isRetryable" in error && error.isRetryable === true;

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
