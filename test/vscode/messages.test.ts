/** What VS Code shows beside the panel: messages, lists, progress, terminals. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { messageText, withoutIcons } from "../../src/vscode/platform/messageText";
import { HOSTILE, hostileText, rawControls } from "../fakes/hostileText";

describe("messages of VS Code's own", () => {
  it("show what is hidden, and lead nowhere", () => {
    assert.deepEqual(rawControls(messageText(hostileText)), []);
    assert.equal(messageText(`it said ${HOSTILE["override of direction"]}`), "it said a\\u{202e}gnp.exe");
    const link = "Bad key. [Fix it](command:workbench.action.terminal.new) or [read](https://evil.example)";
    // VS Code's own look for links in messages
    assert.doesNotMatch(messageText(link), /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i);
    assert.equal(messageText("a [list] (of two)\nlines"), "a [list] (of two)\nlines");
  });

  for (const [text, shown] of [
    ["cp $(pwd) $(date +%s)", "cp \\$(pwd) $(date +%s)"],
    ["$(loading~spin)", "\\$(loading~spin)"],
    ["echo \\$(date)", "echo \\\\$(date)"],
    ["$(my_function) $5", "$(my_function) $5"],
    ["$$(id)", "$\\$(id)"],
    ["rm -rf $(ls|head)", "rm -rf $(ls|head)"],
  ] as const)
    it(`a list has no icon of others in it: ${text}`, () => assert.equal(withoutIcons(text), shown));

  it("go out in one place, which makes their texts safe", () => {
    const places = globSync("src/**/*.ts", { cwd: root }).filter(path =>
      /\bshow(?:Information|Warning|Error)Message\b|\bshowQuickPick\b|\bcreateQuickPick\b|\bwindow\.withProgress\b/.test(
        readFileSync(join(root, path), "utf8"),
      ),
    );
    assert.deepEqual(places.map(path => path.replaceAll("\\", "/")).sort(), ["src/vscode/platform/messages.ts"]);
  });
});
