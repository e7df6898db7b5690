/** What `--trust` agreed to is what stood there when the run began, to the byte; what comes later starts nothing, or in the sandbox. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import { needsSandbox } from "../node/sandbox/inSandbox";
import { program, runArgs, said, withModel } from "../program/program";

describe("attacks by what the agent writes where --trust was given", function () {
  needsSandbox(this);
  this.timeout(180_000);
  const { place, strata } = program();
  const write = (file_path: string, content: string) => ({ name: "Write", input: { file_path, content } });
  const bash = (command: string, more = {}) => ({ name: "Bash", input: { command, ...more } });
  const find = { name: "FindTools", input: { server: "own" } };
  const list = { name: "LS", input: { path: "." } };
  const server = (mark: string) => `require("fs").writeFileSync(${JSON.stringify(mark)}, "");\n`;
  /** @param begin files as the run begins; `srv.js` is a server's, `guard.js` a hook's @param calls what the model does then */
  const run = async (begin: Record<string, string>, calls: (mark: string) => object[]) => {
    const at = { ...place(), env: { STRATA_PERMISSIONS_RUN_EVERYTHING: "false" } };
    const mark = join(at.home, "ran");
    const named = { mcpServers: { own: { command: process.execPath, args: ["srv.js"] } } };
    const hook = { type: "command", command: `"${process.execPath}" guard.js` };
    const files = {
      ".mcp.json": JSON.stringify(named),
      ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ matcher: "LS", hooks: [hook] }] } }),
      ...begin,
    };
    mkdirSync(join(at.workspace, ".claude"));
    for (const [path, text] of Object.entries(files))
      writeFileSync(join(at.workspace, path), text.replaceAll("MARK", JSON.stringify(mark)));
    const steps = calls(mark);
    const { err, out } = await withModel(
      request => {
        const call = steps[said(request).length];
        return (call ? { calls: [call] } : { text: "Done." }) as OfflineAnswer;
      },
      url => strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "go")),
    );
    return { text: out + err, ran: existsSync(mark) };
  };
  const changed = /srv\.js has changed since you approved it|--trust approves only what stood there then/;

  for (const [way, begin, calls] of [
    ["a script that it writes", {}, mark => [write("srv.js", server(mark)), find]],
    ["one that a command copies there", {}, mark => [write("b.js", server(mark)), bash("cp b.js srv.js"), find]],
    [
      "one that a task in the background makes",
      { "srv.js": "" },
      mark => [
        write("b.js", server(mark)),
        bash("cp b.js srv.js; sleep 2", { run_in_background: true }),
        bash("until cmp -s b.js srv.js; do sleep 0.1; done"),
        find,
      ],
    ],
    [
      "one that was put back as it was in another repository",
      { "srv.js": "", "b.js": "require('fs').writeFileSync(MARK, '')" },
      () => [bash("mv b.js srv.js"), find],
    ],
  ] as [string, Record<string, string>, (mark: string) => object[]][])
    it(`a server does not start with ${way}`, async () => {
      const { text, ran } = await run(begin, calls);
      assert.equal(ran, false);
      assert.match(text, changed);
    });

  describe("what a script loads, which no agreement covers", () => {
    const loads = 'require("./b.js");';

    it("runs in the sandbox where a server loads it, which is told", async () => {
      const { text, ran } = await run({ "srv.js": loads }, mark => [write("b.js", server(mark)), find]);
      assert.equal(ran, false);
      assert.match(text, /It runs in the sandbox, .* set "sandbox": false in its entry/);
    });

    it("runs in the sandbox where a hook loads it", async () => {
      const guard = `try { ${loads} } finally { console.error("guarded"); process.exit(2); }`;
      const { text, ran } = await run({ "guard.js": guard }, mark => [write("b.js", server(mark)), list]);
      assert.equal(ran, false);
      assert.match(text, /guarded/, "what it says counts");
    });

    it("runs outside where the entry says so, which is agreed to", async () => {
      const own = { command: process.execPath, args: ["srv.js"], sandbox: false };
      const begin = { "srv.js": loads, ".mcp.json": JSON.stringify({ mcpServers: { own } }) };
      const { text, ran } = await run(begin, mark => [write("b.js", server(mark)), find]);
      assert.equal(ran, true, text);
    });
  });

  it("a hook does not run with a script that it writes", async () => {
    const { text, ran } = await run({}, mark => [write("guard.js", server(mark)), list]);
    assert.equal(ran, false);
    assert.match(text, /has hooks that need your approval: \.claude\/settings\.json/);
  });
});
