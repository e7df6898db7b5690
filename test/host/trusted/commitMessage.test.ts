/** "Strata: Generate Commit Message" with VS Code's own git extension, and "Strata: Show Log". */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import * as vscode from "vscode";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { inWorkspace, type Strata, startStrata, until, writeHere } from "../strata";

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
    repository = await until(() =>
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
    await until(() => (told() === 2 ? true : undefined));
    // A message box says it, and waits for nobody.
    await vscode.commands.executeCommand("notifications.clearAll");
    assert.equal(box().value, "mine");
  });
});

describe("the log in VS Code", () => {
  it("is shown by its command, and says where each day's lies; a turn is in that by its ids", async () => {
    const strata = await startStrata();
    strata.play({ text: "Done." });
    await strata.turn("go");
    await vscode.commands.executeCommand("strata.showLog");
    // The panel of outputs is no editor, but its document is one.
    const shown = await until(() =>
      vscode.workspace.textDocuments.find(
        ({ uri, languageId }) => languageId === "log" && /strata/i.test(uri.path) && !/mentions/i.test(uri.path),
      ),
    );
    const text = await until(() => (shown.getText().includes("model request") ? shown.getText() : undefined));
    assert.match(text, /Each day's log, whole, as JSON: \S+/);
    const [, folder = ""] = /as JSON: (.+)/.exec(text) ?? [];
    const day = new Date().toISOString().slice(0, 10);
    const line = await until(async () => {
      const bytes = await vscode.workspace.fs
        .readFile(vscode.Uri.joinPath(vscode.Uri.file(folder.trim()), `strata-${day}.jsonl`))
        .then(undefined, () => undefined);
      const lines = bytes ? new TextDecoder().decode(bytes).trimEnd().split("\n") : [];
      return lines.map(each => JSON.parse(each)).findLast(({ message }) => message === "model request");
    });
    assert.match(`${line.sessionId} ${line.runId} ${line.requestId}`, /^ses_\S+ run_\S+ req_\S+$/);
    await vscode.commands.executeCommand("workbench.action.closePanel");
    await strata.dispose();
  });
});
