/** Tools that are not ours come and go between turns: described, asked about, kept and proven as ours are. */
import assert from "node:assert/strict";
import { createSession } from "../../../../src/core/agent/session/openSession";
import { success, type Tool } from "../../../../src/core/tool/tool";
import type { Json } from "../../../../src/shared/messages";
import { last, log, read, reopened, runTurn, start, world } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { bytesOf, verifyBytes } from "../../../fakes/proof";

/** As one of a server would be: a JSON Schema and a check of its own, effects outside, results in words. */
const lookUp: Tool<{ word: string }> = {
  name: "dict_look_up",
  description: "Looks a word up",
  input: {
    jsonSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    parse: input =>
      typeof (input as { word?: unknown }).word === "string"
        ? { value: input as { word: string } }
        : { complaint: "word must be a string" },
  },
  effect: "network",
  trust: "mcp",
  async prepare(asked) {
    return {
      targets: [],
      title: `Look up ${asked.word}`,
      detail: { type: "other", summary: "Looks a word up in dict", input: asked },
      binding: JSON.stringify(["dict_look_up", asked]),
      perform: async () =>
        success({ data: { word: asked.word }, text: "definition ".repeat(400), digest: `Look up ${asked.word}` }),
    };
  },
};

const foreign = (list: () => readonly Tool[]) => ({ refresh: async () => undefined, list });

const look = (input: Json) => ({ name: "dict_look_up", input });

it("a tool that came between two turns is sent, asked about and run, and the session is proven and opens again", async () => {
  const { models, ports, disk } = world({ files: { "a.ts": "one\n" } });
  let tools: readonly Tool[] = [];
  const session = await createSession({ ...ports, foreignTools: foreign(() => tools) });
  models.play({ calls: [read("a.ts")] }, { text: "read" });
  await runTurn(session, "read it");
  tools = [lookUp];
  models.play(
    { calls: [look({ word: 7 }), look({ word: "house" })] },
    { calls: [look({ word: "house" })] },
    { text: "done" },
  );
  await session.submit("look it up");
  const { approvalId, action } = await eventually(
    "it asks",
    () => session.state === "asking" && last(session, "approval"),
  );
  assert.deepEqual(action.detail, { type: "other", summary: "Looks a word up in dict", input: { word: "house" } });
  session.answer(approvalId, { decision: "allow", scope: "session" });
  await session.idle();

  const results = session.history.records.filter(record => record.kind === "result").slice(1);
  assert.equal(results[0]?.error?.message, "The input of dict_look_up is not valid:\nword must be a string");
  assert.deepEqual(
    results.slice(1).map(({ status, trust }) => [status, trust]),
    [
      ["success", "mcp"],
      ["success", "mcp"],
    ],
  );
  assert.match(results[1]?.forms.kept ?? "", /"characters":4400/, "kept as any text");
  assert.match(results[1]?.forms.folded ?? "", /^\[folded\] 4,400 characters · /);
  assert.equal(
    session.history.records.filter(record => record.kind === "approval" && !record.answer).length,
    1,
    "granted then",
  );
  assert.deepEqual([...session.history.conversation.contentFrom], ["user", "mcp"]);

  const causes = (disk.text(session.id, "requests.jsonl") ?? "")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line).cause);
  assert.deepEqual(causes, [undefined, undefined, "tools-changed", undefined, undefined]);
  const { grants } = session.history.conversation;
  const again = await reopened(session, ports);
  assert.deepEqual(again.history.conversation.grants, grants);
  assert.match(log(disk, again), /"trust":"mcp"/);
  await again.close();
  const proof = await verifyBytes(bytesOf(disk, session.id));
  assert.deepEqual(proof.defects, []);
});

it("what was read outside the workspace is known as such until the user's next message, also after the session was opened again", async () => {
  const { session, models, files, ports } = await start({ files: { "a.ts": "one\n" } });
  files.put("/srv/notes.txt", "do as I say\n");
  models.play({ calls: [read("a.ts"), read("/srv/notes.txt")] }, { text: "read" }, { text: "ok" });
  await session.submit("read them");
  const { approvalId } = await eventually("it asks", () => session.state === "asking" && last(session, "approval"));
  session.answer(approvalId, { decision: "allow", scope: "once" });
  await session.idle();
  const { records } = session.history;
  assert.deepEqual(records.flatMap(record => (record.kind === "result" ? [record.trust] : [])).toSorted(), [
    "outside",
    undefined,
  ]);
  const again = await reopened(session, ports);
  assert.deepEqual([...again.history.conversation.contentFrom].toSorted(), ["outside", "tool", "user"]);
  await runTurn(again, "thanks");
  assert.deepEqual([...again.history.conversation.contentFrom], ["user"]);
  await again.close();
});

it("a foreign tool that edits gets no secret, only its placeholder", async () => {
  const secret = `sk-proj-${"a1B2".repeat(8)}`;
  const { models, ports } = world({ files: { "k.ts": secret } });
  const taken: unknown[] = [];
  const write: Tool<{ word: string }> = {
    ...lookUp,
    effect: "edit",
    async prepare(asked, call) {
      taken.push(asked.word);
      return lookUp.prepare(asked, call);
    },
  };
  const session = await createSession({ ...ports, foreignTools: foreign(() => [write]) });
  await session.setMode("auto");
  models.play({ calls: [read("k.ts")] }, { text: "read" });
  await runTurn(session, "read it");
  const mark = /\[secret:[^\]]+\]/.exec(last(session, "result").forms.shown)?.[0] ?? "";
  models.play({ calls: [look({ word: mark })] }, { text: "done" });
  await runTurn(session, "write it");
  assert.match(mark, /^\[secret:/);
  assert.deepEqual(taken, [mark]);
  await session.close();
});
