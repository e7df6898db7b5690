/** A disk that is full at the worst moments of a rewind: it is said what stands where, nothing is lost, and it goes on from there. */
import assert from "node:assert/strict";
import { DiskFullError, type DiskStates, StorageError } from "../../../../src/core/ground/ports";
import { last } from "../../../fakes/agent";
import { RewoundAgent } from "../../../fakes/rewound";

const FILES = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}.txt`, `${at}\n`]));
const CHANGE = "for f in f*.txt; do echo changed >> $f; done; rm f1.txt; echo new > n.txt";

describe("a rewind on a full disk", () => {
  let agent: RewoundAgent;
  let before: Record<string, string>;
  let after: Record<string, string>;
  /** how many files can still be written into the workspace */
  let room: number;

  beforeEach(async () => {
    room = Number.POSITIVE_INFINITY;
    agent = await RewoundAgent.start(FILES, {
      disk: disk => ({ ...disk, put: (...args) => (args[2] === null || room-- > 0 ? disk.put(...args) : full(args)) }),
    });
    before = agent.state();
    await agent.turn(CHANGE);
    after = agent.state();
  });
  afterEach(() => agent.end());

  const full = ([path]: Parameters<DiskStates["put"]>) => Promise.reject(new DiskFullError(`no room for ${path}`));
  /** Each is one of the two. */
  const count = () => {
    const now = agent.state();
    const names = Object.keys({ ...before, ...after });
    for (const name of names) assert.ok(now[name] === before[name] || now[name] === after[name], name);
    return names.filter(name => now[name] === before[name]).length;
  };

  it("ends with a sentence that says how far it came, and leaves the conversation where it is", async () => {
    room = 7;
    const { stayed = [], head, files } = await agent.session.rewind.rewind(1, "both");
    assert.deepEqual([files, count(), head], [8, 8, undefined]);
    assert.deepEqual(stayed, [
      "The disk is full: 8 of 41 files were put back, 33 stay as they were, and so does the conversation. Free some space, then rewind again, or undo it.",
    ]);
  });

  it("is done again once there is room, and each of them undone", async () => {
    room = 7;
    await agent.session.rewind.rewind(1, "both");
    const half = agent.state();
    room = 100;
    const { stayed } = await agent.session.rewind.rewind(1, "both");
    assert.deepEqual([stayed, agent.state()], [undefined, before]);
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), half);
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), after);
  });

  it("is undone as far as it came, also where there is no room for all of that at first", async () => {
    room = 20;
    await agent.session.rewind.rewind(1, "files");
    room = 3;
    const { stayed = [] } = await agent.session.rewind.undo();
    assert.match(stayed[0] ?? "", /^The disk is full: [34] of 21 .* Free some space, then rewind again, or undo it\.$/);
    count();
    room = 100;
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), after);
  });

  it("does nothing where the session cannot keep what the files hold, and says so", async () => {
    agent.agent.disk.full = true;
    await assert.rejects(agent.session.rewind.rewind(1, "both"), {
      name: "StorageError",
      message:
        "The disk is full: the files as they are now could not be kept, so nothing was changed. Free some space, then try it again.",
    });
    assert.deepEqual(agent.state(), after);
    agent.agent.disk.full = false;
    await agent.session.rewind.rewind(1, "both");
    assert.deepEqual(agent.state(), before);
  });

  describe("whose session has no room to note that it is done", () => {
    /** Full from the moment on in which the session would note it. */
    async function rewound(what: "files" | "both"): Promise<void> {
      const { history } = agent.session;
      const unsubscribe = agent.session.subscribe(event => {
        if (event.type === "record" && event.record.kind === "rewind") agent.agent.disk.full = true;
      });
      await assert.rejects(agent.session.rewind.rewind(1, what), (error: unknown) => {
        assert.ok(error instanceof StorageError);
        assert.equal(
          error.message,
          "41 of 41 files were put back, but the session could not note it (the disk is full), and the conversation is as it was. Free some space, then rewind again, or undo it.",
        );
        return true;
      });
      unsubscribe();
      assert.deepEqual(agent.state(), before);
      assert.equal(history.conversation.turn, 1);
    }

    it("says so, and is undone once there is room", async () => {
      await rewound("files");
      await assert.rejects(agent.session.rewind.undo(), /The disk is full/);
      await assert.rejects(agent.session.submit("go on"), /The disk is full/);
      agent.agent.disk.full = false;
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), after);
    });

    it("is done again, with the conversation, and undone", async () => {
      await rewound("both");
      agent.agent.disk.full = false;
      const { head, stayed } = await agent.session.rewind.rewind(1, "both");
      assert.deepEqual([head !== undefined, stayed, agent.state()], [true, undefined, before]);
      await agent.session.rewind.undo();
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), after);
    });

    it("is in the preview once it is noted, and undone after the next turn", async () => {
      await rewound("files");
      agent.agent.disk.full = false;
      await agent.turn("echo later > later.txt");
      assert.match(last(agent.session, "note").text, /^A rewind was cut off: 41 of 41 files were put back\./);
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), { ...after, "later.txt": "644 later\n" });
    });

    it("is told when the session opens again, where the process ended meanwhile", async () => {
      await rewound("files");
      agent.agent.disk.full = false;
      await agent.reopen();
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), after);
    });
  });
});

describe("a command on a full disk", () => {
  it("whose changes the session has no room for is named in the preview", async () => {
    const agent = await RewoundAgent.start({ "a.txt": "a\n" });
    const { disk } = agent.agent;
    const { files } = agent.session.history;
    const { putSnapshot } = files;
    files.putSnapshot = async (sha256, data) => {
      if (String(data).startsWith("[")) throw new StorageError("DISK_FULL", "no room");
      return putSnapshot.call(files, sha256, data);
    };
    await agent.turn("echo b > a.txt");
    const { gaps } = await agent.session.rewind.preview(1);
    assert.deepEqual(gaps, ["What a command changed (1 file) could not be kept: the disk was full."]);
    assert.equal(disk.full, false);
    await agent.end();
  });
});
