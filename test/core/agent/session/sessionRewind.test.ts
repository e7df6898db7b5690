/** Going back to before a message: files byte for byte, what a person typed since, the conversation and its branches. */

import assert from "node:assert/strict";
import { StorageError } from "../../../../src/core/ground/ports";
import { runTurn } from "../../../fakes/agent";
import { pluck } from "../../../fakes/pluck";
import { RewoundAgent } from "../../../fakes/rewound";
import { soak } from "../../../fakes/soak";

/** What is outside of a repository is looked at in another way, but compared and put back in the same: one test tells of it. */
for (const git of [true, false]) {
  const inSoak = (register: () => void) => (git ? register() : soak("places", register));

  describe(`a rewind of files, ${git ? "in a repository" : "outside of one"}`, () => {
    let agent: RewoundAgent;
    const files = {
      "a.txt": "one\ntwo\nthree\n",
      "b.txt": "b\n",
      "c.bin": "\0\x01\n",
      "crlf.txt": "x\r\ny\r\n",
      "sub/d.txt": "d\n",
    };
    beforeEach(async () => {
      agent = await RewoundAgent.start(files, { git });
      agent.write("untracked.txt", "mine\n");
    });
    afterEach(() => agent.end());

    it("undoes whatever commands and edits did, and its undo does it again", async () => {
      const before = agent.state();
      await agent.turn(
        "echo changed > a.txt; rm b.txt; printf 'q\\0' > c.bin; mv sub/d.txt sub/e.txt; chmod 755 untracked.txt",
        "ln -s a.txt link; mkdir -p new/deep && echo n > new/deep/n.txt; printf 'z\\r\\n' >> crlf.txt",
      );
      await agent.turn({ path: "f.txt", text: "written\n" }, "echo more >> f.txt; ln -sfn b.txt link; echo x >> a.txt");
      const after = agent.state();
      assert.notDeepEqual(after, before);
      const record = await agent.session.rewind.rewind(1, "files");
      assert.deepEqual(record.stayed ?? [], []);
      assert.deepEqual(agent.state(), before);
      await agent.session.rewind.undo();
      assert.deepEqual(agent.state(), after);
      await agent.session.rewind.rewind(1, "files");
      assert.deepEqual(agent.state(), before);
    });

    inSoak(() => {
      it("tells calls apart to which a provider gave the same id", async () => {
        const { models } = agent.agent;
        const before = agent.state();
        const id = "call_0";
        models.play(
          { calls: [{ id, name: "Bash", input: { command: "echo by a command > a.txt" } }] },
          { text: "Done." },
        );
        await runTurn(agent.session, "one");
        models.play(
          { calls: [{ id: "call_1", name: "Read", input: { file_path: "a.txt" } }] },
          { calls: [{ id, name: "Write", input: { file_path: "a.txt", content: "by an edit\n" } }] },
          { text: "Done." },
        );
        await runTurn(agent.session, "two");
        assert.equal(agent.read("a.txt"), "by an edit\n");
        const { stayed } = await agent.session.rewind.rewind(1, "files");
        assert.deepEqual([stayed, agent.state()], [undefined, before]);
      });

      it("goes back to before the second turn only", async () => {
        await agent.turn("echo one >> b.txt");
        const between = agent.state();
        await agent.turn("echo two >> b.txt; echo new > n.txt");
        await agent.session.rewind.rewind(2, "files");
        assert.deepEqual(agent.state(), between);
        await agent.session.rewind.rewind(1, "files");
        assert.equal(agent.read("b.txt"), "b\n");
      });

      it("without a turn, goes back turn by turn until something is said", async () => {
        const b = () => agent.read("b.txt");
        const { rewind } = agent.session;
        assert.throws(() => rewind.newestTurn, /no turn/);
        await agent.turn("echo one >> b.txt");
        await agent.turn("echo two >> b.txt");
        await rewind.rewind(rewind.newestTurn, "files");
        assert.equal(b(), "b\none\n");
        await rewind.rewind(rewind.newestTurn, "files");
        assert.equal(b(), "b\n");
        assert.throws(() => rewind.newestTurn, /no turn/);
        await rewind.undo();
        assert.deepEqual([b(), rewind.newestTurn], ["b\none\n", 1]);
        await agent.turn("echo three >> b.txt");
        assert.equal(rewind.newestTurn, 3);
      });

      it("keeps what a person typed since", async () => {
        await agent.turn("sed -i s/one/ONE/ a.txt");
        agent.write("a.txt", "ONE\ntwo\nthree\nfour, by hand\n");
        const preview = await agent.session.rewind.preview(1);
        assert.deepEqual(
          preview.files.map(({ path, becomes, merged }) => [path, becomes, merged]),
          [["a.txt", "changed", true]],
        );
        await agent.session.rewind.rewind(1, "files");
        assert.equal(agent.read("a.txt"), "one\ntwo\nthree\nfour, by hand\n");
        await agent.session.rewind.undo();
        assert.equal(agent.read("a.txt"), "ONE\ntwo\nthree\nfour, by hand\n");
      });

      it("keeps what a person typed between two commands", async () => {
        await agent.turn("sed -i s/one/ONE/ a.txt");
        agent.write("a.txt", "ONE\ntwo\nthree\nfour, by hand\n");
        agent.run("sleep 2.1");
        await agent.turn("sed -i s/two/TWO/ a.txt");
        await agent.session.rewind.rewind(1, "files");
        assert.equal(agent.read("a.txt"), "one\ntwo\nthree\nfour, by hand\n");
      }).timeout(20_000);

      it("leaves a file alone of which the same lines were changed, and says so", async () => {
        await agent.turn("sed -i s/one/ONE/ a.txt; echo new > n.txt");
        agent.write("a.txt", "by hand\ntwo\nthree\n");
        agent.write("n.txt", "new\nby hand\n");
        const state = agent.state();
        const { stayed = [] } = await agent.session.rewind.rewind(1, "files");
        assert.match(
          stayed.toSorted().join(" "),
          /a\.txt stays: the same lines were changed since.* n\.txt stays: it has more/,
        );
        assert.deepEqual(agent.state(), state);
      });

      it("never deletes what the agent did not make", async () => {
        await agent.turn("echo x > agents.txt");
        agent.write("persons.txt", "mine\n");
        agent.write("sub/persons.txt", "mine\n");
        await agent.session.rewind.rewind(1, "files");
        assert.deepEqual(
          Object.keys(agent.state()).filter(name => name.endsWith("persons.txt") || name === "agents.txt"),
          ["persons.txt", "sub/persons.txt"],
        );
      });

      it("names the command that made a file before it deletes that file", async () => {
        const during = "echo x > made.txt";
        await agent.turn(during);
        const { files: told } = await agent.session.rewind.preview(1);
        assert.deepEqual(
          told.map(file => [file.path, file.becomes, file.during]),
          [["made.txt", "deleted", during]],
        );
      });

      it("does nothing beforehand, and says what it would do", async () => {
        await agent.turn("echo x > n.txt; rm b.txt; echo y > a.txt");
        const state = agent.state();
        const { files: told, turns } = await agent.session.rewind.preview(1);
        assert.deepEqual(
          told.map(({ path, becomes }) => `${becomes} ${path}`),
          ["changed a.txt", "created b.txt", "deleted n.txt"],
        );
        assert.equal(turns, 1);
        assert.deepEqual(agent.state(), state);
      });

      it("says what cannot be restored", async () => {
        agent.write("large.bin", Buffer.alloc(11 * 1024 * 1024));
        await agent.turn("echo x > large.bin");
        const { stays } = await agent.session.rewind.preview(1);
        assert.deepEqual(stays, ["large.bin stays: it can't be restored: it has more than 10 MB."]);
      });

      it("is there after a restart", async () => {
        const before = agent.state();
        await agent.turn("echo x > n.txt; rm b.txt");
        await agent.reopen();
        await agent.session.rewind.rewind(1, "files");
        await agent.reopen();
        assert.deepEqual(agent.state(), before);
        await agent.session.rewind.undo();
        assert.equal(agent.read("n.txt"), "x\n");
      });
    });
  });
}

