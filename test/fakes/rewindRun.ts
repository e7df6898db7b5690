/** One random interleaving of an agent, a person, other programs, reviews and rewinds, and what has to hold of each step. */
import assert from "node:assert/strict";
import { type AgentPorts, createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { type DiskStates, ErrorForPeople } from "../../src/core/ground/ports";
import { onBranch } from "../../src/core/log/branches";
import { edit, read, runTurn, world } from "./agent";
import { Random } from "./random";
import { rewinding } from "./rewinding";

const APP = "/ws/app/";
const FIRST = ["a.txt", "b.txt", "sub/c.txt"];

/** `«u3»`: typed by the person or written by another program, once in a run; `«a1»`: the agent's. */
const marksOf = (text: string, whose: "u" | "a") => text.match(new RegExp(`«${whose}\\d+»`, "g")) ?? [];

type World = ReturnType<typeof world>;
type Acts =
  | "type"
  | "save"
  | "outside"
  | "mine"
  | "edit"
  | "command"
  | "undo"
  | "redo"
  | "keep"
  | "rewind"
  | "undoRewind"
  | "reload";

const WEIGHTS: Record<Acts, number> = {
  ...{ type: 4, save: 1, outside: 1, mine: 0.5, edit: 4, command: 4 },
  ...{ undo: 2, redo: 1, keep: 1, rewind: 3, undoRewind: 1.5, reload: 0.7 },
};
/** `typed`: a person types into the file while the command runs, and saves */
type Deed = "append" | "replace" | "make" | "remove" | "move" | "copy" | "typed";
const DEEDS: Record<Deed, number> = { append: 4, replace: 3, make: 2, remove: 1, move: 1, copy: 1, typed: 0.5 };

const NONE = "none";

const NOBODY = { type: 0, save: 0, outside: 0, mine: 0 };

/** What must not touch what a person wrote. */
const SPARES = new Set<Acts>(["edit", "undo", "redo", "keep", "rewind", "undoRewind", "reload"]);

export class RewindRun {
  /** what was done, for whoever has to understand a failure */
  readonly done: string[] = [];
  private marks = 0;
  private names = 0;
  private stayed = false;
  private readonly first: Record<string, string>;
  /** happens at the very moment in which a rewind writes */
  private meanwhile: ((path: string) => void) | undefined;

  private constructor(
    private readonly random: Random,
    private readonly agent: World,
    private readonly ports: AgentPorts,
    private session: Session,
    /** nobody but the agent touches anything: what has to come out in the end is known */
    private readonly isAlone: boolean,
  ) {
    this.first = this.seen();
  }

  /** @param sabotage puts something broken between a rewind and the files */
  static async begin(seed: number, sabotage: (disk: DiskStates) => DiskStates = disk => disk): Promise<RewindRun> {
    const random = new Random(seed);
    const lines = (name: string) =>
      Array.from({ length: random.int(1, 9) }, (_, at) => `${name} ${at}`).join("\n") +
      (random.chance(0.8) ? "\n" : "");
    const settings = { "bash.dirtyFiles": random.pick(["save", "leave"] as const) };
    const made = world({ mode: "auto", settings, files: Object.fromEntries(FIRST.map(name => [name, lines(name)])) });
    made.files.save = random.chance(0.6);
    const { baselines, disk } = rewinding(made.files);
    const run: { it?: RewindRun } = {};
    const broken = sabotage(disk);
    const interrupted: DiskStates = {
      look: (...args) => broken.look(...args),
      removeFolder: (...args) => broken.removeFolder(...args),
      put: (...args) => {
        run.it?.interrupt(args[0]);
        return broken.put(...args);
      },
    };
    made.files.beforeApply = ({ absolute }) => run.it?.interrupt(absolute);
    const ports = { ...made.ports, baselines, disk: interrupted };
    run.it = new RewindRun(random, made, ports, await createSession(ports), random.chance(0.4));
    return run.it;
  }

  async act(): Promise<void> {
    const act = this.random.weighted({ ...WEIGHTS, ...(this.isAlone && NOBODY) });
    const before = this.typed();
    const told = await this.acts[act]();
    this.done.push(`${act} ${told ?? ""}: ${this.state()}`);
    if (SPARES.has(act)) this.requireTyped(before, act);
  }

  /** Back to the first state, and from there to where it was. */
  async end(): Promise<void> {
    const { undoable } = this.session.rewind;
    if (this.turns().length > 0) await this.rewindTo(this.turns()[0] ?? 1, { isUndone: true });
    if (this.isAlone && !this.stayed && !undoable && this.turns().length > 0) {
      await this.session.rewind.rewind(this.turns()[0] ?? 1, "files");
      assert.deepEqual(this.seen(), this.first, "the first state");
    }
    await this.session.close();
  }

  private readonly acts: Record<Acts, () => Promise<string | undefined>> = {
    type: async () => this.type(),
    save: async () => this.save(),
    outside: async () => this.outside(),
    mine: async () => this.mine(),
    edit: () => this.edit(),
    command: () => this.command(),
    undo: () => this.review("undo"),
    redo: async () => {
      const undone = await this.session.review.redoable();
      if (undone) await this.told(() => this.session.review.redo(undone.uri));
      return undone?.path;
    },
    keep: () => this.review("keep"),
    rewind: () => this.rewind(),
    undoRewind: async () => {
      const { undoable } = this.session.rewind;
      if (undoable) await this.told(() => this.session.rewind.undo(undoable.rewindId));
      return undoable?.rewindId;
    },
    reload: async () => {
      if (this.session.history.records.length === 0) return undefined;
      await this.session.close();
      this.session = await openSession(this.ports, this.session.id);
      return undefined;
    },
  };

  // ------------------------------------------------------------- the person, and other programs

  private mark(whose: "u" | "a"): string {
    return `«${whose}${++this.marks}»`;
  }

  private type(path = this.pick()): string | undefined {
    if (path === undefined) return undefined;
    const lines = this.text(path).split("\n");
    const at = this.random.int(0, lines.length - 1);
    const mark = this.mark("u");
    if (this.random.chance(0.5)) lines[at] += ` ${mark}`;
    else lines.splice(at, 0, `${mark} typed`);
    this.agent.files.edit(path, lines.join("\n"));
    return path;
  }

  private save(): string | undefined {
    const path = this.random.pick([...this.paths(), NONE]);
    const isDirty = this.agent.files.open.get(APP + path)?.dirty;
    if (!isDirty) return undefined;
    this.agent.unsaved.personSaves(path);
    return path;
  }

  /** Not under unsaved text: which of the two stays is then the person's to say. */
  private outside(path = this.pick()): string | undefined {
    if (path === undefined || this.agent.files.open.get(APP + path)?.dirty) return undefined;
    this.agent.files.put(path, `${this.mark("u")} outside\n${this.text(path)}`);
    return path;
  }

  private mine(): string {
    const path = `mine${++this.names}.txt`;
    this.agent.files.put(path, `${this.mark("u")}\n`);
    return path;
  }

  /** In the middle of a rewind, once. */
  private interrupt(absolute: string): void {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    meanwhile?.(absolute.slice(APP.length));
  }

  // ------------------------------------------------------------- the agent

  private async turn(...calls: { name: string; input: Record<string, string> }[]): Promise<void> {
    this.agent.models.play(...calls.map(call => ({ calls: [call] })), { text: "Done." });
    await runTurn(this.session, "go");
    await this.session.rewind.preview(this.session.history.conversation.turn);
  }

  /** Of a line that nobody else wrote, or a new file. */
  private async edit(): Promise<string | undefined> {
    if (this.random.chance(0.25)) {
      const path = `new/n${++this.names}.txt`;
      await this.turn({ name: "Write", input: { file_path: path, content: `${this.mark("a")}\n` } });
      return path;
    }
    const path = this.pick();
    if (path === undefined) return undefined;
    const text = this.text(path);
    const old = this.random.pick(text.split("\n"));
    if (old.trim() === "" || text.split(old).length !== 2) return undefined;
    const isTheirs = marksOf(old, "u").length > 0;
    const mark = this.mark("a");
    const now = isTheirs || this.random.chance(0.5) ? `${old}\n${mark}` : this.random.pick([`new ${mark}`, ""]);
    await this.turn(read(path), edit(path, old, now));
    return path;
  }

  /** One to three deeds in a command, as programs do them: on disk. */
  private async command(): Promise<string> {
    const weights = { ...DEEDS, typed: this.isAlone ? 0 : DEEDS.typed };
    const deeds = Array.from({ length: this.random.int(1, 3) }, () => this.random.weighted(weights));
    const command = `change ${++this.names}`;
    const does = () => {
      for (const deed of deeds) this.deed(deed);
    };
    this.agent.shell.add(command, { does });
    await this.turn({ name: "Bash", input: { command } });
    return deeds.join();
  }

  private deed(kind: Deed): void {
    const { files, unsaved } = this.agent;
    const path = this.random.pick([...files.namesOnDisk().map(name => name.slice(APP.length)), NONE]);
    const text = files.onDisk(path) ?? "";
    const fresh = `made/m${++this.names}.txt`;
    const isTheirs = marksOf(text, "u").length > 0 || files.open.has(APP + path);
    if (kind === "make") files.put(fresh, `${this.mark("a")}\n`);
    if (path === NONE) return;
    if (kind === "append") files.put(path, `${text}${this.mark("a")}\n`);
    if (kind === "copy") files.put(fresh, text);
    if (kind === "typed" && this.type(path) !== undefined) unsaved.personSaves(path);
    if (isTheirs) return;
    if (kind === "replace") files.put(path, text.replace(/^.*$/m, `by a command ${this.mark("a")}`));
    if (kind === "remove" || kind === "move") files.remove(path);
    if (kind === "move") files.put(fresh, text);
  }

  // ------------------------------------------------------------- reviews and rewinds

  private async review(way: "undo" | "keep"): Promise<string | undefined> {
    const path = this.pick();
    if (path === undefined) return undefined;
    const { uri } = await this.agent.files.resolve(path);
    const waiting = await this.session.review.changesIn(uri, this.text(path));
    if (waiting.length === 0) return undefined;
    const { id } = this.random.pick(waiting);
    const chosen = this.random.chance(0.8) ? id : undefined;
    const { review } = this.session;
    const seq = (await review.list()).find(file => file.uri === uri)?.seq;
    if (seq === undefined) return undefined;
    await this.told(() => (way === "undo" ? review.undo(uri, chosen) : review.keep({ uri, seq }, chosen)));
    return path;
  }

  private async rewind(): Promise<string | undefined> {
    const turns = this.turns();
    if (turns.length === 0) return undefined;
    const turn = this.random.pick(turns);
    const isInterrupted = !this.isAlone && this.random.chance(0.3);
    if (isInterrupted) this.meanwhile = path => (this.random.chance(0.5) ? this.type(path) : this.outside(path));
    await this.rewindTo(turn, { isUndone: this.random.chance(0.5), isInterrupted });
    return `to ${turn}`;
  }

  private async rewindTo(turn: number, { isUndone = false, isInterrupted = false }): Promise<void> {
    const [before, typed] = [this.seen(), this.typed()];
    const { marks } = this;
    const what = this.random.chance(0.7) ? "files" : "both";
    const { stayed, files } = await this.session.rewind.rewind(turn, what);
    this.meanwhile = undefined;
    this.stayed ||= stayed !== undefined;
    this.requireTyped(typed, "rewind");
    const there = [...this.typed().values()].flat();
    for (let mark = marks + 1; mark <= this.marks; mark++)
      assert.ok(there.includes(`«u${mark}»`), `«u${mark}», written in the middle of a rewind, was lost`);
    if (!isUndone) return;
    const between = this.typed();
    await this.session.rewind.undo();
    this.requireTyped(between, "undo of a rewind");
    if (!isInterrupted) assert.deepEqual(this.seen(), before, `the undo of a rewind of ${files} files`);
  }

  /** Why something is not done is said to people, and nothing happens. */
  private async told(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!(error instanceof ErrorForPeople)) throw error;
    });
  }

  private turns(): number[] {
    const records = onBranch(this.session.history.records);
    const turns = records.flatMap(record =>
      record.kind === "message" && record.message.role === "user" ? [record.message.metadata.turn] : [],
    );
    return [...new Set(turns)];
  }

  // ------------------------------------------------------------- what stands there

  private paths(): string[] {
    return this.agent.files.all().map(({ ref }) => ref.path);
  }

  private pick(): string | undefined {
    const paths = this.paths();
    return paths.length === 0 ? undefined : this.random.pick(paths);
  }

  /** What the editor has, else what is on disk. */
  private text(path: string): string {
    const { files } = this.agent;
    return files.inEditor(path) ?? files.onDisk(path) ?? "";
  }

  /** Every file, on disk and in the editor, for people. */
  private state(): string {
    const { files } = this.agent;
    return this.paths()
      .map(path => {
        const [disk, editor] = [files.onDisk(path), files.inEditor(path)];
        return `${path}=${JSON.stringify(disk)}${editor === undefined || editor === disk ? "" : ` (${JSON.stringify(editor)})`}`;
      })
      .join(" ");
  }

  /** What a person finds in each file: what is not saved is in the editor, whatever is on disk. */
  private seen(): Record<string, string> {
    return Object.fromEntries(this.paths().map(path => [path, this.text(path)]));
  }

  private typed(): Map<string, string[]> {
    return new Map(this.paths().map(path => [path, marksOf(this.text(path), "u")]));
  }

  /** All that somebody wrote is still there, in its order. */
  private requireTyped(before: ReadonlyMap<string, string[]>, what: string): void {
    const now = this.typed();
    const all = new Set([...now.values()].flat());
    for (const [path, marks] of before) {
      for (const mark of marks) assert.ok(all.has(mark), `${mark} of ${path} was lost by ${what}`);
      const there = now.get(path) ?? [];
      const kept = marks.filter(mark => there.includes(mark));
      assert.deepEqual(
        there.filter(mark => marks.includes(mark)),
        kept,
        `what was typed into ${path}, by ${what}`,
      );
      assert.equal(new Set(there).size, there.length, `nothing in ${path} is doubled by ${what}`);
    }
  }
}
