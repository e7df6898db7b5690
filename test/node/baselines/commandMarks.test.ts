/** Which sessions run commands: told by files with signs of life. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandMarks } from "../../../src/node/baselines/commandMarks";
import { FakeClock } from "../../fakes/clock";
import { eventually } from "../../fakes/eventually";

const DAY = 86_400_000;

describe("marks of commands", () => {
  let folder: string;
  let clock: FakeClock;
  let marks: CommandMarks;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "strata-marks-"));
    clock = new FakeClock(Date.now() + 3_600_000);
    marks = new CommandMarks(folder, clock);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const others = () => new CommandMarks(folder, clock);
  const put = (name: string, text: string, at: number) => {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), at / 1000, at / 1000);
    return join(folder, name);
  };
  const LIVES = `command-${process.pid}-other`;

  it("a command gives a sign of life every ten seconds, until the last of its session has ended", async () => {
    await marks.begin();
    await marks.begin();
    const mark = join(folder, readdirSync(folder)[0] ?? "");
    await clock.advance(9_999);
    assert.ok(statSync(mark).mtimeMs < clock.now() - 3_000_000, "as it was written");
    for (let beat = 0; beat < 3; beat++) {
      await clock.advance(beat === 0 ? 1 : 10_000);
      await eventually("a sign of life", () => Math.abs(statSync(mark).mtimeMs - clock.now()) < 2);
    }
    await marks.end();
    assert.equal(clock.calls, 1);
    await marks.end();
    assert.equal(clock.calls, 0);
  });

  it("one counts as running as long as it was heard of within a minute", async () => {
    put(LIVES, "running", clock.now());
    await clock.advance(59_000);
    assert.equal(await others().othersSince(clock.now()), true);
    await clock.advance(2_000);
    assert.equal(await others().othersSince(clock.now()), false);
  });

  it("one that ended counts by when it did, and is forgotten after a day", async () => {
    const mark = put(LIVES, "ended", clock.now());
    assert.equal(await others().othersSince(clock.now() - 1), true);
    assert.equal(await others().othersSince(clock.now() + 1_000), false);
    await clock.advance(DAY);
    assert.equal(await others().othersSince(clock.now()), false);
    assert.ok(existsSync(mark));
    await clock.advance(1_000);
    await others().othersSince(clock.now());
    assert.ok(!existsSync(mark));
  });
});
