/** How a question about a permission is answered: by button, key, menu and words, and what a key must not answer. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { allowBy, openAsker } from "./asker";
import { openPanel, panelTest } from "./panel";
import { bash, commandAction } from "./scenes";
import { Script, snapshot } from "./script";

/** A running session in which a command waits for its answer. */
function question(script = new Script()) {
  script.user("run the tests").state("running").request("req_1");
  script.answer("req_1", "I'll run them.", [bash("call_test")]);
  return script.approval("approval_1", commandAction);
}

describe("panel: answers to a question", () => {
  panelTest("a question is answered with Ctrl+Enter, Esc, for the session, or with words", async () => {
    const { panel, ask } = await openAsker();
    const answers: [(page: Page) => Promise<unknown>, object][] = [
      [page => page.keyboard.press("Control+Enter"), { decision: "allow", scope: "once" }],
      [page => page.keyboard.press("Escape"), { decision: "deny", scope: "once" }],
      [page => page.getByRole("button", { name: "Allow", exact: true }).click(), { decision: "allow", scope: "once" }],
      [page => page.getByRole("button", { name: "Deny", exact: true }).click(), { decision: "deny", scope: "once" }],
      [() => allowBy(panel, "Allow for this session"), { decision: "allow", scope: "session" }],
      ...["Enter", "button"].map((way): [(page: Page) => Promise<unknown>, object] => [
        async page => {
          await page.getByRole("button", { name: "Deny, because…" }).click();
          await page.keyboard.type("use npm run unit");
          assert.equal(
            await page.locator(".approval [aria-keyshortcuts]").count(),
            0,
            "no key is shown that does not hold",
          );
          assert.equal(
            await page.getByRole("button", { name: "Allow", exact: true }).count(),
            0,
            "nothing there allows",
          );
          if (way === "Enter") await page.keyboard.press("Enter");
          else await panel.button("Send reason").click();
        },
        { decision: "deny", scope: "once", words: "use npm run unit" },
      ]),
    ];
    for (const [at, [act, expected]] of answers.entries()) {
      const approvalId = await ask(commandAction);
      await act(panel.page);
      assert.deepEqual(await panel.waitForRequest("answer", at), { approvalId, ...expected });
    }
    assert.equal((await panel.asked("answer")).length, answers.length);
    assert.deepEqual(await panel.asked("stop"), []);
  });

  panelTest("a reason why not waits with its question, and is the composer's once the turn is stopped", async () => {
    const script = new Script()
      .user("go")
      .request("r")
      .answer("r", "", [["call_a", "Bash", {}]]);
    script.approval("approval_1", { ...commandAction, callId: "call_a" });
    const asking = snapshot({ records: script.records, state: "asking" });
    script.take();
    const panel = await openPanel({ snapshot: asking });
    const { page, composer, pass, send } = panel;
    await pass(400);
    await page.getByRole("button", { name: "Deny, because…" }).click();
    await page.keyboard.type("use npm run unit");
    const answers = { approval_1: { reason: { chosen: [], text: "use npm run unit" } } };
    await send({ type: "snapshot", snapshot: snapshot({ sessionId: "session_9" }) });
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    const kept = (await panel.asked("keepDraft")) as { answers?: object }[];
    assert.deepEqual(kept.at(-1)?.answers ?? kept.at(-2)?.answers, answers);
    assert.equal(await composer.inputValue(), "", "the other session has nothing of it");
    await send({ type: "snapshot", snapshot: { ...asking, draft: { draft: "", inFlight: [], answers } } });
    const field = page.getByRole("textbox", { name: "What to do instead" });
    assert.equal(await field.inputValue(), "use npm run unit");
    await panel.play(script.end("stopped").state("idle").take());
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "use npm run unit");
  });

  panelTest(
    "while a question waits, what is typed steers and the question stays; Esc denies it from the composer",
    async () => {
      const { page, composer, waitForRequest, asked, pass } = await openPanel({
        snapshot: { records: question().records, state: "asking" },
      });
      await page.getByRole("alertdialog").waitFor();
      await pass(400); // a question that has just appeared does not take the key
      await composer.fill("Yes.");
      await composer.press("Enter");
      await page.getByText("To allow it, press the button of the question.").waitFor();
      assert.equal(await composer.inputValue().catch(() => composer.textContent()), "Yes.");
      for (const [at, [key, delivery]] of [["Alt+Enter", "queue"] as const, ["Enter", "steer"] as const].entries()) {
        await composer.fill("use 300");
        await composer.press(key);
        assert.deepEqual(await waitForRequest("submit", at), { text: "use 300", delivery });
      }
      assert.deepEqual(await asked("answer"), [], "who writes has answered nothing");
      await page.getByRole("alertdialog").waitFor();
      await composer.fill("half a sentence");
      await composer.press("Escape");
      const denied = { approvalId: "approval_1", decision: "deny", scope: "once" };
      assert.deepEqual(await waitForRequest("answer"), denied);
      assert.equal(await composer.inputValue(), "half a sentence");
      assert.deepEqual(await asked("stop"), []);
    },
  );

  panelTest("a rule that the question offers is written with Always", async () => {
    const rules = [["Bash(npm test -- invoice)"], ["Bash(npm test *)"]];
    const script = new Script().user("run the tests").state("running").request("req_1");
    script.answer("req_1", "I'll run them.", [bash("call_test")]);
    script.approval("approval_1", { ...commandAction, rules });
    const panel = await openPanel({ snapshot: { records: script.records, state: "asking" } });
    await panel.button("More ways to allow").click();
    await panel.screenshot("always");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("answer"), {
      ...{ approvalId: "approval_1", decision: "allow", scope: "always", rules: ["Bash(npm test *)"] },
    });
  });

  for (const [opens, role, name] of [
    ["More ways to allow", "menu", "More ways to allow"],
    ["Deny, because…", "textbox", "What to do instead"],
  ] as const)
    panelTest(`Esc closes what ${opens} opened, the next one denies`, async () => {
      const script = new Script().user("run the tests").state("running").request("req_1");
      script.answer("req_1", "I'll run them.", [bash("call_test")]);
      script.approval("approval_1", { ...commandAction, rules: [["Bash(npm test *)"], ["Bash(npm *)"]] });
      const panel = await openPanel({ snapshot: { records: script.records, state: "asking" }, height: 300 });
      const { page, asked, settle, button, pass } = panel;
      await page.getByRole("alertdialog").waitFor();
      await pass(400); // a question that has just appeared does not take the key
      const inner = page.getByRole(role, { name });
      await button(opens).click();
      await inner.waitFor();
      await panel.screenshot(`question-${role}-300-high`);
      await page.keyboard.press("Escape");
      await inner.waitFor({ state: "detached" });
      const focused = await page.evaluate(
        () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
      );
      assert.equal(focused, opens);
      await settle();
      assert.deepEqual([...(await asked("answer")), ...(await asked("stop"))], []);
      await page.keyboard.press("Escape");
      assert.deepEqual(await panel.waitForRequest("answer"), {
        approvalId: "approval_1",
        decision: "deny",
        scope: "once",
      });
    });

  // the keys come at once however long the machine takes to draw the question
  for (const drawn of [false, true])
    panelTest(
      `what was meant for what stood there before a question ${drawn ? "was drawn" : "came"} is sent, and Esc stops`,
      async () => {
        const { page, composer, waitForRequest, asked } = await openPanel({
          snapshot: { records: new Script().user("run the tests").records, state: "running" },
        });
        await composer.fill("use 300");
        await page.evaluate(
          async ([events, drawn]) => {
            const now = performance.now();
            performance.now = () => now;
            const came = new Promise(resolve => window.addEventListener("message", resolve, { once: true }));
            const seen = new Promise<void>(resolve => {
              const look = () => document.querySelector("[role=alertdialog]") !== null && resolve();
              new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
            });
            window.fakeHost.events(JSON.parse(events));
            await came;
            if (drawn) await seen;
            const box = document.querySelector("#composer-text");
            for (const key of ["Enter", "Escape"])
              box?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
          },
          [JSON.stringify(question(new Script()).state("asking").take().slice(1)), drawn] as const,
        );
        assert.deepEqual(await waitForRequest("submit"), { text: "use 300", delivery: "steer" });
        await waitForRequest("stop");
        assert.deepEqual(await asked("answer"), []);
        assert.equal((await asked("stop")).length, 1);
      },
    );
});
