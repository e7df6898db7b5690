/** Hooks: five on a call beside the same five commands started bare, one after the other in the same run; and none at all. */
import { spawn } from "node:child_process";
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const RUNS = 60;
const commands = [1, 2, 3, 4, 5].map(each => `true #${each}`);
const never = new AbortController().signal;

/** As another agent starts them. */
const bare = command =>
  new Promise(resolve => {
    const child = spawn("/bin/bash", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => undefined).end("{}");
    child.on("close", resolve);
  });

async function timed(list, work) {
  const began = performance.now();
  await work();
  list.push(performance.now() - began);
}

const work = temporary("bench-hooks");
try {
  const { agreedHooks, sessionHooks } = await load("bench/lib/hooks.ts", work.path);
  const call = { names: ["Bash"], fields: { tool_name: "Bash", tool_input: { command: "ls" } } };
  const [five, none] = [sessionHooks(commands, work.path), sessionHooks([], work.path)];
  const agreed = await agreedHooks(work.path);
  const scripts = [1, 2, 3, 4, 5].map(each => `bash ${work.path}/project/tools/guard${each}.sh`);
  const times = { bare: [], ours: [], none: [], bareScripts: [], agreed: [], look: [] };
  for (let run = 0; run < RUNS; run++) {
    await timed(times.bare, () => Promise.all(commands.map(bare)));
    await timed(times.ours, () => five.fire("PreToolUse", call, never));
    await timed(times.bareScripts, () => Promise.all(scripts.map(bare)));
    await timed(times.agreed, () => agreed.fire("PreToolUse", call, never));
    await timed(times.look, () => agreed.fire("PostToolUse", call, never));
    await timed(times.none, () => none.fire("PreToolUse", call, never));
  }
  title("Five hooks on a call, median");
  row("their commands, started bare", median(times.bare));
  row("as hooks", median(times.ours));
  row("what Strata adds", median(times.ours.map((each, at) => each - times.bare[at])), { aim: 5 });
  title("Five hooks of a workspace, each with a script of 200 lines that names 200 others, median");
  row("their scripts, started bare", median(times.bareScripts));
  row("as hooks, with a look at all that was agreed to", median(times.agreed));
  row("what Strata adds", median(times.agreed.map((each, at) => each - times.bareScripts[at])), { aim: 5 });
  row("of it the look, also where none is for the moment", median(times.look), { digits: 1 });
  title("No hooks");
  row("a moment", median(times.none), { digits: 3 });
} finally {
  work.remove();
}
