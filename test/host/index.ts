/**
 * Runs inside VS Code's extension host: mocha over some bundled tests. Its report goes to a file, since a console that passes
 * through a browser, or through the desktop's log, carries much else.
 */
import { dirname, join } from "node:path";
import Mocha from "mocha";
import { asItWas } from "./asItWas";
import { jsonReport } from "./report";

/** Called by VS Code; rejects when a test failed, which makes the exit code 1. */
export async function run(): Promise<void> {
  const { STRATA_HOST_FILES: files = "", STRATA_HOST_REPORT: report } = process.env;
  const mocha = new Loaded({ ui: "bdd", reporter: "min", timeout: 60_000 });
  // First the one that finds the extension asleep: most others wake it.
  const order = (file: string) => `${file.endsWith("/extension.test.js") ? 0 : 1} ${file}`;
  for (const file of files.split(",").sort((a, b) => (order(a) < order(b) ? -1 : 1)))
    mocha.addFile(join(__dirname, file));
  mocha.load();
  const putBack = await asItWas(report && join(dirname(report), "User", "settings.json"));
  for (const last of lastSuites(mocha.suite)) last.afterAll("the next file finds all as it was", putBack);
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve);
    if (report) jsonReport(runner, report);
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
