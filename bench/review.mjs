/** A review of changes: what follows a pause in typing, and taking one change back, or all; the session's log and snapshots synced. */
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const work = temporary("bench-review");
try {
  const { reviewTimes, sizes } = await load("bench/lib/reviewTimes.ts", work.path);
  for (const [name, [lines, changes]] of Object.entries(sizes)) {
    const { looks, undos, all } = await reviewTimes(join(work.path, name), lines, changes);
    title(`A review of ${name} (median of ${undos.length})`);
    row("changes found anew after a key", median(looks));
    row("one change taken back, noted on disk", median(undos), { aim: 50 });
    row("all that are left taken back", all);
  }
} finally {
  work.remove();
}
