/**
 * Agents: random trees of them, with budgets and Stop at any moment; explorers beside one after the other; what those pay who have
 * none. `STRATA_BENCH_RUNS=20`: fewer trees; `STRATA_BENCH_SEED`: the first one.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const TREES = Number(process.env.STRATA_BENCH_RUNS ?? 1_000);
const FIRST = Number(process.env.STRATA_BENCH_SEED ?? 1);
const TURNS = 60;
const STEP_MS = 200;

const none = (name, value, note) => row(name, value, { unit: "", aim: 0, digits: 0, note });

async function trees({ randomTree }) {
  title(`${TREES} random trees`);
  const sum = {};
  for (let seed = FIRST; seed < FIRST + TREES; seed++) {
    const { why, ...counts } = await randomTree(seed);
    for (const [key, count] of Object.entries(counts)) sum[key] = (sum[key] ?? 0) + count;
    if (why.length > 0) console.log(`    seed ${seed}: ${why.slice(0, 3).join("; ")}`);
  }
  none("requests past a budget", sum.past, `of ${sum.requests}, ${sum.children} agents, ${sum.limited} ended by it`);
  none(
    "requests of an agent after Stop",
    sum.afterStop,
    `${sum.stopped} Stops, of trees and of one; ${sum.written} that ended were written to`,
  );
  none("handles in reports that lead nowhere", sum.unresolved, `of ${sum.handles}`);
  none("breaks of the caller's prefix", sum.broken);
  none("defects that verify finds", sum.defects);
  none("trees whose spending is not that of all answers", sum.unpaid);
  none("agents that never ended", sum.open);
}

async function figures({ timeOf, memoryOf, stopTime, without }) {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  title(`Five explorers of three steps, each step ${STEP_MS} ms of waiting`);
  const [alone, beside] = [await timeOf(1, STEP_MS), await timeOf(5, STEP_MS)];
  row("one after the other", alone);
  row("beside one another", beside, {
    aim: Math.round(alone / 3.5),
    note: `${(alone / beside).toFixed(2)} times as fast`,
  });
  await memoryOf(8, gc);
  const memory = [await memoryOf(8, gc), await memoryOf(8, gc), await memoryOf(8, gc)];
  row("memory of each of eight at work", median(memory), { unit: "MB", aim: 6, digits: 2 });
  const stops = [await stopTime(), await stopTime(), await stopTime()];
  row("Stop, three requests on their way, the longest of 3", Math.max(...stops.map(({ ms }) => ms)), { aim: 200 });
  none(
    "requests behind it",
    stops.reduce((all, { after }) => all + after, 0),
  );

  title("Without use: a turn of two requests, with the setting off and with auto, where no file is");
  const all = { off: [], auto: [] };
  for (let at = 0; at < TURNS; at++) for (const enabled of ["off", "auto"]) all[enabled].push(await without(enabled));
  const [off, auto] = [all.off.at(-1), all.auto.at(-1)];
  const ms = name =>
    percentile(
      all[name].slice(10).map(each => each.ms),
      0.5,
    );
  none("tools more", auto.tools - off.tools + Number(auto.hasTask), `of ${off.tools}`);
  none("tokens more in the first request", auto.tokens - off.tokens, `of ${off.tokens}`);
  none(
    "operations of the disk more",
    Number(auto.operations !== off.operations),
    `of ${off.operations.split(",").length}`,
  );
  row("a turn with auto, median", ms("auto"), { digits: 2, note: `off: ${ms("off").toFixed(2)} ms` });
}

const work = temporary("bench-agents");
try {
  await trees(await load("bench/lib/agentTrees.ts", work.path));
  await figures(await load("bench/lib/agentTimes.ts", work.path));
} finally {
  work.remove();
}
