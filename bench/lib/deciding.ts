/** What `bench/permissions.mjs` measures: how many everyday commands ask, and how long a decision takes. */
import { corpus, decided } from "../../test/core/permissions/corpus";
import { everyday } from "./everydayCommands";

const commandsOf = (text: string) => text.trim().split("\n");

/** Which of them ask in Auto, without rules and without a sandbox; `stays`: those that ask within a sandbox, too. */
export async function asking() {
  return Promise.all(
    Object.entries(everyday).map(async ([name, text]) => {
      const commands = commandsOf(text);
      const verdicts = await Promise.all(commands.map(async command => ({ command, ...(await decided(command)) })));
      const asks = verdicts.filter(({ decision }) => decision !== "allow");
      return { name, all: commands.length, asks, stays: asks.filter(({ by }) => by !== "command") };
    }),
  );
}

/** ms for each command of the corpus */
export async function corpusTimes(): Promise<number[]> {
  const times: number[] = [];
  for (const { command, ...state } of corpus()) times.push(await timed(command, state));
  return times;
}

/** ms for commands of about 10,000 characters */
export async function longTimes(): Promise<number[]> {
  const parts = [
    "git status && ",
    "cat src/a.ts | grep -n x; ",
    "echo $(ls -la src) && ",
    "for f in a b; do echo $f; done; ",
  ];
  const times: number[] = [];
  for (let at = 0; at < 40; at++) {
    const part = parts[at % parts.length] ?? "";
    times.push(await timed(`${part.repeat(Math.ceil(10_000 / part.length))}ls`));
  }
  return times;
}

async function timed(command: string, state = {}): Promise<number> {
  const from = performance.now();
  await decided(command, state);
  return performance.now() - from;
}
