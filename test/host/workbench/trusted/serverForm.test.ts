/** A server that others wrote, in a real VS Code: it starts after a yes to its exact command, and asks with a form. */
import { join } from "node:path";
import { root } from "../../../../scripts/lib/install.mjs";
import type { OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { soak } from "../../../fakes/soak";
import { toldSince } from "../../toldSince";
import { inWorkbench } from "../../workbench";

const program = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const every = { command: process.execPath, args: [program, "stdio"] };

function play(request: OfflineRequest) {
  const told = toldSince(request);
  const last = told.at(-1) ?? "";
  if (told.length === 0) return { calls: [{ name: "FindTools", input: { server: "every", query: "elicitation" } }] };
  if (told.length === 1) return { calls: [{ name: "mcp__every__trigger-elicitation-request", input: {} }] };
  return { text: /Ada/.test(last) ? "The server knows Ada." : `The server says: ${last.slice(0, 300)}` };
}

soak("walks", () => {
  describe("the form of an MCP server", () => {
    const workbench = inWorkbench({
      ...{ script: play, viewport: { width: 1400, height: 1000 } },
      files: { ".vscode/mcp.json": JSON.stringify({ servers: { every } }) },
    });

    it("is filled in by keys, once its start and the call were agreed to", async () => {
      const { panel } = workbench;
      await workbench.send("Ask me who I am");
      const form = panel.getByRole("form", { name: "The MCP server every asks you" });
      const allow = async (title: string) => {
        const card = panel.locator(".approval").filter({ hasText: title });
        await card.getByRole("button", { name: "Allow", exact: true }).press("Enter");
        await card.waitFor({ state: "detached" });
      };
      await panel.getByText("Start the MCP server every?").last().waitFor();
      await workbench.screenshot("vscode-server-consent");
      await allow("Start the MCP server every?");
      await allow("trigger-elicitation-request");
      await form.waitFor();
      await form.getByRole("textbox", { name: "String", exact: true }).focus();
      const { keyboard } = workbench.page;
      await keyboard.type("Ada");
      await keyboard.press("Enter");
      await keyboard.press("Space");
      await workbench.screenshot("vscode-form");
      await keyboard.press("Control+Enter");
      await panel.getByText("The server knows Ada.").last().waitFor();
      await workbench.screenshot("vscode-form-submitted");
    });
  });
});
