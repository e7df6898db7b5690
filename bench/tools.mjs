/**
 * Overhead per step by tool: the server's answer has ended → the next request is there, in a session that grows, each tool
 * by turns; beside it pi (npm, the version below), against the same server, in the same minutes. Strata syncs its log and its
 * manifests, pi syncs nothing. pi has no sandbox: a script runs in Strata's, a plain program in neither. `STRATA_BENCH_PI` names the folder of an installed `@mariozechner/pi-coding-agent`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processorTime, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const PI = "@mariozechner/pi-coding-agent";
const PI_VERSION = "0.73.1";
const ROUNDS = 20;
const LONG = 'seq -f "line %g of the output of a build" 2000';
const SCRIPT = `for i in $(seq 1 2000); do echo "line $i of the output of a build"; done`;

/** One call of each tool, as the program's model would make it. @param step numbers rounds, so that no two calls are the same */
const calls = {
  strata: {
    Read: step => ({ name: "Read", input: { file_path: `src/file${step % 50}.ts` } }),
    Edit: step => ({ name: "Edit", input: { file_path: `src/file${step % 50}.ts`, ...change(step) } }),
    "Bash, one line": step => ({ name: "Bash", input: { command: `echo ${step}` } }),
    "Bash, 2,000 lines": step => ({ name: "Bash", input: { command: `${LONG} # ${step}` } }),
    "Bash, a script of 2,000 lines": step => ({ name: "Bash", input: { command: `${SCRIPT} # ${step}` } }),
    "Bash, a script of one": step => ({ name: "Bash", input: { command: `for i in ${step}; do echo $i; done` } }),
    Grep: step => ({ name: "Grep", input: { pattern: `value${step}\\b`, path: "src" } }),
  },
  pi: {
    Read: step => ({ name: "read", input: { path: `src/file${step % 50}.ts` } }),
    Edit: step => {
      const { old_string: oldText, new_string: newText } = change(step);
      return { name: "edit", input: { path: `src/file${step % 50}.ts`, edits: [{ oldText, newText }] } };
    },
    "Bash, one line": step => ({ name: "bash", input: { command: `echo ${step}` } }),
    "Bash, 2,000 lines": step => ({ name: "bash", input: { command: `${LONG} # ${step}` } }),
    "Bash, a script of 2,000 lines": step => ({ name: "bash", input: { command: `${SCRIPT} # ${step}` } }),
    "Bash, a script of one": step => ({ name: "bash", input: { command: `for i in ${step}; do echo $i; done` } }),
    Grep: step => ({ name: "grep", input: { pattern: `value${step}\\b`, path: "src" } }),
  },
};
const everyTool = Object.keys(calls.strata);

const change = step => ({ old_string: `const value${step} = ${step};`, new_string: `const value${step} = -${step};` });

function makeWorkspace(path) {
  mkdirSync(join(path, "src"), { recursive: true });
  for (let file = 0; file < 50; file++) {
    const lines = Array.from({ length: 200 }, (_, at) => `  // line ${at} of file ${file}`);
    lines[100] = `const value${file} = ${file};`;
    writeFileSync(join(path, `src/file${file}.ts`), lines.join("\n"));
  }
  return path;
}

/** @returns {Promise<{gaps: Record<string, number[]>, cpu: number}>} ms by tool; processor time of a step, first request to last */
async function play(program, argsOf, { tools = everyTool, rounds = ROUNDS, ...options } = {}) {
  const steps = rounds * tools.length;
  const toolAt = step => tools[step % tools.length];
  const model = await startModel(step =>
    step < steps ? { calls: [calls[program][toolAt(step)](Math.floor(step / tools.length))] } : { text: "Done." },
  );
  try {
    const spent = [];
    const onStart = ({ pid }) => {
      model.onRequest = () => spent.push(processorTime(pid));
    };
    const run = await runProgram(argsOf(model.url), { ...options, onStart });
    if (run.code !== 0 || model.requests.length !== steps + 1)
      throw new Error(
        `${program} failed (${run.code}, ${model.requests.length} requests):\n${run.output.slice(-2000)}`,
      );
    const last = model.requests.at(-1).body;
    if (/not (?:been )?read|No match|Could not find/i.test(last))
      throw new Error(`${program}: a call failed: ${last.slice(-3000)}`);
    const gaps = Object.fromEntries(tools.map(tool => [tool, []]));
    for (let step = 0; step < steps; step++)
      gaps[toolAt(step)].push(model.requests[step + 1].at - model.requests[step].endedAt);
    return { gaps, cpu: (spent.at(-1) - spent[0]) / steps };
  } finally {
    await model.close();
  }
}

