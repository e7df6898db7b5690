/** One writer per session, with real processes. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import type { SessionFiles } from "../../../src/core/ports";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";

const TIMES = { heartbeatMs: 50, staleMs: 500, pollMs: 20 };

/** A program with the storage: `lines` run in it; what it prints is read line by line. */
async function bundle(folder: string, lines: string): Promise<string> {
  const outfile = join(folder, "child.mjs");
  await build({
    stdin: {
      contents: `import { NodeStorage } from "./src/node/storage/sessionStorage";
        const storage = new NodeStorage(process.argv[2], ${JSON.stringify(TIMES)});
        const say = text => process.stdout.write(text + "\\n");
        ${lines}`,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    // zod alone comes from packages
    nodePaths: [join(process.cwd(), "node_modules")],
  });
  return outfile;
}

describe("the lock of a session", () => {
  let folder: string;
  let lockFile: string;
  const children: ChildProcess[] = [];
  const opened: SessionFiles[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "strata-lock-"));
    lockFile = join(folder, "sessions", "ses_1", "lock.json");
  });
  afterEach(async () => {
    for (const files of opened.splice(0)) await files.close();
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const storage = () => new NodeStorage(folder, TIMES);
  const keep = async (files: Promise<SessionFiles>) => {
    opened.push(await files);
    return files;
  };
  const nextChange = (files: SessionFiles) => new Promise<boolean>(resolve => files.onLockChange(resolve));
  /** Starts a program and waits for its first line. */
  const start = async (lines: string, program = process.execPath, args: string[] = []) => {
    const child = spawn(program, [...args, await bundle(folder, lines), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const [first] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    return { child, first: String(first).trim() };
  };
  const HOLD = `
    const files = await storage.create("ses_1");
    await files.append("history.jsonl", "from the child\\n");
    say("held");
    setInterval(() => undefined, 1000);`;

  it("a second process reads only, as long as the first lives", async () => {
    await start(HOLD);
    const files = await keep(storage().open("ses_1"));
    await delay(TIMES.staleMs * 2);
    assert.equal(files.writable, false);
    await assert.rejects(files.append("history.jsonl", "x"), { code: "READ_ONLY" });
    assert.equal(await files.read("history.jsonl"), "from the child\n");
  });

  it("a killed process is known to be dead: the session opens for writing at once", async function () {
    if (process.platform !== "linux") this.skip();
    const { child } = await start(HOLD);
    child.kill("SIGKILL");
    await once(child, "exit");
    const files = await keep(storage().open("ses_1"));
    assert.equal(files.writable, true);
    await files.append("history.jsonl", "and me\n");
    assert.equal(await files.read("history.jsonl"), "from the child\nand me\n");
  });

  it("a waiting window takes over from one that was killed", async () => {
    const { child } = await start(HOLD);
    const files = await keep(storage().open("ses_1"));
    const change = nextChange(files);
    child.kill("SIGKILL");
    assert.equal(await change, true);
    await files.append("history.jsonl", "and me\n");
    assert.equal(await files.read("history.jsonl"), "from the child\nand me\n");
  });

  it("a lock of another machine counts as left only when it stood still for long enough", async () => {
    const first = await keep(storage().create("ses_1"));
    await first.append("history.jsonl", "one\n");
    await first.close();
    const foreign = { token: "t", pid: 1, host: "elsewhere", machine: "other", heartbeat: 0 };
    await writeFile(lockFile, JSON.stringify(foreign));
    const files = await keep(storage().open("ses_1"));
    assert.equal(files.writable, false);
    const change = nextChange(files);
    const beats = setInterval(() => {
      foreign.heartbeat++;
      writeFile(lockFile, JSON.stringify(foreign)).catch(() => undefined);
    }, 50);
    await delay(TIMES.staleMs * 2);
    assert.equal(files.writable, false, "it beats");
    clearInterval(beats);
    assert.equal(await change, true);
  });

  it("a lock of another boot of this machine is taken over by its age, at once", async () => {
    const first = await keep(storage().create("ses_1"));
    await first.append("history.jsonl", "one\n");
    await first.close();
    for (const machine of [{ machine: "a boot before" }, {}]) {
      await writeFile(lockFile, JSON.stringify({ token: "t", pid: 1, host: hostname(), ...machine, heartbeat: 0 }));
      const fresh = await storage().open("ses_1");
      assert.equal(fresh.writable, false, "it may live");
      await fresh.close();
      const yesterday = new Date(Date.now() - 86_400_000);
      await utimes(lockFile, yesterday, yesterday);
      const files = await storage().open("ses_1");
      assert.equal(files.writable, true);
      await files.close();
    }
  });

  it("a session with a lock of another machine is removed only when that one stands still", async () => {
    const first = await keep(storage().create("ses_1"));
    await first.append("history.jsonl", "one\n");
    await first.close();
    const foreign = { token: "t", pid: 1, host: "elsewhere", machine: "other", heartbeat: 0 };
    const beat = () => writeFile(lockFile, JSON.stringify({ ...foreign, heartbeat: foreign.heartbeat++ }));
    await beat();
    const beats = setInterval(() => beat().catch(() => undefined), 50);
    const refused = await storage()
      .remove("ses_1")
      .catch(error => error);
    clearInterval(beats);
    assert.equal(refused?.code, "IN_USE");
    await beat();
    await storage().remove("ses_1");
    await assert.rejects(storage().open("ses_1"), { code: "NOT_FOUND" });
  });

  it("a lock without sense is one that was left, in time", async () => {
    const first = await keep(storage().create("ses_1"));
    await first.append("history.jsonl", "one\n");
    await first.close();
    for (const text of ["", "}{ \u0000", "[]", "x".repeat(5_000_000)]) {
      await writeFile(lockFile, text);
      const files = await storage().open("ses_1");
      assert.equal(files.writable, false);
      assert.equal(await nextChange(files), true);
      await files.close();
    }
  });

  it("one that nobody can read, and that nobody writes any more, holds no program back, and it is known", async () => {
    const first = await keep(storage().create("ses_1"));
    await first.append("history.jsonl", "one\n");
    await first.close();
    for (const text of ["", "garbage", "[]", "x".repeat(100_000)]) {
      await writeFile(lockFile, text);
      const fresh = await storage().open("ses_1");
      assert.equal(fresh.writable, false, "it may have been written this moment");
      await fresh.close();
      const then = new Date(Date.now() - 2 * TIMES.staleMs);
      await utimes(lockFile, then, then);
      const files = await storage().open("ses_1");
      assert.deepEqual([files.writable, files.tookDamagedLock], [true, true], text.slice(0, 9));
      await files.close();
    }
    const files = await keep(storage().open("ses_1"));
    assert.deepEqual([files.writable, files.tookDamagedLock], [true, false]);
  });

  it("one who died while taking over stops nobody, also where the clock was set back since", async () => {
    const first = await keep(storage().create("ses_1"));
    await first.append("history.jsonl", "one\n");
    await first.close();
    await writeFile(lockFile, "");
    const guard = join(folder, "sessions", "ses_1", "lock.takeover");
    await writeFile(guard, "");
    const tomorrow = Date.now() / 1000 + 86_400;
    await utimes(guard, tomorrow, tomorrow);
    const files = await keep(storage().open("ses_1"));
    assert.equal(await nextChange(files), true);
  });

  it("of many that wait, one gets it", async () => {
    const { child } = await start(HOLD);
    const waiting = await Promise.all(Array.from({ length: 8 }, () => keep(storage().open("ses_1"))));
    const first = Promise.race(waiting.map(nextChange));
    child.kill("SIGKILL");
    await first;
    await delay(TIMES.pollMs * 5);
    assert.equal(waiting.filter(files => files.writable).length, 1);
    assert.equal(await waiting.find(files => files.writable)?.append("history.jsonl", "x"), undefined);
  });

  it("who lost it writes nothing, says so, and gets it back when it is free", async () => {
    const files = await keep(storage().create("ses_1"));
    await files.append("history.jsonl", "one\n");
    const changes: boolean[] = [];
    files.onLockChange(writable => changes.push(writable));
    // as another window does that believes this one dead
    const other = JSON.stringify({
      token: "other",
      pid: process.pid,
      host: "elsewhere",
      machine: "other",
      heartbeat: 1,
    });
    await writeFile(`${lockFile}.new`, other);
    await rename(`${lockFile}.new`, lockFile);
    await assert.rejects(files.append("history.jsonl", "two\n"), { name: "StorageError", code: "LOST_LOCK" });
    assert.deepEqual([changes, files.writable], [[false], false]);
    await assert.rejects(files.append("history.jsonl", "two\n"), { code: "READ_ONLY" });
    const back = nextChange(files);
    await rm(lockFile);
    assert.equal(await back, true);
    await files.append("history.jsonl", "three\n");
    assert.equal(await files.read("history.jsonl"), "one\nthree\n");
  });

  it("beats", async () => {
    await keep(storage().create("ses_1"));
    const beat = async () => JSON.parse(await readFile(lockFile, "utf8")).heartbeat;
    const first = await beat();
    const end = performance.now() + 5000;
    while ((await beat()) === first && performance.now() < end) await delay(10);
    assert.ok((await beat()) > first);
  });

  it("keeps no process alive", async () => {
    const { child, first } = await start(`
      const files = await storage.create("ses_1");
      await files.append("history.jsonl", "x\\n");
      say("done");`);
    assert.equal(first, "done");
    if (child.exitCode === null) await once(child, "exit");
    assert.equal(child.exitCode, 0);
  });

  it("an append that the disk cuts short is taken back, and the next one stands behind the last whole one", async function () {
    if (process.platform === "win32") this.skip();
    const { first } = await start(
      `const files = await storage.create("ses_1");
      await files.append("history.jsonl", "whole\\n");
      const failed = await files.append("history.jsonl", "x".repeat(100000)).catch(error => error);
      await files.append("history.jsonl", "next\\n");
      await files.close();
      say(JSON.stringify([failed.name, failed.code, await files.read("history.jsonl")]));`,
      "bash",
      ["-c", `ulimit -f 8; exec ${process.execPath} "$@"`, "bash"],
    );
    assert.deepEqual(JSON.parse(first), ["StorageError", "IO", "whole\nnext\n"]);
    assert.equal((await stat(join(folder, "sessions", "ses_1", "history.jsonl"))).size, 11);
  });
});
