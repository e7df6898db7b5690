/** Days with a session, by name: what is measured by every price rule, and what nobody tuned on (`refactor`). */
import { type Call, conversation, FILES, manyTurns, pathOf, type Scenario, Workspace } from "./scenario";

interface Workload {
  scenario(): Scenario;
  /** of the model, in tokens; the first is what is compared */
  windows: readonly number[];
}

type Turn = Scenario["turns"][number];

const file = (number: number) => ((number % FILES) + FILES) % FILES;
const times = <Of>(count: number, of: (at: number) => Of): Of[] => Array.from({ length: count }, (_, at) => of(at));

/** An answer as one is written: some 90 tokens. */
const answerOf = (at: number, ...files: number[]): string =>
  `Part ${at + 1} is done. In ${files.map(number => `\`${pathOf(file(number))}\``).join(" and ")} the amount is added before rounding, as you asked; the callers stay as they are, since they only pass the invoice on.\n\n- The rate comes from the currency's smallest unit.\n- One shard still fails in its middle, as it did before the change (${at + 3} of ${at + 9} parts).\n\nTell me if the other modules are to follow.`;

/**
 * A first turn of 60 steps and five of 6: 50 reads of 300 lines of 45 files, few of which are ever edited, 13 outputs of 2,000 lines with
 * one failure in the middle, greps of 3 to 1,850 hits, ten edits and as many small commands.
 */
export function longWork(): Scenario {
  const work = new Workspace();
  let [next, tests] = [0, 0];
  const reads = (count: number) => times(count, () => work.read(next++ % 45));
  const output = () => (tests++ % 2 === 0 ? work.build(tests) : work.test(tests));
  const block = (at: number): Call[] => [
    [work.search(at), work.grep(at)][at % 2] ?? work.search(at),
    ...reads(3),
    work.small(at),
    ...reads(3),
    output(),
    work.edit(next - 2),
  ];
  const later = (at: number): Call[] => [
    ...reads(at === 4 ? 2 : 3),
    output(),
    ...(at === 4 ? [output(), work.search(6)] : [work.edit(next - 1)]),
    work.small(6 + at),
  ];
  const turns = [
    {
      says: "Find out why amounts of the modules are not rounded up, and make the tests pass.",
      calls: times(6, block).flat(),
    },
    ...times(5, at => ({
      says: `Now what is left of the next modules (${at + 1} of 5).`,
      calls: later(at).slice(0, 6),
    })),
  ];
  return { files: work.first, shell: work.shell, turns, explains: true };
}

/** 50 turns with 38 edits: tasks, what follows from them a turn or two later, questions about files that were read before, tests. */
export function fiftyTurns(count = 50): Scenario {
  const work = new Workspace([300, 200, 420]);
  const kinds: ((at: number) => Call[])[] = [
    at => [
      work.grep(at),
      ...times(3, more => work.read(file(at + more))),
      work.edit(file(at + 1)),
      work.write(at, 110),
      work.test(at),
      work.script(at, 60),
      work.small(at),
    ],
    at => [
      work.build(at),
      work.read(file(at + 7)),
      work.edit(file(at)),
      work.write(at, 80),
      work.search(at),
      work.test(at),
      work.small(at),
    ],
    at => [work.search(at), ...[at - 1, at, at + 5, at + 6].map(number => work.again(file(number))), work.small(at)],
    at => [
      work.test(at),
      work.read(file(at + 9)),
      work.edit(file(at - 3)),
      work.script(at, 60),
      work.build(at),
      work.small(at),
    ],
    at => [
      work.again(file(at - 2)),
      work.grep(at),
      work.small(at),
      ...(at < 40 || at > 50 ? [work.edit(file(at + 8))] : []),
      work.test(at),
    ],
  ];
  const turns = times(count, (at): Turn => {
    const calls = kinds[at % kinds.length]?.(at) ?? [];
    const says = `Part ${at + 1}: settle module ${file(at)} as the one before, then say what else it touches.`;
    return { says, calls, answer: answerOf(at, at, at - 3) };
  });
  return { files: work.first, shell: work.shell, turns, explains: true };
}

/** Words for the most part: a question, an answer of some length; now and then a look, rarely an edit. */
export function chatOnly(): Scenario {
  const work = new Workspace([120]);
  const turns = times(60, (at): Turn => {
    const calls =
      at % 10 === 9 ? [work.read(file(at)), work.edit(file(at))] : at % 5 === 2 ? [work.read(file(at))] : [];
    const reasons = times(6, more => answerOf(at + more, at + more)).join("\n\n");
    const says = `Question ${at + 1}: would it be better to round module ${file(at)} before the rate is applied, and what would its callers notice of it? I think of the invoices of last year, which must not change.`;
    return { says, calls, answer: reasons };
  });
  return { files: work.first, shell: work.shell, turns, explains: true };
}

/** Greps, lists and reads of a strange repository, no edit; some files are asked for again, and what a search found long ago. */
export function exploring(): Scenario {
  const work = new Workspace([300, 120, 500]);
  const turns = times(24, (at): Turn => {
    const calls = [
      work.search(at),
      work.small(at),
      ...times(4, more => work.again(file(at * 3 + more))),
      work.search(at + 1),
      work.again(file(at * 2)),
      ...times(2, more => work.again(file(at * 5 + more))),
    ];
    const says = `How does module ${file(at)} come to its amount, and who calls it? (${at + 1})`;
    return { says, calls, answer: `${answerOf(at, at, at + 1)}\n\n${answerOf(at + 1, at + 2)}` };
  });
  return { files: work.first, shell: work.shell, turns, explains: true };
}

