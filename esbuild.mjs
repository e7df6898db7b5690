/**
 * Builds. `node esbuild.mjs` builds the product into dist/; `node esbuild.mjs tests [filter]` the Node tests into
 * out/test; `node esbuild.mjs host` the tests that run inside VS Code.
 */
import { rmSync } from "node:fs";
import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));

/** zod carries the messages of 50 languages; only English ones are shown. */
const englishOnly = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  loader: { ".md": "text" },
  plugins: [englishOnly],
  logLevel: "warning",
  sourcemap: true,
  metafile: true,
};

const product = { ...common, minify: true, sourcemap: "linked", sourcesContent: false };

/** @returns {Promise<esbuild.BuildResult[]>} */
export function buildProduct() {
  return Promise.all([
    esbuild.build({
      ...product,
      entryPoints: ["src/extension.ts"],
      outfile: "dist/extension.js",
      platform: "node",
      format: "cjs",
      target: "node22",
      external: ["vscode"],
    }),
    esbuild.build({
      ...product,
      entryPoints: { "cli-main": "src/cli.ts" },
      outdir: "dist",
      platform: "node",
      format: "cjs",
      target: "node22",
      external: ["@vscode/ripgrep"],
      outExtension: { ".js": ".cjs" },
    }),
    esbuild.build({
      ...product,
      entryPoints: { main: "webview-ui/src/main.tsx" },
      outdir: "dist/webview",
      platform: "browser",
      format: "iife",
      target: "es2022",
      jsx: "automatic",
      loader: { ...product.loader, ".ttf": "file" },
      define: { "process.env.NODE_ENV": '"production"' },
    }),
  ]);
}

/** Node tests: one bundle a file, shared chunks, packages stay outside. */
export async function buildTests(filter = "") {
  const entryPoints = [];
  for await (const file of glob("test/**/*.test.{ts,tsx}", { cwd: root })) {
    if (/^test[\\/](host|panel)[\\/]/.test(file)) continue;
    if (file.includes(filter)) entryPoints.push(file);
  }
  rmSync(`${root}out/test`, { recursive: true, force: true });
  await esbuild.build({
    ...common,
    entryPoints,
    outdir: "out/test",
    outbase: "test",
    platform: "node",
    format: "esm",
    target: "node24",
    splitting: true,
    packages: "external",
    jsx: "automatic",
    outExtension: { ".js": ".mjs" },
  });
  return entryPoints.length;
}

const [task, filter] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (task === "tests") await buildTests(filter);
  else await buildProduct();
}
