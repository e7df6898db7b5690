/** Hooks as files have them, run for real: what is understood is done, what is not is named. */

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookFile, Shell, ShellRun } from "../../../../src/core/ground/ports";
import { readHooks } from "../../../../src/core/guidance/hooks/entry";
import { hookFacts, lookAtHooks } from "../../../../src/core/guidance/hooks/report";
import { SessionHooks } from "../../../../src/core/guidance/hooks/sessionHooks";
import { NodeShell } from "../../../../src/node/shell/shell";
import { nodeClock, nodeHash } from "../../../../src/node/system";
import { eventually } from "../../../fakes/eventually";
import { agreedHooks } from "../../../fakes/hooks";
import { asItIs } from "../../../fakes/redact";
import { temporaryFolder } from "../../../fakes/temporary";
import { entryFiles, hookRows } from "./entryTable";

describe("entries of hooks", function () {
  this.timeout(60_000);
  if (process.platform === "win32") return;
  const folder = temporaryFolder("entry");
  before(() => {
    for (const [path, text] of Object.entries(entryFiles)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), path.endsWith(".sh") ? `#!/bin/sh\n${text}` : text);
      chmodSync(join(folder, path), 0o755);
    }
  });

  /** A session with the file's hooks; what their processes printed. */
  function session(hooks: object) {
    const file: HookFile = { path: "hooks.json", text: JSON.stringify({ hooks }), system: "linux" };
    const printed: string[] = [];
    const real = new NodeShell({ killAfterMs: 100 });
    const shell: Shell = {
      name: real.name,
      async run(run: ShellRun) {
        const chunks: Uint8Array[] = [];
        const outcome = await real.run({
          ...run,
          onOutput(stream, chunk) {
            if (stream === "stdout") chunks.push(chunk);
            return run.onOutput(stream, chunk);
          },
        });
        printed.push(Buffer.concat(chunks).toString());
        return outcome;
      },
    };
    const made = new SessionHooks({
      ...{ hooks: agreedHooks(file), shell, clock: nodeClock, hash: nodeHash, logger: { log: () => undefined } },
      ...{ sessionId: "s1", transcript: "", folder: () => folder, mode: () => "ask", redact: asItIs },
      synced: async () => undefined,
      note: async () => undefined,
    });
    return { file, printed, session: made };
  }
  const never = new AbortController().signal;
  const call = { names: ["Bash"], fields: { tool_name: "Bash", tool_input: { command: "make all" } } };

  for (const { name, written = "PreToolUse", entry, event = "PreToolUse", prints, problem, notes = [] } of hookRows)
    it(name, async () => {
      // One that is broken never loses the others.
      const made = session({ Notification: [{ command: "printf other" }], [written]: [entry] });
      await made.session.fire(event, event === "PreToolUse" ? call : { fields: { prompt: "p" } }, never);
      if (typeof prints === "string") assert.deepEqual(made.printed, [prints]);
      else if (prints) assert.match(made.printed[0] ?? "", prints);
      else assert.deepEqual(made.printed, []);
      const set = readHooks(made.file);
      assert.ok(set.hooks.some(hook => hook.event === "Notification"));
      assert.equal(set.problems.length, problem ? 1 : 0, set.problems.join("\n"));
      if (problem) assert.match(set.problems[0] ?? "", problem);
      assert.equal(set.notes.length, notes.length, set.notes.join("\n"));
      for (const [at, note] of notes.entries()) assert.match(set.notes[at] ?? "", note);
      const { files } = await lookAtHooks(agreedHooks(made.file), nodeHash);
      for (const each of [...set.problems, ...set.notes]) assert.ok(files[0]?.problems.includes(each), each);
    });

  it("a hook is for the calls of its rule alone", async () => {
    const made = session({
      PreToolUse: [{ matcher: "Bash", hooks: [{ command: "exit 2", if: "Bash(git commit:*)" }] }],
    });
    const fire = (command: string) =>
      made.session.fire("PreToolUse", { names: ["Bash"], fields: { tool_input: { command } } }, never);
    assert.equal((await fire("ls")).decision, undefined);
    assert.equal(made.printed.length, 0, "it did not run");
    assert.equal((await fire("git add -A && git commit -m x")).decision, "deny");
  });

  it("once runs once a session", async () => {
    const made = session({ PreToolUse: [{ command: "printf x", once: true }] });
    for (const _ of [1, 2]) await made.session.fire("PreToolUse", call, never);
    assert.deepEqual(made.printed, ["x"]);
  });

  for (const field of ["async", "asyncRewake"])
    it(`${field}: nobody waits for it, it decides nothing, what it tells comes later, and the list says so`, async () => {
      const said = '{"permissionDecision":"deny","additionalContext":"it was slow"}';
      const command = `while [ ! -e go ]; do sleep 0.02; done; echo '${said}'`;
      const made = session({ PreToolUse: [{ command, [field]: true }] });
      const fired = await made.session.fire("PreToolUse", call, never);
      assert.deepEqual([fired.decision, fired.runs, made.printed], [undefined, [], []]);
      writeFileSync(join(folder, "go"), "");
      const later = await eventually("it has told", () => {
        const texts = made.session.takeLater();
        return texts.length > 0 && texts;
      });
      rmSync(join(folder, "go"));
      assert.match(later.join(), /it was slow/);
      const [hook] = readHooks(made.file).hooks;
      assert.deepEqual(hook && hookFacts(hook), ["in the background, decides nothing"]);
    });

  it("one that runs beside ends with the session, and with Stop", async () => {
    const command = (name: string) => `echo $$ > ${name}; sleep 1000`;
    for (const [name, end] of [
      ["left", (hooks: SessionHooks) => hooks.end(AbortSignal.abort())],
      ["stopped", undefined],
    ] as const) {
      const stop = new AbortController();
      const made = session({ PreToolUse: [{ command: command(name), async: true }] });
      await made.session.begin("startup", never);
      await made.session.fire("PreToolUse", call, stop.signal);
      await eventually("it runs", () => existsSync(join(folder, name)));
      if (end) await end(made.session);
      else stop.abort();
      await eventually("it ended", () => made.printed.length === 1);
    }
  });

  it("moments that stand under no hooks are named", () => {
    const text = JSON.stringify({ version: 1, preToolUse: [{ bash: "printf x" }] });
    const { hooks, problems } = readHooks({ path: ".github/hooks/a.json", folder: "/ws", text });
    assert.equal(hooks.length, 0);
    assert.match(problems.join(), /"preToolUse" in \.github\/hooks\/a\.json is ignored/);
  });

  it("one that is to fail closed says no where it fails; another does not", async () => {
    for (const failClosed of [true, false]) {
      const made = session({ PreToolUse: [{ command: "nowhere-to-be-found", failClosed }] });
      const { decision } = await made.session.fire("PreToolUse", call, never);
      assert.equal(decision, failClosed ? "deny" : undefined);
    }
  });
});
