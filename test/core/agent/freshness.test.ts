/** What a session knows of the versions of files that it read: text that stands is not sent twice, changes are noted. */

import assert from "node:assert/strict";
import { openSession } from "../../../src/core/agent/session/openSession";
import type { Session } from "../../../src/core/agent/session/session";
import { resolveHandle } from "../../../src/core/log/handles";
import type { History } from "../../../src/core/log/history";
import type { RecordOf } from "../../../src/shared/records";
import { edit, last, read, runTurn, start } from "../../fakes/agent";
import { compactMessages } from "../../fakes/compacted";
import { eventually } from "../../fakes/eventually";
import { pluck } from "../../fakes/pluck";
import { bytesOf, verifyBytes } from "../../fakes/proof";
import { numbered } from "../looking/harness";

type Agent = Awaited<ReturnType<typeof start>>;
type Call = ReturnType<typeof read> | { name: string; input: { file_path: string; offset?: number; limit?: number } };

const part = (offset: number, limit: number): Call => ({
  name: "Read",
  input: { file_path: "src/a.ts", offset, limit },
});
const results = (session: Session) => session.history.records.filter(record => record.kind === "result");

const compact = (history: History, removed: readonly string[]) =>
  compactMessages(history, removed, {}, [...history.conversation.injectedMessages.values()]);

/** Reads, stops, lets something happen, goes on and reads again. */
async function again(
  first: Call,
  between: (agent: Agent, first: RecordOf<"result">) => unknown,
  second: Call,
  files: Record<string, string> = { "src/a.ts": numbered(300) },
) {
  const agent = await start({ files, mode: "edits" });
  agent.models.play({ calls: [first] }, { hang: true });
  await agent.session.submit("go");
  await eventually("request 2 is sent", () => agent.models.requests[1]);
  await agent.session.stop();
  const before = last(agent.session, "result");
  const session = ((await between(agent, before)) as Session | undefined) ?? agent.session;
  agent.models.play({ calls: [second] }, { text: "ok" });
  await session.resume();
  await session.idle();
  const result = last(session, "result");
  assert.notEqual(result.id, before.id);
  return { ...agent, session, before, result };
}

const STANDS = "unchanged since your Read in step 1 of this turn; the text stands there.";
const whole = read("src/a.ts");
const nothing = () => undefined;

describe("a file that is read again in its turn", () => {
  const cases: [string, Call, Parameters<typeof again>[1], Call, string | RegExp][] = [
    ["is named, not shown", whole, nothing, whole, `src/a.ts lines 1–300 are ${STANDS}`],
    [
      "so are parts of it",
      whole,
      nothing,
      part(10, 5),
      `src/a.ts lines 10–14 are ${STANDS} The file has 300; go on with offset 15.`,
    ],
    ["and one line", whole, nothing, part(300, 1), `src/a.ts line 300 is ${STANDS}`],
    ["only what stands counts", part(1, 100), nothing, part(100, 2), /^100\tline 100\n/],
    [
      "a new time is no change",
      whole,
      ({ files }) => files.touch("src/a.ts"),
      whole,
      `src/a.ts lines 1–300 are ${STANDS}`,
    ],
    [
      "saying what is not saved",
      whole,
      ({ files }) => files.edit("src/a.ts", numbered(300)),
      whole,
      /^This is the editor's text with unsaved changes; the file on disk differs\. src\/a\.ts lines 1–300 are unchanged/,
    ],
    [
      "shown where it changed",
      whole,
      ({ files }) => files.put("src/a.ts", numbered(301)),
      whole,
      /^Note: src\/a\.ts was modified externally\.\n1\t/,
    ],
    [
      "shown where it was folded",
      whole,
      ({ session: { history } }, { messageId, callId }) =>
        history.append({ kind: "fold", results: [{ messageId, callId }] }).then(nothing),
      whole,
      /^1\t/,
    ],
    [
      "after opening again",
      whole,
      async ({ session, ports }) => {
        await session.close();
        return openSession(ports, session.id);
      },
      whole,
      `src/a.ts lines 1–300 are ${STANDS}`,
    ],
    [
      "shown where a compaction took it",
      whole,
      ({ session }, { messageId }) => compact(session.history, [messageId]).then(nothing),
      whole,
      /^1\t/,
    ],
    [
      "after the compaction was undone",
      whole,
      async ({ session: { history } }, { messageId }) =>
        void (await history.undoCompaction(await compact(history, [messageId]))),
      whole,
      `src/a.ts lines 1–300 are ${STANDS}`,
    ],
  ];
  for (const [title, first, between, second, expected] of cases)
    it(title, async () => {
      const { result, before, session, disk } = await again(first, between, second);
      const { shown } = result.forms;
      if (typeof expected === "string") assert.equal(shown, expected);
      else assert.match(shown, expected);
      const { messageId, callId } = before;
      const stands = shown.includes("the text stands there");
      assert.deepEqual(result.restates, stands ? { messageId, callId } : undefined);
      assert.equal(result.reads === undefined, stands);
      assert.equal(Object.keys(result.stamps ?? {}).length, 1);
      assert.deepEqual(
        (await verifyBytes(bytesOf(disk, session.id))).defects.filter(({ kind }) => kind !== "prefix"),
        [],
      );
    });

  it("names the newest text that has all of it; folded, that leads to the text", async () => {
    const { session, models } = await start({ files: { "src/a.ts": numbered(300) } });
    const calls = [part(1, 100), whole, part(5, 10), part(7, 2), whole].map(call => ({ calls: [call] }));
    models.play(...calls, { text: "ok" });
    await runTurn(session, "go");
    const [, second, ...rest] = results(session);
    const standing = { messageId: second?.messageId, callId: second?.callId };
    assert.deepEqual(pluck(rest, "restates"), [standing, standing, standing]);
    assert.ok(rest.every(({ forms }) => forms.shown.includes("step 2")));
    assert.deepEqual(
      session.history.conversation.restated.map(({ step, of }) => [step, of]),
      [3, 4, 5].map(step => [step, standing]),
    );
    const [third] = rest;
    assert.deepEqual(Object.keys(third?.forms ?? {}), ["shown"], "the line stays as it is");
    assert.match(second?.forms.folded ?? "", /^\[folded\] src\/a\.ts: 1–300 of 300 · obs:[0-9a-f]{12}$/);
    const handle = /obs:[0-9a-f]{12}/.exec(second?.forms.folded ?? "")?.[0] ?? "";
    assert.equal((await resolveHandle(session.history, handle)).text, second?.forms.shown);
  });

  it("is shown to each call of one step, after the agent changed it, and in the next turn where that is shorter", async () => {
    const { session, models } = await start({ files: { "src/a.ts": "one\n" }, mode: "edits" });
    models.play(
      { calls: [whole, whole] },
      { calls: [edit("src/a.ts", "one", "two")] },
      { calls: [whole] },
      { calls: [whole] },
      { text: "ok" },
      { calls: [whole] },
      { text: "ok" },
    );
    for (const words of ["go", "and now"]) {
      await runTurn(session, words);
    }
    const shown = results(session).map(({ toolName, forms }) => (toolName === "Read" ? forms.shown : toolName));
    const stands = "src/a.ts line 1 is unchanged since your Read in step 3 of this turn; the text stands there.";
    assert.deepEqual(shown, ["1\tone", "1\tone", "Edit", "1\ttwo", stands, "1\ttwo"]);
  });
});

