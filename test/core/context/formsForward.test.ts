/** In the course of a session, an observation's form only moves forward (docs/context.md). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Form, outputForm, turnForm } from "../../../src/core/context/compose";
import { type Conversation, refKey, type ToolOutput } from "../../../src/core/log/conversation";
import { cases } from "../../fakes/soak";
import { courses, live, requestOf } from "./anySession";

const RANK: Record<Form, number> = { shown: 0, kept: 1, folded: 2, brief: 3 };

/** By result, what goes out now. */
function sent(conversation: Conversation): Map<string, { form: Form; output: ToolOutput }> {
  const results = conversation.messages.flatMap(message =>
    message.parts.flatMap(part => {
      if (part.type !== "dynamic-tool" || part.state !== "output-available") return [];
      const output = part.output as ToolOutput;
      const ofTurn = turnForm(message, conversation);
      const form = ofTurn === "brief" ? ofTurn : outputForm(output, ofTurn);
      return [[refKey({ messageId: message.id, callId: part.toolCallId }), { form, output }] as const];
    }),
  );
  return new Map(results);
}

describe("an observation, in any session", () => {
  it("goes from shown to kept to folded and never back, gone is gone, and each form's bytes are those recorded", () => {
    const seen = { kept: 0, folded: 0, brief: 0, gone: 0 };
    fc.assert(
      fc.property(courses, course => {
        const first = new Map<string, ToolOutput>();
        let before: ReturnType<typeof sent> = new Map();
        for (const conversation of live(course)) {
          const now = sent(conversation);
          for (const [key, { form, output }] of now) {
            const { isFolded: _, isWhole: __, ...forms } = output;
            assert.ok(before.has(key) || !first.has(key), "what went does not come back");
            assert.ok(RANK[form] >= RANK[before.get(key)?.form ?? "shown"]);
            assert.deepEqual(forms, first.get(key) ?? forms);
            if (!first.has(key)) first.set(key, forms);
            if (form !== "shown" && before.get(key)?.form !== form) seen[form] += 1;
          }
          seen.gone += [...before.keys()].filter(key => !now.has(key)).length;
          before = now;
        }
      }),
      { numRuns: cases(1_000) },
    );
    for (const [what, times] of Object.entries(seen)) assert.ok(times > cases(10), `${what}: ${times}`);
  });

  it("stands in the request right after its call, whatever was folded or compacted", () => {
    fc.assert(
      fc.property(courses, course => {
        const memo = new WeakMap();
        for (const conversation of live(course)) {
          const { messages } = requestOf(conversation, memo);
          let open: string[] = [];
          for (const { role, content } of messages) {
            const ids = (type: string) =>
              typeof content === "string"
                ? []
                : content.flatMap(part => (part.type === type && "toolCallId" in part ? [part.toolCallId] : []));
            assert.deepEqual(ids("tool-result"), role === "tool" ? open : []);
            assert.ok(open.length === 0 || role === "tool");
            open = ids("tool-call");
          }
          assert.deepEqual(open, []);
        }
      }),
      { numRuns: cases(1_000) },
    );
  });
});
