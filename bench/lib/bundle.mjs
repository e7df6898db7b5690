/** Benchmarks of the core itself: TypeScript, bundled and loaded into this process. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root } from "./cli.mjs";

/** @param entry from the project's folder @param folder where the bundle goes. Gives what the module exports. */
export async function load(entry, folder) {
  const outfile = join(folder, `${entry.replaceAll(/\W/g, "-")}.mjs`);
  const packages = pathToFileURL(join(root, "package.json")).href;
  await esbuild.build({
    ...{ entryPoints: [join(root, entry)], outfile, bundle: true, platform: "node", format: "esm" },
    ...{ external: ["@vscode/ripgrep"], loader: { ".md": "text" }, logLevel: "error" },
    banner: { js: `import{createRequire as r}from"node:module";const require=r(${JSON.stringify(packages)});` },
  });
  return import(pathToFileURL(outfile).href);
}
