/** Rewinds of which something is not to be had any more: the list of what they changed, or a file that cannot be looked at. */
import assert from "node:assert/strict";
import { FileError } from "../../../../src/core/ground/ports";
import { RewoundAgent } from "../../../fakes/rewound";

describe("a rewind whose list of files is not in the session", () => {
  it("is not called undone, and stays the one that can be", async () => {
    const agent = await RewoundAgent.start({ "a.txt": "a\n" }, { git: true });
    await agent.turn("echo x > a.txt");
    const after = agent.state();
    const { list } = await agent.session.rewind.rewind(1, "files");
    const { files } = agent.session.history;
    const { getSnapshot } = files;
    files.getSnapshot = async sha256 => (sha256 === list ? undefined : getSnapshot.call(files, sha256));
    await assert.rejects(agent.session.rewind.undo(), {
      name: "SessionError",
      message: /^The session does not have what this rewind changed/,
    });
    Object.assign(files, { getSnapshot });
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), after);
    await agent.end();
  });
});

describe("a rewind that was cut off", () => {
  it("opens again where one of the files cannot be looked at", async () => {
    let isLocked = false;
    const agent = await RewoundAgent.start(
      { "a.txt": "a\n", "b.txt": "b\n" },
      {
        git: true,
        disk: disk => ({
          ...disk,
          look: async (path, maxBytes) => {
            if (isLocked && path.endsWith("/a.txt")) throw new FileError("READ_ONLY", "a.txt may not be read.");
            return disk.look(path, maxBytes);
          },
        }),
      },
    );
    await agent.turn("echo x > a.txt; echo y > b.txt");
    const { history } = agent.session;
    const append = history.append.bind(history);
    history.append = record =>
      (record as { phase?: string }).phase === "done" ? Promise.reject(new Error("killed")) : append(record);
    await assert.rejects(agent.session.rewind.rewind(1, "files"), /killed/);
    isLocked = true;
    await agent.reopen();
    const note = agent.session.history.records.findLast(record => record.kind === "note");
    assert.match(note?.text ?? "", /A rewind was cut off: 1 of 2 files were put back\. a\.txt is neither/);
    await agent.end();
  });
});
