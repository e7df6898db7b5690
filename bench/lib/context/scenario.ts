/** Sessions to measure tokens on: a workspace, and what the model does in it, step by step. */
import type { Json } from "../../../src/shared/messages";
import type { ShellScript } from "../../../test/fakes/shell";

export interface Call {
  name: string;
  input: Json;
  /** Whether the model gets what it has to: of a read every line, of a command the line that failed. */
  sees?: { what: "read" | "failure"; lines: readonly string[] };
  /** A line that has to stand in the request before the call is made: else the model reads the file again. */
  needs?: { line: string; read: Call };
  /** Not made where all that it would show stands in the request. */
  ifMissing?: true;
  /** What others of the script call it. */
  key?: string;
  /** A line of the output of the call `key`, in the turn that began with `said`: asked for where it does not stand there any more. */
  finds?: { key: string; line: string; said: string };
}

export interface Scenario {
  files: Record<string, string>;
  shell: Record<string, ShellScript>;
  /** One call a step; after the last one the model answers. */
  turns: { says: string; calls: Call[]; answer?: string }[];
  /** Before each call the model says some 50 tokens of why. */
  explains?: true;
}

export const FILES = 50;
const LINES = 300;
const OUTPUT_LINES = 2_000;

export const pathOf = (file: number) => `src/ledger/module${String(file).padStart(2, "0")}.ts`;
const amountOf = (file: number, part: number) => file * 100 + part;

/** Eight lines a part: 37 characters and 10 tokens each, as in most code (src of this repository: 40 and 10). */
function part(file: number, at: number): string[] {
  return [
    `/** What module ${file} owes for part ${at}. */`,
    `export function settlePart${at}(invoice: Invoice): Money {`,
    "  const open = unpaid(invoice.lines);",
    "  if (open.length === 0) return nothing(invoice.currency);",
    "  const total = open.reduce((sum, line) => sum + line.price, 0);",
    `  return round(total * invoice.rate + ${amountOf(file, at)});`,
    "}",
    "",
  ];
}

function source(file: number, length: number): string[] {
  const parts = Array.from({ length: Math.floor(length / 8) }, (_, at) => part(file, at)).flat();
  const rest = Array.from({ length: length - parts.length }, (_, at) => `// ${pathOf(file)}, note ${at}`);
  return [...parts, ...rest];
}

/** The state of the files while a script is written: a read is checked against what it has to show. */
export class Workspace {
  readonly files: Map<number, string[]>;
  readonly first: Record<string, string>;
  readonly shell: Record<string, ShellScript> = {};
  private edits = 0;

  /** @param lengths lines of the files, in turns */
  constructor(lengths = [LINES]) {
    const all = Array.from({ length: FILES }, (_, file) => source(file, lengths[file % lengths.length] ?? LINES));
    this.files = new Map(all.entries());
    this.first = Object.fromEntries(all.map((lines, file) => [pathOf(file), `${lines.join("\n")}\n`]));
  }

  read(file: number): Call {
    const lines = [...(this.files.get(file) ?? [])];
    return { name: "Read", input: { file_path: pathOf(file) }, sees: { what: "read", lines } };
  }

  /** The same, where its text does not stand in the request any more. */
  again(file: number): Call {
    return { ...this.read(file), ifMissing: true };
  }

  edit(file: number): Call {
    const lines = this.files.get(file) ?? [];
    this.edits += 1;
    const at = (this.edits * 7) % Math.floor(lines.length / 8);
    const line = at * 8 + 5;
    const needs = { line: lines[at * 8] ?? "", read: this.read(file) };
    const old_string = lines[line] ?? "";
    const new_string = old_string.replace("rate +", `rate + ${this.edits} +`);
    this.files.set(file, lines.with(line, new_string));
    return { name: "Edit", input: { file_path: pathOf(file), old_string, new_string }, needs };
  }

