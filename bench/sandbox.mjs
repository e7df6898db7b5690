/** What the sandbox adds to a command: in a small workspace and in one of 1,000 folders. */
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const ROUNDS = 60;
const AIM = 8;

const work = temporary("bench-sandbox");
try {
  const { compare } = await load("bench/lib/sandboxed.ts", work.path);
  for (const folders of [20, 1000]) {
    title(`\`echo hi\` in a workspace of ${folders.toLocaleString("en")} folders, ${ROUNDS} times in turn`);
    const times = await compare(work.path, { folders, rounds: ROUNDS });
    if (!times) {
      console.log("  this machine has no sandbox");
      continue;
    }
    const { confined, free, probe } = times;
    row("outside", median(free));
    for (const [access, what] of Object.entries({ read: "to read", write: "to write" })) {
      const inside = confined[access];
      row(`in the sandbox, ${what}`, median(inside));
      row(`the sandbox adds, ${what}, median`, median(inside.map((ms, at) => ms - free[at])), { aim: AIM });
      row(`the sandbox adds, ${what}, p95`, percentile(inside, 0.95) - percentile(free, 0.95));
    }
    row("finding out whether it works, once", probe);
  }
} finally {
  work.remove();
}
