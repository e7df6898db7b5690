/** Sessions of any course, record by record, through the real projection: what property tests of requests are made of. */

import fc from "fast-check";
import { ageTurns, resultsToFold } from "../../../src/core/context/ages";
import { assemble } from "../../../src/core/context/assemble";
import { previewCompaction } from "../../../src/core/context/compaction/preview";
import type { Layers } from "../../../src/core/context/layers";
import { takeSnapshot } from "../../../src/core/log/applyCompaction";
import { opensTurn } from "../../../src/core/log/branches";
import { Conversation } from "../../../src/core/log/conversation";
import { applyRecord, compactionsInEffect, project } from "../../../src/core/log/project";
import type { MessageMetadata, MessagePart } from "../../../src/shared/messages";
import type { LogRecord, NewRecord } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";
import { asItIs } from "../../fakes/redact";
import { tokensOf } from "./compaction/histories";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("漢字", "a\r\n\ud800", ""));
const forms = fc
  .record({ lines: fc.nat(20), kept: fc.boolean(), folded: fc.constantFrom(true, true, true, false), text })
  .map(({ lines, kept, folded, text }) => ({
    shown: `${text}\n`.repeat(lines + 1),
    ...(kept ? { kept: `kept ${text}` } : {}),
    ...(folded ? { folded: `folded ${text}` } : {}),
  }));

/** What happens in a session, one after the other. */
const happening = [
  { weight: 2, arbitrary: fc.record({ does: fc.constant("ask" as const), text }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("steer" as const), text }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("step" as const),
      text,
      results: fc.array(fc.option(forms, { freq: 9 }), { maxLength: 3, size: "medium" }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("end" as const), unsettled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ does: "settle" as const }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("fold" as const), foldAt: fc.constantFrom(40, 200) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("compact" as const), window: fc.constantFrom(20_000, 100_000) }),
  },
] as const;
const LENGTH = { minLength: 8, maxLength: 25, size: "large" } as const;
export const courses = fc.array(fc.oneof(...happening), LENGTH);
/** With what makes the log be read anew: a compaction taken back or done again, a way back to an earlier turn. */
export const turningCourses = fc.array(
  fc.oneof(
    ...happening,
    { weight: 3, arbitrary: fc.constant({ does: "undo" as const }) },
    { weight: 1, arbitrary: fc.constant({ does: "redo" as const }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("rewind" as const), to: fc.nat() }) },
  ),
  LENGTH,
);
export type Course = typeof turningCourses extends fc.Arbitrary<infer Of> ? Of : never;

/** The conversation after each thing that happens. It is one and the same object, as in a session. @param records its log */
export function* live(course: Course, records: LogRecord[] = []): Generator<Conversation> {
  const conversation = new Conversation();
  let seq = 0;
  const append = (record: NewRecord) => {
    seq += 1;
    const whole = { id: `r${seq}`, seq, ts: seq, ...record } as LogRecord;
    records.push(whole);
    applyRecord(conversation, whole);
  };
  const readAnew = () => {
    for (const key of Object.keys(conversation)) delete (conversation as unknown as Record<string, unknown>)[key];
    Object.assign(conversation, project(records));
  };
  const say = (role: "user" | "assistant", parts: MessagePart[], at: Partial<MessageMetadata> = {}) => {
    const { turn, step } = conversation;
    const metadata = { ts: seq, turn, step, runId: `run${turn}`, kind: "normal" as const, ...at };
    append({ kind: "message", parentId: null, message: { id: `m${seq}`, role, parts, metadata } });
    return `m${seq - 1}`;
  };
  for (const happens of course) {
    const { turn, step, turnOpen, lastTurn } = conversation;
    if (happens.does === "ask" || turn === 0) {
      const words = "text" in happens ? happens.text : "";
      say("user", [{ type: "text", text: words }], { turn: lastTurn + 1, step: 0, runId: `run${lastTurn + 1}` });
    } else if (happens.does === "steer" && turnOpen) {
      say("user", [{ type: "text", text: happens.text }], { kind: "steer" });
    } else if (happens.does === "step" && turnOpen) {
      const calls = happens.results.map((_, at) => callPart(`c${at}`, happens.text));
      const messageId = say("assistant", [{ type: "text", text: happens.text }, ...calls], { step: step + 1 });
      for (const [at, forms] of happens.results.entries()) {
        if (!forms) continue;
        const of = { messageId, callId: `c${at}`, toolName: "Read", turn, step: step + 1 };
        append({ kind: "result", ...of, status: "success", digest: "", durationMs: 1, forms });
      }
    } else if (happens.does === "end" && turnOpen) {
      const counts = { steps: step, toolCalls: 0, toolFailures: 0, usage: { input: 1, output: 1 }, durationMs: 1 };
      const unsettled = happens.unsettled ? { unsettled: true as const } : {};
      append({ kind: "turnEnd", turn, runId: `run${turn}`, reason: "done", ...counts, ...unsettled });
    } else if (happens.does === "fold") {
      const results = resultsToFold(conversation, happens.foldAt);
      if (results.length > 0) append({ kind: "fold", results, settled: turnOpen ? turn - 1 : turn });
    } else if (happens.does === "settle") {
      const aged = turnOpen ? ageTurns({ ...conversation, step: 0 }, records, "lean") : undefined;
      append(aged ?? { kind: "fold", results: [], settled: turnOpen ? turn - 1 : turn });
    } else if (happens.does === "compact") {
      compact(conversation, happens.window, append);
    } else if (happens.does === "undo" || happens.does === "redo" || happens.does === "rewind") {
      goElsewhere(happens, records, append);
      readAnew();
    }
    yield conversation;
  }
}

