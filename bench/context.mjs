/**
 * What the context engine costs: nine days with a scripted model by six price rules, beside the same days when old results were folded by
 * price; whether the model saw what it has to; breaks of the prefix; manifests; and the time to assemble a large request.
 * `node bench/context.mjs [--only long,chat] [--settled 2] [--fold 16000] [--reads null] [--room 1/4]` tries other numbers in the table of ages;
 * `--requests` prints three requests of a long day as a model reads them; `--measure` what `before.mjs` has, a day for each rule whose
 * prices a session could go by, or, with `--once`, one for all.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { BEFORE } from "./lib/context/before.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    windows: { type: "string" },
    settled: { type: "string" },
    fold: { type: "string" },
    reads: { type: "string" },
    room: { type: "string" },
    measure: { type: "boolean", default: false },
    once: { type: "boolean", default: false },
    requests: { type: "boolean", default: false },
  },
});

const million = (name, tokens, more) => row(name, tokens / 1e6, { unit: "M", digits: 3, ...more });
const whole = (name, value, more) => row(name, value, { unit: "", digits: 0, ...more });

function manifests({ manifestBytes }) {
  const tenth = Math.floor(manifestBytes.length / 10);
  const mean = part => part.reduce((sum, bytes) => sum + bytes, 0) / part.length;
  const means = Array.from({ length: 10 }, (_, at) => mean(manifestBytes.slice(at * tenth, (at + 1) * tenth)));
  for (const [at, value] of means.entries()) {
    if (at % 3 === 0) whole(`manifests ${at * tenth + 1} to ${(at + 1) * tenth}, bytes each`, value, { unit: "B" });
  }
  const third = Math.floor(manifestBytes.length / 3);
  const [middle, last] = [mean(manifestBytes.slice(third, 2 * third)), mean(manifestBytes.slice(2 * third))];
  row("manifests: last third ÷ middle third", last / middle, { unit: "", digits: 2, aim: 1.25, note: "1 is flat" });
}

/** Every number has the one of the same day before; none may be dearer. */
function table(name, window, played, rules) {
  const { bill, forced, recalls, spared, folds, settlings, compactions, summaries, compactedIn, missed, breaks } =
    played;
  const before = BEFORE[`${name} ${window}`];
  const was = value => (value === undefined ? {} : { note: `before: ${value.toLocaleString("en")}` });
  title(`${name}, window ${window.toLocaleString("en")}: ${bill.requests} requests (tokens by o200k)`);
  million("sent", bill.sent);
  for (const rule of rules) {
    const dearest = before?.costs[rule];
    million(`paid, ${rule}`, bill.costs[rule], dearest === undefined ? {} : { aim: dearest / 1e6 });
  }
  whole("last request", bill.last, was(before?.last));
  whole("largest request", bill.largest);
  whole("files read again for an edit", forced, was(before?.forced));
  if (recalls + spared > 0)
    whole("asked for what an old output said", recalls, { note: `${spared} readings were not needed` });
  whole("folds within turns", folds, { note: `before: ${before?.folds}; ${settlings} changes of form alone` });
  const turns = compactedIn.length > 0 ? `, in turns ${compactedIn}` : "";
  whole("compactions", compactions, {
    note: `before: ${before?.compactions}; ${summaries} requests for summaries${turns}`,
  });
  const causes = Object.entries(breaks).map(([cause, times]) => `${cause} ${times}`);
  whole("breaks of the prefix without a cause", breaks.unexplained ?? 0, { aim: 0, note: `all: ${causes.join(", ")}` });
  whole("reads not whole, failures not seen, outputs not found", missed.length, { aim: 0 });
  for (const { call, line } of missed.slice(0, 3)) console.log(`    ${call} did not show: ${line}`);
}

/** The numbers of one day, where the session is told the prices of each rule. */
async function measured(days, name, window, rules) {
  const costs = {};
  let numbers;
  for (const [rule, played] of await days(name, window, rules)) {
    costs[rule] = Math.round(played.bill.costs[rule]);
    const { forced, folds, compactions, bill } = played;
    numbers ??= { last: bill.last, forced, folds, compactions };
  }
  console.log(`  ${JSON.stringify(`${name} ${window}`)}: ${JSON.stringify({ costs, ...numbers })},`);
}

const AGES = "core/context/ages.ts";
const tried = [
  ...(options.settled ? [{ file: AGES, text: /(lean: \{ settled: )\d+/, by: `$1${options.settled}` }] : []),
  ...(options.room ? [{ file: AGES, text: /(const ROOM = )[^;]+/, by: `$1${options.room}` }] : []),
  ...(options.reads ? [{ file: AGES, text: /(lean: \{[^}]*editedReads: )[\w]+/, by: `$1${options.reads}` }] : []),
  ...(options.fold ? [{ file: AGES, text: /(lean: \{[^}]*foldAt: )[\d_]+/, by: `$1${options.fold}` }] : []),
];
const work = temporary("bench-context");
try {
  const { play, fiftyTurns, WORKLOADS, RULES, pricesOf, timeAssembling } = await load(
    "bench/lib/context/play.ts",
    work.path,
    tried,
  );
  if (options.requests) {
    const { printed } = await play(fiftyTurns(200), join(work.path, "printed"));
    for (const turn of [5, 50, 200]) console.log(`\n${"=".repeat(80)}\n${await printed(turn)}`);
  }
  const names = options.requests ? [] : (options.only?.split(",") ?? Object.keys(WORKLOADS));
  let folder = 0;
  const played = (name, window, rule) =>
    play(WORKLOADS[name].scenario(), join(work.path, `${++folder}`), { "model.contextWindow": window }, rule);
  const days = async (name, window, rules) => {
    const plain = await played(name, window, "default");
    const all = [];
    for (const rule of rules)
      all.push([rule, pricesOf(rule) && !options.once ? await played(name, window, rule) : plain]);
    return all;
  };
  for (const name of names) {
    for (const window of options.windows?.split(",").map(Number) ?? WORKLOADS[name].windows) {
      if (options.measure) {
        await measured(days, name, window, RULES);
        continue;
      }
      const day = await played(name, window, "default");
      table(name, window, day, RULES);
      if (name === "many") manifests(day);
    }
  }
  if (!options.only && !options.measure && !options.requests) {
    const { next, first, tokens: size, messages } = timeAssembling(160_000, 50);
    title(`Assembling a request of ${size.toLocaleString("en")} tokens (estimate), ${messages} messages`);
    row("next step of a session, median", median(next), { aim: 10, digits: 2 });
    row("next step of a session, p95", percentile(next, 0.95), { digits: 2 });
    row("first request after opening, median", median(first), { aim: 10, digits: 2, note: "nothing remembered" });
  }
} finally {
  work.remove();
}
