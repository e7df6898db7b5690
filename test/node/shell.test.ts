import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShellOutcome } from "../../src/core/ground/ports";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { fromPs, listProcesses } from "../../src/node/shell/commandProcesses";
import { NodeShell } from "../../src/node/shell/shell";
import { shellContract } from "../contract/shell";
import { eventually } from "../fakes/eventually";
import { temporaryFolder } from "../fakes/temporary";

/** Started, with the pid that it printed. */
async function started(
  shell: NodeShell,
  command: string,
  timeoutMs = 60_000,
): Promise<{ pid: number; outcome: Promise<ShellOutcome>; stop(): void }> {
  const controller = new AbortController();
  const printed = Promise.withResolvers<number>();
  let text = "";
  const outcome = shell.run({
    command,
    cwd: tmpdir(),
    sandbox: NO_SANDBOX,
    timeoutMs,
    signal: controller.signal,
    onOutput: (_stream, chunk) => {
      text += Buffer.from(chunk).toString();
      const [pid] = /^\d+(?=\n)/m.exec(text) ?? [];
      if (pid) printed.resolve(Number(pid));
    },
  });
  outcome.catch(printed.reject);
  return { pid: await printed.promise, outcome, stop: () => controller.abort() };
}

const isAlive = (pid: number) => listProcesses().some(one => one.pid === pid);
const has = (program: string) => spawnSync("which", [program]).status === 0;

/** Each prints the pid of a process that the signals to the shell's process group do not reach. */
const BEYOND_THE_GROUP: Record<string, string> = {
  "`timeout`": "timeout 60 sh -c 'echo $$; exec sleep 60'",
  "`timeout` in a pipe": "timeout 60 sh -c 'echo $$; exec sleep 60' | cat",
  "a deaf one under `timeout`": `timeout 60 sh -c 'trap "" TERM INT HUP; echo $$; while :; do sleep 0.1; done'`,
  "`set -m`": "set -m; sh -c 'echo $$; exec sleep 60' & wait",
  "`setsid`": "setsid sh -c 'echo $$; exec sleep 60' & wait; sleep 60",
};

/** Only Linux still knows whose these are. */
const ORPHANS: Record<string, string> = {
  "`timeout` whose parent is gone": "(timeout 60 sh -c 'echo $$; exec sleep 60' &); sleep 60",
  "a daemon": "(setsid sh -c 'echo $$; exec sleep 60' >&2 &); sleep 60",
  "a daemon that holds nothing":
    "(setsid sh -c 'echo $$ > /dev/stderr; exec sleep 60 <&- >/dev/null 2>&1 62>&-' &); sleep 60",
};

