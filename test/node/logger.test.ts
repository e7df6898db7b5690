import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createSession } from "../../src/core/agent/session/openSession";
import { NodeLogger } from "../../src/node/logger";
import { last, runTurn, world } from "../fakes/agent";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";
import { pluck } from "../fakes/pluck";
import { temporaryFolder } from "../fakes/temporary";

describe("NodeLogger", () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(temporaryFolder("log"), "logs");
  });
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

  it("gathers lines for a quarter of a second; a warning is written at once, with them", async () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 21));
    const logger = new NodeLogger({ folder, clock });
    const lines = () =>
      readFile(join(folder, "strata-2026-11-21.jsonl"), "utf8").then(text => text.split("\n").length - 1);
    logger.log("info", "first");
    await clock.advance(249);
    await assert.rejects(lines(), { code: "ENOENT" });
    logger.log("info", "second");
    await clock.advance(1);
    await eventually("both lines", async () => (await lines()) === 2);
    logger.log("info", "third");
    logger.log("warning", "fourth");
    await eventually("all lines", async () => (await lines()) === 4);
    assert.equal(clock.calls, 0);
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

  it("of a line that is longer than all others may be together, what names it stays", async () => {
    const logger = new NodeLogger({ folder, clock: new FakeClock(start), maxBytes: 20_000 });
    logger.log("info", "model request payload", { requestId: "req_1", messages: ["x".repeat(50_000)] });
    await logger.flush();
    const { ts: _, tooLong, ...line } = JSON.parse(await readFile(join(folder, "strata-2026-11-21.jsonl"), "utf8"));
    assert.deepEqual(line, { level: "info", message: "model request payload", requestId: "req_1" });
    assert.ok(tooLong > 50_000);
  });

  const itOnLinux = process.platform === "linux" ? it : it.skip;
  itOnLinux("a full disk fails no turn, and the log goes on when it can", async () => {
    await mkdir(folder, { recursive: true });
    const agent = world({ settings: { "log.payload": true } });
    const path = join(folder, `strata-${new Date(agent.clock.now()).toISOString().slice(0, 10)}.jsonl`);
    await symlink("/dev/full", path);
    const logger = new NodeLogger({ folder, clock: agent.clock, level: "debug" });
    const session = await createSession({ ...agent.ports, logger });
    agent.models.play({ text: "Done." });
    await runTurn(session, "Do it.");
    await logger.flush();
    assert.equal(last(session, "turnEnd").reason, "done");
    await unlink(path);
    logger.log("info", "after");
    await logger.flush();
    const lines = (await readFile(path, "utf8"))
      .trimEnd()
      .split("\n")
      .map(line => JSON.parse(line));
    assert.deepEqual(pluck(lines, "message"), ["after"]);
  });
});
