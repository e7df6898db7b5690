/**
 * The panel's tests in a real browser, on what `dist/webview` holds. `run()` for `npm test`; run directly
 * (`node test/panel/run.mjs [words of test names]`) it builds the panel first and prints mocha's summary.
 */
import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { buildPanelTests, buildWebview } from "../../esbuild.mjs";
import { root } from "../../scripts/lib/install.mjs";
import { mocha } from "../../scripts/lib/parts.mjs";

/**
 * @param {string[]} [options] further options of mocha
 * @returns {Promise<import("../../scripts/lib/parts.mjs").Result>}
 */
export async function run(options = []) {
  await buildPanelTests();
  return mocha("--timeout", "60000", ...options, ...globSync("out/panel/**/*.test.mjs", { cwd: root }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const words = process.argv.slice(2).join(" ");
  await buildWebview();
  const { passed, failed, output } = await run(["--reporter", "spec", ...(words === "" ? [] : ["--grep", words])]);
  if (output) console.log(output);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
