/**
 * An agent that edits, a person who types into the same file without saving, and reviews in between, in any order, over reloads
 * too: no keystroke is lost, doubled or taken back, what is made again waits again, and what is taken back in the end is all that
 * nobody kept.
 */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { SessionError } from "../../../../src/core/ground/ports";
import { edit, read, runTurn, start } from "../../../fakes/agent";
import { Random } from "../../../fakes/random";
import { isSoak } from "../../../fakes/soak";

const uri = "file:///ws/app/src/a.ts";
const path = "src/a.ts";

/** `«u3»`, `«a1»`: whose text it is, once in a run. */
const marksOf = (text: string, whose: "u" | "a") => text.match(new RegExp(`«${whose}\\d+»`, "g")) ?? [];

function firstText(random: Random): string {
  const lines = Array.from({ length: random.int(1, 14) }, (_, at) =>
    random.chance(0.3) ? random.pick(["", "}", "  return"]) : `line ${at}`,
  );
  return lines.join(random.chance(0.2) ? "\r\n" : "\n") + (random.chance(0.8) ? "\n" : "");
}

/** One run, and what was done in it, for whoever has to understand a failure. */
class Run {
  readonly done: string[] = [];
  private marks = 0;
  private readonly kept = new Set<string>();

  private constructor(
    private readonly random: Random,
    private agent: Awaited<ReturnType<typeof start>>,
  ) {}

  static async begin(seed: number): Promise<Run> {
    const random = new Random(seed);
    const agent = await start({ mode: "auto", files: { [path]: firstText(random) } });
    agent.files.save = random.chance(0.5);
    return new Run(random, agent);
  }

  private get text(): string {
    const { files } = this.agent;
    return files.inEditor(path) ?? files.onDisk(path) ?? "";
  }

  private readonly acts: Record<
    "type" | "edit" | "undo" | "redo" | "keep" | "keepLate" | "undoFile" | "reload",
    () => Promise<void>
  > = {
    type: async () => this.type(),
    edit: () => this.edit(),
    undo: () => this.one("undo"),
    redo: () => this.redo(),
    keep: () => this.one("keep"),
    keepLate: () => this.keepLate(),
    undoFile: () => this.whole(),
    reload: async () => {
      const { session, ports } = this.agent;
      // One in which nothing was said is nowhere.
      if (session.history.records.length === 0) return;
      await session.close();
      this.agent = { ...this.agent, session: await openSession(ports, session.id) };
    },
  };

  async act(): Promise<void> {
    const weights = { type: 5, edit: 5, undo: 3, redo: 1.5, keep: 2, keepLate: 1, undoFile: 0.5, reload: 0.7 };
    const before = { text: this.text, typed: marksOf(this.text, "u").join() };
    const op = this.random.weighted(weights);
    await this.acts[op]();
    this.done.push(`${op}: ${JSON.stringify(this.text)}`);
    if (op !== "type") assert.equal(marksOf(this.text, "u").join(), before.typed, `${op} touched what was typed`);
  }

  /** All that nobody kept goes, and what was typed stays. */
  async end(): Promise<void> {
    const typed = marksOf(this.text, "u").join();
    await this.whole();
    this.done.push(`end: ${JSON.stringify(this.text)}`);
    assert.equal(marksOf(this.text, "u").join(), typed);
    const left = this.text.split(/\r?\n/).filter(line => {
      const isTheirs = marksOf(line, "u").length > 0;
      return !isTheirs && marksOf(line, "a").some(mark => !this.kept.has(mark));
    });
    assert.deepEqual(left, [], "lines of the agent that nobody kept or rewrote");
    this.agent.session.review.touch();
    assert.deepEqual(await this.agent.session.review.list(), []);
    await this.agent.session.close();
  }

