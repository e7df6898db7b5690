/** The fakes keep the contracts that the real adapters keep: what is tested against them holds. */
import assert from "node:assert/strict";
import { FakeClock } from "../fakes/clock";
import { FakeCode } from "../fakes/code";
import { FakeDiagnostics, findsBad } from "../fakes/diagnostics";
import { MemoryFiles } from "../fakes/files";
import { MemoryDiskStates } from "../fakes/rewinding";
import { MemorySearch } from "../fakes/search";
import { MemoryDisk, MemoryStorage } from "../fakes/storage";
import { MemoryUnsaved } from "../fakes/unsaved";
import { clockContract } from "./clock";
import { codeContract } from "./code";
import { diagnosticsContract } from "./diagnostics";
import { diskStatesContract } from "./diskStates";
import { editsContract } from "./edits";
import { filesContract } from "./files";
import { searchContract } from "./search";
import { storageContract } from "./storage";
import { unsavedContract } from "./unsaved";

clockContract("FakeClock", () => {
  const clock = new FakeClock();
  return { clock, pass: ms => clock.advance(ms) };
});

describe("the clock that tests move", () => {
  it("tells a wall clock that was set from the time that passes", async () => {
    const clock = new FakeClock(1_000);
    let woken = false;
    void clock.sleep(10).then(() => {
      woken = true;
    });
    clock.set(500_000);
    assert.deepEqual([clock.now(), clock.steady()], [500_000, 0]);
    await clock.advance(9);
    assert.equal(woken, false);
    await clock.advance(1);
    assert.deepEqual([woken, clock.now(), clock.steady()], [true, 500_010, 10]);
  });

  it("waits until somebody sleeps, tells sleepers from calls, and goes from one to the next", async () => {
    const clock = new FakeClock();
    const looks: number[] = [];
    const loop = async () => {
      for (let look = 0; look < 3; look++) {
        await new Promise(resolve => setImmediate(resolve));
        await clock.sleep(100);
        looks.push(clock.steady());
      }
    };
    const looking = loop();
    clock.after(1_000, () => looks.push(-1));
    assert.deepEqual([clock.waiting, clock.calls], [0, 1]);
    await clock.asleep();
    assert.deepEqual([clock.waiting, clock.calls], [1, 1]);
    await clock.pass(250, 2);
    assert.deepEqual([looks, clock.steady()], [[100, 200], 250]);
    await clock.until("the call", () => looks.includes(-1));
    assert.deepEqual([looks, clock.steady()], [[100, 200, 300, -1], 1_000]);
    await looking;
  });
});

const filesWorld = async (rootNames: readonly string[]) => {
  const files = new MemoryFiles(Object.fromEntries(rootNames.map(name => [name, {}])));
  const atRoot = (path: string) =>
    rootNames.some(name => path.startsWith(`${name}:`)) ? path : `${rootNames[0]}:${path}`;
  return {
    files,
    outside: "/elsewhere",
    put: async (path: string, content: string | Uint8Array) => files.put(atRoot(path), content),
    bytes: async (path: string) => files.bytesOnDisk(atRoot(path)),
    remove: async (path: string) => files.remove(atRoot(path)),
    mkdir: async (path: string) => files.mkdir(atRoot(path)),
    dispose: async () => undefined,
  };
};

filesContract("MemoryFiles", filesWorld);

editsContract(
  "MemoryFiles",
  async () => {
    const world = await filesWorld(["app"]);
    return { ...world, search: new MemorySearch(world.files) };
  },
  { editor: false, readOnly: false },
);

unsavedContract("MemoryUnsaved", async rootNames => {
  const world = await filesWorld(rootNames);
  const { files } = world;
  const unsaved = new MemoryUnsaved(files);
  return {
    ...world,
    unsaved,
    type: async (path, text) => files.edit(path, text + (files.onDisk(path) ?? "")),
    inEditor: path => files.inEditor(path),
    saves: async path => unsaved.personSaves(path),
    makeReadOnly: async path => void unsaved.failing.set(path, "it is read-only"),
  };
});

diskStatesContract("MemoryDiskStates", async () => {
  const files = new MemoryFiles({ app: {} });
  return {
    ...{ disk: new MemoryDiskStates(files), at: name => `/ws/app/${name}` },
    write: async (name, text) => files.put(name, text),
    read: async name => files.onDisk(name),
    dispose: async () => undefined,
  };
});

searchContract("MemorySearch", async (tree, ignore) => {
  const files = new MemoryFiles({ app: tree });
  return { files, search: new MemorySearch(files, ignore), dispose: async () => undefined };
});

codeContract("FakeCode", async tree => {
  const files = new MemoryFiles({ app: tree });
  return {
    ...{ files, code: new FakeCode(files) },
    type: async (path, text) => files.edit(path, text),
    dispose: async () => undefined,
  };
});

diagnosticsContract("FakeDiagnostics", async tree => {
  const files = new MemoryFiles({ app: tree });
  const diagnostics = new FakeDiagnostics(files, findsBad);
  return {
    ...{ files, diagnostics },
    async show(path) {
      files.edit(path);
      await diagnostics.check(path);
    },
    dispose: async () => undefined,
  };
});

storageContract("MemoryStorage", async () => {
  const disk = new MemoryDisk();
  return {
    storage: new MemoryStorage(disk),
    other: new MemoryStorage(disk),
    put: async (id, name, text) => disk.put(id, name, text),
    dispose: async () => undefined,
  };
});

describe("MemoryStorage: faults", () => {
  const start = async () => {
    const disk = new MemoryDisk();
    const files = await new MemoryStorage(disk).create("ses_1");
    await files.append("history.jsonl", "one\n");
    return { disk, files };
  };

  it("an operation that fails changes nothing, and the next one works", async () => {
    const { disk, files } = await start();
    disk.failAt(0, { code: "DENIED" });
    await assert.rejects(files.append("history.jsonl", "two\n"), { code: "DENIED" });
    await files.append("history.jsonl", "three\n");
    assert.equal(disk.text("ses_1", "history.jsonl"), "one\nthree\n");
    assert.deepEqual(disk.operations, ["create", ...Array(3).fill("append history.jsonl")]);
  });

  it("a full disk refuses every write until there is space", async () => {
    const { disk, files } = await start();
    disk.full = true;
    await assert.rejects(files.append("history.jsonl", "two\n"), { code: "DISK_FULL" });
    await assert.rejects(files.blobWriter().write(Buffer.from("x")), { code: "DISK_FULL" });
    disk.full = false;
    await files.append("history.jsonl", "two\n");
  });

  it("a torn write leaves its beginning, and the process is gone", async () => {
    const { disk, files } = await start();
    disk.failAt(3, { torn: 2 });
    await assert.rejects(files.append("history.jsonl", "two\n"), { code: "IO" });
    await assert.rejects(files.append("history.jsonl", "three\n"), { code: "IO" });
    const again = await new MemoryStorage(disk).open("ses_1");
    assert.deepEqual([again.writable, await again.read("history.jsonl")], [true, "one\ntw"]);
  });

  it("a lock that is stolen is lost, and the listener hears of it", async () => {
    const { disk, files } = await start();
    const changes: boolean[] = [];
    files.onLockChange(writable => changes.push(writable));
    disk.steal("ses_1");
    await assert.rejects(files.append("history.jsonl", "two\n"), { code: "LOST_LOCK" });
    assert.deepEqual([changes, files.writable], [[false], false]);
  });
});
