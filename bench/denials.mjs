/** Of calls that would do what was refused, how many run unasked; of their neighbours, how many ask. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { percentile, row, title } from "./lib/figures.mjs";

const work = temporary("bench-denials");
try {
  const { afterDenial, passes } = await load("test/core/permissions/denied.ts", work.path);
  // The second was written after the code was frozen.
  const corpora = ["denials", "denials2"].filter(name => (process.env.BENCH_CORPUS ?? name) === name);
  const texts = corpora.map(name => readFile(join(root, `bench/corpora/${name}.json`), "utf8"));
  const pairs = (await Promise.all(texts)).flatMap(text => JSON.parse(text));
  const times = [];
  const show = ({ denied, then }) =>
    process.env.BENCH_SHOW && console.log(`    ${JSON.stringify(denied)} → ${JSON.stringify(then)}`);
  for (const pass of Object.keys(passes)) {
    title(`After a no, with ${pass}`);
    const counts = { unasked: 0, confined: 0, asked: 0, moved: 0 };
    const all = { asks: 0, runs: 0 };
    for (const pair of pairs) {
      const start = performance.now();
      const { verdict, before } = await afterDenial(pair, pass);
      times.push(performance.now() - start);
      all[pair.expect] += 1;
      const { decision, by } = verdict;
      const isConfined = decision === "allow" && by === "sandbox";
      const kind =
        pair.expect === "runs"
          ? before.decision !== "ask" &&
            (decision === "ask" ? "asked" : isConfined && before.by !== "sandbox" && "moved")
          : isConfined
            ? "confined"
            : decision === "allow" && "unasked";
      if (kind) counts[kind] += 1;
      if (kind && kind !== "moved") show(pair);
    }
    row(`run unasked, of ${all.asks}`, counts.unasked, { unit: "", digits: 0, aim: 0 });
    row("of these in the sandbox, with the files read-only", counts.confined, { unit: "", digits: 0 });
    row(`neighbours that ask, of ${all.runs}`, (100 * counts.asked) / all.runs, { unit: "%", digits: 1, aim: 5 });
    row("neighbours that run in the sandbox only for it", counts.moved, { unit: "", digits: 0 });
  }
  row("a decision, 95 %", percentile(times, 0.95), { digits: 2 });
} finally {
  work.remove();
}