/** One command that fails over and over, with small edits between; every third turn what the first output said is needed. */
export function debugging(): Scenario {
  const work = new Workspace();
  const turns: Turn[] = [];
  for (let at = 0; at < 12; at++) {
    const [here, there] = [file(Math.floor(at / 3)), file(Math.floor(at / 3) + 1)];
    const says = `It still fails, look closer (${at + 1}).`;
    const looks = [work.again(here), work.again(there)];
    const rounds = times(4, more => {
      const number = at * 4 + more;
      return [work.test(number), work.edit(more % 2 === 0 ? here : there), work.small(number)];
    });
    const first = turns[at - 3];
    const old = first?.calls.find(({ name, sees }) => name === "Bash" && sees);
    const line = old?.sees?.lines[0];
    const asks: Call[] = [];
    if (first && old && line !== undefined && at % 3 === 0) {
      old.key = `test ${at}`;
      asks.push({ name: "Recall", input: {}, finds: { key: old.key, line, said: first.says } });
    }
    turns.push({ says, calls: [...asks, ...looks, ...rounds.flat()], answer: answerOf(at, here) });
  }
  return { files: work.first, shell: work.shell, turns, explains: true };
}

/** What people paste: logs of 2,000 to 12,000 tokens with a question, and few calls. */
export function pastes(): Scenario {
  const work = new Workspace([160]);
  const pasted = (at: number) =>
    times(
      40 + (at % 6) * 45,
      line =>
        `2026-11-2${line % 9}T10:${line % 60}:07 [worker-${at}] settle invoice ${line * 37 + at} of module ${file(line)}: rate 1.${line % 10}, open ${line % 7}`,
    ).join("\n");
  const turns = times(30, (at): Turn => {
    const calls = [work.again(file(at)), ...(at % 3 === 0 ? [work.edit(file(at)), work.test(at)] : [])];
    const says = `This came from the server today (${at + 1}). Which invoice is wrong, and why?\n\n\`\`\`\n${pasted(at)}\n\`\`\``;
    return { says, calls, answer: answerOf(at, at) };
  });
  return { files: work.first, shell: work.shell, turns, explains: true };
}

/**
 * A day nobody tuned on: a function renamed across 30 files, six a turn (MultiEdit, some written whole), the build behind it, a long
 * command beside other work, questions in between, what a first attempt changed put right later.
 */
export function refactor(): Scenario {
  const work = new Workspace([90, 240, 150, 400]);
  const turns: Turn[] = [
    {
      says: "Where is `unpaid` used, and what would a rename touch?",
      calls: [work.search(1), work.small(0), ...times(5, at => work.read(file(at)))],
      answer: answerOf(0, 0, 1),
    },
  ];
  for (let at = 0; at < 5; at++) {
    const files = times(6, more => file(at * 6 + more));
    turns.push(
      {
        says: `Rename it in the next six modules, from ${files[0]} on. Keep the old name where it is exported.`,
        calls: [
          ...files.flatMap(number => [work.again(number), work.rename(number)]),
          work.write(at, 90),
          work.script(at, 40),
          work.test(at),
        ],
        answer: answerOf(at, ...files.slice(0, 3)),
      },
      {
        says: "What does the build say?",
        calls: [work.test(20 + at), work.edit(files[2] ?? 0), work.test(30 + at)],
        answer: answerOf(at, files[2] ?? 0),
      },
      { says: "Why did you keep the old name there?", calls: [], answer: answerOf(at, files[1] ?? 0, files[4] ?? 0) },
      {
        says: `The reviewer wants module ${files[0]} and ${files[5]} otherwise: first the rate, then the sum.`,
        calls: [work.edit(files[0] ?? 0), work.edit(files[5] ?? 0), work.small(40 + at), work.edit(files[5] ?? 0)],
        answer: answerOf(at, files[0] ?? 0, files[5] ?? 0),
      },
    );
  }
  const last = turns.length;
  turns.push({
    says: "Go through all of it once more, and tell me what is left.",
    calls: [work.search(1), ...times(10, at => work.again(file(at * 3))), work.small(90)],
    answer: answerOf(last, 0, 9),
  });
  return { files: work.first, shell: work.shell, turns, explains: true };
}

const WIDE = [200_000] as const;

export const WORKLOADS: Record<string, Workload> = {
  long: { scenario: longWork, windows: WIDE },
  many: { scenario: () => manyTurns(40), windows: WIDE },
  conversation: { scenario: () => conversation(), windows: WIDE },
  "50 turns": { scenario: () => fiftyTurns(), windows: [200_000, 64_000, 32_000] },
  chat: { scenario: chatOnly, windows: WIDE },
  exploring: { scenario: exploring, windows: WIDE },
  debugging: { scenario: debugging, windows: WIDE },
  pastes: { scenario: pastes, windows: WIDE },
  refactor: { scenario: refactor, windows: WIDE },
};
