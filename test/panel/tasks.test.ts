/** Background tasks above the composer: what the line says, what its rows do, by mouse, by keyboard, for screen readers. */
import assert from "node:assert/strict";
import type { AgentEventOf } from "../../src/shared/events";
import type { PanelParams } from "../../src/shared/panelProtocol";
import type { BackgroundTaskInfo } from "../../src/shared/tasks";
import { looksTest, picture } from "./look";
import { openPanel, panelTest } from "./panel";
import { asking, fixed, todos } from "./scenes";
import { Script, START } from "./script";

const dev: BackgroundTaskInfo = {
  ...{ taskId: "task_1", callId: "call_dev", command: "npm run dev -- --host 0.0.0.0", cwd: "/home/me/invoices" },
  ...{ state: "running", startedAt: START, lines: 14 },
};
const watch: BackgroundTaskInfo = { ...dev, taskId: "task_2", command: "npx tsc --watch", startedAt: START + 150_000 };
const failed: BackgroundTaskInfo = {
  ...{ ...dev, taskId: "task_3", command: "npm test -- --coverage\n  --reporter=dot", state: "exited", exitCode: 1 },
  endedAt: START + 60_000,
};
const stopped: BackgroundTaskInfo = {
  ...{ ...dev, taskId: "task_4", command: "npm run storybook", state: "killed", endedBy: "user" },
  endedAt: START + 90_000,
};
const done: BackgroundTaskInfo = { ...failed, taskId: "task_5", command: "npm run build", exitCode: 0 };
const all = [dev, watch, failed, stopped, done];
const event = (task: BackgroundTaskInfo): AgentEventOf<"task"> => ({ type: "task", ...task });

