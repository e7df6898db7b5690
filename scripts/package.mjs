/** `npm run package`: builds, packs the extension (`strata-<version>.vsix`), says its size and what is in it. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem, step } from "./lib/console.mjs";
import { ensureInstalled, node24, onNewNode, root } from "./lib/install.mjs";
import { end, run } from "./lib/processes.mjs";

// Two languages, the decoders of pictures and old encodings and what draws diagrams are in it.
const limitMegabytes = 4.5;

async function main() {
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  const { buildProduct } = await import("../esbuild.mjs");
  const { manifestTexts } = await import("./manifest.mjs");
  const texts = Object.values(await manifestTexts());
  if (texts.some(({ now, wanted }) => now !== wanted))
    throw new Problem("package.json is not what src/shared/settings.ts says: run `npm run manifest`.");
  await step("Building dist/", buildProduct);
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const file = join(root, `${name}-${version}.vsix`);
  // Everything is bundled: no dependencies go in. The allow-list is .vscodeignore.
  await vsce(
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
    "--out",
    file,
  );
  const list = (await vsce("ls", "--no-dependencies")).trim().split("\n");
  const megabytes = statSync(file).size / 1e6;
  for (const path of list) console.log(`  ${path}`);
  console.log(`${file}: ${megabytes.toFixed(2)} MB, ${list.length} files`);
  if (megabytes > limitMegabytes)
    throw new Problem(`The package is over ${limitMegabytes} MB: look at the list above for what should not be in it.`);
}

async function vsce(...args) {
  const { code, output } = await run(node24(), [join(root, "node_modules/@vscode/vsce/vsce"), ...args], { cwd: root });
  if (code !== 0) throw new Problem(`vsce ${args[0]} failed:\n${output.trim()}`);
  return output;
}

await main().then(
  () => end(0),
  error => {
    console.error(explain(error));
    return end(1);
  },
);
