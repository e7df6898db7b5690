/** `npm run budget`: writes down in test/architecture/budget.json what fell. `--print` shows the numbers as they are, and changes nothing. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureInstalled, onNewNode, root } from "./lib/install.mjs";

await ensureInstalled();
await onNewNode(fileURLToPath(import.meta.url));
const esbuild = await import("esbuild");
const { outputFiles } = await esbuild.build({
  ...{ entryPoints: [join(root, "test/architecture/budget.ts")], bundle: true, write: false },
  ...{ platform: "node", format: "esm", external: ["esbuild"] },
});
const outfile = join(root, "out/budget.mjs");
mkdirSync(join(root, "out"), { recursive: true });
writeFileSync(outfile, outputFiles[0].contents);
const { weigh } = await import(pathToFileURL(outfile).href);
const paths = globSync("{src,webview-ui/src,test,bench,scripts}/**/*.{ts,tsx,mjs,cjs}", { cwd: root });
const files = new Map(paths.map(path => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")]));
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const now = weigh(files, Object.keys(dependencies).length);
if (process.argv.includes("--print")) console.log(JSON.stringify(now, undefined, 2));
else writeLower(now);

/** A number that rose stays: it has to be taken elsewhere, or its row is changed by hand. */
function writeLower(is) {
  const path = join(root, "test/architecture/budget.json");
  const budget = JSON.parse(readFileSync(path, "utf8"));
  const lower = (now, may = {}) =>
    Object.fromEntries(Object.entries(now).map(([name, count]) => [name, Math.min(count, may[name] ?? count)]));
  const written = { rooms: lower(is.rooms, budget.rooms), all: lower(is.all, budget.all) };
  writeFileSync(path, `${JSON.stringify(written, undefined, 2)}\n`);
}
