/** The crash proofs: minutes on a busy machine, so they are no part of `npm run check`. */
import { globSync } from "node:fs";
import { buildCrashTests } from "../../esbuild.mjs";
import { root } from "../../scripts/lib/install.mjs";
import { mocha } from "../../scripts/lib/parts.mjs";

/** @returns {Promise<import("../../scripts/lib/parts.mjs").Result>} */
export async function run() {
  await buildCrashTests();
  return mocha("--parallel", "--jobs", "2", ...globSync("out/crashes/**/*.test.mjs", { cwd: root }));
}
