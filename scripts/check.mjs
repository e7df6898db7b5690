/** `npm run check`: the quick part of the tests (format, lint, types, architecture, unit), a minute and a half on two cores. */
import { fileURLToPath } from "node:url";
import { explain, since } from "./lib/console.mjs";
import { ensureInstalled, onNewNode } from "./lib/install.mjs";
import { end } from "./lib/processes.mjs";

try {
  const from = Date.now();
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  const [{ quickParts }, { total }] = await Promise.all([import("./lib/quick.mjs"), import("./lib/parts.mjs")]);
  const results = await quickParts({ quickest: true });
  console.log(`\nChecked in ${since(from)}`);
  await end(total(results));
} catch (error) {
  console.error(explain(error));
  await end(1);
}
