/** Random trees of agents. `STRATA_BENCH_RUNS=20`: fewer; `STRATA_BENCH_SEED`: from another one on. */
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";

const TREES = Number(process.env.STRATA_BENCH_RUNS ?? 1_000);
const FIRST = Number(process.env.STRATA_BENCH_SEED ?? 1);

const none = (name, value, note) => row(name, value, { unit: "", aim: 0, digits: 0, note });

const work = temporary("bench-agents");
try {
  const { randomTree } = await load("bench/lib/agentTrees.ts", work.path);
  title(`${TREES} random trees`);
  const sum = {};
  for (let seed = FIRST; seed < FIRST + TREES; seed++) {
    if (process.env.STRATA_BENCH_SHOW) console.log(seed);
    const { why, ...counts } = await randomTree(seed);
    for (const [key, count] of Object.entries(counts)) sum[key] = (sum[key] ?? 0) + count;
    if (why.length > 0) console.log(`    seed ${seed}: ${why.slice(0, 3).join("; ")}`);
  }
  none("requests past a budget", sum.past, `of ${sum.requests}, ${sum.children} agents`);
  none("requests of an agent after Stop", sum.afterStop);
  none("handles in reports that lead nowhere", sum.unresolved, `of ${sum.handles}`);
  none("breaks of the caller's prefix", sum.broken);
  none("defects that verify finds", sum.defects);
  none("trees whose spending is not that of all answers", sum.unpaid);
  none("trees with an agent that never ended", sum.open);
} finally {
  work.remove();
}
