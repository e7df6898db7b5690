/** A model that takes its time, in the terminal. */
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/shared/events";
import { tickingPrinter as printer } from "./printed";

const request: AgentEvent = {
  type: "request",
  ...{ requestId: "r", turn: 1, step: 1, attempt: 1, model: "m", estimatedTokens: 1, contextWindow: 1 },
};
const text = (delta: string): AgentEvent => ({ type: "text", requestId: "r", delta });
const message = { type: "record", record: { kind: "message", id: "m", seq: 1, ts: 1 } } as unknown as AgentEvent;

describe("waiting for a model, in the terminal", () => {
  it("says every ten seconds what it does of which nothing is printed", async () => {
    const { print, pass, texts, ticking } = printer();
    print(request);
    await pass(10_000);
    print({ type: "reasoning", requestId: "r", delta: "hm" });
    await pass(10_000);
    print(text("I write it.\n"));
    print({ type: "callInput", requestId: "r", callId: "c", toolName: "Wri\u001bte", chars: 9 });
    await pass(10_000);
    print(message);
    assert.equal(ticking(), 0);
    assert.equal(texts.out, "I write it.\n");
    assert.deepEqual(texts.err.split("\n"), [
      "· Waiting for the model, 10 s",
      "· The model is thinking, 20 s",
      "· The model is writing a call, 10 s",
      "",
    ]);
  });

  it("puts nothing into a line of the answer, and says nothing while words come", async () => {
    const { print, pass, texts } = printer();
    print(request);
    print(text("half a"));
    await pass(10_000);
    await pass(10_000);
    print(text(" line\n"));
    await pass(4_000);
    assert.deepEqual(texts, { out: "half a line\n", err: "" });
    await pass(6_000);
    assert.equal(texts.err, "· Waiting for the model to go on, 10 s\n");
  });

  it("ends with a retry, a failure or a tool, and begins anew with the next request", () => {
    const { print, ticking } = printer();
    const ends: AgentEvent[] = [
      { type: "retry", requestId: "r", attempt: 1, attempts: 2, delayMs: 1, code: "x", message: "m" },
      { type: "failure", error: { code: "x", message: "m", actions: [] } },
      { type: "toolStart", callId: "c", toolName: "Read", title: "t" },
    ];
    for (const end of ends) {
      print(request);
      print(request);
      assert.equal(ticking(), 1);
      print(end);
      assert.equal(ticking(), 0);
    }
  });
});
