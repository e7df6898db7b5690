/** Benchmarks of the core itself: TypeScript, bundled and loaded into this process. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { modelDataOnly } from "../../esbuild.mjs";
import { root } from "./cli.mjs";

/**
 * @param entry from the project's folder @param folder where the bundle goes. Gives what the module exports.
 * @param tried other numbers in the code, to compare: file, expression of the text, what stands in its place
 */
export async function load(entry, folder, tried = []) {
  const name = entry.replaceAll(/\W/g, "-");
  const packages = pathToFileURL(join(root, "package.json")).href;
  await esbuild.build({
    ...{ entryPoints: { [name]: join(root, entry) }, outdir: folder, bundle: true, platform: "node", format: "esm" },
    // Split, since in one bundle a package that is loaded both at once and later (zod) may be used before it is set up.
    ...{ splitting: true, outExtension: { ".js": ".mjs" } },
    // jsonc-parser's main file requires by a variable, which cannot be bundled.
    ...{ mainFields: ["module", "main"], external: ["@vscode/ripgrep"], loader: { ".md": "text" }, logLevel: "error" },
    plugins: [modelDataOnly, ...tried.map(changedFile)],
    banner: {
      js: `import{createRequire as $require}from"node:module";const require=$require(${JSON.stringify(packages)});`,
    },
  });
  return import(pathToFileURL(join(folder, `${name}.mjs`)).href);
}

function changedFile({ file, text, by }) {
  const setup = build =>
    build.onLoad({ filter: new RegExp(`/${file}$`) }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!text.test(source)) throw new Error(`${file} has no ${text}`);
      return { contents: source.replace(text, by), loader: "ts" };
    });
  return { name: `changed ${text}`, setup };
}
