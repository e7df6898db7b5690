/** What went out with a message beside its words: a line each, which opens what was sent. */
import assert from "node:assert/strict";
import { attached } from "./attached";
import { openPanel, panelTest } from "./panel";
import { Script } from "./script";

describe("panel: attachments", () => {
  panelTest("are lines of their message; a click or Enter opens what was sent", async () => {
    const script = new Script().user("fix @problems and @terminal");
    attached(script, "problems", `2 errors in ${"a/very/long/path/".repeat(20)}file.ts`);
    attached(script, "changes", "1 changed file (+2 −1)");
    attached(script, "terminal", "No terminal is open in the editor.", { empty: true });
    const { page, conversation, play, waitForRequest, screenshot } = await openPanel();
    await play(script.answer("req_1", "Fixed.").end("done").state("idle").take());
    await conversation.getByText("Nothing attached for @terminal. No terminal is open in the editor.").waitFor();
    const line = conversation.getByRole("button", { name: "Attached: 1 changed file (+2 −1)" });
    await line.click();
    assert.deepEqual(await waitForRequest("openAttachment"), { messageId: "attached_3" });
    const long = conversation.getByRole("button", { name: /^Attached: 2 errors/ });
    const fits = await long.evaluate(button => button.getBoundingClientRect().right <= innerWidth);
    assert.ok(fits, "a long title does not widen the panel");
    await long.focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("openAttachment", 1), { messageId: "attached_2" });
    await screenshot("attachments");
    assert.equal(await conversation.getByRole("button", { name: /@terminal/ }).count(), 0);
  });
});