if (process.platform !== "win32") {
  // A busy machine takes its time to start a daemon: what it says within this grace is taken.
  shellContract("NodeShell", () => new NodeShell({ graceMs: 600, outputMs: 600 }));

  it("bash is no first shell: what it is given to read is no reason to run ~/.bashrc", async () => {
    const [home, { SHLVL: _, ...env }] = [temporaryFolder("home"), process.env];
    writeFileSync(join(home, ".bashrc"), "echo from .bashrc >&2\n");
    let said = "";
    const onOutput = (_stream: string, chunk: Uint8Array) => {
      said += Buffer.from(chunk).toString();
    };
    const run = { command: "cat", input: "hi", cwd: home, sandbox: NO_SANDBOX, timeoutMs: 60_000, onOutput };
    await new NodeShell({ env: { ...env, HOME: home } }).run({ ...run, signal: new AbortController().signal });
    assert.equal(said, "hi");
  });

  describe("NodeShell ends what left the process group", () => {
    const shell = new NodeShell({ killAfterMs: 300 });
    const linux = process.platform === "linux";
    for (const [name, command] of Object.entries({ ...BEYOND_THE_GROUP, ...(linux ? ORPHANS : {}) })) {
      const needed = /timeout|setsid/.exec(command)?.[0];
      if (needed && !has(needed)) continue;
      it(`${name}: on Stop`, async () => {
        const { pid, outcome, stop } = await started(shell, command);
        stop();
        const { ended, leftBehind, mayRunOn } = await outcome;
        assert.deepEqual([ended, leftBehind, mayRunOn, isAlive(pid)], ["aborted", false, false, false]);
      });
      it(`${name}: by killAll`, async () => {
        const { pid, outcome } = await started(shell, command);
        shell.killAll();
        await outcome;
        await eventually("its end, for a signal takes its moment", () => !isAlive(pid));
      });
    }

    it("on time-out: it writes nothing any more", async function () {
      if (!has("timeout")) this.skip();
      const folder = temporaryFolder("late");
      const late = join(folder, "late");
      const { pid, outcome } = await started(shell, `timeout 60 sh -c 'echo $$; sleep 60; echo late > ${late}'`, 400);
      assert.equal((await outcome).ended, "timeout");
      await eventually("its end", () => !isAlive(pid));
      assert.throws(() => readFileSync(late), /ENOENT/);
    });

    it("behind a command that ended, and says so; but a daemon stays", async function () {
      if (!linux) this.skip();
      for (const command of [
        "timeout 60 sh -c 'echo $$ >&2; exec sleep 60' >/dev/null & sleep 0.1",
        "set -m; sh -c 'echo $$ >&2; exec sleep 60 2>/dev/null' > /dev/null &",
      ]) {
        const { pid, outcome } = await started(shell, command);
        const { ended, leftBehind, mayRunOn } = await outcome;
        assert.deepEqual([ended, leftBehind, mayRunOn, isAlive(pid)], ["exited", true, false, false], command);
      }
      const { pid, outcome } = await started(
        shell,
        "setsid sh -c 'echo $$; exec sleep 60 >/dev/null 2>&1' & sleep 0.1",
      );
      const { leftBehind, mayRunOn } = await outcome;
      assert.deepEqual([leftBehind, mayRunOn, isAlive(pid)], [false, true, true]);
      process.kill(pid);
    });

    it("and nobody else's: another command, and what was there before", async () => {
      const other = await started(shell, "timeout 60 sh -c 'echo $$; exec sleep 60'");
      const before = spawn("sleep", ["60"], { stdio: "ignore" });
      const { outcome, stop } = await started(shell, "timeout 60 sh -c 'echo $$; exec sleep 60'");
      stop();
      await outcome;
      assert.deepEqual([other.pid, before.pid ?? 0].map(isAlive), [true, true]);
      before.kill();
      other.stop();
      await other.outcome;
    });
  });

  describe("the processes that run", () => {
    it("are the same from `ps`, where there is no /proc", () => {
      const own = (list: ReturnType<typeof fromPs>) => {
        const { pid, parent, group } = list.find(one => one.pid === process.pid) ?? {};
        return { pid, parent, group };
      };
      assert.deepEqual(own(fromPs()), own(listProcesses()));
      assert.equal(own(fromPs()).parent, process.ppid);
    });
  });

  describe("strata.bash.env", () => {
    const given = { FOO_A: "1", FOO_B: "2", BAR: "3", OPENAI_API_KEY: "4", "BAZ.X": "5" };
    const seen = async (variables: readonly string[]) => {
      const shell = new NodeShell({
        env: { PATH: process.env.PATH, HOME: "/h", ...given },
        variables: () => variables,
      });
      let text = "";
      await shell.run({
        ...{ command: "env", cwd: tmpdir(), sandbox: NO_SANDBOX, signal: new AbortController().signal },
        onOutput: (_, chunk) => {
          text += Buffer.from(chunk);
        },
      });
      const names = text.split("\n").map(line => line.split("=")[0] ?? "");
      assert.ok(names.includes("HOME") && names.includes("PATH"));
      return Object.keys(given).filter(name => names.includes(name));
    };
    for (const [variables, expected] of [
      [["*"], ["FOO_A", "FOO_B", "BAR", "BAZ.X"]],
      [
        ["*", "!FOO_*"],
        ["BAR", "BAZ.X"],
      ],
      [
        ["*", "!FOO_*", "FOO_B"],
        ["FOO_B", "BAR", "BAZ.X"],
      ],
      [["FOO_A", "OPENAI_*"], ["FOO_A"]],
      [["BA?", "BAZ.*"], ["BAZ.X"]],
      [[], []],
    ] as const)
      it(JSON.stringify(variables), async () => assert.deepEqual(await seen(variables), expected));
  });

  describe("options of the shell that it was started from", () => {
    for (const [name, value] of [
      ["SHELLOPTS", "braceexpand:errexit:hashall"],
      ["SHELLOPTS", "noexec"],
      ["BASHOPTS", "failglob:nullglob"],
      ["CDPATH", "/"],
      ["POSIXLY_CORRECT", "1"],
    ] as const) {
      it(`${name}=${value} is none of a command's`, async () => {
        const shell = new NodeShell({ env: { PATH: process.env.PATH, HOME: "/h", [name]: value } });
        let text = "";
        await shell.run({
          ...{ cwd: temporaryFolder("shell"), sandbox: NO_SANDBOX },
          command:
            'false; echo "[$NOT_SET]"; cd usr 2>/dev/null || echo stays; echo *.nothing; ! shopt -qo posix || echo posix',
          signal: new AbortController().signal,
          onOutput: (_, chunk) => {
            text += Buffer.from(chunk);
          },
        });
        assert.equal(text, "[]\nstays\n*.nothing\n");
      });
    }
  });

  it("its encoding is the locale's", () => {
    for (const [LANG, expected] of [
      ["zh_CN.GBK", "gbk"],
      ["ja_JP.eucJP", "euc-jp"],
      ["ja_JP.SJIS", "shift_jis"],
      ["de_DE.ISO-8859-1", "windows-1252"],
      ["en_US.UTF-8", undefined],
      ["C.ANSI_X3.4-1968-x", undefined],
      ["", undefined],
    ])
      assert.equal(new NodeShell({ env: { PATH: process.env.PATH, LANG } }).encoding, expected, LANG);
  });

  describe("NodeShell's pipes", () => {
    const printed = async (shell: NodeShell, command: string) => {
      const text = { stdout: "", stderr: "" };
      const onOutput = (stream: "stdout" | "stderr", chunk: Uint8Array) => {
        text[stream] += Buffer.from(chunk).toString();
      };
      const { signal } = new AbortController();
      const outcome = await shell.run({
        command,
        cwd: tmpdir(),
        sandbox: NO_SANDBOX,
        timeoutMs: 60_000,
        signal,
        onOutput,
      });
      return [text.stdout, text.stderr, outcome.mayRunOn];
    };
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    const command = (at: number) => `echo out ${at}; echo err ${at} >&2; echo more > /dev/stderr`;
    const expected = numbers.map(at => [`out ${at}\n`, `err ${at}\nmore\n`, false]);

    it("are each command's own, one after the other", async () => {
      const shell = new NodeShell();
      const found = [];
      for (const at of numbers) found.push(await printed(shell, command(at)));
      assert.deepEqual(found, expected);
    });

    it("are each command's own, at the same time", async () => {
      const shell = new NodeShell();
      assert.deepEqual(await Promise.all(numbers.map(at => printed(shell, command(at)))), expected);
    });

    it("have nothing of what a daemon of an earlier command prints", async () => {
      const shell = new NodeShell();
      const { outcome, stop } = await started(
        shell,
        "setsid sh -c 'echo $$; while :; do echo daemon; sleep 0.01; done' & sleep 0.1",
      );
      for (const at of numbers) assert.deepEqual(await printed(shell, command(at)), expected[at]);
      stop();
      await outcome;
      shell.killAll();
    });
  });

  describe("NodeShell.killAll", () => {
    it("ends every command that runs, deaf ones too, with what they started", async () => {
      const shell = new NodeShell();
      const started = Promise.withResolvers<void>();
      let ready = 0;
      const run = (command: string) =>
        shell.run({
          command,
          cwd: tmpdir(),
          sandbox: NO_SANDBOX,
          timeoutMs: 60_000,
          signal: new AbortController().signal,
          onOutput: () => {
            if (++ready === 2) started.resolve();
          },
        });
      const deaf = run("trap '' TERM INT HUP; echo up; while :; do sleep 600; done");
      const withChildren = run("sleep 600 & echo up; wait");
      await started.promise;
      shell.killAll();
      for (const { signal, ended, leftBehind } of await Promise.all([deaf, withChildren]))
        assert.deepEqual({ signal, ended, leftBehind }, { signal: "SIGKILL", ended: "exited", leftBehind: false });
      // Nothing lives any more: nobody else's process is hit.
      shell.killAll();
    });
  });
}
