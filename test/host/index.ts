/**
 * Runs inside VS Code's extension host: mocha over one folder of bundled tests. What mocha prints goes to a file, since a
 * console that passes through a browser, or through the desktop's log, carries much else. It tells how long each test took.
 */
import { appendFileSync, globSync } from "node:fs";
import { join, sep } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import * as vscode from "vscode";

/** Called by VS Code; rejects when a test failed, which makes the exit code 1. */
export async function run(): Promise<void> {
  const { STRATA_HOST_SUITE: suite = "trusted", STRATA_HOST_REPORT: report, STRATA_HOST_ONLY: only = "" } = process.env;
  if (report) Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(report, `${format(...args)}\n`);
  // A dirty file that has no tab for a moment gets one, and asks whether odd line ends should go; in tests, VS Code says yes.
  const editor = vscode.workspace.getConfiguration("editor");
  await editor.update("unusualLineTerminators", "off", vscode.ConfigurationTarget.Global);
  const mocha = new Mocha({ ui: "bdd", reporter: "spec", color: false, timeout: 60_000, slow: 0 });
  // First the one that finds the extension asleep: most others wake it.
  const order = (file: string) => `${file.endsWith(`${sep}extension.test.js`) ? 0 : 1} ${file}`;
  const files = globSync(join(suite, "**/*.test.js"), { cwd: __dirname });
  for (const file of files.sort((a, b) => (order(a) < order(b) ? -1 : 1)))
    if (file.includes(only)) mocha.addFile(join(__dirname, file));
  const failures = await new Promise<number>(resolve => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
