/** A click on a handle in the panel: the recorded output, whole, in a document. */
import assert from "node:assert/strict";
import { handleFor } from "../core/log/recorded";
import { edit, read, runTurn } from "../fakes/agent";
import { attachments, diffOf, ran } from "../fakes/attachments";
import { delegated } from "../fakes/children";
import { compactTurns } from "../fakes/compacted";
import { startHost } from "../fakes/panelHost";

const changes = { root: "/ws/app", staged: diffOf("src/a.ts"), unstaged: "", untracked: [] };

async function start(asked = "go") {
  const output = "line\n".repeat(3_000);
  const { diffs, disk, models, panel, ports, sessions, texts } = startHost({
    ...{ mode: "auto", shell: { long: { output: [["stdout", output]] } } },
  });
  ports.attachments = attachments({ terminal: ran("make", "it failed"), changes: [changes] });
  models.play(
    { calls: [{ name: "Bash", input: { command: "long" } }] },
    { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
    { text: "Done." },
  );
  const client = panel();
  await client.request("open", {});
  const session = await sessions.show();
  await runTurn(session, asked);
  const handles = session.history.records.flatMap(record =>
    record.kind === "result" && record.raw ? [`obs:${record.raw.sha256.slice(0, 12)}`] : [],
  );
  const loseBlobs = () => disk.sessions.get(session.id)?.blobs.clear();
  return { client, handles, opened: texts, diffs, output, loseBlobs, session, agent: { ports, models } };
}

describe("a handle in the panel", () => {
  it("opens what was recorded, from its blob or from what was shown", async () => {
    const { client, handles, opened, output } = await start();
    for (const handle of handles) assert.deepEqual(await client.request("openHandle", { handle }), {});
    assert.deepEqual(opened, [
      ["Recorded output.txt", output],
      ["Recorded output.txt", "1\tone"],
    ]);
  });

  it("opens what an agent saw that works for the session, and the diff of what it changed", async () => {
    const { client, opened, diffs, session, agent } = await start();
    const calls = [
      { calls: [{ name: "LS", input: {} }, read("src/a.ts")] },
      { calls: [edit("src/a.ts", "one", "two")] },
      { text: "Done." },
    ];
    const { handles, callId } = await delegated(session, agent, calls);
    await client.request("openHandle", { handle: handles[0] ?? "" });
    assert.match(opened[0]?.[1] ?? "", /src/);
    await client.request("openDiff", { callId, uri: "file:///ws/app/src/a.ts" });
    assert.deepEqual(diffs, [{ before: "one\n", after: "two\n" }]);
  });

  it("says why it cannot be opened", async () => {
    const { client, handles, opened, loseBlobs } = await start();
    await assert.rejects(client.request("openHandle", { handle: "obs:000000000000" }), /No output/);
    loseBlobs();
    await assert.rejects(
      client.request("openHandle", { handle: handles[0] ?? "" }),
      /is missing: .* no blob [0-9a-f]{64}\./,
    );
    assert.deepEqual(opened, []);
  });

  it("opens what went to an archive; its records come with the older ones, its calls with their details", async () => {
    const { client, handles, opened, output, session } = await start();
    const all = session.history.records.map(({ id }) => id);
    await compactTurns(session.history, [1], { id: "sum_1", text: "In short." });
    assert.equal(session.history.records.length, 1);
    for (const handle of [...handles, handleFor("In short.")]) await client.request("openHandle", { handle });
    assert.deepEqual(
      opened.map(([, text]) => text),
      [output, "1\tone", "In short."],
    );
    const { records, hasOlder } = await client.request("older", { before: session.history.records[0]?.seq ?? 0 });
    assert.deepEqual([records.map(({ id }) => id), hasOlder], [all, false]);
    const results = records.filter(record => record.kind === "result");
    assert.equal((await client.request("printed", { callId: results[1]?.callId ?? "" })).first, "1\tone");
  });
});

describe("an attachment in the panel", () => {
  it("opens as it was sent, from an archive too; the panel itself gets none of its text", async () => {
    const { client, opened, session } = await start("look at @terminal, @changes and @problems");
    const sent = session.history.records.filter(record => record.kind === "attachment");
    assert.equal(sent.length, 3);
    await compactTurns(session.history, [1], { id: "sum_1", text: "In short." });
    const { records } = await client.request("older", { before: session.history.records[0]?.seq ?? 0 });
    const light = records.filter(record => record.kind === "attachment");
    assert.deepEqual(
      light.map(({ title, text, empty = false }) => [title, text, empty]),
      [
        ["make (exit code 0)", "", false],
        ["1 changed file (+1 −1)", "", false],
        ["There is no problems.", "", true],
      ],
    );
    for (const { messageId } of light.slice(0, 2)) await client.request("openAttachment", { messageId });
    assert.deepEqual(opened, [
      ["terminal.txt", sent[0]?.text],
      ["changes.diff", sent[1]?.text],
    ]);
    await assert.rejects(client.request("openAttachment", { messageId: "msg_none" }), /no longer in the session's log/);
  });
});
