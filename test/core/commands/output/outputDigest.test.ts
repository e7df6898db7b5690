import assert from "node:assert/strict";
import fc from "fast-check";
import { OutputDigest, type Stream } from "../../../../src/core/commands/output/outputDigest";
import { cases, soak } from "../../../fakes/soak";
import { numbered } from "../../looking/harness";

const RAW = { sha256: "3fa9c1d2e4b5aaaa" };

type Chunk = readonly [Stream, string | Uint8Array];

function digestOf(chunks: readonly Chunk[]): OutputDigest {
  const digest = new OutputDigest();
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  for (const [stream, data] of chunks) {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    digest.push(stream, decoders[stream].decode(bytes, { stream: true }));
  }
  for (const stream of ["stdout", "stderr"] as const) digest.push(stream, decoders[stream].decode());
  digest.end();
  return digest;
}

const render = (output: string) => digestOf([["stdout", output]]).render(RAW);
const check = (output: string, expected: string) => assert.equal(render(output), expected);

/** A log of passing tests with other lines in the middle. */
const log = (count: number, ...middle: string[]) => {
  const lines = numbered(count, line => `✓ test ${line} passes`)
    .trimEnd()
    .split("\n");
  lines.splice(count / 2, 0, ...middle);
  return `${lines.join("\n")}\n`;
};

