/** What is certain of a command line is what shells make of it: exactly these programs, with exactly these words. */
import assert from "node:assert/strict";
import { readLine } from "../../../../src/core/permissions/plain/line";
import { readPlain } from "../../../../src/core/permissions/plain/plainCommand";
import { Random } from "../../../fakes/random";
import { isSoak } from "../../../fakes/soak";
import { temporaryFolder } from "../../../fakes/temporary";
import { corpus } from "../corpus";
import { certain } from "./certain";
import { doings } from "./doings";
import { mutant, soup } from "./generated";
import { Recorder, shells } from "./shells";
import { tricks, unmarked } from "./tricks";

const certainCommands = certain.split("\n").filter((_, at, lines) => lines[at + 1]?.startsWith(" ="));
const uncertainCommands = `${tricks}${doings}`.split("\n").filter(Boolean).map(unmarked);

/** 200,000 take a soak some minutes. */
const TRIES = isSoak("random") ? 200_000 : 400;
const BATCH = 200;
const SEED = isSoak("random") ? Date.now() % 1_000_000 : 77;

describe("what is certain of a command line", function () {
  this.timeout(isSoak("random") ? 3_600_000 : 120_000);
  let recorder: Recorder;
  const found = shells();

  before(function () {
    if (process.platform === "win32" || found.length === 0) this.skip();
  });
  beforeEach(() => {
    recorder = new Recorder(temporaryFolder("plain"));
  });

  /** Held against all shells, those that are certain. */
  function compare(commands: readonly string[]): number {
    // What is given a file that is not there does not start.
    const isHere = (command: string) =>
      !/<(?! ?(?:ls|''|\/dev\/null)(?=$|[ |&;]))/.test(command.replace(/'.*?'|".*?"/g, "''"));
    const accepted = commands.filter(command => !("why" in readPlain(command)) && isHere(command));
    for (const shell of found) {
      // There `HEAD~1` and `HEAD^` are patterns.
      const patterns = shell.expandsMore ? /HEAD[~^]/ : /^(?!)/;
      // Without `builtin`, calls are written down by `command`, which then can't be a function; nor can `[` be one there.
      const own = accepted.filter(
        each => !patterns.test(each) && (shell.hasBuiltin || !/(?:^|[ |&;])(?:command|\[) /.test(each)),
      );
      for (const status of [0, 1]) {
        const { started, beside } = recorder.run(shell, own, status, status === 1);
        for (const [at, command] of own.entries()) {
          const as = (calls: readonly string[][]) => calls.map(call => JSON.stringify(call)).sort();
          assert.deepEqual(
            as(started[at] ?? []),
            as(expected(command, status)),
            `${shell.name}, ${status}: ${JSON.stringify(command)}`,
          );
        }
        assert.equal(beside, "", shell.name);
      }
    }
    return accepted.length;
  }

  it("would be found not to be so", () => {
    const commands = ["ls $(touch x)", "cat *", "ls > y", "nothing/here", "ls & head"];
    for (const shell of found) {
      const { started, beside } = new Recorder(temporaryFolder("plain")).run(shell, commands, 0, false);
      const names = started.map(calls => calls.map(([name]) => name).sort());
      assert.deepEqual([names[0], names[2], names[4]], [["ls", "touch"], ["ls"], ["head", "ls"]], shell.name);
      assert.ok((started[1]?.[0]?.length ?? 0) > 5, shell.name);
      assert.match(beside, /nothing\/here.*files:.*\by\b/s, shell.name);
    }
  });

  it("is what shells make of commands by hand, tricks among them", () => {
    const commands = [...certainCommands, ...corpus().map(({ command }) => command), ...uncertainCommands];
    assert.ok(compare(commands) > 150);
  });

  it("is what they make of generated ones", () => {
    const random = new Random(SEED);
    const seeds = [...certainCommands, ...corpus().map(({ command }) => command), ...uncertainCommands];
    let accepted = 0;
    for (let at = 0; at < TRIES; at += BATCH) {
      const commands = Array.from({ length: BATCH }, () => (random.chance(0.6) ? soup(random) : mutant(random, seeds)));
      accepted += compare(commands);
    }
    assert.ok(accepted > TRIES / 10, `${accepted} of ${TRIES}`);
  });
});

/** What runs where every program ends with this status. */
function expected(command: string, status: number): string[][] {
  const plain = readPlain(command);
  const parts = readLine(command);
  if ("why" in plain || "why" in parts) return [];
  const programs = plain.programs.map(({ words }) => words);
  const all = plain.folder === undefined ? programs : [["cd", plain.folder], ...programs];
  const started: string[][] = [];
  let last = 0;
  let runs = true;
  for (const [at, { joint }] of parts.entries()) {
    if (joint !== "|") runs = joint === "&&" ? last === 0 : joint === "||" ? last !== 0 : true;
    if (!runs) continue;
    started.push(all[at] as string[]);
    last = status;
  }
  return started;
}
