/** Agents that work for the conversation's, in a real VS Code: a price once, rows, one opened, written to and stopped, a working tree, a review. */
import assert from "node:assert/strict";
import type { OfflineAnswer, OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { eventually } from "../../../fakes/eventually";
import { call } from "../../changing";
import { inWorkbench } from "../../workbench";

const task = (description: string, kind: string) =>
  call(`t_${description}`, "Task", { description, prompt: `Find: ${description}`, subagent_type: kind });
const read = { calls: [call("r1", "Read", { file_path: "src/invoice.js" })] };
const edit = { file_path: "src/invoice.js", old_string: "Math.floor", new_string: "Math.round" };
const explorers = ["Where totals are rounded", "Who formats cents", "Which tests there are"];
const [totals = "", cents = "", tests = ""] = explorers;

const main: OfflineAnswer[] = [
  { text: "Three explorers look at it.", calls: explorers.map(each => task(each, "explore")) },
  { text: "Totals are rounded down in one place." },
  { calls: [task("Round half up", "writer")] },
  { text: "The change is in its working tree." },
];
const written = Promise.withResolvers<void>();

/** What each agent says, by its task. */
const said: Record<string, (OfflineAnswer | Promise<OfflineAnswer>)[]> = {
  [totals]: [
    read,
    written.promise.then(() => ({ text: "roundTotal rounds down (src/invoice.js:5)." })),
    { text: "The tax goes through it too (src/invoice.js:16)." },
  ],
  [cents]: [{ fault: "hang" }],
  [tests]: [read, written.promise.then(() => ({ text: "There are tests of invoices in test/." }))],
  "Round half up": [
    read,
    { calls: [call("e1", "Edit", edit)] },
    { calls: [call("b1", "Bash", { command: "node --test" })] },
    { text: "It rounds half up (src/invoice.js:5)." },
  ],
  "Review the uncommitted changes": [read, { text: "src/rate.js:1: the rate is a fraction, and callers give percent" }],
};

function play({ messages }: OfflineRequest) {
  const words = messages.filter(({ role }) => role === "user").map(({ text }) => text);
  const own = Object.keys(said).find(each => words.some(text => text.includes(each)));
  return (own === undefined ? main : said[own])?.shift() ?? { text: "Nothing more." };
}

describe("agents", () => {
  const workbench = inWorkbench({
    fresh: true,
    script: play,
    viewport: { width: 1400, height: 1000 },
    wide: true,
    settings: { "strata.agents.enabled": "on", "strata.permissions.mode": "ask" },
    files: {
      ".claude/agents/writer.md":
        "---\ndescription: Changes code\ntools: Read, Edit, Bash\nisolation: worktree\n---\nChange as little as you can.\n",
      "src/rate.js": "export const rate = 0.19;\n",
    },
  });
  const row = (title: string) => workbench.panel.locator(".tool.child").filter({ hasText: title });
  const allow = async (name: RegExp) => {
    const card = workbench.panel.getByRole("alertdialog", { name });
    await card.waitFor();
    await workbench.screenshot(`vscode-agents-${name.source.replaceAll(/\W+/g, "-")}`);
    await card
      .getByRole("button", { name: /^Allow/ })
      .first()
      .click();
    await card.waitFor({ state: "detached" });
  };
  const asked = (text: string) => () => workbench.offline.requests.some(({ rawBody }) => rawBody.includes(text));

  it("begin after one question with their price; one is written to, one is stopped", async () => {
    const { panel } = workbench;
    await workbench.send("Why is a total a cent too low?");
    await allow(/3 agents \(explore\), up to 600k tokens/);
    for (const each of explorers) await row(each).waitFor();
    await row(cents)
      .getByRole("button", { name: `Stop: ${cents}` })
      .waitFor();
    await workbench.screenshot("vscode-agents-rows");
    await row(totals).getByRole("button", { name: "Open" }).click();
    const back = panel.getByRole("button", { name: /Back to/ });
    await back.waitFor();
    await panel.getByText(`Find: ${totals}`).last().waitFor();
    await workbench.send("And the tax?");
    await panel.getByText("1 queued").waitFor();
    await workbench.screenshot("vscode-agents-opened");
    await back.click();
    await row(cents)
      .getByRole("button", { name: `Stop: ${cents}` })
      .click();
    await row(cents).getByText("stopped", { exact: true }).waitFor();
    await workbench.screenshot("vscode-agents-stopped");
    written.resolve();
    await eventually("the message reached the agent", asked("And the tax?"));
    await panel.getByText("Totals are rounded down in one place.").last().waitFor();
    await row(totals).getByText("finished", { exact: true }).waitFor();
    await row(totals).locator(".tool-toggle").click();
    await workbench.screenshot("vscode-agents-ended");
  });

  it("ask in the main conversation by their names; what one wrote in a working tree opens for review", async () => {
    const { panel, page } = workbench;
    await workbench.send("Now mend it");
    await allow(/1 agent \(writer\)/);
    await allow(/writer in its working tree: Edit/);
    await allow(/writer in its working tree: .*command/);
    await panel.getByText("The change is in its working tree.").last().waitFor();
    assert.match(workbench.onDisk("src/invoice.js"), /Math\.floor/);
    await workbench.screenshot("vscode-agents-tree");
    await row("Round half up").getByRole("button", { name: "Review" }).click();
    await page.locator(".monaco-diff-editor, .multiDiffEntry").first().waitFor();
    await workbench.lines("Math.round").first().waitFor();
    await workbench.screenshot("vscode-agents-review");
  });

  it("review the uncommitted changes: what they find are problems of the editor", async () => {
    const { page } = workbench;
    await workbench.command("Strata: Review Changes");
    await page.getByRole("dialog").getByRole("button", { name: "Review", exact: true }).click();
    await page.getByRole("button", { name: "Show Problems" }).click();
    await page.locator(".markers-panel").getByText("the rate is a fraction").waitFor();
    await workbench.screenshot("vscode-agents-problems");
  });
});
