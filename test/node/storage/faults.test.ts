/** A disk that refuses, at each call in turn, and a session that another window takes at the worst moment. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type SessionFiles, StorageError } from "../../../src/core/ground/ports";
import { header } from "../../contract/logLines";
import { openToWrite, SESSION, SESSION_FOLDER, storageOn } from "../../fakes/disk/crashes";
import { ModelDisk, type OnCall } from "../../fakes/disk/modelDisk";
import { systemError } from "../../fakes/disk/systemError";

const HEADER = header(SESSION, 1);
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/** A session with a log and an archive on a disk whose calls can be watched from here on. */
async function start() {
  const disk = new ModelDisk();
  let watch: OnCall = () => undefined;
  let calls = 0;
  const storage = storageOn(disk, call => watch({ ...call, number: ++calls }), { waits: true });
  const files = await storage.create(SESSION);
  await files.append("history.jsonl", HEADER);
  await files.sync();
  await files.replace("archive/0001.jsonl", "archived\n");
  const onCall = (listener: OnCall) => {
    calls = 0;
    watch = listener;
  };
  const temporary = () => [...disk.files.keys()].filter(path => path.endsWith(".tmp"));
  return { disk, storage, files, onCall, temporary };
}
type World = Awaited<ReturnType<typeof start>>;

interface Shown {
  log: string | undefined;
  archives: (string | undefined)[];
}

/** What stands in the files that tests write, for whoever opens the session. */
async function shown(files: SessionFiles): Promise<Shown> {
  const archives = await files.list("archive");
  return {
    log: await files.read("history.jsonl"),
    archives: [...archives, ...(await Promise.all(["0001", "0002"].map(name => files.read(`archive/${name}.jsonl`))))],
  };
}

/**
 * Lets each call of `write` fail once: either it resolves, or all is as before, with nothing temporary; the next write works,
 * and a power cut at the end takes nothing of it. Where nobody knows what is on disk, it is as before or as after, and nothing
 * more is written.
 */
async function check(write: (files: SessionFiles) => Promise<unknown>): Promise<void> {
  const example = await start();
  const before = await shown(example.files);
  await write(example.files);
  const after = await shown(example.files);
  for (const code of ["ENOSPC", "EIO"]) {
    for (let failing = 1, reached = true; reached; failing++) {
      const world = await start();
      const { files, onCall, temporary } = world;
      reached = false;
      onCall(({ number }) => {
        if (number !== failing) return;
        reached = true;
        throw systemError(code);
      });
      const error: unknown = await write(files).then(
        () => undefined,
        failure => failure,
      );
      onCall(() => undefined);
      const words = `${code} at call ${failing}`;
      if (error) assert.ok(error instanceof StorageError, words);
      if (error) assert.deepEqual(temporary(), [], words);
      const now = await shown(files);
      const isUnknown = /open the session again/.test(String(error));
      if (!isUnknown) assert.deepEqual(now, error ? before : after, words);
      const next = files.append("history.jsonl", "next\n").then(() => files.sync());
      if (isUnknown) await assert.rejects(next, /open the session again/);
      else await next;
      await checkPowerCuts(world, isUnknown ? [before, after] : [{ ...now, log: `${now.log}next\n` }], words);
    }
  }
}

async function checkPowerCuts({ disk }: World, either: readonly Shown[], words: string): Promise<void> {
  for (const { contents } of disk.powerCuts(undefined, 32)) {
    const files = await openToWrite(storageOn(new ModelDisk(contents)));
    const left = await shown(files);
    if (!either.slice(1).some(expected => isDeepStrictEqual(left, expected))) assert.deepEqual(left, either[0], words);
    await files.close();
  }
}

describe("a disk that refuses a call", () => {
  it("while appending", () => check(files => files.append("history.jsonl", "line\n")));
  it("while a log is cut", () => check(files => files.truncate("history.jsonl", 10)));
  it("while a log is replaced", () => check(files => files.replace("history.jsonl", `${HEADER}new\n`)));
  it("while an archive is replaced", () => check(files => files.replace("archive/0001.jsonl", "new\n")));
  it("while a new archive is written", () => check(files => files.replace("archive/0002.jsonl", "new\n")));
  it("while a blob is stored", () => check(files => files.putBlob(sha("blob"), "blob")));
  it("while a state of a file is stored", () => check(files => files.putSnapshot(sha("state"), "state")));

  it("leaves no blob and no state of a file that is not whole", async () => {
    for (let failing = 1, reached = true; reached; failing++) {
      const { disk, files, onCall } = await start();
      reached = false;
      onCall(({ number }) => {
        if (number !== failing) return;
        reached = true;
        throw systemError("EIO");
      });
      await files.putBlob(sha("blob"), "blob").catch(() => undefined);
      await files.putSnapshot(sha("state"), "state").catch(() => undefined);
      onCall(() => undefined);
      await files.putBlob(sha("blob"), "blob");
      await files.putSnapshot(sha("state"), "state");
      for (const { contents } of disk.powerCuts()) {
        const again = await openToWrite(storageOn(new ModelDisk(contents)));
        assert.equal(String(Buffer.from((await again.getBlob(sha("blob"))) ?? [])), "blob", `call ${failing}`);
        assert.equal(await again.getSnapshot(sha("state")), "state", `call ${failing}`);
        await again.close();
      }
    }
  });

  it("to be synced: it is not asked twice, nothing is written behind it, and the next one reads what stands there", async () => {
    for (const [failing, wanted] of [
      ["fdatasync", 1],
      ["syncFolder", 2],
    ] as const) {
      const { storage, files, onCall } = await start();
      await files.append("history.jsonl", "told\n");
      await files.append("requests.jsonl", "sent\n");
      let asked = 0;
      onCall(({ name }) => {
        if (name === failing && ++asked <= wanted) throw systemError("EIO");
      });
      await assert.rejects(files.sync(), /open the session again/);
      const first = asked;
      await assert.rejects(files.sync(), { name: "StorageError", code: "IO" });
      await assert.rejects(files.append("history.jsonl", "more\n"), /open the session again/);
      await assert.rejects(files.replace("history.jsonl", HEADER), /open the session again/);
      await files.close();
      assert.equal(asked, first);
      onCall(() => undefined);
      const again = await openToWrite(storage);
      assert.equal(await again.read("history.jsonl"), `${HEADER}told\n`);
      await again.append("history.jsonl", "next\n");
      await again.sync();
      await again.close();
    }
  });

  it("that fills up with each byte: what does not fit is taken back whole", async () => {
    const text = "twelve bytes";
    for (let free = 0; free <= text.length; free++) {
      const { disk, files } = await start();
      disk.free = free;
      const fits = free === text.length;
      const append = files.append("history.jsonl", text);
      if (fits) await append;
      else await assert.rejects(append, { name: "StorageError", code: "DISK_FULL" });
      disk.free = free;
      const replace = files.replace("archive/0001.jsonl", text);
      if (fits) await replace;
      else await assert.rejects(replace, { name: "StorageError", code: "DISK_FULL" });
      assert.equal(await files.read("history.jsonl"), fits ? HEADER + text : HEADER);
      assert.equal(await files.read("archive/0001.jsonl"), fits ? text : "archived\n");
    }
  });
});

