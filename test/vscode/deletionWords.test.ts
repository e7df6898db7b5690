import assert from "node:assert/strict";
import { deletionWords } from "../../src/vscode/platform/messageText";

describe("the question before sessions are deleted", () => {
  it("names what goes", () => {
    assert.equal(deletionWords(["Fix totals"]).question, "Permanently delete the session “Fix totals”?");
    const { question, detail } = deletionWords(Array.from({ length: 12 }, (_, index) => `Session ${index}`));
    assert.equal(question, "Permanently delete these 12 sessions?");
    assert.match(detail, /^“Session 0”\n[\s\S]*“Session 9”\nand 2 more\n\nIts messages/);
  });
});
