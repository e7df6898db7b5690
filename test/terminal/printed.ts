import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { createPrinter } from "../../src/terminal/eventPrinter";
import { Output } from "../../src/terminal/output";

/** The process's own output, on streams that keep what was printed. */
export function printed() {
  const texts = { out: "", err: "" };
  const keep = (name: "out" | "err") =>
    new Writable({
      decodeStrings: false,
      write(text, _, done) {
        texts[name] += text;
        done();
      },
    });
  return { texts, streams: new Output(keep("out"), keep("err")) };
}

/** A printer, and a clock that calls every ten seconds. */
export function tickingPrinter() {
  let time = 1_000_000;
  const calls = new Set<() => void>();
  const timer = {
    now: () => time,
    every: (ms: number, call: () => void) => {
      assert.equal(ms, 10_000);
      calls.add(call);
      return () => calls.delete(call);
    },
  };
  const { texts, streams } = printed();
  const pass = (ms: number) => {
    time += ms;
    for (const call of calls) call();
  };
  return { print: createPrinter(streams, timer), pass, texts, ticking: () => calls.size };
}
