/** Generated command lines, run for real where nobody would be asked: nothing changes, and nothing protected is shown. */
import assert from "node:assert/strict";
import type { CommandFacts } from "../../src/core/permissions/commandFacts";
import { corpus } from "../core/permissions/corpus";
import { everyday } from "../core/permissions/everyday";
import { doings } from "../core/permissions/plain/doings";
import { mutant, soup } from "../core/permissions/plain/generated";
import { tricks, unmarked } from "../core/permissions/plain/tricks";
import { Random } from "../fakes/random";
import { isSoak } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";
import { UnaskedRuns } from "./unaskedRuns";

const TRIES = isSoak("random") ? 100_000 : 300;
const BATCH = 300;
const SEED = isSoak("random") ? Date.now() % 1_000_000 : 23;

/** They take long, or as long as they are told to. */
const slow = /\b(?:sleep|man|docker|lsof|node|tsc|bun|deno|helm|gh|seq|python3?|ruby)\b/;
const own = [
  ..."cat .env|cat x/f.txt|grep -r KEY .|rg KEY src|git show HEAD:secret/a|cd src && git diff|git log -p -- src|ls -R".split(
    "|",
  ),
  ..."cat link/../x/f.txt|cd link/.. && cat .env|head secret/a|diff src/a.ts src/b.ts|find . -name .env|sort src/a.ts".split(
    "|",
  ),
  ...`sed -n 1p src/a.ts|awk '{print $1}' src/a.ts|jq . package.json|rg --iglob '*.ENV' KEY|git grep KEY|tar tf a.tar`.split(
    "|",
  ),
];

describe("what runs unasked without a sandbox, for real", function () {
  this.timeout(isSoak("random") ? 3_600_000 : 120_000);
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  it("would be found to do so", async () => {
    const runs = new UnaskedRuns(temporaryFolder("unasked"));
    const { facts } = await runs.decided("ls");
    const run = async (...commands: string[]) => (await runs.run(commands.map(command => ({ command, facts })))).harm;
    assert.equal(await run("ls", "echo KEY; cat src/a.ts"), "");
    assert.match(await run("ls", "cat x/f.txt"), /^shows OUTSIDE-TEXT$/);
    assert.match(await run("cat .env"), /^shows PROTECTED-ENV$/);
    assert.match(await run("ls", "ls > made; ls"), /^files: .*made/);
  });

  it("changes nothing and shows nothing that is protected, whatever is generated", async () => {
    const runs = new UnaskedRuns(temporaryFolder("unasked"));
    const random = new Random(SEED);
    let ran = 0;
    for (let at = 0; at < TRIES; at += BATCH) ran += await tryBatch(runs, random);
    assert.ok(ran > TRIES / 50, `${ran} of ${TRIES}`);
  });
});

const byHand = [...corpus().map(({ command }) => command), ...everyday, ...own, ...own, ...own];
const seeds = [...byHand, ...`${tricks}${doings}`.split("\n").map(unmarked)].filter(line => line && !slow.test(line));

/** @returns how many of them ran */
async function tryBatch(runs: UnaskedRuns, random: Random): Promise<number> {
  const batch: { command: string; facts: CommandFacts }[] = [];
  for (let each = 0; each < BATCH; each++) {
    const command = random.chance(0.2) ? soup(random) : random.chance(0.5) ? mutant(random, seeds) : rewritten(random);
    const { verdict, facts } = await runs.decided(command);
    if (verdict.decision === "allow" && verdict.by === "reads" && !slow.test(command)) batch.push({ command, facts });
  }
  assert.equal(await harm(runs, batch), "", `seed ${SEED}`);
  return batch.length;
}

/** With words of other commands. */
function rewritten(random: Random): string {
  const words = random.pick(seeds).split(" ");
  for (let left = random.int(1, 3); left > 0; left--)
    words.splice(random.int(1, words.length), random.int(0, 1), random.pick(random.pick(seeds).split(" ")));
  return words.join(" ");
}

/** Where all of them together do something, the one that does is looked for. */
async function harm(runs: UnaskedRuns, batch: { command: string; facts: CommandFacts }[]): Promise<string> {
  if (batch.length === 0) return "";
  const { harm: all } = await runs.run(batch);
  if (all === "") return "";
  runs.look();
  for (const each of batch) {
    const { harm: one } = await runs.run([each]);
    if (one !== "") return `${JSON.stringify(each.command)}: ${one}`;
  }
  return `only together: ${all}`;
}
