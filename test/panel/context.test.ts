/** What a person does about the context: compacting, taking back, looking, pinning. */
import assert from "node:assert/strict";
import type { TurnAction } from "../../src/shared/turnEnd";
import { openPanel, panelTest } from "./panel";
import { Script, surroundings } from "./script";

const context = { tokens: 148_000, window: 200_000 };
const talked = () => new Script().user("fix it").answer("r", "Done.").end("done");
const open = (script = talked(), changes = {}) =>
  openPanel({ snapshot: { records: script.records, context, ...changes } });

describe("panel: compacting by hand", () => {
  panelTest(
    "/compact compacts, with the words after it, which come back where it is refused; what only looks like it is sent",
    async () => {
      const { page, composer, asked, waitForRequest, refuse } = await open();
      await composer.fill("/compact keep the names");
      await composer.press("Enter");
      assert.deepEqual(await waitForRequest("compact"), { guidance: "keep the names" });
      await composer.fill("/com");
      await page.getByRole("option", { name: /^\/compact/ }).waitFor();
      await composer.press("Enter");
      assert.equal(await composer.inputValue(), "/compact ");
      await composer.press("Enter");
      assert.deepEqual(await waitForRequest("compact", 1), {});
      await composer.fill("/usr/bin is a path");
      await composer.press("Enter");
      assert.deepEqual(await waitForRequest("submit"), { text: "/usr/bin is a path", delivery: "steer" });
      assert.equal((await asked("compact")).length, 2);
      await refuse("compact", "The agent is working.");
      await composer.fill("/compact keep the names");
      await composer.press("Enter");
      await page.getByText("The agent is working.").waitFor();
      assert.equal(await composer.inputValue(), "/compact keep the names");
    },
  );

  panelTest("Escape and Cancel end it, and not the turn that waits for it", async () => {
    const panel = await open(talked(), { state: "running" });
    await panel.play(new Script().compaction("planning").take());
    await panel.composer.press("Escape");
    await panel.waitForRequest("cancelCompaction");
    await panel.page.getByRole("button", { name: "Cancel" }).click();
    await panel.waitForRequest("cancelCompaction", 1);
    assert.deepEqual(await panel.asked("stop"), []);
    await panel.play(new Script().compaction("cancelled").take());
    await panel.page.locator(".notice").getByText("Compaction cancelled.").waitFor();
    await panel.composer.press("Escape");
    await panel.waitForRequest("stop");
    await panel.page.locator(".notice").waitFor({ state: "detached" });
  });
});

describe("panel: after a compaction", () => {
  panelTest("its mark offers Undo, then Redo, and shows what was left out", async () => {
    const script = talked().compacted(1);
    const compactionId = script.records.at(-1)?.id ?? "";
    const panel = await open(script);
    await panel.button("What was left out").click();
    assert.deepEqual(await panel.waitForRequest("openLeftOut"), { compactionId });
    await panel.button("Undo").click();
    assert.deepEqual(await panel.waitForRequest("undoCompaction"), { compactionId });
    script.take();
    await panel.play(script.record({ kind: "undo", compactionId }).take());
    await panel.page.getByText("Compaction undone").waitFor();
    await panel.button("Redo").click();
    assert.deepEqual(await panel.waitForRequest("redoCompaction"), { compactionId });
    await panel.play(script.record({ kind: "redo", compactionId }).take());
    await panel.page.getByText("History compacted: 148k → 41k tokens").waitFor();
    await panel.play(script.state("running").take());
    assert.ok(await panel.button("Undo").isDisabled());
  });

  panelTest(
    "its mark opens by key to the turns that stay and to the summary, also to one without a model's words",
    async () => {
      const rounds = { summarised: 1, kept: 1, pinned: 0 };
      const failure = {
        code: "timeout" as const,
        message: "Summary generation timed out, keeping recent history only.",
      };
      const panel = await open(talked().user("go on").end("done").compacted(1, { failure, rounds }));
      const mark = panel.page.getByRole("group", { name: "Compaction" });
      const toggle = mark.getByRole("button", { name: "History compacted: 148k → 41k tokens" });
      const expanded = () => toggle.getAttribute("aria-expanded");
      await mark.getByText(failure.message).waitFor();
      assert.deepEqual([await expanded(), await mark.getByRole("heading").count()], ["false", 0]);
      await toggle.press("Enter");
      await mark.getByText(/^Summarised: turn 1 \(.*\)\. Kept: turn 2, the newest\.$/).waitFor();
      assert.deepEqual(await mark.getByRole("listitem").first().innerText(), "2 go on");
      await mark.getByRole("heading", { name: "🎯 Objectives & Status" }).waitFor();
      await mark.getByRole("button", { name: "obs:3fa9c1d2e4b5" }).click();
      assert.deepEqual(await panel.waitForRequest("openHandle"), { handle: "obs:3fa9c1d2e4b5" });
      assert.equal(await expanded(), "true");
      await toggle.press("Space");
      assert.deepEqual([await expanded(), await mark.getByRole("heading").count()], ["false", 0]);
    },
  );

  panelTest("/compact undo and redo take back what its mark offers; /undo and /redo are about files", async () => {
    const script = talked().compacted(1);
    const compactionId = script.records.at(-1)?.id ?? "";
    const panel = await open(script);
    const type = async (text: string) => {
      await panel.composer.fill(text);
      await panel.composer.press("Enter");
    };
    await type("/compact redo");
    await panel.page.getByText("There is no compaction to redo.").waitFor();
    assert.equal(await panel.composer.inputValue(), "");
    await type("/compact undo");
    assert.deepEqual(await panel.waitForRequest("undoCompaction"), { compactionId });
    script.take();
    await panel.play(script.record({ kind: "undo", compactionId }).take());
    await type("/compact redo");
    assert.deepEqual(await panel.waitForRequest("redoCompaction"), { compactionId });
    await type("/compact undo");
    await panel.page.getByText("There is no compaction to undo.").waitFor();
    await panel.composer.fill("/u");
    await panel.page.getByRole("option", { name: /^\/undo/ }).waitFor();
    await panel.composer.press("Enter");
    assert.equal(await panel.composer.inputValue(), "/undo");
    await panel.composer.press("Enter");
    assert.deepEqual(await panel.waitForRequest("rewind"), { what: "files" });
    await type("/redo");
    assert.deepEqual(await panel.waitForRequest("undoRewind"), {});
    assert.deepEqual([await panel.asked("submit"), await panel.asked("compact")], [[], []]);
  });

  panelTest("where another window works on the session nothing can be taken back or pinned", async () => {
    const panel = await open(talked().compacted(0), { readOnly: true });
    await panel.button("What was left out").waitFor();
    assert.deepEqual([await panel.button("Undo").count(), await panel.button("Pin this turn").count()], [0, 0]);
  });

  panelTest("a turn can be pinned and unpinned until a summary has its place", async () => {
    const script = talked();
    const panel = await open(script);
    script.take();
    await panel.page.locator(".user").hover();
    await panel.button("Pin this turn").click();
    assert.deepEqual(await panel.waitForRequest("pin"), { turn: 1, pinned: true });
    await panel.play(script.record({ kind: "pin", turn: 1, pinned: true }).take());
    const unpin = panel.button("Unpin this turn");
    assert.ok(await unpin.evaluate(element => element === document.activeElement), "the focus stays on the pin");
    await unpin.click();
    assert.deepEqual(await panel.waitForRequest("pin", 1), { turn: 1, pinned: false });
    await panel.play(script.record({ kind: "pin", turn: 1, pinned: false }).take());
    await panel.button("Pin this turn").waitFor({ state: "attached" });
    await panel.play(script.compacted(1).take());
    assert.equal(await panel.button("Pin this turn").count(), 0);
  });
});

