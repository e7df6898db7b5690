/** Of many failures, each name is shown. */
import assert from "node:assert/strict";
import { lineRank } from "../../../../src/core/ground/text/lineRank";
import { numbered } from "../../looking/harness";
import { outputs } from "./outputs";
import { accessLogs } from "./outputs/accessLogs";
import { manyFailures, otherFailures } from "./outputs/failures";
import { isSeen, seen } from "./outputs/measure";
import { others } from "./outputs/others";

const LIST = /\n… also failing: ([^\n]*)/;

describe("names of failures", () => {
  for (const { program, output, names } of [...manyFailures(20), ...otherFailures(20)])
    it(`are all shown of 20 by ${program}`, () => {
      const { shown, kept } = seen({ stdout: output });
      assert.deepEqual(
        names.filter(name => !isSeen(shown, name)),
        [],
      );
      // With less room, most.
      assert.ok(names.filter(name => isSeen(kept, name)).length >= 15, kept);
      assert.ok(shown.length < 5_000, `${shown.length}`);
    });

  it("are as many as there is room for, and the others counted", () => {
    for (const { program, output } of manyFailures(300)) {
      const { shown } = seen({ stdout: output });
      assert.match(shown, /\n… also failing: [^\n]+, and \d+ more\n/, program);
      assert.ok(shown.length < 5_500, `${program}: ${shown.length}`);
    }
  });

  it("are listed where they are not shown, and once", () => {
    for (const { program, output } of manyFailures(20)) {
      const listed = LIST.exec(seen({ stdout: output }).shown)?.[1]?.split(", ") ?? [];
      assert.equal(new Set(listed).size, listed.length, program);
    }
    const { shown } = seen({
      stdout: `${numbered(300, line => `ok ${line} - adds ${line}`)}not ok 301 - rounds to the cent\n`,
    });
    assert.doesNotMatch(shown, LIST);
  });

  it("are told apart where two end alike", () => {
    const stdout = numbered(
      20,
      line => `  ${line}) Suite${line}\n       works:\n\n      Error: no ${line}\n      at f (test/a${line}.js:1:2)\n`,
    );
    const { shown } = seen({ stdout: `${numbered(200, line => `    ✔ fine ${line}`)}  20 failing\n${stdout}` });
    assert.deepEqual(
      Array.from({ length: 20 }, (_, at) => `Suite${at + 1}`).filter(
        suite => !new RegExp(`${suite}(?:\\D|$)`).test(shown),
      ),
      [],
    );
  });

  it("are of nothing else", () => {
    const some = ["tsc", "mypy"];
    for (const output of [...outputs(), ...others(), ...accessLogs()])
      assert.equal(LIST.test(seen(output).shown), some.includes(output.name), output.name);
    const stdout = numbered(400, line => `src/a${line}.ts:${line}: const failed = new Failure('x');`);
    assert.doesNotMatch(seen({ stdout: `error: one thing is wrong\n${stdout}` }).shown, LIST);
  });
});

describe("answers of 5xx", () => {
  for (const output of accessLogs())
    it(`are shown of a log of ${output.name}`, () => {
      const { shown, kept } = seen(output);
      assert.deepEqual(
        output.matters.filter(line => !isSeen(shown, line) || !isSeen(kept, line)),
        [],
      );
      assert.equal(output.stdout?.split("\n").filter(line => (lineRank(line) ?? 2) < 2).length, 3);
    });

  it("are not sizes, times and counts of 500 and more", () => {
    for (const line of [
      '10.0.0.1 - - [02/Mar/2026:14:00:00 +0000] "GET /a HTTP/1.1" 200 512',
      "GET /orders 200 512 ms",
      "GET /orders 304 in 503ms",
      "progress status: 512 MB of 700 MB",
      "status: 500ms per step",
      "Completed 512 lines",
      "Completed 550 MB",
      "if (response.status === 500) return;",
      "| 512 | 3 | a table |",
      "HTTP/1.1 200 OK",
      "see http://localhost:5000/501",
    ])
      assert.ok((lineRank(line) ?? 2) >= 2, line);
  });
});
