/** What is in force, as a person sees it in VS Code, and trust that is granted while a session is open. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { insist, openWorkbench, type Workbench } from "../workbench";

const row = (page: Page, text: string | RegExp) =>
  page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();

describe("Strata: Show Permissions", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 800 },
      settings: {
        "workbench.colorTheme": "Default Dark Modern",
        "strata.permissions.mode": "edits",
        "strata.permissions.allow": ["Bash(npm test *)", "Bash(git push origin)"],
        "strata.permissions.deny": ["Bash(git push *)"],
      },
    });
  });
  after(() => workbench?.close());

  it("lists rules with their places and what is wrong with them, and tries a command", async () => {
    const { page } = workbench;
    await insist(() => workbench.command("Strata: Show Permissions"), row(page, "Mode: Edits allowed"));
    await row(page, /Bash\(git push origin\).*your settings.*Never counts: it is covered by/).waitFor();
    await workbench.screenshot("vscode-permissions");
    const input = page.locator(".quick-input-widget input[type=text]");
    await input.fill("npm test && git push --force");
    await row(page, /Never runs.*rule `Bash\(git push \*\)` in your settings forbids this/).waitFor();
    await workbench.screenshot("vscode-permissions-tried");
    await input.fill("ls src");
    await row(page, /Runs.*it only reads/).waitFor();
    await page.keyboard.press("Escape");
  });
});

describe("trust that is granted", () => {
  let workbench: Workbench;
  let panel: Frame;
  before(async () => {
    const edit = {
      name: "Edit",
      input: { file_path: "src/invoice.js", old_string: "Math.floor", new_string: "Math.round" },
    };
    const read = { name: "Read", input: { file_path: "src/invoice.js" } };
    const turn = [{ calls: [{ id: "r", ...read }] }, { calls: [{ id: "e", ...edit }] }, { text: "That is it." }];
    const again = [{ calls: [{ id: "r2", ...read }] }, { calls: [{ id: "e2", ...edit }] }, { text: "Now it is done." }];
    const left = [...turn, ...again];
    workbench = await openWorkbench({
      ...{ trusted: false, viewport: { width: 1280, height: 800 } },
      settings: { "security.workspace.trust.startupPrompt": "never", "strata.permissions.mode": "edits" },
      script: () => left.shift() ?? { text: "The script is over." },
    });
    mkdirSync(join(workbench.workspace, ".vscode"), { recursive: true });
    writeFileSync(join(workbench.workspace, ".vscode/settings.json"), '{ "strata.permissions.deny": ["Read(none)"] }');
    panel = await workbench.panel();
  });
  after(() => workbench?.close());

  const send = async (text: string, answer: string) => {
    const composer = panel.locator("#composer-text");
    await composer.fill(text);
    await composer.press("Enter");
    await panel.getByText(answer).waitFor();
  };
  const invoice = () => readFileSync(join(workbench.workspace, "src/invoice.js"), "utf8");

  it("names what is held back, and takes effect in the session that is open", async () => {
    const { page } = workbench;
    const banner = panel.getByText(
      /leaves out its rules and settings: AGENTS\.md, settings in \.vscode\/settings\.json\./,
    );
    await banner.waitFor();
    await workbench.screenshot("vscode-untrusted");
    await send("fix it", "That is it.");
    assert.match(invoice(), /Math\.floor/);
    await workbench.command("Workspaces: Manage Workspace Trust");
    await page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await banner.waitFor({ state: "detached" });
    await send("fix it now", "Now it is done.");
    assert.match(invoice(), /Math\.round/);
    const sent = workbench.offline.requests.map(({ rawBody }) => rawBody);
    assert.doesNotMatch(sent[0] ?? "", /Rules from AGENTS\.md/);
    assert.match(sent.at(-1) ?? "", /Rules from AGENTS\.md/);
  });
});
