import assert from "node:assert/strict";
import { TerminalPaint } from "../../src/vscode/panel/conversation/terminalPaint";
import { HOSTILE } from "../fakes/hostileText";

const painted = (...chunks: string[]) => {
  const paint = new TerminalPaint();
  return chunks.map(chunk => paint.push(chunk)).join("") + paint.end();
};

describe("a command's output in a terminal", () => {
  it("keeps what paints: colours, cursor, erasing, returns", () => {
    const text =
      "\u001b[1;38;5;12mblue\u001b[0m\r\n50 %\r\u001b[K100 %\u001b[1A\u001b[2K\u001b[10G\tü 日本\b\u001b[H\u001b[J";
    assert.equal(painted(text), text);
    // cut anywhere
    for (let at = 0; at <= text.length; at += 1) assert.equal(painted(text.slice(0, at), text.slice(at)), text);
  });

  it("lets nothing ask, name, copy or speak for a shell", () => {
    const rest: Record<string, string> = {
      "CSI: erase the screen": "\u001b[2J\u001b[1;1H",
      "OSC 8: a link": "here",
      "OSC without an end": "]0;owned",
      "CSI of C1": "2K",
      "OSC of C1": "0;owned",
      "carriage return": "safe\rrm -rf ~",
      backspace: "rm\b\bls",
      "NUL, bell, delete": "abc",
      "override of direction": "agnp.exe",
      "isolates, marks of direction": "x",
      "line separators": "a\u2028b\u2029",
    };
    for (const [what, text] of Object.entries(HOSTILE)) {
      assert.equal(
        painted(`<${text}>`).replace("]0;owned>", "]0;owned"),
        `<${rest[what] ?? ""}${what.includes("without") ? "" : ">"}`,
        what,
      );
      for (let at = 0; at <= text.length; at += 1)
        assert.equal(painted(`<${text.slice(0, at)}`, `${text.slice(at)}>`), painted(`<${text}>`), what);
    }
    assert.equal(
      painted("\u001b[?1049h\u001b[?1000h\u001b[>c\u001b[c\u001b[5n\u001b[21t\u001b]633;A\u0007\u001b#8."),
      ".",
    );
  });

  it("holds nothing back for long", () => {
    const paint = new TerminalPaint();
    assert.equal(paint.push("a\u001b]0;").length, 1);
    assert.ok(paint.push("x".repeat(10_000)).length > 9_000);
    assert.equal(paint.push("\u001b"), "");
    assert.equal(paint.end(), "");
  });
});
