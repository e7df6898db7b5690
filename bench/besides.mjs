/** Two sessions at one file: 500 random calls, and what an Edit waits for the look at other sessions. Proofs of a change: 200 tampered with. */
import { mkdtempSync } from "node:fs";
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
  const { ProvenChange, takenTampered } = await load("bench/lib/tamperedProofs.ts", work.path);
  const change = await ProvenChange.begin(mkdtempSync(join(work.path, "proof-")));
  title("200 proofs that were tampered with, and 3 that were not");
  row("tampered with, and taken", (await takenTampered(change, 200, 42)).length, { unit: "", digits: 0, aim: 0 });
  const { text, patch, log } = change;
  const honest = await Promise.all([{}, { patch }, { log }].map(more => change.check(text, more)));
  row("honest, and refused", honest.filter(({ taken }) => !taken).length, { unit: "", digits: 0, aim: 0 });
} finally {
  work.remove();
}
