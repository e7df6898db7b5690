/**
 * `npm test`: everything. `npm test -- quick | crashes | host | panel …` runs only those parts. Ends with a line `N passed, N failed`
 * and a code other than 0 when anything failed, could not run, or ran no test.
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { explain, Problem, since, step } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

/** Each but `quick`, whose parts run side by side by themselves, gives its parts, the longest first. */
const groups = {
  quick: async () => [],
  host: async () => (await import("../test/host/run.mjs")).hostParts(),
  panel: async () => [{ name: "panel in a browser", run: async () => (await import("../test/panel/run.mjs")).run() }],
  crashes: async () => [{ name: "crashes", run: async () => (await import("../test/crashes/run.mjs")).run() }],
};

/** those that run what is in dist/ */
const ofProduct = ["host", "panel"];
/** VS Code, a browser and a killed process wait more than they work: three parts at a time, where there is a second core. */
const atOnce = availableParallelism() > 1 ? 3 : 1;

/** Runs the parts in their order, as many at once as the machine takes. */
async function inTurn(parts) {
  const { report } = await import("./lib/parts.mjs");
  const results = [];
  const left = [...parts];
  const lane = async () => {
    for (let part = left.shift(); part; part = left.shift()) results.push(await report(part));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
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
  const results = names.includes("quick") ? await (await import("./lib/quick.mjs")).quickParts() : [];
  const built = !names.some(name => ofProduct.includes(name)) || (await build());
  if (!built) results.push({ passed: 0, failed: 1 });
  const parts = [];
  for (const [name, give] of Object.entries(groups))
    if (names.includes(name) && (built || !ofProduct.includes(name))) parts.push(...(await give()));
  results.push(...(await inTurn(parts)));
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
