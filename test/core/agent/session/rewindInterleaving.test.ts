/**
 * An agent that edits and runs commands, a person who types, saves and makes files, other programs that write, and reviews and
 * rewinds in between, in any order, over reloads too: nothing that somebody typed is lost, nothing of theirs is deleted, a rewind
 * followed by its undo changes no byte, and where nobody else changed anything the first state can be had again.
 */
import assert from "node:assert/strict";
import type { DiskStates } from "../../../../src/core/ground/ports";
import { RewindRun } from "../../../fakes/rewindRun";
import { isSoak, soak } from "../../../fakes/soak";
import { wrapped } from "../../../fakes/wrapped";

/** The same in every test; in soak also others each time. */
const SEED = 16_000;
const SEEDS = isSoak("interleavings") ? 500 : 6;

/** What was wrong; undefined: nothing. @param sabotage puts something broken between a rewind and the files */
async function fails(seed: number, sabotage?: (disk: DiskStates) => DiskStates): Promise<Error | undefined> {
  const run = await RewindRun.begin(seed, sabotage);
  try {
    for (let step = 0; step < 14; step += 1) await run.act();
    await run.end();
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return new Error(`seed ${seed}: ${words}\n${run.done.join("\n")}`, { cause: error });
  }
}

describe("an agent, a person who types, reviews and rewinds in between", function () {
  this.timeout(240_000);

  it("no keystroke is lost, and a rewind with its undo is nothing", async () => {
    for (let at = 0; at < SEEDS; at += 1) {
      const failure = await fails(SEED + at);
      if (failure) throw failure;
    }
  });

  soak("interleavings", () =>
    it("whatever the seed", async () => {
      const seed = Date.now() % 1_000_000_000;
      for (let at = 0; at < 500; at += 1) {
        const failure = await fails(seed + at);
        if (failure) throw failure;
      }
    }),
  );

  const sabotages: Record<string, { sabotage: (disk: DiskStates) => DiskStates; said: RegExp }> = {
    "that looks at nothing before it writes": {
      said: /was lost/,
      sabotage: disk =>
        wrapped(disk, {
          put: async (path, _, to, bytes) => disk.put(path, (await disk.look(path, 1e6)).state, to, bytes),
        }),
    },
    "that says it wrote, and did not": {
      said: /the first state|undo of a rewind/,
      sabotage: disk => wrapped(disk, { put: async () => "done" }),
    },
    "that deletes what it cannot put back": {
      said: /was lost|undo/,
      sabotage: disk =>
        wrapped(disk, {
          put: async (path, from, to, bytes) =>
            to === null ? disk.put(path, from, to, bytes) : disk.put(path, from, null, undefined),
        }),
    },
  };
  soak("interleavings", () => {
    for (const [what, { sabotage, said }] of Object.entries(sabotages))
      it(`would be told of a rewind ${what}`, async () => {
        for (let seed = SEED; seed < SEED + 60; seed += 1) {
          const failure = await fails(seed, sabotage);
          if (!failure) continue;
          assert.match(failure.message, said);
          return;
        }
        assert.fail("it was not told");
      });
  });
});
