/** One writer per session: with real processes, and time that is moved on. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { SessionFiles } from "../../../src/core/ground/ports";
import { LOCK_TIMES as TIMES } from "../../../src/node/storage/sessionLock";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { FakeClock } from "../../fakes/clock";
import { eventually } from "../../fakes/eventually";
import { temporaryFolder } from "../../fakes/temporary";

/** The look of one who waits at which what stood still since its first look is left: the first one past `staleMs`. */
const LEFT_AT = (Math.floor(TIMES.staleMs / TIMES.pollMs) + 1) * TIMES.pollMs;

/** The storage, for programs of their own. */
async function bundle(folder: string): Promise<string> {
  const outfile = join(folder, "storage.mjs");
  await build({
    entryPoints: ["src/node/storage/sessionStorage.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    // The package of the sentences is no module.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return pathToFileURL(outfile).href;
}

describe("the lock of a session", () => {
  const built = temporaryFolder("lock");
  let bundled: string;
  let folder: string;
  let lockFile: string;
  let clock: FakeClock;
  const children: ChildProcess[] = [];
  const opened: SessionFiles[] = [];
  before(async () => {
    bundled = await bundle(built);
  });
  beforeEach(async () => {
    folder = temporaryFolder("lock");
    lockFile = join(folder, "sessions", "ses_1", "lock.json");
    clock = new FakeClock(Date.now());
  });
  afterEach(async () => {
    for (const files of opened.splice(0)) await files.close();
    for (const child of children.splice(0)) await kill(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const storage = (at = clock) => new NodeStorage(folder, {}, undefined, at);
  const keep = async (files: Promise<SessionFiles>) => {
    opened.push(await files);
    return files;
  };
  /** A session that nobody has open. */
  const left = async () => {
    const files = await keep(storage().create("ses_1"));
    await files.append("history.jsonl", "one\n");
    await files.close();
  };
  /** Writes a lock, or what stands in its place, as it was written so many ms ago. */
  const put = async (text: string, ago = 0, path = lockFile) => {
    await writeFile(path, text);
    const then = new Date(clock.now() - ago);
    await utimes(path, then, then);
  };
  /** Starts a program and waits for its first line. */
  const start = async (lines: string, program = process.execPath, args: string[] = []) => {
    const code = `import { NodeStorage } from ${JSON.stringify(bundled)};
      const storage = new NodeStorage(${JSON.stringify(folder)});
      const say = text => process.stdout.write(text + "\\n");
      ${lines}`;
    const child = spawn(program, [...args, "--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const [first] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    return { child, first: String(first).trim() };
  };
  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const HOLD = `
    const files = await storage.create("ses_1");
    await files.append("history.jsonl", "from the child\\n");
    say("held");
    setInterval(() => undefined, 1000);`;

  it("a second process reads only", async () => {
    await start(HOLD);
    const files = await keep(storage().open("ses_1"));
    await clock.pass(TIMES.pollMs);
    assert.equal(files.writable, false);
    await assert.rejects(files.append("history.jsonl", "x"), { code: "READ_ONLY" });
    assert.equal(await files.read("history.jsonl"), "from the child\n");
  });

  it("a second window reads only, as long as the first beats; one that hangs is given up", async () => {
    const own = new FakeClock(clock.now());
    const first = await keep(storage(own).create("ses_1"));
    const second = await keep(storage().open("ses_1"));
    for (let passed = 0; passed < 2 * TIMES.staleMs; passed += TIMES.heartbeatMs) {
      await clock.pass(TIMES.heartbeatMs);
      await own.pass(TIMES.heartbeatMs);
      assert.deepEqual([first.writable, second.writable], [true, false]);
    }
    await clock.pass(TIMES.staleMs - TIMES.pollMs);
    assert.equal(second.writable, false, "it may be slow");
    await clock.pass(2 * TIMES.pollMs);
    assert.equal(second.writable, true);
    await assert.rejects(first.append("history.jsonl", "x"), { code: "LOST_LOCK" });
  });

  it("a killed process is known to be dead: the session opens for writing at once", async function () {
    if (process.platform !== "linux") this.skip();
    const { child } = await start(HOLD);
    await kill(child);
    const files = await keep(storage().open("ses_1"));
    assert.equal(files.writable, true);
    await files.append("history.jsonl", "and me\n");
    assert.equal(await files.read("history.jsonl"), "from the child\nand me\n");
  });

  it("a waiting window takes over from one that was killed", async () => {
    const { child } = await start(HOLD);
    const files = await keep(storage().open("ses_1"));
    assert.equal(files.writable, false);
    await kill(child);
    await clock.pass(TIMES.pollMs);
    assert.equal(files.writable, true);
    await files.append("history.jsonl", "and me\n");
    assert.equal(await files.read("history.jsonl"), "from the child\nand me\n");
  });

  it("a lock of another machine counts as left only when it stood still for long enough", async () => {
    await left();
    const foreign = { token: "t", pid: 1, host: "elsewhere", machine: "other", heartbeat: 0 };
    const beat = () => put(JSON.stringify({ ...foreign, heartbeat: foreign.heartbeat++ }));
    await beat();
    const files = await keep(storage().open("ses_1"));
    for (let passed = 0; passed < 2 * TIMES.staleMs; passed += TIMES.pollMs) {
      await beat();
      await clock.pass(TIMES.pollMs);
      assert.equal(files.writable, false, "it beats");
    }
    await clock.pass(LEFT_AT - TIMES.pollMs);
    assert.equal(files.writable, false, "not long enough");
    await clock.pass(TIMES.pollMs);
    assert.equal(files.writable, true);
  });

  it("how long it stood still is not measured by a clock that somebody sets", async () => {
    await left();
    await put(JSON.stringify({ token: "t", pid: 1, host: "elsewhere", machine: "other", heartbeat: 0 }));
    const files = await keep(storage().open("ses_1"));
    clock.set(clock.now() + 86_400_000);
    await clock.pass(LEFT_AT - TIMES.pollMs);
    assert.equal(files.writable, false);
    clock.set(clock.now() - 2 * 86_400_000);
    await clock.pass(TIMES.pollMs);
    assert.equal(files.writable, true);
  });

  it("a lock of another boot of this machine is taken over by its age, at once", async () => {
    await left();
    for (const machine of [{ machine: "a boot before" }, {}]) {
      const text = JSON.stringify({ token: "t", pid: 1, host: hostname(), ...machine, heartbeat: 0 });
      await put(text, 4 * TIMES.staleMs - 1_000);
      const fresh = await storage().open("ses_1");
      assert.equal(fresh.writable, false, "it may live");
      await fresh.close();
      await put(text, 4 * TIMES.staleMs + 1_000);
      const files = await storage().open("ses_1");
      assert.equal(files.writable, true);
      await files.close();
    }
  });

  it("a session with a lock of another machine is removed only when that one stands still", async () => {
    await left();
    const foreign = { token: "t", pid: 1, host: "elsewhere", machine: "other", heartbeat: 0 };
    const beat = () => put(JSON.stringify({ ...foreign, heartbeat: foreign.heartbeat++ }));
    const remove = () => {
      const asked: { answer?: string } = {};
      storage()
        .remove("ses_1")
        .then(
          () => Object.assign(asked, { answer: "removed" }),
          error => Object.assign(asked, { answer: error.code }),
        );
      return asked;
    };
    await beat();
    const refused = remove();
    // Its own looks, and whoever waits for them.
    await clock.pass(TIMES.pollMs, 2);
    await beat();
    assert.equal(await clock.until("an answer", () => refused.answer), "IN_USE");
    const removed = remove();
    await clock.pass(LEFT_AT - TIMES.pollMs, 2);
    assert.equal(removed.answer, undefined);
    await clock.advance(TIMES.pollMs);
    await eventually("the look that takes it", () => clock.calls > 0 || removed.answer);
    assert.equal(await clock.until("an answer", () => removed.answer), "removed");
    await assert.rejects(storage().open("ses_1"), { code: "NOT_FOUND" });
  });

  it("a lock without sense is one that was left, in time", async () => {
    await left();
    for (const text of ["", "}{ \u0000", "[]", "x".repeat(5_000_000)]) {
      await put(text);
      const files = await storage().open("ses_1");
      await clock.pass(LEFT_AT - TIMES.pollMs);
      assert.equal(files.writable, false);
      await clock.pass(TIMES.pollMs);
      assert.equal(files.writable, true);
      await files.close();
    }
  });

  it("one that nobody can read, and that nobody writes any more, holds no program back", async () => {
    await left();
    for (const text of ["", "garbage", "[]", "x".repeat(100_000)]) {
      await put(text, TIMES.staleMs - 1_000);
      const fresh = await storage().open("ses_1");
      assert.equal(fresh.writable, false, "it may have been written this moment");
      await fresh.close();
      await put(text, TIMES.staleMs + 1_000);
      const files = await storage().open("ses_1");
      assert.equal(files.writable, true, text.slice(0, 9));
      await files.close();
    }
  });

  it("one who died while taking over stops nobody, also where the clock was set back since", async () => {
    await left();
    await put("");
    await put("", -86_400_000, join(folder, "sessions", "ses_1", "lock.takeover"));
    const files = await keep(storage().open("ses_1"));
    await clock.pass(LEFT_AT);
    assert.equal(files.writable, false, "another may be taking it over");
    await clock.pass(TIMES.pollMs);
    assert.equal(files.writable, true);
  });

  it("of many that wait, one gets it", async () => {
    const { child } = await start(HOLD);
    const waiting = await Promise.all(Array.from({ length: 8 }, () => keep(storage().open("ses_1"))));
    await kill(child);
    await clock.pass(TIMES.pollMs * 5, waiting.length);
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
    await rm(lockFile);
    await clock.pass(TIMES.pollMs);
    assert.deepEqual([changes, files.writable], [[false, true], true]);
    await files.append("history.jsonl", "three\n");
    assert.equal(await files.read("history.jsonl"), "one\nthree\n");
  });

  it("beats", async () => {
    await keep(storage().create("ses_1"));
    const beat = async () => JSON.parse(await readFile(lockFile, "utf8")).heartbeat;
    assert.equal(await beat(), clock.now());
    await clock.pass(TIMES.heartbeatMs);
    assert.equal(await beat(), clock.now());
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
