/** The parts that need no VS Code and no browser; they run side by side. */
import { globSync } from "node:fs";
import { root } from "./install.mjs";
import { check, mocha, report } from "./parts.mjs";

/** More than the cores that a small machine has: the slow tests wait for processes and clocks. */
const jobs = "4";
const architecture = "out/test/architecture.test.mjs";
/** The slowest: over HTTP, the built program, servers that others wrote, or processes by the dozen. `npm test` runs them. */
const slowest =
  /^out\/test\/(?:overHttp\/|program\/|attacks\/(?:11|audit|sandbox)\.|core\/verify\/twoProcesses\.|mcp\/(?:conformance|others|servers)\.|models\/faults\.|node\/shell\.|scripts\/notices\.)/;

/**
 * @param {{ quickest?: boolean }} options quickest: without the slowest tests
 * @returns {Promise<import("./parts.mjs").Result[]>}
 */
export async function quickParts({ quickest = false } = {}) {
  return Promise.all([
    report({ name: "types", run: () => check("tsc", "-p", ".") }),
    report({ name: "format and lint", run: () => check("biome", "check", "--error-on-warnings", ".") }),
    unitParts({ quickest }),
  ]).then(results => results.flat());
}

/** Unit and contract tests beside the architecture test, which is told apart since it judges the tree, not a module. */
export async function unitParts({ quickest = false } = {}) {
  const { buildTests } = await import("../../esbuild.mjs");
  try {
    await buildTests();
  } catch (error) {
    console.log(`✗ build of the tests: ${error.message}`);
    return [{ passed: 0, failed: 1 }];
  }
  const unit = globSync("out/test/**/*.test.mjs", { cwd: root })
    .map(file => file.replaceAll("\\", "/"))
    .filter(file => file !== architecture && !(quickest && slowest.test(file)));
  return Promise.all([
    report({ name: "architecture", run: () => mocha(architecture) }),
    report({ name: "unit and contract", run: () => mocha("--parallel", "--jobs", jobs, ...unit) }),
  ]);
}
