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

  const names = (...names: string[]) => names.map(name => ({ ...review, name }));
  const callable = [...names("review", "docs:page"), { ...review, name: "everything:", unseen: true as const }];
  for (const [text, says] of [
    ["/foobar it", /\/foobar\. Commands: \/compact, .*\/undo/],
    ["/Compact", /\/Compact\. Did you mean \/compact\?/],
    ["/undone", /mean \/undo\?/],
    ["/plugin:name", /no command \/plugin:name\. Commands/],
    ["/plugin:review it", /mean \/review\?/],
    ["/docs:pages", /mean \/docs:page\?/],
    ["/a:b:c.d it", /no command \/a:b:c\.d/],
    ["/everything:", /not known yet/],
  ] as const)
    it(`${text} is said, and not sent to the model`, () => assert.match(unknownCommand(text, callable) ?? "", says));
  for (const text of [
    "/compact",
    "/undo that",
    "/usr/bin is where?",
    "/usr/bin/x is broken",
    "/etc/hosts",
    "/a.txt is broken",
    "/etc: what is it?",
    "/everything:prompt x",
    "/* a comment",
    "say /help",
    "/",
    "/1",
    "/审查 it",
    "/review it",
  ])
    it(`${text} can be sent`, () => assert.equal(unknownCommand(text, callable), undefined));

  it("names what there is", () => {
    assert.match(unknownCommand("/frobnicate", [review]) ?? "", /\/compact, .* and 1 skill or prompt/);
    assert.match(unknownCommand("/frobnicate", []) ?? "", /\/help\. To send this/);
  });
});