describe("panel: background tasks", function () {
  this.timeout(60_000);

  panelTest("the line says what runs and what ended, and is gone without tasks", async () => {
    const panel = await openPanel();
    const says = async (tasks: BackgroundTaskInfo[], words: string) => {
      await panel.play(tasks.map(event));
      await panel.status.getByText(words, { exact: true }).waitFor();
    };
    assert.equal(await panel.status.count(), 0);
    await says([dev], "1 background task running");
    await says([watch], "2 background tasks running");
    await says([{ ...watch, state: "exited", exitCode: 1 }], "1 background task running");
    await says([{ ...dev, state: "killed", endedBy: "user" }], "2 background tasks ended");
    await panel.play([{ ...event(watch), dismissed: true }]);
    await panel.status.getByText("Background task: stopped").waitFor();
    const spoken = panel.page.getByRole("status").getByText("Background task ended").last();
    assert.equal(await spoken.textContent(), "Background task ended: npm run dev -- --host 0.0.0.0, stopped");
    await panel.play([{ ...event(dev), dismissed: true }]);
    assert.equal(await panel.status.count(), 0);
  });

  panelTest("rows are opened, stopped and dismissed", async () => {
    const panel = await openPanel({ snapshot: { tasks: all } });
    await panel.openStatus();
    await panel.button("Open as Terminal: npx tsc --watch").click();
    assert.deepEqual(await panel.waitForRequest("openTask"), { taskId: "task_2" });
    await panel.button("Stop: npx tsc --watch").click();
    assert.deepEqual(await panel.waitForRequest("stopTask"), { taskId: "task_2" });
    assert.equal(await panel.button("Dismiss: npx tsc --watch").count(), 0);
    assert.equal(await panel.button("Stop: npm run build").count(), 0);
    await panel.button("Dismiss: npm run build").focus();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("dismissTask"), { taskId: "task_5" });
    await panel.play([{ ...event(done), dismissed: true }]);
    const inList = () => panel.page.evaluate(() => document.activeElement?.closest(".task-row") !== null);
    assert.ok(await inList(), "the focus stays in the list");
    await panel.refuse("stopTask", "This task is gone.");
    await panel.button("Stop: npx tsc --watch").click();
    await panel.page.getByRole("alert").getByText("This task is gone.").waitFor();
  });

  panelTest("while a card is open they are listed and stopped, and Esc closes the list before it denies", async () => {
    const panel = await openPanel({ snapshot: { records: [], state: "running", tasks: [dev] } });
    await panel.status.locator("[aria-expanded]").focus();
    await panel.play(asking().state("asking").take());
    await panel.page.locator("[role=alertdialog]:focus").waitFor();
    await panel.openStatus();
    await panel.button(`Stop: ${dev.command}`).click();
    assert.deepEqual(await panel.waitForRequest("stopTask"), { taskId: "task_1" });
    await panel.play([event({ ...dev, state: "killed", endedBy: "user", endedAt: START })]);
    await panel.button(`Dismiss: ${dev.command}`).press("Escape");
    await panel.status.waitFor({ state: "detached" });
    assert.equal(await panel.page.evaluate(() => document.activeElement?.id), "composer-text");
    assert.deepEqual(await panel.asked("answer"), []);
  });

  panelTest("a task in the sandbox says that nobody reaches it, and asks to be started outside", async () => {
    const panel = await openPanel({ snapshot: { tasks: [{ ...dev, sandbox: true }, watch] } });
    await panel.openStatus();
    const row = panel.page.locator(".task-row").first();
    assert.match(await row.innerText(), /in the sandbox \d/);
    assert.match((await row.locator(".task-state").getAttribute("title")) ?? "", /your browser included/);
    assert.equal(await panel.page.getByRole("button", { name: /^Run outside the sandbox/ }).count(), 1);
    await panel.button("Run outside the sandbox: npm run dev -- --host 0.0.0.0").click();
    const sent = (await panel.waitForRequest("submit")) as PanelParams<"submit">;
    assert.equal(sent.delivery, "steer");
    assert.match(sent.text, /outside the sandbox.*\nnpm run dev -- --host 0\.0\.0\.0$/);
  });

  panelTest("the focus goes to the composer when the last one is dismissed", async () => {
    const panel = await openPanel({ snapshot: { tasks: [done] } });
    await panel.openStatus();
    await panel.button("Dismiss: npm run build").click();
    await panel.play([{ ...event(done), dismissed: true }]);
    assert.ok(await panel.composer.evaluate(element => element === document.activeElement));
  });

  panelTest("a question says that the command keeps running", async () => {
    const detail = { type: "command" as const, command: "npm run dev", cwd: "/home/me/invoices", background: true };
    const script = new Script().user("start it").state("running").request("req_1");
    script.answer("req_1", "I start it.", [["call_dev", "Bash", { command: "npm run dev", run_in_background: true }]]);
    script.approval("apr", { toolName: "Bash", callId: "call_dev", title: "Run `npm run dev`", detail });
    const panel = await openPanel({ snapshot: { records: script.records, state: "asking" } });
    const dialog = panel.page.getByRole("alertdialog", { name: "Run this command?" });
    await dialog.getByText("in background", { exact: true }).waitFor();
    await dialog.getByText(/in \/home\/me\/invoices · It runs until it ends/).waitFor();
    await panel.screenshot("tasks-asking");
  });

  panelTest("a command's card opens it in a terminal, not run", async () => {
    const panel = await openPanel({ snapshot: { records: fixed().records } });
    const card = panel.page.locator(".tool-line", { hasText: "npm test -- invoice" });
    await card.hover();
    await card.getByRole("button", { name: "Open in a terminal, not run" }).click();
    assert.deepEqual(await panel.waitForRequest("openTerminal"), { callId: "call_test" });
    await panel.screenshot("tasks-card");
  });

  const cards = () => {
    const script = fixed().user("watch the server").request("r1");
    script.answer("r1", "I start it, and look.", [
      ["c1", "Bash", { command: "npm run dev", run_in_background: true }],
      ["c2", "BashOutput", { bash_id: "task_1" }],
      ["c3", "KillBash", { shell_id: "task_1" }],
    ]);
    script.result("c1", "Bash", { digest: "Bash npm run dev started as task_1", durationMs: 510 });
    script.result("c2", "BashOutput", {
      digest: "BashOutput task_1 running for 3 min 5 s, 14 new lines · npm run dev",
    });
    script.result("c3", "KillBash", { digest: "KillBash task_1 ended after 3 min 6 s · npm run dev" });
    return script.answer("r2", "It is over.").todo(todos(1)).end("done");
  };
  looksTest("the list", () =>
    picture(
      "tasks",
      { width: 300, height: 700, snapshot: { title: "Invoices", records: cards().records, tasks: all } },
      panel => panel.openStatus(),
    ),
  );
  looksTest("the line alone, 300 px", () =>
    picture("tasks-line-300", { width: 300, height: 500, snapshot: { title: "Invoices", tasks: [dev] } }),
  );
});