describe("a rewind of the conversation", () => {
  let agent: RewoundAgent;
  const messages = () =>
    agent.session.history.conversation.messages.map(({ parts }) =>
      parts
        .map(part => (part.type === "text" ? part.text : part.type === "data-reminder" ? part.data.text : ""))
        .join(""),
    );
  beforeEach(async () => {
    agent = await RewoundAgent.start({ "a.txt": "a\n" }, { git: true });
  });
  afterEach(() => agent.end());

  async function say(text: string): Promise<void> {
    agent.agent.models.play({ text: `answer to ${text}` });
    await runTurn(agent.session, text);
  }

  it("leaves the turns behind, which can be gone back to", async () => {
    for (const text of ["one", "two", "three"]) await say(text);
    const all = messages();
    await agent.session.rewind.rewind(2, "conversation");
    assert.deepEqual(messages(), ["one", "answer to one"]);
    await agent.session.rewind.undo();
    assert.deepEqual(messages(), all);
  });

  it("forks where another message is sent, and every branch is one step away", async () => {
    await say("one");
    await say("two");
    await agent.session.rewind.rewind(2, "conversation");
    await say("other");
    const { history, rewind } = agent.session;
    assert.deepEqual(history.conversation.turn, 3, "no turn has a number twice");
    const [fork] = rewind.forks;
    assert.equal(fork?.current, 1);
    await rewind.switchTo(fork?.tips[0] ?? 0);
    assert.deepEqual(messages(), ["one", "answer to one", "two", "answer to two"]);
    await say("on the first branch");
    const [again] = rewind.forks;
    assert.deepEqual([again?.current, again?.tips.length], [0, 2]);
    await rewind.switchTo(again?.tips[1] ?? 0);
    assert.deepEqual(messages(), ["one", "answer to one", "other", "answer to other"]);
    await agent.reopen();
    assert.deepEqual(messages(), ["one", "answer to one", "other", "answer to other"]);
  });

  it("that was sent otherwise twice has three ways on, whichever is taken", async () => {
    await say("one");
    for (const text of ["two", "second", "third"]) {
      await say(text);
      if (text !== "third") await agent.session.rewind.rewind(agent.session.history.conversation.turn, "conversation");
    }
    const { rewind } = agent.session;
    for (const at of [0, 1, 2, 1, 0]) {
      const [fork] = rewind.forks;
      assert.deepEqual([rewind.forks.length, fork?.tips.length], [1, 3]);
      await rewind.switchTo(fork?.tips[at] ?? 0);
      assert.equal(rewind.forks[0]?.current, at);
      assert.deepEqual(messages().slice(0, 3), ["one", "answer to one", ["two", "second", "third"][at]]);
    }
    await rewind.rewind(1, "conversation");
    await say("all otherwise");
    assert.deepEqual(
      rewind.forks.map(({ tips, current }) => [tips.length, current]),
      [[2, 1]],
    );
  });

  it("offers no undo of a rewind while another branch is shown", async () => {
    await say("one");
    await say("two");
    const { rewind } = agent.session;
    const done = await rewind.rewind(2, "conversation");
    await say("other");
    assert.equal(rewind.undoable?.rewindId, done.rewindId);
    await rewind.switchTo(rewind.forks[0]?.tips[0] ?? 0);
    assert.equal(rewind.undoable, undefined);
    await assert.rejects(rewind.undo(), /led to another branch/);
    await rewind.switchTo(rewind.forks[0]?.tips[1] ?? 0);
    await rewind.undo();
    assert.deepEqual(messages(), ["one", "answer to one", "two", "answer to two"]);
  });

  it("counts what was spent on every branch, and keeps mode and waiting words", async () => {
    await say("one");
    await say("two");
    const { spent } = agent.session.history.conversation;
    await agent.session.setMode("ask");
    await agent.session.rewind.rewind(1, "conversation");
    assert.deepEqual(agent.session.history.conversation.spent, spent);
    assert.equal(agent.session.mode, "ask");
    assert.deepEqual(messages(), []);
  });

  it("tells the model of files that went back while the conversation stayed", async () => {
    await agent.turn("echo x > n.txt");
    await agent.session.rewind.rewind(1, "files");
    await say("and now?");
    assert.ok(messages().some(text => /undid your edit of n\.txt/.test(text)));
  });

  it("is refused while the agent works", async () => {
    await say("one");
    agent.agent.models.play({ text: "…", calls: [{ name: "Bash", input: { command: "sleep 30" } }] });
    await agent.session.submit("wait");
    await assert.rejects(agent.session.rewind.rewind(1, "both"), /The agent is working/);
    await agent.session.stop();
  });

  it("keeps a message that is sent while it looks at the files, for the turn after it", async () => {
    await say("one");
    agent.agent.models.play({ text: "Here." });
    await Promise.all([agent.session.rewind.rewind(1, "both"), agent.session.submit("and then this")]);
    await agent.session.idle();
    assert.ok(messages().some(text => text.includes("and then this")));
    assert.equal(agent.session.history.conversation.messages.at(-1)?.role, "assistant");
  });

  it("is done once where it is asked for twice", async () => {
    await say("one");
    await agent.session.rewind.rewind(1, "conversation");
    const twice = await Promise.allSettled([agent.session.rewind.undo(), agent.session.rewind.undo()]);
    assert.deepEqual(pluck(twice, "status"), ["fulfilled", "rejected"]);
  });

  it("can be stopped before it changes anything", async () => {
    await agent.turn("echo x > n.txt");
    const rewinding = agent.session.rewind.rewind(1, "both");
    await Promise.all([agent.session.stop(), assert.rejects(rewinding, /stopped before anything was changed/)]);
    assert.equal(agent.read("n.txt"), "x\n");
    assert.equal(agent.session.state, "idle");
  });

  it("knows no turn of another branch", async () => {
    await say("one");
    await say("two");
    await agent.session.rewind.rewind(2, "conversation");
    await assert.rejects(agent.session.rewind.rewind(2, "both"), /no turn 2 on this branch/);
  });
});

