/** A person's own hooks and permissions: a yes opens nothing that rules close, a changed input is decided about anew. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import { type Place, program, runArgs, withAnswers } from "./program";

const bash = (command: string): OfflineAnswer => ({ calls: [{ name: "Bash", input: { command } }] });

describe("hooks and permissions", function () {
  this.timeout(180_000);
  if (process.platform === "win32") return;
  const { place, strata } = program();

  /** A person with one hook, which prints this. */
  function withHook(event: string, output: object, before = ""): Place {
    const at = { ...place(), env: { STRATA_PERMISSIONS_RUN_EVERYTHING: "false", STRATA_BASH_SANDBOX: "off" } };
    mkdirSync(join(at.home, ".claude"));
    writeFileSync(join(at.home, "answer.json"), JSON.stringify({ hookSpecificOutput: output }));
    const hooks = [{ type: "command", command: `${before}cat "${join(at.home, "answer.json")}"` }];
    writeFileSync(
      join(at.home, ".claude/settings.json"),
      JSON.stringify({ hooks: { [event]: [{ matcher: "*", hooks }] } }),
    );
    return at;
  }
  const has = (at: Place, name: string) => existsSync(join(at.workspace, name));
  const run = (at: Place, answers: OfflineAnswer[], ...more: string[]) =>
    withAnswers(answers, url => strata(at, runArgs(at, url, "--trust", ...more, "--prompt", "go")));
  const yes = { permissionDecision: "allow", permissionDecisionReason: "fine" };

  it("a yes answers what a mode would ask", async () => {
    const at = withHook("PreToolUse", yes);
    const { code, err } = await run(at, [bash("touch made.txt")], "--mode", "ask");
    assert.equal(code, 0, err);
    assert.ok(has(at, "made.txt"));
  });

  it("a yes opens nothing that a rule or protection closes", async () => {
    const denied = withHook("PreToolUse", yes);
    await run(denied, [bash("touch made.txt")], "--mode", "auto", "--deny", "Bash(touch *)");
    assert.equal(has(denied, "made.txt"), false);
    const asks = withHook("PreToolUse", yes);
    assert.equal((await run(asks, [bash("touch made.txt")], "--mode", "auto", "--ask", "Bash(touch *)")).code, 3);
    assert.equal(has(asks, "made.txt"), false);
    const path = withHook("PreToolUse", yes);
    const write = { calls: [{ name: "Write", input: { file_path: ".git/hooks/pre-commit", content: "x" } }] };
    assert.equal((await run(path, [write], "--mode", "auto")).code, 3);
    assert.equal(has(path, ".git/hooks/pre-commit"), false);
  });

  it("a changed input is what runs, after it was decided about itself", async () => {
    const input = { command: "touch other.txt" };
    const changed = withHook("PreToolUse", { updatedInput: input });
    const { last, err } = await run(changed, [bash("touch made.txt")], "--mode", "ask", "--allow", "Bash(touch *)");
    assert.deepEqual([has(changed, "made.txt"), has(changed, "other.txt")], [false, true], err);
    assert.match(last, /A hook changed the input of this call\. What ran is: .*touch other\.txt/);
    const denied = withHook("PreToolUse", { ...yes, updatedInput: input });
    await run(denied, [bash("echo hi")], "--mode", "auto", "--deny", "Bash(touch *)");
    assert.equal(has(denied, "other.txt"), false);
  });

  it("a changed input that is none of the tool's is refused", async () => {
    const at = withHook("PreToolUse", { updatedInput: { command: 5 } });
    const { last } = await run(at, [bash("touch made.txt")], "--mode", "ask", "--allow", "Bash(touch *)");
    assert.match(last, /INVALID_INPUT/);
    assert.equal(has(at, "made.txt"), false);
  });

  it("one that changes the file under edit: the edit joins it, or is refused, and loses nothing", async () => {
    const at = withHook("PreToolUse", {}, `case "$(cat)" in *'"tool_name":"Edit"'*) echo theirs >> a.txt;; esac; `);
    const read = { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
    const edit = { calls: [{ name: "Edit", input: { file_path: "a.txt", old_string: "one", new_string: "mine" } }] };
    const { err } = await run(at, [read, edit], "--mode", "edits");
    const text = readFileSync(join(at.workspace, "a.txt"), "utf8");
    assert.match(text, /theirs/, err);
    assert.ok(text === "mine\ntheirs\n" || text === "one\ntheirs\n", text);
  });
});