describe("outputDigest", () => {
  it("shows short output as it is", () => {
    check("a\nb\n", "a\nb");
    check("a\nb", "a\nb");
    check("", "");
    check("  indented\n\n\tend\n", "  indented\n\n\tend");
    check("x".repeat(7_900), "x".repeat(7_900));
    check(numbered(200), numbered(200).trimEnd());
  });

  it("takes escape sequences out", () => {
    check("\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x1b\\\n", "red link");
    check("\x1b(Bplain\x1b[?25l\x1b=\n", "plain");
    check("a\x1b[2Kb\n", "b");
    check("bell\x07 nul\0\n", "bell nul\\0");
    check("\x1b]0;a title that never ends\nnext\n", "\nnext");
    check("N\bNA\bA\n", "NA");
  });

  it("shows what separates without being seen, and little of many NULs", () => {
    check("a.txt\0b c.txt\0", "a.txt\\0b c.txt\\0");
    check("1a\x1fme\x1e\n2b\x1fyou\x1e\n", "1a\\x1Fme\\x1E\n2b\\x1Fyou\\x1E");
    check("k\x01v\n", "k\\x01v");
    check("bell\x07 and \x0eshift\x0f\n", "bell and shift");
    const hole = digestOf([
      ["stdout", `before\0\0\0`],
      ["stdout", `\0\0${"\0".repeat(900)}after\n`],
    ]);
    assert.deepEqual([hole.render(), hole.exact], ["before\\0\\0\\0\\0after", false]);
  });

  it("leaves a progress bar's last state", () => {
    check("0%\r50%\r100%\n", "100%");
    check("0%\r50%\r100%\r\n", "100%");
    check("a\r\nb\r\r\n", "a\nb");
    check("loading\r\x1b[Kdone\n", "done");
  });

  it("counts repeated lines", () => {
    check("tick\ntick\ntick\nend\n", "tick  × 3\nend");
    check("\n\n\nend\n", "\nend");
    assert.equal(digestOf([["stdout", "a\na\n"]]).exact, false);
    assert.equal(digestOf([["stdout", "\x1b[1ma\x1b[0m\nb\n"]]).exact, true);
  });

  it("marks stderr where both have lines", () => {
    const chunks: Chunk[] = [
      ["stdout", "out"],
      ["stderr", "err\n"],
      ["stdout", "put\n"],
    ];
    assert.equal(digestOf(chunks).render(), "[stderr] err\noutput");
    assert.equal(digestOf([["stderr", "err\n"]]).render(), "err");
  });

  it("shows beginning, notable lines and end of a long one", () => {
    const text = render(log(2000, "FAIL src/math.test.ts", "  expected 1, received 2"));
    const lines = text.split("\n");
    assert.deepEqual(lines.slice(0, -1), [
      "… of 2 notable lines, with their numbers:",
      "1001: FAIL src/math.test.ts",
      "1002:   expected 1, received 2",
      "… the end:",
    ]);
    assert.equal(
      lines.at(-1),
      '(2,002 lines, 36,940 characters. Complete output: Recall {"handle":"obs:3fa9c1d2e4b5"}.)',
    );
  });

  it("says what is left out where nothing is notable", () => {
    assert.match(render(log(2000)), /\n✓ test 10 passes\n… 1,960 lines left out\n✓ test 1971 passes\n/);
  });

  it("always shows the one failure, whatever surrounds it", () => {
    const noise: ((line: number) => string)[] = [
      line => `✓ test ${line} handles the error`,
      line => `WARN retry ${line}: deprecated`,
      line => `[error] Error: connection ${line} refused (expected)`,
      line => `info ${line}: 0 errors, no failures`,
      line => `FAILED attempt ${line}, trying again`,
      line => `error ${line} ${"abcdefghij"[line % 10]}${"klmnopqrst"[line % 7]}: ${"uvwxyz"[line % 6]}`,
    ];
    const failures = [
      "FAIL test/b.test.ts",
      "not ok 7 - adds",
      "  ✗ adds numbers",
      "--- FAIL: TestAdd (0.00s)",
      "AssertionError [ERR_ASSERTION]: 1 == 2",
    ];
    for (const make of noise) {
      for (const failure of failures) {
        const lines = numbered(2000, make).trimEnd().split("\n");
        lines.splice(1000, 0, failure);
        assert.ok(render(lines.join("\n")).includes(`1001: ${failure}`), `${failure} in ${make(1)}`);
      }
    }
  });

  it("of lines that say the same shows few, of others some of the first 200 kinds", () => {
    const same = render(numbered(2000, line => `not ok ${line} - case ${line}`)).split("\n");
    assert.deepEqual(same.slice(0, 5), [
      "not ok 1 - case 1",
      "not ok 2 - case 2",
      "… 1,996 lines left out",
      "not ok 1999 - case 1999",
      "not ok 2000 - case 2000",
    ]);
    const word = (line: number) => [...String(line)].map(digit => "abcdefghij"[Number(digit)]).join("");
    const text = render(numbered(2000, line => `not ok: ${word(line)}`));
    const numbers = [...text.matchAll(/^(\d+): not ok/gm)].map(match => Number(match[1]));
    assert.ok(numbers.length >= 20 && numbers.length <= 80, `${numbers.length}`);
    assert.ok(Math.min(...numbers) < 10 && Math.max(...numbers) > 180, String(numbers));
  });

  it("stays small, whatever comes", () => {
    const text = render(numbered(2000, line => `error ${line} ${"x".repeat(2000)}${line}`));
    assert.ok(text.length < 5_000, `${text.length}`);
    const one = render("x".repeat(100_000));
    assert.match(one, /^x{250}… \[99,500 characters\] …x{250}\n\(1 line, 100,001 characters\./);
  });

  it("takes megabytes without a line end in bounded memory", () => withoutLineEnd(48, "3,145,228"));
  soak("large", () => it("takes 100 MB without a line end", () => withoutLineEnd(1_600, "104,857,100")));

  function withoutLineEnd(chunks: number, left: string): void {
    const digest = new OutputDigest();
    const chunk = "y".repeat(64 * 1024);
    for (let i = 0; i < chunks; i += 1) digest.push("stdout", chunk);
    digest.end();
    assert.match(digest.render(), new RegExp(`^y{250}… \\[${left} characters\\] …y{250}\n`));
  }

  it("knows the parts that the kept form needs", () => {
    const facts = digestOf([
      ["stdout", numbered(100, line => (line === 51 ? "FAIL x" : `step ${line}`))],
      ["stderr", "warning: y\n"],
    ]).facts();
    assert.deepEqual([facts.lines, facts.stdoutLines, facts.stderrLines], [101, 100, 1]);
    assert.deepEqual(
      [facts.stdoutFirst, facts.stdoutLast],
      [
        Array.from({ length: 5 }, (_, at) => `step ${at + 1}`),
        Array.from({ length: 10 }, (_, at) => `step ${at + 91}`),
      ],
    );
    assert.deepEqual(facts.stderrLast, ["warning: y"]);
    assert.deepEqual([facts.stdoutLeft, facts.stderrLeft], [85, 0]);
    assert.deepEqual(facts.notable, ["51: FAIL x"], "without those that stand in the other parts");
    const short = digestOf([["stdout", "1\n2\n3\n4\n5\n6\n6\n6\n7\n"]]).facts();
    assert.deepEqual(
      [short.stdoutFirst, short.stdoutLast, short.stdoutLeft],
      [["1", "2", "3", "4", "5"], ["6  × 3", "7"], 0],
    );
  });

  it("keeps the last 20 lines of stderr, also where it failed and they are alike, within what is worth it", () => {
    const alike = digestOf([
      ["stdout", numbered(300, () => "FAIL x")],
      ["stderr", numbered(50, line => `Error: no ${line}`)],
    ]).facts();
    assert.deepEqual(
      alike.stderrLast,
      Array.from({ length: 20 }, (_, at) => `Error: no ${at + 31}`),
    );
    assert.equal(alike.stderrLeft, 30);
    const long = digestOf([["stderr", numbered(50, line => `${line} ${"x".repeat(2_000)}`)]]).facts();
    assert.equal(long.stderrLast.length, 9);
    assert.ok(long.stderrLast.join("").length <= 2_400);
  });

  it("shows how stderr of a command that failed ends, whatever stands around it", () => {
    const ends: [string, string, string[]][] = [
      ["other lines", numbered(20, line => `${"abcdefghijklmnopqrst"[line - 1]} went its way`), []],
      ["alike ones", numbered(20, line => `waits for ${line}`), ["waits for 1", "waits for 20"]],
      [
        "long ones",
        numbered(20, line => `${"abcdefghijklmnopqrst"[line - 1]}${"z".repeat(900)}`),
        [`t${"z".repeat(80)}`],
      ],
      ["one without a word", "^\n", ["^"]],
      [
        "a trace",
        `${numbered(9, line => `  File "${line}.py", line ${line}, in f`)}ValueError: bad\n`,
        ["ValueError: bad"],
      ],
    ];
    const arounds: [string, string][] = [
      ["nothing", ""],
      ["lines that passed", log(2_000)],
      ["failures", numbered(2_000, line => `FAILED attempt ${line}`)],
      ["few long lines", `${"x".repeat(400)}\n`.repeat(40)],
    ];
    for (const [what, end, some] of ends)
      for (const [around, text] of arounds)
        for (const isFirst of [true, false]) {
          const noise = numbered(300, line => `note: step ${line} of 300 is done`);
          const streams: Chunk[] = [
            ["stderr", noise + end],
            ["stdout", text],
          ];
          const { shown } = { shown: digestOf(isFirst ? streams : streams.reverse()).render(RAW, true) };
          const wanted = some.length > 0 ? some : end.trimEnd().split("\n");
          const missing = wanted.filter(line => !shown.includes(line));
          assert.deepEqual(missing, [], `${what} beside ${around}:\n${shown}`);
          assert.ok(shown.length < 6_000);
        }
  });

  it("is the same for every way to cut the bytes", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "\n",
        "\r\n",
        "\r",
        "\x1b[31m",
        "\x1b[K",
        "\x1b[2K",
        "\x1b]0;t\x07",
        "\x1b]8;;u\x1b\\",
        "\x1b(B",
        "\b",
        "é中😀",
        "error: x",
        "same\nsame\n",
      ),
      fc.string({ maxLength: 12 }),
      fc.constantFrom(5_000, 9_500).map(length => "z".repeat(length)),
      fc.constant(numbered(60)),
    );
    const stream = fc.constantFrom<Stream>("stdout", "stderr");
    const output = fc.array(fc.tuple(stream, piece), { maxLength: 25 });
    fc.assert(
      fc.property(
        output,
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 }),
        (chunks, sizes) => {
          const whole = digestOf(chunks);
          let turn = 0;
          const cut = chunks.flatMap(([name, text]) => {
            const bytes = Buffer.from(text);
            const parts: Chunk[] = [];
            for (let at = 0; at < bytes.length; ) {
              const size = sizes[turn++ % sizes.length] ?? 1;
              parts.push([name, bytes.subarray(at, at + size)]);
              at += size;
            }
            return parts;
          });
          const parts = digestOf(cut);
          assert.equal(parts.render(RAW), whole.render(RAW));
          assert.deepEqual([parts.facts(), parts.exact], [whole.facts(), whole.exact]);
        },
      ),
      { numRuns: cases(300) },
    );
  });
});
