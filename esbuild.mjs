/**
 * Builds. `node esbuild.mjs` builds the product into dist/; `node esbuild.mjs tests [filter]` the Node tests into
 * out/test; `node esbuild.mjs host` the tests against a real VS Code into out/host.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { noticesText } from "./scripts/lib/notices.mjs";

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

/**
 * zod makes a program of each object's schema when it first parses one: some 0.3 ms each, and thereafter no gain that could be
 * measured. It is told so before any schema is there, which no module of ours could; in VS Code other extensions have settings of their own in the global that it reads.
 */
const noPrograms = {
  name: "no-programs",
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]core\.js$/ }, ({ path }) => {
      const [text, config] = [readFileSync(path, "utf8"), "globalConfig = globalThis.__zod_globalConfig;"];
      if (!text.includes(config)) throw new Error(`zod keeps its settings elsewhere now: look in ${path}`);
      return { contents: text.replace(config, "globalConfig = { jitless: true };"), loader: "js" };
    });
  },
};

/** `#model-data`: what of a package of half a megabyte is needed. In its place, so that its licence is told. */
export const modelDataOnly = {
  name: "model-data",
  setup(build) {
    const path = join(root, "node_modules/@pydantic/genai-prices/dist/index.js");
    build.onResolve({ filter: /^#model-data$/ }, () => ({ path, pluginData: "model-data" }));
    build.onLoad({ filter: /genai-prices[\\/]dist[\\/]index\.js$/ }, async ({ pluginData }) => {
      if (pluginData !== "model-data") return undefined;
      const { modelData } = await import("./scripts/lib/modelData.mjs");
      return { contents: modelData(), loader: "text" };
    });
  },
};

/** Scripts know the project's folder by their own place: tests import them where they are. */
const scriptsStay = {
  name: "scripts-stay",
  setup(build) {
    build.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path);
      return { path: build.initialOptions.format === "cjs" ? file : pathToFileURL(file).href, external: true };
    });
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  loader: { ".md": "text" },
  plugins: [englishOnly, noPrograms, modelDataOnly],
  logLevel: "warning",
  sourcemap: true,
  metafile: true,
};

// `module` first: jsonc-parser's main file requires by a variable, which cannot be bundled.
const product = { ...common, mainFields: ["module", "main"], minify: true, sourcemap: "linked", sourcesContent: false };

/** One file for both programs, each of which loads it from its folder beside it: together it would be there twice. */
const legacyEncodingsApart = {
  name: "legacy-encodings-apart",
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/legacyEncodings$/ }, () => ({
      path: "../legacyEncodings.js",
      external: true,
    }));
  },
};

/** VS Code's own module: as a namespace, each of sixty files would make a getter for each of its four hundred names. */
const vscodeAsIs = {
  name: "vscode-as-is",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]vscode[\\/].*\.ts$|[\\/]src[\\/]extension.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        'import * as vscode from "vscode";',
        'const vscode = require("vscode");',
      ),
      loader: "ts",
    }));
  },
};

/**
 * The extension, what makes pictures fit, the terminal program (a small wrapper around dist/cli), the panel, and whose code is in them.
 * @param outdir relative to the project, or absolute
 */
export async function buildProduct(outdir = "dist") {
  const out = resolve(root, outdir);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  copyFileSync(join(root, "src/bin/cli.cjs"), join(out, "cli.js"));
  chmodSync(join(out, "cli.js"), 0o755);
  const built = await Promise.all([
    buildExtension(out),
    buildPictureWorker(join(out, "pictureWorker.js")),
    buildLegacyEncodings(join(out, "legacyEncodings.js")),
    buildTerminal(join(out, "cli")),
    buildWebview(join(out, "webview")),
  ]);
  const metafiles = built.map(({ metafile }) => metafile);
  writeFileSync(join(out, "ThirdPartyNotices.txt"), noticesText(root, metafiles));
}

