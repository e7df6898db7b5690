/** How calls and turns end, as a person reads it. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
import { bash, commandAction } from "./scenes";
import { Script, snapshot, surroundings } from "./script";

/** A running session in which a command waits for its answer. */
function question(script = new Script()) {
  script.user("run the tests").state("running").request("req_1");
  script.answer("req_1", "I'll run them.", [bash("call_test")]);
  return script.approval("approval_1", commandAction);
}

describe("panel: how it ended", () => {
  panelTest("what was denied, stopped or forbidden is no failure, and in words for people", async () => {
    const script = question();
    const denied = { decision: "deny" as const, scope: "once" as const, by: "user" as const, words: "use 300" };
    const error = { code: "DENIED" as const, message: "The user denied this call. Do not try to reach the same." };
    script.approval("approval_1", commandAction, denied);
    script.result("call_test", "Bash", { digest: "Bash · The user denied this call.", status: "error", error });
    script.answer("req_2", "", [
      ["c2", "Bash", { command: "rm a" }],
      ["c3", "Write", { file_path: "b" }],
      ["c4", "Bash", { command: "rm b" }],
    ]);
    const refused = { digest: "Bash · x", status: "error" as const, durationMs: 0 };
    script.result("c2", "Bash", { ...refused, error: { ...error, by: "mode" } });
    const rule = "The user's rule `Bash(rm *)` in settings forbids this. Do not try to reach the same by another way.";
    script.result("c4", "Bash", { ...refused, error: { ...error, message: `${rule} Other ways ask.`, by: "rule" } });
    const aborted = { code: "ABORTED" as const, message: "The call was not run: the turn was stopped before it." };
    script.result("c3", "Write", { digest: "Write · not run", status: "error", error: aborted, durationMs: 0 });
    const { page, asked } = await openPanel({ snapshot: { records: script.end("stopped").records } });
    for (const words of ["Denied: use 300", "Not run: plan only", "Not run, the turn was stopped"])
      await page.locator(".tool.refused .tool-words", { hasText: words }).waitFor();
    await page.getByRole("button", { name: /Denied: use 300/ }).click();
    await page.getByText("Denied: use 300").nth(1).waitFor();
    await page.getByRole("button", { name: /forbidden by a rule/ }).click();
    await page.getByText("Your rule `Bash(rm *)` in settings forbids this.", { exact: true }).waitFor();
    assert.equal(await page.locator(".tool-error").count(), 0);
    assert.equal(await page.getByText("Do not try").count(), 0, "that is for the model");
    assert.deepEqual(await asked("printed"), []);
  });

  panelTest("what failed is said in words, with what the tool gave below", async () => {
    const script = new Script().user("go").answer("q", "", [["e1", "Edit", { file_path: "src/a.ts" }]]);
    const message = "old_string is not in src/a.ts. Nothing in the file resembles it.";
    const error = { code: "NO_MATCH" as const, message };
    script.result("e1", "Edit", { digest: `Edit · ${message}`, status: "error", error });
    const records = script.answer("end", "So.").end("done").records;
    const { page } = await openPanel({ snapshot: { records } });
    const card = page.locator('[data-item="e1"]');
    assert.match(await card.innerText(), /text not found/);
    assert.doesNotMatch(await card.innerText(), /old_string/);
    assert.equal(await card.locator("[title*=old_string]").count(), 0);
    await card.getByRole("button", { name: /text not found/ }).click();
    await card.getByText("What the tool gave, whole.").waitFor();
  });

  panelTest("what the todo line says has no row beside it, unless it went wrong", async () => {
    const script = new Script().user("go");
    const todos = { todos: [] };
    script.answer("req_1", "I'll plan.", [
      ["t1", "TodoWrite", todos],
      ["t2", "TodoWrite", todos],
      ["r1", "Read", { file_path: "a.ts" }],
    ]);
    script.result("t1", "TodoWrite", { digest: "TodoWrite 0 of 3 todos done; now: Fixing" });
    const error = { code: "INVALID_INPUT" as const, message: "todos: expected array" };
    script.result("t2", "TodoWrite", { digest: "TodoWrite · todos", status: "error", error });
    script.result("r1", "Read", { digest: "Read a.ts" });
    const { page } = await openPanel({ snapshot: { records: script.end("done").records } });
    await page.locator('[data-tool="Read"]').waitFor();
    assert.equal(await page.locator('[data-tool="TodoWrite"]').count(), 1);
    assert.equal(await page.locator('[data-tool="TodoWrite"].error').count(), 1);
  });

  panelTest("long code keeps Copy in reach, a wide table scrolls by itself, footnotes have their words", async () => {
    const code = Array.from({ length: 200 }, (_, index) => `const a${index} = ${index};`).join("\n");
    const cell = "incomprehensibilities";
    const cells = (text: string) => `|${` ${text} |`.repeat(6)}`;
    const table = [cells(cell), cells("---"), cells(cell)].join("\n");
    const notes = "As said[^1] and proved[^b].\n\n[^1]: https://example.com/a\n\n[^b]: By many words";
    const script = new Script().user("go").answer("req_1", `${table}\n\n${notes}\n\n\`\`\`ts\n${code}\n\`\`\``);
    const { page } = await openPanel({ snapshot: { records: script.end("done").records }, width: 300 });
    const wide = await page.locator(".table-scroll").evaluate(box => box.scrollWidth > box.clientWidth);
    assert.ok(wide, "it scrolls, its words are whole");
    assert.equal(await page.getByText("[^b]: By many words").count(), 1);
    assert.equal(await page.getByText("https://example.com/a").count(), 1);
    const block = page.locator(".code-block");
    const places = await block.evaluate(element => {
      const scroller = element.closest<HTMLElement>(".scroller") ?? document.documentElement;
      scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + 900;
      const copy = element.querySelector(".copy")?.getBoundingClientRect().top ?? 0;
      return { copy: copy - scroller.getBoundingClientRect().top, block: element.getBoundingClientRect().top };
    });
    assert.ok(places.block < 0 && places.copy >= 0 && places.copy < 60, JSON.stringify(places));
  });

  panelTest("a turn that failed for want of a model can be tried again once there is one", async () => {
    const script = new Script().user("go");
    script.end("error", { code: "no-model", message: "No model yet.", actions: ["choose-model", "set-key"] });
    const around = { ...surroundings, model: { state: "none" as const, message: "No model yet." } };
    const { page, button, send, waitForRequest } = await openPanel({
      snapshot: { records: script.records, surroundings: around },
    });
    await page.locator(".turn-end.failed .primary", { hasText: "Choose a model" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Retry" }).count(), 0);
    await send({ type: "surroundings", surroundings });
    await button("Retry").click();
    await waitForRequest("resume");
  });

  panelTest(
    "an error that something came after is a line; a notice goes with the next action and with its session",
    async () => {
      const script = new Script().user("go");
      const message = "The API key was rejected (401).";
      script.end("error", { code: "auth", message, actions: ["retry", "set-key"] });
      const other = snapshot({ sessionId: "session_2", records: [] });
      const { page, play, button, send, refuse, settle } = await openPanel({
        snapshot: { records: script.records },
        refused: { resume: "The agent is already working." },
      });
      await page.getByRole("alert").getByText(message).waitFor();
      await button("Retry").click();
      await page.getByText("The agent is already working.").waitFor();
      await refuse("resume", undefined);
      await button("Retry").click();
      await settle();
      assert.equal(await page.locator(".notice").count(), 0);
      await refuse("resume", "The agent is already working.");
      await button("Retry").click();
      await page.locator(".notice").waitFor();
      script.take();
      await play(script.request("r").answer("r", "It works now.").take());
      assert.equal(await page.locator(".turn-end.failed").count(), 0);
      assert.equal(await page.locator(".turn-end.solved").getByText(message).count(), 1);
      assert.ok(((await page.locator(".turn-end.solved").boundingBox())?.height ?? 99) < 24);
      await send({ type: "snapshot", snapshot: other });
      assert.equal(await page.locator(".notice").count(), 0);
    },
  );

  panelTest(
    "live output folds when it ended well, and a failed one opens at its failure; rows cut the folder",
    async () => {
      const script = new Script().user("go").request("r");
      const path = `${"a-folder-of-many/".repeat(6)}invoiceTotals.ts`;
      script.answer("r", "", [bash("ok"), bash("bad"), ["read", "Read", { file_path: path }]]);
      const output = `${"fine\n".repeat(40)}FAIL totals round half up\n${"at somewhere\n".repeat(60)}`;
      const { page, play } = await openPanel({
        snapshot: { records: script.records, state: "running" },
        results: { printed: { first: output, last: "" } },
      });
      script.take();
      await play(script.start("ok", "Bash", "Run").output("ok", "fine\n").take());
      await page.getByRole("region", { name: /^Output of / }).waitFor();
      await play(script.result("ok", "Bash", { digest: "Bash ok" }).take());
      assert.equal(await page.getByRole("region", { name: /^Output of / }).count(), 0);
      const error = { code: "EXIT" as const, message: "Exit code 1." };
      script
        .start("bad", "Bash", "Run")
        .output("bad", output)
        .result("bad", "Bash", { digest: "Bash bad", status: "error", error });
      await play(script.take());
      const terminal = page.getByRole("region", { name: /^Output of / });
      const failure = terminal.locator(".failure");
      await failure.waitFor();
      const [box, line] = [await terminal.boundingBox(), await failure.boundingBox()];
      assert.ok(
        box && line && line.y >= box.y && line.y + line.height <= box.y + box.height,
        "its failure is in sight",
      );
      const name = page.locator(".path-name", { hasText: "invoiceTotals.ts" });
      assert.ok(await name.evaluate(element => element.scrollWidth <= element.clientWidth), "the name is whole");
      const folder = page.locator(".path-folder", { hasText: "a-folder-of-many" });
      assert.ok(await folder.evaluate(element => element.scrollWidth > element.clientWidth));
    },
  );

  panelTest("somebody who types is not interrupted, and typing never answers", async () => {
    const { page, composer, play, asked, settle } = await openPanel({ snapshot: { state: "running" } });
    await composer.fill("wait");
    await play(question().state("asking").take());
    await page.getByRole("alertdialog").waitFor();
    assert.ok(await composer.evaluate(element => element === document.activeElement));
    await composer.fill("");
    await page.getByRole("alertdialog").focus();
    await page.keyboard.type("all is well");
    await settle();
    assert.equal(await composer.inputValue(), "all is well");
    assert.deepEqual(await asked("answer"), []);
  });
});
