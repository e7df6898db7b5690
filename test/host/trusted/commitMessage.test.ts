/** "Strata: Generate Commit Message" with VS Code's own git extension, and "Strata: Show Log". */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import * as vscode from "vscode";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { eventually } from "../../fakes/eventually";
import { inWorkspace, type Strata, startStrata, writeHere } from "../strata";

interface Repository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
}

describe("a commit message in VS Code", () => {
  let strata: Strata;
  let repository: Repository | undefined;
  const box = () => repository?.inputBox ?? assert.fail();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: inWorkspace("."), encoding: "utf8" });
  const told = () => strata.offline.requests.length;

  beforeEach(async function () {
    const extension = vscode.extensions.getExtension("vscode.git");
    if (!extension || !existsSync(inWorkspace(".git"))) this.skip();
    strata = await startStrata();
    const api = (await extension.activate()).getAPI(1);
    repository = await eventually("Git's extension knows the repository", () =>
      (api.repositories as Repository[]).find(({ rootUri }) => rootUri.fsPath === inWorkspace(".")),
    );
    box().value = "";
    await writeHere("staged.txt", "rounded half up\n");
    await writeHere(".env", "PLAIN=visible\n");
    git("add", "-f", "staged.txt", ".env");
    await writeHere("other.txt", "not staged\n");
  });
  afterEach(async () => {
    // It was skipped.
    if (!repository) return;
    git("rm", "-q", "-f", "--cached", "--ignore-unmatch", "staged.txt", ".env");
    for (const name of ["staged.txt", ".env", "other.txt"]) await rm(inWorkspace(name), { force: true });
    box().value = "";
    await strata.dispose();
  });

  const generate = (argument?: unknown) => vscode.commands.executeCommand("strata.generateCommitMessage", argument);

  it("goes into the box: of what is staged, without protected files, in the repository's style", async () => {
    let asked: OfflineRequest | undefined;
    strata.play(request => {
      asked = request;
      return { text: "```\nRound half up\n\nCents were cut off.\n```" };
    });
    // As the button in the Source Control view gives it.
    await generate({ id: "git", rootUri: repository?.rootUri });
    assert.equal(box().value, "Round half up\n\nCents were cut off.");
    const text = asked?.messages.map(message => message.text).join("\n") ?? "";
    assert.match(text, /\+rounded half up/);
    const [subject = ""] = git("log", "-1", "--format=%s").split("\n");
    assert.ok(text.includes(`- ${subject}`), text);
    for (const absent of ["PLAIN=visible", "other.txt"]) assert.ok(!text.includes(absent), absent);
    assert.deepEqual([asked?.tools, told()], [[], 1]);
  });

  it("from the palette too; what the model could not answer leaves the box as it was", async () => {
    strata.play({ text: "Round half up" });
    await generate();
    assert.equal(box().value, "Round half up");
    box().value = "mine";
    strata.play({ response: { status: 401, body: { error: { message: "bad key" } } } });
    void generate();
    await eventually("the model was asked a second time", () => told() === 2);
    // A message box says it, and waits for nobody.
    await vscode.commands.executeCommand("notifications.clearAll");
    assert.equal(box().value, "mine");
  });
});

describe("the log in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata();
  });
  afterEach(() => strata.dispose());

  // What stands in it VS Code tells no extension; what is written is tried where it is written.
  it("is shown by its command", async () => {
    await vscode.commands.executeCommand("strata.showLog");
    const isOurs = ({ uri }: vscode.TextDocument) => /strata-agent\.strata\.Strata\.log$/.test(uri.path);
    await eventually("the log is open", () => vscode.workspace.textDocuments.find(isOurs));
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });
});
