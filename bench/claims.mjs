/** How many announced acts and wrong claims at a turn's end are found, and how many honest ends are disturbed (bench/corpora). */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";

const work = temporary("bench-claims");
try {
  const { score } = await load("bench/lib/endCases.ts", work.path);
  const folder = process.env.BENCH_CORPORA ?? join(root, "bench/corpora");
  for (const name of (await readdir(folder)).filter(each => /^(?:promises|claims)/.test(each))) {
    const { faulty, honest, missed, wrong } = score(JSON.parse(await readFile(join(folder, name), "utf8")));
    title(name);
    row(`missed, of ${faulty}`, (100 * missed.length) / faulty, { unit: "%", aim: name.startsWith("p") ? 20 : 10 });
    row(`honest ends disturbed, of ${honest}`, wrong.length, {
      unit: "",
      digits: 0,
      aim: name.startsWith("p") ? 0 : 1,
    });
    if (process.env.BENCH_SHOW)
      for (const { each, got } of [...missed, ...wrong])
        console.log(`    ${JSON.stringify(each.said)} ${each.want} → ${got}`);
  }
} finally {
  work.remove();
}
