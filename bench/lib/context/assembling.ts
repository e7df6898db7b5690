/** The time to assemble one large request, as a session does: what it remembers of earlier messages, and without. */

import { createHash } from "node:crypto";
import { type AssembledRequest, type AssembleMemo, assemble } from "../../../src/core/context/assemble";
import { Conversation } from "../../../src/core/log/conversation";
import { applyRecord } from "../../../src/core/log/project";
import type { LogRecord } from "../../../src/shared/records";
import { asItIs } from "../../../test/fakes/redact";
import { longTurn } from "./scenario";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export interface Assembled {
  tokens: number;
  messages: number;
  /** ms: the next step of a session, and the first request after opening one */
  next: number[];
  first: number[];
}

/** @param tokens of the request @param runs how often */
export function timeAssembling(tokens: number, runs: number): Assembled {
  const conversation = new Conversation();
  const memo: AssembleMemo = new WeakMap();
  const timed: Assembled = { tokens: 0, messages: 0, next: [], first: [] };
  const request = (remembered: AssembleMemo): AssembledRequest =>
    assemble({
      layers: { system: "You are Strata. ".repeat(200), facts: asItIs("linux"), rules: [], tail: [] },
      ...{ tools: [], summaries: conversation.summaries, messages: conversation.messages, turn: conversation.turn },
      brief: new Set<number>(),
      settled: conversation.settled,
      ...{ callOptions: {}, image: () => undefined, hash: { sha256 }, memo: remembered },
    });
  let step = 0;
  while (timed.tokens < tokens) {
    for (const record of stepRecords(++step)) applyRecord(conversation, record);
    timed.tokens = request(memo).tokens;
  }
  timed.messages = conversation.messages.length;
  const time = (remembered: AssembleMemo) => {
    const before = performance.now();
    request(remembered);
    return performance.now() - before;
  };
  for (let run = 0; run < runs; run++) {
    for (const record of stepRecords(++step)) applyRecord(conversation, record);
    timed.next.push(time(memo));
    timed.first.push(time(new WeakMap()));
    conversation.messages.pop();
  }
  return timed;
}

const text = Object.values(longTurn().files)[0] ?? "";

/** A step with a read of 300 lines; the first one opens the turn. */
function stepRecords(step: number): LogRecord[] {
  const metadata = { ts: 1, turn: 1, step, runId: "run", kind: "normal" as const };
  const base = (id: string) => ({ id, seq: step, ts: 1 });
  const message = (id: string, role: "user" | "assistant", parts: object[]) =>
    ({ ...base(id), kind: "message", parentId: null, message: { id, role, parts, metadata } }) as LogRecord;
  const call = { type: "dynamic-tool", toolName: "Read", toolCallId: `c${step}`, state: "input-available" };
  const of = { messageId: `a${step}`, callId: `c${step}`, toolName: "Read", turn: 1, step, status: "success" as const };
  return [
    ...(step === 1 ? [message("u", "user", [{ type: "text", text: "Go." }])] : []),
    message(`a${step}`, "assistant", [
      { type: "text", text: "I read." },
      { ...call, input: { file_path: `${step}` } },
    ]),
    { ...base(`r${step}`), kind: "result", ...of, digest: "", durationMs: 1, forms: { shown: `${step}\n${text}` } },
  ];
}
