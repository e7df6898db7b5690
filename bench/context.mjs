/**
 * What the context engine costs: tokens (o200k) of real sessions with a scripted model, beside the same sessions with nothing
 * shortened; whether the model saw what it has to; breaks of the prefix; manifests; and the time to assemble a large request.
 */
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const SMALL_WINDOW = 64_000;

const million = (name, tokens, more) => row(name, tokens / 1e6, { unit: "M", digits: 2, ...more });
const whole = (name, value, more) => row(name, value, { unit: "", digits: 0, ...more });

function tokens(name, { bill, whole: reference, folds, compactions, summaries }, { aim } = {}) {
  title(`${name}: tokens of ${bill.requests} requests (o200k)`);
  million("sent", bill.sent);
  million("fresh", bill.fresh);
  million("effective (fresh + 0.1 × cached)", bill.effective, { aim });
  million("nothing shortened: sent", reference.sent);
  million("nothing shortened: effective", reference.effective, { note: `${reference.requests} requests` });
  row("ratio of the effective ones", bill.effective / reference.effective, { unit: "", digits: 3 });
  whole("largest request", bill.largest, { note: `nothing shortened: ${reference.largest.toLocaleString("en")}` });
  whole("folds", folds);
  whole("compactions", compactions, { note: `${summaries} requests for summaries` });
}

function seen(name, played, scenario, countOf) {
  const { missed, breaks } = played;
  title(`${name}: what the model got`);
  for (const what of ["read", "failure"]) {
    const of = countOf(scenario, what === "read" ? "Read" : "Bash");
    whole(what === "read" ? "reads not whole when made" : "failure lines not seen", of - played.seen[what], {
      aim: 0,
      note: `of ${of}`,
    });
  }
  for (const { call, line } of missed.slice(0, 3)) console.log(`    ${call} did not show: ${line}`);
  const causes = Object.entries(breaks).map(([cause, times]) => `${cause} ${times}`);
  whole("breaks of the prefix without a cause", breaks.unexplained ?? 0, { aim: 0, note: `all: ${causes.join(", ")}` });
}

function manifests({ manifestBytes }) {
  title("Manifests: bytes a request, over the session's length");
  const tenth = Math.floor(manifestBytes.length / 10);
  const mean = part => part.reduce((sum, bytes) => sum + bytes, 0) / part.length;
  const means = Array.from({ length: 10 }, (_, at) => mean(manifestBytes.slice(at * tenth, (at + 1) * tenth)));
  for (const [at, value] of means.entries()) {
    if (at % 3 === 0) whole(`requests ${at * tenth + 1} to ${(at + 1) * tenth}`, value, { unit: "B" });
  }
  const third = Math.floor(manifestBytes.length / 3);
  const [middle, last] = [mean(manifestBytes.slice(third, 2 * third)), mean(manifestBytes.slice(2 * third))];
  row("last third ÷ middle third", last / middle, { unit: "", digits: 2, aim: 1.25, note: "1 is flat" });
}

/**
 * A conversation as it was where files were read again in each turn, results passed to kept at the end of theirs, and long
 * inputs and pictures stayed.
 */
const CONVERSATION_BEFORE = {
  32000: { effective: 2.23, breaks: 134, forced: 30 },
  64000: { effective: 2.86, breaks: 66, forced: 18 },
  200000: { effective: 3.65, breaks: 57, forced: 7 },
};

function conversationTable(window, { bill, breaks, forced, folds, compactions, compactedIn, missed }) {
  const before = CONVERSATION_BEFORE[window];
  title(`60 turns in which files come back, window ${window.toLocaleString("en")}: ${bill.requests} requests (o200k)`);
  million("effective", bill.effective, { note: `before: ${before.effective}` });
  const all = Object.values(breaks).reduce((sum, times) => sum + times, 0);
  const causes = Object.entries(breaks).map(([cause, times]) => `${cause} ${times}`);
  whole("breaks of the prefix", all, { note: `before: ${before.breaks}; now: ${causes.join(", ")}` });
  whole("files read again for an edit", forced, { note: `before: ${before.forced}` });
  const apart = compactedIn.slice(1).map((turn, at) => turn - compactedIn[at]);
  whole("folds", folds, { note: `${compactions} compactions${apart.length > 0 ? `, ${apart} turns apart` : ""}` });
  whole("largest request", bill.largest);
  whole("reads not whole, failures not seen", missed.length, { aim: 0 });
}

const work = temporary("bench-context");
try {
  const { play, longTurn, manyTurns, conversation, countOf, timeAssembling } = await load(
    "bench/lib/context/play.ts",
    work.path,
  );
  const long = longTurn();
  const a = await play(long, join(work.path, "a"));
  tokens("One turn of 60 steps and five of 6", a, { aim: 0.3 });
  seen("One turn of 60 steps and five of 6", a, long, countOf);
  title("One turn of 60 steps and five of 6: effective tokens by strata.context.foldAt");
  for (const foldAt of [null, 0, 24_000, 36_000, 48_000]) {
    const { bill, forced } = await play(longTurn(), join(work.path, `a${foldAt}`), { "context.foldAt": foldAt });
    const name = foldAt === null ? "by its price" : foldAt === 0 ? "off" : foldAt.toLocaleString("en");
    million(name, bill.effective, { aim: 0.3, note: `${forced} files read again for an edit` });
  }
  const many = manyTurns();
  const b = await play(many, join(work.path, "b"));
  tokens("100 turns of 8 steps", b);
  seen("100 turns of 8 steps", b, many, countOf);
  manifests(b);
  const small = await play(manyTurns(), join(work.path, "c"), { "model.contextWindow": SMALL_WINDOW });
  const name = `100 turns of 8 steps in a window of ${SMALL_WINDOW.toLocaleString("en")}`;
  tokens(name, small);
  seen(name, small, many, countOf);
  for (const window of [32_000, 64_000, 200_000]) {
    const settings = { "model.contextWindow": window };
    conversationTable(window, await play(conversation(), join(work.path, `d${window}`), settings));
  }
  const { next, first, tokens: size, messages } = timeAssembling(160_000, 50);
  title(`Assembling a request of ${size.toLocaleString("en")} tokens (estimate), ${messages} messages`);
  row("next step of a session, median", median(next), { aim: 10, digits: 2 });
  row("next step of a session, p95", percentile(next, 0.95), { digits: 2 });
  row("first request after opening, median", median(first), { aim: 10, digits: 2, note: "nothing remembered" });
} finally {
  work.remove();
}