describe("a session that another window takes while this one replaces its log", () => {
  const LOST = { name: "StorageError", code: "LOST_LOCK" };
  /** The other window takes the session and writes, right before the call that is named. */
  const takenAt = async (call: string) => {
    const world = await start();
    let other: SessionFiles | undefined;
    world.onCall(async ({ name, path }) => {
      if (other || name !== call || (name === "rename" && !path.endsWith(".tmp"))) return;
      other = await openToWrite(storageOn(world.disk));
      await other.append("history.jsonl", "of the other\n");
    });
    const replaced = world.files.replace("history.jsonl", "new\n");
    return { ...world, replaced, other: () => other };
  };

  it("notices it right before the new file takes the place", async () => {
    const { replaced, other, files, temporary } = await takenAt("fdatasync");
    await assert.rejects(replaced, LOST);
    assert.equal(await other()?.read("history.jsonl"), `${HEADER}of the other\n`);
    assert.deepEqual([files.writable, temporary()], [false, []]);
    // It goes on in the other's file when it gets the session back.
    const back = new Promise(resolve => files.onLockChange(resolve));
    await other()?.close();
    assert.equal(await back, true);
    await files.append("history.jsonl", "again\n");
    await files.replace("archive/0002.jsonl", "x");
    assert.equal(await files.read("history.jsonl"), `${HEADER}of the other\nagain\n`);
  });

  it("finds nothing to rename where it was too late to notice", async () => {
    const { replaced, other, temporary } = await takenAt("rename");
    await assert.rejects(replaced, { name: "StorageError" });
    assert.equal(await other()?.read("history.jsonl"), `${HEADER}of the other\n`);
    assert.deepEqual(temporary(), []);
    await other()?.append("history.jsonl", "more\n");
    assert.equal(await other()?.read("history.jsonl"), `${HEADER}of the other\nmore\n`);
  });
});

describe("opening a session", () => {
  const obstacles: [code: string, words: RegExp][] = [
    ["ENOSPC", /The disk is full, or your quota is used up\. Free some space/],
    ["EROFS", /file system is read-only: mount it/],
    ["EACCES", /Permission denied: give your user/],
    ["EMFILE", /Too many files are open.*Close some programs/],
    ["ENFILE", /Too many files are open.*Close some programs/],
    ["EIO", /The disk failed.*Check it/],
    ["EWHATEVER", /EWHATEVER/],
  ];
  for (const [code, words] of obstacles)
    it(`that cannot be written says why, and no other window is blamed: ${code}`, async () => {
      const { disk, files } = await start();
      await files.close();
      let refuses = true;
      const storage = storageOn(disk, ({ path }) => {
        if (refuses && path.includes("lock")) throw systemError(code);
      });
      const again = await storage.open(SESSION);
      assert.equal(again.writable, false);
      for (const expected of [words, /This session can only be read now\. /])
        assert.match(again.obstacle ?? "", expected);
      assert.equal(await again.read("history.jsonl"), HEADER);
      refuses = false;
      await new Promise(resolve => again.onLockChange(resolve));
      assert.deepEqual([again.writable, again.obstacle], [true, undefined]);
      await again.close();
    });

  it("reads no archive, and looks at no blob", async () => {
    const { disk, files } = await start();
    await files.putBlob(sha("blob"), "blob");
    await files.close();
    const seen: string[] = [];
    const storage = storageOn(disk, ({ name, path }) => {
      if (name === "readFile" || name === "stat" || name === "open") seen.push(path);
    });
    await storage.list();
    const again = await openToWrite(storage);
    assert.equal(await again.read("history.jsonl"), HEADER);
    await again.append("history.jsonl", "next\n");
    const inFolders = seen.filter(path => path.slice(SESSION_FOLDER.length + 1).includes("/"));
    assert.ok(seen.length > 0);
    assert.deepEqual(inFolders, []);
  });
});
