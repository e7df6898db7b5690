/** What a summary must hold whatever a model writes: goal, files, environment. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../../../fakes/soak";
import { anything, changing, facts, said, slotsOf } from "./segments";

describe("goal, files, environment", () => {
  it("the goal: 500 characters, no half ones", () => {
    assert.equal(slotsOf([], { goal: "  Make it\r\nfast 🚀 " }).goal, "Make it\r\nfast 🚀");
    assert.equal(slotsOf([], { goal: `${"a".repeat(499)}🚀` }).goal, "a".repeat(499));
  });

  it("files: how they changed over the segment, as they were left, in the order of the last change", () => {
    const message = said("done", 1, "normal", "assistant");
    const records = [
      changing(message.id, 1, { path: "a.ts", added: 3, created: true, content: "1" }),
      changing(message.id, 2, { path: "b.ts", removed: 2 }),
      changing("another", 3, { path: "c.ts" }),
      changing(message.id, 4, { path: "a.ts", added: 1, removed: 1, content: "2" }),
    ];
    const { files } = slotsOf([message], { records });
    assert.deepEqual(files, [
      { path: "b.ts", created: false, added: 1, removed: 2, changes: 1, handle: "obs:d4735e3a265e" },
      { path: "a.ts", created: true, added: 4, removed: 1, changes: 2, handle: "obs:4b227777d4dd" },
    ]);
  });

  it("too many files: the newest by name, the others by folder", () => {
    const message = said("done", 1, "normal", "assistant");
    const records = Array.from({ length: 90 }, (_, at) =>
      changing(message.id, at, { path: `src/d${at % 3}/f${at}.ts` }),
    );
    const { files, moreFiles } = slotsOf([message], { records });
    assert.ok(files.length >= 20 && files.length <= 60);
    assert.equal(files.at(-1)?.path, "src/d2/f89.ts");
    assert.equal(files.length + moreFiles, 90);
  });

  it("the environment in one line", () => {
    assert.equal(slotsOf([]).environment, "linux, bash; folder /ws/app; model gpt-x");
    const two = [...facts.roots, { name: "lib", path: "/ws/lib\n", uri: "file:///ws/lib" }];
    assert.equal(
      slotsOf([], { facts: { ...facts, roots: two } }).environment,
      "linux, bash; folders app = /ws/app, lib = /ws/lib ; model gpt-x",
    );
  });

  it("is a function of its input, and bounded, whatever was typed", () => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 8 }),
        anything,
        fc.array(anything, { maxLength: 8 }),
        (texts, goal, paths) => {
          const messages = texts.map((text, at) => said(text, at + 1));
          const records = paths.map((path, at) => changing(messages[0]?.id ?? "", at, { path }));
          const slots = slotsOf(messages, { records, goal });
          assert.deepEqual(slotsOf(messages, { records, goal }), slots);
          const text = JSON.stringify(slots);
          assert.ok(text.isWellFormed() && !/<\s*\/?system-reminder/i.test(text));
          for (const file of slots.files) assert.ok(file.path.length <= 240 && !/[\r\n]/.test(file.path));
          assert.ok(slots.goal.length <= 500 && slots.environment.length <= 1_000);
        },
      ),
      { numRuns: cases(1_000) },
    );
  });
});
