/** A no that comes back in other words, in a real VS Code: by another command, a script, a server, after a reload; and lifted on the page. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { root } from "../../../../scripts/lib/install.mjs";
import type { OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { eventually } from "../../../fakes/eventually";
import { insist, inWorkbench } from "../../workbench";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const script = { name: "Write", input: { file_path: "wipe.sh", content: "rm -r data\n" } };
const served = { name: "mcp__files__move_file", input: { source: "data/a.csv", destination: "away.csv" } };
const ways = [bash("rm -r data"), bash("find data -delete"), script, bash("sh wipe.sh"), served];
const files = {
  ...{
    command: process.execPath,
    args: [join(root, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), "."],
  },
};

/** One way after the other; asked again, the second. */
function play({ messages }: OfflineRequest) {
  const asked = messages.findLastIndex(({ role, text }) => role === "user" && /data/.test(text));
  const done = messages.slice(asked).filter(({ role }) => role === "tool").length;
  const call = (/again/.test(messages[asked]?.text ?? "") ? ways.slice(1, 2) : ways)[done];
  return call ? { text: "", calls: [call] } : { text: "That was all." };
}

describe("a no that comes back", () => {
  const allow = ["Bash(find data -delete)", "Bash(sh wipe.sh)", "files:*"];
  const settings = { "strata.permissions.mode": "edits", "strata.permissions.allow": allow };
  const workbench = inWorkbench({
    ...{ script: play, settings },
    files: { "data/a.csv": "1\n", ".vscode/mcp.json": JSON.stringify({ servers: { files } }) },
  });
  const tools = (shown: Locator) => insist(() => workbench.command("Strata: Tools and Rules"), shown);
  const dialog = (command: string) => workbench.panel.getByRole("alertdialog").filter({ hasText: command });
  const deny = (command: string) => dialog(command).getByRole("button", { name: /^Deny/ }).first().click();
  const named = (command: string) =>
    dialog(command).getByRole("button", { name: "You said no to rm -r data at" }).first().waitFor();

  it("asks, whatever rules allow, and names the no; lifted, it runs", async () => {
    const page = workbench.tabPage;
    const server = page.getByRole("row", { name: /^files / });
    await tools(server);
    await server.click();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await server.filter({ hasText: "running" }).waitFor();
    await workbench.openPanel();
    await workbench.send("Clear the data folder");
    await deny("rm -r data");
    await named("find data -delete");
    await workbench.screenshot("vscode-denied-before");
    await deny("find data -delete");
    await named("sh wipe.sh");
    await workbench.reload();
    await named("sh wipe.sh");
    await deny("sh wipe.sh");
    await named("move_file");
    await workbench.screenshot("vscode-denied-server");
    await deny("move_file");
    await workbench.panel.getByText("That was all.").last().waitFor();
    await tools(page.getByText("What you said no to"));
    await workbench.screenshot("vscode-denials");
    const row = page.getByRole("row", { name: /rm -r data/ });
    await row.getByRole("button", { name: "Lift" }).click();
    await row.waitFor({ state: "detached" });
    // The script and the server's call are calls of their own.
    for (const other of [/sh wipe\.sh asks/, /move_file asks/]) {
      await page.getByRole("row", { name: other }).getByRole("button", { name: "Lift" }).click();
      await page.getByRole("row", { name: other }).waitFor({ state: "detached" });
    }
    await page.getByText("Nothing.").waitFor();
    await workbench.openPanel();
    await workbench.send("Now clear the data again");
    await eventually("it ran unasked", () => !existsSync(workbench.at("data/a.csv")));
  });
});
