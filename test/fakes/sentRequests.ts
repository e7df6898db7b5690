/**
 * What has to hold of every request of a session, whatever was done in it: calls have their results, what a person said and what turns
 * were answered with stands there once and in its order, and a request that does not begin as the one before says why.
 */
import assert from "node:assert/strict";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { onBranch } from "../../src/core/log/branches";
import type { Manifest } from "../../src/shared/manifest";
import type { LogRecord, RecordOf } from "../../src/shared/records";

type Prompt = LanguageModelV4CallOptions["prompt"];

/** A request as the model got it, and how long the log was when it went out. */
export interface Sent {
  prompt: Prompt;
  tools: string;
  logged: number;
  /** the place of its manifest */
  manifest: number;
}

/** @param log of the session, all of it @param manifests in their order; undefined: cannot be read */
export function requireSent(
  sent: readonly Sent[],
  log: readonly LogRecord[],
  manifests: readonly (Manifest | undefined)[],
): void {
  for (const [at, request] of sent.entries()) {
    const manifest = manifests[request.manifest];
    assert.ok(manifest && !manifest.purpose, `request ${at} has no manifest of its own`);
    const place = `request ${request.manifest + 1} (turn ${manifest.turn}, step ${manifest.step})`;
    requirePairs(request, place);
    requireBreaks(sent, at, log, manifests, place);
    requireWords(request, log, place);
  }
}

/** A request that does not begin with the one before it says why, and something in the log is the reason. */
function requireBreaks(
  sent: readonly Sent[],
  at: number,
  log: readonly LogRecord[],
  manifests: readonly (Manifest | undefined)[],
  place: string,
): void {
  const [before, now] = [sent[at - 1], sent[at]];
  const manifest = manifests[now?.manifest ?? -1];
  if (!before || !now || !manifest) return;
  const last = manifests[before.manifest];
  // One that never left, since its process ended, tells the next what broke.
  if (manifests.slice(before.manifest + 1, now.manifest).some(between => !between?.purpose)) return;
  const isBroken =
    before.tools !== now.tools ||
    withoutTail(before.prompt).some((message, each) => plain(message) !== plain(now.prompt[each]));
  const { cause } = manifest;
  // A request for a summary between them ends where this one may go on.
  const isNext = now.manifest === before.manifest + 1;
  assert.ok(!isBroken || !isNext || cause !== undefined, `${place} breaks without a cause`);
  if (cause === undefined) return;
  const between = log.slice(before.logged, now.logged);
  const has = (kind: LogRecord["kind"]) => between.some(record => record.kind === kind);
  const isMended = between.some(record => record.kind === "note" && /^(?:log-|requests-)/.test(record.code ?? ""));
  const folds = between.filter(record => record.kind === "fold");
  const borneOut: Partial<Record<typeof cause, boolean>> = {
    "turn-end": manifest.turn !== last?.turn,
    fold: folds.some(({ results }) => results.length > 0),
    ...{
      compaction: has("compaction") || has("redo"),
      undo: has("undo"),
      // It counts until an answer came.
      rewind: !answeredSinceRewind(log.slice(0, now.logged)),
      branch: has("rewind"),
    },
    "log-repaired": isMended,
    "model-changed": manifest.model !== last?.model,
    "context-error-retry": manifest.step === last?.step,
  };
  assert.ok(borneOut[cause], `${place} says ${cause}, and nothing of it was done`);
}

function answeredSinceRewind(log: readonly LogRecord[]): boolean {
  const rewound = log.findLastIndex(({ kind }) => kind === "rewind");
  return (
    rewound < 0 || log.slice(rewound).some(record => record.kind === "message" && record.message.role === "assistant")
  );
}

