/** What a model sees of long outputs, of programs and in languages that it meets every day. */
import assert from "node:assert/strict";
import { lineRank, SUMMARY } from "../../../../src/core/commands/output/lineRank";
import { numbered } from "../../looking/harness";
import { measure, seen } from "./outputs/measure";
import { json, prose, source } from "./outputs/ordinary";
import { others } from "./outputs/others";
import { recorded } from "./outputs/recorded";

describe("long outputs", () => {
  it("are understood of programs and in languages that no rule was written for", () => {
    for (const form of ["shown", "kept"] as const) {
      const { missing, tokens } = measure(others(), form);
      assert.ok(missing.length <= 2, missing.join("\n"));
      assert.ok(tokens <= 320, `${tokens}`);
    }
  });

  it("show what a person needs of what programs really printed, and keep most of it", () => {
    const real = recorded(".");
    const strings = real.flatMap(({ name, stdout = "", matters }) => {
      for (const part of matters) assert.ok(stdout.includes(part), `${name}: ${part}`);
      return matters;
    });
    assert.deepEqual([real.length, strings.length], [38, 136]);
    const shown = measure(real, "shown");
    assert.ok(shown.missing.length <= 1, shown.missing.join("\n"));
    assert.ok(shown.tokens <= 433, `${shown.tokens}`);
    const kept = measure(real, "kept");
    assert.ok(kept.missing.length <= 2, kept.missing.join("\n"));
    assert.ok(kept.tokens <= 402, `${kept.tokens}`);
  });

  it("show the one failure of another kind among many", () => {
    const among = (make: (line: number) => string, ...other: readonly string[]) => {
      const blocks = Array.from({ length: 40 }, (_, at) => make(at + 1));
      return [...numbered(200, line => `ok ${line} is fine`).split("\n"), ...blocks, ...other, ...blocks].join("\n");
    };
    const rows: [string, string, string][] = [
      [
        "TypeError: the id is missing",
        " FAIL  a > counts $\nAssertionError: expected $ to be 9\n",
        " FAIL  b > loads\nTypeError: the id is missing\n",
      ],
      ["KeyError: 'rate'", "FAILED tests/a.py::test_a[$] - assert $ == 9", "E       KeyError: 'rate'"],
      [
        "'the rate is missing'",
        "not ok $ - counts\n  error: 'expected $ to be 9 here'",
        "not ok 999 - loads\n  error: 'the rate is missing'",
      ],
      [
        "order 7 was lost",
        "[ERROR] counts$(shop.Test)  Time elapsed: 0 s  <<< FAILURE!\njava.lang.AssertionError: expected:<9> but was:<$>",
        "java.lang.IllegalStateException: order 7 was lost",
      ],
      [
        "no rate for anna",
        "--- FAIL: TestCount/$ (0.00s)\n    a_test.go:9: Error: $ is not 9",
        "--- FAIL: TestLoad (0.00s)\n    b_test.go:9: Error: no rate for anna",
      ],
      [
        "stock is locked",
        'level=error msg="failed to count item $"',
        'level=error msg="failed since the stock is locked"',
      ],
    ];
    const isLost = ([needle, block, other]: [string, string, string]) => {
      const stdout = among(line => block.replaceAll("$", String(line)), other);
      return !seen({ stdout }).shown.includes(needle);
    };
    assert.deepEqual(
      rows.filter(isLost).map(([needle]) => needle),
      [],
    );
  });

  it("show of a stack its top and the first frame of one's own code", () => {
    const rows: [string, readonly string[]][] = [
      [
        "src/shop.ts:3:9",
        [
          "Error: listen EADDRINUSE",
          "    at Server.listen (node:net:1908:16)",
          "    at Server.on (node:net:2:1)",
          "    at open (/home/a/src/shop.ts:3:9)",
          "    at run (/home/a/src/main.ts:8:1)",
        ],
      ],
      [
        "src/shop.js:3:9",
        [
          "Error: no row",
          "    at query (/home/a/node_modules/pg/lib/client.js:2:1)",
          "    at load (/home/a/src/shop.js:3:9)",
        ],
      ],
      [
        "Shop.java:7",
        [
          "java.lang.NullPointerException: rate",
          "\tat java.base/java.util.Objects.requireNonNull(Objects.java:209)",
          "\tat shop.Shop.rate(Shop.java:7)",
        ],
      ],
      [
        "Shop.cs:line 7",
        [
          "System.ArgumentException: rate",
          "   at System.Linq.Enumerable.First()",
          "   at Shop.Rates.Of(String id) in /src/Shop.cs:line 7",
        ],
      ],
      [
        "./src/lib.rs:4:2",
        [
          "thread 'main' panicked at library/core/src/option.rs:1:2:",
          "no rate",
          "   0: core::panicking::panic",
          "             at /rustc/1234/library/core/src/panicking.rs:1:2",
          "   1: shop::rate",
          "             at ./src/lib.rs:4:2",
        ],
      ],
      [
        "/home/a/rate.go:11",
        [
          "panic: index out of range [0]",
          "goroutine 49 [running]:",
          "testing.tRunner.func1.2({0x518aa0, 0xc0000d05b8})",
          "\t/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e",
          "panic({0x518aa0, 0xc0000d05b8})",
          "\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212",
          "shop.Rate(...)",
          "\t/home/a/rate.go:11 +0x18",
        ],
      ],
      [
        "shop.c:9",
        [
          "==1==ERROR: AddressSanitizer: heap-use-after-free",
          "    #0 0x7f31 in free ../../src/libsanitizer/asan/asan_malloc.cpp:52",
          "    #1 0x5599 in drop /home/a/shop.c:9",
        ],
      ],
    ];
    const isLost = ([needle, stack]: [string, readonly string[]]) => {
      const noise = numbered(200, line => `row ${line} is read`);
      const { shown } = seen({ stdout: `${noise}${stack.join("\n")}\n${noise}` });
      return [stack[0] ?? "", stack[1] ?? "", needle].some(part => !shown.includes(part));
    };
    assert.deepEqual(
      rows.filter(isLost).map(([needle]) => needle),
      [],
    );
  });

  it("show two of those that say the same, and count the others", () => {
    const tsc = seen({
      stdout: numbered(200, line => `src/f${line}.ts(${line},5): error TS2304: Cannot find name 'name${line}'.`),
    });
    assert.equal(tsc.shown.match(/error TS2304/g)?.length, 4, "two at each end");
    const between = seen({
      stdout:
        numbered(200, line => `step ${line} is done`) +
        numbered(120, line => `src/f${line}.ts(${line},5): error TS2304: Cannot find name 'name${line}'.`) +
        numbered(200, line => `step ${line} is done`),
    });
    assert.match(between.shown, /\n201: src\/f1\.ts[^\n]*\n320: src\/f120\.ts[^\n]*\n… 118 more like these\n/);
  });

  it("show no passed test while there are failures", () => {
    const { shown } = seen({
      stdout: `${numbered(300, line => `PASS src/${line}.test.ts`)}FAIL src/a.test.ts\n${numbered(300, line => `PASS src/b${line}.test.ts`)}`,
    });
    assert.doesNotMatch(shown, /PASS/);
    assert.match(shown, /\n301: FAIL src\/a\.test\.ts/);
  });

  it("show the heading above what is indented", () => {
    const { shown } = seen({
      stdout: numbered(
        90,
        line => `/app/src/${line}.tsx\n  ${line}:1  ${line === 50 ? "error  'x' is not defined" : "hint  tidy this"}\n`,
      ),
    });
    assert.match(shown, /\/app\/src\/50\.tsx\n\d+: {3}50:1 {2}error {2}'x' is not defined/);
  });

  it("mark next to nothing of ordinary text", () => {
    const lines = [source, prose, json].join("\n").split("\n");
    const marked = lines.filter(line => (lineRank(line) ?? SUMMARY) < SUMMARY);
    assert.ok(lines.length > 150);
    assert.deepEqual(
      marked.map(line => line.trim()),
      ['if (text === "") throw new Error("empty");'],
    );
  });
});
