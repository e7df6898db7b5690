/** `npm run check`: the quick part of the tests: format, lint, types, architecture, unit. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, since } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

/** What a check may take on two quiet cores, seconds. */
const SECONDS = 30;

try {
  const from = Date.now();
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  const [{ runGroups }, { total }] = await Promise.all([import("./lib/groups.mjs"), import("./lib/parts.mjs")]);
  const results = await runGroups(["quick"], { quickest: true });
  console.log(`\nChecked in ${since(from)}, the budget is ${SECONDS} s`);
  const { all } = JSON.parse(readFileSync(join(root, "test/architecture/budget.json"), "utf8"));
  console.log(
    `Budget: ${Object.entries(all)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ")}`,
  );
  await end(total([...results.values()]));
} catch (error) {
  console.error(explain(error));
  await end(1);
}
