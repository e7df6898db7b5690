/**
 * Undo of anything in any order: an agent that edits over several turns, a person who types, and every way to put something back
 * (an edit, a file's edits of a turn, a change or a file in a review, a rewind), over reloads too. Undoing something gives what
 * undoing it alone gives, whatever else was undone before; making it again gives the bytes that stood there; and what cannot be
 * put back is refused and changes nothing.
 */
import assert from "node:assert/strict";
import { type AgentPorts, createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { ErrorForPeople, type Files } from "../../../../src/core/ground/ports";
import { edit, read, runTurn, world } from "../../../fakes/agent";
import { Random } from "../../../fakes/random";
import { rewinding } from "../../../fakes/rewinding";
import { isSoak, soak } from "../../../fakes/soak";
import { wrapped } from "../../../fakes/wrapped";

const PATHS = ["a.txt", "sub/b.txt"];
const uriOf = (path: string) => `file:///ws/app/${path}`;

/** `«u3»`: typed by the person, `«a1»`: the agent's; each once in a run. */
const marksOf = (text: string, whose: "u" | "a") => text.match(new RegExp(`«${whose}\\d+»`, "g")) ?? [];

type Seen = Record<string, string>;
type Ways = "edit" | "file" | "change" | "review" | "rewind";
/** Something that can be put back, and made again. */
interface Deed {
  name: string;
  undo(): Promise<unknown>;
  redo(): Promise<unknown>;
  stands?(): Promise<boolean>;
}

class Run {
  readonly done: string[] = [];
  private marks = 0;
  private typing: (() => void) | undefined;

  private constructor(
    private readonly random: Random,
    private readonly agent: ReturnType<typeof world>,
    private readonly ports: AgentPorts,
    private session: Session,
  ) {
    agent.files.beforeApply = () => {
      const type = this.typing;
      this.typing = undefined;
      type?.();
    };
  }

  static async begin(seed: number, sabotage: (files: Files) => Files): Promise<Run> {
    const random = new Random(seed);
    const text = (path: string) => {
      const lines = Array.from({ length: random.int(3, 16) }, (_, at) =>
        random.chance(0.3) ? random.pick(["", "}", "  return"]) : `${path} ${at}`,
      );
      return lines.join(random.chance(0.2) ? "\r\n" : "\n") + (random.chance(0.8) ? "\n" : "");
    };
    const agent = world({ mode: "auto", files: Object.fromEntries(PATHS.map(path => [path, text(path)])) });
    agent.files.save = random.chance(0.6);
    const ports = { ...agent.ports, ...rewinding(agent.files), files: sabotage(agent.files) };
    return new Run(random, agent, ports, await createSession(ports));
  }

  async go(): Promise<void> {
    for (let turn = this.random.int(1, 3); turn > 0; turn -= 1) {
      await this.turn();
      if (this.random.chance(0.5)) this.type();
    }
    await this.anyOrder();
    for (let step = 0; step < 6; step += 1) {
      await this.act();
      if (this.random.chance(0.3)) this.type();
      if (this.random.chance(0.15)) await this.turn();
    }
    await this.session.close();
  }

  // ------------------------------------------------------------- who changes files

  private async turn(): Promise<void> {
    const calls = Array.from({ length: this.random.int(1, 3) }, () => this.call()).filter(call => call !== undefined);
    const reads = [...this.paths()].map(path => ({ calls: [read(path)] }));
    this.agent.models.play(...reads, ...calls.map(call => ({ calls: [call] })), { text: "Done." });
    await runTurn(this.session, "go");
    this.done.push(`turn ${JSON.stringify(calls.map(({ input }) => input))}: ${this.told()}`);
  }

  /** Of a line that nobody else wrote, which the calls before it may have taken away; or a new file. */
  private call() {
    if (this.random.chance(0.1))
      return { name: "Write", input: { file_path: `new${++this.marks}.txt`, content: `${this.mark("a")}\n` } };
    const path = this.random.pick(this.paths());
    const old = this.random.pick(this.text(path).split(/\r?\n/));
    if (old.trim() === "" || this.text(path).split(old).length !== 2) return undefined;
    const kinds = marksOf(old, "u").length > 0 ? ["more", "above"] : ["more", "above", "replace", "remove"];
    const mark = `agent ${this.mark("a")}`;
    const made: Record<string, string> = {
      more: `${old}\n${mark}`,
      above: `${mark}\n${old}`,
      replace: mark,
      remove: "",
    };
    return edit(path, old, made[this.random.pick(kinds)] ?? "");
  }

  private type(path = this.random.pick(this.paths())): void {
    const lines = this.text(path).split("\n");
    const at = this.random.int(0, lines.length - 1);
    const mark = this.mark("u");
    if (this.random.chance(0.3)) lines[at] = (lines[at] ?? "").replace(/\r?$/, ` ${mark}$&`);
    else lines.splice(at, 0, `typed ${mark}${this.text(path).includes("\r\n") ? "\r" : ""}`);
    this.agent.files.edit(path, lines.join("\n"));
    this.done.push(`typed ${mark} into ${path}`);
  }

  private mark(whose: "u" | "a"): string {
    return `«${whose}${++this.marks}»`;
  }

  // ------------------------------------------------------------- what is put back

  /** Two edits, undone in one order and in the other: the same is left, and each takes what it takes alone. */
  private async anyOrder(): Promise<void> {
    const all = this.edits();
    if (all.length < 2) return;
    const [one, other] = [this.random.pick(all), this.random.pick(all)];
    if (one.name === other.name) return;
    const start = this.seen();
    const alone = (await this.tried(one)) ? this.gone(start) : undefined;
    const both = alone && (await this.tried(other)) ? this.seen() : undefined;
    if (both) await this.redone(other);
    if (alone) await this.redone(one);
    assert.deepEqual(this.seen(), start, "redo in the order of a stack");
    if (!alone || !both || !(await this.tried(other))) return;
    const between = this.seen();
    if (await this.tried(one)) {
      assert.deepEqual(this.seen(), both, `${one.name} and ${other.name} in either order`);
      assert.deepEqual(this.gone(between), alone, `${one.name} after ${other.name}, and alone`);
      await this.redone(one);
    }
    await this.redone(other);
    assert.deepEqual(this.seen(), start);
  }

  private async act(): Promise<void> {
    const way = this.random.weighted({ edit: 3, file: 1, change: 3, review: 1, rewind: 1 });
    const deed = await this.deeds[way]();
    if (!deed) return;
    const [before, typed] = [this.seen(), this.typed()];
    if (this.random.chance(0.2)) this.typing = () => this.type();
    const isAlone = this.typing === undefined;
    const isDone = await this.tried(deed);
    const wasTyped = !isAlone && this.typing === undefined;
    this.typing = undefined;
    this.requireTyped(typed, deed.name);
    if (!isDone) return void (wasTyped || assert.deepEqual(this.seen(), before, `${deed.name} was refused`));
    const after = this.seen();
    if (this.random.chance(0.2)) await this.reload();
    if (wasTyped) return void (await this.tried({ ...deed, undo: deed.redo }));
    await this.redone(deed);
    assert.deepEqual(this.seen(), before, `redo of ${deed.name}`);
    if (this.random.chance(0.6) || !((await deed.stands?.()) ?? true)) return;
    assert.ok(await this.tried(deed), `${deed.name} once more`);
    assert.deepEqual(this.seen(), after, `${deed.name}, made again and undone`);
  }

  private readonly deeds: Record<Ways, () => Promise<Deed | undefined>> = {
    edit: async () => this.maybe(this.edits()),
    file: async () => {
      const turn = this.random.int(1, this.session.history.conversation.turn);
      const { files } = await this.session.edits.changesOf(turn);
      // With an edit that was undone before, the file's redo makes that again as well.
      const file = this.maybe(files.filter(({ undone }) => undone === 0));
      if (!file) return undefined;
      const name = { turn, uri: file.uri };
      return {
        name: `the edits of ${file.path} in turn ${turn}`,
        undo: () => this.session.edits.revert("undo", name),
        redo: () => this.session.edits.revert("redo", name),
      };
    },
    change: async () => {
      const path = this.random.pick(this.paths());
      const changes = () => this.session.review.changesIn(uriOf(path), this.text(path));
      const chosen = this.maybe(await changes());
      if (!chosen) return undefined;
      const place = `${chosen.first} ${chosen.count}`;
      // One that was made again has another id; with lines of another change right beside it, the two may be one by then.
      const find = async () => (await changes()).find(({ first, count }) => `${first} ${count}` === place);
      return {
        ...this.review(uriOf(path)),
        name: `the change at ${place} of ${path}`,
        stands: async () => (await find()) !== undefined,
        undo: async () => this.session.review.undo(uriOf(path), (await find())?.id ?? chosen.id),
      };
    },
    review: async () => {
      const file = this.maybe(await this.session.review.list());
      return file && this.review(file.uri);
    },
    rewind: async () => {
      const turn = this.random.int(1, this.session.history.conversation.turn);
      return {
        name: `the turns from ${turn} on`,
        undo: () => this.session.rewind.rewind(turn, "files"),
        redo: () => this.session.rewind.undo(),
      };
    },
  };

  private review(uri: string): Deed {
    return {
      name: `all changes of ${uri}`,
      undo: () => this.session.review.undo(uri),
      redo: () => this.session.review.redo(uri),
    };
  }

  /** Those that stand. */
  private edits(): Deed[] {
    const { records } = this.session.history;
    const undone = new Set<string>();
    for (const record of records)
      if (record.kind === "revert")
        for (const { callId } of record.edits) undone[record.direction === "undo" ? "add" : "delete"](callId);
    return records.flatMap(record =>
      record.kind !== "result" || undone.has(record.callId)
        ? []
        : (record.changes ?? []).map(({ uri }) => {
            const edit = { callId: record.callId, uri };
            return {
              name: `edit ${edit.callId}`,
              undo: () => this.session.edits.revert("undo", edit),
              redo: () => this.session.edits.revert("redo", edit),
            };
          }),
    );
  }

  /** false: it was refused. */
  private async tried({ name, undo }: Deed): Promise<boolean> {
    const [error] = await undo().then(
      () => [],
      (reason: unknown) => [reason],
    );
    if (error !== undefined && !(error instanceof ErrorForPeople)) throw error;
    this.done.push(`${name}${error ? ` refused (${(error as Error).message})` : ""}: ${this.told()}`);
    return error === undefined;
  }

  private async redone({ name, redo }: Deed): Promise<void> {
    await redo();
    this.done.push(`redo of ${name}: ${this.told()}`);
  }

  private async reload(): Promise<void> {
    await this.session.close();
    this.session = await openSession(this.ports, this.session.id);
    this.done.push("reload");
  }

  // ------------------------------------------------------------- what stands there

  private maybe<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : this.random.pick(from);
  }

  private paths(): string[] {
    return this.agent.files.all().map(({ ref }) => ref.path);
  }

  private text(path: string): string {
    const { files } = this.agent;
    return files.inEditor(path) ?? files.onDisk(path) ?? "";
  }

  private seen(): Seen {
    return Object.fromEntries(this.paths().map(path => [path, this.text(path)]));
  }

  /** The agent's marks that are not there any more, and those that came back. */
  private gone(before: Seen): { gone: string[]; came: string[] } {
    const all = (seen: Seen) => Object.values(seen).flatMap(text => marksOf(text, "a"));
    const [was, is] = [all(before), all(this.seen())];
    return { gone: was.filter(mark => !is.includes(mark)), came: is.filter(mark => !was.includes(mark)) };
  }

  private typed(): string[] {
    return Object.values(this.seen()).flatMap(text => marksOf(text, "u"));
  }

  private requireTyped(before: readonly string[], what: string): void {
    const now = this.typed();
    for (const mark of before) assert.ok(now.includes(mark), `${mark} was lost by ${what}`);
    assert.equal(new Set(now).size, now.length, `nothing is doubled by ${what}`);
  }

  private told(): string {
    return JSON.stringify(this.seen());
  }
}

