/** What became of each test of a run, as mocha's own report in JSON has it, where mocha's reporter prints something else. */
import { writeFileSync } from "node:fs";
import Mocha from "mocha";

/**
 * Writes what is known after each suite, so that a run that does not come to its end, which has no `end`, tells of what it did.
 * A hook that fails is reported as a test that failed.
 */
export function jsonReport(runner: Mocha.Runner, path: string): void {
  const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_SUITE_END, EVENT_RUN_END } =
    Mocha.Runner.constants;
  const passes: object[] = [];
  const failures: object[] = [];
  let pending = 0;
  const told = (test: Mocha.Runnable) => ({
    ...{ file: fileOf(test), fullTitle: test.fullTitle(), duration: test.duration ?? 0 },
  });
  const write = (end?: Date) =>
    writeFileSync(path, JSON.stringify({ stats: { passes: passes.length, pending, end }, passes, failures }));
  runner.on(EVENT_TEST_PASS, test => passes.push(told(test)));
  runner.on(EVENT_TEST_FAIL, (test, { message, stack }) => failures.push({ ...told(test), err: { message, stack } }));
  runner.on(EVENT_TEST_PENDING, () => pending++);
  runner.on(EVENT_SUITE_END, () => write());
  runner.on(EVENT_RUN_END, () => write(new Date()));
}

/** A hook has no file of its own: that of its suite. */
function fileOf({ file, parent }: Mocha.Runnable): string {
  let suite = parent;
  while (suite && !suite.file) suite = suite.parent;
  return file ?? suite?.file ?? "";
}
