/**
 * Runs inside VS Code's extension host: mocha over some bundled tests. Its report goes to a file, since a console that passes
 * through a browser, or through the desktop's log, carries much else.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Mocha from "mocha";
import * as vscode from "vscode";

/** Called by VS Code; rejects when a test failed, which makes the exit code 1. */
export async function run(): Promise<void> {
  const { STRATA_HOST_FILES: files = "", STRATA_HOST_REPORT: report } = process.env;
  // A dirty file that has no tab for a moment gets one, and asks whether odd line ends should go; in tests, VS Code says yes.
  const editor = vscode.workspace.getConfiguration("editor");
  await editor.update("unusualLineTerminators", "off", vscode.ConfigurationTarget.Global);
  const mocha = new Mocha({ ui: "bdd", reporter: "min", timeout: 60_000 });
  // First the one that finds the extension asleep: most others wake it.
  const order = (file: string) => `${file.endsWith("/extension.test.js") ? 0 : 1} ${file}`;
  for (const file of files.split(",").sort((a, b) => (order(a) < order(b) ? -1 : 1)))
    mocha.addFile(join(__dirname, file));
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve);
    if (report) writeReport(runner, report);
  });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

/** After each file's test, so that a VS Code that ends has said what passed until then; as mocha's own report in JSON has it. */
function writeReport(runner: Mocha.Runner, file: string): void {
  const passes: object[] = [];
  const failures: object[] = [];
  let pending = 0;
  const told = (test: Mocha.Runnable) => ({
    ...{ file: test.file ?? test.parent?.file, fullTitle: test.fullTitle(), duration: test.duration },
  });
  runner.on("pass", test => passes.push(told(test)));
  runner.on("pending", () => pending++);
  runner.on("fail", (test, { message, stack }) => failures.push({ ...told(test), err: { message, stack } }));
  runner.once("end", () =>
    writeFileSync(file, JSON.stringify({ stats: { passes: passes.length, pending }, passes, failures })),
  );
}
