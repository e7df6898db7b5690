/** A workspace that was moved or renamed: its sessions are found where they lie. */
import assert from "node:assert/strict";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { program, withModel } from "./program";

describe("a workspace that was moved", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  it("has a session refused with the storage that it lies in, with which it goes on", () =>
    withModel(
      request => ({ text: `I have ${request.messages.length} messages.` }),
      async url => {
        const at = place();
        const model = ["--base-url", url, "--model", "offline-model", "--mode", "auto"];
        const on = (folder: string, ...args: string[]) => strata(at, [...args, "--workspace", folder]);
        const after = join(at.home, "new");
        assert.equal((await on(at.workspace, "run", ...model, "--prompt", "go")).code, 0);
        const all = join(at.home, "state/strata/workspaces");
        const storage = join(all, readdirSync(all)[0] ?? "");
        const id = readdirSync(join(storage, "sessions")).find(name => name.startsWith("ses_")) ?? "";
        renameSync(at.workspace, after);
        const more = ["run", ...model, "--session", id, "--prompt", "more"];
        const refused = await on(after, ...more);
        assert.deepEqual([refused.code, refused.out], [2, ""]);
        assert.match(refused.err, new RegExp(`Session ${id} lies in ${storage}: name that with --storage`));
        assert.match((await on(after, "show", id)).err, /name that with --storage/);
        const there = await on(after, ...more, "--storage", storage);
        assert.deepEqual([there.code, there.out.trim()], [0, "I have 5 messages."]);
      },
    ));
});
