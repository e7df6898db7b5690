/** Power cuts and killed processes at every operation of the real storage, on a modelled disk. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SessionFiles } from "../../../src/core/ground/ports";
import { header } from "../../contract/logLines";
import { allCrashStates, everyKill, everyPowerCut, openToWrite, SESSION, type Write } from "../../fakes/disk/crashes";
import type { ModelDisk } from "../../fakes/disk/modelDisk";

const HEADER = header(SESSION, 1);
const line = (name: string) => `${JSON.stringify({ kind: "note", text: `${name} — 中文` })}\n`;
const EARLY = ["r1", "r2", "r3"].map(line);
const LATE = ["r4", "r5"].map(line);
const ARCHIVE = line("r1") + line("r2");
const LIVE = HEADER.replace("[]", '["archive/0001.jsonl"]') + line("r3") + line("compaction");

async function appended(files: SessionFiles, text: string): Promise<void> {
  await files.append("history.jsonl", text);
  await files.sync();
}

async function compaction(files: SessionFiles): Promise<void> {
  await files.replace("archive/0001.jsonl", ARCHIVE);
  await files.replace("history.jsonl", LIVE);
}

async function session(files: SessionFiles): Promise<void> {
  await appended(files, HEADER);
  for (const text of EARLY) await appended(files, text);
  await compaction(files);
  for (const text of LATE) await appended(files, text);
}

/** What a log holds after these writes. */
function logAfter(writes: readonly Write[]): string {
  return writes
    .filter(({ name }) => name === "history.jsonl")
    .reduce((log, { method, text }) => (method === "replace" ? text : log + text), "");
}

/** All that was acknowledged is there, and the new log with its archive, or the old one; behind that, at most one cut-off line. */
async function checkLog(files: SessionFiles, acknowledged: readonly Write[]): Promise<void> {
  const log = (await files.read("history.jsonl")) ?? "";
  const isNew = log.startsWith(LIVE);
  const expected = logAfter(acknowledged);
  if (isNew && !expected.startsWith(LIVE)) assert.equal(log, LIVE);
  else assert.ok(log.startsWith(expected), `${JSON.stringify(log)} does not begin with ${JSON.stringify(expected)}`);
  const whole = [HEADER, ...EARLY, ...LATE].map(text => text.trimEnd());
  const behind = log.slice((isNew && !expected.startsWith(LIVE) ? LIVE : expected).length).split("\n");
  for (const text of behind.slice(0, -1)) assert.ok(whole.includes(text), `a broken line: ${text}`);
  const archived = acknowledged.some(({ name }) => name === "archive/0001.jsonl");
  if (isNew || archived) assert.equal(await files.read("archive/0001.jsonl"), ARCHIVE);
}

function checkTidy(disk: ModelDisk): void {
  const left = [...disk.files.keys()].filter(path => path.endsWith(".tmp") || path.includes("unfinished"));
  assert.deepEqual(left, []);
}

async function checkWritable(files: SessionFiles): Promise<void> {
  const before = (await files.read("history.jsonl")) ?? "";
  await appended(files, "next\n");
  await files.replace("archive/0002.jsonl", "more\n");
  assert.equal(await files.read("history.jsonl"), `${before}next\n`);
  assert.equal(await files.read("archive/0002.jsonl"), "more\n");
}

