/**
 * 200 tasks, four at a time, by integrations/tasks/all.sh as docs/thousand-tasks.md says; processes and all.sh itself are killed at
 * random, and all.sh is run again until it says that all have their end. `STRATA_BENCH_TASKS=20`: fewer.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOfflineModel } from "../scripts/offline-model/server.mjs";
import { smallAnswer } from "../scripts/offline-model/small.mjs";
import { cli, root, temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";

const TASKS = Number(process.env.STRATA_BENCH_TASKS ?? 200);
const LATER = 75;
/** A task is killed once on average; on a machine that is busy more would keep all from ending. */
const KILLS = TASKS;

/** By the conversation alone. A file has a name of its own each time, and a command adds a line: what was done twice shows. */
function script(request) {
  const results = new Map(request.messages.map(({ callId, text }) => [callId, text]));
  const calls = request.messages.flatMap(message => message.calls ?? []);
  const small = smallAnswer(request);
  if (small) return small;
  const last = calls.at(-1);
  const answer = last && (results.get(last.id) ?? "INTERRUPTED");
  // What was cut off is looked for before it is done again.
  if (answer?.includes("INTERRUPTED")) return { calls: [{ name: "Bash", input: { command: "ls; cat steps.txt" } }] };
  const seen = [...results.values()].join("\n");
  const left = ["first", "second", "third"].find(step => !seen.includes(`${step}-`));
  if (left === undefined) return { text: "All done." };
  const id = `${left}-${++answers}`;
  return left === "second"
    ? { calls: [{ name: "Bash", input: { command: `sleep 0.05; echo ${id} | tee -a steps.txt` } }] }
    : { calls: [{ name: "Write", input: { file_path: `${id}.txt`, content: `${id}\n` } }] };
}
let answers = 0;

/** Of our own group: only what was started here. */
function runsOf(group) {
  const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name));
  return pids.map(Number).filter(pid => {
    try {
      const [, state, own] = /\) (\S) \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      return Number(own) === group && state !== "Z" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(cli);
    } catch {
      // it has ended
      return false;
    }
  });
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
    return 1;
  } catch {
    // it has ended
    return 0;
  }
}

const work = temporary("bench-tasks");
const model = await startOfflineModel({ script });
try {
  const place = name => join(work.path, name);
  mkdirSync(place("bin"));
  writeFileSync(place("bin/strata"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o755 });
  const git = (...args) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args]);
  git("init", "-q", place("repository"));
  git("-C", place("repository"), "commit", "-q", "--allow-empty", "-m", "first");
  writeFileSync(place("tasks.tsv"), `${place("repository")}\tDo the three steps\n`.repeat(TASKS));
  const env = {
    ...process.env,
    ...{ PATH: `${place("bin")}:${process.env.PATH}`, HOME: work.path, TASKS: work.path, RUNS: place("runs") },
    ...{ STRATA_MODEL_BASE_URL: model.url, STRATA_MODEL_NAME: "offline-model", MAX_COST: "" },
    STRATA_PERMISSIONS_RUN_EVERYTHING: "true",
  };
  const [from, count] = [performance.now(), { processes: 0, players: 0 }];
  for (let code = LATER; code === LATER || code === null; ) {
    const player = spawn("sh", [join(root, "integrations/tasks/all.sh"), "4"], {
      env,
      stdio: "ignore",
      detached: true,
    });
    const ended = once(player, "exit").then(([status]) => status);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await Promise.race([ended, sleep(Math.random() * 2000)]);
      const runs = runsOf(player.pid);
      if (isOver || runs.length === 0 || count.processes + 4 * count.players >= KILLS) continue;
      if (Math.random() < 0.1) count.players += kill(-player.pid);
      else count.processes += kill(runs[Math.floor(Math.random() * runs.length)]);
    }
    code = await ended;
    if (code !== 0 && code !== LATER && code !== null) throw new Error(`all.sh ended with ${code}`);
  }
  const report = execFileSync(place("bin/strata"), ["report", place("runs/results"), "--json"], {
    ...{ env, encoding: "utf8", maxBuffer: 1e9 },
  });
  const { results, totals } = JSON.parse(report);
  const [twice, lost] = [[], []];
  for (const at of Array.from({ length: TASKS }, (_, index) => index)) {
    const folder = place(`runs/work/${at}`);
    const names = readdirSync(folder);
    const lines = names.includes("steps.txt") ? readFileSync(join(folder, "steps.txt"), "utf8").trim().split("\n") : [];
    for (const step of ["first", "second", "third"]) {
      const found = [...names, ...lines].filter(name => name.startsWith(`${step}-`)).length;
      if (found > 1) twice.push(`${at} ${step}`);
      if (found < 1) lost.push(`${at} ${step}`);
    }
  }
  const sessions = new Set(results.map(({ session }) => session)).size;
  title(`${TASKS} tasks, four at a time: ${count.processes} processes and ${count.players} players killed`);
  const each = { unit: "", digits: 0 };
  row("results, of them done", totals.done, { ...each, note: `of ${totals.runs}, ${sessions} sessions` });
  row("tasks without a result", TASKS - totals.done, { ...each, aim: 0 });
  row("steps done twice", twice.length, { ...each, aim: 0, note: twice.join(", ") });
  row("steps lost", lost.length, { ...each, aim: 0, note: lost.join(", ") });
  row("time", (performance.now() - from) / 1000, { unit: "s" });
} finally {
  await model.close();
  work.remove();
}
