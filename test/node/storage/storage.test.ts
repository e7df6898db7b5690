import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { configDir, defaultStorageDir } from "../../../src/node/stateFolders";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { storageContract } from "../../contract/storage";
import { pluck } from "../../fakes/pluck";
import { temporaryFolder } from "../../fakes/temporary";

/** Short, so that tests do not wait; far enough apart to tell a living window from a dead one. */
const TIMES = { heartbeatMs: 50, staleMs: 400, pollMs: 20 };

storageContract("NodeStorage", async () => {
  const folder = temporaryFolder("storage");
  return {
    storage: new NodeStorage(folder, TIMES),
    other: new NodeStorage(folder, TIMES),
    put: (id, name, text) => writeFile(join(folder, "sessions", id, name), text),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});

describe("NodeStorage", () => {
  let folder: string;
  let session: string;
  beforeEach(async () => {
    folder = temporaryFolder("storage");
    session = join(folder, "sessions", "ses_1");
  });
  const header = '{"kind":"header","version":1,"sessionId":"ses_1","created":1,"archives":[]}\n';

  const started = async (storage = new NodeStorage(folder, TIMES)) => {
    const files = await storage.create("ses_1");
    await files.append("history.jsonl", header);
    return { storage, files };
  };

  it("everything is readable by its owner alone", async () => {
    const { storage, files } = await started(new NodeStorage(join(folder, "below", "it"), TIMES));
    await files.putBlob("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "hello");
    await files.putSnapshot("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "hello");
    await files.replace("history.broken.jsonl", "x");
    await files.replace("archive/0001.jsonl", "x");
    await storage.writeMeta({ id: "ses_1", title: "", created: 1, updated: 1, turns: 0 });
    const modes: string[] = [];
    for (const entry of await readdir(join(folder, "below"), { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      modes.push(`${(mode & 0o777).toString(8)} ${entry.isDirectory() ? "folder" : "file"}`);
    }
    await files.close();
    assert.deepEqual([...new Set(modes)].sort(), ["600 file", "700 folder"]);
  });

  it("says where a log lies, for programs of the person's own", async () => {
    const { files } = await started();
    assert.equal(files.pathOf?.("history.jsonl"), join(session, "history.jsonl"));
    assert.equal(await readFile(join(session, "history.jsonl"), "utf8"), header);
    await files.close();
  });

  it("folders of sessions that are there already are closed to others, the folder above stays as it is", async function () {
    if (process.platform === "win32") this.skip();
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    const check = async (use: (storage: NodeStorage) => Promise<{ close(): Promise<void> }>) => {
      await mkdir(join(folder, "sessions"), { recursive: true });
      await chmod(folder, 0o755);
      await chmod(join(folder, "sessions"), 0o755);
      const files = await use(new NodeStorage(folder, TIMES));
      assert.deepEqual([await mode(folder), await mode(join(folder, "sessions"))], ["755", "700"]);
      await files.close();
    };
    await check(async storage => (await started(storage)).files);
    await check(storage => storage.open("ses_1"));
  });

  it("a session that is opened to be read leaves no trace", async () => {
    const { storage, files } = await started();
    await files.close();
    await mkdir(join(session, "blobs.unfinished"));
    await writeFile(join(session, "blobs.unfinished", "half"), "of another window");
    const before = await readdir(session, { recursive: true });
    const reader = await storage.open("ses_1", { readOnly: true });
    assert.deepEqual(await readdir(session, { recursive: true }), before);
    await reader.close();
    assert.deepEqual(await readdir(session, { recursive: true }), before);
  });

  it("a closed session leaves its files and no lock, nothing temporary", async () => {
    const { files } = await started();
    await files.replace("history.broken.jsonl", "x");
    const writer = files.blobWriter();
    await writer.write(Buffer.from("half"));
    await writer.discard();
    await files.close();
    assert.deepEqual((await readdir(session)).sort(), ["blobs.unfinished", "history.broken.jsonl", "history.jsonl"]);
    assert.deepEqual(await readdir(join(session, "blobs.unfinished")), []);
  });

  it("removes what a crash left of blobs when it opens the session", async () => {
    const { storage, files: first } = await started();
    await first.blobWriter().write(Buffer.from("never finished"));
    await first.close();
    assert.deepEqual(await readdir(join(session, "blobs.unfinished")), []);
    await writeFile(join(session, "blobs.unfinished", "left"), "by a crash");
    const again = await storage.open("ses_1");
    assert.ok(!(await readdir(session)).includes("blobs.unfinished"));
    await again.close();
  });

  it("removes what a crash left half replaced when it opens the session", async () => {
    const { storage, files: first } = await started();
    await first.replace("archive/0001.jsonl", "x");
    await first.close();
    const left = [".1.tmp", ".lock-1.tmp", "archive/.2.tmp"].map(name => join(session, name));
    for (const path of left) await writeFile(path, "half");
    const reader = await storage.open("ses_1", { readOnly: true });
    assert.deepEqual(await reader.list("archive"), ["0001.jsonl"]);
    await reader.close();
    assert.ok((await readdir(session)).includes(".1.tmp"));
    await (await storage.open("ses_1")).close();
    assert.deepEqual((await readdir(session)).sort(), ["archive", "history.jsonl"]);
    assert.deepEqual(await readdir(join(session, "archive")), ["0001.jsonl"]);
  });

  it("removes no more than the session: what links lead to stays", async function () {
    if (process.platform === "win32") this.skip();
    const { storage, files } = await started();
    await files.close();
    const outside = join(folder, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "history.jsonl"), header);
    await symlink(outside, join(folder, "sessions", "ses_2"));
    await symlink(outside, join(folder, "sessions", ".removed-ses_2"));
    await symlink(outside, join(session, "blobs"));
    assert.equal((await storage.usage()).find(({ id }) => id === "ses_1")?.bytes, header.length);
    await assert.rejects(storage.remove("ses_2"), { code: "IO", message: /is a link/ });
    await storage.remove("ses_1");
    assert.deepEqual(await readdir(outside), ["history.jsonl"]);
    assert.ok(!(await readdir(join(folder, "sessions"))).includes("ses_1"));
  });

  it("a meta.json that is older than the log, damaged or another session's is passed over", async () => {
    const { storage, files } = await started();
    await files.close();
    const meta = (title: string, id = "ses_1") => JSON.stringify({ id, title, created: 1, updated: 2, turns: 1 });
    const future = Date.now() / 1000 + 100;
    const check = async (text: string, seconds: number, title: string) => {
      await writeFile(join(session, "meta.json"), text);
      await utimes(join(session, "meta.json"), seconds, seconds);
      assert.deepEqual(pluck(await storage.list(), "title"), [title]);
    };
    await check(meta("cached"), future, "cached");
    await check(meta("cached"), 1, "");
    await check("{torn", future, "");
    await check(meta("cached", "ses_2"), future, "");
  });

  it("stray files and folders are no sessions", async () => {
    const storage = new NodeStorage(folder, TIMES);
    await mkdir(join(folder, "sessions", "empty"), { recursive: true });
    await mkdir(join(folder, "sessions", ".hidden"));
    await writeFile(join(folder, "sessions", "file"), "");
    assert.deepEqual(await storage.list(), []);
    await assert.rejects(storage.open("empty"), { code: "NOT_FOUND" });
    await assert.rejects(storage.open("file"), { code: "NOT_FOUND" });
  });

  it("a storage folder that cannot be is an error in words", async () => {
    await writeFile(join(folder, "file"), "");
    const storage = new NodeStorage(join(folder, "file"), TIMES);
    await assert.rejects(storage.create("ses_1"), { name: "StorageError", code: "IO" });
    assert.deepEqual(await storage.list(), []);
  });

  describe("where it is", () => {
    const env = { XDG_STATE_HOME: "/state", XDG_CONFIG_HOME: "/config" };

    it("is by workspace, the same for every way to name it", async function () {
      if (process.platform === "win32") this.skip();
      const workspace = join(folder, "my project");
      await mkdir(workspace);
      await symlink(workspace, join(folder, "alias"));
      const dir = defaultStorageDir(workspace, env);
      assert.match(dir, /^\/state\/strata\/workspaces\/[0-9a-f]{12}-my_project$/);
      assert.equal(defaultStorageDir(join(folder, "alias"), env), dir);
      assert.notEqual(defaultStorageDir(folder, env), dir);
      assert.equal(configDir(env), "/config/strata");
      assert.ok(basename(configDir({ XDG_CONFIG_HOME: "relative" })) === "strata");
      assert.ok(!configDir({ XDG_CONFIG_HOME: "relative" }).startsWith("relative"));
    });
  });

  it("the lock says who holds it", async () => {
    const files = await new NodeStorage(folder, TIMES).create("ses_1");
    const lock = JSON.parse(await readFile(join(session, "lock.json"), "utf8"));
    assert.deepEqual([lock.pid, typeof lock.token, typeof lock.host], [process.pid, "string", "string"]);
    await files.close();
  });
});
