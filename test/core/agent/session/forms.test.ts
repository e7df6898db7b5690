/** Forms and handles in whole sessions: what is sent in the turns after, what Recall brings back, why prefixes break. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { toModelMessages } from "../../../../src/core/context/compose";
import { manifestSchema } from "../../../../src/shared/manifest";
import { edit, read, runTurn, start } from "../../../fakes/agent";
import { transcript } from "../../../fakes/model";
import { bytesOf, verifyBytes } from "../../../fakes/proof";
import { numbered } from "../../looking/harness";

/** So much went wrong that history keeps less of it than the turn. */
const complaint = (line: number) => `error: ${String.fromCharCode(97 + ((line / 50) % 26)).repeat(60)} is missing`;
const log = numbered(2_000, line => {
  if (line === 777) return "FAIL totals round half up";
  return line % 50 === 0 ? complaint(line) : `ok ${line} - adds`;
});
const bash = (command: string) => ({ name: "Bash", input: { command } });
const recall = (input: object) => ({ name: "Recall", input: { ...input } });
const results = (session: Session) => session.history.records.filter(record => record.kind === "result");
const options = {
  mode: "auto" as const,
  files: {
    "src/a.ts": "one\n",
    "long.txt": numbered(1_500),
    ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`lib/f${at}.ts`, "hit\n"])),
  },
  shell: {
    "npm test": { output: [["stdout", log] as const], exitCode: 1 },
    "*": { output: [["stdout", "ok\n"] as const] },
  },
};

/** One turn with every tool, long outputs and short ones; then two more. */
async function session() {
  const agent = await start(options);
  const { session: running, models } = agent;
  models.play(
    {
      calls: [read("long.txt"), { name: "LS", input: { path: "lib" } }, { name: "Glob", input: { pattern: "lib/*" } }],
    },
    { calls: [{ name: "Grep", input: { pattern: "hit" } }, bash("npm test"), read("src/a.ts"), read("none.ts")] },
    { calls: [edit("src/a.ts", "one", "two"), { name: "Write", input: { file_path: "b.ts", content: "x\n" } }] },
    { calls: [{ name: "MultiEdit", input: { file_path: "b.ts", edits: [{ old_string: "x", new_string: "y" }] } }] },
    { calls: [{ name: "TodoWrite", input: { todos: [{ content: "a", status: "pending" }] } }] },
    { calls: [recall({ query: "round half" })] },
    { text: "Turn one." },
    { calls: [bash("ls")] },
    { text: "Turn two." },
    { text: "Turn three." },
  );
  for (const words of ["first", "second", "third"]) {
    await runTurn(running, words);
  }
  return agent;
}

describe("forms in a session", () => {
  it("an observation is sent as shown in its turn, as kept in the next one, and then its turn as one line", async () => {
    const { session: running, models } = await session();
    const tests = results(running).find(({ toolName }) => toolName === "LS");
    assert.ok(tests?.forms.kept && tests.forms.folded);
    const [turn1, turn2, turn3] = [models.requests[6], models.requests[7], models.requests[9]].map(
      request => request && transcript(request).join("\n"),
    );
    assert.ok(turn1?.includes(tests.forms.shown) && !turn1.includes(tests.forms.kept));
    assert.ok(turn2?.includes(tests.forms.kept) && !turn2.includes(tests.forms.shown));
    assert.match(turn2 ?? "", /777: FAIL totals round half up/);
    assert.ok(turn3 && !turn3.includes(tests.forms.kept) && !turn3.includes(tests.forms.shown));
    assert.match(turn3, /Done \(turn:1\): changed .*src\/a\.ts \(\+1 −1\).*ran `npm test` exit 1/);
    const message = running.history.conversation.messages.find(({ id }) => id === tests.messageId);
    assert.ok(message);
    const folded = JSON.stringify(toModelMessages(message, "folded", () => undefined));
    assert.ok(folded.includes(JSON.stringify(tests.forms.folded).slice(1, -1)));
  });

  it("long inputs stand with their beginning once their turn has settled, and are no text to write", async () => {
    const agent = await start(options);
    const { ports, models, disk } = agent;
    const content = numbered(900);
    const script = `cat <<'END'\n${numbered(800)}\nEND`;
    const write = (file_path: string, text: string) => ({ name: "Write", input: { file_path, content: text } });
    models.play({ calls: [write("new.txt", content)] }, { calls: [bash(script)] }, { text: "One." }, { text: "Two." });
    await runTurn(agent.session, "first");
    const sent = () => JSON.stringify(models.requests.at(-1)?.prompt);
    assert.ok(sent().includes("line 900") && sent().includes("line 800"), "whole in its turn");
    await agent.session.close();

    const again = await openSession(ports, agent.session.id);
    await runTurn(again, "second");
    assert.ok(!sent().includes("line 900") && !sent().includes("line 800"));
    const [mark] = /\[… [\d,]+ more characters, left out here: see new\.txt\]/.exec(sent()) ?? assert.fail();
    const [, handle = ""] = /left out here: (obs:\w{12})\]/.exec(sent()) ?? [];
    models.play(
      { calls: [recall({ handle })] },
      { calls: [write("copy.txt", mark)] },
      { calls: [bash(mark)] },
      { text: "ok" },
    );
    await runTurn(again, "third");
    const [recalled, ...refused] = results(again).slice(-3);
    assert.match(recalled?.forms.shown ?? "", /line 800/);
    for (const { forms } of refused)
      assert.match(forms.shown, /^INVALID_INPUT: .*only stands for a text of an earlier call/);
    await again.close();
    const { proven, defects, breaks } = await verifyBytes(bytesOf(disk, again.id));
    assert.deepEqual([proven, defects, breaks], [8, [], { "turn-end": 2 }]);
  });

  it("every tool, several turns: only a turn's beginning breaks the prefix, and it has its cause", async () => {
    const { session: running, disk, logged } = await session();
    const names = new Set(results(running).map(record => record.toolName));
    assert.equal(names.size, 9);
    const manifests = (disk.text(running.id, "requests.jsonl") ?? "")
      .trim()
      .split("\n")
      .map(line => manifestSchema.parse(JSON.parse(line)));
    assert.equal(manifests.length, 10);
    assert.deepEqual(
      manifests
        .map(({ turn, step, cause, unexplained }) => [turn, step, cause, unexplained])
        .filter(row => row[2] || row[3]),
      [
        [2, 1, "fold", undefined],
        [3, 1, "turn-end", undefined],
      ],
    );
    assert.ok(!logged.some(({ message }) => message.includes("defect")));
    const proof = await verifyBytes(bytesOf(disk, running.id));
    assert.deepEqual([proof.proven, proof.defects, proof.breaks], [10, [], { fold: 1, "turn-end": 1 }]);
  });
});
