/**
 * `npm test`: everything. `npm test -- quick | crashes | host | panel …` runs only those groups. Ends with a line
 * `N passed, N failed` and a code other than 0 when anything failed, could not run, or ran no test. Before it stands what was
 * flaky: what failed, and passed when it ran once more by itself.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem, since } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

const groups = ["quick", "crashes", "host", "panel"];

/** Which groups to run. */
function chosen(names) {
  const unknown = names.find(name => !groups.includes(name));
  if (unknown)
    throw new Problem(`There is no part "${unknown}": choose from ${groups.join(", ")}, or name none for all.`);
  return names.length > 0 ? names : groups;
}

async function main() {
  const from = Date.now();
  const names = chosen(process.argv.slice(2));
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  console.log(`Node ${process.versions.node}, ${root}\n`);
  const [{ runGroups }, { runAgain, tellFlaky }, { total }] = await Promise.all([
    import("./lib/groups.mjs"),
    import("./lib/again.mjs"),
    import("./lib/parts.mjs"),
  ]);
  const results = await runGroups(names);
  const flaky = await runAgain(results);
  console.log(`\nTested in ${since(from)}`);
  tellFlaky(flaky, join(root, "test", "out", "flaky.txt"));
  return total([...results.values()]);
}

await main().then(end, error => {
  console.error(explain(error));
  return end(1);
});
