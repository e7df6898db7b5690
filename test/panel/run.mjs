/**
 * The panel's tests in a real browser, on what `dist/webview` holds. `run()` for `npm test`; run directly
 * (`node test/panel/run.mjs [words of test names]`) it builds the panel first and prints mocha's summary.
 */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildPanelTests, buildWebview } from "../../esbuild.mjs";
import { root } from "../../scripts/lib/install.mjs";
import { mocha } from "../../scripts/lib/parts.mjs";

/** Each with a browser of its own, which all of its files share and which ends with it. */
const jobs = "2";
let built;

/** Once in a process, however often it is asked for. */
export function build() {
  built ??= buildPanelTests();
  return built;
}

/** Built test files, the longest first: what ends a run is short. */
export function files() {
  const size = file => statSync(join(root, file)).size;
  return globSync("out/panel/**/*.test.mjs", { cwd: root }).sort((a, b) => size(b) - size(a));
}

/**
 * @param {string[]} [only] files of `files()`
 * @param {string[]} [options] further options of mocha
 * @returns {Promise<import("../../scripts/lib/parts.mjs").Result>}
 */
export async function run(only, options = []) {
  await build();
  return mocha("--timeout", "60000", "--parallel", "--jobs", jobs, ...options, ...(only ?? files()));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const words = process.argv.slice(2).join(" ");
  await buildWebview();
  const options = ["--reporter", "spec", ...(words === "" ? [] : ["--grep", words])];
  const { passed, failed, output } = await run(undefined, options);
  if (output) console.log(output);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
