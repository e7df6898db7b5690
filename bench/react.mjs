/**
 * The text protocol: how fast answers are read that come in small pieces, against `JSON.parse` of the same calls; and of 200 answers
 * of all shapes, how many are read as they were meant.
 */
import { isDeepStrictEqual } from "node:util";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const ROUNDS = 7;
/** characters in a piece, as a server sends a token */
const PIECE = 4;

const work = temporary("bench-react");
try {
  const { ReactParser } = await load("src/models/react/parser.ts", work.path);
  const { malformed, tools, wellFormed } = await load("test/fixtures/react/answers.ts", work.path);

  const read = (answer, size) => {
    const parser = new ReactParser(tools);
    const pieces = [];
    for (let at = 0; at < answer.length && !parser.isOver; at += size)
      pieces.push(...parser.push(answer.slice(at, at + size)));
    return parser.isOver ? pieces : [...pieces, ...parser.end(true)];
  };
  const isRead = ({ answer, calls, text }) => {
    const pieces = read(answer, PIECE);
    const blocks = [];
    for (const piece of pieces)
      if (piece.type === "text") blocks[piece.block] = (blocks[piece.block] ?? "") + piece.text;
    const found = pieces.filter(({ type }) => type === "call").map(({ name, input }) => ({ name, input }));
    return isDeepStrictEqual(found, calls) && blocks.filter(block => block !== undefined).join("\n") === text;
  };
  /** By the processor's time, so that what else runs does not count; the first rounds warm up. */
  const megabytesPerSecond = (bytes, once) => {
    const times = Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      once();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return bytes / median(times);
  };
  const stream = answer => {
    const parser = new ReactParser(tools);
    for (let at = 0; at < answer.length; at += PIECE) parser.push(answer.slice(at, at + PIECE));
    parser.end(true);
  };

  title(`The text protocol, ${PIECE} characters at a time`);
  const share = answers => (100 * answers.filter(isRead).length) / answers.length;
  const print = (name, answers, aim) => {
    const read = share(answers);
    row(`${name}, of ${answers.length}`, read, {
      unit: "%",
      note: `aim ≥ ${aim} %: ${read >= aim ? "met" : "MISSED"}`,
    });
  };
  print("well-formed answers read as meant", wellFormed, 100);
  print("malformed but clear ones read as meant", malformed, 95);

  const content = 'const a = [1, 2]; // {"so"}\n'.repeat(40_000);
  const input = JSON.stringify({ file_path: "src/a.ts", content });
  const call = `Thought: Write it.\nAction: Write[${input}]`;
  const words = `Action: Finish[${"A line of words for the user, with [brackets] and `code`.\n".repeat(20_000)}]`;
  const many = Array.from({ length: 5_000 }, (_, at) => `Action: Read[{"file_path":"src/file${at}.ts"}]\n`).join("");
  const figure = (name, text) =>
    row(
      name,
      megabytesPerSecond(text.length, () => stream(text)),
      { unit: "MB/s", digits: 1 },
    );
  figure("one large call", call);
  figure("words for the user", words);
  figure("5,000 calls", many);
  const parsed = megabytesPerSecond(input.length, () => JSON.parse(input));
  row("JSON.parse of the large call, whole", parsed, { unit: "MB/s", digits: 1 });
} finally {
  work.remove();
}
