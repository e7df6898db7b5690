/** Tasks of a real VS Code: what is listed of them, how they end, and how they are ended. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { VSCodeTasks } from "../../../src/vscode/editor/tasks";
import { eventually } from "../../fakes/eventually";
import { inWorkspace, writeHere } from "../strata";

const shared = { problemMatcher: [], presentation: { reveal: "never" } };
const tasks = [
  { label: "fails", type: "shell", command: "exit 3", ...shared },
  { label: "works", type: "process", command: process.execPath, args: ["-e", "0"], ...shared },
  { label: "lasts", type: "shell", command: "sleep 300", ...shared },
  { label: "serves", type: "shell", command: "sleep 300", isBackground: true, ...shared },
];

describe("tasks of the editor", () => {
  const editorTasks = new VSCodeTasks();
  const never = new AbortController().signal;
  const named = (name: string) =>
    eventually("the task is listed", async () => (await editorTasks.list()).find(task => task.name === name));
  const running = (name: string) => vscode.tasks.taskExecutions.filter(({ task }) => task.name === name);
  before(() => writeHere(".vscode/tasks.json", JSON.stringify({ version: "2.0.0", tasks })));
  after(async () => {
    for (const execution of vscode.tasks.taskExecutions) execution.terminate();
    await vscode.workspace.fs.delete(vscode.Uri.file(inWorkspace(".vscode/tasks.json")));
  });

  it("are listed with their exact command line", async () => {
    assert.equal((await named("fails")).command, "exit 3");
    assert.equal((await named("works")).command, `${process.execPath} -e 0`);
    assert.equal((await named("serves")).background, true);
  });

  it("end with their exit code", async () => {
    assert.deepEqual(await editorTasks.run(await named("works"), never), { exitCode: 0 });
    assert.deepEqual(await editorTasks.run(await named("fails"), never), { exitCode: 3 });
  });

  it("are ended on Stop", async () => {
    const stop = new AbortController();
    const run = editorTasks.run(await named("lasts"), stop.signal);
    run.catch(() => undefined);
    await eventually("the task runs", () => running("lasts").length > 0);
    stop.abort(new Error("stopped"));
    await assert.rejects(run, /stopped/);
    await eventually("the task does not run any more", () => running("lasts").length === 0);
  });

  it("in the background go on", async () => {
    const soon = new VSCodeTasks(100);
    assert.deepEqual(await soon.run(await named("serves"), never), { running: true });
    await eventually("the task runs", () => running("serves").length === 1);
  });

  it("do not run when they were changed since they were listed", async () => {
    const listed = await named("works");
    const run = editorTasks.run({ ...listed, definition: "another" }, never);
    await assert.rejects(run, /was changed meanwhile, so it did not run/);
  });
});
