/** Whether the lists of files for mentions hear of what comes and goes. */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import * as vscode from "vscode";
import { nodeClock } from "../../../src/node/system";
import { WorkspaceWatch } from "../../../src/vscode/mentions/watch";
import { eventually } from "../../fakes/eventually";
import { inWorkspace, writeHere } from "../strata";

describe("the watch of the workspace for mentions", () => {
  const path = "watched.txt";
  afterEach(() => rm(inWorkspace(path), { force: true }));

  it("tells of what comes and goes, and of nothing any more once it is disposed", async () => {
    const told: string[] = [];
    const watch = new WorkspaceWatch({
      clock: nodeClock,
      changed: root => told.push(root),
      foldersChanged: () => told.push("workspace"),
    });
    try {
      await writeHere(path, "");
      await eventually("it is told that the file came", () => told.length > 0);
      told.splice(0);
      await rm(inWorkspace(path));
      await eventually("it is told that the file went", () => told.length > 0);
    } finally {
      watch.dispose();
    }
    assert.deepEqual([...new Set(told)], [vscode.workspace.workspaceFolders?.[0]?.uri.toString()]);
    told.splice(0);
    await writeHere(path, "");
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    await new Promise(resolve => {
      watcher.onDidDelete(resolve);
      void rm(inWorkspace(path));
    });
    watcher.dispose();
    assert.deepEqual(told, []);
  });
});
