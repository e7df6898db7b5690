/** What `/cost` says. */
import assert from "node:assert/strict";
import { reportLines } from "../../../src/core/ground/text/report";
import { costReport } from "../../../src/core/log/costs";
import { defined } from "../../../src/shared/defined";
import type { Usage } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { childRecord } from "../../fakes/children";

const answer = (model: string, usage: Usage) =>
  ({ kind: "message", message: { role: "assistant", metadata: { model, usage } } }) as unknown as LogRecord;
const costLines = (...given: Parameters<typeof costReport>) => reportLines(costReport(...given));
const none = { today: undefined, perTurn: 0, perDay: 0 };

describe("what a session cost", () => {
  it("names models with the dearest first, and sums them", () => {
    const records = [
      answer("small", { input: 1_000, output: 10, cost: 0.01 }),
      answer("large", { input: 20_000, cachedInput: 15_000, output: 100, cost: 0.5 }),
      answer("small", { input: 1_000, output: 10, cost: 0.01 }),
    ];
    assert.deepEqual(costLines(records, { today: 3.2, perTurn: 2, perDay: 10 }), [
      "This session: $0.52 · 22k tokens read (15k cached), 120 written",
      "  large: $0.50 · 20k tokens read (15k cached), 100 written",
      "  small: $0.02 · 2k tokens read, 20 written",
      "All sessions today: $3.20",
      "Stops and asks at $2.00 in a turn, and at $10.00 in a day",
    ]);
  });

  it("has a line for all agents that worked for it", () => {
    const child = (childId: string, usage?: Usage) => childRecord({ childId, ...defined({ usage }) }) as LogRecord;
    const records = [
      answer("large", { input: 1_000, output: 10, cost: 0.01 }),
      ...[child("a"), child("b"), child("a", { input: 20_000, output: 100, cost: 0.5 })],
      ...[child("b", { input: 1_000, output: 10, cost: 0.01 }), child("a", { input: 1_000, output: 10, cost: 0.01 })],
    ];
    assert.deepEqual(costLines(records, none).slice(0, 3), [
      "This session: $0.53 · 23k tokens read, 130 written",
      "  Agents: 2 · $0.52 · 22k tokens read, 120 written",
      "  large: $0.01 · 1k tokens read, 10 written",
    ]);
  });

  it("says where nothing is known, and where nothing was asked", () => {
    assert.deepEqual(costLines([answer("mine", { input: 10, output: 1 })], none), [
      "This session: cost not known · 10 tokens read, 1 written",
      "  All by mine, in 1 request",
      "No cost limit is set",
    ]);
    assert.equal(costLines([], none)[0], "This session has asked no model yet.");
  });
});