/** What the person said stands there once and in its order, or is kept behind a compaction; so do the answers of turns. */
function requireWords({ prompt, logged }: Sent, log: readonly LogRecord[], place: string): void {
  const branch = onBranch(log.slice(0, logged));
  const removed = removedIn(log.slice(0, logged), branch);
  const messages = branch.filter(record => record.kind === "message").map(({ message }) => message);
  const ended = new Set(branch.flatMap(record => (record.kind === "turnEnd" ? [record.turn] : [])));
  const lastOf = new Map(messages.map(({ id, metadata }) => [metadata.turn, id]));
  const stay = messages.filter(({ id }) => !removed.has(id));
  const expected = stay.flatMap(({ id, role, parts, metadata }) => {
    const text = parts.map(part => (part.type === "text" ? part.text : "")).join("\n");
    if (role === "user") return marksIn(text, "p");
    const isAnswer = ended.has(metadata.turn) && lastOf.get(metadata.turn) === id;
    return isAnswer ? marksIn(text, "a") : [];
  });
  const stands = conversationText(prompt);
  const known = new Set(expected);
  const found = marksIn(stands, "[pa]");
  assert.deepEqual(
    found.filter(mark => known.has(mark)),
    expected,
    `${place}: words in another order, lost or doubled`,
  );
  const answers = new Set(
    messages.flatMap(({ role, parts }) => (role === "assistant" ? marksIn(JSON.stringify(parts), "a") : [])),
  );
  const strange = found.filter(mark => !known.has(mark) && !answers.has(mark));
  assert.deepEqual(strange, [], `${place}: words that left, or of another branch`);
  for (const { id, role, parts } of stay) {
    for (const part of role === "user" ? parts : [])
      if (part.type === "text") assert.ok(stands.includes(part.text), `${place}: ${id} is not as it was said`);
  }
  const left = messages
    .filter(({ id, role }) => role === "user" && removed.has(id))
    .flatMap(({ parts }) => marksIn(JSON.stringify(parts), "p"));
  if (left.length === 0) return;
  const ledger = ledgerText(prompt);
  const pages = marksIn(ledger, "p");
  assert.equal(new Set(pages).size, pages.length, `${place}: the ledger says something twice`);
  const isTold = left.every(mark => pages.includes(mark)) || /obs:[0-9a-f]{12}|Recall/.test(ledger);
  assert.ok(isTold, `${place}: nothing leads to words that left`);
}

const marksIn = (text: string, whose: string): string[] => text.match(new RegExp(`«${whose}\\d+»`, "g")) ?? [];

const plain = (message: Prompt[number] | undefined): string =>
  JSON.stringify(message, (key, value) => (key === "providerOptions" ? undefined : value));

const textOf = ({ role, content }: Prompt[number]): string =>
  typeof content === "string" || role === "tool"
    ? String(role === "tool" ? "" : content)
    : content.map(part => (part.type === "text" ? part.text : "")).join("\n\n");

function withoutTail(prompt: Prompt): Prompt {
  const last = prompt.at(-1);
  return last?.role === "user" && textOf(last).startsWith("<system-reminder>") ? prompt.slice(0, -1) : prompt;
}

const isLedger = (message: Prompt[number]): boolean =>
  message.role !== "assistant" && textOf(message).includes("The User's Words");

/** Words of the person and the model, without what Strata says beside them. */
const conversationText = (prompt: Prompt): string =>
  prompt
    .filter(message => (message.role === "user" && !isLedger(message)) || message.role === "assistant")
    .map(textOf)
    .join("\n")
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "");

/** What stands for words that left. */
function ledgerText(prompt: Prompt): string {
  const front = prompt
    .filter(message => message.role === "system" || isLedger(message))
    .map(textOf)
    .join("\n");
  const at = front.indexOf("The User's Words");
  return at < 0 ? "" : (front.slice(at).split("## 📌")[0] ?? "");
}

/** Ids of messages that compactions in effect took out. */
function removedIn(log: readonly LogRecord[], branch: readonly LogRecord[]): Set<string> {
  const done = new Map<string, RecordOf<"compaction">>();
  for (const record of log) if (record.kind === "compaction") done.set(record.id, record);
  const inEffect = new Set<string>();
  for (const record of branch) {
    if (record.kind === "compaction") inEffect.add(record.id);
    else if (record.kind === "undo") inEffect.delete(record.compactionId);
    else if (record.kind === "redo") inEffect.add(record.compactionId);
  }
  return new Set([...inEffect].flatMap(id => done.get(id)?.removed ?? []));
}

/** Each call has its result, behind it and once. */
function requirePairs({ prompt }: Sent, place: string): void {
  for (const [at, { role, content }] of prompt.entries()) {
    const next = prompt[at + 1];
    const calls =
      role === "assistant" ? content.flatMap(part => (part.type === "tool-call" ? [part.toolCallId] : [])) : [];
    const results =
      next?.role === "tool" ? next.content.flatMap(part => (part.type === "tool-result" ? [part.toolCallId] : [])) : [];
    if (role === "assistant") assert.deepEqual(results, calls, `${place}: calls and results`);
    if (role === "tool") assert.equal(prompt[at - 1]?.role, "assistant", `${place}: results of nothing`);
  }
}
