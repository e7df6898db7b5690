/**
 * The panel's tests in a real browser, on what `dist/webview` holds. Run directly (`node test/panel/run.mjs [words of test
 * names]`) it builds the panel first and prints what failed.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildPanelTests, buildWebview } from "../../esbuild.mjs";
import { root } from "../../scripts/lib/install.mjs";
import { mochaPart } from "../../scripts/lib/mocha.mjs";

/** @param {readonly string[]} files bundles of test/panel @returns {import("../../scripts/lib/parts.mjs").Part[]} */
export function panelParts(files, args = []) {
  // Each of the two has a browser of its own, which all of its files share.
  const options = { weight: 1, jobs: 2, args: ["--timeout", "60000", ...args], patient: true };
  const size = file => statSync(join(root, file)).size;
  // The longest first: what ends a run is short.
  const sorted = files.toSorted((a, b) => size(b) - size(a));
  return [mochaPart("panel in a browser", sorted, options)];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const words = process.argv.slice(2).join(" ");
  await buildWebview();
  const tests = await buildPanelTests();
  const [part] = panelParts([...tests.keys()], words === "" ? [] : ["--grep", words]);
  const { passed, failed, output } = await part.run();
  if (output) console.log(output);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
