/**
 * `strata run --out` as whoever runs 500 of them sees it: killed at any moment, also while it waits and while it is answered, and
 * started again, nothing is done twice, lost or asked for again; with limits, no request leaves past one; what each leaves is a
 * trajectory of ATIF 1.7. `STRATA_BENCH_RUNS=20`: fewer.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promptOf } from "../scripts/offline-model/chatWire.mjs";
import { startOfflineModel } from "../scripts/offline-model/server.mjs";
import { smallAnswer } from "../scripts/offline-model/small.mjs";
import { usageOf } from "../scripts/offline-model/usage.mjs";
import { load } from "./lib/bundle.mjs";
import { cli, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const RUNS = Number(process.env.STRATA_BENCH_RUNS ?? 500);
const ITEMS = 6;
/** US dollars for a million tokens */
const PRICES = { input: 2, output: 10 };
/** ms: of a request on its way, and of a timer under load */
const SLACK_MS = 150;

/** In every third run these wait for a person: a file, and a command. */
const ASKED = ["Write(part-2*)", "Bash(* part-3 *)"];

/** A file of a name of its own, or a line: nothing hides that one was done twice. */
const item = k =>
  k % 2 === 0
    ? { name: "Write", input: { file_path: `part-${k}.${answers}.txt`, content: "done" } }
    : { name: "Bash", input: { command: `sleep 0.02; echo part-${k} >> parts.txt` } };
const look = { name: "Bash", input: { command: "ls; cat parts.txt" } };

/** By the conversation alone; undefined: all is done. Of a call that was cut off the model looks what it did before it calls again. */
function nextCall(messages) {
  const results = new Map(messages.map(({ callId, text }) => [callId, text]));
  let [done, isUnsure] = [0, false];
  for (const call of messages.flatMap(message => message.calls ?? [])) {
    const result = results.get(call.id) ?? "INTERRUPTED";
    const isLook = call.input.command === look.input.command;
    isUnsure = result.includes("INTERRUPTED");
    if (!isUnsure && (!isLook || result.includes(`part-${done}`))) done++;
  }
  if (isUnsure) return look;
  return done < ITEMS ? item(done) : undefined;
}

/** Plays for all runs at once and notes, for each, what was asked and what was known then. */
function answerOf(asked) {
  const { messages, body } = asked;
  const run = runs.get(/run-\d+/.exec(messages.map(({ text }) => text).join("\n"))?.[0]);
  const known = messages.flatMap(({ calls = [] }) => calls.map(call => call.id));
  const [id, call] = [`call_${++answers}`, nextCall(messages)];
  const answer = smallAnswer(asked) ?? (call ? { calls: [{ ...call, id }] } : { text: "Done." });
  const { input, output } = usageOf(answer, promptOf(body), 0);
  run.usage.set(id, { tokens: input + output, cost: (input * PRICES.input + output * PRICES.output) / 1e6 });
  run.requests.push({ id, at: performance.now(), known });
  // Bodies of thousands of requests are not kept.
  model.requests.length = 0;
  return answer;
}

class Run {
  usage = new Map();
  requests = [];
  kills = 0;
  answered = { all: 0, killed: 0, refused: 0 };

  constructor(folder, name, { limit = [], asks = false } = {}) {
    const [workspace, out] = [join(folder, name, "ws"), join(folder, name, "out")];
    Object.assign(this, { name, limit, asks, workspace, out, appended: join(workspace, "parts.txt") });
    mkdirSync(this.workspace, { recursive: true });
    runs.set(name, this);
  }

  /** @param killAfter ms; undefined: it is left alone. @param what prompt or answer. Gives the exit code; null: it was killed */
  async start(killAfter, what = ["--prompt", `Do ${this.name}.`]) {
    const where = ["--workspace", this.workspace, "--out", this.out, "--base-url", model.url];
    const how = ["--model", "offline-model", "--trust", "--mode", "auto", ...this.limit];
    const env = {
      ...{ PATH: process.env.PATH, HOME: join(this.workspace, ".."), STRATA_PERMISSIONS_RUN_EVERYTHING: "true" },
      STRATA_MODEL_PRICES: JSON.stringify({ "offline-model": PRICES }),
      ...(this.asks && { STRATA_PERMISSIONS_ASK: JSON.stringify(ASKED) }),
    };
    const args = [cli, "run", ...where, ...how, ...(this.asks ? ["--json"] : []), ...what];
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
    const [code, signal] = await once(child, "close");
    clearTimeout(timer);
    if (signal === "SIGKILL") this.kills++;
    return code;
  }

  /** Started again until it ends by itself; what waits is answered. @param killAfter of each start, by its number from 0 */
  async end(killAfter) {
    let [code, isRefused] = [null, false];
    for (let at = 0; at < 50; at++) {
      const waits = isRefused ? undefined : this.json("result.json")?.waits;
      code = await this.start(killAfter(at), waits && ["--allow-call", waits.id]);
      // Killed behind its answer: that is recorded, and a second one is not taken.
      isRefused = waits !== undefined && code === 1;
      if (waits) this.answered.all++;
      if (waits && code === null) this.answered.killed++;
      if (isRefused) this.answered.refused++;
      else if (code !== null && code !== 3) return code;
    }
    return code;
  }

  json(file) {
    const path = join(this.out, file);
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }

  steps = () => this.json("trajectory.json")?.steps ?? [];

  /** How often each part was done. */
  parts() {
    const lines = existsSync(this.appended) ? readFileSync(this.appended, "utf8").split("\n") : [];
    const there = [...lines, ...readdirSync(this.workspace).map(name => name.split(".")[0])];
    return Array.from({ length: ITEMS }, (_, k) => there.filter(part => part === `part-${k}`).length);
  }

