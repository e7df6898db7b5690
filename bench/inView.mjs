/**
 * Whether a sentence was in view of the model: how many of the corpus's sessions are answered right, and how long an answer takes in
 * a session of 200 requests. The second corpus was written after the code was frozen. `node bench/inView.mjs [FILE]`: another one of
 * that form.
 */
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const work = temporary("bench-in-view");
try {
  const { viewOf, rightView, timedViews } = await load("bench/lib/inView.ts", work.path);
  const own = ["inView.json", "inView2.json"].map(name => join(root, "bench/corpora", name));
  title("Was my rule in view?");
  for (const file of process.argv[2] ? [resolve(process.argv[2])] : own) {
    const { cases, sentences } = JSON.parse(readFileSync(file, "utf8"));
    const wrong = [];
    let sessions = 0;
    for (const [at, viewed] of cases.entries())
      for (const place of [at, at * 3 + 5]) {
        sessions += 1;
        const { found } = await viewOf(viewed, sentences[place % sentences.length]);
        const right = rightView(viewed);
        if (Object.keys(right).some(name => right[name] !== found[name])) wrong.push(viewed.name);
      }
    const note = [basename(file), ...wrong].join(" | ");
    row("answered right", sessions - wrong.length, { unit: `of ${sessions}`, digits: 0, note });
  }
  const { times, requests } = await timedViews();
  for (const [what, ms] of Object.entries(times))
    row(what, median(ms), { unit: "ms of processor time", note: `${requests} requests, median of ${ms.length}` });
} finally {
  work.remove();
}
