/** The parts that need no VS Code and no browser; they run side by side. */
import { globSync } from "node:fs";
import { root } from "./install.mjs";
import { check, mocha, report } from "./parts.mjs";

/** More than the cores that a small machine has: the slow tests wait for processes and clocks. */
const jobs = "4";
const architecture = "out/test/architecture.test.mjs";
/**
 * The slowest: over HTTP, the built program, servers and processes by the dozen, random cases by the hundred. `npm test` runs
 * them.
 */
const slowest = new RegExp(
  `^out/test/(?:${[
    "overHttp/|program/|mentionServer/|crashes/",
    "attacks/(?:8|11|audit|cutSecrets|injections|keyLines|mcp|sandbox|screen|secrets|servers)\\.",
    "mcp/(?:conformance|elicit|hostile|lifecycle|offers|others|serve|serverRequests|servers|session|signIn)\\.",
    "node/(?:baselines/|storage/(?:crashes|faults|sessionLock)\\.|(?:backgroundTasks|gitChanges|hooks|shell|writeFile)\\.)",
    "core/session/(?:rewind|sessionRewind\\.)|core/verify/(?:rebuild|twoProcesses)\\.|core/history/(?:compactions|damage)\\.",
    "core/(?:compaction/longTurn|hooks/runHook|longLines|permissions/properties|permissions/shell/witness)\\.",
    "models/(?:bounds|faults)\\.|offlineModel/demo\\.|scripts/(?:notices|processes)\\.",
  ].join("|")})`,
);

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
