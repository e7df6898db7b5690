/**
 * Processes killed wherever they are in looking at a workspace around commands, and in a rewind: every file is as it was or as it
 * was to be, or is named, and nothing that stood there cannot be had again.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { SESSION } from "../fakes/disk/crashes";
import { eventually } from "../fakes/eventually";
import { hash } from "../fakes/hash";
import { stateOf } from "../fakes/rewound";
import { isSoak } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";
import { canWrite, say } from "./agent";
import { buildChildren, killed } from "./killing";
import { commandTurn, fill, rewindable } from "./rewindable";

type State = Record<string, string>;

/** Half of them in a repository. */
const KILLS_OF_EACH = isSoak("kills") ? 50 : 2;

describe("files, where a process is killed", function () {
  this.timeout(240_000);
  const folder = temporaryFolder("killed-rewind");
  before(() => buildChildren(folder, "rewind", "commands"));

  for (const git of [true, false]) {
    const where = git ? "in a repository" : "outside of one";

    /** A workspace and a session on it. */
    async function start(name: string, first: number): Promise<{ place: string; was: State }> {
      const place = join(folder, `${name}-${git}`);
      mkdirSync(place);
      fill(place, { git });
      const { ports, models } = rewindable(place, "start");
      const session = await createSession(ports);
      const was = seen(join(place, "app"));
      models.play(...commandTurn(place, first));
      await say(session, "Do it.");
      await session.close();
      return { place, was };
    }

    it(`in a rewind, ${where}: each is as it was or as it was to be, and both can be had again`, async () => {
      const { place, was } = await start("rewind", 3);
      const app = join(place, "app");
      const left = seen(app);
      let cutOff = 0;
      for (let kill = 1; kill <= KILLS_OF_EACH; kill++) {
        await killed({ program: join(folder, "rewind.mjs"), place, kill, mostRecords: 6, littleMs: 60 });
        const found = seen(app);
        const session = await opened(place, `c${kill}_`);
        const named = session.history.records.findLast(record => record.kind === "rewind")?.stayed?.join(" ") ?? "";
        if (session.history.records.at(-1)?.kind === "note") cutOff += 1;
        for (const path of new Set([...Object.keys(was), ...Object.keys(left), ...Object.keys(found)])) {
          const isEither = found[path] === was[path] || found[path] === left[path];
          assert.ok(isEither || named.includes(path), `kill ${kill}: ${path} is ${found[path]?.slice(0, 80)}`);
        }
        for (let undone = 0; session.rewind.undoable && undone < 100; undone++) await session.rewind.undo();
        assert.deepEqual(seen(app), left, `kill ${kill}: as it was before the rewind`);
        const { stayed } = await session.rewind.rewind(1, "files");
        assert.deepEqual([stayed, seen(app)], [undefined, was], `kill ${kill}: as it was before the turn`);
        await session.rewind.undo();
        assert.deepEqual(seen(app), left);
        await session.close();
      }
      if (isSoak("kills")) assert.ok(cutOff > 0, "some were cut off");
    });

    it(`around commands, ${where}: what they changed can be put back, or it is said that it cannot`, async () => {
      const { place } = await start("commands", 1);
      const app = join(place, "app");
      let covered = 0;
      for (let kill = 1; kill <= KILLS_OF_EACH; kill++) {
        const was = seen(app);
        const before = (await turnsOf(place)).length;
        await killed({
          program: join(folder, "commands.mjs"),
          place,
          kill,
          mostRecords: 24,
          littleMs: 60,
        });
        await commandsEnd(place);
        const left = seen(app);
        const turn = (await turnsOf(place))[before];
        if (turn === undefined) continue;
        const session = await opened(place, `c${kill}_`);
        const { gaps, stays } = await session.rewind.preview(turn);
        await session.rewind.rewind(turn, "files");
        const now = seen(app);
        if (gaps.length + stays.length === 0) {
          covered += 1;
          assert.deepEqual(now, was, `kill ${kill}: as before the first turn of this process`);
        }
        await session.rewind.undo();
        assert.deepEqual(seen(app), left, `kill ${kill}: nothing is lost`);
        await session.close();
      }
      if (isSoak("kills")) assert.ok(covered > 0, "some could be put back");
    });
  }
});

/** Without what a write left behind that was killed: that goes with the next one. */
function seen(app: string): State {
  const files = Object.entries(stateOf(app)).filter(([path]) => !/\.strata-[^/]*\.tmp$/.test(path));
  return Object.fromEntries(files.map(([path, state]) => [path, state.length > 100 ? shortened(state) : state]));
}

/** Told as it is, a difference would be pages long. */
const shortened = (state: string) => `${state.slice(0, 20)}… ${hash.sha256(state)} …${state.slice(-40)}`;

async function opened(place: string, mark: string): Promise<Session> {
  const session = await openSession(rewindable(place, mark).ports, SESSION);
  await canWrite(session);
  await session.settleOpenTurn();
  return session;
}

async function turnsOf(place: string): Promise<number[]> {
  const session = await openSession(rewindable(place, "look").ports, SESSION);
  const turns = session.history.records.flatMap(record =>
    record.kind === "message" && record.message.role === "user" ? [record.message.metadata.turn] : [],
  );
  await session.close();
  return [...new Set(turns)];
}

/** A command goes on when the agent is gone, also one that was only about to start. */
async function commandsEnd(place: string): Promise<void> {
  const looked = () => spawnSync("pgrep", ["-f", place]).status;
  // null: this machine has no pgrep
  await eventually("no command of the killed process runs", () => [1, null].includes(looked()));
}
