/** `strata.bash.sandbox` in a real VS Code: a command is confined, and works. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../fakes/eventually";
import { withSettings } from "../settings";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata } from "../strata";

const OUTSIDE = "strata-host-test-outside";

describe("the sandbox in VS Code", () => {
  let strata: Strata | undefined;
  afterEach(async () => {
    await strata?.dispose();
    strata = undefined;
  });

  it("required: the command writes in the workspace alone, and its card says where it ran", async function () {
    await withSettings({ "strata.bash.sandbox": "required" }, async () => {
      strata = await startStrata("ask");
      const command = `echo in > sandboxed.txt; cat .env 2>&1; echo out > ~/${OUTSIDE}`;
      strata.play({ calls: [{ id: "c", name: "Bash", input: { command } }] }, { text: "Done." });
      const { panel } = strata;
      const turn = strata.turn("run it");
      // Where there is no sandbox nothing is asked.
      const asked = await eventually("a question, or the end of the turn", () =>
        panel.records.find(({ kind }) => kind === "approval" || kind === "turnEnd"),
      );
      if (asked.kind === "approval") {
        const { detail } = asked.action;
        assert.deepEqual(detail.type === "command" && detail.sandbox, {
          kind: "sandbox",
          network: [],
          access: "write",
        });
        await panel.request("answer", { approvalId: asked.approvalId, decision: "allow", scope: "once" });
      }
      await turn;
      const { forms, digest, error } = resultOf(panel, "c");
      if (/does not work/.test(error?.message ?? "")) {
        console.log(`      skipped: ${error?.message}`);
        this.skip();
      }
      assert.match(forms.shown, /Read-only file system[\s\S]*in the sandbox/);
      assert.match(digest, /in the sandbox/);
      assert.equal(await onDisk("sandboxed.txt"), "in\n");
      assert.ok(existsSync(inWorkspace("sandboxed.txt")));
      assert.equal(existsSync(join(homedir(), OUTSIDE)), false);
    });
  });
});