function installedPi(folder) {
  const given = process.env.STRATA_BENCH_PI;
  if (given) return given;
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `${PI}@${PI_VERSION}`], {
    stdio: "ignore",
  });
  return join(folder, "node_modules", PI);
}

/** pi, with a home of its own that knows the server. */
function preparePi(folder) {
  const program = join(installedPi(join(folder, "pi")), "dist/cli.js");
  const home = join(folder, "pi-home");
  mkdirSync(home, { recursive: true });
  const env = { PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1" };
  return {
    env,
    argsOf: url => {
      const provider = {
        baseUrl: url,
        api: "openai-completions",
        apiKey: "none",
        models: [{ id: "bench", contextWindow: 2_000_000 }],
      };
      writeFileSync(join(home, "models.json"), JSON.stringify({ providers: { bench: provider } }));
      const enabled = ["--tools", "read,bash,edit,write,grep"];
      return [program, "--provider", "bench", "--model", "bench", ...enabled, "-p", "go"];
    },
  };
}

const work = temporary("bench-tools");
try {
  const gaps = { strata: {}, pi: {} };
  const cpu = { strata: [], pi: [] };
  const pi = preparePi(work.path);
  const collect = (program, more) => {
    for (const tool of everyTool) gaps[program][tool] = [...(gaps[program][tool] ?? []), ...more.gaps[tool]];
    cpu[program].push(more.cpu);
  };
  for (let round = 0; round < 3; round++) {
    const workspace = makeWorkspace(join(work.path, `ws-strata-${round}`));
    const storage = join(work.path, `storage-${round}`);
    collect("strata", await play("strata", url => runArgs({ url, workspace, storage })));
    const cwd = makeWorkspace(join(work.path, `ws-pi-${round}`));
    collect("pi", await play("pi", pi.argsOf, { env: pi.env, cwd }));
  }
  title(`Overhead per step by tool: median of 3 runs of ${ROUNDS} calls each, Strata and pi ${PI_VERSION} in turn`);
  for (const tool of everyTool) {
    const [ours, theirs] = [median(gaps.strata[tool]), median(gaps.pi[tool])];
    row(`${tool}: Strata`, ours, { digits: 1 });
    row(`${tool}: pi`, theirs, { digits: 1 });
    if (tool.includes("script"))
      row("  more than one line outside it", ours - median(gaps.strata["Bash, one line"]), { digits: 1 });
    else row(`${tool}: ratio`, ours / theirs, { unit: "", digits: 2, aim: tool.includes("2,000") ? 1.2 : 1 });
  }
  row("processor time of a step, all kinds: Strata", median(cpu.strata), { digits: 1 });
  row("processor time of a step, all kinds: pi", median(cpu.pi), { digits: 1 });
  row("processor time: ratio", median(cpu.strata) / median(cpu.pi), { unit: "", digits: 2, aim: 1 });
  await countCalls(pi);
} finally {
  work.remove();
}

/** System calls, syncs and programs started by a step, its children's among them: what 20 more of a kind add. Where `strace` is. */
async function countCalls(pi) {
  if (spawnSync("strace", ["-V"]).status !== 0) return;
  const file = join(work.path, "calls");
  const under = ["strace", "-f", "-c", "-o", file];
  let run = 0;
  const count = async (program, tools, rounds) => {
    run += 1;
    const cwd = makeWorkspace(join(work.path, `ws-calls-${run}`));
    const storage = join(work.path, `storage-calls-${run}`);
    const args = program === "pi" ? pi.argsOf : url => runArgs({ url, workspace: cwd, storage });
    await play(program, args, { tools, rounds, under, cwd, ...(program === "pi" && { env: pi.env }) });
    const table = readFileSync(file, "utf8");
    const of = name =>
      Number(new RegExp(`^ *\\S+ +\\S+ +\\S+ +(\\d+)(?: +\\d+)? +${name}$`, "m").exec(table)?.[1] ?? 0);
    return [of("total"), of("fsync") + of("fdatasync"), of("execve")];
  };
  title("System calls · syncs · programs started of a step, by 20 more of its kind");
  for (const tool of everyTool) {
    const kinds = tool === "Edit" ? ["Read", tool] : [tool];
    const said = [];
    for (const program of ["strata", "pi"]) {
      const [few, many] = [await count(program, kinds, 5), await count(program, kinds, 25)];
      said.push(`${program} ${many.map((each, at) => ((each - few[at]) / 20).toFixed(0)).join(" · ")}`);
    }
    console.log(`  ${kinds.join(" and ").padEnd(40)} ${said.join("   ")}`);
  }
}
