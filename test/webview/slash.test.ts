/** The menu of commands, skills and prompts that are typed as messages. */
import assert from "node:assert/strict";
import { completed, slashMenu } from "../../webview-ui/src/mentions/slash";

const callable = [
  { name: "deploy", description: "Brings it out", hint: "[where]" },
  { name: "git:undo-all", description: "", hint: "" },
];
const names = (text: string) => slashMenu(text, callable)?.items.map(({ name }) => name);

describe("the menu of what a slash begins", () => {
  it("offers all for a slash alone, Strata's own first", () => {
    const all = names("/") ?? [];
    assert.equal(all[0], "compact");
    assert.deepEqual(all.slice(-2), ["deploy", "git:undo-all"]);
  });

  it("offers what begins with the letters, then what has them", () => {
    assert.deepEqual(names("/com"), ["compact"]);
    assert.deepEqual(names("/DEP"), ["deploy"]);
    assert.deepEqual(names("/undo"), ["undo", "git:undo-all"]);
  });

  it("says what may follow a name that stands there", () => {
    assert.deepEqual(names("/deploy "), ["deploy"]);
    assert.deepEqual(names("/compact keep the API"), ["compact"]);
    assert.equal(slashMenu("/deploy staging", callable)?.written, true);
  });

  it("is closed for what is a message", () => {
    for (const text of ["", "x", "/zz", "/com x", "/usr/bin", "/compactor", "/\n", "/undo that", "/deploy\nnow"])
      assert.equal(names(text), undefined, text);
  });

  it("leaves a blank where words may follow", () => {
    const choose = (text: string) => completed(slashMenu(text, callable)?.items[0] ?? assert.fail());
    assert.deepEqual(["/com", "/und", "/dep"].map(choose), ["/compact ", "/undo", "/deploy "]);
  });
});
