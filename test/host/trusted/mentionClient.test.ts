/** The mention server's process as this VS Code runs it: what it learns when it starts, and how it ends. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { nodeClock } from "../../../src/node/system";
import { mentionMethods, type WorkspaceParams } from "../../../src/shared/mentions/serverProtocol";
import { MentionClient } from "../../../src/vscode/mentions/client";
import { MentionHost } from "../../../src/vscode/mentions/host";
import { WorkspaceWatch } from "../../../src/vscode/mentions/watch";
import { eventually } from "../../fakes/eventually";
import { inWorkspace, writeHere } from "../strata";

const { signal } = new AbortController();

describe("the mention server's process", () => {
  let folder: string;
  let program: string;
  let channel: vscode.LogOutputChannel;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "strata-mention-client-"));
    const extension = vscode.extensions.getExtension("strata-agent.strata");
    assert.ok(extension);
    program = join(extension.extensionPath, "dist", "mentionServer.js");
    channel = vscode.window.createOutputChannel("Mentions under test", { log: true });
  });
  after(async () => {
    channel.dispose();
    await rm(folder, { recursive: true });
  });

  const real = () => `require(${JSON.stringify(program)});`;
  const written = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const clientOf = (started: string, workspace: () => WorkspaceParams) => {
    const client: MentionClient = new MentionClient({
      ...{ program: started, channel, languages: [], schemes: [], look: async () => [] },
      window: () => ({ workspace: workspace() }),
      onRunning() {
        client.window({ workspace: workspace() });
        client.files({ root: "file:///late", paths: ["late.ts"], begins: true, ends: "whole" });
      },
    });
    return client;
  };

  it("has no answers, and no failures, once it ended too often", async () => {
    const { search } = mentionMethods;
    const ends = `process.on("message", ({ method }) => method === ${JSON.stringify(search)} && process.exit(1));`;
    const client = clientOf(await written("ends.js", `${ends}\n${real()}`), () => ({
      ...{ folders: [], comments: false, ignoreCase: false },
    }));
    await client.start();
    const ask = () => client.search({ query: "a", limit: 1 }, signal);
    const answer = await eventually("an answer", () => ask().catch(() => undefined));
    assert.deepEqual(answer, { items: [], indexing: false });
    assert.deepEqual(await ask(), { items: [], indexing: false });
    client.dispose();
    await client.ended;
  });

  it("ends with a window that closes while it starts", async () => {
    const [begun, go, ended] = ["begun", "go", "ended"].map(name => join(folder, name));
    assert.ok(begun && go && ended);
    const slow = await written(
      "slow.js",
      `const fs = require("node:fs");
       process.on("exit", () => fs.writeFileSync(${JSON.stringify(ended)}, ""));
       const timer = setInterval(() => {
         if (!fs.existsSync(${JSON.stringify(go)})) return;
         clearInterval(timer);
         ${real()}
       }, 20);
       fs.writeFileSync(${JSON.stringify(begun)}, "");`,
    );
    const disk = {
      ...{ names: (folders: readonly string[]) => folders.map(() => "app"), files: async () => undefined },
      isInside: async () => true,
    };
    // By its name a channel is one for the whole extension: the host closes its own.
    const own = vscode.window.createOutputChannel("Mentions of a window that closes", { log: true });
    const host = new MentionHost({ program: slow, disk, channel: own, clock: nodeClock });
    const asked = host.search("a", 1, signal);
    await eventually("the server began", () => existsSync(begun));
    host.dispose();
    await writeFile(go, "");
    await assert.rejects(asked, /closed/);
    await eventually("the server ended", () => existsSync(ended));
  });
});

describe("the watch of the workspace for mentions", () => {
  const path = "watched.txt";
  afterEach(() => rm(inWorkspace(path), { force: true }));

  it("tells of what comes and goes, and of nothing any more once it is disposed", async () => {
    const told: string[] = [];
    const watch = new WorkspaceWatch({
      clock: nodeClock,
      changed: root => told.push(root),
      workspaceChanged: () => told.push("workspace"),
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
