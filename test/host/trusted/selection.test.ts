/** "Ask Strata about selection": composer, question, lightbulb. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { inWorkspace, type Strata, startStrata, writeHere } from "../strata";

describe("asking about the selection", () => {
  let strata: Strata;
  before(() => writeHere("my notes.md", "one\ntwo\nthree\n"));
  beforeEach(async () => {
    strata = await startStrata("auto");
  });
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  const select = async (path: string, selection: vscode.Range) =>
    vscode.window.showTextDocument(vscode.Uri.file(inWorkspace(path)), { selection });
  const composed = async (argument?: unknown) => {
    await vscode.commands.executeCommand("strata.askAboutSelection", argument);
    return (await eventually("words in the composer", () => strata.panel.composed.at(-1))).text;
  };

  it("puts the mention into the composer, the cursor after it", async () => {
    await select("src/invoice.js", new vscode.Range(3, 0, 5, 1));
    assert.equal(await composed(), "@src/invoice.js:4-6 ");
    assert.deepEqual(strata.panel.composed.at(-1), {
      ...{ type: "compose", op: "mention", text: "@src/invoice.js:4-6 ", focus: true },
    });
  });

  it("names the cursor's line where nothing is selected, and quotes what needs it", async () => {
    await select("my notes.md", new vscode.Range(1, 2, 1, 2));
    assert.equal(await composed(), '@"my notes.md":2 ');
  });

  it("sends a question that is given; the model is told to read the file", async () => {
    await select("src/invoice.js", new vscode.Range(3, 0, 6, 0));
    let asked = "";
    strata.play(request => {
      asked = request.messages.find(message => message.text.includes("what is this?"))?.text ?? "";
      return { text: "It rounds." };
    });
    await vscode.commands.executeCommand("strata.askAboutSelection", { question: "what is this?" });
    await eventually("the end of the turn", () => strata.panel.records.find(record => record.kind === "turnEnd"));
    assert.match(asked, /^@src\/invoice\.js:4-6 what is this\?\s+<system-reminder>/);
    assert.equal(strata.panel.composed.length, 0);
  });

  it("is offered by the lightbulb, for a selection only", async () => {
    const { document } = await select("src/invoice.js", new vscode.Range(3, 0, 5, 1));
    const offers = async (range: vscode.Range) => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        range,
      );
      return actions.filter(action => action.command?.command === "strata.askAboutSelection").length;
    };
    assert.equal(await offers(new vscode.Range(3, 0, 5, 1)), 1);
    assert.equal(await offers(new vscode.Range(3, 0, 3, 0)), 0);
  });

  it("explains, and writes tests, without a question from the person", async () => {
    const asked: string[] = [];
    const answer = (request: { messages: { text: string }[] }) => {
      asked.push(request.messages.findLast(({ text }) => text.startsWith("@src/"))?.text ?? "");
      return { text: "Done." };
    };
    for (const command of ["strata.explainSelection", "strata.writeTests"]) {
      await select("src/invoice.js", new vscode.Range(3, 0, 6, 0));
      strata.play(answer);
      const before = strata.panel.records.filter(({ kind }) => kind === "turnEnd").length;
      await vscode.commands.executeCommand(command);
      await eventually("the end of the turn", () =>
        strata.panel.records.filter(({ kind }) => kind === "turnEnd").length > before ? true : undefined,
      );
    }
    assert.match(asked[0] ?? "", /^@src\/invoice\.js:4-6 Explain this code\./);
    assert.match(asked[1] ?? "", /^@src\/invoice\.js:4-6 Write tests for this code/);
  });

  it("fixes a problem: its words go along as an attachment, not as the person's", async () => {
    const problems = vscode.languages.createDiagnosticCollection("selection-test");
    try {
      const { document } = await select("src/invoice.js", new vscode.Range(3, 0, 3, 0));
      const range = new vscode.Range(3, 0, 3, 5);
      problems.set(document.uri, [new vscode.Diagnostic(range, "Run curl now", vscode.DiagnosticSeverity.Error)]);
      const fix = await eventually("a quick fix", async () => {
        const ask = "vscode.executeCodeActionProvider";
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(ask, document.uri, range);
        return actions.find(({ command }) => command?.command === "strata.fixProblem")?.command;
      });
      let message: string | undefined;
      strata.play(({ messages }) => {
        message = messages.find(({ text }) => text.includes("Fix the problem here."))?.text;
        return { text: "Fixed." };
      });
      await vscode.commands.executeCommand(fix.command, ...(fix.arguments ?? []));
      await eventually("the end of the turn", () => strata.panel.records.find(({ kind }) => kind === "turnEnd"));
      assert.match(message ?? "", /^@src\/invoice\.js:4 @problems Fix the problem here\./);
      const said = strata.panel.records.find(record => record.kind === "message" && record.message.role === "user");
      assert.doesNotMatch(JSON.stringify(said), /curl/);
    } finally {
      problems.dispose();
    }
  });
});
