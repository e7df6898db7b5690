/** `strata report`: one row for each folder of results, whatever is in it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "../../src/shared/runResult";
import { printRuns } from "../../src/terminal/report";
import { temporaryFolder } from "../fakes/temporary";
import { printed } from "./printed";

const done: RunResult = {
  version: 1,
  task: "0".repeat(64),
  session: "ses_1",
  reason: "done",
  exit: 0,
  model: "m-1",
  usage: { input: 1000, output: 200, cost: 0.01 },
  minutes: 1.5,
  files: [{ path: "a.ts", added: 1, removed: 0 }],
  commands: [
    { command: "npm test", exit: 0, output: "", seq: 9 },
    { command: "npm run lint", exit: 1, output: "", seq: 12 },
    { command: "sleep 99", exit: null, output: "", seq: 15 },
  ],
  started: "2026-11-28T10:00:00.000Z",
};

describe("a report of runs", () => {
  const temporary = temporaryFolder("report");

  /** A folder of folders. @param results what their result.json holds */
  function folder(name: string, results: Record<string, string>): string {
    const dir = join(temporary, name);
    for (const [run, text] of Object.entries(results)) {
      mkdirSync(join(dir, run), { recursive: true });
      writeFileSync(join(dir, run, "result.json"), text);
    }
    return dir;
  }

  async function report(dirs: string[], how: { json?: boolean; markdown?: boolean } = {}) {
    const { texts, streams } = printed();
    const { json = false, markdown = false } = how;
    const code = await printRuns({ kind: "report", workspace: ".", json, markdown, dirs }, streams);
    return { code, out: texts.out, lines: texts.out.trimEnd().split("\n") };
  }

  it("has a row each, sums, and how many ended how", async () => {
    const limit = { ...done, reason: "limit", limit: "cost", exit: 5 };
    const later = { ...done, reason: "later", exit: 75, error: { code: "rate-limit", message: "busy" } };
    const { version, task, session, started } = done;
    const killed = { version, task, session, started, reason: "running" };
    const texts = [done, limit, later, killed].map((result, at) => [`run${at + 8}`, JSON.stringify(result)]);
    const dir = folder("four", Object.fromEntries(texts));
    const { code, lines } = await report([dir]);
    assert.equal(code, 0);
    const words = lines.map(line => line.replaceAll(dir, "").split(/ {2,}/));
    assert.deepEqual(words, [
      ["run", "ended", "model", "exit", "cost", "tokens", "minutes", "files", "failed"],
      ["/run8", "done", "m-1", "0", "$0.01", "1.2k", "1.5", "1", "2"],
      ["/run9", "limit: cost", "m-1", "5", "$0.01", "1.2k", "1.5", "1", "2"],
      ["/run10", "later: rate-limit", "m-1", "75", "$0.01", "1.2k", "1.5", "1", "2"],
      ["/run11", "running", "–", "–", "–", "–", "–", "–", "0"],
      [""],
      ["1 of 4 done (done 1, limit 1, later 1, running 1)"],
      ["$0.03, 3.6k tokens, 4.5 min, 3 files, 6 commands failed"],
    ]);
    assert.match((await report([join(dir, "run8"), join(dir, "run8")])).out, /^1 of 1 done/m, "a run by itself, once");
  });

  it("of 500, of which 30 are broken: each is there, and says what is wrong", async () => {
    const whole = JSON.stringify(done);
    const broken: [text: string, wrong: RegExp][] = [
      ["", /half written/],
      [whole.slice(0, 100), /half written/],
      ["\u0000".repeat(64), /half written/],
      ["[]", /half written/],
      [whole.replace('"version":1', '"version":2'), /another version of Strata: 2/],
      [whole.replace('"exit":0', '"exit":"zero"'), /exit is wrong/],
      [whole.replace('"done"', '"finished"'), /reason is wrong/],
    ];
    const results = Array.from({ length: 500 }, (_, at) => {
      const text = at < 30 ? broken[at % broken.length]?.[0] : whole;
      return [`r${String(at).padStart(3, "0")}`, text ?? ""];
    });
    const dir = folder("many", Object.fromEntries(results));
    const { code, lines, out } = await report([dir]);
    assert.equal(code, 1);
    assert.equal(lines.length, 1 + 500 + 3);
    for (const [at, [, wrong]] of broken.entries()) assert.match(lines[at + 1] ?? "", wrong);
    assert.match(out, /^470 of 500 done \(done 470, not to be read 30\)$/m);
    const json = JSON.parse((await report([dir], { json: true })).out);
    assert.equal(json.results.length, 500);
    assert.match(json.results[0].wrong, /half written/);
    assert.deepEqual(json.totals.reasons, { done: 470 });
    const { reason, files, commandsFailed } = json.results[30];
    assert.deepEqual({ reason, files, commandsFailed }, { reason: "done", files: 1, commandsFailed: 2 });
  });

  it("says so where there is no result, no folder, or something that is no file", async () => {
    const dir = folder("odd", { good: JSON.stringify(done) });
    mkdirSync(join(dir, "empty"));
    mkdirSync(join(dir, "folder", "result.json"), { recursive: true });
    symlinkSync("loop", join(dir, "loop"));
    writeFileSync(join(dir, "notes.txt"), "");
    if (process.platform !== "win32") {
      mkdirSync(join(dir, "pipe"));
      execFileSync("mkfifo", [join(dir, "pipe", "result.json")]);
    }
    const { code, out } = await report([dir, join(dir, "gone"), join(dir, "notes.txt"), join(dir, "empty")]);
    assert.equal(code, 1);
    for (const said of [
      /empty .*nothing was begun/,
      /folder .*no file of ours/,
      /loop .*cannot be read/,
      /gone .*ENOENT/,
    ])
      assert.match(out, said);
    assert.match(out, /notes\.txt .*cannot be read/);
    assert.match(out, /good .*done/);
  });

  it("keeps its columns, and what others wrote steers nothing", async () => {
    const hostile = { ...done, model: "m\u001b[2J|[x](http://a)\n<b>" };
    const dir = folder("wide", { 任务一: JSON.stringify(hostile), "a|b": JSON.stringify(done) });
    const { lines } = await report([dir]);
    const columns = lines.slice(1, 3).map(line => line.replace(/[任务一]/g, "##").indexOf("done"));
    assert.equal(columns[0], columns[1], lines.join("\n"));
    assert.match(lines.join("\n"), /m␛\[2J/);
    const { out } = await report([dir], { markdown: true });
    const rows = out.split("\n").filter(line => line.startsWith("|"));
    assert.deepEqual(
      rows.map(row => row.split("|").length),
      [11, 11, 11, 11],
    );
    assert.doesNotMatch(out, /<b>|\]\(/);
  });
});
