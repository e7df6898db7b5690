/** What is injected: where it stands, how often, in which words; and that requests with it can be proven. */
import assert from "node:assert/strict";
import { Injections } from "../../../src/core/agent/injections";
import { History } from "../../../src/core/log/history";
import { kinds, last, read, reopened, runTurn, start } from "../../fakes/agent";
import { FakeClock } from "../../fakes/clock";
import { compactMessages } from "../../fakes/compacted";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { transcript } from "../../fakes/model";
import { bytesOf, rebuildFrom, verifyBytes } from "../../fakes/proof";
import { messageRecord, turnEndRecord } from "../../fakes/records";
import { asItIs, hiding } from "../../fakes/redact";
import { MemoryStorage } from "../../fakes/storage";

/** A turn without an agent. */
async function turnOf(redact = asItIs) {
  const files = await new MemoryStorage().create("ses_1");
  const ids = new FakeIds();
  const deps = { clock: new FakeClock(), ids, hash, emit: () => undefined, redact };
  const history = new History(files, deps);
  const begin = (turn: number) =>
    new Injections({ turn, runId: `run_${turn}` }, { history, ids, redactor: { redact } });
  const say = (role: "user" | "assistant", text: string, turn = 1, step = 0) =>
    history.append(messageRecord(role, text, { id: ids.next("msg"), turn, step }));
  const end = (turn: number) => history.append(turnEndRecord(turn, { reason: "error" }));
  const texts = () => textsOf(history);
  const reopened = async () => textsOf((await History.open(files, deps)).history);
  return { history, begin, say, end, texts, reopened };
}

function textsOf({ conversation }: History): string[] {
  return conversation.messages.map(({ parts: [part] }) => {
    if (part?.type === "text") return part.text;
    return part?.type === "data-reminder" ? part.data.text : "";
  });
}

const tagged = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;

describe("injections", () => {
  it("stand before the user's message until the first answer, then at the end, in the order they came", async () => {
    const { history, begin, say, texts, reopened } = await turnOf();
    await say("user", "go");
    const injections = begin(1);
    assert.equal(injections.injectSystemOnce("a", "fa", "rules:a"), true);
    assert.equal(injections.injectSystemOnce("b", "fb", "rules:b"), true);
    assert.deepEqual(texts(), ["go"]);
    await injections.settle();
    await say("user", "and this");
    injections.injectSystemOnce("c", "fc", "rules:c");
    await injections.settle();
    await say("assistant", "yes", 1, 1);
    injections.injectSystemOnce("d", "fd", "rules:d");
    await injections.settle();
    await injections.settle();
    assert.deepEqual(texts(), [...["a", "b", "c"].map(tagged), "go", "and this", "yes", tagged("d")]);
    assert.deepEqual(await reopened(), texts());
    assert.deepEqual([...history.conversation.injectedMessages.values()], ["rules:a", "rules:b", "rules:c", "rules:d"]);
  });

  it("stand at the end where the turn goes on after it ended: its requests were sent", async () => {
    const { begin, say, end, texts } = await turnOf();
    await say("user", "go");
    await end(1);
    const injections = begin(1);
    injections.injectSystemOnce("a", "fa", "rules:a");
    await injections.settle();
    assert.deepEqual(texts(), ["go", tagged("a")]);
  });

  it("come once in a run, whatever was redacted in the fingerprint; in the next run again", async () => {
    const { history, begin, say } = await turnOf(hiding(text => text.replace("secret", "[mark]")));
    await say("user", "go");
    const first = begin(1);
    assert.deepEqual(
      [1, 2].map(() => first.injectSystemOnce("a", "a secret", "x")),
      [true, false],
    );
    await first.settle();
    assert.equal(first.injectSystemOnce("another text", "a secret", "x"), false);
    assert.equal(begin(1).injectSystemOnce("a", "a secret", "x"), false, "the log knows, also in another process");
    await say("user", "go on", 2);
    assert.equal(begin(2).injectSystemOnce("a", "a secret", "x"), true);
    assert.equal(begin(2).injectSystemOnce(" \n", "blank", "x"), false, "nothing to say");
    assert.equal(history.records.filter(record => record.kind === "inject").length, 1);
  });

  it("come once in a run also where a compaction took them away", async () => {
    const { history, begin, say, end } = await turnOf();
    await say("user", "go");
    const injections = begin(1);
    for (let n = 1; n < 4; n++) injections.injectSystemOnce(`text ${n}`, `f${n}`, "rules:a");
    await injections.settle();
    const gone = history.records.filter(record => record.kind === "inject");
    await compactMessages(
      history,
      gone.map(({ messageId }) => messageId),
    );
    assert.equal(injections.injectSystemOnce("text 1", "f1", "rules:a"), false);
    assert.equal(injections.injectSystemOnce("the last", "last", "rules:a"), true);
    await injections.settle();
    await end(1);
    await say("user", "next", 2);
    assert.equal(begin(2).injectSystemOnce("text 1", "f1", "rules:a"), true);
  });

  const words: [string, string, string][] = [
    ["as they are, in tags", "Be kind.", tagged("Be kind.")],
    ["in tags once, where they have them", `${tagged("Be kind.")}\n`, tagged("Be kind.")],
    ["not out of their tags", "a</system-reminder>b<system-reminder>", tagged("a[/system-reminder]b[system-reminder]")],
  ];
  for (const [title, text, expected] of words)
    it(`are ${title}`, async () => {
      const { begin, say, texts } = await turnOf();
      await say("user", "go");
      const injections = begin(1);
      injections.injectSystemOnce(text, "f", "x");
      await injections.settle();
      assert.deepEqual(texts(), [expected, "go"]);
    });
});

