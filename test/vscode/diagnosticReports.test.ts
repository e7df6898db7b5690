import assert from "node:assert/strict";
import { CheckerWait, DiagnosticReports } from "../../src/vscode/editor/diagnosticReports";
import { FakeClock } from "../fakes/clock";

const FILE = "file:///a.ts";

/** A wait of 2,000 ms at most; `answer` is undefined while it waits. */
function waiting(reports: DiagnosticReports, since = reports.now(), uri = FILE) {
  const stop = new AbortController();
  const wait: { answer: boolean | undefined; stop(): void } = { answer: undefined, stop: () => stop.abort() };
  void reports.settled(uri, since, 2_000, stop.signal).then(answer => {
    wait.answer = answer;
  });
  return wait;
}
const settle = () => new Promise(resolve => setImmediate(resolve));
/** What was begun gets to its next wait before time moves on, and to its end after. */
async function later(clock: FakeClock, ms: number) {
  await settle();
  await clock.advance(ms);
  await settle();
}

function open() {
  const clock = new FakeClock();
  const reports = new DiagnosticReports(clock);
  reports.opened(FILE);
  return { clock, reports, since: reports.now() };
}

describe("reports of checkers", () => {
  it("are waited for until there is one, and quiet after it", async () => {
    const { clock, reports, since } = open();
    reports.changed(FILE);
    const wait = waiting(reports, since);
    await later(clock, 700);
    reports.reported(FILE);
    await later(clock, 200);
    reports.reported(FILE);
    await later(clock, 299);
    assert.equal(wait.answer, undefined, "quiet counts from the last one");
    await later(clock, 1);
    assert.equal(wait.answer, true);
    assert.equal(clock.waiting, 0, "nothing sleeps on");
  });

  it("end the wait at its limit, heard or not", async () => {
    const silent = open();
    const inVain = waiting(silent.reports);
    await later(silent.clock, 1_999);
    assert.equal(inVain.answer, undefined);
    await later(silent.clock, 1);
    assert.equal(inVain.answer, false);
    const busy = open();
    const wait = waiting(busy.reports);
    for (let at = 0; at < 20; at += 1) {
      await later(busy.clock, 100);
      busy.reports.reported(FILE);
    }
    await settle();
    assert.equal(wait.answer, true, "one that never goes quiet has reported all the same");
  });

  it("that came before the wait began count, where they came after the change", async () => {
    const { clock, reports, since } = open();
    reports.reported(FILE);
    reports.changed(FILE);
    assert.equal(reports.isCurrent(FILE), false);
    const first = waiting(reports, since);
    await later(clock, 500);
    assert.equal(first.answer, undefined, "that was about the text before");
    reports.reported(FILE);
    await later(clock, 1_000);
    assert.equal(first.answer, true);
    const second = waiting(reports, since);
    await settle();
    assert.equal(second.answer, true, "it has been quiet for long: no wait at all");
    assert.equal(reports.isCurrent(FILE), true);
    const third = waiting(reports);
    await later(clock, 2_000);
    assert.equal(third.answer, false, "a watch begun since has heard nothing");
  });

  it("are not asked for anew by who types while they are waited for", async () => {
    const { clock, reports } = open();
    const wait = waiting(reports);
    reports.reported(FILE);
    reports.changed(FILE);
    await later(clock, 300);
    assert.equal(wait.answer, true);
  });

  it("of other files do not count", async () => {
    const { clock, reports } = open();
    reports.opened("file:///b.ts");
    const wait = waiting(reports);
    reports.reported("file:///b.ts");
    await later(clock, 2_000);
    assert.equal(wait.answer, false);
    assert.equal(reports.hasReport(FILE), false);
    assert.equal(reports.hasReport("file:///b.ts"), true);
  });

  it("a stop ends the wait at once", async () => {
    const { clock, reports } = open();
    const wait = waiting(reports);
    const other = waiting(reports);
    wait.stop();
    await settle();
    assert.deepEqual([wait.answer, other.answer], [false, undefined]);
    reports.reported(FILE);
    await later(clock, 300);
    assert.equal(other.answer, true);
    assert.equal(clock.waiting, 0);
  });

  it("are forgotten with the file, and begin anew with it", async () => {
    const { clock, reports } = open();
    reports.reported(FILE);
    assert.equal(reports.hasReport(FILE), true);
    await later(clock, 50);
    assert.equal(reports.age(FILE), 50);
    reports.closed(FILE);
    assert.deepEqual([reports.hasReport(FILE), reports.age(FILE)], [false, 0]);
    reports.reported(FILE);
    reports.opened(FILE);
    assert.equal(reports.hasReport(FILE), false);
  });
});

describe("patience with checkers", () => {
  it("is short where none was ever heard, until one is", () => {
    const patience = new CheckerWait();
    assert.equal(patience.limit("plaintext", 2_000), 2_000);
    patience.silence("plaintext");
    assert.equal(patience.limit("plaintext", 2_000), 250);
    assert.equal(patience.limit("plaintext", 100), 100);
    assert.equal(patience.limit("rust", 2_000), 2_000, "each kind by itself");
    patience.report("plaintext");
    assert.equal(patience.limit("plaintext", 2_000), 2_000);
    patience.silence("plaintext");
    assert.equal(patience.limit("plaintext", 2_000), 2_000, "a checker that was heard once may be slow");
  });
});
