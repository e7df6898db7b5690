/** Forms of results of any shape. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { estimateTokens } from "../../../src/core/ground/text/estimate";
import { compressResult, foldedForm } from "../../../src/core/tool/resultForms";
import type { Json } from "../../../src/shared/messages";
import { errorCodeSchema, type ToolResult } from "../../../src/shared/toolResult";
import { cases } from "../../fakes/soak";
import { formsOf, numbered } from "../looking/harness";

const HANDLE = "obs:3fa9c1d2e4b5";

describe("kept and folded: whatever comes", () => {
  const tools = ["LS", "Glob", "Grep", "Read", "Edit", "Write", "Bash", "TodoWrite", "Recall", "mcp:中文"];
  const formsByTool = new Map(tools.map(tool => [tool, formsOf(tool)]));
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ maxLength: 400 }), fc.constant("漢字".repeat(300)));
  const lines = fc.array(text, { maxLength: 60 });
  const count = fc.oneof(fc.nat(), fc.double());
  const facts = fc.record(
    {
      ...{ path: text, directory: text, pattern: text, command: text, query: text, recap: text, fragment: text },
      ...{ first: fc.oneof(lines, count), lines: fc.oneof(lines, count), last: count, total: count, listed: count },
      ...{
        hits: count,
        files: count,
        count,
        added: count,
        removed: count,
        exitCode: fc.oneof(count, fc.constant(null)),
      },
      ...{
        stdoutFirst: lines,
        stdoutLast: lines,
        stdoutLeft: count,
        stderrLast: lines,
        stderrLeft: count,
        notable: lines,
      },
      ranges: fc.array(fc.record({ first: count, last: count }), { maxLength: 30 }),
      stamp: fc.record({
        sha256: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 }),
      }),
      truncated: fc.boolean(),
      durationMs: count,
    },
    { requiredKeys: [] },
  );
  const code = fc.constantFrom(...errorCodeSchema.options);
  const results = fc
    .record({
      status: fc.constantFrom("success" as const, "partial" as const, "error" as const),
      data: fc.oneof(facts, fc.jsonValue()) as fc.Arbitrary<Json>,
      text: fc.oneof(
        text,
        lines.map(all => all.join("\n")),
        fc.constant(numbered(3_000)),
      ),
      digest: text,
      error: fc.option(fc.record({ code, message: text }, { noNullPrototype: true }), { nil: undefined }),
    })
    .map(({ error, ...result }): ToolResult => ({ ...result, ...(error ? { error } : {}) }));

  it("each form is a function, replaces only what is longer, and folded is a line of 40 tokens at most, whatever it is of", () => {
    fc.assert(
      fc.property(fc.constantFrom(...tools), results, (tool, result) => {
        const ofTool = formsByTool.get(tool);
        const forms = compressResult(result, HANDLE, ofTool);
        assert.deepEqual(compressResult(structuredClone(result), HANDLE, ofTool), forms);
        assert.equal(forms.shown, result.text);
        if (forms.kept !== undefined) {
          assert.ok(estimateTokens(forms.kept) < estimateTokens(forms.shown));
          const parsed = JSON.parse(forms.kept);
          assert.deepEqual(Object.keys(parsed), result.error ? ["status", "data", "error"] : ["status", "data"]);
          assert.deepEqual(parsed.error, result.error);
        }
        const folded = foldedForm(result, HANDLE, ofTool);
        assert.ok(estimateTokens(folded) <= 40, folded);
        assert.ok(folded.endsWith(HANDLE) && !/[\r\n]/.test(folded));
        if (forms.folded !== undefined) {
          assert.equal(forms.folded, folded);
          assert.ok(estimateTokens(folded) < estimateTokens(forms.kept ?? forms.shown));
        }
        for (const form of [forms.kept, forms.folded]) {
          const named = [...(form ?? "").matchAll(/… [\d,]+ more [^"]*?(obs:[0-9a-f]{12})/g)];
          for (const [, handle] of named) if (!result.text.includes(String(handle))) assert.equal(handle, HANDLE);
        }
      }),
      { numRuns: cases(1_000) },
    );
  });
});
