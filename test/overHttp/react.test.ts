/** The text protocol over real HTTP, with a server that refuses tools: a whole task, and all that befalls its conversation. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import type { Settings } from "../../src/shared/settings";
import { pluck } from "../fakes/pluck";
import type { World } from "./world";
import { endWorlds, newest, proven, records, reopened, rounds, say, sent, textOf, words, world } from "./world";

const SUM = "export const sum = (a: number, b: number) => a - b;\n";

/** The server takes no tools. */
async function withoutTools(settings: Partial<Settings> = {}, files: Record<string, string> = {}): Promise<World> {
  const at = await world({ settings, files: { "src/sum.ts": SUM, ...files } });
  const { answer } = at.script;
  at.script.answer = request => (request.tools.length > 0 ? { fault: "refuse-tools" } : answer(request));
  return at;
}

const action = (thought: string, name: string, input: unknown): OfflineAnswer => ({
  text: `Thought: ${thought}\nAction: ${name}[${JSON.stringify(input)}]`,
});
const finish = (text: string): OfflineAnswer => ({ text: `Thought: That was all.\nAction: Finish[${text}]` });
const reads = (file: string) => action("Look.", "Read", { file_path: file });
const notes = (at: World, code: string) => records(at, "note").filter(note => note.code === code);
const shown = ({ events }: World): string => events.map(event => (event.type === "text" ? event.delta : "")).join("");

const fix = [
  reads("src/sum.ts"),
  action("It subtracts.", "Edit", { file_path: "src/sum.ts", old_string: "a - b", new_string: "a + b" }),
  finish("`sum` adds now."),
];