/** What was wrong; undefined: nothing. @param sabotage puts something broken between a session and its files */
async function fails(seed: number, sabotage = (files: Files) => files): Promise<Error | undefined> {
  const run = await Run.begin(seed, sabotage);
  try {
    await run.go();
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return new Error(`seed ${seed}: ${words}\n${run.done.join("\n")}`, { cause: error });
  }
}

const SEED = 26_000;

describe("undo of anything, in any order", function () {
  this.timeout(isSoak("interleavings") ? 1_800_000 : 240_000);

  it("gives what undoing it alone gives, and redo gives every byte back", async () => {
    for (let seed = SEED; seed < SEED + (isSoak("interleavings") ? 1000 : 30); seed += 1) {
      const failure = await fails(seed);
      if (failure) throw failure;
    }
  });

  const sabotages: Record<string, (files: Files) => Files> = {
    "does not compare before it swaps": files =>
      wrapped(files, {
        apply: async change => {
          const found = await files.read(change.ref, 1e6).catch(() => undefined);
          const text = found?.kind === "text" ? found.text : "";
          const first = await files.apply(change);
          if (first.kind === "applied" || found?.kind !== "text") return first;
          const [{ start, text: put } = { start: 0, text: "" }] = change.edits;
          const now = await files.read(change.ref, 1e6);
          const all = { start: 0, end: now.kind === "text" ? now.text.length : 0, text: text.slice(0, start) + put };
          return files.apply({ ...change, base: now.stamp.sha256, edits: [all] });
        },
      }),
    "says that it wrote, and did not": files =>
      wrapped(files, {
        removeFile: async () => "removed",
      }),
  };
  soak("interleavings", () => {
    for (const [what, sabotage] of Object.entries(sabotages))
      it(`would be told of an editor that ${what}`, async () => {
        for (let seed = SEED; seed < SEED + 200; seed += 1) if (await fails(seed, sabotage)) return;
        assert.fail("it was not told");
      });
  });
});
