/** A process that is killed outright leaves no command behind that it ran. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../fakes/eventually";
import { requireSandbox } from "../node/sandbox/inSandbox";
import { buildChildren } from "./killing";

/** pids of the processes that were started with this argument */
const withArgument = (argument: string): number[] =>
  readdirSync("/proc").flatMap(name => {
    try {
      const words = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0") : [];
      return words.includes("sleep") && words.includes(argument) ? [Number(name)] : [];
    } catch {
      // ended since
      return [];
    }
  });

describe("commands of a process that is killed outright", function () {
  this.timeout(120_000);
  let folder: string;
  before(async function () {
    if (process.platform !== "linux") this.skip();
    // Not in /tmp, of which the sandbox has one of its own.
    mkdirSync(join("out", "killed"), { recursive: true });
    folder = mkdtempSync(join(process.cwd(), "out", "killed", "c-"));
    await buildChildren(folder, "command");
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  for (const where of ["outside", "sandbox", "not yet known"])
    it(`${where}: end with it, in the foreground and in the background, with all that they started`, async function () {
      if (where === "sandbox") await requireSandbox(this);
      const token = `${process.pid}${Date.now()}`;
      const place = join(folder, where);
      mkdirSync(place);
      const child = spawn(process.execPath, [join(folder, "command.mjs"), place, where, token], { stdio: "pipe" });
      const said: string[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on("data", data => said.push(String(data)));
      await eventually("all run", () => withArgument(`600.${token}`).length >= 4, { saw: () => said.join("") });
      child.kill("SIGKILL");
      await eventually("none runs", () => withArgument(`600.${token}`).length === 0);
      const daemons = withArgument(`600.${token}9`);
      for (const pid of daemons) process.kill(pid, "SIGKILL");
      assert.equal(daemons.length, where === "outside" ? 1 : 0, "what was left by one that was over");
    });
});