describe("a rewind that is cut off", () => {
  it("is told when the session opens again, with which files are which, and can be undone", async () => {
    const agent = await RewoundAgent.start({ "a.txt": "a\n", "b.txt": "b\n" }, { git: true });
    await agent.turn("echo x > a.txt; echo y > b.txt; echo z > n.txt");
    const after = agent.state();
    const { history } = agent.session;
    const append = history.append.bind(history);
    // The process ends after the last file: nobody writes that it is done.
    history.append = record =>
      (record as { phase?: string }).phase === "done"
        ? Promise.reject(new StorageError("DISK_FULL", "The disk is full."))
        : append(record);
    await assert.rejects(agent.session.rewind.rewind(1, "files"), /disk is full/);
    assert.equal(agent.read("a.txt"), "a\n");
    agent.write("b.txt", "by hand\n");
    await agent.reopen();
    const note = agent.session.history.records.findLast(record => record.kind === "note");
    assert.match(note?.text ?? "", /A rewind was cut off: 2 of 3 files were put back\. b\.txt is neither/);
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), { ...after, "b.txt": "644 by hand\n" });
    await agent.end();
  });

  it("of 200 files puts all of them back", async () => {
    const names = Array.from({ length: 200 }, (_, at) => `d/${at}.txt`);
    const agent = await RewoundAgent.start(Object.fromEntries(names.map(name => [name, `${name}\n`])), { git: true });
    const before = agent.state();
    await agent.turn("for f in d/*; do echo changed > $f; done");
    const started = performance.now();
    const { stayed = [], files } = await agent.session.rewind.rewind(1, "files");
    assert.deepEqual([stayed.slice(0, 3), files], [[], 200]);
    if (process.env.STRATA_TIMES) console.log(`200 files: ${Math.round(performance.now() - started)} ms`);
    assert.deepEqual(agent.state(), before);
    await agent.end();
  });
});