  private type(): void {
    const lines = this.text.split("\n");
    const at = this.random.int(0, lines.length - 1);
    const mark = `«u${++this.marks}»`;
    const kind = this.random.pick(["append", "insert", "delete"]);
    if (kind === "append") lines[at] = (lines[at] ?? "").replace(/\r?$/, ` ${mark}$&`);
    if (kind === "insert") lines.splice(at, 0, `${mark} typed${this.text.includes("\r\n") ? "\r" : ""}`);
    if (kind === "delete" && lines.length > 1 && marksOf(lines[at] ?? "", "u").length === 0) lines.splice(at, 1);
    this.agent.files.edit(path, lines.join("\n"));
  }

  /** One to two lines that stand there once, changed, more, or fewer; what somebody typed stays. */
  private async edit(): Promise<void> {
    const lines = this.text.replaceAll("\r\n", "\n").split("\n");
    const count = this.random.int(1, Math.min(2, lines.length));
    const at = this.random.int(0, lines.length - count);
    const old = lines.slice(at, at + count).join("\n");
    if (old.trim() === "" || lines.join("\n").split(old).length !== 2) return;
    const typed = marksOf(old, "u").length > 0;
    const kinds = typed ? ["more", "between"] : ["more", "between", "replace", "remove"];
    const mark = () => `«a${++this.marks}»`;
    const made: Record<string, () => string> = {
      more: () => `${mark()}\n${old}\n}`,
      between: () => old.split("\n").join(`\n${mark()}\n`),
      replace: () => [`new ${mark()}`, ...(this.random.chance(0.5) ? ["}"] : [])].join("\n"),
      remove: () => "",
    };
    const now = made[this.random.pick(kinds)]?.() ?? old;
    if (now === old) return;
    const { models, session } = this.agent;
    models.play({ calls: [read(path)] }, { calls: [edit(path, old, now)] }, { text: "Done." });
    await runTurn(session, "go");
  }

  /** What somebody saw, while the agent edits: that edit is not kept with it. */
  private async keepLate(): Promise<void> {
    const { review } = this.agent.session;
    const waiting = await review.changesIn(uri, this.text);
    if (waiting.length === 0) return;
    const { id, seq, first, count } = this.random.pick(waiting);
    const whole = this.random.chance(0.3);
    const seen = this.text.split("\n").slice(...(whole ? [] : [first, first + count]));
    await this.edit();
    await review.keep({ uri, seq }, whole ? undefined : id).then(
      () => {
        for (const mark of marksOf(seen.join("\n"), "a")) this.kept.add(mark);
      },
      (error: unknown) => assert.ok(error instanceof SessionError),
    );
  }

  private async one(way: "undo" | "keep"): Promise<void> {
    const { review } = this.agent.session;
    const waiting = await review.changesIn(uri, this.text);
    if (waiting.length === 0) return;
    const { id, seq, first, count } = this.random.pick(waiting);
    if (way === "keep") {
      const lines = this.text.split("\n").slice(first, first + count);
      for (const mark of marksOf(lines.join("\n"), "a")) this.kept.add(mark);
    }
    await (way === "keep" ? review.keep({ uri, seq }, id) : review.undo(uri, id));
  }

  /** What was undone last, unless somebody wrote into its place. */
  private async redo(): Promise<void> {
    const { review } = this.agent.session;
    const undone = await review.redoable(uri);
    await review.redo(uri).catch((error: unknown) => assert.ok(error instanceof SessionError));
    if (undone === undefined) assert.equal(await review.redoable(), undefined);
  }

  private async whole(): Promise<void> {
    const { review } = this.agent.session;
    if ((await review.changesIn(uri, this.text)).length > 0) await review.undo(uri);
  }
}

describe("an agent, a person who types, and reviews in between", function () {
  this.timeout(120_000);

  it("no keystroke is lost, whatever is kept and taken back", async () => {
    for (let seed = 0; seed < (isSoak("interleavings") ? 600 : 10); seed += 1) {
      const run = await Run.begin(seed);
      try {
        for (let step = 0; step < 10; step += 1) await run.act();
        await run.end();
      } catch (error) {
        const words = error instanceof Error ? error.message : error;
        throw new Error(`seed ${seed}: ${words}\n${run.done.join("\n")}`, { cause: error });
      }
    }
  });
});
