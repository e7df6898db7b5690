import assert from "node:assert/strict";
import { runTaskTool } from "../../../src/core/commands/runTask";
import { decide } from "../../../src/core/permissions/policy";
import { parseRules } from "../../../src/core/permissions/rules";
import { noSession, parseInput, policyState } from "../../fakes/call";
import { FakeClock } from "../../fakes/clock";
import { FakeDiagnostics, problem } from "../../fakes/diagnostics";
import { editorTask, FakeTasks } from "../../fakes/editorTasks";
import { MemoryFiles } from "../../fakes/files";

function world() {
  const files = new MemoryFiles({ app: { "a.ts": "one\n", ".env": "x\n" } });
  const diagnostics = new FakeDiagnostics(files, text => (text.includes("bad") ? [problem(1, "it is bad")] : []));
  const clock = new FakeClock();
  const editorTasks = new FakeTasks();
  editorTasks.tasks = [editorTask("build"), editorTask("npm: test"), editorTask("watch", { background: true })];
  const ports = { editorTasks, clock, diagnostics: { source: diagnostics, waitMs: () => 0 } };
  const tool = runTaskTool(ports);
  const stop = new AbortController();
  const prepare = (name: string) => tool.prepare(parseInput(tool, { name }) as { name: string }, noSession());
  /** Moves time on until it is done. */
  const run = async (name: string) => {
    const performed = (await prepare(name)).perform({ ...noSession(), signal: stop.signal });
    await clock.asleep();
    await clock.advance(500);
    const outcome = await performed;
    assert.ok(typeof outcome === "object");
    return outcome.result;
  };
  return { files, diagnostics, clock, editorTasks, tool, stop, prepare, run };
}

describe("RunTask", () => {
  it("runs a task and tells its exit code, and that nobody gets its output", async () => {
    const { run, editorTasks } = world();
    const { status, text, digest } = await run("build");
    assert.deepEqual([status, digest], ["success", "RunTask build · exit 0"]);
    assert.match(text, /^The task build ended with exit code 0 after .*\n.*output of tasks to nobody.*`do build`\.$/);
    assert.deepEqual(editorTasks.ran, ["build"]);
  });

  it("is an error where it fails, with the problems that its matchers found", async () => {
    const { run, editorTasks, files, diagnostics } = world();
    await diagnostics.check("a.ts");
    editorTasks.play = async () => {
      files.put("a.ts", "bad\n");
      await diagnostics.check("a.ts");
      return { exitCode: 2 };
    };
    const { status, error, text } = await run("build");
    assert.deepEqual([status, error?.code], ["error", "EXIT"]);
    assert.match(text, /New problems since:\na\.ts:1:1 error it is bad/);
    editorTasks.play = () => ({ exitCode: 2 });
    assert.doesNotMatch((await run("build")).text, /New problems/);
  });

  it("names the tasks there are", async () => {
    const { prepare, editorTasks } = world();
    await assert.rejects(prepare("lint"), /There is no task lint\. Tasks: build, npm: test, watch\./);
    editorTasks.tasks = [editorTask("build", { folder: "app" }), editorTask("build", { folder: "lib" })];
    await assert.rejects(prepare("build"), /several tasks build: app:build, lib:build/);
    assert.equal((await prepare("lib:build")).title, "Run the task build");
    editorTasks.tasks = [];
    await assert.rejects(prepare("build"), /The editor has none: use Bash/);
  });

  it("shows the exact command, and is asked anew where it changed", async () => {
    const { prepare, editorTasks } = world();
    const first = await prepare("build");
    assert.ok(first.detail.type === "other");
    assert.deepEqual(first.detail.input, { task: "build", command: "do build", folder: "/ws/app" });
    editorTasks.tasks = [editorTask("build", { definition: "with another environment" })];
    const second = await prepare("build");
    assert.notEqual(second.binding, first.binding);
    assert.notEqual(second.dependsOn, first.dependsOn);
  });

  it("asks as a command does, in Auto too, unless a rule allows it by name", () => {
    const action = { toolName: "RunTask", effects: ["command" as const], targets: [], input: { name: "build" } };
    const verdict = (mode: "ask" | "auto" | "plan", allow: string[] = [], trusted = true, runEverything = false) =>
      decide(
        { ...action, detail: { type: "other", summary: "", input: {} }, namesSecret: false, untrusted: undefined },
        policyState({ mode, trusted, rules: parseRules({ allow, ask: [], deny: [] }), runEverything }),
      ).decision;
    assert.deepEqual([verdict("ask"), verdict("auto"), verdict("plan")], ["ask", "ask", "deny"]);
    assert.equal(verdict("auto", ["RunTask(name=build)"]), "allow");
    assert.equal(verdict("auto", ["RunTask(name=test)"]), "ask");
    assert.equal(verdict("auto", ["RunTask"], false), "deny");
    assert.equal(verdict("auto", [], true, true), "ask", "rules for Bash do not see what a task runs");
  });

  it("does not run where every command is to be in the sandbox", async () => {
    const { tool } = world();
    await assert.rejects(
      tool.prepare({ name: "build" }, { ...noSession(), inSandbox: true }),
      /Run the task's command with Bash/,
    );
  });

  it("says that one in the background runs on, and that its end is not known", async () => {
    const { run, editorTasks } = world();
    editorTasks.play = () => ({ running: true });
    assert.match((await run("watch")).text, /^The task watch runs on in the background/);
    editorTasks.play = () => ({});
    assert.match((await run("build")).text, /VS Code does not say how/);
  });

  it("is ended on Stop and after ten minutes", async () => {
    const { prepare, editorTasks, stop, clock } = world();
    editorTasks.play = () => new Promise(() => undefined);
    const wait = async () => (await prepare("build")).perform({ ...noSession(), signal: stop.signal });
    const late = wait();
    late.catch(() => undefined);
    await clock.asleep();
    await clock.advance(600_000);
    await assert.rejects(late, /did not end within 10 minutes and was ended/);
    const stopped = wait();
    stopped.catch(() => undefined);
    await clock.asleep();
    stop.abort(new Error("stopped"));
    await assert.rejects(stopped, /stopped/);
    assert.equal(clock.waiting, 0);
  });
});
