/**
 * The Grep tool against ripgrep itself: same tree (100,000 files, generated), same pattern, same options. Two references:
 * ripgrep writing into a pipe that this process reads, as any caller of it has to; and into a file.
 */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const FILES = 100_000;
const RUNS = 7;
const RARE = "needleInTheHay";
const COMMON = "invoiceTotal";

function generate(folder) {
  const body = at =>
    `// file ${at}\nexport function handler${at}(request) {\n  const ${at % 50 === 0 ? COMMON : "amount"} = request.amount * ${at};\n  return { amount, at: ${at} };\n}\n${at % 10_000 === 0 ? `// ${RARE}\n` : ""}`;
  for (let at = 0; at < FILES; at++) {
    if (at % 200 === 0)
      mkdirSync(join(folder, `d${Math.floor(at / 10_000)}/e${Math.floor(at / 200) % 50}`), { recursive: true });
    writeFileSync(join(folder, `d${Math.floor(at / 10_000)}/e${Math.floor(at / 200) % 50}/f${at}.js`), body(at));
  }
}

const options = [
  "--no-config",
  "--color=never",
  "--no-messages",
  "--hidden",
  "--no-require-git",
  "--no-ignore-global",
  "--no-heading",
  "--with-filename",
  "--line-number",
  "--null",
  "--glob=!.git",
];

function ripgrep(path, pattern, folder, stdout) {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [...options, "-e", pattern, "--", "."], {
      cwd: folder,
      stdio: ["ignore", stdout, "ignore"],
    });
    child.stdout?.resume();
    child.on("error", reject);
    child.on("close", resolve);
  });
}

async function timed(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

const work = temporary("bench-grep");
try {
  const outfile = join(work.path, "grepTool.mjs");
  await esbuild.build({
    ...{ entryPoints: [join(root, "bench/lib/grepTool.ts")], outfile, bundle: true, platform: "node", format: "esm" },
    ...{ external: ["@vscode/ripgrep"], loader: { ".md": "text" }, logLevel: "error" },
    banner: {
      js: `import{createRequire as $require}from"node:module";const require=$require(${JSON.stringify(pathToFileURL(join(root, "package.json")).href)});`,
    },
  });
  const tree = join(work.path, "tree");
  mkdirSync(tree);
  generate(tree);
  const { grepIn } = await import(pathToFileURL(outfile).href);
  const { rgPath } = createRequire(join(root, "package.json"))("@vscode/ripgrep");
  const grep = grepIn(tree, rgPath);
  title(`Grep on ${FILES.toLocaleString("en")} files (median of ${RUNS}, in turn)`);
  for (const pattern of [RARE, COMMON]) {
    const times = { tool: [], pipe: [], file: [] };
    const out = openSync(join(work.path, "out"), "w");
    for (let run = 0; run <= RUNS; run++) {
      const tool = await timed(() => grep({ pattern }));
      const pipe = await timed(() => ripgrep(rgPath, pattern, tree, "pipe"));
      const file = await timed(() => ripgrep(rgPath, pattern, tree, out));
      if (run === 0) continue;
      times.tool.push(tool);
      times.pipe.push(pipe);
      times.file.push(file);
    }
    closeSync(out);
    console.log(`  ${await grep({ pattern })}`);
    row("tool", median(times.tool), { digits: 0 });
    row("ripgrep into a pipe", median(times.pipe), { digits: 0 });
    row("ripgrep into a file", median(times.file), { digits: 0 });
    row("ratio to the pipe", median(times.tool) / median(times.pipe), { unit: "", digits: 2, aim: 1.15 });
    row("ratio to the file", median(times.tool) / median(times.file), { unit: "", digits: 2 });
  }
} finally {
  work.remove();
}