  /** Requests whose answer was in the log already: of those that knew the same, two have an answer there. */
  repeated() {
    const recorded = new Set(this.steps().flatMap(({ tool_calls = [] }) => tool_calls.map(call => call.tool_call_id)));
    const groups = [...Map.groupBy(this.requests, ({ known }) => known.join()).values()];
    const ends = this.steps().filter(({ message }) => message === "Done.").length;
    const answered = [...groups.map(group => group.filter(({ id }) => recorded.has(id)).length), ends];
    return answered.reduce((sum, each) => sum + Math.max(0, each - 1), 0);
  }

  /** Requests that left though what the session knew had reached the limit. */
  pastLimit() {
    const [option, limit] = this.limit;
    const taken = {
      "--max-steps": ({ known }) => known.length,
      "--max-tokens": ({ known }) => this.sum(known, "tokens"),
      "--max-cost": ({ known }) => this.sum(known, "cost"),
      "--max-minutes": ({ at }) => (at - this.requests[0].at - SLACK_MS) / 60_000,
    };
    return this.requests.filter(request => taken[option](request) >= Number(limit)).length;
  }

  sum(ids, what) {
    return ids.reduce((sum, id) => sum + (this.usage.get(id)?.[what] ?? 0), 0);
  }
}

/** Two at a time. */
async function each(all, work) {
  const left = all.values();
  const worker = async () => {
    for (const next of left) await work(next);
  };
  await Promise.all([worker(), worker()]);
}

const count = (all, of) => all.reduce((sum, run) => sum + Number(of(run)), 0);
const none = (name, value, note) => row(name, value, { unit: "", aim: 0, digits: 0, note });
const some = (from, to) => from + Math.random() * (to - from);

const runs = new Map();
let answers = 0;
const work = temporary("bench-runs");
const model = await startOfflineModel({ script: answerOf, chunkDelayMs: 4 });
try {
  const { atifComplaints, atifSums } = await load("test/fakes/atif.ts", join(work.path, "bundle"));
  const make = (kind, of, how) =>
    Array.from({ length: of }, (_, at) => new Run(work.path, `run-${kind}${at}`, how?.(at)));
  const times = [];
  const calm = make(3, 4);
  await each(calm, async run => {
    const from = performance.now();
    if ((await run.end(() => undefined)) !== 0) throw new Error(`${run.name} failed`);
    times.push(performance.now() - from);
  });
  const [length, ids] = [median(times), [...(calm[0]?.usage.keys() ?? [])]];
  const took = what => calm[0]?.sum(ids, what) ?? 0;

  title(
    `${RUNS} runs of ${ITEMS} steps, each killed at any moment (one takes ${Math.round(length)} ms) and started again`,
  );
  const killed = make(1, RUNS, at => ({ asks: at % 3 === 0 }));
  await each(killed, async run => {
    run.code = await run.end(at => (at === 0 || Math.random() < 0.4 ? some(0, length * 1.05) : undefined));
  });
  const answered = what => count(killed, run => run.answered[what]);
  const cut = count(killed, run => count(run.steps(), step => JSON.stringify(step).includes('"INTERRUPTED"')));
  none(
    "not done in the end",
    count(killed, run => run.code !== 0),
    `${count(killed, run => run.kills)} kills, ${cut} in a call, ${answered("killed")} of ${answered("all")} answers; ${answered("refused")} told that one was there`,
  );
  none(
    "steps done twice",
    count(killed, run => count(run.parts(), times => times > 1)),
  );
  none(
    "steps lost",
    count(killed, run => count(run.parts(), times => times === 0)),
  );
  none(
    "requests repeated after their answer was recorded",
    count(killed, run => run.repeated()),
    `of ${count(killed, run => run.requests.length)}`,
  );

  title(`${RUNS} runs with a limit, some killed on the way, all started once more when they had ended`);
  const kinds = [
    () => ["--max-steps", String(Math.ceil(some(0, ITEMS + 1)))],
    () => ["--max-tokens", String(Math.ceil(took("tokens") * some(0.05, 1.1)))],
    () => ["--max-cost", (took("cost") * some(0.05, 1.1)).toFixed(6)],
    () => ["--max-minutes", (some(100, length) / 60_000).toFixed(6)],
  ];
  const limited = make(2, RUNS, at => ({ limit: kinds[at % 4]?.() }));
  await each(limited, async run => {
    const isKilled = run.limit[0] !== "--max-minutes" && Math.random() < 1 / 3;
    run.code = await run.end(at => (isKilled && at === 0 ? some(0, length) : undefined));
    const asked = run.requests.length;
    run.wentOn = (await run.start()) !== run.code || run.requests.length > asked;
  });
  const ended = `${count(limited, run => run.code === 5)} stopped by it, ${count(limited, run => run.code === 0)} done before`;
  none(
    "requests past a limit",
    count(limited, run => run.pastLimit()),
    `of ${count(limited, run => run.requests.length)}; ${ended}`,
  );
  none(
    "that ended otherwise",
    count(limited, run => run.code !== 5 && run.code !== 0),
  );
  none(
    "that asked for more, or ended otherwise, once more",
    count(limited, run => run.wentOn),
  );

  title("What they left");
  const left = [...killed, ...limited];
  const refused = left.flatMap(run => atifComplaints(run.json("trajectory.json")).slice(0, 1));
  none("trajectories that the format refuses", refused.length, `of ${left.length} ${refused[0] ?? ""}`);
  const isOther = run => {
    const [counted, named] = atifSums(run.json("trajectory.json"));
    const { input, output } = run.json("result.json").usage;
    return counted.join() !== named.join() || named.slice(0, 2).join() !== `${input},${output}`;
  };
  none("of which the tokens are not those of result.json", count(left, isOther));
} finally {
  await model.close();
  work.remove();
}