/** What needs the agent: programs of their own, see `buildTerminal`. */
const agentApart = {
  name: "agent-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\/cli\/(?:agent|serve|runFolder)$/ }, ({ path }) => ({
      path: path.replace("/cli/", "/").concat(".js"),
      external: true,
    }));
  },
};

/**
 * The terminal program, which the wrapper loads: main.js and what it loads later. What needs the agent is built by itself,
 * agent.js; and once more with what runs of a folder and channels need, of which the first then knows nothing. Split with the rest it would be in three times as many parts, and Node keeps compiled of a part only what its very first
 * process ran, which would be `strata --help`.
 */
export async function buildTerminal(outdir = "dist/cli") {
  const how = { outdir, external: ["@vscode/ripgrep"] };
  const plugins = [...product.plugins, legacyEncodingsApart];
  const built = await Promise.all([
    buildInParts({ ...how, plugins: [...plugins, agentApart], entryPoints: { main: "src/cli.ts" } }),
    buildInParts({ ...how, plugins, entryPoints: { agent: "src/cli/agent.ts" } }),
    buildInParts({ ...how, plugins, entryPoints: { serve: "src/cli/serve.ts", runFolder: "src/cli/runFolder.ts" } }),
  ]);
  const all = what => Object.assign({}, ...built.map(({ metafile }) => metafile[what]));
  return { metafile: { ...built[0].metafile, inputs: all("inputs"), outputs: all("outputs") } };
}

/** The extension: a small dist/extension.js, and dist/extension/ with what it loads later. */
function buildExtension(outdir) {
  rmSync(join(outdir, "extension"), { recursive: true, force: true });
  return buildInParts({
    plugins: [...product.plugins, legacyEncodingsApart, vscodeAsIs],
    entryPoints: ["src/extension.ts"],
    outdir,
    chunkNames: "extension/[name]-[hash]",
    external: ["vscode"],
  });
}

/**
 * A program for Node of which only what is used is parsed. esbuild splits ESM only, so the parts are turned into CommonJS one by
 * one. As ESM they would be slower: Node reads every name of a module of its own that is imported, and one of `node:http` loads
 * all that is behind `fetch`.
 */
async function buildInParts(options) {
  const node = { platform: "node", target: "node22" };
  const split = { format: "esm", splitting: true, write: false, sourcemap: "inline" };
  const { outputFiles, metafile } = await esbuild.build({
    ...{ ...product, ...node, ...options, ...split },
    define: { "import.meta.dirname": "__dirname" },
  });
  for (const { path, text } of outputFiles) {
    const asRequire = { "dynamic-import": false };
    const cjs = { ...node, format: "cjs", minify: true, supported: asRequire };
    // A package that stays outside may be ESM: Node 22.11 and before cannot require it.
    const kept = text.replaceAll('import("@', '$import("@');
    const { code, map } = await esbuild.transform(kept, { ...cjs, sourcemap: "external", sourcesContent: false });
    const program = code.replaceAll('$import("@', 'import("@');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${program}//# sourceMappingURL=${basename(path)}.map\n`);
    writeFileSync(`${path}.map`, map);
  }
  return { metafile };
}

/** What makes pictures fit: a thread's program, beside the WebAssembly that it reads. Neither is loaded before the first picture. */
export function buildPictureWorker(outfile = "dist/pictureWorker.js") {
  const wasm = createRequire(import.meta.url).resolve("@silvia-odwyer/photon-node/photon_rs_bg.wasm");
  mkdirSync(dirname(outfile), { recursive: true });
  copyFileSync(wasm, join(dirname(outfile), basename(wasm)));
  return esbuild.build({
    ...product,
    entryPoints: ["src/node/pictures/worker.ts"],
    outfile,
    ...{ platform: "node", format: "cjs", target: "node22" },
  });
}