describe("panel: the room of sessions and of a request", () => {
  panelTest("sessions that take too much room are said, with what can be done", async () => {
    const storage = { bytes: 2_340_000_000, maxBytes: 2_000_000_000 };
    const panel = await open(talked(), { surroundings: { ...surroundings, storage } });
    await panel.status.getByText("Sessions take 2.3 GB on disk").waitFor();
    await panel.page.getByTitle(/Your limit is 2 GB/).waitFor();
    await panel.button("Remove the oldest…").click();
    await panel.button("Change the limit").click();
    await panel.waitForRequest("action", 1);
    assert.deepEqual(await panel.asked("action"), [{ action: "remove-sessions" }, { action: "storage-limit" }]);
  });

  panelTest("too long is one notice: the message is in the composer again, and goes alone or back", async () => {
    const panel = await open(talked(), { state: "running" });
    const script = talked();
    script.take();
    const rounds = { summarised: 1, kept: 0, pinned: 0 };
    script.user("one more").compacted(1, { rounds, reason: "context-too-long" });
    const compactionId = script.records.at(-1)?.id ?? "";
    const message = "Too long for mock. I set the conversation aside; your message is below.";
    const actions: TurnAction[] = ["send-alone", "bring-back", "set-window", "choose-model"];
    const events = script.end("error", { code: "context-reset", message, actions }).state("idle").take();
    await panel.send({ type: "events", sessionId: "session_2", events });
    assert.equal(await panel.composer.inputValue(), "");
    await panel.play(events);
    await panel.page.getByRole("alert").getByText(message).waitFor();
    assert.equal(await panel.page.locator(".mark").count(), 0);
    assert.equal(await panel.composer.inputValue(), "one more");
    await panel.button("Set context window…").click();
    assert.deepEqual(await panel.waitForRequest("action"), { action: "set-window" });
    await panel.button("Bring back").click();
    assert.deepEqual(await panel.waitForRequest("undoCompaction"), { compactionId });
    await panel.play(script.record({ kind: "undo", compactionId }).take());
    await panel.page.getByText("the conversation is back").waitFor();
    assert.equal(await panel.composer.inputValue(), "");
    await panel.play(script.record({ kind: "redo", compactionId }).take());
    await panel.composer.fill("less");
    for (const [seen, text] of ["less", "one more"].entries()) {
      await panel.button("Send it alone").click();
      assert.deepEqual(await panel.waitForRequest("submit", seen), { text, delivery: "queue" });
    }
    await panel.play(script.user("one more").take());
    await panel.button("What was left out").waitFor();
  });
});
