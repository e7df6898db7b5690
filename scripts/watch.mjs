/**
 * `npm run watch`: builds dist/ again after each change. A window that runs Strata from this folder (F5, or `npm start` with a
 * desktop VS Code) reloads itself then; a page in a browser is reloaded by hand.
 */
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, since } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";

await ensureInstalled();
await onNewNode(fileURLToPath(import.meta.url));
const { buildProduct } = await import("../esbuild.mjs");

let building = false;
let changed = false;

async function build() {
  if (building) return;
  building = true;
  while (changed) {
    changed = false;
    const from = Date.now();
    try {
      await buildProduct();
      mkdirSync(join(root, "out"), { recursive: true });
      // The extension waits for this file where it runs in development.
      writeFileSync(join(root, "out/built"), String(from));
      console.log(`Built in ${since(from)}`);
    } catch (error) {
      console.error(explain(error));
    }
  }
  building = false;
}

function onChange() {
  changed = true;
  // An editor writes several files at once.
  setTimeout(() => void build(), 100);
}

for (const folder of ["src", "webview-ui/src", "prompts", "l10n"])
  watch(join(root, folder), { recursive: true }, onChange);
onChange();
