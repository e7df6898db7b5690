/** What messages attach in a terminal: what Git says of the workspace, and a sentence for what only editors have. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { terminalAttachments } from "../../src/terminal/run";
import { program, runArgs, withModel } from "./program";

const signal = new AbortController().signal;

describe("attachments in a terminal", () => {
  it("need trust, and are a sentence where an editor is needed", async () => {
    const found = { root: "/ws", staged: "", unstaged: "", untracked: [] };
    const at = (trusted: boolean) =>
      terminalAttachments(
        "/ws",
        () => trusted,
        async () => found,
      );
    assert.deepEqual(await at(true).changes(signal), [found]);
    assert.deepEqual(await at(false).changes(signal), {
      nothing: "This workspace is not trusted, so Git is not run in it (--trust lets it run).",
    });
    assert.match(JSON.stringify(await at(true).problems(signal)), /Problems can be attached in the editor only/);
  });
});

describe("attachments, as a user of the terminal sees them", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  it("are said on the way, and reach the model", async () => {
    let asked: OfflineRequest | undefined;
    const script = (request: OfflineRequest) => {
      asked = request;
      return { text: "Seen." };
    };
    await withModel(script, async url => {
      const at = place();
      execFileSync("git", ["init", "-q"], { cwd: at.workspace });
      const { code, err } = await strata(at, runArgs(at, url, "--trust", "--prompt", "look at @changes and @problems"));
      assert.equal(code, 0);
      assert.match(
        err,
        /\n?· Attached: 1 untracked file\n· Nothing attached for @problems: Problems can be attached in the editor only/,
      );
      const [changes, problems] = asked?.messages.slice(-2).map(({ text }) => text) ?? [];
      assert.match(
        changes ?? "",
        /^<attachment name="@changes" [^>]*>\n1 untracked file\nRepository [^\n]*\nNot tracked: a\.txt\n<\/attachment>$/,
      );
      assert.match(problems ?? "", /^<system-reminder>\n[^\n]*@problems[^\n]*: Problems can be/);
    });
  });
});
