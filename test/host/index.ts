/**
 * Runs inside VS Code's extension host: mocha over one folder of bundled tests. What mocha prints goes to a file, since a
 * console that passes through a browser, or through the desktop's log, carries much else. It tells how long each test took;
 * a file beside it has the same as JSON (report.ts).
 */
import { appendFileSync, globSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import { asItWas } from "./asItWas";
import { jsonReport } from "./report";

/** Called by VS Code; rejects when a test failed, which makes the exit code 1. */
export async function run(): Promise<void> {
  const { STRATA_HOST_SUITE: suite = "trusted", STRATA_HOST_REPORT: report, STRATA_HOST_ONLY: only = "" } = process.env;
  if (report) Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(report, `${format(...args)}\n`);
  const mocha = new Loaded({ ui: "bdd", reporter: "spec", color: false, timeout: 60_000, slow: 0 });
  const names = only.split(",").filter(name => name !== "");
  // First the one that finds the extension asleep: most others wake it.
  const order = (file: string) => `${file.endsWith(`${sep}extension.test.js`) ? 0 : 1} ${file}`;
  const files = globSync(join(suite, "**/*.test.js"), { cwd: __dirname });
  for (const file of files.sort((a, b) => (order(a) < order(b) ? -1 : 1)))
    if (names.length === 0 || names.some(name => file.includes(name))) mocha.addFile(join(__dirname, file));
  mocha.load();
  const putBack = await asItWas(report && join(dirname(report), "User", "settings.json"));
  for (const last of lastSuites(mocha.suite)) last.afterAll("the next file finds all as it was", putBack);
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve);
    if (report) jsonReport(runner, `${report}.json`, __dirname);
  });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

/** Files are loaded before the run begins, and not once more by it: hooks are put behind the suites of each. */
class Loaded extends Mocha {
  load(): void {
    this.loadFiles();
    this.files = [];
  }
}

/** Of each file, the last of its outermost suites. */
function lastSuites({ suites }: Mocha.Suite): Mocha.Suite[] {
  return suites.filter(({ file }, at) => suites[at + 1]?.file !== file);
}