describe("versions of files", () => {
  /** Turn 1 reads, then something happens, then turn 2 calls. */
  async function check(between: (agent: Agent) => unknown, call: Call | ReturnType<typeof edit>, expected: RegExp) {
    const agent = await start({ files: { "src/a.ts": "one\n", "src/AGENTS.md": "Rules." }, mode: "edits" });
    agent.models.play({ calls: [whole] }, { text: "ok" });
    await runTurn(agent.session, "go");
    const session = ((await between(agent)) as Session | undefined) ?? agent.session;
    agent.models.play({ calls: [call] }, { text: "ok" });
    await runTurn(session, "and now");
    const { forms, stamps, turn } = last(session, "result");
    assert.equal(turn, 2);
    assert.match(forms.shown, expected);
    return { ...agent, session, stamps };
  }
  const compactAll = ({ session: { history } }: Agent) =>
    compact(
      history,
      history.conversation.messages.map(({ id }) => id),
    );
  const reopen = async ({ session, ports }: Agent) => {
    await session.close();
    return openSession(ports, session.id);
  };
  const change = ({ files }: Agent) => files.put("src/a.ts", "new\n");
  const both =
    (...steps: ((agent: Agent) => unknown)[]) =>
    async (agent: Agent) => {
      let session: unknown;
      for (const step of steps) {
        const made = await step(agent);
        if (made && typeof made === "object" && "submit" in made) session = made;
      }
      return session;
    };
  const change1 = edit("src/a.ts", "one", "two");
  const modified = /^Note: src\/a\.ts was modified externally\.\n1\tnew$/;
  const cases: [string, (agent: Agent) => unknown, Call | ReturnType<typeof edit>, RegExp][] = [
    ["the agent edits what it read in an earlier turn", nothing, change1, /^Edited src\/a\.ts/],
    ["after a compaction and opening again", both(compactAll, reopen), change1, /^Edited src\/a\.ts/],
    ["a new time is no change", both(({ files }) => files.touch("src/a.ts"), reopen), change1, /^Edited src\/a\.ts/],
    ["no edit of what others changed", both(change), change1, /^CONFLICT: /],
    ["none where nobody knows what it was, after a compaction", both(compactAll, change, reopen), change1, /^STALE: /],
    ["a change is noted", both(change), whole, modified],
    ["a change is noted across a compaction and opening again", both(change, compactAll, reopen), whole, modified],
  ];
  for (const [title, between, call, expected] of cases)
    it(title, async () => {
      const { session, stamps } = await check(between, call, expected);
      for (const [uri, stamp] of Object.entries(stamps ?? {})) {
        assert.deepEqual(session.history.conversation.stamps.get(uri), stamp);
      }
    });

  it("rules of a folder that went to L2 with a compaction are not injected again", async () => {
    const { session } = await check(both(compactAll, change, reopen), whole, modified);
    assert.deepEqual(session.history.conversation.nestedRules, ["src/AGENTS.md"]);
    assert.equal(session.history.records.filter(record => record.kind === "inject").length, 0);
  });
});
