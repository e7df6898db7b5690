/** Numbers that servers write as strings are numbers, in every interface; what is none of them is nothing. */
import assert from "node:assert/strict";
import { mendCounts } from "../../../src/models/events/mender";

const rows: [what: string, usage: Record<string, unknown>, expected: Record<string, unknown>][] = [
  ["Anthropic's", { input_tokens: "10", output_tokens: "2" }, { input_tokens: 10, output_tokens: 2 }],
  ["its cache", { input_tokens: 1, cache_read_input_tokens: "900" }, { input_tokens: 1, cache_read_input_tokens: 900 }],
  ["Gemini's", { promptTokenCount: "10", candidatesTokenCount: 2 }, { promptTokenCount: 10, candidatesTokenCount: 2 }],
  ["with a blank", { input_tokens: " 10 " }, { input_tokens: 10 }],
  ["as a fraction", { input_tokens: "10.0" }, { input_tokens: 10 }],
  ["words", { input_tokens: "many", output_tokens: 1 }, { output_tokens: 1 }],
  ["nothing", { input_tokens: "" }, {}],
  ["below nothing", { input_tokens: "-5" }, {}],
  ["details", { details: { cached_tokens: "7" } }, { details: { cached_tokens: 7 } }],
  ["what is no count", { service_tier: "1", input_tokens: 3 }, { service_tier: "1", input_tokens: 3 }],
];

describe("counts of an answer", () => {
  for (const [what, usage, expected] of rows)
    it(`are numbers: ${what}`, () => {
      mendCounts(usage);
      assert.deepEqual(usage, expected);
    });
});
