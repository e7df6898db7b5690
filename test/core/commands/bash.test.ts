import assert from "node:assert/strict";
import type { Json } from "../../../src/shared/messages";
import { pluck } from "../../fakes/pluck";
import type { ShellScript } from "../../fakes/shell";
import { soak } from "../../fakes/soak";
import { Harness, numbered } from "../looking/harness";

async function check(
  script: ShellScript,
  expected: { status?: string; text: string | RegExp; digest?: string },
  input: Record<string, Json> = { command: "npm test" },
) {
  const harness = new Harness({}, { shell: { "*": script } });
  const answer = await harness.call("Bash", input);
  assert.equal(answer.status, expected.status ?? "ok", answer.text);
  if (typeof expected.text === "string") assert.equal(answer.text, expected.text);
  else
    assert.ok(
      expected.text.test(answer.text),
      `${expected.text} in ${answer.text.slice(0, 300)}…${answer.text.slice(-300)}`,
    );
  if (expected.digest) assert.equal(answer.digest, expected.digest);
  assert.equal(harness.blobs.open, 0, "no writer is left open");
  return { ...answer, harness };
}

describe("Bash", () => {
  it("gives the output, and the exit code where it is not 0", async () => {
    await check(
      { output: [["stdout", "ok\n"]], durationMs: 2300 },
      { text: "ok", digest: "Bash npm test exit 0 · 2.3 s · ok" },
    );
    await check({}, { text: "(no output)" });
    const { performed, data } = await check(
      {
        output: [
          ["stdout", "a\n"],
          ["stderr", "bad\n"],
        ],
        exitCode: 1,
        durationMs: 2300,
      },
      {
        status: "EXIT",
        text: "Exit code 1 after 2.3 s.\na\n[stderr] bad",
        digest: "Bash npm test exit 1 · 2.3 s · bad",
      },
    );
    assert.equal(performed?.result.status, "error");
    assert.deepEqual([data.command, data.exitCode, data.stdoutFirst, data.stderrLast], ["npm test", 1, ["a"], ["bad"]]);
    await check(
      { exitCode: null, signal: "SIGSEGV" },
      { status: "EXIT", text: "Killed by SIGSEGV after 100 ms.\n(no output)" },
    );
  });

  it("says where what was sent to nul went: there is no such device", async () => {
    const note = /^\(no output\)\nsub\/NUL is a file to this shell, .* write \/dev\/null instead\.$/;
    await check({}, { text: note }, { command: "cd sub && npm test 2>NUL" });
    await check({}, { text: /\nnul is a file/ }, { command: "dir > nul 2>&1" });
    await check({}, { text: "(no output)" }, { command: "npm test 2>/dev/null; cat < nul.txt" });
  });

  it("ends at its limit, with the output so far", async () => {
    const text =
      "Ended after the limit of 120 s. Give it a longer timeout (at most 600000 ms) or less to do. What it printed until then:\nhalf";
    await check(
      { output: [["stdout", "half\n"]], ended: "timeout" },
      { status: "TIMEOUT", text: text.replace("120 s", "2 min 0 s") },
    );
    const { harness } = await check(
      { ended: "timeout" },
      { status: "TIMEOUT", text: /^Ended after the limit of 10 min 0 s\. Give it less to do\./ },
      { command: "x", timeout: 600_000 },
    );
    assert.deepEqual(pluck(harness.shell.runs, "timeoutMs"), [600_000]);
    await assert.rejects(harness.prepare("Bash", { command: "x", timeout: 600_001 }), /timeout/);
  });

  it("ends on Stop, with the output so far", async () => {
    const harness = new Harness({}, { shell: { "*": { output: [["stdout", "half\n"]], hangs: true } } });
    const running = harness.call("Bash", { command: "sleep 1000" });
    setImmediate(() => harness.stop.abort());
    const { status, text, digest } = await running;
    assert.equal(status, "ABORTED");
    assert.match(text, /^Stopped by the user after 100 ms; the command was ended\. .*\nhalf$/);
    assert.equal(digest, "Bash sleep 1000 stopped · 100 ms · half");
  });

  it("keeps the working directory between calls, and says when it changed", async () => {
    const { harness } = await check(
      { cwd: "/ws/app/src" },
      { text: "(no output)\nThe working directory is now /ws/app/src." },
    );
    assert.equal(harness.cwd, "/ws/app/src");
    assert.deepEqual((await harness.prepare("Bash", { command: "ls" })).detail, {
      type: "command",
      command: "ls",
      cwd: "/ws/app/src",
      place: "src",
    });
    const timedOut = await check({ cwd: "/elsewhere", ended: "timeout" }, { status: "TIMEOUT", text: /until then/ });
    assert.equal(timedOut.harness.cwd, "/ws/app");
  });

  it("is prepared again when the directory changed after it was approved", async () => {
    const harness = new Harness({}, { shell: { "*": {} } });
    harness.between = () => {
      harness.cwd = "/ws/app/src";
    };
    await harness.call("Bash", { command: "ls" });
    assert.deepEqual(pluck(harness.shell.runs, "cwd"), ["/ws/app/src"]);
  });

  it("goes back to the workspace when its directory is gone", async () => {
    const harness = new Harness({}, { shell: { "*": { fails: new Error("no such directory") } } });
    harness.cwd = "/ws/app/gone";
    const { status, text } = await harness.call("Bash", { command: "ls" });
    assert.equal(status, "IO");
    assert.match(
      text,
      /could not start in \/ws\/app\/gone: no such directory\. The working directory is \/ws\/app again/,
    );
    assert.equal(harness.cwd, "/ws/app");
    assert.match(
      (await harness.call("Bash", { command: "ls" })).text,
      /could not start in \/ws\/app: no such directory$/,
    );
  });

  it("asks with command and folder, and binds both", async () => {
    const harness = new Harness({}, { shell: {} });
    const { title, detail, targets, binding } = await harness.prepare("Bash", { command: "rm  -rf\nx" });
    assert.equal(title, "Run `rm -rf x`");
    assert.deepEqual(detail, { type: "command", command: "rm  -rf\nx", cwd: "/ws/app", place: "" });
    assert.deepEqual(targets, []);
    harness.cwd = "/";
    assert.notEqual((await harness.prepare("Bash", { command: "rm  -rf\nx" })).binding, binding);
    assert.equal((await harness.call("Bash", { command: "  " })).status, "INVALID_INPUT");
  });

  it("keeps the whole output of what it shortens", async () => {
    const output = numbered(5000, line => (line === 2500 ? "FAIL here" : `line ${line}`));
    const { text, performed, harness } = await check(
      { output: [["stdout", output]], exitCode: 1 },
      { status: "EXIT", text: /\n2500: FAIL here\n/ },
    );
    assert.match(text, /Complete output: Recall \{"handle":"obs:[0-9a-f]{12}"\}\.\)$/);
    assert.equal(harness.blobs.text(performed?.raw?.sha256 ?? ""), output);
  });

  it("opens no blob for what it shows whole, and one for what it collapsed", async () => {
    const { harness } = await check({ output: [["stdout", "\x1b[32mok\x1b[0m\n"]] }, { text: "ok" });
    assert.equal(harness.blobs.opened, 0);
    const collapsed = await check(
      { output: [["stdout", "1%\r2%\n"]] },
      {
        text: /^2%\n\(Repeated or repainted lines are collapsed; as printed: Recall \{"handle":"obs:[0-9a-f]{12}"\}\)$/,
      },
    );
    assert.equal(collapsed.harness.blobs.text(collapsed.performed?.raw?.sha256 ?? ""), "1%\r2%\n");
  });

  it("streams to the card, characters whole, and not without end", async () => {
    const bytes = Buffer.from("é中😀");
    const split = [...bytes].map(byte => ["stdout", Buffer.from([byte])] as const);
    const { harness } = await check({ output: split }, { text: "é中😀" });
    assert.equal(harness.live.map(part => part.text).join(""), "é中😀");
    const flood = Array.from({ length: 10 }, () => ["stdout", "x".repeat(100_000)] as const);
    const flooded = await check({ output: flood }, { text: /1,000,001 characters/ });
    const live = flooded.harness.live.map(part => part.text).join("");
    assert.ok(live.length < 256 * 1024 + 100);
    assert.match(live.slice(-100), /more than 256 KB: the rest goes into the result only/);
  });

  // With a small cap: test/core/commands/rawCapture.test.ts.
  soak("large", () =>
    it("keeps 100 MB and counts the rest", async () => {
      const chunk = Buffer.alloc(1024 * 1024, "x");
      const { performed } = await check(
        { output: Array.from({ length: 102 }, () => ["stdout", chunk] as const) },
        { text: /Of the output, the first 100 MB were kept; 2,097,152 more bytes were not\.$/ },
      );
      assert.equal(performed?.raw?.bytes, 100 * 1024 * 1024);
    }),
  );

  it("runs on when the output cannot be stored, and says so", async () => {
    const harness = new Harness({}, { shell: { "*": { output: [["stdout", numbered(20_000)]] } } });
    harness.blobs.failWrites = new Error("the disk is full");
    const { status, text, performed } = await harness.call("Bash", { command: "x" });
    assert.equal(status, "ok");
    assert.match(
      text,
      /\(20,000 lines, 208,894 characters\.\)\nThe complete output could not be stored: the disk is full$/,
    );
    assert.equal(performed?.raw, undefined);
    assert.equal(harness.blobs.open, 0);
  });

  it("says that something was left running", async () => {
    await check(
      { leftBehind: true },
      {
        text: "(no output)\nProcesses that the command left running were ended with it. What is to stay (a server, a watcher) needs run_in_background.",
      },
    );
  });

  it("names what still runs", async () => {
    const running = [
      { pid: 12, command: "node `server`" },
      ...[13, 14, 15, 16, 17].map(pid => ({ pid, command: "w" })),
    ];
    await check(
      { mayRunOn: true, running },
      {
        text: "(no output)\nStill running, detached from the command: `` node `server` `` (12), `w` (13), `w` (14), `w` (15), `w` (16) and 1 more. What it prints from now on is not kept; kill ends it.",
      },
    );
  });

  it("marks what is not UTF-8, and says so", async () => {
    const output: [["stdout", Uint8Array]] = [["stdout", Uint8Array.of(0x63, 0xe9, 0x0a)]];
    await check({ output }, { text: "c\uFFFD\nBytes of the output that are not text are shown as \uFFFD or counted." });
  });

  it("its digest has the first line that tells of an error, or else the first that says anything", async () => {
    for (const [output, said] of [
      ["building\n\nsrc/a.ts:3:1 - error TS2322: no\nerror TS1: later\n", "src/a.ts:3:1 - error TS2322: no"],
      ["----\n\n  v1.2.3  \nmore\n", "v1.2.3"],
      ["0 errors\nall good\n", "0 errors"],
      ["ok 1\nok 2\nTypeError: x is not a function\n    at a.js:1:1\n", "TypeError: x is not a function"],
      ["编译\n错误: 找不到文件\n", "错误: 找不到文件"],
      [`${"fine\n".repeat(500)}FAIL a.test.ts\n${"fine\n".repeat(500)}`, "FAIL a.test.ts"],
      ["====\n", ""],
      ["", ""],
    ] as const) {
      const harness = new Harness({}, { shell: { "*": { output: [["stdout", output]], durationMs: 1000 } } });
      const { digest } = await harness.call("Bash", { command: "make" });
      assert.equal(digest, `Bash make exit 0 · 1 s${said && ` · ${said}`}`);
    }
  });

  it("says that something may still run, also where all was to be ended", async () => {
    const text =
      /\nA process that it started may still run: one that detached itself \(setsid, a daemon\) or belongs to another user\.$/;
    await check({ mayRunOn: true }, { text });
    await check({ mayRunOn: true, ended: "timeout" }, { status: "TIMEOUT", text });
  });
});
