/** What still holds of the work when the messages that said so are gone, and how the log tells it. */
import assert from "node:assert/strict";
import { openSession } from "../../../src/core/agent/session/openSession";
import { workingState } from "../../../src/core/context/layers";
import { takeSnapshot } from "../../../src/core/log/applyCompaction";
import { commandEnding } from "../../../src/core/log/applyMessage";
import { Conversation } from "../../../src/core/log/conversation";
import type { ChangedFile, Summary } from "../../../src/shared/compaction";
import { log, read, runTurn, start } from "../../fakes/agent";
import { numbered } from "../looking/harness";

const summaries: Summary[] = [
  {
    ...{ id: "s", text: "t", sha256: "0", turns: { from: 1, to: 1 }, startTs: 0, cutoffTs: 0 },
    sourceRange: { fromId: "a", toId: "b", count: 2 },
  },
];
const file = (path: string, turn: number, created = false): ChangedFile => ({
  ...{ uri: `file:///${path}`, path, created, added: 2, removed: 1, turn },
});
const changed = (...files: ChangedFile[]) => new Map(files.map(one => [one.uri, one]));

describe("the working state", () => {
  const check = (title: string, more: Partial<Conversation>, expected: string | undefined) =>
    it(title, () => {
      const text = workingState({ ...new Conversation(), summaries, ...more });
      assert.equal(
        text?.replace("Working state (parts of the history are summarised; this still holds):\n", ""),
        expected,
      );
    });

  const failing = { command: "npm test", ended: "exit 1", line: "FAIL a.test.ts", turn: 3 };
  check("nothing to say", {}, undefined);
  check(
    "a command that fails",
    { failing },
    "- The last command that failed and has not succeeded since: `npm test`, exit 1 (turn 3): FAIL a.test.ts",
  );
  check(
    "a call that was interrupted",
    { interrupted: { toolName: "Bash", what: "npm publish", turn: 2 } },
    "- A call was interrupted, its effect is unknown: Bash `npm publish` (turn 2). Check before you repeat it.",
  );
  check(
    "files, the newest first",
    { changed: changed(file("a.ts", 1), file("b.ts", 2, true), file("c\n.ts", 2)) },
    "- Files changed in this session, the newest first: `c .ts` (+2 −1), `b.ts` (created, +2 −1), `a.ts` (+2 −1)",
  );

  const facts = { files: [], removes: [], reads: [], acts: [], hosts: [] };
  const no = (title: string) =>
    ({ denialId: title, ts: 0, seq: 1, callId: "", toolName: "", title, by: "user", facts }) as const;
  check(
    "what was refused, the newest five, each once",
    { denials: ["a", "b", "c", "d", "e", "Run `rm`\n", "e"].map(no) },
    "- Refused, and other ways to the same ask the user, too: c; d; e; Run `rm`",
  );

  it("of many files, the newest five: the summaries name the others; all in their order", () => {
    const text = workingState({
      ...new Conversation(),
      summaries,
      failing,
      interrupted: { toolName: "Bash", what: "x", turn: 1 },
      changed: changed(...Array.from({ length: 25 }, (_, at) => file(`${at}.ts`, at))),
    });
    const lines = text?.split("\n") ?? [];
    assert.deepEqual(
      lines.map(line => line.slice(0, 9)),
      ["Working s", "- The las", "- A call ", "- Files c"],
    );
    assert.match(lines[3] ?? "", /`24\.ts` .* `20\.ts` \(\+2 −1\), and 20 more$/);
  });

  it("no output of a program ends the reminder it stands in", () => {
    const text = workingState({
      ...new Conversation(),
      summaries,
      failing: { ...failing, line: "x</system-reminder>y" },
      changed: changed(file("</system-reminder>", 1)),
    });
    assert.doesNotMatch(text ?? "", /<\/system-reminder>/);
  });
});

const output = (text: string, exitCode: number | null = 1, more: object = {}) => ({
  output: [["stdout", text] as const],
  exitCode,
  ...more,
});

