/** What became of each test of a run, for programs: which file failed tells which file to run again. */
import { writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import Mocha from "mocha";

interface Reported {
  /** as `trusted/mentions.test.js` */
  file: string;
  title: string;
  state: "passed" | "failed" | "pending";
  /** ms, without its hooks */
  duration: number;
  error?: string;
}

/**
 * Writes what is known after each suite, so that a run that does not come to its end tells of what it did.
 * A hook that fails is reported as a test that failed.
 * @param folder that files are named from
 */
export function jsonReport(runner: Mocha.Runner, path: string, folder: string): void {
  const tests: Reported[] = [];
  const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_SUITE_END, EVENT_RUN_END } =
    Mocha.Runner.constants;
  const add = (state: Reported["state"]) => (test: Mocha.Test, error?: Error) =>
    tests.push({
      file: relative(folder, fileOf(test)).split(sep).join("/"),
      ...{ title: test.fullTitle(), state, duration: test.duration ?? 0 },
      ...(error && { error: error.stack ?? String(error) }),
    });
  const write = () => writeFileSync(path, JSON.stringify(tests, undefined, 1));
  runner.on(EVENT_TEST_PASS, add("passed"));
  runner.on(EVENT_TEST_FAIL, add("failed"));
  runner.on(EVENT_TEST_PENDING, add("pending"));
  runner.on(EVENT_SUITE_END, write);
  runner.on(EVENT_RUN_END, write);
}

/** A hook has no file of its own: that of its suite. */
function fileOf({ file, parent }: Mocha.Runnable): string {
  let suite = parent;
  while (suite && !suite.file) suite = suite.parent;
  return file ?? suite?.file ?? "";
}