/** What reads and writes encodings from before Unicode. Not loaded before the first file in one. */
export function buildLegacyEncodings(outfile = "dist/legacyEncodings.js") {
  return esbuild.build({
    ...product,
    entryPoints: ["src/node/legacyEncodings.ts"],
    outfile,
    ...{ platform: "node", format: "cjs", target: "node22" },
  });
}

/** Files of their own, without the shared chunk that splitting would make: each file is a trip through VS Code. */
const markdownLater = {
  name: "markdown-later",
  setup(build) {
    build.onResolve({ filter: /^\.\/(?:highlight|formula|diagrams)$/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: `${path}.js`, external: true } : undefined,
    );
  },
};

/** The host checks what it sends: the page has the types of schemas alone, and zod would be a sixth of what it loads. */
const withoutSchemas = {
  name: "without-schemas",
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, () => ({ path: "zod", namespace: "without-schemas" }));
    build.onLoad({ filter: /./, namespace: "without-schemas" }, async () => {
      const names = Object.keys(await import("zod")).map(name => `none as ${name}`);
      return { contents: `const none = new Proxy(() => none, { get: () => none });\nexport { ${names} };` };
    });
  },
};

/** Of labels in diagrams: drawn by what draws those of answers. */
const formulasBeside = {
  name: "formulas-beside",
  setup(build) {
    build.onResolve({ filter: /^katex$/ }, () => ({ path: "../formula.js", external: true }));
  },
};

const webview = {
  ...product,
  platform: "browser",
  format: "esm",
  target: "es2022",
  // the panel's own, around React's
  ...{ jsx: "automatic", jsxImportSource: "#panel", alias: { "#panel/jsx-runtime": "./webview-ui/src/jsx.ts" } },
  loader: { ...product.loader, ".ttf": "file" },
  define: { "process.env.NODE_ENV": '"production"' },
};

/** The panel: main.js, what it loads later, main.css, the icons' font and the first picture, into dist/webview. */
export async function buildWebview(outdir = "dist/webview") {
  const markdown = name => `webview-ui/src/markdown/${name}.ts`;
  const entryPoints = {
    main: "webview-ui/src/main.tsx",
    highlight: markdown("highlight"),
    formula: markdown("formula"),
  };
  const [built, diagrams] = await Promise.all([
    esbuild.build({ ...webview, plugins: [...product.plugins, withoutSchemas, markdownLater], entryPoints, outdir }),
    // Of these only what a diagram needs is loaded; it draws in a frame that the page makes for it.
    esbuild.build({
      ...webview,
      plugins: [...product.plugins, formulasBeside],
      define: { ...webview.define, window: "globalThis.drawingRoom", document: "globalThis.drawingRoom.document" },
      ...{ entryPoints: [markdown("diagrams")], outdir, splitting: true, sourcemap: false },
      chunkNames: "diagrams/[name]-[hash]",
    }),
  ]);
  await buildFirstPicture(outdir, "first.html", {});
  for await (const file of glob("l10n/bundle.l10n.*.json", { cwd: root })) {
    const language = /bundle\.l10n\.(.+)\.json$/.exec(file)[1];
    const translation = JSON.parse(readFileSync(join(root, file), "utf8"));
    writeFileSync(resolve(root, outdir, `${language}.js`), `export default ${JSON.stringify(translation)};\n`);
    await buildFirstPicture(outdir, `first.${language}.html`, translation);
  }
  return { metafile: { ...built.metafile, outputs: { ...built.metafile.outputs, ...diagrams.metafile.outputs } } };
}

/** What the panel draws before anything has answered, in one language. Its own components draw it, here and now. */
async function buildFirstPicture(outdir, file, translation) {
  const entryPoints = ["webview-ui/src/firstPicture.tsx"];
  // "edge-light": React for servers without what would keep this process alive.
  const memory = { outdir, write: false, sourcemap: false, conditions: ["edge-light", "module"] };
  const define = { ...webview.define, TRANSLATION: JSON.stringify(translation) };
  const { outputFiles } = await esbuild.build({ ...webview, ...memory, define, entryPoints });
  const { html } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
  writeFileSync(resolve(root, outdir, file), html);
}