describe("power cuts", () => {
  it("lose no record, and leave the log of before or after a compaction, whole, with its archive", async () => {
    const states = await allCrashStates(session, async (files, acknowledged, disk) => {
      await checkLog(files, acknowledged);
      checkTidy(disk);
      await checkWritable(files);
    });
    assert.ok(states > 150, `${states} states`);
  });

  it("take nothing that was synced, and of what was only written any part: the rest can be read and written", async () => {
    const states = await allCrashStates(
      async files => {
        await appended(files, HEADER);
        for (const text of EARLY) await files.append("history.jsonl", text);
        await files.append("requests.jsonl", "request\n");
        await files.sync();
        for (const text of LATE) await files.append("history.jsonl", text);
        await files.append("requests.jsonl", "request\n");
      },
      async (files, acknowledged) => {
        const [log = "", requests = ""] = [await files.read("history.jsonl"), await files.read("requests.jsonl")];
        const kept = (name: string) => acknowledged.filter(each => each.name === name).map(({ text }) => text);
        assert.ok(log.startsWith(kept("history.jsonl").join("")));
        assert.ok(requests.startsWith(kept("requests.jsonl").join("")));
        await files.append("history.jsonl", "next\n");
        await files.sync();
        assert.equal(await files.read("history.jsonl"), `${log}next\n`);
      },
    );
    assert.ok(states > 100, `${states} states`);
  });

  for (const [what, put, get] of [
    ["blob", "putBlob", "getBlob"],
    ["state of a file", "putSnapshot", "getSnapshotBytes"],
  ] as const)
    it(`leave every ${what} that a record names, whole, and no part of another`, async () => {
      const texts = ["before the edit\n", "after the edit\n", "before the edit\n"];
      const sha = (text: string) => createHash("sha256").update(text).digest("hex");
      await allCrashStates(
        async files => {
          await appended(files, HEADER);
          for (const text of texts) {
            await files[put](sha(text), text);
            await appended(files, line(sha(text)));
          }
        },
        async (files, acknowledged, disk) => {
          const log = (await files.read("history.jsonl")) ?? "";
          for (const text of texts) {
            const isPut = log.includes(sha(text)) || acknowledged.some(({ name }) => name === sha(text));
            const bytes = await files[get](sha(text));
            if (isPut || bytes) assert.equal(String(Buffer.from(bytes ?? [])), text);
          }
          checkTidy(disk);
        },
      );
    });

  it("leave a session that is removed whole, or not at all", async () => {
    await everyPowerCut<"written" | "removed">(
      async (storage, acknowledge) => {
        const files = await storage.create(SESSION);
        await session(files);
        await files.close();
        acknowledge("written");
        await storage.remove(SESSION);
        acknowledge("removed");
      },
      async (storage, acknowledged, disk) => {
        if (!acknowledged.includes("written")) return;
        const ids = (await storage.list()).map(({ id }) => id);
        await storage.usage();
        if (ids.length === 0) {
          assert.deepEqual([...disk.files.keys()], []);
          return assert.rejects(storage.open(SESSION), { code: "NOT_FOUND" });
        }
        assert.ok(!acknowledged.includes("removed"));
        const files = await openToWrite(storage);
        assert.equal(await files.read("history.jsonl"), LIVE + LATE.join(""));
        assert.equal(await files.read("archive/0001.jsonl"), ARCHIVE);
        await files.close();
      },
    );
  });
});

describe("a process that is killed", () => {
  it("leaves what the next one reads, on disk for good before that one goes on", async () => {
    const states = await everyKill<{ id: string; log: string }>(
      async storage => session(await storage.create(SESSION)),
      async (storage, acknowledge) => {
        const isThere = (await storage.usage()).length > 0;
        const files = isThere ? await openToWrite(storage) : await storage.create("ses_2");
        const before = (await files.read("history.jsonl")) ?? "";
        await appended(files, "next\n");
        acknowledge({ id: files.id, log: `${before}next\n` });
      },
      async (storage, [left]) => {
        const files = await storage.open(left?.id ?? "");
        const log = await files.read("history.jsonl");
        assert.equal(log, left?.log);
        if (log?.startsWith(LIVE)) assert.equal(await files.read("archive/0001.jsonl"), ARCHIVE);
        await files.close();
      },
    );
    assert.ok(states > 50, `${states} states`);
  });

  it("in the middle of a compaction leaves an archive that the next one can name, and nothing temporary", async () => {
    await everyKill<string>(
      async storage => {
        const files = await storage.create(SESSION);
        await appended(files, HEADER);
        await compaction(files);
      },
      async (storage, acknowledge) => {
        if ((await storage.usage()).length === 0) return;
        const files = await openToWrite(storage);
        // an orphan that is adopted
        if ((await files.list("archive")).length === 0) return;
        await files.replace("history.jsonl", LIVE);
        acknowledge("adopted");
      },
      async (storage, acknowledged, disk) => {
        if (acknowledged.length === 0) return;
        const files = await openToWrite(storage);
        assert.equal(await files.read("history.jsonl"), LIVE);
        assert.equal(await files.read("archive/0001.jsonl"), ARCHIVE);
        checkTidy(disk);
        await files.close();
      },
    );
  });
});
