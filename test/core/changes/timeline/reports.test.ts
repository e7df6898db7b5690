/** What people reported of other agents: changes of theirs that went with an undo, and undos that could not be had back. */
import assert from "node:assert/strict";
import { edit } from "../../../fakes/agent";
import { RewoundAgent } from "../../../fakes/rewound";
import { wrapped } from "../../../fakes/wrapped";
import { edited, LINES, named, play, refused, uri, write } from "./edited";

const made = "file:///ws/app/new/b.ts";

describe("reports of lost work", () => {
  it("discard all deleted files that somebody had gone on with (microsoft/vscode#233602)", async () => {
    const { session, files } = await edited([write("new/b.ts", "one\ntwo\n")]);
    files.put("new/b.ts", "one\nmine\ntwo\nmine too\n");
    await session.review.undo(made);
    assert.equal(files.onDisk("new/b.ts"), "mine\nmine too\n");
    await session.review.redo();
    assert.equal(files.onDisk("new/b.ts"), "one\nmine\ntwo\nmine too\n");
  });

  it("what was accepted waits again after the editor's undo of later typing (microsoft/vscode#233795)", async () => {
    const { session } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const kept = LINES.replace("two", "TWO");
    const [file] = await session.review.list();
    assert.ok(file);
    await session.review.keep(file);
    assert.equal(await session.review.followUndo(uri, kept), false);
    assert.deepEqual(await session.review.changesIn(uri, kept), []);
    assert.deepEqual(await session.review.changesIn(uri, LINES), []);
  });

  it("deleting lines of a new file reverts and deletes all of it (microsoft/vscode-copilot-release#3749)", async () => {
    const { session, files } = await edited([named("w1", write("new/b.ts", "one\ntwo\nthree\n"))]);
    for (const left of ["one\nthree\n", "three\n", ""]) {
      files.put("new/b.ts", left);
      session.review.touch();
      assert.equal((await session.review.list()).length, left === "" ? 0 : 1);
      assert.equal(files.onDisk("new/b.ts"), left);
    }
    files.put("new/b.ts", "one\n");
    await refused(session.edits.revert("undo", { callId: "w1", uri: made }), /it has more than what the agent left/);
    assert.equal(files.onDisk("new/b.ts"), "one\n");
  });

  it("line ends that were made alike meanwhile keep an edit from being undone (openai/codex#25048)", async () => {
    const mixed = LINES.replaceAll("\n", "\r\n").replace("four\r\n", "four\n");
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO\nmore"))], {
      files: { "src/a.ts": mixed },
    });
    for (const end of ["\r\n", "\n"]) {
      files.put("src/a.ts", LINES.replace("two", "TWO\nmore").replaceAll("\n", end));
      await session.edits.revert("undo", { callId: "e1", uri });
      assert.equal(files.onDisk("src/a.ts"), LINES.replaceAll("\n", end));
      await session.edits.revert("redo", { callId: "e1", uri });
      assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO\nmore").replaceAll("\n", end));
    }
  });

  it("an undo puts the whole text of then over what others did since (Arrangedgodly/karaoke#6, intent-hq/intent#5095)", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const { session, files } = agent;
    await play(agent, [named("e2", edit("src/a.ts", "seven", "SEVEN"))]);
    files.put("src/a.ts", `${files.onDisk("src/a.ts")}mine\n`);
    const all = files.onDisk("src/a.ts") ?? "";
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(files.onDisk("src/a.ts"), all.replace("TWO", "two"));
    await session.edits.revert("redo", { callId: "e1", uri });
    assert.equal(files.onDisk("src/a.ts"), all);
    files.put("src/a.ts", all.replace("TWO", "TWO, mine"));
    await refused(session.edits.revert("undo", { callId: "e1", uri }), /the same lines were changed since \(line 2\)/);
    assert.equal(files.onDisk("src/a.ts"), all.replace("TWO", "TWO, mine"));
  });

  it("a hunk with lines of somebody's own is rejected twice (microsoft/vscode#226960)", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two\nthree", "TWO\nTHREE"))]);
    files.put("src/a.ts", LINES.replace("two\nthree", "TWO\nmine"));
    await session.review.undo(uri);
    const left = LINES.replace("two\nthree", "two\nmine");
    assert.equal(files.onDisk("src/a.ts"), left);
    await refused(session.review.undo(uri), /^Nothing of this file waits/);
    assert.equal(files.onDisk("src/a.ts"), left);
  });

  it("selected lines of a new file with CRLF can't be taken back (gitextensions/gitextensions#2857)", async () => {
    const { session, files } = await edited([write("new/b.ts", "one\r\ntwo\r\nthree\r\n")]);
    files.put("new/b.ts", "one\r\ntwo\r\nmine\r\nthree\r\n");
    const [, second] = await session.review.changesIn(made, files.onDisk("new/b.ts") ?? "");
    await session.review.undo(made, second?.id);
    assert.equal(files.onDisk("new/b.ts"), "one\r\ntwo\r\nmine\r\n");
    await session.review.redo(made);
    assert.equal(files.onDisk("new/b.ts"), "one\r\ntwo\r\nmine\r\nthree\r\n");
  });
});

describe("reports of checkpoints", () => {
  const turn = "echo x > made.txt; sed -i s/one/ONE/ a.txt; rm gone.txt";
  const start = { "a.txt": "one\n", "gone.txt": "gone\n", "other.txt": "other\n", ".gitignore": "out/\n" };

  it("a restore can't be undone (zed-industries/zed#28676), and takes untracked files (github/copilot-cli#1675, cline/cline#14367)", async () => {
    const agent = await RewoundAgent.start(start, { git: true });
    try {
      await agent.turn(`${turn}; echo > .gitignore`);
      agent.write("out/results.jsonl", "mine\n");
      agent.write("notes.txt", "mine\n");
      const left = agent.state();
      const { stayed } = await agent.session.rewind.rewind(1, "both");
      assert.deepEqual(stayed, undefined);
      assert.equal(agent.read("out/results.jsonl") + agent.read("notes.txt"), "mine\nmine\n");
      await agent.reopen();
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), left);
      await agent.session.rewind.rewind(1, "files");
      assert.equal(agent.read("a.txt"), "one\n");
    } finally {
      await agent.end();
    }
  }).timeout(20_000);

  it("a restore deletes files, then fails to write others, and says nothing of it (NousResearch/hermes-agent#95610)", async () => {
    const written: string[] = [];
    const agent = await RewoundAgent.start(start, {
      disk: disk =>
        wrapped(disk, {
          put: async (path, from, to, bytes) => {
            written.push(path.slice(path.lastIndexOf("/") + 1));
            if (path.endsWith("a.txt")) throw new Error("EIO");
            return disk.put(path, from, to, bytes);
          },
        }),
    });
    try {
      await agent.turn(turn);
      const left = agent.state();
      const { stayed } = await agent.session.rewind.rewind(1, "files");
      assert.match(stayed?.join() ?? "", /^a\.txt stays: EIO/);
      // Nothing else is written, not to mention its time (zed-industries/zed#59099).
      assert.deepEqual(written.sort(), ["a.txt", "gone.txt", "made.txt"]);
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), left);
    } finally {
      await agent.end();
    }
  }).timeout(20_000);
});
