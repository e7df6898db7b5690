/**
 * `npm run soak`: all random cases, of which `npm test` tries a tenth, and all interleavings of people, programs and agents
 * in a real VS Code. For a change of the loop, the log, compaction, edits or mentions, and before a release.
 */
import { fileURLToPath } from "node:url";
import { explain, since } from "./lib/console.mjs";
import { ensureInstalled, onNewNode } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

try {
  const from = Date.now();
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  Object.assign(process.env, { STRATA_SOAK: "1", STRATA_HOST_ONLY: "interleaving" });
  const [{ buildProduct }, { unitParts }, { report, total }, { hostParts }] = await Promise.all([
    import("../esbuild.mjs"),
    import("./lib/quick.mjs"),
    import("./lib/parts.mjs"),
    import("../test/host/run.mjs"),
  ]);
  const results = await unitParts();
  await buildProduct();
  for (const part of await hostParts()) results.push(await report(part));
  console.log(`\nSoaked in ${since(from)}`);
  await end(total(results));
} catch (error) {
  console.error(explain(error));
  await end(1);
}
