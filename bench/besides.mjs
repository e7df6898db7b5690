/** Two sessions at one file: 500 random calls, and what an Edit waits for the look at other sessions. */
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const work = temporary("bench-besides");
try {
  const { lookTimes, randomWork } = await load("bench/lib/twoSessions.ts", work.path);
  title("The look at other sessions before an Edit (median)");
  for (const [name, times] of Object.entries(await lookTimes(join(work.path, "storage")))) row(name, median(times));
  title("500 random calls of two sessions at one file");
  const { calls, met, lost, unnamed } = await randomWork(42, 500);
  row("calls, rewinds and reviews", calls, { unit: "", digits: 0 });
  row("met the other's unreviewed lines", met, { unit: "", digits: 0 });
  row("lines lost unasked", lost, { unit: "", digits: 0, aim: 0 });
  row("the other not named", unnamed, { unit: "", digits: 0, aim: 0 });
} finally {
  work.remove();
}
