/** What a command prints line by line is taken in portions, and all of it, in its order. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type OutputPiece, OutputPump } from "../../src/node/shell/output";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";

function pumped() {
  const clock = new FakeClock();
  const pump = new OutputPump(clock, () => undefined);
  const streams = [new PassThrough(), new PassThrough()] as const;
  const taken: string[] = [];
  const take = ([at, chunk]: OutputPiece) => void taken.push(`${at}${Buffer.from(chunk)}`);
  pump.addPair(streams, take);
  /** One after the other, each read before the next is written. */
  const print = async (...lines: readonly (readonly [0 | 1, string])[]) => {
    for (const [at, line] of lines) {
      streams[at].write(line);
      await eventually("it is read", () => streams[at].readableLength === 0);
    }
  };
  return { clock, pump, streams, taken, print };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => [0, `${from + at}\n`] as const);

describe("what a command prints", () => {
  it("is taken at once where it is little", async () => {
    const { taken, print, clock } = pumped();
    await print(...lines(1, 8));
    await eventually("eight pieces", () => taken.length === 8);
    assert.equal(clock.calls, 0);
  });

  it("line by line is taken in portions", async () => {
    const { taken, print, clock } = pumped();
    await print(...lines(1, 8));
    await eventually("eight pieces", () => taken.length === 8);
    await print(...lines(9, 12));
    await eventually("a portion that waits", () => clock.calls === 1);
    assert.equal(taken.length, 8);
    await clock.advance(4);
    await eventually("the portion", () => taken.length === 9);
    assert.equal(taken[8], "09\n10\n11\n12\n");
  });

  it("is taken without waiting where it is much", async () => {
    const { taken, print } = pumped();
    await print(...lines(1, 8), [0, "x".repeat(20_000)]);
    await eventually("all of it", () => taken.join("").length > 20_000);
  });

  it("keeps its order where both streams are written to", async () => {
    const { pump, taken, print, clock } = pumped();
    await print(...lines(1, 8));
    await print([0, "a\n"], [1, "b\n"], [1, "c\n"], [0, "d\n"]);
    await eventually("a portion that waits", () => clock.calls === 1);
    pump.hurry();
    await eventually("the rest", () => taken.length === 11);
    assert.deepEqual(taken.slice(8), ["0a\n", "1b\nc\n", "0d\n"]);
  });

  it("is all taken once the command has ended, and what comes then at once", async () => {
    const { pump, streams, taken, print, clock } = pumped();
    await print(...lines(1, 10));
    pump.hurry();
    await print([1, "late\n"]);
    for (const stream of streams) stream.end();
    assert.equal(await pump.drained(1000), true);
    const all = [...lines(1, 10).map(([, line]) => line), "late\n"].join("");
    assert.equal(taken.map(piece => piece.slice(1)).join(""), all);
    assert.equal(clock.calls, 0);
  });

  it("is passed over once a taker has failed", async () => {
    const clock = new FakeClock();
    let failures = 0;
    const pump = new OutputPump(clock, () => failures++);
    const streams = [new PassThrough(), new PassThrough()] as const;
    let takes = 0;
    const take = () => {
      takes++;
      throw new Error("full");
    };
    pump.addPair(streams, take);
    for (let at = 0; at < 20; at++) {
      streams[0].write(`${at}\n`);
      await eventually("it is read", () => streams[0].readableLength === 0);
    }
    pump.hurry();
    for (const stream of streams) stream.end();
    await pump.drained(1000);
    assert.deepEqual([takes, failures, String(pump.failure?.error)], [1, 1, "Error: full"]);
  });
});
