/** What `npm test`, `npm run check` and `npm run soak` run: everything is built once, then one pool of parts keeps the cores busy. */
import { join } from "node:path";
import { explain, step } from "./console.mjs";
import { root } from "./install.mjs";
import { runParts } from "./parts.mjs";
import { staticParts, unitParts } from "./quick.mjs";
import { leftIn, ownPlaces } from "./temporary.mjs";

/** What each group builds, and its parts, the longest first. */
const groups = {
  host: {
    build: async ({ buildHostTests }) => buildHostTests(),
    parts: async bundles => (await import("../../test/host/run.mjs")).hostParts(bundles),
  },
  panel: {
    build: async ({ buildPanelTests }) => buildPanelTests(),
    parts: async bundles => (await import("../../test/panel/run.mjs")).panelParts(bundles),
  },
  crashes: {
    build: async ({ buildCrashTests }) => buildCrashTests(),
    parts: async bundles => (await import("../../test/crashes/run.mjs")).crashParts(bundles),
  },
  quick: {
    build: async ({ buildTests }) => buildTests(),
    parts: async (bundles, options) => unitParts(bundles, options),
  },
};

/**
 * @param {readonly (keyof typeof groups)[]} names
 * @param {object} [options]
 * @param {boolean} [options.quickest] without the slowest of the unit tests
 * @param {boolean} [options.statics] false: without types, format and lint
 * @param {(sources: readonly string[]) => boolean} [options.wanted] which tests, by what of test/ is in them; all by default
 * @returns {Promise<Map<import("./parts.mjs").Part, import("./parts.mjs").Result>>}
 */
export async function runGroups(names, { wanted = () => true, statics = names.includes("quick"), ...options } = {}) {
  const temporary = ownPlaces();
  const building = build(names, options);
  const first = await runParts(statics ? staticParts() : []);
  const bundles = await building;
  if (bundles instanceof Error) return first.set(failedBuild, { passed: 0, failed: 1 });
  const parts = [];
  for (const name of Object.keys(groups).filter(name => names.includes(name))) {
    const files = [...bundles[name]].filter(([, sources]) => wanted(sources)).map(([file]) => file);
    const give = () => groups[name].parts(files, options).catch(error => [failedGroup(name, error)]);
    if (files.length > 0) parts.push(...(await give()));
  }
  const results = new Map([...first, ...(await runParts(parts))]);
  const left = leftIn(temporary);
  if (left.length > 0) console.log(`\nLeft in the temporary folder, now removed: ${left.join(", ")}`);
  return results;
}

/** The others run all the same: where no VS Code can be had, for one. */
const failedGroup = (name, error) => ({ name, weight: 1, run: () => Promise.reject(error) });

const failedBuild = { name: "build", weight: 1, run: async () => ({ passed: 0, failed: 1 }) };

/** Tests of the program, the panel and VS Code run what is in dist/; the quickest tests need none of it. */
async function build(names, { quickest }) {
  const esbuild = await import("../../esbuild.mjs");
  try {
    return await step("Building", async () => {
      const product = quickest ? undefined : esbuild.buildProduct();
      const built = await Promise.all(names.map(async name => [name, await groups[name].build(esbuild)]));
      await product;
      if (product) process.env.STRATA_DIST = join(root, "dist");
      return Object.fromEntries(built);
    });
  } catch (error) {
    console.log(`✗ build: nothing else can run. ${explain(error)}`);
    return error;
  }
}