/**
 * @typedef {Map<string, string[]>} Bundles each test's bundle and what of test/ is in it, itself first; paths relative to the project
 */

/** Tests that run in Node: one bundle a file, shared chunks, packages stay outside. @returns {Promise<Bundles>} */
async function nodeTests(entryPoints, outdir, outbase) {
  rmSync(join(root, outdir), { recursive: true, force: true });
  return bundlesOf(
    await esbuild.build({
      ...common,
      plugins: [...common.plugins, scriptsStay],
      entryPoints,
      outdir,
      outbase,
      platform: "node",
      format: "esm",
      target: "node24",
      splitting: true,
      packages: "external",
      jsx: "automatic",
      outExtension: { ".js": ".mjs" },
    }),
  );
}

/** @returns {Bundles} */
function bundlesOf({ metafile: { outputs } }) {
  const sources = (path, seen) => {
    if (seen.has(path) || !outputs[path]) return [];
    seen.add(path);
    const { inputs, imports } = outputs[path];
    return [...Object.keys(inputs), ...imports.flatMap(each => sources(each.path, seen))];
  };
  const tests = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint && /\.test\.tsx?$/.test(entryPoint));
  return new Map(
    tests.map(([path, { entryPoint }]) => {
      const all = new Set([entryPoint, ...sources(path, new Set())]);
      return [path, [...all].filter(source => source.startsWith("test/"))];
    }),
  );
}

async function files(pattern, wanted = () => true) {
  const found = [];
  for await (const file of glob(pattern, { cwd: root })) if (wanted(file)) found.push(file);
  return found.sort();
}

/** test/**, mirrors of src, into out/test. */
export async function buildTests(filter = "") {
  const elsewhere = /^test[\\/](host|panel|crashes)[\\/]/;
  const entryPoints = await files("test/**/*.test.{ts,tsx}", file => !elsewhere.test(file) && file.includes(filter));
  return nodeTests(entryPoints, "out/test", "test");
}

/** test/crashes into out/crashes: proofs that take longer than the quick part of the tests may. */
export async function buildCrashTests() {
  return nodeTests(await files("test/crashes/**/*.test.ts"), "out/crashes", "test");
}

/**
 * test/host into out/host: `editor`, `trusted` and `untrusted` run inside VS Code's extension host (CommonJS, as it wants them),
 * `workbench` in Node, with a browser that drives VS Code's own page.
 */
export async function buildHostTests() {
  const workbench = await nodeTests(await files("test/host/workbench/**/*.test.ts"), "out/host", "test/host");
  const inside = await esbuild.build({
    ...common,
    plugins: [...common.plugins, scriptsStay],
    entryPoints: [
      "test/host/index.ts",
      "test/host/chatModelsExtension.ts",
      "test/host/tidyExtension.ts",
      ...(await files("test/host/{editor,trusted,untrusted}/**/*.test.ts")),
    ],
    outdir: "out/host",
    outbase: "test/host",
    platform: "node",
    format: "cjs",
    target: "node22",
    packages: "external",
    external: ["vscode"],
  });
  return new Map([...workbench, ...bundlesOf(inside)]);
}

/** test/panel into out/panel: the tests (in Node, with a browser) and the host that stands in for VS Code on their page. */
export async function buildPanelTests() {
  const tests = await nodeTests(await files("test/panel/**/*.{test,bench}.ts"), "out/panel", "test/panel");
  await esbuild.build({
    ...common,
    entryPoints: ["test/panel/page/fakeHost.ts"],
    outdir: "out/panel/page",
    platform: "browser",
    format: "iife",
    target: "es2022",
  });
  return tests;
}

const [task, filter] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (task === "tests") await buildTests(filter);
  else if (task === "host") await buildHostTests();
  else await buildProduct();
}
