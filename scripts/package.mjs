/**
 * `npm run package`: builds, packs the extension (`strata-<version>.vsix`), says its size and what is in it.
 * `npm run package -- terminal`: the terminal program alone, as a package of npm (`strata-<version>.tgz`), for machines without
 * an editor: `npm install -g ./strata-<version>.tgz`.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem, step } from "./lib/console.mjs";
import { ensureInstalled, node24, npm, onNewNode, root } from "./lib/install.mjs";
import { end, run } from "./lib/processes.mjs";

// Two languages, the decoders of pictures and old encodings and what draws diagrams are in it.
const limitMegabytes = 4.5;

async function main(what) {
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  if (what === "terminal") return packTerminal();
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

/** All but ripgrep, which has a package for each kind of machine, is bundled. */
async function packTerminal() {
  const { buildProduct } = await import("../esbuild.mjs");
  await step("Building dist/", buildProduct);
  const { name, version, license, bin, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "strata-package-"));
  try {
    const filter = path => !path.endsWith(".map") && !/[\\/]dist[\\/](?:extension|webview)/.test(path);
    for (const part of ["dist", "l10n", "docs", "README.md", "LICENSE"])
      cpSync(join(root, part), join(folder, part), { recursive: true, filter });
    const needs = { "@vscode/ripgrep": dependencies["@vscode/ripgrep"] };
    const manifest = { name, version, license, bin, engines: { node: ">=22" }, dependencies: needs };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    await npm(["pack", "--pack-destination", root], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const file = join(root, `${name}-${version}.tgz`);
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);
}

async function vsce(...args) {
  const { code, output } = await run(node24(), [join(root, "node_modules/@vscode/vsce/vsce"), ...args], { cwd: root });
  if (code !== 0) throw new Problem(`vsce ${args[0]} failed:\n${output.trim()}`);
  return output;
}

await main(process.argv[2]).then(
  () => end(0),
  error => {
    console.error(explain(error));
    return end(1);
  },
);
