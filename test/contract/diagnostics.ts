/** What every `Diagnostics` has to do, with a checker for which each line with `bad` in it is an error `<line> is bad`. */
import assert from "node:assert/strict";
import type { Diagnostics, Files, Problem, TextEdit } from "../../src/core/ground/ports";

export interface DiagnosticsWorld {
  files: Files;
  diagnostics: Diagnostics;
  /** Opens a file, as a person does, and comes back when a checker has looked at it. */
  show(path: string): Promise<void>;
  dispose(): Promise<void>;
}

const never = new AbortController().signal;
const LONG = 10_000;

/** @param make a workspace of one root with these files, none of them open */
export function diagnosticsContract(
  name: string,
  make: (tree: Record<string, string>) => Promise<DiagnosticsWorld>,
): void {
  describe(`diagnostics: ${name}`, () => {
    let world: DiagnosticsWorld;
    beforeEach(async () => {
      world = await make({ "a.sql": "one\nold bad\n", "b.sql": "bad too\n" });
    });
    afterEach(() => world.dispose());

    const ref = (path: string) => world.files.resolve(path);
    const shown = (problems: readonly Problem[] | undefined) =>
      problems?.map(({ severity, line, message }) => `${severity} ${line} ${message}`);
    const listed = async (path: string) => shown(await world.diagnostics.of(await ref(path)));
    const apply = async (path: string, edits: TextEdit[]) => {
      const target = await ref(path);
      const file = (await world.files.stat(target)) && (await world.files.read(target, 1_000_000));
      const outcome = await world.files.apply({ ref: target, base: file?.stamp.sha256 ?? null, edits });
      assert.equal(outcome.kind, "applied");
    };
    const put = (start: number, text: string): TextEdit => ({ start, end: start, text });

    it("lists nothing of what no checker has looked at", async () => {
      assert.deepEqual([await listed("a.sql"), await listed("not-there.sql")], [[], []]);
      const paths = (await world.diagnostics.all()).map(file => file.ref.path);
      assert.ok(!paths.includes("a.sql"));
    });

    it("lists what a checker found, by file", async () => {
      await world.show("a.sql");
      assert.deepEqual(await listed("a.sql"), ["error 2 old bad is bad"]);
      const all = (await world.diagnostics.all()).filter(file => file.ref.inside);
      assert.deepEqual(
        all.map(file => [file.ref.uri, shown(file.problems)]),
        [[(await ref("a.sql")).uri, ["error 2 old bad is bad"]]],
      );
    });

    it("has a checker look at a file that nobody opened", async () => {
      assert.equal(await world.diagnostics.look(await ref("b.sql"), LONG, never), true);
      assert.deepEqual(await listed("b.sql"), ["error 1 bad too is bad"]);
    });

    it("holds what was listed before an edit, and gives what is found after it with the text", async () => {
      await world.show("a.sql");
      const watch = await world.diagnostics.watch(await ref("a.sql"));
      await apply("a.sql", [put(0, "my bad\n")]);
      const settled = await watch.settled(LONG, never);
      assert.equal(watch.complete, true);
      assert.deepEqual(shown(watch.before), ["error 2 old bad is bad"]);
      assert.deepEqual(shown(settled?.problems), ["error 1 my bad is bad", "error 3 old bad is bad"]);
      assert.equal(settled?.text, "my bad\none\nold bad\n");
    });

    it("of a file that nobody opened, does not claim to know what was there before", async () => {
      const watch = await world.diagnostics.watch(await ref("a.sql"));
      await apply("a.sql", [put(0, "my bad\n")]);
      const settled = await watch.settled(LONG, never);
      assert.equal(watch.complete, false);
      assert.deepEqual(shown(settled?.problems), ["error 1 my bad is bad", "error 3 old bad is bad"]);
    });

    it("looks at a file that the edit made", async () => {
      const watch = await world.diagnostics.watch(await ref("new.sql"));
      await apply("new.sql", [put(0, "bad\n")]);
      assert.deepEqual(shown((await watch.settled(LONG, never))?.problems), ["error 1 bad is bad"]);
    });

    it("answers a wait that was stopped with nothing", async () => {
      const stopped = AbortSignal.abort(new Error("stopped"));
      const watch = await world.diagnostics.watch(await ref("a.sql"));
      await apply("a.sql", [put(0, "x\n")]);
      assert.equal(await watch.settled(LONG, stopped), undefined);
    });
  });
}
