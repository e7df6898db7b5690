/** Many sessions in one storage: how long the list of 10,000 takes, and a run beside them, against ten. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "./lib/bundle.mjs";
import { cli, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const MANY = 1_000;
const FEW = 10;
const RUNS = 7;

/** What a session of a few turns leaves. */
function makeSession(folder, n) {
  const id = `ses_${String(n).padStart(6, "0")}`;
  const path = join(folder, "sessions", id);
  mkdirSync(join(path, "blobs"), { recursive: true });
  const message = seq => ({
    ...{ kind: "message", id: `rec_${n}_${seq}`, seq, ts: 1_700_000_000_000 + n },
    message: {
      ...{ id: `msg_${n}_${seq}`, role: "user", parts: [{ type: "text", text: `Do thing ${n}. ${"x".repeat(400)}` }] },
      metadata: { ts: 1_700_000_000_000 + n, turn: seq, step: 0, runId: "r" },
    },
  });
  const header = { kind: "header", version: 1, sessionId: id, created: 1_700_000_000_000 + n, archives: [] };
  const lines = [header, ...Array.from({ length: 12 }, (_, at) => message(at + 1))];
  writeFileSync(join(path, "history.jsonl"), lines.map(line => `${JSON.stringify(line)}\n`).join(""));
  for (const name of ["a", "b", "c", "d", "e"]) writeFileSync(join(path, "blobs", name), "x".repeat(300));
  const meta = { id, title: `Thing ${n}`, created: 1_700_000_000_000 + n, updated: 1_700_000_000_000 + n, turns: 12 };
  writeFileSync(join(path, "meta.json"), `${JSON.stringify(meta)}\n`);
}

async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function several(times, work) {
  const all = [];
  for (let at = 0; at < times; at += 1) all.push(await timed(work));
  return median(all);
}

/** ms of the processor, of the program and of the system for it */
async function worked(times, work) {
  const all = [];
  for (let at = 0; at < times; at += 1) {
    const from = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(from);
    all.push((user + system) / 1000);
  }
  return median(all);
}

const work = temporary("bench-sessions");
const model = await startModel(() => ({ text: "Done." }));
try {
  const { NodeStorage } = await load("src/node/storage/sessionStorage.ts", work.path);
  const workspace = join(work.path, "workspace");
  mkdirSync(workspace);
  const storage = name => join(work.path, name);
  for (let n = 0; n < MANY; n += 1) makeSession(storage("many"), n);
  for (let n = 0; n < FEW; n += 1) makeSession(storage("few"), n);
  const env = { XDG_STATE_HOME: join(work.path, "state"), XDG_CACHE_HOME: join(work.path, "cache") };
  async function program(args) {
    const { code, output } = await runProgram(args, { env });
    if (code !== 0) throw new Error(output);
  }
  const run = name => program(runArgs({ url: model.url, workspace, storage: storage(name) }));
  const sessions = [cli, "sessions", "--workspace", workspace, "--storage", storage("many")];

  title(`${MANY.toLocaleString("en")} sessions in one storage`);
  const list = () => new NodeStorage(storage("many")).list();
  const first = await timed(() => run("many"));
  const times = { few: [], many: [] };
  // By turns: what else goes on in the machine meets both.
  for (let at = 0; at < RUNS; at += 1)
    for (const name of ["few", "many"]) times[name].push(await timed(() => run(name)));
  const few = median(times.few);
  row(`strata run beside ${FEW}, median of ${RUNS}`, few);
  row("strata run beside many", median(times.many), { aim: Math.round(few * 1.1) });
  row("  the first, while nothing is known of them", first, { aim: Math.round(few) + 500 });
  row(`list, median of ${RUNS}`, await several(RUNS, list), { aim: 200 });
  row("  of which this process worked", await worked(RUNS, list), { aim: 100, note: "whatever else the machine does" });
  const { SessionSearch } = await load("src/core/log/sessionSearch.ts", work.path);
  const all = new NodeStorage(storage("many"));
  const found = new SessionSearch({
    storage: all,
    list: () => all.list(),
    clock: { steady: () => performance.now(), now: Date.now },
  });
  const search = async query => {
    for (let from = 0; from !== null; ) ({ next: from } = await found.next(query, from));
  };
  row("search through all of them, nothing found", await timed(() => search("nowhere")));
  row("  the same with another letter typed", await timed(() => search("nowhereA")));
  row("strata sessions, the whole program", await several(RUNS, () => program(sessions)));
} finally {
  await model.close();
  work.remove();
}
