/**
 * Rewinds on disks that are full: the workspace's and the session's, a few megabytes each, mounted at `app` and `sessions` of the
 * place where this runs. Ends with an error where something is not as it has to be.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSession } from "../../../src/core/agent/session/openSession";
import { stateOf } from "../../fakes/rewound";
import { say } from "../agent";
import { rewindable } from "../rewindable";

const place = process.argv[2] ?? "";
const app = join(place, "app");
const KB = 1024;

/** Until only so many bytes are left. */
function fill(disk: string, left: number): void {
  const { bavail, bsize } = statfsSync(join(place, disk));
  writeFileSync(join(place, disk, ".ballast"), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}
const empty = (disk: string) => rmSync(join(place, disk, ".ballast"), { force: true });

const seen = () => Object.fromEntries(Object.entries(stateOf(app)).filter(([path]) => path !== ".ballast"));

const scratch = join(place, "sessions", "scratch");
const { ports, models } = rewindable(place, "full", { scratch });
const session = await createSession(ports);

async function turn(command: string): Promise<number> {
  models.play({ text: "I do it.", calls: [{ name: "Bash", input: { command } }] }, { text: "Done." });
  await say(session, "Do it.");
  const { turn: number } = session.history.conversation;
  // What commands did is found out behind the turn; whoever looks waits for it.
  await session.rewind.preview(number);
  return number;
}

mkdirSync(join(app, "sub"));
for (let at = 0; at < 12; at++) writeFileSync(join(app, `sub/f${at}.txt`), `${at}\n`.repeat(20 * KB));
writeFileSync(join(app, ".gitignore"), ".ballast\n");
const before = seen();
const SHORTEN = `cd '${app}' && for f in sub/f*.txt; do echo short > $f; done; echo made > made.txt`;

const first = await turn(SHORTEN);
const after = seen();

// The session cannot keep what it would change.
fill("sessions", 0);
await assert.rejects(session.rewind.rewind(first, "both"), /^StorageError: The disk is full: .* nothing was changed/);
assert.deepEqual(seen(), after);
empty("sessions");

// In the middle of a rewind: there is room for a few of the files only.
fill("app", 150 * KB);
const cut = await session.rewind.rewind(first, "both");
assert.match(
  cut.stayed?.[0] ?? "",
  /^The disk is full: \d+ of 13 files were put back, \d+ stay as they were, and so does/,
);
assert.deepEqual([cut.cutOff, cut.head], [true, undefined]);
const half = seen();
for (const name of Object.keys({ ...before, ...after }))
  assert.ok(half[name] === before[name] || half[name] === after[name], `${name} is either`);
assert.ok((cut.files ?? 0) > 1 && (cut.files ?? 0) < 13);
empty("app");
const { stayed } = await session.rewind.rewind(first, "files");
assert.deepEqual([stayed, seen()], [undefined, before], "done again");
await session.rewind.undo();
assert.deepEqual(seen(), half);
await session.rewind.undo();
assert.deepEqual(seen(), after);

// The session cannot note that it is done: tried again while the log's last page has room for the note.
async function isNoted(): Promise<boolean> {
  const end = session.subscribe(event => {
    if (event.type === "record" && event.record.kind === "rewind") fill("sessions", 0);
  });
  const error = await session.rewind.rewind(first, "both").then(() => undefined, String);
  end();
  if (error !== undefined) assert.match(error, /13 of 13 files were put back, but the session could not note/);
  return error === undefined;
}
for (; await isNoted(); await session.rewind.undo()) empty("sessions");
assert.deepEqual(seen(), before);
empty("sessions");
await session.rewind.undo();
assert.deepEqual(seen(), after);
await session.rewind.rewind(first, "files");
assert.deepEqual(seen(), before);

// While the workspace is copied before a command.
for (let at = 0; at < 12; at++) writeFileSync(join(app, `sub/f${at}.txt`), `other ${at}\n`.repeat(10 * KB));
fill("sessions", 300 * KB);
const second = await turn(SHORTEN);
empty("sessions");
const { gaps, stays, files } = await session.rewind.preview(second);
assert.match(gaps.join(" "), /\d+ files in .* were not copied: the disk was full\./);
assert.equal(stays.length + files.length, 13, "each is either put back or said to stay");
assert.ok(stays.length > 0 && files.length > 1);
const left = seen();
await session.rewind.rewind(second, "files");
await session.rewind.undo();
assert.deepEqual(seen(), left);
await session.close();
