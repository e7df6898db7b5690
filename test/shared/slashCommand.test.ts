/** What is a command to Strata, and what is a message. */
import assert from "node:assert/strict";
import { parseSlashCommand, unknownCommand } from "../../src/shared/slashCommand";

const review = { name: "review", description: "", hint: "" };

describe("slash commands", () => {
  const check = (text: string, words: string | undefined, name = "compact") =>
    it(JSON.stringify(text), () => {
      const expected = words === undefined ? undefined : { name, words };
      assert.deepEqual(parseSlashCommand(text), expected);
    });
  check("/compact", "");
  check("  /compact \n", "");
  check("/compact keep the API decisions", "keep the API decisions");
  check("/compact\nkeep\n  the table\n", "keep\n  the table");
  check("/compact 保留接口决定", "保留接口决定");
  check("/undo", "", "undo");
  check(" /redo\n", "", "redo");
  check("/undo that", undefined);
  check("/redo\nthe test", undefined);
  check("/undone", undefined);
  check("/Undo", undefined);
  check("/compactor", undefined);
  check("/compact-now", undefined);
  check("/Compact", undefined);
  check("/usr/bin is where?", undefined);
  check("say /compact", undefined);
  check("", undefined);

  for (const text of ["/foo bar", "/Compact", "/undone"])
    it(`${text} is said, and not sent to the model`, () =>
      assert.match(unknownCommand(text, []) ?? "", /\/compact, .*\/undo/));
  for (const text of [
    "/compact",
    "/undo that",
    "/usr/bin is where?",
    "/* a comment",
    "say /help",
    "/",
    "/1",
    "/审查 it",
    "/review it",
  ])
    it(`${text} can be sent`, () => assert.equal(unknownCommand(text, [review]), undefined));

  it("names what there is", () => {
    assert.match(unknownCommand("/frobnicate", [review]) ?? "", /\/compact, .* and 1 skill or prompt/);
    assert.match(unknownCommand("/frobnicate", []) ?? "", /\/help\. To send this/);
  });
});
