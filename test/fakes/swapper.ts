/** Another process that puts a link in the way: `path` is by turns what it was and a link to `target`. */
import { spawn } from "node:child_process";
import { once } from "node:events";

const SCRIPT = `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  const [path, target, most] = process.argv.slice(1);
  const spin = () => { for (const end = performance.now() + Math.random() * Number(most); performance.now() < end; ); };
  process.stdout.write("ready");
  for (;;) {
    try { renameSync(path, path + ".real"); symlinkSync(target, path); } catch {}
    spin();
    try { unlinkSync(path); } catch {}
    try { renameSync(path + ".real", path); } catch {}
    spin();
  }`;

export interface Swapper {
  end(): Promise<void>;
}

/** @param most ms that either lasts */
export async function startSwapper(path: string, target: string, most = 0.4): Promise<Swapper> {
  // In VS Code's own process, its program is Node only when it is told so.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
  const child = spawn(process.execPath, ["-e", SCRIPT, path, target, `${most}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  await once(child.stdout, "data");
  return {
    async end() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
