/** Of sentences of rules files: how many of those that a rule can hold are proposed, how many wrongly, and how long reading takes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";

const work = temporary("bench-bindings");
try {
  const { proposed, readingTime } = await load("bench/lib/bindings.ts", work.path);
  const rows = ["bindings", "bindings2"].flatMap(name =>
    JSON.parse(readFileSync(join(root, `bench/corpora/${name}.json`), "utf8")),
  );
  const all = rows.map(each => ({ ...each, found: proposed(each.text) }));
  const bindable = all.filter(({ expect }) => expect !== null);
  const kindOf = text => text?.split(":")[0];
  const isWrong = ({ expect, found }) =>
    found.length > 0 && (expect === null || !found.some(each => kindOf(each) === kindOf(expect)));
  title(`Sentences of rules files that bind, of ${rows.length}`);
  row("that a rule can hold", bindable.length, { unit: "", digits: 0 });
  row("of these proposed", (100 * bindable.filter(({ found }) => found.length > 0).length) / bindable.length, {
    unit: "%",
  });
  row("proposed wrongly", all.filter(isWrong).length, { unit: "", digits: 0, aim: 0 });
  if (process.env.BENCH_SHOW)
    for (const each of all) console.log(`    ${each.text.slice(0, 80)}: ${each.found.join(" | ")}`);
  row(
    "reading 32 KB of them",
    readingTime(
      rows
        .map(({ text }) => text)
        .join("\n\n")
        .repeat(9)
        .slice(0, 32_768),
    ),
    { digits: 1 },
  );
} finally {
  work.remove();
}
