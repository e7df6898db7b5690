/**
 * `npm test`: everything. `npm test -- quick | crashes | host | panel …` runs only those parts. Ends with a line `N passed, N failed`
 * and a code other than 0 when anything failed, could not run, or ran no test.
 */
import { fileURLToPath } from "node:url";
import { explain, Problem, since, step } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

const groups = {
  quick: async () => (await import("./lib/quick.mjs")).quickParts(),
  crashes: async () => [await report("crashes", "../test/crashes/run.mjs")],
  host: async () => (await import("../test/host/run.mjs")).hostParts(),
  panel: async () => [await report("panel in a browser", "../test/panel/run.mjs")],
};

/** those that run what is in dist/ */
const ofProduct = ["host", "panel"];

async function report(name, program) {
  const parts = await import("./lib/parts.mjs");
  return parts.report({ name, run: async () => (await import(program)).run() });
}

/** Which groups to run. */
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
  const ofSources = names.filter(name => !ofProduct.includes(name));
  for (const name of ofSources) results.push(...(await groups[name]()));
  const others = names.filter(name => ofProduct.includes(name));
  const built = others.length === 0 || (await build());
  if (!built) results.push({ passed: 0, failed: 1 });
  for (const name of built ? others : []) results.push(...(await groups[name]()));
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
