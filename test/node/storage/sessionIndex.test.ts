/** The list of many sessions, by what was last found of them: it says what a storage without that would. */
import assert from "node:assert/strict";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSystem } from "../../../src/node/fileSystem";
import { nodeFileSystem } from "../../../src/node/fileSystem";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { FakeClock } from "../../fakes/clock";

const MANY = 130;
const HOUR = 3_600_000;

describe("the index of many sessions", () => {
  let root: string;
  let sessions: string;
  let index: string;

  const header = (sessionId: string) =>
    `${JSON.stringify({ kind: "header", version: 1, sessionId, created: 5, archives: [] })}\n`;
  const said = (seq: number, text: string) =>
    `${JSON.stringify({
      ...{ kind: "message", seq, ts: seq },
      message: { id: `m${seq}`, role: "user", parts: [{ type: "text", text }], metadata: { turn: seq } },
    })}\n`;
  const at = (id: string, name: string) => join(sessions, id, name);
  const idOf = (n: number) => `ses-${String(n).padStart(3, "0")}`;

  async function put(n: number, title = `Session ${n}`): Promise<void> {
    const id = idOf(n);
    await mkdir(join(sessions, id, "blobs"), { recursive: true });
    await writeFile(at(id, "history.jsonl"), header(id) + said(n + 1, `ask ${n}`));
    await writeFile(at(id, "blobs/a"), "x".repeat(n));
    await writeMeta(id, { title, updated: 1_000 + n });
  }
  const writeMeta = (id: string, { title, updated }: { title: string; updated: number }) =>
    writeFile(at(id, "meta.json"), JSON.stringify({ id, title, created: 5, updated, turns: 1, cost: 0.5 }));

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "strata-index-"));
    sessions = join(root, "sessions");
    index = join(sessions, ".index.jsonl");
    for (let n = 1; n <= MANY; n += 1) await put(n);
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Paths of what is read. */
  function counting(): { fs: FileSystem; read: string[] } {
    const read: string[] = [];
    const readFile = (path: string) => {
      read.push(path);
      return nodeFileSystem.readFile(path);
    };
    const fs = { ...nodeFileSystem, readFile };
    return { fs, read };
  }
  const list = (fs?: FileSystem) => new NodeStorage(root, {}, fs).list();

  /** Without an index. */
  async function afresh() {
    await rename(index, `${index}.old`).catch(() => undefined);
    const found = { list: await list(), usage: await new NodeStorage(root).usage() };
    await rename(`${index}.old`, index).catch(() => undefined);
    return found;
  }

  it("is read in their place, for its owner alone", async () => {
    const first = await list();
    assert.equal(first.length, MANY);
    assert.equal(first[0]?.title, `Session ${MANY}`);
    assert.equal((await stat(index)).mode & 0o777, 0o600);
    const { fs, read } = counting();
    assert.deepEqual(await list(fs), first);
    assert.deepEqual(read, [index]);
    const before = await stat(index);
    await list();
    assert.equal((await stat(index)).mtimeMs, before.mtimeMs, "nothing new is not written");
  });

  it("is read once, until another process writes it; a few that are new are looked at each time", async () => {
    await list();
    const { fs, read } = counting();
    const storage = new NodeStorage(root, {}, fs);
    await storage.list();
    await storage.list();
    assert.deepEqual(read, [index]);
    const before = await stat(index);
    await put(3, "Renamed");
    for (let time = 1; time <= 2; time += 1)
      assert.equal((await storage.list()).find(({ id }) => id === idOf(3))?.title, "Renamed");
    assert.equal((await stat(index)).mtimeMs, before.mtimeMs, "a few are not worth it");
    for (let n = 2; n <= 40; n += 1) await put(MANY + n);
    assert.equal((await list()).length, MANY + 39);
    read.length = 0;
    assert.equal((await storage.list()).length, MANY + 39);
    assert.deepEqual(read, [index]);
  });

  const compacted = { cursor: "m7", time: 8, version: 2 };
  const writeCompacted = async (n: number) =>
    writeFile(
      at(idOf(n), "meta.json"),
      JSON.stringify({ id: idOf(n), title: "Long", created: 5, updated: 9_000 + n, turns: 40, compacted }),
    );

  it("keeps all that a list has of each", async () => {
    await writeCompacted(30);
    await writeFile(
      at(idOf(31), "meta.json"),
      JSON.stringify({ id: idOf(31), title: "Free", created: 5, updated: 1, turns: 1, cost: 0 }),
    );
    const first = await list();
    assert.deepEqual(first.find(({ id }) => id === idOf(30))?.compacted, compacted);
    assert.equal(first.find(({ id }) => id === idOf(31))?.cost, 0);
    const { fs, read } = counting();
    assert.deepEqual(await list(fs), first);
    assert.deepEqual(read, [index]);
  });

  const meanwhile: Record<string, () => Promise<unknown>> = {
    "begins a session": () => put(MANY + 1),
    "goes on with one": async () => {
      await appendFile(at(idOf(4), "history.jsonl"), said(9, "more"));
      await writeMeta(idOf(4), { title: "Renamed", updated: 9_000 });
    },
    "goes on with one, and has not told its list yet": () =>
      appendFile(at(idOf(5), "history.jsonl"), said(9_999, "more")),
    "compacts one": async () => {
      await appendFile(at(idOf(6), "history.jsonl"), said(9_999, "more"));
      await writeCompacted(6);
    },
    "removes one": () => new NodeStorage(root).remove(idOf(7)),
    "lists them": () => list(),
    "measures them": () => new NodeStorage(root).usage(),
    "writes an index that knows nothing of half of them": async () => {
      const [first = "", rows = ""] = (await readFile(index, "utf8")).split("\n");
      await writeFile(index, `${first}\n${JSON.stringify(JSON.parse(rows).slice(60))}\n`);
    },
    "leaves an index half written": async () => writeFile(index, (await readFile(index, "utf8")).slice(0, -500)),
  };
  const alsoAfter = ["begins a session", "compacts one", "leaves an index half written"];
  for (const [name, act] of Object.entries(meanwhile))
    for (const when of alsoAfter.includes(name) ? ["before", "after"] : ["before"])
      it(`is right with the next list when another process ${name}, ${when} it is written`, async () => {
        await list();
        // Too many to be looked at again each time.
        for (let n = 2; n <= 40; n += 1) await put(MANY + n);
        let isOver = false;
        const write: FileSystem["rename"] = async (...names) => {
          const once = async () => {
            if (isOver) return;
            isOver = true;
            await act();
          };
          if (when === "before") await once();
          await nodeFileSystem.rename(...names);
          if (when === "after") await once();
        };
        await list({ ...nodeFileSystem, rename: write });
        assert.ok(isOver);
        for (const found of [await list(), await list()]) assert.deepEqual(found, (await afresh()).list);
        assert.deepEqual(await new NodeStorage(root).usage(), (await afresh()).usage);
      });

  const changes: Record<string, () => Promise<unknown>> = {
    "a new session": () => put(MANY + 1),
    "one that is gone": () => rm(join(sessions, idOf(3)), { recursive: true }),
    "a log that grew, with a newer meta.json": async () => {
      await appendFile(at(idOf(4), "history.jsonl"), said(9, "more"));
      await writeMeta(idOf(4), { title: "Renamed", updated: 9_000 });
    },
    "a log that grew after a crash": () => appendFile(at(idOf(5), "history.jsonl"), said(9_999, "more")),
    "a log of the same length at another time": async () => {
      await writeFile(at(idOf(6), "history.jsonl"), header(idOf(6)) + said(7, "asK 6"));
      await rm(at(idOf(6), "meta.json"));
    },
    "a log that was cut": () => writeFile(at(idOf(7), "history.jsonl"), header(idOf(7))),
    "an older log, from a backup": async () => {
      await writeFile(at(idOf(8), "history.jsonl"), header(idOf(8)) + said(2, "restored"));
      await utimes(at(idOf(8), "history.jsonl"), 1_000, 1_000);
    },
    "a log that is no file any more": async () => {
      await rm(at(idOf(9), "history.jsonl"));
      await mkdir(at(idOf(9), "history.jsonl"));
    },
    "a session whose folder another took": async () => {
      await rm(join(sessions, idOf(10)), { recursive: true });
      await rename(join(sessions, idOf(11)), join(sessions, idOf(10)));
    },
    "an index that is gone": () => rm(index),
    "an index that is empty": () => writeFile(index, ""),
    "an index that is cut": async () => writeFile(index, (await readFile(index, "utf8")).slice(0, 2_000)),
    "an index of something else": () => writeFile(index, '{"format":99}\n{"a":1}\n'),
    "an index of an earlier version": async () => {
      await writeCompacted(12);
      const [, rows = ""] = (await readFile(index, "utf8")).split("\n");
      const short = JSON.parse(rows).map((row: unknown[]) => row.slice(0, 11));
      await writeFile(index, `{"format":1,"measured":1,"bytes":1}\n${JSON.stringify(short)}\n`);
    },
    "an index of binary": () => writeFile(index, Buffer.alloc(3_000, 255)),
    "rows of nonsense": async () => {
      const [first = ""] = (await readFile(index, "utf8")).split("\n");
      const rows = [
        null,
        7,
        [],
        [idOf(1)],
        [idOf(2), "x", 1, 1],
        [idOf(3), 1, 1, 1, null, 0, {}, 1],
        ["../x", 1, 1, 1, 1, 0],
      ];
      await writeFile(index, `${first}\n${JSON.stringify(rows)}\n`);
    },
    "rows of sessions that are not there": async () => {
      const [first = "", rows = ""] = (await readFile(index, "utf8")).split("\n");
      await writeFile(
        index,
        `${first}\n${JSON.stringify([...JSON.parse(rows), ["gone", 1, 1, 1, 5, 0, "t", 1, 1, 1, null]])}\n`,
      );
    },
    "an index that is a folder": async () => {
      await rm(index);
      await mkdir(index);
    },
  };
  for (const [name, change] of Object.entries(changes))
    it(`says what the folders say after ${name}`, async () => {
      await list();
      await new NodeStorage(root).usage();
      await change();
      for (const found of [await list(), await list()]) assert.deepEqual(found, (await afresh()).list);
      assert.deepEqual(await new NodeStorage(root).usage(), (await afresh()).usage);
    });

  it("takes a meta.json that comes after the log was read", async () => {
    const id = idOf(20);
    await rm(at(id, "meta.json"));
    assert.equal((await list()).find(meta => meta.id === id)?.title, "ask 20");
    const { fs, read } = counting();
    await list(fs);
    assert.deepEqual(read, [index], "a crashed session is not read anew each time");
    await writeMeta(id, { title: "Later", updated: 5_000 });
    assert.deepEqual((await list())[0], { id, title: "Later", created: 5, updated: 5_000, turns: 1, cost: 0.5 });
  });

  it("is made without where nothing can be written", async () => {
    const full = {
      ...nodeFileSystem,
      write: () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
    };
    assert.equal((await list(full)).length, MANY);
    assert.deepEqual(
      (await readdir(sessions)).filter(name => name.startsWith(".")),
      [],
    );
    await chmod(sessions, 0o500);
    try {
      assert.equal((await list()).length, MANY);
    } finally {
      await chmod(sessions, 0o700);
    }
  });

  it("is whole when several windows write it, and what a killed one left goes", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => new NodeStorage(root).list()));
    for (const found of all) assert.equal(found.length, MANY);
    await writeFile(join(sessions, ".0b1f-left.tmp"), "half");
    await new NodeStorage(root).usage();
    assert.deepEqual(
      (await readdir(sessions)).filter(name => name.startsWith(".")),
      [".index.jsonl"],
    );
    assert.deepEqual(await list(), (await afresh()).list);
  });

  it("keeps nothing of a session that was removed", async () => {
    await put(50, "A secret plan");
    await list();
    assert.match(await readFile(index, "utf8"), /A secret plan/);
    await new NodeStorage(root).remove(idOf(50));
    assert.doesNotMatch(await readFile(index, "utf8"), /A secret plan/);
  });

  it("is not made of few", async () => {
    for (let n = 90; n <= MANY; n += 1) await rm(join(sessions, idOf(n)), { recursive: true });
    assert.equal((await list()).length, 89);
    assert.deepEqual(
      (await readdir(sessions)).filter(name => name.startsWith(".")),
      [],
    );
  });

  it("has about what all take, without looking for some minutes", async () => {
    const clock = new FakeClock();
    const storage = () => new NodeStorage(root, {}, nodeFileSystem, clock);
    const taken = (await storage().usage()).reduce((sum, { bytes }) => sum + bytes, 0);
    await put(MANY + 1);
    assert.equal(await storage().roughBytes(), taken);
    clock.advance(HOUR);
    const now = await storage().roughBytes();
    assert.ok(now > taken);
    assert.equal(
      now,
      (await afresh()).usage.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  });
});
