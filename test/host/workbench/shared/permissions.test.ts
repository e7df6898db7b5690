/** Hooks of a workspace and what is in force, as a person sees them in VS Code: nothing runs until they approved its exact text, and what changes asks again. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { OfflineAnswer } from "../../../../scripts/offline-model/server.mjs";
import { call } from "../../changing";
import { insist, inWorkbench } from "../../workbench";

const hooked = (command: string) =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] } });

const answers: OfflineAnswer[] = [{ calls: [call("b1", "Bash", { command: "git push origin main" })] }];

describe("Strata: Tools and Rules", () => {
  const workbench = inWorkbench({
    script: () => answers.shift() ?? { text: "No push, then." },
    files: {
      "AGENTS.md": "Never push to main.\n",
      ".claude/settings.json": hooked("touch ran.txt; echo 'not here' >&2; exit 2"),
    },
    settings: {
      "strata.permissions.mode": "edits",
      "strata.permissions.allow": ["Bash(npm test *)", "Bash(oops"],
      "strata.permissions.deny": ["Bash(git push *)"],
    },
  });
  const row = (name: RegExp) => workbench.tabPage.getByRole("row", { name });

  it("asks for hooks with their exact text, and anew after a change", async () => {
    const waiting = row(/settings\.json.*needs approval/);
    await insist(() => workbench.command("Strata: Tools and Rules"), waiting);
    await waiting.click();
    await workbench.tabPage.getByRole("region").getByText("touch ran.txt").waitFor();
    await workbench.tabPage.getByRole("button", { name: "Allow", exact: true }).click();
    await row(/settings\.json.*runs/).waitFor();
    writeFileSync(workbench.at(".claude/settings.json"), hooked("touch other.txt"));
    await insist(() => workbench.command("Strata: Tools and Rules"), waiting);
  });

  it("lists rules with their places and what is wrong with them, and tries a command", async () => {
    const { tabPage } = workbench;
    const says = (text: RegExp) => tabPage.locator(".tools-try").getByText(text).waitFor();
    await row(/^Mode: Edits allowed/).waitFor();
    await tabPage.getByText(/Cannot be read: .* It is left out/).waitFor();
    const input = tabPage.getByRole("textbox");
    await input.fill("npm test && git push --force");
    await says(/Never runs.*rule Bash\(git push \*\) in your settings forbids this/);
    await input.fill("ls src");
    await says(/Runs.*it (?:only reads|can only read)/);
  });

  it("binds a sentence in the workspace's settings, tells once it is gone from its file, and unbinds it", async () => {
    const { tabPage } = workbench;
    await tabPage.getByRole("button", { name: "Bind in this workspace" }).click();
    await row(/^Never push to main\. bound/).waitFor();
    assert.match(readFileSync(workbench.at(".vscode/settings.json"), "utf8"), /"Bash\(git push \* main \*\)"/);
    await tabPage.getByRole("textbox").fill("git push origin main");
    await tabPage.locator(".tools-try").getByText("AGENTS.md says: “Never push to main.”").waitFor();
    await workbench.screenshot("vscode-bound");
    await workbench.openPanel();
    await workbench.send("Push it");
    const refused = workbench.panel.getByRole("button", { name: /^Command git push origin main/ });
    await refused.click();
    await workbench.panel.getByText("AGENTS.md says: “Never push to main.”").last().waitFor();
    await workbench.screenshot("vscode-bound-breached");
    writeFileSync(workbench.at("AGENTS.md"), "Never push to main unless asked twice.\n");
    await insist(() => workbench.command("Strata: Tools and Rules"), row(/^Never push to main\. bound, stale/));
    await workbench.screenshot("vscode-bound-stale");
    await tabPage.getByRole("button", { name: "Unbind" }).click();
    await row(/^Never push to main\. bound/).waitFor({ state: "detached" });
    assert.doesNotMatch(readFileSync(workbench.at(".vscode/settings.json"), "utf8"), /bindings/);
    // VS Code writes no settings that it cannot read: nothing is lost, and the person is told.
    writeFileSync(workbench.at("AGENTS.md"), "Never push to main.\n");
    writeFileSync(workbench.at(".vscode/settings.json"), "{ broken");
    await insist(() => workbench.command("Strata: Tools and Rules"), row(/^Never push to main\. deny/));
    await tabPage.getByRole("button", { name: "Bind in this workspace" }).click();
    await tabPage.getByText("Nothing was changed: .vscode/settings.json cannot be written").first().waitFor();
    assert.equal(readFileSync(workbench.at(".vscode/settings.json"), "utf8"), "{ broken");
  });
});
