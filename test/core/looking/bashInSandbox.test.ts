/** Bash, where a command has to run in the sandbox, and what is said of it. */

import assert from "node:assert/strict";
import { NO_SANDBOX } from "../../../src/core/ground/ports/shell";
import { MOVED } from "../../../src/core/tool/tool";
import { pluck } from "../../fakes/pluck";
import type { ShellScript } from "../../fakes/shell";
import { Harness } from "./harness";

const sandboxed = (script: ShellScript = {}) => {
  const harness = new Harness({}, { shell: { "*": script } });
  harness.inSandbox = true;
  return harness;
};
const printing = (text: string, exitCode = 1): ShellScript => ({ output: [["stderr", text]], exitCode });
const noteOf = (text: string) => text.split("\n").find(line => line.startsWith("This ran in the sandbox."));

describe("Bash in the sandbox", () => {
  it("runs there where it has to, and says so on its card; else as ever", async () => {
    const harness = sandboxed({ output: [["stdout", "ok\n"]] });
    const { digest, data, text } = await harness.call("Bash", { command: "npm test" });
    assert.equal(digest, "Bash npm test exit 0 · in the sandbox · 100 ms · ok");
    assert.deepEqual([data.sandbox, text], [true, "ok"]);
    const { detail, binding } = await harness.prepare("Bash", { command: "npm test" });
    assert.deepEqual(detail.type === "command" && detail.sandbox, harness.sandbox);
    harness.inSandbox = false;
    const outside = await harness.prepare("Bash", { command: "npm test" });
    assert.equal(outside.detail.type === "command" && outside.detail.sandbox, undefined);
    assert.notEqual(outside.binding, binding);
    assert.equal((await harness.call("Bash", { command: "npm test" })).digest, "Bash npm test exit 0 · 100 ms · ok");
    assert.deepEqual(pluck(harness.shell.runs, "sandbox"), [harness.sandbox, NO_SANDBOX]);
  });

  it("is confined where that was decided after it was prepared, and never set free", async () => {
    const harness = sandboxed();
    const confined = await harness.prepare("Bash", { command: "x" });
    harness.inSandbox = false;
    const free = await harness.prepare("Bash", { command: "y" });
    await confined.perform(harness.context);
    await free.perform({ ...harness.context, unasked: "write" });
    assert.deepEqual(pluck(harness.shell.runs, "sandbox"), [harness.sandbox, harness.sandbox]);
    harness.kept = ["/ws/data"];
    await confined.perform(harness.context);
    assert.deepEqual(harness.shell.runs.at(-1)?.sandbox, { ...harness.sandbox, keeps: ["/ws/data"] });
    harness.sandbox = { kind: "sandbox", network: ["example.com"], access: "write" };
    assert.equal(await confined.perform(harness.context), MOVED, "it was allowed without a network");
  });

  it("does not run where there is no sandbox, and says what gets it", async () => {
    const harness = sandboxed();
    harness.sandboxState = { kind: "missing", why: "It needs bubblewrap.", command: "sudo apt install bubblewrap" };
    const { status, text } = await harness.call("Bash", { command: "npm test" });
    assert.equal(status, "IO");
    assert.match(text, /^Nothing ran: .* It needs bubblewrap\. To get it: `sudo apt install bubblewrap` Tell the user/);
    assert.deepEqual(harness.shell.runs, []);
  });

  it("says what the sandbox refused, and the way out", async () => {
    const check = async (script: ShellScript, words: RegExp | undefined) => {
      const { text } = await sandboxed(script).call("Bash", { command: "make" });
      if (words) assert.match(noteOf(text) ?? "", words, text);
      else assert.equal(noteOf(text), undefined, text);
    };
    const way = /outside_sandbox: true; the user is asked\.$/;
    await check(
      printing("touch: cannot touch '/x': Read-only file system"),
      /write only in the workspace and in a \/tmp/,
    );
    await check(printing("Error: EROFS: read-only file system", 0), way);
    await check(printing("cat: .env: Permission denied"), /It hides secrets .*\.git\/config/);
    await check(
      printing("error: unable to unlink old 'CLAUDE.md': Device or resource busy"),
      /rules files.*run that command outside/,
    );
    await check(printing("Cannot connect to the Docker daemon at unix:///x"), /no services of this machine/);
    await check(printing("curl: (6) Could not resolve host: example.com"), /It reaches no network\./);
    await check(printing("npm error code EAI_AGAIN"), way);
    await check(
      printing("cat: /home/ann/.ssh/config: No such file or directory"),
      /Of home folders .* strata\.bash\.read\./,
    );
    await check(printing("cat: src/x: No such file or directory"), undefined);
    await check(printing("tests failed"), undefined);
    await check(printing("find: '/x': Permission denied", 0), undefined);
    await check({ refusedHosts: ["evil.org"] }, /It did not let commands reach evil\.org\./);
    await check(
      { ended: "refused", exitCode: null, refused: [{ path: "/ws/app/.vscode", now: "/tmp/x" }] },
      /It must not make \/ws\/app\/\.vscode; what was made lies in \/tmp\/x\./,
    );
  });

  it("names the hosts that are allowed, and no way out where there is none", async () => {
    const harness = sandboxed(printing("getaddrinfo ENOTFOUND x"));
    harness.sandbox = { kind: "sandbox", network: ["a.org", "*.b.org"], access: "write" };
    harness.sandboxMode = "required";
    const { text } = await harness.call("Bash", { command: "make" });
    assert.match(noteOf(text) ?? "", /no network but a\.org, \*\.b\.org\. The user lets commands run in it only\.$/);
    const { status, text: refused } = await harness.call("Bash", { command: "make", outside_sandbox: true });
    assert.equal(status, "INVALID_INPUT");
    assert.match(refused, /in the sandbox only/);
  });

  it("says what one that only reads cannot do", async () => {
    for (const [output, words] of [
      ["x: Read-only file system", /only reads writes nothing but in a \/tmp/],
      ["getaddrinfo ENOTFOUND x", /It reaches no network\. /],
    ] as const) {
      const harness = sandboxed(printing(output));
      harness.sandbox = { kind: "sandbox", network: ["a.org"], access: "read" };
      assert.match(noteOf((await harness.call("Bash", { command: "make" })).text) ?? "", words);
    }
  });

  it("is silent about it outside", async () => {
    const harness = new Harness({}, { shell: { "*": printing("x: Read-only file system") } });
    assert.equal(noteOf((await harness.call("Bash", { command: "x", outside_sandbox: true })).text), undefined);
  });

  it("says what ended it", async () => {
    const { status, text, digest } = await sandboxed({
      ended: "refused",
      refused: [{ path: "/ws/.git", now: "" }],
    }).call("Bash", { command: "git init" });
    assert.equal(status, "EXIT");
    assert.match(text, /^The sandbox ended the command after 100 ms\./);
    assert.match(digest, /ended by the sandbox/);
  });
});
