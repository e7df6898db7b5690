/** A question of the agent's in a real VS Code, answered after the window was reloaded. */
import assert from "node:assert/strict";
import type { OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { inWorkbench } from "../../workbench";

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

/** Once it was answered, it goes on: a reminder may follow, as of another file in the editor. */
function play({ messages }: OfflineRequest) {
  const answer = messages.findLast(({ role }) => role === "tool")?.text;
  return answer === undefined
    ? { text: "Two things only you can decide.", calls: [{ name: "AskUser", input: { questions } }] }
    : { text: `I go on. ${answer.replaceAll("\n", " ")}` };
}

describe("questions", () => {
  const workbench = inWorkbench({ script: play, viewport: { width: 1400, height: 1000 } });

  it("the agent's is there again after the window was reloaded, and its answer goes on with the turn", async () => {
    const before = workbench.panel;
    await workbench.send("Plan the storage");
    await before.getByText("Where should invoices be stored?").first().waitFor();
    await before.getByRole("checkbox", { name: /Export/ }).check();
    await before.getByLabel("Your own answer").last().fill("then the docs");
    await workbench.screenshot("vscode-question");
    await workbench.kept("then the docs");
    await workbench.reload();
    const { panel } = workbench;
    const first = panel.getByRole("radio").first();
    await first.waitFor();
    assert.equal(workbench.offline.requests.length, 1, "nothing was sent anew");
    await workbench.screenshot("vscode-question-reloaded");
    await first.focus();
    for (const key of ["2", "Enter", "Enter"]) await workbench.page.keyboard.press(key);
    await panel.getByText("I go on.").last().waitFor();
    const said = (await panel.getByText("I go on.").last().textContent()) ?? "";
    assert.match(said, /Postgres.*Export; in their own words: then the docs/);
    await panel.locator(".question").waitFor({ state: "detached" });
    await workbench.screenshot("vscode-question-answered");
  });
});