describe("over HTTP: the text protocol", () => {
  afterEach(endWorlds);

  it("does a whole task where the server refuses tools, and says once that it does", async () => {
    const at = await withoutTools();
    await say(at, "Mend sum.", ...fix);
    assert.equal(readFileSync(join(at.workspace, "src/sum.ts"), "utf8"), SUM.replace("a - b", "a + b"));
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.match(notes(at, "no-tools")[0]?.text ?? "", /offline-model at 127\.0\.0\.1:\d+ takes no tools/);
    const [refused, first] = at.server.requests;
    assert.ok(refused?.body.tools);
    assert.ok(!first?.body.tools);
    const [system] = at.script.asked[0]?.messages ?? [];
    assert.match(system?.text ?? "", /How you call tools[\s\S]*## Read\n[\s\S]*"file_path"[\s\S]*## Edit\n/);
    assert.match(
      sent(at),
      /\[assistant\] Thought: Look\.\nAction: Read\[\{"file_path":"src\/sum\.ts"\}\]\n\[tool\] [\s\S]*a - b/,
    );
    assert.doesNotMatch(shown(at), /Action:|Thought:|\[\{/);
    assert.match(shown(at), /It subtracts\.[\s\S]*That was all\.\n\n`sum` adds now\.$/);

    await say(at, "And now?", finish("Nothing more."));
    assert.match(sent(at), /Action: Finish\[`sum` adds now\.\]/);
    assert.equal(notes(at, "no-tools").length, 1);
    const { breaks } = await proven(at);
    assert.equal(breaks["protocol-changed"], 1);
  });

  it("keeps that in mind for the next session, and for a session that is opened again", async () => {
    const at = await withoutTools();
    await say(at, "Mend sum.", ...fix);
    const again = await reopened(at);
    const asked = at.server.requests.length;
    await say(again, "Thanks.", finish("Welcome."));
    assert.equal(at.server.requests.length, asked + 1);
    assert.equal((await proven(again)).breaks["protocol-changed"], 1);
  });

  it("folds, compacts, is undone and goes on, and every request is proven", async () => {
    const at = await withoutTools({ "history.keepRounds": 2, "model.contextWindow": 60_000 });
    for (let file = 1; file <= 6; file++) {
      at.write(`f${file}.txt`, words(2000, `File ${file}.`));
      await say(at, words(2000, `Read ${file}.`), reads(`f${file}.txt`), finish(`Read ${file}.`));
    }
    assert.doesNotMatch(sent(at), /1\tFile 1\./);
    assert.match(sent(at), /\[tool\] [^\n]*obs:[0-9a-f]{12}/);
    await at.session.compaction.compact();
    assert.ok(newest(at, "compaction"));
    assert.equal(at.script.askedForSummary[0]?.tools.length, 0);
    await say(at, "Go on.", reads("f6.txt"), finish("Gone on."));
    assert.doesNotMatch(sent(at), /Action: Finish\[Read 1\.\]/);
    await at.session.compaction.undo();
    await say(at, "And now?", finish("Nothing."));
    assert.match(sent(at), /Action: Finish\[Read 1\.\]/);
    assert.equal(newest(at, "turnEnd").reason, "done");
    const { breaks } = await proven(at);
    assert.ok((breaks.fold ?? 0) > 0 && breaks.undo === 1 && (breaks.compaction ?? 0) > 0);
    assert.equal(breaks["protocol-changed"], 1);
  });

  it("has a summary written by a model that takes no tools, too", async () => {
    const at = await withoutTools({
      "history.keepRounds": 2,
      "summary.model": "small-model",
      "model.contextWindow": 40_000,
    });
    const { answer } = at.script;
    at.script.answer = request => answer(request.model === "small-model" ? request : { ...request, tools: [] });
    await rounds(at, 1, 4, 2600);
    await at.session.compaction.compact();
    assert.equal(newest(at, "compaction").failure, undefined);
    assert.deepEqual(
      at.server.requests.slice(-2).map(({ body }) => [body.model, "tools" in body]),
      [
        ["small-model", true],
        ["small-model", false],
      ],
    );
    await say(at, "Go on.", { text: "Yes." });
    assert.ok("tools" in (at.server.requests.at(-1)?.body ?? {}));
    await proven(at);
  });

  it("asks once more where an action cannot be read, with the error, and nothing of that answer is done", async () => {
    const at = await withoutTools({ "model.protocol": "react" });
    const broken = 'Thought: Write it.\nAction: LS[{}]\nAction: Write[{"file_path":"a.txt","content":[}]';
    await say(
      at,
      "Write a.",
      { text: broken },
      action("Again.", "Write", { file_path: "a.txt", content: "a" }),
      finish("Done."),
    );
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.equal(readFileSync(join(at.workspace, "a.txt"), "utf8"), "a");
    assert.deepEqual(pluck(records(at, "result"), "toolName"), ["Write"]);
    const repair = textOf(at.script.asked[1]);
    assert.match(repair, /Write: .*JSON[\s\S]*It was: \{"file_path":"a\.txt","content":\[\}/);
    assert.doesNotMatch(sent(at), /could not be read/);
    assert.equal(records(at, "attempt").length, 1);
    assert.deepEqual((await proven(at)).breaks, {});
  });

  it("cuts an answer that goes on with results of its own", async () => {
    const at = await withoutTools({ "model.protocol": "react" });
    const { text } = reads("src/sum.ts");
    await say(
      at,
      "Look.",
      { text: `${text}\n[tool] {"status":"success"}\n[assistant] Action: Finish[It adds.]` },
      finish("It subtracts."),
    );
    assert.equal(records(at, "result").length, 1);
    assert.doesNotMatch(shown(at), /It adds/);
    assert.match(shown(at), /It subtracts\.$/);
    assert.deepEqual(at.server.requests[0]?.body.stop, ["\n[tool]"]);
    await proven(at);
  });

  it("leaves it at a clear refusal where tools are what the person wants", async () => {
    const at = await withoutTools({ "model.protocol": "tools" });
    await say(at, "Look.");
    const { error } = newest(at, "turnEnd");
    assert.equal(error?.code, "no-tools");
    assert.equal(error?.actions[0], "set-protocol");
    assert.equal(at.server.requests.length, 1);
  });
});
