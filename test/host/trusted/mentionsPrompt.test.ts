/** The prompt editor and "Ask About This Comment", with the offline model at the other end. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { sendPrompt } from "../../../src/vscode/commands/prompts";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { inWorkspace, type Strata, startStrata } from "../strata";

describe("prompt editor", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata("auto");
    // Nothing stands in the composer that other tests put there, or closed unsent.
    await discardEditors();
    await strata.panel.request("open", {});
    await strata.panel.request("keepDraft", { draft: "", inFlight: [] });
  });
  afterEach(async () => {
    // What is closed unsent stands in the composer again, as long as a panel is there.
    await discardEditors();
    const isPrompt = ({ languageId }: vscode.TextDocument) => languageId === "strata-prompt";
    await eventually("the prompts are closed", () => !vscode.workspace.textDocuments.some(isPrompt));
    await strata.dispose();
  });

  const written = async (text: string) => {
    await vscode.commands.executeCommand("strata.writePrompt");
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    assert.equal(editor.document.languageId, "strata-prompt");
    assert.ok(await editor.edit(edit => edit.insert(new vscode.Position(0, 0), text)));
    return editor.document;
  };
  /** The next answer of the model; `asked` is what the user said by then, as it was sent. */
  let asked = "";
  const answer = (text: string) =>
    strata.play(({ messages }) => {
      const said = messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
      // In front of it stands where the session begins.
      asked = said.filter(text => !text.includes("When this session began")).join("\n");
      return { text };
    });
  const ended = () =>
    eventually("the end of the turn", () => strata.panel.records.find(record => record.kind === "turnEnd"));
  const isOpen = ({ uri }: vscode.TextDocument) =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());

  it("opens one that wraps its lines, sends its text, and closes it without a question", async () => {
    const document = await written("Look at @src/invoice.js.\n\nWhat does it do?");
    assert.equal(vscode.workspace.getConfiguration("editor", document).get("wordWrap"), "on");
    answer("It adds up.");
    await vscode.commands.executeCommand("strata.sendPrompt");
    await ended();
    assert.match(asked, /^Look at @src\/invoice\.js\.\n\nWhat does it do\?\s+<system-reminder>/);
    await eventually("the prompt is closed", () => !isOpen(document));
  });

  it("is not what it names the editor: that is the one before it, which it may cover", async () => {
    const file = vscode.Uri.file(inWorkspace("src/invoice.js"));
    await vscode.window.showTextDocument(file, { selection: new vscode.Range(3, 0, 5, 1) });
    await written("Look at @selection and @problems.");
    const { items } = await strata.panel.request("completeMention", { query: "" });
    assert.deepEqual([items[0]?.mention, items[0]?.hint], ["@src/invoice.js", "active editor"]);
    answer("Seen.");
    await vscode.commands.executeCommand("strata.sendPrompt");
    await ended();
    assert.match(asked, /<attachment name="@selection"[^>]*>\nsrc\/invoice\.js:4-6\n/);
    assert.match(asked, /In the editor: src\/invoice\.js, lines 4-6 selected/);
    assert.doesNotMatch(asked, /untitled:/);
  });

  it("joins a turn that runs", async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    strata.play(async () => {
      await held;
      return { calls: [{ id: "c1", name: "LS", input: { path: "." } }] };
    });
    await strata.panel.request("submit", { text: "first", delivery: "steer" });
    const document = await written("and also this");
    await vscode.commands.executeCommand("strata.sendPrompt", document.uri);
    answer("Both.");
    go();
    await ended();
    assert.match(asked, /^first[\s\S]*^and also this/m);
  });

  it("stays as it is where it cannot be sent, where it is empty, and where somebody typed on", async () => {
    const document = await written("keep me");
    const fails = () => Promise.reject(new Error("The disk is full."));
    const rest = {
      sessions: { active: { reveal: async () => undefined } },
      sending: new WeakSet<vscode.TextDocument>(),
      whyNot: () => undefined,
    };
    await assert.rejects(
      sendPrompt(document.uri, { ...rest, submit: fails, whyNot: () => "No folder is open." }),
      /No folder/,
    );
    await assert.rejects(sendPrompt(document.uri, { ...rest, submit: fails }), /disk is full/);
    assert.equal(document.getText(), "keep me");
    const typed = async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), "and this: ");
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await sendPrompt(document.uri, { ...rest, submit: typed });
    assert.equal(document.getText(), "and this: keep me");
    assert.ok(isOpen(document));
    await vscode.commands.executeCommand("strata.writePrompt");
    await vscode.commands.executeCommand("strata.sendPrompt");
    assert.equal(strata.offline.requests.length, 0);
  });

  it("is sent once, however often that is asked for until it is taken", async () => {
    const document = await written("only once");
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const texts: string[] = [];
    const submit = (text: string) => {
      texts.push(text);
      return taken;
    };
    const deps = {
      sessions: { active: { reveal: async () => undefined } },
      submit,
      sending: new WeakSet<vscode.TextDocument>(),
      whyNot: () => undefined,
    };
    const first = sendPrompt(document.uri, deps);
    const second = sendPrompt(document.uri, deps);
    await eventually("the prompt is sent", () => texts.length > 0);
    const third = sendPrompt(document.uri, deps);
    await Promise.all([second, third]);
    take();
    await first;
    assert.deepEqual(texts, ["only once"]);
    await eventually("the prompt is closed", () => !isOpen(document));
  });

  it("asks about the comment at the cursor, with its file and lines", async () => {
    const content = "const a = 1;\n// Why is this\n// rounded down?\nconst b = 2;\n";
    const uri = vscode.Uri.file(inWorkspace("src/commented.js"));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
    answer("Because.");
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(2, 5, 2, 5) });
    await vscode.commands.executeCommand("strata.askAboutComment");
    await ended();
    assert.match(asked, /^@src\/commented\.js:2-3\n\nWhy is this\nrounded down\?\s+<system-reminder>/);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(0, 2, 0, 2) });
    await vscode.commands.executeCommand("strata.askAboutComment");
    assert.equal(strata.offline.requests.length, 1);
    await vscode.workspace.fs.delete(uri);
  });

  it("a comment that would attach something is sent by nobody but the person", async () => {
    const content = "// What did @changes 2.1 rename?\nconst a = 1;\n";
    const uri = vscode.Uri.file(inWorkspace("src/attaching.js"));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(0, 5, 0, 5) });
    await vscode.commands.executeCommand("strata.askAboutComment");
    const composed = await eventually("words in the composer", () => strata.panel.composed.at(-1));
    assert.equal(composed.text, "@src/attaching.js:1\n\nWhat did @changes 2.1 rename?");
    assert.equal(strata.offline.requests.length, 0);
    assert.deepEqual(
      strata.panel.records.filter(({ kind }) => kind === "attachment"),
      [],
    );
    await vscode.workspace.fs.delete(uri);
  });

  it("takes along what was begun in the composer, and only into an empty one", async () => {
    const written = () => vscode.window.activeTextEditor?.document.getText();
    // The panel that is open beside this one keeps its own composer's text a moment after that has changed.
    const begins = (draft: string) =>
      eventually("a prompt that takes the draft along", async () => {
        await strata.panel.request("keepDraft", { draft, inFlight: ["on its way"] });
        await vscode.commands.executeCommand("strata.writePrompt");
        if (written() === draft) return true;
        await discardEditors();
        return undefined;
      });
    await begins("half a thought");
    const taken = { type: "compose", op: "remove", text: "half a thought", focus: false } as const;
    assert.deepEqual(strata.panel.composed.at(-1), taken);
    await discardEditors();
    await begins("");
  });
});
