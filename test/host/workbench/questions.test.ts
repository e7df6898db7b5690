/** A question of the agent's in a real VS Code, answered after the window was reloaded. */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { openWorkbench, type Workbench } from "../workbench";

const questions = [
  {
    question: "Where should invoices be stored?",
    options: [
      { label: "SQLite", description: "One file beside the program, no server to run" },
      { label: "Postgres", description: "A server that several programs share" },
    ],
  },
  { question: "Which parts come first?", options: [{ label: "Totals" }, { label: "Export" }], multiple: true },
];

/** Of the newest message of the user, what tools said since. */
function toldSince({ messages }: OfflineRequest): string[] {
  const from = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(from).flatMap(({ role, text }) => (role === "tool" ? [text] : []));
}

function play(request: OfflineRequest) {
  const told = toldSince(request);
  const last = told.at(-1) ?? "";
  return told.length === 0
    ? { text: "Two things only you can decide.", calls: [{ name: "AskUser", input: { questions } }] }
    : { text: `I go on. ${last.replaceAll("\n", " ")}` };
}

describe("questions", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ script: play, viewport: { width: 1400, height: 1000 } });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "questions");
  });

  async function send(panel: Frame, text: string) {
    await panel.getByRole("textbox", { name: "Message Strata" }).fill(text);
    await panel.getByRole("button", { name: "Send" }).and(panel.locator(":enabled")).click();
  }

  it("the agent's is there again after the window was reloaded, and its answer goes on with the turn", async () => {
    const before = await workbench.panel();
    await send(before, "Plan the storage");
    await before.getByText("Where should invoices be stored?").first().waitFor();
    await before.getByRole("checkbox", { name: /Export/ }).check();
    await before.getByLabel("Your own answer").last().fill("then the docs");
    await workbench.screenshot("vscode-question");
    await workbench.page.waitForTimeout(1500); // a person takes that long to reload
    await workbench.page.reload();
    await workbench.page.locator(".activitybar [aria-label=Strata]").first().waitFor();
    const panel = await workbench.panel();
    const first = panel.getByRole("radio").first();
    await first.waitFor();
    assert.equal(workbench.offline.requests.length, 1, "nothing was sent anew");
    await workbench.screenshot("vscode-question-reloaded");
    await first.focus();
    const { keyboard } = workbench.page;
    for (const key of ["2", "Enter", "Enter"]) await keyboard.press(key);
    await panel.getByText("I go on.").waitFor();
    const said = (await panel.getByText("I go on.").textContent()) ?? "";
    assert.match(said, /Postgres.*Export; in their own words: then the docs/);
    await panel.locator(".question").waitFor({ state: "detached" });
    await workbench.screenshot("vscode-question-answered");
  });
});
