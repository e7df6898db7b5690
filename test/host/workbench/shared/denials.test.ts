/** A no that comes back in other words, in a real VS Code: by another command, by a script, after a reload; and lifted on the page. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { eventually } from "../../../fakes/eventually";
import { insist, inWorkbench } from "../../workbench";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const ways = [
  bash("rm -r data"),
  bash("find data -delete"),
  { name: "Write", input: { file_path: "wipe.sh", content: "rm -r data\n" } },
  bash("sh wipe.sh"),
];

/** One way after the other; asked again, the second. */
function play({ messages }: OfflineRequest) {
  const asked = messages.findLastIndex(({ role, text }) => role === "user" && /data/.test(text));
  const done = messages.slice(asked).filter(({ role }) => role === "tool").length;
  const calls = /again/.test(messages[asked]?.text ?? "") ? ways.slice(1, 2) : ways;
  const call = calls[done];
  return call ? { text: "", calls: [call] } : { text: "That was all." };
}

describe("a no that comes back", () => {
  const workbench = inWorkbench({
    script: play,
    viewport: { width: 1400, height: 1000 },
    files: { "data/a.csv": "1\n" },
    settings: {
      "strata.permissions.mode": "edits",
      "strata.permissions.allow": ["Bash(find data -delete)", "Bash(sh wipe.sh)"],
    },
  });
  const isThere = () => existsSync(workbench.at("data/a.csv"));
  const dialog = (command: string) => workbench.panel.getByRole("alertdialog").filter({ hasText: command });
  const deny = (command: string) => dialog(command).getByRole("button", { name: "Deny", exact: false }).first().click();
  const named = (command: string) => dialog(command).getByRole("button", { name: /You said no to `rm -r data` at/ });

  it("asks, whatever rules allow, and names the no; lifted, it runs", async () => {
    await workbench.send("Clear the data folder");
    await dialog("rm -r data").waitFor();
    await deny("rm -r data");
    await named("find data -delete").first().waitFor();
    await workbench.screenshot("vscode-denied-before");
    await deny("find data -delete");
    await named("sh wipe.sh").first().waitFor();
    await workbench.reload();
    await named("sh wipe.sh").first().waitFor();
    await workbench.screenshot("vscode-denied-before-script");
    await deny("sh wipe.sh");
    await workbench.panel.getByText("That was all.").last().waitFor();
    assert.ok(isThere());

    await insist(
      () => workbench.command("Strata: Tools and Rules"),
      workbench.tabPage.getByText("What you said no to"),
    );
    const row = workbench.tabPage.getByRole("row", { name: /rm -r data/ });
    await row.scrollIntoViewIfNeeded();
    await workbench.screenshot("vscode-denials");
    await row.getByRole("button", { name: "Lift" }).click();
    await row.waitFor({ state: "detached" });
    // A no of its own: what the script would have run.
    await workbench.tabPage.getByRole("button", { name: "Lift" }).click();
    await workbench.tabPage.getByText("Nothing.").waitFor();
    await workbench.openPanel();
    await workbench.send("Now clear the data again");
    await eventually("it ran unasked", () => !isThere());
  });
});