  /** All calls of one function in a file, in one MultiEdit. */
  rename(file: number): Call {
    const lines = this.files.get(file) ?? [];
    const needs = { line: lines[0] ?? "", read: this.read(file) };
    const renamed = lines.map(line => line.replace("unpaid(", "openOf("));
    this.files.set(file, renamed);
    const edits = [{ old_string: "unpaid(", new_string: "openOf(", replace_all: true }];
    return { name: "MultiEdit", input: { file_path: pathOf(file), edits }, needs };
  }

  /** A new file, written whole. */
  write(at: number, length: number): Call {
    const content = `${source(1_000 + at, length).join("\n")}\n`;
    return { name: "Write", input: { file_path: `test/ledger/settled${at}.test.ts`, content } };
  }

  /** A long script, whose output is short. */
  script(at: number, length: number): Call {
    const lines = source(2_000 + at, length).map(line => line.replaceAll("`", "'"));
    const command = `node <<'END'\n${lines.join("\n")}\nEND`;
    this.shell[command] = { output: [["stdout", `checked ${length} lines: all amounts are whole\n`]] };
    return { name: "Bash", input: { command } };
  }

  /** 500 hits. */
  grep(at: number): Call {
    const tens = ["", "1", "2"][at % 3];
    const pattern = `${at % 2 === 0 ? "" : "function "}settlePart${tens}\\d\\(`;
    return { name: "Grep", input: { pattern, output_mode: "content" } };
  }

  /** 3 to some 1,850 hits. */
  search(at: number): Call {
    const patterns = [
      "owes for part 3[0-2]\\.",
      "unpaid\\(",
      "module 7 owes",
      "what module 1 ",
      "settlePart3\\d",
      "rate \\+ 4\\d\\d\\)",
    ];
    return { name: "Grep", input: { pattern: patterns[at % patterns.length] ?? "", output_mode: "content" } };
  }

  /** Few lines: what is beside the work. */
  small(at: number): Call {
    const commands = [
      `git status --short`,
      `ls -la src/ledger | head -${5 + (at % 3)}`,
      `git log --oneline -${3 + (at % 4)}`,
      `node --check src/ledger/index${at % 7}.js`,
    ];
    const command = commands[at % commands.length] ?? "";
    const lines = Array.from({ length: 2 + (at % 5) }, (_, line) => ` M ${pathOf((at * 3 + line) % FILES)} ${line}`);
    this.shell[command] = { output: [["stdout", `${lines.join("\n")}\n`]] };
    return { name: "Bash", input: { command } };
  }

  /** 2,000 lines, the one that fails in the middle. */
  test(at: number): Call {
    const command = `npm test -- --shard ${at}`;
    const failure = `  ✗ shard ${at}: module ${at % FILES} settles its parts: expected ${amountOf(at, 3)} to be ${amountOf(at, 4)}`;
    const passed = (line: number) => `  ✓ shard ${at}: module ${line % FILES} settles part ${line} (${line % 9} ms)`;
    const lines = Array.from({ length: OUTPUT_LINES }, (_, line) =>
      line === OUTPUT_LINES / 2 ? failure : passed(line),
    );
    this.shell[command] = { output: [["stdout", `${lines.join("\n")}\n`]], exitCode: 1 };
    return { name: "Bash", input: { command }, sees: { what: "failure", lines: [failure.trim()] } };
  }

  /** 2,000 lines of a tool that nobody knows, no two alike, an error in the middle. */
  build(at: number): Call {
    const command = `make settle PART=${at}`;
    const failure = `${pathOf(at % FILES)}:${at + 40}: error: type Money of part ${at} has no unit`;
    const verbs = ["resolve", "emit", "link", "stamp", "lower", "pack", "trace"];
    const done = (line: number) => {
      const [verb, next] = [verbs[(line * 5 + at) % 7] ?? "", verbs[(line * 3 + (line >> 3)) % 7] ?? ""];
      return `[${line}] ${verb} ${pathOf((line * 13 + at) % FILES)} -> out/${next}/${(line * 7919 + at).toString(36)}.o (${(line * 31) % 977} B) after ${next}`;
    };
    const lines = Array.from({ length: OUTPUT_LINES }, (_, line) => (line === OUTPUT_LINES / 2 ? failure : done(line)));
    this.shell[command] = { output: [["stdout", `${lines.join("\n")}\n`]], exitCode: 2 };
    return { name: "Bash", input: { command }, sees: { what: "failure", lines: [failure] } };
  }
}

