/** `/compact`, `strata compact`, `undo` and `redo` on fakes. */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { parseCommand } from "../../src/terminal/args";
import { Interrupts } from "../../src/terminal/interrupts";
import { run } from "../../src/terminal/run";
import { eventually } from "../fakes/eventually";
import { conversation, SUMMARY } from "../fakes/longConversation";
import type { ScriptedAnswer } from "../fakes/model";
import { printed } from "./printed";

/** A session of some turns in a window of 40k tokens, and the command line over it. */
async function closed(turns: number, tokens = 2600) {
  const agent = await conversation(turns, tokens, { answers: "never" });
  const { models, ports, disk, session } = agent;
  const { id } = session;
  await session.close();
  const { texts, streams } = printed();
  let quits = 0;
  const interrupts = new Interrupts({ err: streams.err, quit: () => quits++ });
  async function strata(...args: string[]): Promise<number> {
    const command = parseCommand(args);
    texts.out = "";
    texts.err = "";
    const environment = { streams, interrupts, input: new PassThrough(), output: new PassThrough() };
    if (command.kind === "run") return run(command, ports, environment);
    return assert.fail(command.kind);
  }
  const summary = (answer: ScriptedAnswer = { text: SUMMARY }) => models.summaries.push(answer);
  const log = () => disk.text(id, "history.jsonl") ?? "";
  const asking = () => eventually("the summary is asked for", () => models.summaryRequests.length > 0);
  return { ...agent, id, strata, summary, log, asking, texts, interrupts, quits: () => quits };
}

describe("compacting in the terminal", () => {
  it("strata compact summarises with the words that were given; undo and redo follow", async () => {
    const { id, strata, summary, log, texts, models } = await closed(4);
    summary();
    assert.equal(await strata("compact", id, "keep the", "names"), 0);
    assert.match(
      texts.err,
      /^· Compacting history\.[^\n]*\n· History compacted: [\d.]+k → [\d.]+k tokens, 2 turns summarised, 2 kept, as you asked[^\n]*\n/,
    );
    assert.match(texts.err, new RegExp(`\\(To take it back: strata compact ${id} undo\\)\n`));
    assert.equal(texts.out, "");
    assert.match(JSON.stringify(models.summaryRequests[0]?.prompt.at(-1)), /keep the names/);
    assert.doesNotMatch(log(), /Answer 1\./);
    assert.equal(await strata("compact", id, "undo"), 0);
    assert.match(texts.err, /^· A compaction was undone.*\n\(.*strata compact ses_\S+ redo\)\n/);
    assert.match(log(), /Answer 1\./);
    assert.equal(await strata("run", "--session", id, "--prompt", "/compact redo"), 0);
    assert.match(texts.err, /^· A compaction was redone.*\n\(.*strata compact ses_\S+ undo\)\n/);
    assert.doesNotMatch(log(), /Answer 1\./);
    await assert.rejects(strata("compact", id, "redo"), { name: "SessionError", message: /no compaction to redo/ });
  });

  it("/compact is a prompt like another, of a session that is there", async () => {
    const { id, strata, summary, log, texts, models } = await closed(4);
    const before = models.requests.length;
    for (const line of [
      ["--prompt", "/compact"],
      ["--prompt", "/compact now"],
    ])
      await assert.rejects(strata("run", ...line), { name: "UsageError", message: /--session ID, or use --continue/ });
    summary();
    assert.equal(await strata("run", "--continue", "--json", "--prompt", "/compact mind the names"), 0);
    const events = texts.out
      .trim()
      .split("\n")
      .map(line => JSON.parse(line));
    assert.equal(events[0].sessionId, id);
    assert.deepEqual(
      events.flatMap(({ type, phase }) => (type === "compaction" ? [phase] : [])),
      ["planning", "summarising", "checking", "committing", "done"],
    );
    assert.match(log(), /"guidance":"mind the names"/);
    assert.equal(models.requests.length, before, "no turn");
  });

  it("says why there is nothing to do, and ends well", async () => {
    const { id, strata, texts, log } = await closed(1);
    const before = log();
    assert.equal(await strata("compact", id), 0);
    assert.match(texts.err, /· Nothing was compacted\. [^\n]*Nothing to summarise yet/);
    assert.doesNotMatch(texts.err, /take it back/);
    assert.equal(log(), before);
    await assert.rejects(strata("compact", id, "undo"), { name: "SessionError", message: /no compaction to undo/ });
  });

  it("Ctrl+C cancels a compaction by hand: exit 130, history as it was", async () => {
    const { id, strata, summary, log, asking, texts, interrupts, quits } = await closed(4);
    const before = log();
    summary({ text: "## half", hang: true });
    const code = strata("compact", id);
    await asking();
    interrupts.press();
    assert.equal(await code, 130);
    assert.match(
      texts.err,
      /Cancelling the compaction\.[\s\S]*· The compaction was cancelled\. History is unchanged\.\n/,
    );
    assert.equal(log(), before);
    assert.deepEqual([interrupts.signal.aborted, quits()], [false, 0]);
  });

  it("Ctrl+C while history is compacted by itself ends that alone, and the turn goes on", async () => {
    const { id, strata, summary, log, asking, texts, interrupts, models } = await closed(5, 7200);
    summary({ text: "## half", hang: true });
    models.play({ text: "Answer 6." });
    const code = strata("run", "--session", id, "--prompt", "Question 6.");
    await asking();
    interrupts.press();
    assert.equal(await code, 0);
    assert.equal(texts.out, "Answer 6.\n");
    assert.match(texts.err, /· The model's window is nearly full: [\s\S]*· The compaction was cancelled\./);
    assert.doesNotMatch(log(), /"kind":"compaction"/);
  });

  it("a second Ctrl+C stops the turn", async () => {
    const { id, strata, summary, asking, interrupts, models, log } = await closed(5, 7200);
    summary({ text: "## half", hang: true });
    models.play({ text: "Half an ans", hang: true });
    const code = strata("run", "--session", id, "--prompt", "Question 6.");
    await asking();
    interrupts.press();
    interrupts.press();
    assert.equal(await code, 130);
    assert.match(log(), /"kind":"turnEnd".*"reason":"stopped"/);
  });

  it("a disk that is full is said once, history stays, exit 1", async () => {
    const { id, strata, summary, log, texts, disk } = await closed(4);
    const before = log();
    summary();
    disk.failAt(disk.operations.length + 3, { code: "DISK_FULL" });
    assert.equal(await strata("compact", id), 1);
    assert.match(texts.err, /! The compaction failed, and history stays as it was\. \S.*DISK_FULL\n/);
    assert.equal(log(), before);
  });
});
