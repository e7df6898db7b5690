/** A repository's skill and a server's prompt in a real VS Code: in the menu, called, after a compaction and a reload. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { root } from "../../../../scripts/lib/install.mjs";
import { summarise, summaryInstruction } from "../../../../scripts/offline-model/summary.mjs";
import { soak } from "../../../fakes/soak";
import { repositorySkills } from "../../../fixtures/skills/repository";
import { insist, inWorkbench } from "../../workbench";

const everything = {
  command: process.execPath,
  args: [join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
};
const rule = "MIGRATION-RULE: every migration has a way back.";

soak("walks", () => {
  describe("a skill in VS Code", () => {
    const workbench = inWorkbench({
      ...{ wide: true, viewport: { width: 1280, height: 900 } },
      settings: { "strata.history.keepRounds": 1, "strata.model.contextWindow": 40_000 },
      // long enough that a compaction has something to do
      script: request =>
        summaryInstruction(request) === undefined ? { text: "It is done. ".repeat(600) } : summarise(request),
      files: { ...repositorySkills, ".vscode/mcp.json": JSON.stringify({ servers: { everything } }) },
    });

    const option = (name: string) => workbench.panel.getByRole("option", { name: new RegExp(`^/${name}`) });
    const timesInRequest = (words: string) => (workbench.offline.requests.at(-1)?.rawBody.split(words).length ?? 0) - 1;
    async function say(text: string) {
      const done = workbench.panel.getByRole("log").getByText(/^Finished/);
      const before = await done.count();
      await workbench.send(text);
      await done.nth(before).waitFor();
    }

    it("stands in the menu beside a server's prompt", async () => {
      const panel = workbench.tabPage;
      const server = panel.getByRole("button", { name: /^everything/ });
      await insist(() => workbench.command("Strata: Show MCP Servers"), server);
      await server.click();
      await panel.getByRole("button", { name: "Approve and start", exact: true }).click();
      await panel.getByText("4 prompts").last().waitFor();
      await workbench.composer.fill("");
      await workbench.composer.pressSequentially("/");
      for (const name of ["database-migrations", "review-checklist", "everything:simple-prompt"])
        await option(name).waitFor();
      await option("everything:simple-prompt").scrollIntoViewIfNeeded();
      await workbench.screenshot("vscode-slash");
      await workbench.composer.press("Escape");
    });

    it("is in what the model gets once called, after a compaction, and after a reload", async () => {
      await say("Begin");
      assert.equal(timesInRequest(rule), 0);
      await say("/database-migrations orders");
      assert.deepEqual([timesInRequest(rule), timesInRequest("For orders write both")], [1, 1]);
      await say("/everything:simple-prompt");
      assert.equal(timesInRequest("This is a simple prompt without arguments."), 1);
      await say("Go on");
      await workbench.composer.fill("/compact");
      await workbench.composer.press("Enter");
      await workbench.panel
        .getByText(/History compacted: [\d.]+k/)
        .last()
        .waitFor();
      await say("Once more");
      assert.equal(timesInRequest(rule), 1);
      assert.equal(timesInRequest("For orders write both"), 0, "nobody's words are filled in again");
      await workbench.screenshot("vscode-skill-compacted");
      await workbench.reload();
      await workbench.panel
        .getByText(/History compacted/)
        .last()
        .waitFor();
      await say("And after the reload");
      assert.equal(timesInRequest(rule), 1);
      await workbench.screenshot("vscode-skill-reloaded");
    });
  });
});
