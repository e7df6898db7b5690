/** The parts that need no VS Code and no browser. */
import { join } from "node:path";
import { root } from "./install.mjs";
import { mochaPart } from "./mocha.mjs";
import { check } from "./parts.mjs";

const architecture = /^out\/test\/architecture\./;
const program = /^out\/test\/program\//;
/** The slowest: over HTTP, servers and processes by the dozen, random cases by the hundred. `npm test` runs them. */
const slowest = new RegExp(
  `^out/test/(?:${[
    "overHttp/",
    "attacks/(?:8|11|audit|cutSecrets|injections|keyLines|mcp|repositories|rules|sandbox\\w*|screen|secrets|servers|trusted|unasked\\w*)\\.",
    "mcp/(?:conformance|elicit|hostile|lifecycle|oddFields|offers|others|scripts|servers|session|signIn)\\.",
    "node/(?:baselines/|pictures/|sandbox/|storage/(?:crashes|faults|sessionLock)\\.)|core/growth\\.",
    "node/(?:backgroundTasks|daemons|disarmedGit|fileNames|gitChanges|grepPattern|hookReports|hooks|shell\\w*|writeFile)\\.",
    "node/searched\\w+\\.|core/log/ledger/session\\.",
    "core/agent/session/(?:random|rewind|sessionRewind\\.)|core/proof/(?:rebuild|twoProcesses)\\.|core/log/(?:compactions|damage)\\.",
    "core/(?:context/compaction/longTurn|context/longRequestLog|guidance/hooks/runHook|longLines)\\.",
    "core/(?:permissions/plain/\\w+|permissions/properties|permissions/shell/witness|secrets/(?:known|redact))\\.",
    "models/(?:bounds|faults|react/writtenCalls|events/\\w+)\\.|offlineModel/demo\\.|scripts/(?:notices|processes)\\.",
    "node/(?:hookFolder|legacyEncodings|patientFetch)\\.|vscode/sessionPlaces\\.|webview/windows\\.|core/log/handlesHold\\.",
    "shared/glob\\.|core/secrets/shapeSigns\\.|core/context/ages\\.|core/changes/timeline/interleaving\\.",
    "core/guidance/hooks/(?:answer|entry)\\.|scripts/parts\\.|node/ripgrep\\.|core/proof/(?:verify\\w*|bundle)\\.",
    "models/(?:otherProviders|brokenEnds)\\.|webview/markdown\\.|vscode/(?:findInLog|mentions/ranking|panelServers|search)\\.|core/ground/text/longLines\\.",
    "core/(?:agent/session/sessionContext|changes/edits/mergeProperties)\\.",
  ].join("|")})`,
);

/** What the last check knew of the types: only what was changed since, and what it touches, is looked at again. */
const buildInfo = join(root, "out", "types.tsbuildinfo");

/** What needs no build. @returns {import("./parts.mjs").Part[]} */
export function staticParts() {
  return [
    { name: "types", weight: 1, run: () => check("tsc", "-p", ".", "--incremental", "--tsBuildInfoFile", buildInfo) },
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
    return slowest.test(file) ? "slow" : "unit";
  });
  const partOf = (kind, name, options) => (groups.has(kind) ? [mochaPart(name, groups.get(kind), options)] : []);
  const tree = partOf("architecture", "architecture", { weight: 1 });
  if (quickest) return [...partOf("unit", "unit and contract", { weight: 2, jobs: 3 }), ...tree];
  return [
    // They wait for processes and servers most of their time: three at once keep one core busy.
    ...partOf("slow", "slower units", { weight: 1, jobs: 3, patient: true }),
    ...partOf("program", "the program", { weight: 1, jobs: 2, patient: true }),
    ...partOf("unit", "unit and contract", { weight: 1, jobs: 2 }),
    ...tree,
  ];
}
