/** What a command prints is taken as it comes, all of it, in its order. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { OutputPump } from "../../src/node/shell/output";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";

describe("what a command prints", () => {
  it("is taken at once and in its order, also what comes after its end", async () => {
    const clock = new FakeClock();
    const pump = new OutputPump(clock, () => undefined);
    const streams = [new PassThrough(), new PassThrough()] as const;
    const taken: string[] = [];
    for (const at of [0, 1] as const) pump.add(streams[at], chunk => void taken.push(`${at}${Buffer.from(chunk)}`));
    for (const [at, line] of [
      [0, "a\n"],
      [1, "b\n"],
      [1, "c\n"],
      [0, "d\n"],
    ] as const) {
      streams[at].write(line);
      await eventually("it is read", () => streams[at].readableLength === 0);
    }
    assert.deepEqual(taken, ["0a\n", "1b\n", "1c\n", "0d\n"]);
    assert.equal(clock.calls, 0);
    streams[1].write("late\n");
    for (const stream of streams) stream.end();
    assert.equal(await pump.drained(1000), true);
    assert.equal(taken.at(-1), "1late\n");
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
    for (const stream of streams) pump.add(stream, take);
    for (let at = 0; at < 20; at++) {
      streams[0].write(`${at}\n`);
      await eventually("it is read", () => streams[0].readableLength === 0);
    }
    for (const stream of streams) stream.end();
    await pump.drained(1000);
    assert.deepEqual([takes, failures, String(pump.failure?.error)], [1, 1, "Error: full"]);
  });
});
