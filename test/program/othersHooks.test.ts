/** Hooks that were written for another agent, unchanged, in whole sessions of the terminal's program. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import { inPlace, type Place, program, runArgs, withAnswers } from "./program";

const fixture = join(process.cwd(), "test/fixtures/hooks");
const total = (body: string) => `exports.total = prices => ${body};   \n`;
const summing = total("prices.reduce((sum, price) => sum + price, 0)");
const write = (file_path: string, content: string): OfflineAnswer => ({
  calls: [{ name: "Write", input: { file_path, content } }],
});
const bash = (command: string): OfflineAnswer => ({ calls: [{ name: "Bash", input: { command } }] });

describe("hooks of another agent, as they are", function () {
  this.timeout(180_000);
  if (process.platform === "win32") return;
  before(function () {
    if (spawnSync("python3", ["--version"]).status === 0) return;
    process.stderr.write("Skipped: hooks of another agent are written for python3, and there is none here.\n");
    this.skip();
  });
  const { place, strata } = program();

  function team(): Place {
    const at = place();
    cpSync(fixture, at.workspace, { recursive: true });
    writeFileSync(join(at.workspace, "total.js"), summing);
    return at;
  }
  const text = (at: Place, name: string) => {
    const path = join(at.workspace, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const run = (at: Place, answers: OfflineAnswer[], ...more: string[]) =>
    withAnswers(answers, url => strata(at, runArgs(at, url, "--mode", "auto", ...more)));

  it("--trust is for what stood there at the start: what the agent makes of it does not run", async () => {
    const at = team();
    const evil = { hooks: { Stop: [{ hooks: [{ type: "command", command: "touch evil.txt" }] }] } };
    const made = `require("node:fs").mkdirSync(".strata"); require("node:fs").writeFileSync(".strata/hooks.json", ${JSON.stringify(JSON.stringify(evil))});`;
    writeFileSync(join(at.workspace, "make.js"), made);
    const { err } = await run(at, [bash("node make.js"), bash("echo hi")], "--trust", "--prompt", "go");
    assert.ok(existsSync(join(at.workspace, ".strata/hooks.json")), err);
    assert.equal(existsSync(join(at.workspace, "evil.txt")), false, err);
  });

  it("in one turn: a command and a file are forbidden, what was written is formatted, the model is told, beginnings hold", async () => {
    const at = team();
    mkdirSync(join(at.workspace, "precious"));
    const edit = { file_path: "sum.js", old_string: "sum + price", new_string: "price + sum" };
    const answers = [
      ...[bash("rm -rf precious"), write("package-lock.json", "{}"), write("sum.js", summing)],
      { calls: [{ name: "Edit", input: edit }] },
    ];
    const { asked, last, err, code } = await run(at, answers, "--trust", "--prompt", "clean up");
    assert.equal(code, 0, err);
    assert.ok(existsSync(join(at.workspace, "precious")));
    assert.match(last, /DENIED: [^\n]*hook.*move what you do not need to \.trash/);
    assert.match(err, /Hook PreToolUse denied/);
    assert.match(text(at, "commands.log"), /^ses_ PreToolUse acceptEdits|^ses_ PreToolUse auto rm -rf precious$/m);
    assert.equal(existsSync(join(at.workspace, "package-lock.json")), false);
    // The edit is one of the text as the hook left it.
    assert.equal(text(at, "sum.js"), summing.replace("   \n", "\n").replace("sum + price", "price + sum"), last + err);
    const [first, second] = asked.map(({ messages }) => messages);
    assert.ok(first && second, err);
    assert.match(JSON.stringify(first), /Team rule seven: money is counted in cents\. \(startup\)/);
    assert.match(JSON.stringify(first), /Open ticket: SHOP-4711/);
    const head = first.slice(0, -1);
    assert.deepEqual(second.slice(0, head.length), head);
  });

  it("one keeps a message back", async () => {
    const { asked, code, err } = await run(team(), [], "--trust", "--prompt", "password: hunter2 is mine");
    assert.equal(asked.length, 0);
    assert.notEqual(code, 0);
    assert.match(err, /holds a password/);
  });

  it("one keeps the turn from its end while tests fail", async () => {
    const at = team();
    rmSync(join(at.workspace, "total.js"));
    const mended: OfflineAnswer = {
      calls: [
        {
          name: "Edit",
          input: {
            file_path: "total.js",
            old_string: "prices[0]",
            new_string: "prices.reduce((sum, price) => sum + price, 0)",
          },
        },
      ],
    };
    const wrong = write("total.js", total("prices[0]").trimEnd());
    const { asked, err } = await run(at, [wrong, { text: "I am done." }, mended], "--trust", "--prompt", "mend");
    assert.equal(asked.length, 4, err);
    assert.match(JSON.stringify(asked[2]?.messages), /does not let the turn end yet.*Tests fail, mend them/);
    assert.deepEqual(text(at, "stops.log").trim().split("\n"), ["first", "second"]);
  });

  it("one that never lets it end does not go on for ever", async () => {
    const at = team();
    writeFileSync(join(at.workspace, "total.js"), total("0"));
    const { asked, err, code } = await run(at, [], "--trust", "--prompt", "mend");
    assert.equal(code, 0, err);
    assert.equal(asked.length, 9);
    assert.match(err, /Hooks kept the turn from its end 8 times/);
  });

  it("without trust none of the workspace's runs, and the list says what there is", async () => {
    const at = team();
    const { last } = await run(at, [], "--prompt", "hello");
    assert.doesNotMatch(last, /Team rule|SHOP-4711/);
    assert.equal(text(at, "stops.log"), "");
    const list = await strata(at, ["hooks", "list", ...inPlace(at)]);
    assert.match(list.out, /^\.claude\/settings\.json {2}\(7 hooks, needs approval(?:, in the sandbox)?\)\n/);
    assert.match(list.out, /PreToolUse Edit\|MultiEdit\|Write: python3 -c/);
  });
});
