/** The view of MCP servers in a real VS Code: with servers that others wrote, consent to a workspace's, and signing in. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../../scripts/lib/install.mjs";
import { startSignInServer } from "../../../fakes/signInServer.mjs";
import { soak } from "../../../fakes/soak";
import { insist, inWorkbench } from "../../workbench";

const packaged = (name: string, ...more: string[]) => ({
  command: process.execPath,
  args: [join(root, "node_modules/@modelcontextprotocol", name, "dist/index.js"), ...more],
});

describe("MCP servers in VS Code", () => {
  let there: Awaited<ReturnType<typeof startSignInServer>>;
  before(async () => {
    there = await startSignInServer();
  });
  const workbench = inWorkbench({ panel: false, wide: true, viewport: { width: 1280, height: 900 } });
  const configure = (more: string[] = []) => {
    mkdirSync(workbench.at(".vscode"), { recursive: true });
    const servers = {
      everything: packaged("server-everything", "stdio"),
      files: { ...packaged("server-filesystem", ".", ...more), env: { FILES_TOKEN: "hidden" } },
      tickets: { type: "http", url: there.url },
    };
    writeFileSync(workbench.at(".vscode/mcp.json"), JSON.stringify({ servers }));
  };
  after(() => there?.close());
  const server = (name: string, state: string) =>
    workbench.tabPage.getByRole("row", { name: new RegExp(`^${name}.*${state}`, "s") });
  const tool = (name: string) => workbench.tabPage.getByRole("switch", { name, exact: true });
  const inMenu = async (name: string, item: string) => {
    await button(`More actions for ${name}`).click();
    await workbench.tabPage.getByRole("menuitem", { name: item, exact: true }).click();
  };
  const button = (name: string) => workbench.tabPage.getByRole("button", { name, exact: true });

  it("asks for a workspace's server with its exact command, starts it, and lists what it has", async () => {
    configure();
    const panel = workbench.tabPage;
    await insist(() => workbench.command("Strata: Tools and Rules"), server("everything", "needs approval"));
    await server("files", "").click();
    const consent = panel.getByRole("region", { name: "Allow files?" });
    assert.match(await consent.innerText(), /server-filesystem\/dist\/index\.js/);
    assert.match(await consent.innerText(), /FILES_TOKEN/);
    assert.doesNotMatch(await consent.innerText(), /hidden/);
    await workbench.screenshot("vscode-servers-consent");
    await button("Allow").click();
    await server("files", "running").waitFor();
    await tool("read_text_file").waitFor();
    await server("everything", "").click();
    await button("Allow").click();
    await server("everything", "running").waitFor();
    await tool("echo").click();
    await panel.getByRole("row", { name: /^simple-prompt/ }).waitFor();
    await workbench.screenshot("vscode-servers");
  });

  soak("walks", () => {
    it("a changed command asks again, and a yes can be taken back", async () => {
      configure([workbench.at("src")]);
      await insist(() => workbench.command("Strata: Tools and Rules"), server("files", "needs approval"));
      // it stands open since it was approved
      await inMenu("everything", "Revoke");
      await server("everything", "needs approval").waitFor();
      await workbench.screenshot("vscode-servers-asked-again");
    });

    it("signs in through the browser, and out", async () => {
      await server("tickets", "").click();
      await button("Allow").click();
      await server("tickets", "needs you to sign in").waitFor();
      await workbench.screenshot("vscode-servers-sign-in");
      const browser = workbench.page.waitForEvent("popup");
      await button("Sign in").click();
      await (await browser).getByText("You can close this page and go back to Strata.").waitFor();
      await server("tickets", "running").waitFor();
      await tool("search").waitFor();
      await workbench.screenshot("vscode-servers-signed-in");
      await inMenu("tickets", "Sign out");
      await server("tickets", "starts when needed").waitFor();
      await workbench.screenshot("vscode-servers-signed-out");
    });
  });
});
