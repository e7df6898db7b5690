/**
 * `npm run soak`: what `npm test` leaves out since it takes long by nature, and all of the random cases. `npm run soak -- NAME`
 * runs one of the soaks (scripts/lib/soaks.mjs names them), several names several. Before a release, and whenever what one
 * covers was changed (ARCHITECTURE.md says which covers what). Ends with a line `soak: N passed, N failed`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem, since } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";
import { soaks, soaksOf } from "./lib/soaks.mjs";

function chosen(names) {
  const unknown = names.find(name => !(name in soaks));
  if (unknown)
    throw new Problem(
      `There is no soak "${unknown}": choose from ${Object.keys(soaks).join(", ")}, or name none for all.`,
    );
  return names.length > 0 ? names : Object.keys(soaks);
}

/** What tests name soaks by is in every bundle of a test that does. */
const vocabulary = "test/fakes/soak.ts";

/** Tests that name one of these soaks, themselves or by what of test/ they import. */
function belongTo(names) {
  const known = new Map();
  const named = source => {
    if (!known.has(source)) known.set(source, soaksOf(readFileSync(join(root, source), "utf8")));
    return known.get(source);
  };
  return sources => sources.some(source => source !== vocabulary && names.some(name => named(source).has(name)));
}

async function main() {
  const from = Date.now();
  const names = chosen(process.argv.slice(2));
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  process.env.STRATA_SOAK = names.join();
  const [{ runGroups }, { total }] = await Promise.all([import("./lib/groups.mjs"), import("./lib/parts.mjs")]);
  const options = { wanted: belongTo(names), statics: false };
  const results = await runGroups(["host", "panel", "crashes", "quick"], options);
  console.log(`\nSoaked (${names.join(", ")}) in ${since(from)}`);
  return total([...results.values()], "soak");
}

await main().then(end, error => {
  console.error(explain(error));
  return end(1);
});
