/** A pipe beside a prompt of which nothing comes, or late. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { readInput } from "../../src/terminal/standardInput";
import { FakeClock } from "../fakes/clock";

const command = { prompt: "review", plan: undefined };

function scene(kind: "pipe" | "socket" | undefined, isWatched = false) {
  const [stream, clock] = [new PassThrough(), new FakeClock()];
  const said: string[] = [];
  const read = readInput(command, { stream, kind, clock, isWatched, err: text => void said.push(text) });
  return { stream, clock, said, read };
}

describe("text that is piped beside a prompt", () => {
  it("is waited for, with a word, and then read to its end however long that takes", async () => {
    const { stream, clock, said, read } = scene("pipe");
    await clock.advance(29_000);
    assert.match(said.join(""), /^Waiting for standard input\. .*\/dev\/null\.\n$/);
    stream.write("one\n");
    await new Promise(setImmediate);
    await clock.advance(600_000);
    stream.end("two\n");
    assert.deepEqual(await read, { prompt: "review", piped: "one\ntwo\n" });
    assert.equal(said.length, 1);
  });

  it("that never comes is told, where nobody can press Ctrl+C, and the run goes on", async () => {
    const { clock, said, read } = scene("pipe");
    await clock.advance(30_000);
    assert.deepEqual(await read, { prompt: "review" });
    assert.match(said[1] ?? "", /^! Nothing came by standard input in 30 s, so the run goes on/);
    const watched = scene("pipe", true);
    await watched.clock.advance(3_600_000);
    watched.stream.end("late\n");
    assert.deepEqual(await watched.read, { prompt: "review", piped: "late\n" });
  });

  it("by a socket has to be there at once; a terminal is left alone", async () => {
    const { clock, said, read } = scene("socket");
    await clock.advance(100);
    assert.deepEqual([await read, said], [{ prompt: "review" }, []]);
    assert.deepEqual(await scene(undefined).read, { prompt: "review" });
    const ended = scene("pipe");
    ended.stream.end(" \n");
    assert.deepEqual(await ended.read, { prompt: "review" }, "blanks are nothing");
  });
});