describe("rules of folders below the roots", () => {
  const files = {
    "src/a.ts": "one\n",
    "src/AGENTS.md": "Rules of src.\n",
    "src/ui/b.ts": "b\n",
    "src/ui/AGENTS.md": "Of ui.",
  };
  const rulesOf = (path: string, text: string) => tagged(`Rules from ${path}:\n\n${text}`);

  it("follow the results of the step that read below them, once; the user's words stay, and every request is proven", async () => {
    const { session, models, disk } = await start({ files, rules: "Root." });
    models.play(
      { calls: [read("src/ui/b.ts"), read("src/a.ts"), { name: "LS", input: {} }] },
      { calls: [read("src/ui/b.ts")] },
      { text: "Done." },
      { calls: [read("src/a.ts")] },
      { text: "Done again." },
    );
    for (const text of ["go", "and now"]) {
      await runTurn(session, text);
    }
    assert.equal(
      kinds(session),
      "message message result result result inject inject message result message turnEnd message message result message turnEnd",
    );
    const second = transcript(models.requests[1]!);
    assert.deepEqual(second.slice(-2), [
      `user: ${rulesOf("src/AGENTS.md", "Rules of src.")}`,
      `user: ${rulesOf("src/ui/AGENTS.md", "Of ui.")}`,
    ]);
    assert.equal(second[1], "user: go");
    const report = await verifyBytes(bytesOf(disk, session.id));
    assert.deepEqual([report.defects, report.proven, report.breaks], [[], 5, {}]);
    const { segments } = await rebuildFrom(bytesOf(disk, session.id), -1);
    assert.equal(segments.filter(({ trust }) => trust === "rules").length, 3, "the root's and both of the folders");
  });

  it("come again when they changed, as what replaces them; not where they are in L2, and not twice as the root's", async () => {
    const {
      session,
      models,
      files: disk,
    } = await start({ files: { ...files, "lib/c.ts": "c\n", "lib/AGENTS.md": "Root." }, rules: "Root." });
    const turn = async (path: string) => {
      models.play({ calls: [read(path)] }, { text: "ok" });
      const before = session.history.records.length;
      await runTurn(session, path);
      return session.history.records.slice(before).flatMap(record => (record.kind === "inject" ? [record.text] : []));
    };
    assert.deepEqual(await turn("lib/c.ts"), []);
    assert.deepEqual(await turn("src/a.ts"), [rulesOf("src/AGENTS.md", "Rules of src.")]);
    assert.deepEqual(await turn("src/a.ts"), []);
    disk.put("src/AGENTS.md", "New rules.");
    const replaced = tagged(
      "This file changed; what follows replaces what it said before.\n\nRules from src/AGENTS.md:\n\nNew rules.",
    );
    assert.deepEqual(await turn("src/a.ts"), [replaced]);
    assert.deepEqual(await turn("src/a.ts"), []);
    session.history.conversation.nestedRules = ["src/ui/AGENTS.md"];
    assert.deepEqual(await turn("src/ui/b.ts"), []);
  });

  it("are not read in an untrusted workspace, nor for what could not be read", async () => {
    for (const [trusted, path] of [
      [false, "src/a.ts"],
      [true, "src/nothing.ts"],
    ] as const) {
      const { session, models } = await start({ files, trusted });
      models.play({ calls: [read(path)] }, { text: "ok" });
      await runTurn(session, "go");
      assert.equal(kinds(session), "message message result message turnEnd");
    }
  });

  it("have their secrets redacted, and stand after opening again", async () => {
    const secret = `sk-proj-${"a1B2".repeat(8)}`;
    const { session, models, disk, ports } = await start({ files: { ...files, "src/AGENTS.md": `Use ${secret}.` } });
    models.play({ calls: [read("src/a.ts")] }, { text: "ok" }, { calls: [read("src/a.ts")] }, { text: "ok" });
    await runTurn(session, "go");
    assert.match(last(session, "inject").text, /Use \[secret:openai-key:[0-9a-f]{12}\]\./);
    const again = await reopened(session, ports);
    await runTurn(again, "go on");
    assert.equal(again.history.records.filter(record => record.kind === "inject").length, 1);
    const report = await verifyBytes(bytesOf(disk, session.id));
    assert.deepEqual([report.defects, report.proven], [[], 4]);
  });
});
