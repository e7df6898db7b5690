import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { ApprovalAnswer } from "../../src/shared/approval";
import type { AgentEvent } from "../../src/shared/events";
import { parseAnswer, TerminalQuestions } from "../../src/terminal/questions";

const approval = (approvalId: string, answer?: ApprovalAnswer): AgentEvent => ({
  type: "record",
  record: {
    ...{ kind: "approval", id: `rec_${approvalId}`, seq: 1, ts: 1, approvalId },
    action: {
      ...{ toolName: "Bash", callId: "call_1", title: `Run ${approvalId}?`, binds: "" },
      detail: { type: "command", command: approvalId, cwd: "/ws" },
    },
    ...(answer ? { answer } : {}),
  },
});
const stopped: ApprovalAnswer = { decision: "deny", scope: "once", by: "stop" };

/** @param isTerminal keys are read one by one, as on a terminal in raw mode */
function desk(isTerminal = false, columns?: number) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: isTerminal, ...(columns !== undefined && { columns }) });
  let screen = "";
  output.on("data", data => {
    screen += data;
  });
  const answers: string[] = [];
  const ends: string[] = [];
  const questions = new TerminalQuestions({
    input,
    output,
    answer: (id, { decision }) => answers.push(`${id} ${decision}`),
    reply: () => undefined,
    onInterrupt: () => ends.push("Ctrl+C"),
    onEnd: () => ends.push("end"),
  });
  return {
    questions,
    input,
    answers,
    ends,
    screen: () => screen,
    /** the questions on the screen so far */
    asked: () => [...screen.matchAll(/Run (\w+)\?/g)].map(([, id]) => id),
    async type(text: string) {
      if (text) input.write(text);
      // the stream, the interface and the next question each take a turn of the event loop
      for (let i = 0; i < 5; i++) await turn();
    },
  };
}

describe("questions in the terminal", () => {
  it("lines are broken at the terminal's width, at 80 where it names none", async () => {
    for (const [columns, longest] of [
      [40, 39],
      [0, 79],
    ] as const) {
      const { questions, screen, type } = desk(true, columns);
      questions.take(approval("x".repeat(150)));
      await type("");
      const rows = screen()
        .split("\n")
        .filter(line => line.includes("xx"));
      assert.equal(Math.max(...rows.map(row => row.length)), longest);
    }
  });

  for (const isTerminal of [false, true]) {
    it(`one at a time: a yes answers what is on the screen (${isTerminal ? "keys" : "lines"})`, async () => {
      const { questions, asked, answers, type } = desk(isTerminal);
      questions.take(approval("one"));
      questions.take(approval("two"));
      questions.take(approval("three"));
      assert.deepEqual(asked(), ["one"]);
      await type("y\n");
      assert.deepEqual([answers, asked()], [["one allow"], ["one", "two"]]);
      // pasted: the second line came before the third question stood
      await type("no\ny\n");
      assert.deepEqual(
        [answers, asked()],
        [
          ["one allow", "two deny"],
          ["one", "two", "three"],
        ],
      );
      questions.close();
    });
  }

  it("one that is settled without an answer is taken back, on the screen or waiting", async () => {
    const { questions, asked, answers, type, ends, input } = desk();
    questions.take(approval("one"));
    questions.take(approval("two"));
    questions.take(approval("three"));
    questions.take(approval("two", stopped));
    questions.take(approval("one", stopped));
    assert.deepEqual(asked(), ["one", "three"]);
    await type("y\n");
    assert.deepEqual(answers, ["three allow"]);
    assert.equal(input.isPaused(), true, "nothing holds the input any more");
    assert.deepEqual(ends, []);
  });

  it("the end of the turn takes back all, and later ones are asked again", async () => {
    const { questions, asked, input, ends } = desk();
    questions.take(approval("one"));
    questions.take(approval("two"));
    const usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };
    const counts = { steps: 1, toolCalls: 1, toolFailures: 0, durationMs: 1, usage };
    const place = { id: "rec_end", seq: 2, ts: 2, turn: 1, runId: "run_1" };
    questions.take({ type: "record", record: { kind: "turnEnd", ...place, reason: "error", ...counts } });
    assert.deepEqual([asked(), input.isPaused()], [["one"], true]);
    questions.take(approval("three"));
    assert.deepEqual([asked(), ends], [["one", "three"], []]);
    questions.close();
  });

  describe("ends the run", () => {
    const check = (how: string, isTerminal: boolean, act: (input: PassThrough) => void, expected: string[]) =>
      it(how, async () => {
        const { questions, input, answers, ends, asked, type } = desk(isTerminal);
        questions.take(approval("one"));
        questions.take(approval("two"));
        act(input);
        await type("");
        assert.deepEqual([answers, ends, asked()], [[], expected, ["one"]]);
        // what comes of it, and what a tool still asks
        questions.take(approval("one", stopped));
        questions.take(approval("three"));
        assert.deepEqual([answers, ends, asked()], [[], expected, ["one"]]);
      });
    check("Ctrl+C", true, input => input.write("\x03"), ["Ctrl+C"]);
    check("Ctrl+D", true, input => input.write("\x04"), ["end"]);
    check("the end of the input", false, input => input.end(), ["end"]);
    // as Linux does when a terminal is closed
    check("a terminal that is gone", true, input => input.destroy(new Error("read EIO")), ["end"]);
  });

  it("reads answers", () => {
    const check = (line: string, expected: ReturnType<typeof parseAnswer>) =>
      assert.deepEqual(parseAnswer(line), expected);
    for (const yes of ["y", "Yes", " Y "]) check(yes, { decision: "allow", scope: "once" });
    for (const session of ["s", "session"]) check(session, { decision: "allow", scope: "session" });
    for (const no of ["", "n", "NO"]) check(no, { decision: "deny", scope: "once" });
    check(" yes, but use npm ", { decision: "deny", scope: "once", words: "yes, but use npm" });
  });
});
