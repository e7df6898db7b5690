/**
 * `npm test`: everything. `npm test -- quick | host | panel …` runs only those parts. Ends with a line `N passed, N failed`
 * and a code other than 0 when anything failed, could not run, or ran no test.
 */
import { fileURLToPath } from "node:url";
import { explain, Problem, since, step } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

const groups = {
  quick: async () => (await import("./lib/quick.mjs")).quickParts(),
  host: async () => (await import("../test/host/run.mjs")).hostParts(),
  panel: async () => [await reportPanel()],
};

async function reportPanel() {
  const { report } = await import("./lib/parts.mjs");
  return report({ name: "panel in a browser", run: async () => (await import("../test/panel/run.mjs")).run() });
}

/** Which groups to run; host and panel tests run what is in dist/. */
function chosen(names) {
  const unknown = names.find(name => !(name in groups));
  if (unknown)
    throw new Problem(
      `There is no part "${unknown}": choose from ${Object.keys(groups).join(", ")}, or name none for all.`,
    );
  return names.length > 0 ? names : Object.keys(groups);
}

async function main() {
  const from = Date.now();
  const names = chosen(process.argv.slice(2));
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  console.log(`Node ${process.versions.node}, ${root}\n`);
  const { total } = await import("./lib/parts.mjs");
  const results = [];
  if (names.includes("quick")) results.push(...(await groups.quick()));
  const built = names.every(name => name === "quick") || (await build());
  if (!built) results.push({ passed: 0, failed: 1 });
  for (const name of built ? names.filter(each => each !== "quick") : []) results.push(...(await groups[name]()));
  console.log(`\nTested in ${since(from)}`);
  return total(results);
}

async function build() {
  const { buildProduct } = await import("../esbuild.mjs");
  return step("Building dist/", buildProduct).then(
    () => true,
    error => {
      console.log(`✗ build: the host and panel tests cannot run. ${error.message}`);
      return false;
    },
  );
}

await main().then(end, error => {
  console.error(explain(error));
  return end(1);
});
