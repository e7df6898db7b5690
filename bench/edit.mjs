/**
 * The Edit tool on a document of 1 MB in a real VS Code against a bare WorkspaceEdit of the same line, both saved and not,
 * and where its time goes; and merges of texts of that size.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import * as esbuild from "esbuild";
import { toolEnvironment } from "../scripts/lib/install.mjs";
import { end } from "../scripts/lib/processes.mjs";
import { prepare } from "../test/host/prepare.mjs";
import { findVSCode } from "../test/host/run.mjs";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const entry = join(root, "out", "bench", "editInEditor.js");

/** What the bundle measured inside the extension host. */
async function inEditor() {
  mkdirSync(join(root, "out", "bench"), { recursive: true });
  await esbuild.build({
    ...{ entryPoints: [join(root, "bench/lib/editInEditor.ts")], outfile: entry, bundle: true, platform: "node" },
    ...{ format: "cjs", target: "node22", packages: "external", external: ["vscode"], loader: { ".md": "text" } },
  });
  const vscode = await findVSCode();
  // What the editor does besides would be counted on both sides.
  const quiet = { "editor.minimap.enabled": false, "workbench.localHistory.enabled": false, "git.enabled": false };
  const { workspace, userData, extensions, close } = await prepare({ settings: quiet });
  const report = join(userData, "figures.json");
  try {
    await runTests({
      vscodeExecutablePath: vscode.path,
      ...{ extensionDevelopmentPath: root, extensionTestsPath: entry },
      launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
      extensionTestsEnv: toolEnvironment({ STRATA_BENCH_REPORT: report }),
    });
    return { vscode: vscode.name, figures: JSON.parse(readFileSync(report, "utf8")) };
  } finally {
    await close();
  }
}

function compare(words, { bare, tool, parts }) {
  const part = name => median(parts.map(times => times[name] ?? 0));
  row(`bare WorkspaceEdit${words}`, median(bare));
  row("Edit", median(tool));
  row("ratio", median(tool) / median(bare), { unit: "", digits: 2, aim: 1.5 });
  row("  prepare: read", part("read"));
  row("  prepare: plan and what is shown", part("prepare") - part("read"));
  row("  perform: states for undo, synced", part("snapshots"));
  row(`  perform: apply${words}`, part("apply"));
  row("  perform: what is told", part("perform") - part("apply") - part("snapshots"));
  row("  hashes, in all of these", part("hash"));
}

const { vscode, figures } = await inEditor();
title(`Edit on a document of 1 MB, 30,000 lines (${vscode}; median of ${figures.saved.bare.length}, in turn)`);
compare(" and save", figures.saved);
compare("", figures.unsaved);
row("a whole call in a session, its log in memory, saved", median(figures.session));

const work = temporary("bench-edit");
try {
  const { merges } = await load("bench/lib/mergeTimes.ts", work.path);
  title("Merge of texts of 1 MB, 30,000 lines (median of 7)");
  for (const [name, merge] of Object.entries(merges)) {
    const times = Array.from({ length: 8 }, () => {
      const before = performance.now();
      merge();
      return performance.now() - before;
    });
    row(name, median(times.slice(1)));
  }
} finally {
  work.remove();
}
await end(0);
