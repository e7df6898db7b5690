/** A change and its proof, as people hand them over: a run, the proof of it, and what it is held against in a clone. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git as gitIn } from "../fakes/git";
import { inPlace, type Place, program, runArgs, said, withModel } from "./program";

const calls = [
  { name: "Read", input: { file_path: "a.txt" } },
  { name: "Edit", input: { file_path: "a.txt", old_string: "one", new_string: "two" } },
  { name: "Bash", input: { command: "echo new > b.txt" } },
  { name: "Bash", input: { command: "grep two a.txt" } },
  { name: "Bash", input: { command: "exit 3" } },
];

describe("strata proof, as a user runs it", function () {
  this.timeout(180_000);
  const { place, strata } = program();
  let at: Place;
  let id = "";
  let clone = "";
  const git = (...args: string[]) => gitIn(at.workspace, ...args);
  const proof = (...args: string[]) => strata(at, ["proof", id, ...args, ...inPlace(at)]);
  const check = (...args: string[]) => strata(at, ["proof", "check", "p.json", "--workspace", clone, ...args]);
  const inHome = (name: string) => join(at.home, name);

  before(async () => {
    at = place();
    clone = inHome("clone");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    const script = (request: Parameters<typeof said>[0]) => {
      const next = calls[said(request).length];
      return next ? { calls: [next] } : { text: "Done." };
    };
    await withModel(script, url => strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "go")));
    id = JSON.parse((await strata(at, ["sessions", "--json", ...inPlace(at)])).out).id;
  });

  it("goes from a run to a clone: by the patch, by the files, by the commit; another change is refused", async () => {
    git("add", "-AN");
    writeFileSync(inHome("change.patch"), git("diff", "--binary"));
    git("reset", "-q");
    const base = git("rev-parse", "HEAD").trim();
    const patch = createHash("sha256")
      .update(readFileSync(inHome("change.patch")))
      .digest("hex");
    const result = { version: 1, task: "", session: id, reason: "done", base, patch, started: "" };
    writeFileSync(inHome("result.json"), JSON.stringify(result));
    const made = await proof("p.json", "--out", ".", "--with-text");
    assert.deepEqual([made.code, made.out], [0, `${inHome("p.json")}\n`], made.err);
    assert.match(
      made.err,
      /^Base: (\w{40}), \1\. Files that differ: 2\. Commands after the last edit: 2\. Seal: \w{64}\n$/,
    );
    assert.match((await proof("p.json")).err, /p\.json is there already.*--force/);

    git("clone", "-q", ".", clone);
    const told = JSON.parse((await check("--patch", "change.patch", "--json")).out);
    const { commands } = told.facts;
    const ran = commands.map((each: { text: string; exit: number }) => [each.text, each.exit]);
    assert.deepEqual(
      [told.holds, ran],
      [
        true,
        [
          ["grep two a.txt", 0],
          ["exit 3", 3],
        ],
      ],
    );
    const none = await check();
    assert.deepEqual([none.code, /\n {2}The change is another one\.\n/.test(none.out)], [1, true]);
    gitIn(clone, "apply", inHome("change.patch"));
    assert.match((await check()).out, /^All of it holds\./);
    git("add", "-A");
    git("commit", "-qm", "two");
    writeFileSync(join(clone, "a.txt"), "three\n");
    assert.equal((await check()).code, 1);
    clone = at.workspace;
    assert.match(
      (await check()).out,
      /\n {2}Edit \d+, then command \d+ with exit code 3: exit 3\n[\s\S]*The change is this one\.\n$/,
    );
  });

  it("says where a person changed a file after the session did, and what it cannot be made of", async () => {
    writeFileSync(join(at.workspace, "b.txt"), "by hand\n");
    assert.equal((await proof("p.json", "--force", "--base", "HEAD~1")).code, 0);
    const told = await check();
    assert.deepEqual([told.code, /others changed since it wrote them: 1\n/.test(told.out)], [1, true], told.out);
    assert.doesNotMatch(readFileSync(inHome("p.json"), "utf8"), /grep|exit 3|a\.txt/);
    for (const [args, words] of [
      [["--base", "nothing"], /There is no commit nothing here/],
      [["--out", "nowhere"], /nowhere has no result of session ses_/],
      [["--patch", "nothing"], /nothing is not there/],
    ] as const) {
      const refused = await proof("other.json", ...args);
      assert.deepEqual([refused.code, words.test(refused.err)], [2, true], refused.err);
    }
    const outside = await strata(at, ["proof", id, "--workspace", at.home, "--storage", at.storage]);
    assert.match(outside.err, /^The workspace is in no Git repository/);
  });

  it("strata verify takes an export's file, too", async () => {
    assert.equal((await strata(at, ["export", id, "x.strata.jsonl", ...inPlace(at)])).code, 0);
    const verified = await strata(at, ["verify", "x.strata.jsonl"]);
    assert.deepEqual([verified.code, verified.err], [0, ""]);
    assert.match(verified.out, /^Everything is there as it was sent\.\n {2}6 requests, 6 proven\n/);
    const text = readFileSync(inHome("x.strata.jsonl"), "utf8");
    writeFileSync(inHome("y.strata.jsonl"), text.replace("grep two", "grep one"));
    const damaged = await strata(at, ["verify", "./y.strata.jsonl"]);
    assert.match(damaged.err, /^This export was changed or damaged/);
    assert.equal((await strata(at, ["sessions", "--json"])).out, "");
  });
});
