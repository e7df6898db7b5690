/** How long a call may take, and how often a server is looked at again: by the clock. */
import assert from "node:assert/strict";
import { CallsInFlight } from "../../src/mcp/connection/callsInFlight";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";

const LIMIT = 10_000;

describe("calls in flight", () => {
  let clock: FakeClock;
  let calls: CallsInFlight;
  beforeEach(() => {
    clock = new FakeClock();
    calls = new CallsInFlight("demo", { timeoutMs: () => LIMIT, openAddress: async () => true, clock });
  });

  /** A call that only its limit, or a test, ends. */
  function call() {
    const answer = Promise.withResolvers<string>();
    const seen = { end: undefined as string | undefined, progress: (): string | undefined => undefined };
    const ended = calls.run({ signal: new AbortController().signal }, ({ signal, progress }) => {
      let done = 0;
      seen.progress = () => progress({ progress: ++done });
      signal.addEventListener("abort", () => answer.reject(new Error("left")));
      return answer.promise;
    });
    ended.then(
      text => Object.assign(seen, { end: text }),
      error => Object.assign(seen, { end: error.code }),
    );
    return { seen, answer: answer.resolve };
  }

  it("one that gives no sign of life ends with its time, and not before", async () => {
    const { seen } = call();
    await clock.advance(LIMIT - 1);
    assert.equal(seen.end, undefined);
    await clock.advance(1);
    assert.equal(seen.end, "REQUEST_TIMEOUT");
    assert.equal(clock.calls, 0);
  });

  it("progress begins its time anew, up to thirty times as much in all, and its lines are counted", async () => {
    const { seen } = call();
    for (let told = 1; told < 30; told++) {
      await clock.advance(LIMIT - 1);
      assert.equal(seen.progress(), `${told}\n`);
    }
    await clock.advance(LIMIT - 1);
    seen.progress();
    await clock.advance(29);
    assert.equal(seen.end, undefined, "30 times one millisecond is left");
    await clock.advance(1);
    assert.equal(seen.end, "REQUEST_TIMEOUT");
    const talks = call();
    const lines = Array.from({ length: 501 }, () => talks.seen.progress());
    assert.deepEqual([lines[499], lines[500]], ["500\n", undefined]);
    talks.answer("done");
  });

  it("time stands still while the person is asked, and begins anew with their answer", async () => {
    const question = Promise.withResolvers<void>();
    const seen = { end: undefined as string | undefined };
    const ask = async () => {
      await question.promise;
      return { action: "decline", by: "user" } as const;
    };
    const ended = calls.run({ ask, signal: new AbortController().signal }, ({ signal }) => {
      const { promise, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => reject(new Error("left")));
      return promise;
    });
    ended.catch(error => Object.assign(seen, { end: error.code }));
    await clock.advance(LIMIT - 1);
    const asked = calls.elicit({
      message: "Which?",
      requestedSchema: { type: "object", properties: { word: { type: "string" } } },
    });
    await clock.advance(100 * LIMIT);
    assert.equal(seen.end, undefined);
    question.resolve();
    await asked;
    await clock.advance(LIMIT - 1);
    assert.equal(seen.end, undefined);
    await clock.advance(1);
    assert.equal(seen.end, "REQUEST_TIMEOUT");
  });

  it("who waits for all of them waits until the last has ended, or its own time is up", async () => {
    await calls.ended(5);
    const { answer, seen } = call();
    let waited = 0;
    const wait = async (ms: number) => {
      await calls.ended(ms);
      waited += 1;
    };
    void wait(LIMIT - 2);
    await clock.advance(LIMIT - 3);
    assert.equal(waited, 0);
    await clock.advance(1);
    assert.equal(waited, 1);
    answer("done");
    await eventually("its end", () => seen.end === "done");
    assert.equal(clock.calls, 0, "nothing is left to come");
  });
});
