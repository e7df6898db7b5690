/** What begins with a slash or names a resource, in the terminal: prompts of servers, and what is to be typed instead of a command. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packaged } from "../fakes/mcp";
import { inPlace, type Place, program, runArgs, withModel } from "./program";

describe("strata run with words for servers", function () {
  this.timeout(120_000);
  const { place, strata } = program();

  function configured(): Place {
    const at = place();
    mkdirSync(join(at.workspace, ".vscode"));
    const servers = { everything: packaged("server-everything", "stdio") };
    writeFileSync(join(at.workspace, ".vscode/mcp.json"), JSON.stringify({ servers }));
    return at;
  }

  it("sends what a server's prompt says and what a resource has, and tells of both", async () => {
    const at = configured();
    const seen: string[] = [];
    const script = (request: { body: unknown }) => {
      seen.push(JSON.stringify(request.body));
      return { text: "Done." };
    };
    await withModel(script, async url => {
      const prompt = "/everything:args-prompt Bologna, with @everything:demo://resource/dynamic/text/3";
      const ran = await strata(at, runArgs(at, url, "--trust", "--prompt", prompt));
      assert.equal(ran.code, 0, ran.err);
      assert.match(seen[0] ?? "", /attachment name=\\"\/everything:args-prompt\\".*Bologna/);
      assert.match(seen[0] ?? "", /attachment name=\\"@everything:demo:\/\/resource\/dynamic\/text\/3\\"/);
      assert.equal((ran.out + ran.err).match(/Attached: /g)?.length, 2, ran.out + ran.err);
      const untrusted = await strata(at, runArgs(at, url, "--prompt", "/everything:args-prompt Rome"));
      assert.deepEqual([untrusted.code, seen.length], [2, 1], "no server of an untrusted workspace");
      assert.match(untrusted.err, /There is no command \/everything:args-prompt\./);
      const unknown = await strata(at, runArgs(at, url, "--trust", "--prompt", "/everything:arg-prompt Rome"));
      assert.deepEqual([unknown.code, seen.length], [2, 1], "its list is kept by now");
      assert.match(unknown.err, /Did you mean \/everything:args-prompt\?/);
      const path = await strata(at, runArgs(at, url, "--prompt", "/etc/hosts is odd"));
      assert.deepEqual([path.code, seen.length], [0, 2], path.err);
    });
  });

  it("a command of the panel is none here, and the cost of a session is printed", async () => {
    const at = place();
    await withModel(undefined, async url => {
      const asked = await strata(at, runArgs(at, url, "--prompt", "/mode"));
      assert.equal(asked.code, 2);
      assert.match(asked.err, /\/mode is not a prompt in the terminal\./);
      const { err } = await strata(at, runArgs(at, url, "--prompt", "hello"));
      const [, id = ""] = /Session (\S+)/.exec(err) ?? [];
      const shown = await strata(at, ["show", id, "--cost", ...inPlace(at)]);
      assert.equal(shown.code, 0, shown.err);
      assert.match(
        shown.out,
        /^This session: .* tokens read.*\n {2}All by offline-model, in \d+ requests?\n.*\nNo cost limit /,
      );
    });
  });
});
