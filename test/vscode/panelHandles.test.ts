/** A click on a handle in the panel: the recorded output, whole, in a document. */
import assert from "node:assert/strict";
import { createHandlers, type EditorActions } from "../../src/vscode/panel/handlers";
import { Sessions } from "../../src/vscode/panel/sessions";
import { compactTurns, handleFor } from "../core/history/recorded";
import { world } from "../fakes/agent";

async function start() {
  const output = "line\n".repeat(3_000);
  const { ports, models, disk } = world({ mode: "auto", shell: { long: { output: [["stdout", output]] } } });
  const sessions = new Sessions(ports, { get: () => undefined, set: () => undefined }, assert.fail);
  const opened: [string, string][] = [];
  const editor: EditorActions = {
    openFile: async () => assert.fail("a file was opened"),
    openDiff: async () => assert.fail("a diff was opened"),
    openText: async (name, text) => void opened.push([name, text]),
    openMarkdown: async () => assert.fail("a page was opened"),
    act: () => assert.fail("an action was done"),
  };
  const deps = { sessions, editor, whyNot: () => undefined, logger: ports.logger };
  const handlers = createHandlers(deps, async () => assert.fail("not asked"));
  models.play(
    { calls: [{ name: "Bash", input: { command: "long" } }] },
    { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
    { text: "Done." },
  );
  const session = await sessions.show();
  await session.submit("go");
  await session.idle();
  const handles = session.history.records.flatMap(record =>
    record.kind === "result" && record.raw ? [`obs:${record.raw.sha256.slice(0, 12)}`] : [],
  );
  const loseBlobs = () => disk.sessions.get(session.id)?.blobs.clear();
  return { handlers, handles, opened, output, loseBlobs, session };
}

describe("a handle in the panel", () => {
  it("opens what was recorded, from its blob or from what was shown", async () => {
    const { handlers, handles, opened, output } = await start();
    for (const handle of handles) assert.deepEqual(await handlers.openHandle({ handle }), {});
    const [long, short] = handles.map(handle => `${handle.replace(":", " ")}.txt`);
    assert.deepEqual(opened, [
      [long, output],
      [short, "    1\tone"],
    ]);
  });

  it("says why it cannot be opened", async () => {
    const { handlers, handles, opened, loseBlobs } = await start();
    await assert.rejects(handlers.openHandle({ handle: "obs:000000000000" }), /No output of this session/);
    loseBlobs();
    await assert.rejects(handlers.openHandle({ handle: handles[0] ?? "" }), /is missing: .* no blob [0-9a-f]{64}\./);
    assert.deepEqual(opened, []);
  });

  it("opens what went to an archive; its records come with the older ones, its calls with their details", async () => {
    const { handlers, handles, opened, output, session } = await start();
    const all = session.history.records.map(({ id }) => id);
    await compactTurns(session.history, [1], { id: "sum_1", text: "In short." });
    assert.equal(session.history.records.length, 1);
    for (const handle of [...handles, handleFor("In short.")]) await handlers.openHandle({ handle });
    assert.deepEqual(
      opened.map(([, text]) => text),
      [output, "    1\tone", "In short."],
    );
    const { records, hasOlder } = await handlers.older({ before: session.history.records[0]?.seq ?? 0 });
    assert.deepEqual([records.map(({ id }) => id), hasOlder], [all, false]);
    const results = records.filter(record => record.kind === "result");
    assert.deepEqual(await handlers.details({ callId: results[1]?.callId ?? "" }), { text: "    1\tone" });
  });
});
