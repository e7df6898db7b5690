/** What every `Shell` that runs real commands has to do. For POSIX shells. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Shell, ShellOutcome, ShellRun } from "../../src/core/ground/ports";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { soak } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";

type Ran = ShellOutcome & { stdout: string; stderr: string };

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes that are held, once what nobody holds is gone: when that goes by itself depends on the machine's load. */
function collected(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export function shellContract(name: string, make: () => Shell): void {
  describe(`shell: ${name}`, () => {
    let shell: Shell;
    let cwd: string;
    before(async () => {
      shell = make();
      cwd = temporaryFolder("shell");
    });

    const run = async (command: string, more: Partial<ShellRun> = {}): Promise<Ran> => {
      const chunks: Record<"stdout" | "stderr", Uint8Array[]> = { stdout: [], stderr: [] };
      const outcome = await shell.run({
        command,
        cwd,
        sandbox: NO_SANDBOX,
        timeoutMs: 15_000,
        signal: new AbortController().signal,
        onOutput: (stream, chunk) => void chunks[stream].push(chunk),
        ...more,
      });
      const textOf = (stream: "stdout" | "stderr") => Buffer.concat(chunks[stream]).toString("utf8");
      return { ...outcome, stdout: textOf("stdout"), stderr: textOf("stderr") };
    };
    /** Dead ones that nobody has reaped yet do not count. */
    const isAlive = (pid: number) =>
      !/^(Z.*)?$/.test(
        spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
          .stdout.toString()
          .trim(),
      );

    describe("runs", () => {
      const check = (command: string, expected: Partial<Ran>) =>
        it(JSON.stringify(command), async () => {
          const ran = await run(command);
          const seen = Object.fromEntries(Object.keys(expected).map(key => [key, ran[key as keyof Ran]]));
          assert.deepEqual(
            { ...seen, ended: ran.ended, stderr: ran.stderr },
            { ended: "exited", stderr: "", ...expected },
          );
        });
      check("echo hello", { stdout: "hello\n", exitCode: 0, signal: null, leftBehind: false, mayRunOn: false });
      check("exit 3", { exitCode: 3, stdout: "" });
      check("false", { exitCode: 1 });
      check("true\n", { exitCode: 0 });
      check("", { exitCode: 0, stdout: "" });
      check("set -e; false; echo not reached", { exitCode: 1, stdout: "" });
      check("set -eu; echo fine", { exitCode: 0, stdout: "fine\n" });
      check("exec echo replaced", { exitCode: 0, stdout: "replaced\n" });
      check("(exit 4)", { exitCode: 4 });
      check("sh -c 'exit 5' | cat", { exitCode: 0 });
      check(`echo "double" 'single' "it's"`, { stdout: "double single it's\n" });
      check("echo '$HOME `x` $(y)'", { stdout: "$HOME `x` $(y)\n" });
      check("cat <<'EOF'\n$HOME\n'quoted'\nEOF", { stdout: "$HOME\n'quoted'\n" });
      check("cat <<EOF\na\nEOF\necho b", { stdout: "a\nb\n" });
      check("echo one\necho two", { stdout: "one\ntwo\n" });
      check("echo end # a comment", { stdout: "end\n" });
      check("echo end \\", { stdout: "end \\\n", exitCode: 0 });
      check("echo end \\\n", { stdout: "end\n", exitCode: 0 });
      check("echo -n; echo 中文 ö", { stdout: "中文 ö\n" });
      check("trap 'echo bye' EXIT; echo hi", { stdout: "hi\nbye\n" });
      check("echo out; echo err >&2", { stdout: "out\n", stderr: "err\n" });
      check("echo x > /dev/stderr; echo y | tee /dev/stderr > /dev/null", { stderr: "x\ny\n", exitCode: 0 });
      check("kill -9 $$", { exitCode: null, signal: "SIGKILL" });
      check("echo $#", { stdout: "0\n" });
      check('read line; echo "<$line>"; cat', { stdout: "<>\n", exitCode: 0 });
      check("[ -t 0 ] || [ -t 1 ] || echo no terminal", { stdout: "no terminal\n" });

      it("a syntax error: an exit code and the shell's words", async () => {
        const ran = await run("if then");
        assert.ok(ran.exitCode !== 0 && /syntax/i.test(ran.stderr), ran.stderr);
      });

      it("a command of 500 KB", async () => {
        const ran = await run(`cat <<'EOF'\n${"long line 中文\n".repeat(30_000)}EOF\necho done`);
        assert.equal(ran.stdout.length, "long line 中文\n".length * 30_000 + "done\n".length);
      });

      it("keeps the keys of the agent to itself", async () => {
        process.env.OPENAI_API_KEY = "sk-secret";
        process.env.STRATA_MODEL_API_KEY = "also-secret";
        try {
          const { stdout } = await run("env");
          assert.ok(!/secret/.test(stdout));
          assert.match(stdout, /^TERM=dumb$/m);
          assert.ok(!/^__strata/m.test(stdout));
        } finally {
          delete process.env.OPENAI_API_KEY;
          delete process.env.STRATA_MODEL_API_KEY;
        }
      });

      it("gives the streams in the order of arrival", async () => {
        const order: string[] = [];
        // Each waits until the one before it has come.
        const came = 'n=$((n+1)); until [ -e "came-$n" ]; do sleep 0.01; done';
        await run(`n=0; for i in 1 2 3; do echo o; ${came}; echo e >&2; ${came}; done`, {
          onOutput: (_, chunk) => {
            order.push(Buffer.from(chunk).toString().trim());
            return writeFile(join(cwd, `came-${order.length}`), "");
          },
        });
        assert.deepEqual(order, ["o", "e", "o", "e", "o", "e"]);
      });
    });

    describe("the folder it ends in", () => {
      const check = (command: string, below: string) =>
        it(JSON.stringify(command), async () => {
          await run("mkdir -p sub/deep 'with space'");
          assert.equal((await run(command)).cwd, join(cwd, below).replace(/\/$/, ""));
        });
      check("true", "");
      check("cd sub", "sub");
      check("cd sub && cd deep && exit 3", "sub/deep");
      check("cd 'with space'; false", "with space");
      check("(cd sub)", "");
      check("set -e; cd sub; false", "sub");
      check("set -x; cd sub", "sub");
      check("exec 3>/dev/null; cd sub", "sub");
      check("mkdir gone; cd gone; rmdir ../gone", "");
      check("cd sub; exec true", "");

      it("a folder that is not there: rejects, with words", async () => {
        await assert.rejects(run("true", { cwd: join(cwd, "nowhere") }), /nowhere/);
      });

      it("tracing does not show the shell's own lines", async () => {
        const { stderr } = await run("set -x; echo a");
        assert.match(stderr, /^\++ echo a\n$/);
      });
    });

    describe("stops", () => {
      it("what was aborted before: nothing runs", async () => {
        const ran = await run("echo no", { signal: AbortSignal.abort() });
        assert.deepEqual([ran.ended, ran.exitCode, ran.stdout], ["aborted", null, ""]);
      });

      it("on abort, with every child, and keeps what came", async () => {
        const controller = new AbortController();
        const pids: number[] = [];
        const ran = await run("sleep 100 & echo $!; sh -c 'sleep 100 & echo $!; wait'; wait", {
          signal: controller.signal,
          onOutput: (_, chunk) => {
            pids.push(...Buffer.from(chunk).toString().trim().split("\n").map(Number));
            if (pids.length === 2) controller.abort();
          },
        });
        assert.equal(ran.ended, "aborted");
        assert.equal(pids.length, 2);
        assert.deepEqual(pids.map(isAlive), [false, false]);
      });

      it("on time-out, also what ignores the gentle signal", async () => {
        const ran = await run("trap '' TERM; echo started; while :; do sleep 0.1; done", { timeoutMs: 300 });
        assert.deepEqual([ran.ended, ran.signal, ran.stdout], ["timeout", "SIGKILL", "started\n"]);
      });

      it("never by itself, where no limit is given: until it is aborted", async () => {
        const controller = new AbortController();
        const ran = await shell.run({
          ...{ command: "echo up; sleep 0.3; echo still up; sleep 100", cwd, sandbox: NO_SANDBOX },
          signal: controller.signal,
          onOutput: (_stream, chunk) => void (/still/.test(String(Buffer.from(chunk))) && controller.abort()),
        });
        assert.deepEqual([ran.ended, ran.exitCode], ["aborted", null]);
        const short = await shell.run({
          ...{ command: "sleep 0.2; exit 4", cwd, sandbox: NO_SANDBOX },
          signal: new AbortController().signal,
          onOutput: () => undefined,
        });
        assert.deepEqual([short.ended, short.exitCode], ["exited", 4]);
      });

      it("a command that waits for input does not wait", async () => {
        assert.equal((await run("cat")).exitCode, 0);
      });

      it("what runs on behind the shell, and says so", async () => {
        const ran = await run("sleep 100 & echo $!");
        assert.deepEqual([ran.ended, ran.exitCode, ran.leftBehind], ["exited", 0, true]);
        assert.equal(isAlive(Number(ran.stdout)), false);
      });

      it("but gives it a moment to end by itself", async () => {
        const ran = await run("(sleep 0.05; echo late) & echo now");
        assert.deepEqual([ran.stdout, ran.leftBehind], ["now\nlate\n", false]);
      });

      it("does not hang on a process that left the group and holds the output", async function () {
        if (process.platform !== "linux") this.skip();
        const ran = await run("setsid sh -c 'echo $$; exec sleep 100' & sleep 0.2; exit 3");
        const pid = Number(ran.stdout);
        assert.deepEqual([ran.exitCode, ran.ended, ran.leftBehind, ran.mayRunOn], [3, "exited", false, true]);
        assert.equal(isAlive(pid), true);
        process.kill(pid);
      });

      it("and takes what comes from it in time, though the other stream has ended", async function () {
        if (process.platform !== "linux") this.skip();
        const later = "sleep 0.1; exec >/dev/null; sleep 0.05; echo late >&2";
        const { stderr, mayRunOn } = await run(`setsid sh -c '${later}' & true`);
        assert.deepEqual([stderr, mayRunOn], ["late\n", false]);
      });
    });

    describe("output", () => {
      it("40 MB without a newline come through, in bounded memory", () => comeThrough(40_000_000, 25_000_000));
      soak("large", () => it("so do 400 MB", () => comeThrough(400_000_000, 100_000_000)));

      async function comeThrough(all: number, mostMore: number): Promise<void> {
        let bytes = 0;
        let peak = 0;
        let collectedAt = 0;
        const before = collected();
        await run(`head -c ${all} /dev/zero | tr '\\0' x`, {
          // a machine that does much else takes its time
          timeoutMs: 120_000,
          onOutput: (_, chunk) => {
            bytes += chunk.length;
            if (bytes - collectedAt < all / 8) return;
            collectedAt = bytes;
            peak = Math.max(peak, collected() - before);
          },
        });
        assert.equal(bytes, all);
        assert.ok(peak < mostMore, `${peak} bytes more`);
      }

      it("a slow reader holds the command back", async () => {
        const file = join(cwd, "progress");
        const controller = new AbortController();
        let chunks = 0;
        const printing = (progress: string) =>
          `line=$(printf '%010000d' 0); for i in $(seq 1 300); do echo $line; echo $i > ${progress}; done`;
        const ran = run(printing(file), {
          signal: controller.signal,
          onOutput: async () => {
            if (chunks++ > 0) return;
            // In that time another command prints as much, whose reader does not hold it.
            await run(printing(join(cwd, "other")));
            const written = Number(await readFile(file, "utf8"));
            assert.ok(written < 100, `${written} of 300 lines were written while the first chunk was held`);
          },
        });
        assert.equal((await ran).exitCode, 0);
        assert.ok(chunks > 1);
      });

      it("an error of the reader ends the command and comes back", async () => {
        const failure = new Error("the disk is full");
        const ran = run("echo x; sleep 100", { onOutput: () => Promise.reject(failure) });
        await assert.rejects(ran, failure);
      });
    });
  });
}
