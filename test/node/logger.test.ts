import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NodeLogger } from "../../src/node/logger";
import { FakeClock } from "../fakes/clock";

describe("NodeLogger", () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "strata-log-")), "logs");
  });
  afterEach(() => rm(dirname(folder), { recursive: true, force: true }));
  const start = Date.UTC(2026, 10, 21, 23, 59, 59);

  it("writes a line of JSON for each message, into the file of its day", async () => {
    const clock = new FakeClock(start);
    const logger = new NodeLogger({ folder, clock, fields: { version: "1" } });
    logger.log("info", "first", { sessionId: "ses_1" });
    logger.log("error", 'with "quotes"\nand lines', { requestId: "req_1" });
    await logger.flush();
    await clock.advance(2000);
    logger.log("warning", "next day");
    logger.log("debug", "not at this level");
    await logger.flush();
    assert.deepEqual((await readdir(folder)).sort(), ["strata-2026-11-21.jsonl", "strata-2026-11-22.jsonl"]);
    const lines = (await readFile(join(folder, "strata-2026-11-21.jsonl"), "utf8")).trimEnd().split("\n");
    const ts = "2026-11-21T23:59:59.000Z";
    assert.deepEqual(
      lines.map(line => JSON.parse(line)),
      [
        { ts, level: "info", message: "first", version: "1", sessionId: "ses_1" },
        { ts, level: "error", message: 'with "quotes"\nand lines', version: "1", requestId: "req_1" },
      ],
    );
    assert.equal((await stat(join(folder, "strata-2026-11-21.jsonl"))).mode & 0o777, 0o600);
  });

  it("keeps a week", async () => {
    const clock = new FakeClock(start);
    const logger = new NodeLogger({ folder, clock });
    for (let day = 0; day < 10; day++) {
      logger.log("info", "x");
      await logger.flush();
      await clock.advance(86_400_000);
    }
    const names = (await readdir(folder)).sort();
    assert.deepEqual([names.length, names[0], names.at(-1)], [7, "strata-2026-11-24.jsonl", "strata-2026-11-30.jsonl"]);
  });

  it("stays below its size, and keeps the newest", async () => {
    const logger = new NodeLogger({ folder, clock: new FakeClock(start), maxBytes: 20_000 });
    for (let i = 0; i < 500; i++) {
      logger.log("info", `line ${i}`, { text: "x".repeat(100) });
      await logger.flush();
    }
    let bytes = 0;
    for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
    assert.ok(bytes <= 20_000 && bytes > 5000, `${bytes}`);
    assert.match(await readFile(join(folder, "strata-2026-11-21.jsonl"), "utf8"), /"line 499"/);
  });

  it("never fails; says later how much was lost", async () => {
    const file = join(folder, "..", "is-a-file");
    await writeFile(file, "");
    const logger = new NodeLogger({ folder: file, clock: new FakeClock(start) });
    logger.log("info", "lost");
    await logger.flush();
    await rm(file);
    logger.log("info", "kept");
    await logger.flush();
    const lines = (await readFile(join(file, "strata-2026-11-21.jsonl"), "utf8")).trimEnd().split("\n");
    assert.deepEqual(
      lines.map(line => JSON.parse(line).message),
      ["log lines could not be written", "kept"],
    );
  });
});
