/** Background tasks in a real VS Code: real processes, and the terminals that follow them. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import type { TaskFollower } from "../../../src/core/commands/background";
import type { BackgroundTaskInfo } from "../../../src/shared/tasks";
import { type FollowedTask, TaskTerminal, VSCodeTerminals } from "../../../src/vscode/panel/conversation/taskTerminal";
import { eventually } from "../../fakes/eventually";
import { inWorkspace, onDisk, type Strata, startStrata } from "../strata";

const call = (id: string, name: string, input: object) => ({ id, name, input });
const LOOP = "echo $$ > task.pid; while :; do sleep 0.2; done";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // there is no such process
  }
}

/** The process that LOOP runs in. */
async function pidOfLoop(): Promise<number> {
  const written = (text: string) => (text.endsWith("\n") ? text : undefined);
  const text = await eventually("the task wrote its process id", () =>
    onDisk("task.pid").then(written, () => undefined),
  );
  await vscode.workspace.fs.delete(vscode.Uri.file(inWorkspace("task.pid")));
  return Number(text);
}

const closeTerminals = () => {
  for (const terminal of vscode.window.terminals) terminal.dispose();
};
const terminalNamed = (name: RegExp) => vscode.window.terminals.find(terminal => name.test(terminal.name));

describe("background tasks in VS Code", () => {
  let strata: Strata | undefined;
  afterEach(async () => {
    await strata?.dispose();
    strata = undefined;
    closeTerminals();
  });

  it("open as one terminal, which stays, and end with their processes when they are stopped", async () => {
    strata = await startStrata("auto");
    const { panel } = strata;
    strata.play({ calls: [call("start", "Bash", { command: LOOP, run_in_background: true })] }, { text: "It runs." });
    await strata.turn("start it");
    const pid = await pidOfLoop();
    assert.ok(isAlive(pid), "it outlives its turn");
    await panel.request("openTask", { taskId: "task_1" });
    await panel.request("openTask", { taskId: "task_1" });
    await eventually("the task's terminal", () => terminalNamed(/^echo .* > task.pid/));
    assert.equal(vscode.window.terminals.filter(({ name }) => /^echo .* > task.pid/.test(name)).length, 1);
    await panel.request("stopTask", { taskId: "task_1" });
    await eventually("the task was killed", () =>
      panel.events.find(event => event.type === "task" && event.state === "killed"),
    );
    await eventually("the task's process is gone", () => !isAlive(pid));
    assert.ok(terminalNamed(/^echo .* > task.pid/), "the terminal stays");
    await panel.request("dismissTask", { taskId: "task_1" });
  });
});

describe("the terminal of a background task", () => {
  const info: BackgroundTaskInfo = {
    ...{ taskId: "task_1", callId: "c", command: "npm run dev", cwd: "/ws", state: "running", startedAt: 0, lines: 0 },
  };

  /** A task in the hands of the test, and what its terminal writes. */
  function start(kept: string, dropped = 0) {
    let follower: TaskFollower | undefined;
    const stops: string[] = [];
    const task: FollowedTask & { running: boolean } = {
      ...{ info, running: true },
      stop: async by => void stops.push(by),
      watch(given) {
        follower = given;
        return { text: kept, dropped, stop: () => (follower = undefined) };
      },
    };
    const pty = new TaskTerminal(task, () => stops.push("closed"));
    let screen = "";
    const names: string[] = [];
    pty.onDidWrite(text => {
      screen += text;
    });
    pty.onDidChangeName(name => names.push(name));
    pty.open();
    const end = () => {
      task.running = false;
      follower?.ended({ ...info, state: "exited", exitCode: 1, endedAt: 3000 });
    };
    const print = (text: string) => follower?.output(text);
    const first = "\u001b[0;2m$ npm run dev   (task_1 of Strata, in /ws)\u001b[0m\r\n";
    const seen = () => screen.replace(first, "");
    return { pty, seen, names, stops, print, end, follows: () => follower !== undefined };
  }

  it("replays what was kept, follows, and says how it ended", () => {
    const { seen, names, print, end } = start("\u001b[32mone\u001b[0m\ntwo\r\n");
    print("th\u001b]52;c;cm0=\u0007ree\nfo");
    print("ur");
    end();
    assert.equal(
      seen(),
      "\u001b[32mone\u001b[0m\r\ntwo\r\nthree\r\nfour\r\n\u001b[0;2m[exit 1 after 3.0 s]\u001b[0m\r\n",
    );
    assert.deepEqual(names, ["npm run dev (exit 1)"]);
  });

  it("says what is not kept", () => {
    assert.equal(start("rest\n", 2048).seen(), "\u001b[0;2m[2 kB before this were dropped]\u001b[0m\r\nrest\r\n");
  });

  it("Ctrl+C ends the task, other keys say so once, closing it ends nothing", () => {
    const { pty, seen, stops, print, end, follows } = start("");
    pty.handleInput("x");
    pty.handleInput("y");
    pty.handleInput("\u0003");
    assert.equal(seen(), "\u001b[0;2m[no input; Ctrl+C stops it]\u001b[0m\r\n\u001b[0;2m^C\u001b[0m\r\n");
    assert.deepEqual(stops, ["user"]);
    pty.close();
    assert.deepEqual([stops, follows()], [["user", "closed"], false]);
    print("late");
    end();
    pty.handleInput("\u0003");
    assert.ok(!seen().includes("late"));
    assert.equal(stops.length, 2);
    const last = seen();
    pty.open();
    assert.equal(seen(), last, "nobody listens any more");
  });
});

describe("a command in a terminal of the user's", () => {
  afterEach(closeTerminals);

  it("is typed and not run; one of several lines is not even typed", async () => {
    const terminals = new VSCodeTerminals();
    for (const command of [
      "echo ran > marker-one",
      "echo ran > marker-two\necho ran > marker-three",
      "echo a\tb > m",
    ]) {
      await terminals.openTerminal(command, inWorkspace(""));
    }
    assert.equal(vscode.window.terminals.length, 3);
    // What was typed now runs, with this at its end: had it run before, it would have no such end.
    const [one, two] = vscode.window.terminals;
    one?.sendText(" && echo typed > marker-typed");
    two?.sendText("echo alone > marker-alone");
    await eventually(
      "both terminals ran what was typed",
      () => existsSync(inWorkspace("marker-typed")) && existsSync(inWorkspace("marker-alone")),
    );
    assert.deepEqual(
      ["marker-one", "marker-two", "marker-three"].map(name => existsSync(inWorkspace(name))),
      [true, false, false],
    );
  });
});
