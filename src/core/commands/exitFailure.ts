/** Words for a command that ended by itself and failed. */
import type { ShellOutcome } from "../ports";
import { duration } from "../text/format";

type Exit = { [K in "exitCode" | "signal"]?: ShellOutcome[K] | undefined } & Pick<ShellOutcome, "durationMs">;

/** `words`: "Exit code 1 after 2 s", to be ended; `short`: "exit 1". undefined: it did not fail */
export function exitFailure({ exitCode, signal, durationMs }: Exit): { words: string; short: string } | undefined {
  if (exitCode === 0) return undefined;
  const after = `after ${duration(durationMs)}`;
  if (typeof exitCode === "number") return { words: `Exit code ${exitCode} ${after}`, short: `exit ${exitCode}` };
  const by = signal ?? "a signal";
  return { words: `Killed by ${by} ${after}`, short: `killed by ${by}` };
}
