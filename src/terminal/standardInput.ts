/** Text that comes by standard input: the prompt itself, or what it is about. */
import { fstatSync } from "node:fs";
import type { Timer } from "../core/ground/ports";
import { t } from "../shared/l10n";
import type { RunCommand } from "./args";
import { UsageError } from "./argValues";

type InputKind = "file" | "pipe" | "socket";

interface StandardInput {
  stream: NodeJS.ReadableStream & { unref?(): void };
  /** absent: a terminal, or closed */
  kind: InputKind | undefined;
  clock: Timer;
  /** a person sees what is said here, and can press Ctrl+C */
  isWatched: boolean;
  err(text: string): void;
}

const MAX_CHARACTERS = 1_000_000;
/** ms: that a pipe is waited for is told. */
const TELL_AFTER = 1_000;
/** ms: in CI a pipe may stay open for ever, and nothing ever comes. */
const GIVE_UP_AFTER = 30_000;
/** ms: who starts programs from Node gives each a socket, mostly an empty one. A busy machine still looks into it once. */
const AT_ONCE = 100;

export function kindOfInput(): InputKind | undefined {
  try {
    const stats = fstatSync(0);
    if (stats.isFile()) return "file";
    if (stats.isFIFO()) return "pipe";
    return stats.isSocket() ? "socket" : undefined;
  } catch {
    // it is closed
    return undefined;
  }
}

/**
 * What is to be done, and the text that was piped beside it: that is read to its end once something came. Rejects with
 * UsageError.
 */
export async function readInput({ prompt, plan }: { prompt: string; plan?: RunCommand["plan"] }, input: StandardInput) {
  if (prompt === "-") {
    const text = await readText(input);
    if (!text.trim()) throw new UsageError(t("The prompt is empty: nothing came by standard input."));
    return { prompt: text };
  }
  if (plan || input.kind === undefined || (input.kind !== "file" && !(await comes(input, input.kind))))
    return { prompt };
  const piped = await readText(input);
  return piped.trim() ? { prompt, piped } : { prompt };
}

/** false: nothing came in time, and standard input is left alone from here on */
async function comes({ stream, clock, isWatched, err }: StandardInput, kind: "pipe" | "socket"): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const came = () => resolve(true);
  for (const event of SIGNS) stream.once(event, came);
  const tell = () => err(t("Waiting for standard input. Where there is none, run it with < /dev/null.\n"));
  const giveUp = () => {
    err(t("! Nothing came by standard input in {0} s, so the run goes on without it.\n", GIVE_UP_AFTER / 1000));
    resolve(false);
  };
  const leave = () => setImmediate(resolve, false);
  const due = [kind === "pipe" ? clock.after(TELL_AFTER, tell) : clock.after(AT_ONCE, leave)];
  if (kind === "pipe" && !isWatched) due.push(clock.after(GIVE_UP_AFTER, giveUp));
  const isThere = await promise;
  for (const callOff of due) callOff();
  for (const event of SIGNS) stream.removeListener(event, came);
  if (!isThere) stream.pause().unref?.();
  return isThere;
}
const SIGNS = ["readable", "end", "error"] as const;

async function readText({ stream }: StandardInput): Promise<string> {
  let text = "";
  for await (const piece of stream.setEncoding("utf8")) {
    text += piece;
    if (text.length > MAX_CHARACTERS)
      throw new UsageError(t("Standard input is too long for a prompt: put it into a file, and name that."));
  }
  if (text.includes("\0")) throw new UsageError(t("Standard input is no text: put it into a file, and name that."));
  return text;
}
