/** Every handle that ever stood in a request leads to the recorded bytes: through compactions, their undo and restarts. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { olderRecords } from "../../../src/core/log/findRecords";
import { resolveHandle } from "../../../src/core/log/handles";
import { searchLog } from "../../../src/core/log/searchLog";
import type { RecordOf } from "../../../src/shared/records";
import { cases } from "../../fakes/soak";
import { handleFor, Recorded, turnOf } from "./recorded";

const output = fc.tuple(
  fc.constantFrom("", "\ufeff", "needle\n", "中文 \u{1f600}", '"kind":"result"\\', "\u2028\r\n"),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.boolean(),
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("round" as const), outputs: fc.array(output, { maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("compact" as const), most: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("undo" as const, "redo" as const, "reopen" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Play {
  /** every text that has a handle */
  readonly texts = new Set<string>();
  /** what each turn's handle gave when it had ended */
  readonly turns: string[] = [];
  private readonly done: RecordOf<"compaction">[] = [];
  private readonly undone: RecordOf<"compaction">[] = [];

  constructor(readonly recorded: Recorded) {}

  async run(asked: Step): Promise<void> {
    const { recorded } = this;
    if (asked.do === "round") {
      const outputs = asked.outputs.map(([start, words, blob]) => ({ text: start + words, blob }));
      for (const { text } of outputs) this.texts.add(text);
      await recorded.round(
        "ask",
        outputs.map(({ text, blob }) => (blob ? { blob: text } : text)),
      );
      this.turns.push(await this.transcript(recorded.turn));
    } else if (asked.do === "compact") await this.compact(asked.most);
    else if (asked.do === "reopen") await this.reopen();
    else if (asked.do === "undo") {
      const record = this.done.pop();
      if (!record) return;
      await recorded.history.undoCompaction(record);
      this.undone.push(record);
    } else {
      const record = this.undone.pop();
      if (!record) return;
      await recorded.history.redoCompaction(record);
      this.done.push(record);
    }
  }

  async transcript(turn: number): Promise<string> {
    return (await resolveHandle(this.recorded.history, `turn:${turn}`)).text;
  }

  /** A session in which nothing was said is none. */
  async reopen(): Promise<void> {
    if (this.recorded.history.records.length > 0) assert.deepEqual(await this.recorded.reopen(), []);
  }

  private async compact(most: number): Promise<void> {
    const live = new Set(this.recorded.history.records.map(turnOf).filter(turn => turn !== undefined));
    const turns = [...live].sort((a, b) => a - b).slice(0, most);
    if (turns.length === 0) return;
    const record = await this.recorded.compact(turns, `Turns ${turns.join()}, number ${this.texts.size}.`);
    for (const { text } of record.summaries) this.texts.add(text);
    this.done.push(record);
    this.undone.length = 0;
  }
}

describe("every handle", () => {
  it("leads to the recorded bytes whatever happens to the history", () => {
    const check = async (steps: Step[]) => {
      const play = new Play(await Recorded.start());
      for (const asked of steps) await play.run(asked);
      const { recorded } = play;
      for (let opened = 0; opened < 2; opened++) {
        for (const text of play.texts) {
          assert.equal((await resolveHandle(recorded.history, handleFor(text))).text, text);
        }
        for (const [at, text] of play.turns.entries()) assert.equal(await play.transcript(at + 1), text);
        const { records, hasOlder, missing } = await olderRecords(recorded.history, 1e9, 1e9);
        const seqs = records.map(({ seq }) => seq);
        assert.deepEqual([seqs, hasOlder, missing], [seqs.map((_, at) => at + 1), false, []]);
        const found = await searchLog(recorded.history, "needle", 1000);
        assert.deepEqual([found.missing, found.unread], [[], []]);
        const needles = records.filter(record => record.kind === "result" && holdsNeedle(record, play.texts));
        // Outputs that are the same byte for byte are found once.
        const handles = needles.flatMap(record => (record.kind === "result" && record.raw ? [record.raw.sha256] : []));
        assert.equal(found.hits.length, new Set(handles).size);
        await play.reopen();
      }
    };
    return fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), check), {
      numRuns: cases(1000),
    });
  });
});

function holdsNeedle({ raw }: RecordOf<"result">, texts: ReadonlySet<string>): boolean {
  return [...texts].some(text => text.startsWith("needle") && handleFor(text).slice(4) === raw?.sha256.slice(0, 12));
}
