/** A workspace that was moved or renamed: its sessions are named where somebody looks for them. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { program, withModel } from "./program";

describe("a workspace that was moved", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  it("has its sessions named, and they go on from there", () =>
    withModel(
      request => ({ text: `I have ${request.messages.length} messages.` }),
      async url => {
        const at = place();
        const model = ["--base-url", url, "--model", "offline-model", "--mode", "auto"];
        const on = (folder: string, ...args: string[]) => strata(at, [...args, "--workspace", folder]);
        const before = join(at.home, "old 'name'");
        const after = join(at.home, "new");
        renameSync(at.workspace, before);
        assert.equal((await on(before, "run", ...model, "--prompt", "go")).code, 0);
        const all = join(at.home, "state/strata/workspaces");
        const storage = join(all, readdirSync(all)[0] ?? "");
        assert.equal(readFileSync(join(storage, "folder"), "utf8"), `${before}\n`);
        // As long as it is there, nothing is said of it elsewhere.
        mkdirSync(after);
        assert.deepEqual(await on(after, "list"), { code: 0, out: "No sessions in this workspace yet.\n", err: "" });
        rmSync(after, { recursive: true });
        renameSync(before, after);
        const list = await on(after, "list");
        assert.equal(list.out, "No sessions in this workspace yet.\n");
        const id = readdirSync(join(storage, "sessions")).find(name => name.startsWith("ses_")) ?? "";
        const named = new RegExp(`was moved or renamed.*--session ID.*\\n {2}.*old 'name': ${id} \\(go\\)\\n$`);
        assert.match(list.err, named);
        const none = await on(after, "run", ...model, "--continue", "--prompt", "more");
        assert.equal(none.code, 2);
        assert.match(none.err, /was moved or renamed[\s\S]*There is no session to continue/);
        assert.equal((await on(after, "list", "--json")).err, "");
        const there = await on(after, "run", ...model, "--continue", "--storage", storage, "--prompt", "more");
        assert.deepEqual([there.code, there.out.trim()], [0, "I have 5 messages."]);
        assert.equal(readFileSync(join(storage, "folder"), "utf8"), `${before}\n`);
        // As long as its folder is there it belongs to that.
        mkdirSync(before);
        const refused = await on(after, "run", ...model, "--session", id, "--prompt", "more");
        assert.deepEqual([refused.code, refused.out], [2, ""]);
        assert.match(
          refused.err,
          new RegExp(`Session ${id} is of .*old 'name': go on with it there, or with --workspace`),
        );
        rmSync(before, { recursive: true });
        const more = await on(after, "run", ...model, "--session", id, "--prompt", "more");
        assert.deepEqual([more.code, more.out.trim()], [0, "I have 7 messages."]);
        assert.match(more.err, /old 'name', which is not there any more: from here on it is of this workspace\.\n/);
        assert.deepEqual(
          readdirSync(join(storage, "sessions")).filter(name => name === id),
          [],
        );
        const again = await on(after, "run", ...model, "--continue", "--prompt", "more");
        assert.deepEqual([again.code, again.out.trim()], [0, "I have 9 messages."]);
        assert.doesNotMatch(again.err, /not there any more/);
        assert.match((await on(after, "show", id)).out, /more/);
        // A storage of one's own says nothing of where it belongs.
        assert.equal((await on(after, "run", ...model, "--storage", at.storage, "--prompt", "go")).code, 0);
        assert.ok(!existsSync(join(at.storage, "folder")));
      },
    ));
});
