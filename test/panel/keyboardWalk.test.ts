/** What a person does with a keyboard alone, from the first start to the settings: no test here has a mouse. */
import assert from "node:assert/strict";
import { openAsker } from "./asker";
import { changingFiles, reviewed } from "./changedFiles";
import { KeyboardPerson } from "./focused";
import { openPanel, type PanelOptions, type PanelPage, panelTest } from "./panel";
import { asking, commandAction, preview, summary } from "./scenes";
import { Script, snapshot, surroundings } from "./script";

async function begin(options: PanelOptions = {}): Promise<[panel: PanelPage, person: KeyboardPerson]> {
  const panel = await openPanel(options);
  await panel.settle();
  return [panel, new KeyboardPerson(panel)];
}

const { records, review } = reviewed;

describe("panel: a keyboard alone", function () {
  this.timeout(60_000);

  panelTest("chooses a way to a model, and what was typed before is not lost", async () => {
    const [panel, person] = await begin({
      snapshot: { surroundings: { ...surroundings, model: { state: "none", message: "No model yet." } } },
      results: { modelWays: { editor: ["GPT-6"], local: [{ title: "Ollama", models: 3 }] } },
    });
    await panel.page.getByText("GPT-6").first().waitFor();
    await person.type("Fix the test");
    await person.to(/VS Code/, "Shift+Tab");
    await person.press("ArrowDown", "Enter");
    assert.deepEqual(await panel.waitForRequest("action"), { action: "paste-key" });
    assert.equal(await panel.composer.inputValue(), "Fix the test");
    await person.to("Message Strata");
  });

  panelTest("sends a message, by Enter and by its button; the focus stays where one writes", async () => {
    const [panel, person] = await begin();
    await person.type("Fix the test");
    await person.press("Enter");
    assert.deepEqual(((await panel.waitForRequest("submit")) as { text: string }).text, "Fix the test");
    const script = new Script().user("Fix the test").state("running").request("r");
    await panel.play(script.text("r", "It rounds down.").take());
    await person.type("And the other one");
    await person.press("Tab");
    await person.to("Send", "ArrowRight");
    await person.press("Enter");
    await panel.waitForRequest("submit", 1);
    assert.match((await person.looks("once it was sent")).name, /Message Strata/);
    await panel.play(script.answer("r", "It rounds down.").end("done").state("idle").take());
    await person.looks("at the end of the turn");
  });

  panelTest("answers a question with its default, from its menu, and with a reason why not", async () => {
    const open = async () => {
      const begun = await begin({ snapshot: { records: asking().records, state: "asking" } });
      await begun[0].page.getByRole("alertdialog").waitFor();
      await begun[0].pass(400);
      return begun;
    };
    const [first, byDefault] = await open();
    await byDefault.looks("on the question");
    await byDefault.press("Control+Enter");
    assert.deepEqual(await first.waitForRequest("answer"), {
      ...{ approvalId: "approval_1", decision: "allow", scope: "once" },
    });
    const answered = asking();
    answered.take();
    const { action } = answered.records.findLast(record => record.kind === "approval") as never as { action: never };
    const yes = { decision: "allow", scope: "once", by: "user" } as never;
    await first.play(answered.approval("approval_1", action, yes).state("running").take());
    await byDefault.looks("once it was answered");

    const [second, byMenu] = await open();
    await byMenu.to(/^More ways|^Other ways|ways/);
    await byMenu.press("Enter", "ArrowDown", "ArrowUp", "Enter");
    const { scope } = (await second.waitForRequest("answer")) as { scope: string };
    assert.notEqual(scope, "once");

    const [third, byReason] = await open();
    await byReason.to("Deny, because…");
    await byReason.press("Enter");
    await byReason.type("use the other script");
    await byReason.press("Escape");
    await byReason.to("Deny, because…");
    await byReason.press("Enter");
    await byReason.type("use the other script");
    // The key that allows, pressed beside the reason: it is still being written.
    await byReason.press("Shift+Tab", "Control+Enter");
    assert.deepEqual(await third.asked("answer"), []);
    await byReason.press("Enter");
    const { decision, words } = (await third.waitForRequest("answer")) as { decision: string; words: string };
    assert.deepEqual({ decision, words }, { decision: "deny", words: "use the other script" });
  });

  panelTest("keeps what waits for a review from the line above the composer, undoes a file", async () => {
    const [panel, person] = await begin({
      snapshot: { records, review },
      results: { turnChanges: { files: changingFiles } },
    });
    await person.to("Keep", "Shift+Tab");
    await person.press("Enter");
    await panel.waitForRequest("keepChanges");
    await panel.send({ type: "review", sessionId: "session_1", files: [] });
    await person.looks("once all is kept");
    await person.to(/^button \d files changed/, "Shift+Tab");
    await person.press("Enter");
    await person.to(/^button created:/);
    await person.press("ArrowDown");
    await person.to("Undo the changes of invoice.ts", "ArrowRight");
    await person.press("Enter");
    await panel.waitForRequest("undoFile");
    await person.looks("once it is undone");
  });

  panelTest("goes back from a message's gutter", async () => {
    const [panel, person] = await begin({ snapshot: { records }, results: { previewRewind: preview } });
    await person.to("Edit and send again", "Shift+Tab");
    await person.to("Go back to here…", "ArrowRight");
    await person.press("Enter");
    await panel.page.getByRole("region", { name: "Go back to before turn 1" }).waitFor();
    await person.press("Escape");
    await person.to("Go back to here…");
    await person.press("Enter");
    await panel.page.getByRole("region", { name: "Go back to before turn 1" }).waitFor();
    await person.to("Go back");
    await person.press("Enter");
    assert.deepEqual(await panel.waitForRequest("rewind"), { turn: 1, what: "both" });
    await person.looks("once it went back");
  });

  panelTest("searches sessions, opens, renames and deletes one, and takes that back", async () => {
    const sessions = ["one", "two", "three"].map(title => summary(title));
    const [panel, person] = await begin({
      snapshot: { records },
      results: {
        sessions: { sessions },
        searchSessions: { hits: [{ id: "two" }], next: null },
        deleteSession: { key: ".trash-1-two" },
        restoreSession: { id: "two" },
        openSession: snapshot({ sessionId: "two", title: "two", records }),
      },
    });
    await panel.show("sessions");
    const list = panel.page.getByRole("list", { name: "Sessions" });
    await list.getByText("one").waitFor();
    await person.type("two");
    await panel.waitForRequest("searchSessions");
    await list.getByText("two").waitFor();
    await person.press("ArrowDown", "F2");
    await person.type("Two at last");
    await person.press("Enter");
    assert.deepEqual(await panel.waitForRequest("renameSession"), { id: "two", title: "Two at last" });
    await person.looks("once it has its name");
    await person.press("Shift+F10", "ArrowDown", "Escape", "Delete");
    await panel.waitForRequest("deleteSession");
    const gone = panel.page.locator(".sessions-gone");
    await gone.waitFor();
    await person.to("Undo", "Shift+Tab");
    await person.press("Enter");
    assert.deepEqual(await panel.waitForRequest("restoreSession"), { key: ".trash-1-two" });
    await gone.waitFor({ state: "detached" });
    await person.looks("once it is back");
    await person.press("Escape", "ArrowDown", "Enter");
    await panel.waitForRequest("openSession");
    await person.looks("in the session that was opened");
  });

  panelTest("a question that goes while its menu is open hands the focus on", async () => {
    const { panel, ask } = await openAsker();
    const { page, button } = panel;
    const focused = () =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute("role"));
    await ask(commandAction);
    await button("More ways to allow").press("Enter");
    assert.equal(await focused(), "menuitem");
    // Answered elsewhere: the next one takes the focus, and after the last the composer has it.
    await ask(commandAction);
    assert.equal(await focused(), "alertdialog");
    await button("More ways to allow").press("Enter");
    await panel.play(new Script().state("idle").take());
    await page.getByRole("menu").waitFor({ state: "detached" });
    assert.equal(await focused(), "composer-text");
  });
});
