/** While a model answers and nothing of it is printed (it reads, thinks, or writes a long call): a line now and then. */
import type { Clock } from "../core/ports";
import { duration } from "../core/text/format";
import type { AgentEvent } from "../shared/events";
import { visibleLine } from "../shared/shown";

export type Timer = Pick<Clock, "now" | "after">;

/** A summary takes up to two minutes, a first word of a slow model as long: often enough to show that something happens. */
const TELL_EVERY = 10_000;

/** Tells now and then that something still goes on. @returns what ends that */
export function tellAgain(clock: Timer, tell: () => void): () => void {
  const again = () => {
    end = clock.after(TELL_EVERY, again, "aside");
    tell();
  };
  let end = clock.after(TELL_EVERY, again, "aside");
  return () => end();
}

/** @param print gets lines without their ends */
export function waitingPrinter(print: (line: string) => unknown, clock: Timer): (event: AgentEvent) => void {
  let end = (): void => undefined;
  let what = "";
  let since = 0;
  const tell = () => {
    const silent = clock.now() - since;
    if (silent > TELL_EVERY / 2) print(`· ${what}, ${duration(silent)}`);
  };
  const begin = (words: string) => {
    what = words;
    since = clock.now();
  };
  return event => {
    if (event.type === "request") {
      end();
      begin("Waiting for the model");
      end = tellAgain(clock, tell);
    } else if (event.type === "text") begin("Waiting for the model to go on");
    else if (event.type === "reasoning") what = "The model is thinking";
    else if (event.type === "callInput") what = `The model is writing a call of ${visibleLine(event.toolName)}`;
    else if (isOver(event)) end();
  };
}

/** Nothing more comes of that request. */
function isOver(event: AgentEvent): boolean {
  if (event.type === "record") return ["message", "attempt", "turnEnd"].includes(event.record.kind);
  return ["retry", "failure", "toolStart", "compaction"].includes(event.type);
}
