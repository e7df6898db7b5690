/** Problems as VS Code lists them, and when its checkers report. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Clock, DiagnosticsWatch, Problem } from "../../../src/core/ground/ports";
import { nodeClock } from "../../../src/node/system";
import { VSCodeDiagnostics } from "../../../src/vscode/editor/diagnostics";
import { FakeClock } from "../../fakes/clock";
import { eventually } from "../../fakes/eventually";
import { startChecker } from "../checker";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";
import { SlowDisk } from "../slowDisk";

const shown = (problems: readonly Problem[] | undefined) =>
  problems?.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);

describe("problems in the editor", () => {
  let world: EditorWorld;
  let diagnostics: VSCodeDiagnostics;
  const started: vscode.Disposable[] = [];
  const never = new AbortController().signal;

  const start = (clock: Clock = nodeClock) => {
    diagnostics = new VSCodeDiagnostics({
      documents: world.files.documents,
      refOf: async uri => (uri.scheme === "file" ? world.files.resolve(uri.fsPath) : undefined),
      clock,
    });
    started.push(diagnostics);
  };
  const checking = (languageId: string, delays?: readonly number[]) => {
    started.push(startChecker(languageId, delays));
  };
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(async () => {
    for (const one of started.splice(0)) one.dispose();
    await world.dispose();
  });

  const ref = (path: string) => world.files.resolve(path);
  const listed = async (path: string) => shown(await diagnostics.of(await ref(path)));
  const edit = async (path: string, before: string, after: string) => {
    const file = await world.files.read(await ref(path), 1_000_000);
    assert.ok(file.kind === "text");
    const start = file.text.indexOf(before);
    const edits = [{ start, end: start + before.length, text: after }];
    const outcome = await world.files.apply({ ref: await ref(path), base: file.stamp.sha256, edits });
    assert.equal(outcome.kind, "applied");
  };
  /** Shows the file and waits until its problems are listed. */
  const showChecked = async (path: string) => {
    const editor = await world.show(path);
    await eventually("its problems are listed", async () => ((await listed(path))?.length ?? 0) > 0);
    return editor;
  };

  it("are read with severity, code, source and places; of all files, by the files they are in", async () => {
    start();
    const collection = vscode.languages.createDiagnosticCollection("mapped");
    started.push(collection);
    await world.put("a.sql", "one\ntwo\n");
    const problem = (severity: vscode.DiagnosticSeverity, code?: vscode.Diagnostic["code"]) =>
      Object.assign(new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), "words", severity), { code, source: "me" });
    const { Error: error, Warning, Information, Hint } = vscode.DiagnosticSeverity;
    const unused = Object.assign(problem(Hint), { tags: [vscode.DiagnosticTag.Unnecessary] });
    collection.set(vscode.Uri.file(world.at("a.sql")), [
      ...[problem(error, 7), problem(Warning, "no-undef"), unused],
      problem(Information, { value: "rule", target: vscode.Uri.parse("https://example.com") }),
    ]);
    collection.set(vscode.Uri.parse("untitled:nothing"), [problem(error)]);
    const place = { line: 2, column: 1, message: "words", source: "me" };
    const expected = [
      { ...place, severity: "error", code: "7" },
      { ...place, severity: "warning", code: "no-undef" },
      { ...place, severity: "info", code: "rule" },
      { ...place, severity: "hint" },
    ];
    const bySeverity = (problems: readonly Problem[]) =>
      expected.map(({ severity }) => problems.find(one => one.severity === severity));
    const own = await diagnostics.of(await ref("a.sql"));
    assert.deepEqual([own.length, bySeverity(own)], [4, expected]);
    const all = (await diagnostics.all()).filter(file => file.problems.some(({ source }) => source === "me"));
    assert.deepEqual(
      all.map(file => [file.ref.path, bySeverity(file.problems)]),
      [["a.sql", expected]],
    );
  });

  it("of a notebook's cell are those of its own notebook, whatever other file system has one of the same path", async () => {
    start();
    const collection = vscode.languages.createDiagnosticCollection("cells");
    const disk = new SlowDisk();
    started.push(collection, disk);
    const cell = (source: string) => ({ cell_type: "markdown", metadata: {}, source: [source] });
    const text = (count: number) =>
      JSON.stringify({
        cells: Array.from({ length: count }, () => cell("x")),
        metadata: {},
        nbformat: 4,
        nbformat_minor: 4,
      });
    const file = vscode.Uri.file(world.at("n.ipynb"));
    await world.put("n.ipynb", text(1));
    await vscode.workspace.openNotebookDocument(file.with({ scheme: disk.scheme }));
    await world.put("n.ipynb", text(3));
    const notebook = await vscode.workspace.openNotebookDocument(file);
    collection.set(notebook.cellAt(2).document.uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), "words")]);
    assert.deepEqual(
      (await diagnostics.of(await ref("n.ipynb"))).map(({ message, cell }) => [message, cell]),
      [["words", 3]],
    );
    const all = (await diagnostics.all()).filter(({ problems }) => problems.some(({ message }) => message === "words"));
    assert.deepEqual(
      all.map(({ ref, problems }) => [ref.path, problems[0]?.cell]),
      [["n.ipynb", 3]],
    );
  });

  it("of a file that was opened through a link are the file's", async () => {
    start();
    checking("sql");
    await world.put("real.sql", "bad\n");
    await world.link("real.sql", "alias.sql");
    await world.show("alias.sql");
    await eventually(
      "problems of the file behind the link are listed",
      async () => (await diagnostics.of(await ref("real.sql"))).length > 0,
    );
    assert.deepEqual(await listed("real.sql"), ["error 1:1 bad is bad"]);
    const watch = await diagnostics.watch(await ref("real.sql"));
    await edit("real.sql", "bad", "x\nbad");
    assert.deepEqual(shown((await watch.settled(10_000, never))?.problems), ["error 2:1 bad is bad"]);
    const all = (await diagnostics.all()).filter(file => file.ref.path === "real.sql");
    assert.deepEqual(shown(all[0]?.problems), ["error 2:1 bad is bad"], "once, not once a name");
  });

  for (const [when, delays] of [
    ["late", [400]],
    ["in parts", [100, 150]],
  ] as const) {
    it(`settle once a checker has looked at the edit, ${when}, with the text they are about`, async () => {
      start();
      checking("sql", delays);
      await world.put("a.sql", "old bad\nb\n");
      await showChecked("a.sql");
      const watch = await diagnostics.watch(await ref("a.sql"));
      assert.deepEqual([watch.complete, shown(watch.before)], [true, ["error 1:5 old bad is bad"]]);
      await edit("a.sql", "b\n", "b\nmy bad\n");
      const settled = await watch.settled(10_000, never);
      assert.deepEqual(shown(settled?.problems), ["error 1:5 old bad is bad", "error 3:4 my bad is bad"]);
      assert.equal(settled?.text, "old bad\nb\nmy bad\n");
    });
  }

  it("of a file that is not open: a checker sees it once it is edited, and what is older is not known", async () => {
    start();
    checking("sql");
    await world.put("closed.sql", "old bad\nb\n");
    const watch = await diagnostics.watch(await ref("closed.sql"));
    assert.deepEqual([watch.complete, watch.before], [false, []]);
    await edit("closed.sql", "b\n", "c\n");
    assert.deepEqual(shown((await watch.settled(10_000, never))?.problems), ["error 1:5 old bad is bad"]);
    const again = await diagnostics.watch(await ref("closed.sql"));
    assert.deepEqual([again.complete, again.before.length], [true, 1], "by now it is");
  });

  it("of a file that the edit made, and of one that nobody had open, are looked for without a tab", async () => {
    start();
    checking("sql");
    const tabs = () => vscode.window.tabGroups.all.flatMap(group => group.tabs).length;
    const before = tabs();
    const created = await ref("new.sql");
    const watch = await diagnostics.watch(created);
    await world.files.apply({ ref: created, base: null, edits: [{ start: 0, end: 0, text: "bad\n" }] });
    assert.deepEqual(shown((await watch.settled(10_000, never))?.problems), ["error 1:1 bad is bad"]);
    await world.put("closed.sql", "bad too\n");
    assert.equal(await diagnostics.look(await ref("closed.sql"), 10_000, never), true);
    assert.deepEqual(await listed("closed.sql"), ["error 1:1 bad too is bad"]);
    assert.equal(tabs(), before);
    await world.put("picture.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
    assert.equal(await diagnostics.look(await ref("picture.png"), 10_000, never), false);
  });

  describe("with time in the test's hands", () => {
    let clock: FakeClock;
    beforeEach(() => {
      clock = new FakeClock();
      start(clock);
    });

    /** Moves time on until the watch answers; how many ms it took, in steps of 50, and what it said. */
    async function settle(watch: DiagnosticsWatch, signal = never) {
      let answer: { settled: Awaited<ReturnType<DiagnosticsWatch["settled"]>> } | undefined;
      void watch.settled(2_000, signal).then(settled => {
        answer = { settled };
      });
      const begin = clock.now();
      await eventually("the watch waits, or has answered", () => clock.waiting > 0 || answer);
      // Up to the moment it has to answer in, whatever the limit of its wait is.
      for (let steps = 0; !answer && steps < 100; steps += 1) {
        await clock.advance(50);
        await eventually("the watch waits again, or has answered", () => clock.waiting > 0 || answer);
      }
      assert.ok(answer, "it answers in its time");
      return { ms: clock.now() - begin, settled: answer.settled };
    }

    /** Reports one problem on a file, or what was reported once more, and waits until that is known. */
    function reporting(name: string): (path: string, message: string) => Promise<void> {
      const collection = vscode.languages.createDiagnosticCollection(name);
      started.push(collection);
      return async (path, message) => {
        const uri = vscode.Uri.file(world.at(path));
        const told = new Promise<void>(resolve => {
          const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
            if (!uris.some(other => other.path === uri.path)) return;
            listening.dispose();
            resolve();
          });
        });
        const again = message === "again" ? collection.get(uri) : undefined;
        collection.set(uri, again ?? [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message)]);
        await told;
      };
    }

    it("a language of which no checker is ever heard costs one whole wait", async () => {
      await world.put("a.ini", "a=1\n");
      await world.show("a.ini");
      for (const [expected, before, after] of [
        [2_000, "1", "2"],
        [250, "2", "3"],
        [250, "3", "4"],
      ] as const) {
        const watch = await diagnostics.watch(await ref("a.ini"));
        await edit("a.ini", before, after);
        assert.deepEqual(await settle(watch), { ms: expected, settled: undefined });
      }
      await reporting("late")("a.ini", "late");
      const watch = await diagnostics.watch(await ref("a.ini"));
      await edit("a.ini", "4", "5");
      assert.equal((await settle(watch)).ms, 2_000, "from then on it is waited for");
    });

    it("a stop ends the wait at once", async () => {
      await world.put("a.lua", "a\n");
      const stop = new AbortController();
      const watch = await diagnostics.watch(await ref("a.lua"));
      await edit("a.lua", "a", "b");
      stop.abort();
      assert.deepEqual(await settle(watch, stop.signal), { ms: 0, settled: undefined });
    });

    it("reports on the text before the edit do not count, nor does typing since make it wait longer", async () => {
      const reportNow = reporting("by hand");
      await world.put("a.lua", "a\n");
      const editor = await world.show("a.lua");
      const watch = await diagnostics.watch(await ref("a.lua"));
      await reportNow("a.lua", "about a");
      await edit("a.lua", "a", "b");
      const settling = watch.settled(2_000, never);
      await eventually("the watch waits", () => clock.waiting > 0);
      // As VS Code's window echoes a report, late under load.
      await reportNow("a.lua", "again");
      await clock.advance(400);
      await reportNow("a.lua", "about b");
      await typeAtStart(editor, "typed ");
      await clock.advance(300);
      const settled = await settling;
      assert.deepEqual(shown(settled?.problems), ["error 1:1 about b"]);
      assert.equal(settled?.text, "typed b\n");
    });
  });
});