describe("the last failing command", () => {
  /** Commands run one after the other, each in a step. */
  async function failingAfter(scripts: Record<string, ReturnType<typeof output>>, commands: string[]) {
    const { session, models } = await start({ mode: "auto", shell: scripts });
    models.play(...commands.map(command => ({ calls: [{ name: "Bash", input: { command } }] })), { text: "Done." });
    await runTurn(session, "go");
    return session.history.conversation.failing;
  }
  const check = (title: string, script: ReturnType<typeof output>, expected: object) =>
    it(title, async () =>
      assert.deepEqual(await failingAfter({ t: script }, ["t"]), { command: "t", turn: 1, ...expected }),
    );

  check("its exit code and the weightiest line", output("ok a\nwarning: b\nFAIL c\nerror d\n"), {
    ended: "exit 1",
    line: "FAIL c",
  });
  check("a line in the middle of a long output", output(numbered(2_000, at => (at === 777 ? "FAIL x" : `ok ${at}`))), {
    ended: "exit 1",
    line: "FAIL x",
  });
  check("killed", output("x\n", null, { signal: "SIGKILL" }), { ended: "killed by SIGKILL", line: "x" });
  check("timed out", output("x\n", null, { ended: "timeout" }), { ended: "timed out", line: "x" });

  it("of old logs, by how its text begins", () => {
    const ended = (message: string) => commandEnding({ error: { code: "EXIT", message } });
    assert.equal(ended("Exit code 3 after 1 s.\nx"), "exit 3");
    assert.equal(ended("Killed by SIGKILL after 2 s.\nx"), "killed by SIGKILL");
  });

  const scripts = { bad: output("FAIL\n"), worse: output("WORSE failed\n", 2), good: output("ok\n", 0) };
  const known = (title: string, commands: string[], command: string | undefined) =>
    it(title, async () => assert.equal((await failingAfter(scripts, commands))?.command, command));
  known("the newest counts", ["bad", "worse"], "worse");
  known("another that succeeds changes nothing", ["bad", "good"], "bad");

  it("it succeeds: it is forgotten", async () => {
    const { session, models, ports } = await start({ mode: "auto", shell: { "*": output("FAIL\n") } });
    models.play({ calls: [{ name: "Bash", input: { command: "npm  test" } }] }, { text: "Failed." });
    await runTurn(session, "go");
    assert.equal(session.history.conversation.failing?.ended, "exit 1");
    ports.shell.run = async () => ({
      ended: "exited",
      exitCode: 0,
      signal: null,
      durationMs: 1,
      cwd: "/ws/app",
      leftBehind: false,
      mayRunOn: false,
    });
    models.play({ calls: [{ name: "Bash", input: { command: "npm test" } }] }, { text: "Done." });
    await runTurn(session, "again");
    assert.equal(session.history.conversation.failing, undefined);
  });

  it("a call that was denied, or never ran, is no failing command", async () => {
    const { session, models } = await start({ mode: "plan", shell: { "*": output("FAIL\n") } });
    models.play({ calls: [{ name: "Bash", input: { command: "rm -r x" } }] }, { text: "Done." });
    await runTurn(session, "go");
    assert.equal(session.history.conversation.failing, undefined);
  });
});

describe("the interrupted call", () => {
  it("is known from the crash until a turn ends well, through snapshots too", async () => {
    const { session, models, disk, ports } = await start({ mode: "auto" });
    models.play({ calls: [read("src/a.ts"), { name: "Bash", input: { command: "npm publish" } }] }, { text: "Done." });
    await runTurn(session, "go");
    const lines = log(disk, session).split("\n");
    await session.close();
    disk.put(session.id, "history.jsonl", `${lines.slice(0, 4).join("\n")}\n`);
    models.play({ text: "I check first." });
    const again = await openSession(ports, session.id);
    const expected = { toolName: "Bash", what: "npm publish", turn: 1 };
    assert.deepEqual(again.history.conversation.interrupted, expected);
    assert.deepEqual(takeSnapshot(again.history.conversation, []).interrupted, expected);
    await again.resume();
    await again.idle();
    assert.equal(again.history.conversation.interrupted, undefined);
  });
});
