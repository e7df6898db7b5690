/** `strata proof` and its check, on a session in memory and a real repository; what was tampered with is refused. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProvenChange, takenTampered } from "../../bench/lib/tamperedProofs";
import { read, type start } from "../fakes/agent";
import { summed } from "../fakes/bundle";
import { delegated } from "../fakes/children";
import { temporaryFolder } from "../fakes/temporary";

describe("a change's proof", function () {
  this.timeout(180_000);
  let change: ProvenChange;
  before(async () => {
    change = await ProvenChange.begin(temporaryFolder("proof"));
  });

  it("holds for the commit, for a patch of it, for the files before they are committed, and with the export", async () => {
    const { text, patch, log } = change;
    for (const more of [{}, { patch }, { log }]) {
      const { taken, said } = await change.check(text, more);
      assert.ok(taken, said);
      assert.match(said, /^All of it holds\.\n[\s\S]*\n {2}Edit 6, then command 8 with exit code 0: npm test\n/);
    }
    change.git("reset", "-q", "HEAD~1");
    assert.ok((await change.check(text)).taken);
    writeFileSync(join(change.ws, "more.txt"), "more\n");
    const other = await change.check(text);
    assert.match(other.said, /^What does not hold\n {2}The change is another one\.\nWhat holds\n/);
    change.git("clean", "-q", "-f", "more.txt");
    change.git("add", "-A");
    change.git("commit", "-qm", "two");
  });

  it("is refused after it was tampered with, whatever was done", async () => {
    assert.deepEqual(await takenTampered(change, 17, 7), []);
    for (const none of ["", "{}", "\0".repeat(1 << 26), change.text.replace('"version": 1', '"version": 2')])
      assert.match((await change.check(none)).said, /^SessionError: \S+ is no proof that can be read/);
  });

  it("holds in a clone; where that is shallow its base is missing; what stands in for an object counts for nothing", async () => {
    const { ws, text } = change;
    const [shallow, clone] = [`${ws}-shallow`, `${ws}-clone`];
    for (const more of [["--depth=1", shallow], [clone]])
      change.git("clone", "-q", ...more.slice(0, -1), `file://${ws}`, more.at(-1) ?? "");
    assert.ok((await change.check(text, {}, clone)).taken);
    const { said } = await change.check(text, {}, shallow);
    assert.match(
      said,
      /^What does not hold\n {2}The base commit is not here, so fetch it first: \w+\n {2}Without its base commit the change cannot be compared\./,
    );
    change.git("replace", "HEAD", "HEAD~1");
    assert.ok((await change.check(text)).taken);
    change.git("replace", "-d", "HEAD");
  });

  it("counts the agents that worked for it, and holds against an export only where their logs are as they were", async () => {
    const run = (agent: Awaited<ReturnType<typeof start>>) =>
      delegated(agent.session, agent, [{ calls: [read("src/a.ts")] }, { text: "Seen." }], {
        meanwhile: child => delegated(child, agent, [{ text: "Nothing." }]),
      });
    const tree = await ProvenChange.begin(temporaryFolder("proofOfAgents"), run);
    const { text, log } = tree;
    const [child, below] = JSON.parse(text).agents;
    assert.equal(below.id.split("/")[0], child.id);
    assert.match((await tree.check(text, { log })).said, /^All of it holds\.\n[\s\S]*Agents that worked for it: 2\n/);
    const lines = readFileSync(log, "utf8").split(/(?<=\n)/);
    const alike = lines.map(line => line.replace("The task.", "Other task"));
    const without = lines.filter(line => !line.includes(`children/${below.id.split("/")[1]}/`));
    for (const other of [alike, without]) {
      writeFileSync(log, summed(other));
      const { said } = await tree.check(text, { log });
      assert.match(said, /^What does not hold\n {2}The export has these records, and they say the same\.\nWhat holds/);
    }
  });

  it("starts nothing that the repository names, and leaves its folder as it is", async () => {
    const ran = `${change.ws}.ran`;
    const program = `${change.ws}.sh`;
    writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`);
    chmodSync(program, 0o755);
    for (const [key, value] of [
      ["filter.x.clean", program],
      ["filter.x.process", program],
      ["core.fsmonitor", program],
      ["core.splitIndex", "true"],
      ["core.hooksPath", join(change.ws, "..")],
    ] as const)
      change.git("config", key, value);
    writeFileSync(join(change.ws, ".git/info/attributes"), "* filter=x\n");
    writeFileSync(join(change.ws, "new.txt"), "other\n");
    const state = () =>
      execFileSync("sh", ["-c", "find .git -type f -exec sha256sum {} + | sort"], { cwd: change.ws, encoding: "utf8" });
    const before = state();
    assert.ok((await change.check(change.text)).taken);
    assert.equal((await change.check(change.text, { patch: join(change.ws, "new.txt") })).taken, false);
    assert.deepEqual([state() === before, existsSync(ran)], [true, false]);
    assert.equal(readFileSync(join(change.ws, "new.txt"), "utf8"), "other\n");
  });
});