/** What a person does between turns that changes what stands. */
function goElsewhere(
  happens: Extract<Course[number], { does: "undo" | "redo" | "rewind" }>,
  records: readonly LogRecord[],
  append: (record: NewRecord) => void,
): void {
  const done = records.filter(({ kind }) => kind === "compaction");
  const inEffect = compactionsInEffect(records);
  if (happens.does === "undo") {
    const compactionId = inEffect.at(-1)?.id;
    if (compactionId !== undefined) append({ kind: "undo", compactionId });
  } else if (happens.does === "redo") {
    const last = records.findLast(({ kind }) => kind === "undo" || kind === "compaction" || kind === "redo");
    if (last?.kind === "undo" && done.some(({ id }) => id === last.compactionId))
      append({ kind: "redo", compactionId: last.compactionId });
  } else {
    // Nobody goes back while a turn runs, nor into one that was never ended.
    const isIdle = (upTo: number) => !project(records.slice(0, upTo)).turnOpen;
    const openings = isIdle(records.length) ? records.filter(opensTurn).filter(({ seq }) => isIdle(seq - 1)) : [];
    const opening = openings[happens.to % Math.max(1, openings.length)];
    if (!opening || done.length > 0) return;
    const { turn } = opening.message.metadata;
    append({ kind: "rewind", phase: "done", rewindId: `w${records.length}`, turn, head: opening.seq - 1 });
  }
}

function callPart(toolCallId: string, input: string): MessagePart {
  return { type: "dynamic-tool", toolName: "Read", toolCallId, state: "input-available", input: { file_path: input } };
}

function compact(conversation: Conversation, window: number, append: (record: NewRecord) => void): void {
  const sizes = { window, keepRounds: 10, memory: "lean" as const, beside: 10 };
  const { removed, folded, rounds, tokens } = previewCompaction({
    ...{ conversation, ...sizes, mode: "threshold" },
    // As if each text were long: a summary has to be shorter.
    tokensOf: (message, form) => 100 * tokensOf(message, form),
  });
  if (removed.length === 0) return;
  const at = `s${conversation.turn}.${conversation.step}`;
  const place = { turns: { from: 1, to: 1 }, sourceRange: { fromId: "", toId: "", count: 1 }, startTs: 0, cutoffTs: 1 };
  append({
    ...{ kind: "compaction", reason: "threshold", removed, folded, rounds, tokens, durationMs: 1 },
    archive: `archive/${at}.jsonl`,
    summaries: [...conversation.summaries, { id: at, text: `What was done until ${at}`, sha256: "", ...place }],
    snapshot: takeSnapshot(conversation, []),
  });
}

const tools = [{ name: "Read", description: asItIs("reads"), inputSchema: { type: "object" } }];

/** The next request of a session. @param layers what differs in them */
export function requestOf(
  conversation: Conversation,
  memo: Parameters<typeof assemble>[0]["memo"] = new WeakMap(),
  layers: Partial<Layers> = {},
  more: Partial<
    Pick<Parameters<typeof assemble>[0], "tools" | "foreign" | "ledger" | "writesTools" | "withoutReasoning">
  > = {},
) {
  const { summaries, messages, turn, turnOpen, settled, brief, step } = conversation;
  return assemble({
    layers: {
      system: "You are Strata.",
      facts: asItIs("linux"),
      rules: [],
      tail: [{ source: "tail:todo", text: asItIs(`step ${step}`) }],
      ...layers,
    },
    ...{ tools, summaries, messages, memo, hash },
    turn: turnOpen ? turn : turn + 1,
    settled,
    brief,
    callOptions: {},
    image: () => undefined,
    ...more,
  });
}
