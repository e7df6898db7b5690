/**
 * The index of paths behind completion after `@`: built, searched, weighed on 100,000 files, against `fzf` (npm) on the same
 * list with the same queries; and where the file that is meant comes, in 200 queries on a made-up repository.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as esbuild from "esbuild";
import { root, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const FILES = 100_000;
const BUILDS = 5;
const QUERIES = 90;
/** fzf takes a hundred times as long. */
const FZF_QUERIES = 9;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Bytes. What typed arrays held is given back a while after they are collected. */
async function memory() {
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What it takes where nothing else runs, nearly. */
function processor(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function timed(work) {
  const before = performance.now();
  work();
  return performance.now() - before;
}

const work = temporary("bench-mentions");
try {
  const outfile = join(work.path, "mentionIndex.mjs");
  await esbuild.build({
    ...{
      entryPoints: [join(root, "bench/lib/mentionIndex.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
    },
    ...{ nodePaths: [join(root, "node_modules")], logLevel: "error" },
  });
  const bench = await import(pathToFileURL(outfile).href);
  const files = bench.paths(FILES);
  const length = files.reduce((sum, path) => sum + path.length, 0) / files.length;

  title(`Index of ${FILES.toLocaleString("en")} files, paths of ${length.toFixed(0)} characters`);
  const spent = [];
  const builds = Array.from({ length: BUILDS }, () => timed(() => spent.push(processor(() => bench.build(files)))));
  const busy = `${median(spent).toFixed(0)} ms of processor time`;
  row(`built (median of ${BUILDS})`, median(builds), { digits: 0, aim: 1000, note: busy });
  const before = await memory();
  const index = bench.build(files);
  row("memory after a collection", ((await memory()) - before) / 1e6, { unit: "MB", aim: 60 });

  const search = bench.searching(index, files[FILES / 2]);
  const fzf = bench.fzfSearching(files);
  for (const query of bench.typedQueries(files, 4, QUERIES)) search(query);
  const all = { ours: [], fzf: [], processor: [] };
  title(`Search, the best 50 (${QUERIES} queries of each length; fzf ${FZF_QUERIES} of them)`);
  for (let letters = 1; letters <= 8; letters++) {
    const queries = bench.typedQueries(files, letters, QUERIES);
    const spent = [];
    const times = queries.map(query => timed(() => spent.push(processor(() => search(query)))));
    all.processor.push(...spent);
    const others = queries.slice(0, FZF_QUERIES).map(query => timed(() => fzf(query)));
    all.ours.push(...times);
    all.fzf.push(...others);
    const note = `p50 ${median(times).toFixed(1)} ms; fzf p50 ${median(others).toFixed(0)} ms`;
    row(`${letters} letter${letters > 1 ? "s" : ""}, p95`, percentile(times, 0.95), { aim: 25, note });
  }
  row("all lengths, p50", median(all.ours));
  row("all lengths, p95", percentile(all.ours, 0.95), { aim: 25 });
  row("all lengths, p95 of processor time", percentile(all.processor, 0.95));
  row("fzf, p50", median(all.fzf), { digits: 0 });
  row("fzf, p95", percentile(all.fzf, 0.95), { digits: 0 });
  row("time of fzf to ours, medians", median(all.fzf) / median(all.ours), { unit: "", digits: 0 });

  const ranks = bench.ranks();
  const share = (list, by, most = 0) =>
    (100 * list.filter(one => one[by] >= 0 && one[by] <= most).length) / list.length;
  const alone = ranks.filter(one => !bench.hasContext(one));
  title(`Rank of the file that is meant, ${ranks.length} queries (aim: first in at least 92 %, better than fzf)`);
  row("first", share(ranks, "ours"), { unit: "%", note: `fzf ${share(ranks, "fzf").toFixed(1)} %` });
  row("among the first three", share(ranks, "ours", 2), {
    unit: "%",
    note: `fzf ${share(ranks, "fzf", 2).toFixed(1)} %`,
  });
  row(`first, of the ${alone.length} without a file at hand`, share(alone, "ours"), {
    ...{ unit: "%", note: `fzf ${share(alone, "fzf").toFixed(1)} %` },
  });
} finally {
  work.remove();
}