/**
 * One turn of 60 steps and five of 6: 40 reads of 300 lines, 8 outputs of 2,000 lines with one failure in the middle, 6
 * greps of 500 hits, 36 edits.
 */
export function longTurn(): Scenario {
  const work = new Workspace();
  let file = 0;
  let tests = 0;
  const reads = (count: number) => Array.from({ length: count }, () => work.read(file++));
  const edits = (...of: number[]) => of.map(back => work.edit(file - back));
  const block = (at: number) => [work.grep(at), ...reads(5), ...edits(5, 2), work.test(tests++), ...edits(1)];
  const last = (at: number) => [...reads(2), ...edits(2, 1, 1), ...(at % 2 === 0 ? edits(2) : [work.test(tests++)])];
  const turns = [
    { says: "Round the amounts of all modules up, and make the tests pass.", calls: [0, 1, 2, 3, 4, 5].flatMap(block) },
    ...[0, 1, 2, 3, 4].map(at => ({ says: `Now the next two modules too (${at + 1} of 5).`, calls: last(at) })),
  ];
  return { files: work.first, shell: work.shell, turns };
}

/** 100 turns of 8 steps: a search, three reads, two edits, a test that fails, a read of what it failed in. */
export function manyTurns(count = 100): Scenario {
  const work = new Workspace();
  const turns = Array.from({ length: count }, (_, at) => {
    const file = (offset: number) => (at * 4 + offset) % FILES;
    const reads = [0, 1, 2].map(offset => work.read(file(offset)));
    const calls = [work.grep(at), ...reads, work.edit(file(0)), work.edit(file(1)), work.test(at), work.read(file(3))];
    return { says: `Task ${at + 1}: settle module ${file(0)} as module ${file(1)} is settled.`, calls };
  });
  return { files: work.first, shell: work.shell, turns };
}

/**
 * A day with one session, in turns of three kinds: a task (new files, one of before, edits, a new file written whole, a test
 * that fails, a script), what the test failed in (edits without reading first, as the text was read a turn ago), a question
 * (a search and files that were read before, unchanged).
 */
export function conversation(count = 60): Scenario {
  const work = new Workspace([80, 160, 300, 560]);
  const file = (number: number) => (number + FILES) % FILES;
  const kinds = [
    (at: number): Call[] => {
      const [a, b, c, before] = [file(at), file(at + 1), file(at + 2), file(at - 5)];
      const reads = [work.read(a), work.read(b), work.read(c), work.read(before)];
      const edits = [work.edit(a), work.edit(a), work.edit(before), work.write(at, 150), work.test(at)];
      return [work.grep(at), ...reads, ...edits, work.edit(a), work.script(at, 60)];
    },
    (at: number): Call[] => [work.edit(file(at - 1)), work.edit(file(at - 1)), work.test(at), work.edit(file(at - 1))],
    // Of these the first was edited, the others are as they were read two turns ago.
    (at: number): Call[] => [work.grep(at), ...[at - 2, at - 1, at].map(number => work.read(file(number)))],
  ];
  const turns = Array.from({ length: count }, (_, at) => {
    const calls = kinds[at % kinds.length]?.(at) ?? [];
    return { says: `Part ${at + 1}: settle module ${file(at)}, then say what else it touches.`, calls };
  });
  return { files: work.first, shell: work.shell, turns };
}
