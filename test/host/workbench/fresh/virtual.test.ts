/** A workspace on no disk, as a person meets it: the whole of Strata works there, but for commands. */
import assert from "node:assert/strict";
import type { OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { call } from "../../changing";
import { inWorkbench } from "../../workbench";

const told = (request: OfflineRequest, callId: string) =>
  request.messages.find(message => message.callId === callId)?.text ?? "";

describe("a workspace on no disk", () => {
  const file_path = "src/total.js";
  const seen: Record<string, string> = {};
  const workbench = inWorkbench({
    fresh: true,
    virtual: true,
    settings: {
      "strata.permissions.mode": "auto",
      "strata.permissions.runEverything": true,
    },
    script: request => {
      const calls = request.messages.filter(message => message.role === "tool").length;
      for (const { callId, text } of request.messages) if (callId) seen[callId] = text;
      if (calls === 0) {
        seen.system = request.messages.find(message => message.role === "system")?.text ?? "";
        return {
          calls: [
            call("ls", "LS", { depth: 2 }),
            call("grep", "Grep", { pattern: "reduce\\(" }),
            call("glob", "Glob", { pattern: "**/*.md" }),
            call("read", "Read", { file_path }),
          ],
        };
      }
      if (calls === 4) {
        return {
          text: "The prices are subtracted, not added.",
          calls: [
            call("edit", "Edit", { file_path, old_string: "a - b", new_string: "a + b" }),
            call("write", "Write", { file_path: "test/total.test.js", content: "// to be written\n" }),
            call("bash", "Bash", { command: "npm test" }),
          ],
        };
      }
      if (calls === 7) return { calls: [call("again", "Read", { file_path })] };
      seen.again = told(request, "again");
      return { text: "Fixed: the total adds up now. I could not run the tests here." };
    },
  });

  it("is read, searched and edited; commands are refused with the reason", async () => {
    const { panel } = workbench;
    await workbench.send("Why is the total of @src/total.js wrong?");
    await panel.getByText("I could not run the tests here").last().waitFor();
    await workbench.screenshot("vscode-virtual");
    await panel.getByRole("button", { name: /diff/i }).first().click();
    await workbench.page.locator(".monaco-diff-editor .view-line").first().waitFor();
    assert.match(seen.ls ?? "", /src\/\n\s+total\.js/);
    assert.match(seen.grep ?? "", /src\/total\.js/);
    assert.match(seen.glob ?? "", /README\.md/);
    assert.match(seen.read ?? "", /a - b/);
    assert.match(seen.edit ?? "", /^Edited src\/total\.js: line 1, \+1 −1, saved\./);
    assert.match(seen.write ?? "", /^Created test\/total\.test\.js/);
    assert.match(seen.bash ?? "", /^INVALID_INPUT: Commands need/);
    assert.match(seen.again ?? "", /a \+ b/);
    assert.match(seen.system ?? "", /memory:\/\/\/app[\s\S]*commands cannot reach it: app/);
  });
});
