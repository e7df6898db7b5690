/** What a start and a step cost, counted without a clock: modules, syncs, trips to a thread, processes. The numbers only fall. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineScript } from "../../scripts/offline-model/server.mjs";
import { beginRepository } from "../fakes/baselineWorkspace";
import { program, runArgs, said, withModel } from "./program";

const COUNTS = `
const fs = require("node:fs"), hooks = require("node:async_hooks"), channel = require("node:diagnostics_channel");
const counts = { trips: 0, syncs: 0, modules: 0, bytes: 0, undici: 0, processes: 0, looks: 0 };
hooks.createHook({
  init: (id, type) => {
    if (type.startsWith("FSREQ")) counts.trips++;
    if (type === "PROCESSWRAP") counts.processes++;
  },
}).enable();
for (const name of ["fsync", "fdatasync", "fsyncSync", "fdatasyncSync"]) {
  const real = fs[name];
  fs[name] = (...args) => { counts.syncs++; return real(...args); };
}
const { lstatSync } = fs;
fs.lstatSync = (...args) => { counts.looks++; return lstatSync(...args); };
fs.promises.open(__filename).then(handle => {
  const { prototype } = handle.constructor;
  for (const name of ["sync", "datasync"]) {
    const real = prototype[name];
    prototype[name] = function () { counts.syncs++; return real.call(this); };
  }
  return handle.close();
});
require("node:module").syncBuiltinESMExports();
channel.subscribe("http.client.request.start", ({ request }) => {
  if (request.method !== "POST" || counts.modules > 0) return;
  const modules = Object.keys(require.cache);
  counts.modules = modules.length;
  counts.bytes = modules.reduce((sum, path) => sum + fs.statSync(path).size, 0);
  counts.undici = process.moduleLoadList.filter(name => name.includes("undici")).length;
});
process.on("exit", () => fs.writeFileSync(process.env.COUNTED, JSON.stringify(counts)));
`;

const STEPS: Record<string, { syncs: number; trips: number; call(step: number): { name: string; input: object } }> = {
  Read: { syncs: 2, trips: 4, call: step => ({ name: "Read", input: { file_path: "a.txt", offset: 1 + step } }) },
  Grep: { syncs: 2, trips: 5, call: step => ({ name: "Grep", input: { pattern: `line ${step}` } }) },
  Edit: {
    ...{ syncs: 7, trips: 11 },
    call(step) {
      const input = { file_path: "a.txt", old_string: `line ${step}\n`, new_string: `row ${step}\n` };
      return step === 0 ? { name: "Read", input: { file_path: "a.txt" } } : { name: "Edit", input };
    },
  },
  Bash: { syncs: 4, trips: 9, call: step => ({ name: "Bash", input: { command: `echo ${step}` } }) },
};
/** of a run in a folder without sessions, to its end */
const START_SYNCS = 26;

describe("what a start and a step cost", function () {
  this.timeout(120_000);
  const { place, strata } = program();

  async function counted(script: OfflineScript, prepare: (folder: string) => void = () => undefined) {
    const at = place();
    writeFileSync(join(at.workspace, "a.txt"), Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(""));
    prepare(at.workspace);
    const [counts, counted] = [join(at.home, "counts.cjs"), join(at.home, "counted.json")];
    writeFileSync(counts, COUNTS);
    const env = { NODE_OPTIONS: `--require ${counts}`, COUNTED: counted };
    const { code, err } = await withModel(script, url =>
      strata({ ...at, env }, runArgs(at, url, "--prompt", "go", "--mode", "auto", "--trust")),
    );
    assert.equal(code, 0, err);
    return JSON.parse(readFileSync(counted, "utf8")) as Record<
      "trips" | "syncs" | "modules" | "bytes" | "undici" | "processes" | "looks",
      number
    >;
  }

  for (const [name, { syncs, trips, call }] of Object.entries(STEPS))
    it(`${name}: at most ${syncs} syncs and ${trips} trips a step`, async () => {
      const play = (steps: number) =>
        counted(request => {
          const done = said(request).length;
          return done < steps ? { calls: [call(done)] } : { text: "Done." };
        });
      // A look at the workspace that happens once may fall into a run or not: it only adds, and what each step costs is whole.
      const least = async (steps: number) => {
        const runs = await Promise.all([play(steps), play(steps), play(steps)]);
        return [Math.min(...runs.map(run => run.syncs)), Math.min(...runs.map(run => run.trips))] as const;
      };
      const [few, many] = [await least(2), await least(6)];
      const step = { syncs: Math.floor((many[0] - few[0]) / 4), trips: Math.floor((many[1] - few[1]) / 4) };
      assert.ok(step.syncs > 0 && step.syncs <= syncs, `${step.syncs} syncs`);
      assert.ok(step.trips <= trips, `${step.trips} trips`);
    });

  it("Bash in a repository: no process but the shell, and a look at each file and folder before it and after it", async () => {
    const files = 50;
    const repository = (folder: string) => {
      for (let at = 0; at < files; at++) writeFileSync(join(folder, `f${at}.txt`), `${at}\n`);
      beginRepository(folder);
    };
    const play = (steps: number) =>
      counted(request => {
        const done = said(request).length;
        const call = { name: "Bash", input: { command: `echo ${done} >> made.txt` } };
        return done < steps ? { calls: [call] } : { text: "Done." };
      }, repository);
    const [few, many] = await Promise.all([play(2), play(6)]);
    const each = (what: "processes" | "looks") => (many[what] - few[what]) / 4;
    assert.equal(each("processes"), 1);
    assert.ok(each("looks") <= 2.5 * files, `${each("looks")} looks`);
  });

  it(`a start: at most 22 modules of ours, 1.53 MB, and no fetch before the first request, ${START_SYNCS} syncs`, async () => {
    const { modules, bytes, undici, syncs } = await counted(() => ({ text: "Hello." }));
    assert.ok(modules > 0 && modules <= 22 && bytes <= 1_530_000 && !undici, `${[modules, bytes, undici]}`);
    assert.ok(syncs <= START_SYNCS, `${syncs} syncs`);
  });
});
