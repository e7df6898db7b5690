import { Writable } from "node:stream";
import { createPrinter } from "../../src/terminal/eventPrinter";
import { Output } from "../../src/terminal/output";
import { FakeClock } from "../fakes/clock";

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

/** A printer, and its clock. */
export function tickingPrinter() {
  const clock = new FakeClock(1_000_000);
  const { texts, streams } = printed();
  const pass = (ms: number) => clock.advance(ms);
  return { print: createPrinter(streams, clock), pass, texts, ticking: () => clock.calls };
}
