/** The parts that need no VS Code and no browser. */
import { mochaPart } from "./mocha.mjs";
import { check } from "./parts.mjs";

const architecture = /^out\/test\/architecture\./;
const program = /^out\/test\/program\//;
/** The slowest: over HTTP, servers that others wrote, or processes by the dozen. `npm test` runs them. */
const slowest =
  /^out\/test\/(?:overHttp\/|attacks\/(?:11|audit|sandbox)\.|core\/verify\/twoProcesses\.|mcp\/(?:conformance|others|serve|servers)\.|models\/faults\.|node\/shell\.|scripts\/notices\.)/;

/** What needs no build. @returns {import("./parts.mjs").Part[]} */
export function staticParts() {
  return [
    { name: "types", weight: 1, run: () => check("tsc", "-p", ".") },
    { name: "format and lint", weight: 1, run: () => check("biome", "check", "--error-on-warnings", ".") },
  ];
}

/**
 * Unit and contract tests, the architecture test, which is told apart since it judges the tree and no module, and the tests
 * of the built program.
 * @param {readonly string[]} bundles
 * @param {{ quickest?: boolean }} [options] quickest: without the slowest and without the program
 * @returns {import("./parts.mjs").Part[]}
 */
export function unitParts(bundles, { quickest = false } = {}) {
  const groups = Map.groupBy(bundles, file => {
    if (architecture.test(file)) return "architecture";
    if (program.test(file)) return "program";
    return "unit";
  });
  const { architecture: tree = [], program: built = [], unit = [] } = Object.fromEntries(groups);
  const chosen = quickest ? unit.filter(file => !slowest.test(file)) : unit;
  return [
    ...(chosen.length > 0 ? [mochaPart("unit and contract", chosen, { weight: 2, jobs: 3 })] : []),
    ...(built.length > 0 && !quickest ? [mochaPart("the program", built, { weight: 1, jobs: 2, patient: true })] : []),
    ...(tree.length > 0 ? [mochaPart("architecture", tree, { weight: 1 })] : []),
  ];
}
