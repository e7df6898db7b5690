/** What can happen to a session's history, in any order: what property tests of the log are made of. */
import fc from "fast-check";
import type { NewRecord } from "../../../src/shared/records";
import type { Deed, Output } from "./chronicle";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("漢字 👩‍👧", "a\r\nb\u2028", ""));
const rarely = fc.constantFrom(false, false, false, true);

const output: fc.Arbitrary<Output> = fc.record({
  tool: fc.constantFrom("Read", "Bash"),
  text,
  kept: fc.boolean(),
  folded: fc.boolean(),
  failed: rarely,
  changes: rarely,
});

const asked = {
  toolName: "Bash",
  callId: "c",
  title: "Run `make`?",
  detail: { type: "command" as const, command: "make", cwd: "/app" },
  binds: "0",
};
const answer = { decision: "allow" as const, scope: "session" as const, by: "user" as const };
const facts = { files: ["/app/data"], removes: [], reads: [], acts: [["git push", "main"]], hosts: [] };
const refused = { callId: "c", toolName: "Bash", by: "user" as const, facts };
const sayings: fc.Arbitrary<NewRecord> = fc.oneof(
  fc.record({ kind: fc.constant("title"), title: text }),
  fc.record({ kind: fc.constant("mode"), mode: fc.constantFrom("ask", "auto") }),
  text.map((content): NewRecord => ({ kind: "todo", todos: [{ content: `x${content}`, status: "pending" }] })),
  text.map((words): NewRecord => ({ kind: "note", level: "info", code: "c", text: words })),
  fc.constant<NewRecord>({ kind: "approval", approvalId: "a", action: asked }),
  fc.constant<NewRecord>({ kind: "approval", approvalId: "a", action: asked, answer }),
  text.map((title): NewRecord => ({ kind: "denial", op: "made", denial: { ...refused, title } })),
  fc
    .subarray(Array.from({ length: 20 }, (_, at) => `rec_${at}`))
    .map((denialIds): NewRecord => ({ kind: "denial", op: "lifted", denialIds, by: "user" })),
  fc.record({
    ...{ kind: fc.constant("child"), phase: fc.constantFrom("begun", "ended"), agent: text, title: text },
    ...{ childId: fc.constantFrom("ses_a", "ses_b"), messageId: fc.constant("m"), callId: fc.uuid() },
    ...{ turn: fc.nat(3), usage: fc.constantFrom({ input: 5, output: 2 }, { input: 70, output: 9, cost: 0.5 }) },
    changes: fc.constant([{ uri: "file:///app/1", path: "1", created: false, added: 2, removed: 1, diff: "" }]),
  }),
  fc.constant<NewRecord>({ kind: "attempt", requestId: "q", turn: 1, step: 1, parts: [], reason: "cut off" }),
) as fc.Arbitrary<NewRecord>;

const turning: fc.WeightedArbitrary<Deed>[] = [
  { weight: 3, arbitrary: fc.record({ does: fc.constant("compact"), keep: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.constant({ does: "undo" }) },
  { weight: 2, arbitrary: fc.constant({ does: "redo" }) },
];

const plain: fc.WeightedArbitrary<Deed>[] = [
  { weight: 6, arbitrary: fc.record({ does: fc.constant("ask"), text }) },
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant("step"),
      text,
      outputs: fc.array(fc.option(output, { freq: 12 }), { maxLength: 3, size: "medium" }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("end"), reason: fc.constantFrom("done", "stopped") }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("say"), record: sayings }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("pin"), pick: fc.nat(9), pinned: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("pending"),
      op: fc.constantFrom("added", "edited", "removed"),
      which: fc.nat(2),
      text,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("inject"),
      place: fc.constantFrom("before", "end"),
      source: fc.constantFrom("rules:src/AGENTS.md", "rules:b/AGENTS.md", "changed:a.ts"),
      text,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("fold"), pick: fc.nat(9) }) },
];

const first: Deed[] = [
  { does: "ask", text: "first" },
  { does: "step", text: "looks", outputs: [] },
  { does: "step", text: "again", outputs: [] },
];

/** With compactions, their undo and redo. */
export const chronicles: fc.Arbitrary<Deed[]> = fc
  .array(fc.oneof(...plain, ...turning), { minLength: 3, maxLength: 24, size: "large" })
  .map(deeds => [...first, ...deeds]);

/** Without. */
export const turns: fc.Arbitrary<Deed[]> = fc.array(fc.oneof(...plain), { maxLength: 10, size: "medium" });
