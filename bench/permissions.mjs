/** How many harmless commands ask, how long a decision takes, and what the shell's grammar adds to what is loaded. */

import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { percentile, row, title } from "./lib/figures.mjs";

const work = temporary("bench-permissions");
try {
  const { asking, corpusTimes, longTimes } = await load("bench/lib/deciding.ts", work.path);
  const groups = await asking();
  const sum = of => groups.reduce((all, group) => all + of(group), 0);
  title("Everyday commands that ask in Auto, without rules");
  for (const { name, all, asks } of groups) {
    row(`${name}, of ${all}`, asks.length, { unit: "", digits: 0 });
    if (process.env.BENCH_SHOW) for (const { command, reason } of asks) console.log(`    ${command}: ${reason}`);
  }
  const all = sum(group => group.all);
  row(`without a sandbox, of ${all}`, (100 * sum(({ asks }) => asks.length)) / all, { unit: "%", aim: 25 });
  row("with one", (100 * sum(({ stays }) => stays.length)) / all, { unit: "%", aim: 10 });

  title("A decision");
  await corpusTimes();
  row("corpus, 95 %", percentile(await corpusTimes(), 0.95), { aim: 2, digits: 2 });
  row("10,000 characters, 95 %", percentile(await longTimes(), 0.95), { aim: 10 });

  title("What is loaded with the first command");
  const built = await esbuild.build({
    ...{ entryPoints: [join(root, "src/core/permissions/shell/reading.ts")], bundle: true, minify: true },
    ...{ write: false, format: "esm", platform: "node" },
  });
  row("grammar and tables, gzip", gzipSync(built.outputFiles[0].contents).length / 1000, { unit: "kB", aim: 60 });
} finally {
  work.remove();
}
