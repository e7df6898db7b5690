/** The menu of commands, skills and prompts that are typed as messages. */
import assert from "node:assert/strict";
import { Typist } from "./typist";

const callable = [
  { name: "deploy", description: "Brings it out", hint: "[where]" },
  { name: "git:undo-all", description: "", hint: "" },
  { name: "docs:page", description: "", hint: "name [lang]", takes: ["name", "lang"], needs: ["name"] },
  { name: "github:", description: "Not started yet", hint: "", unseen: true as const },
];

/** Somebody who typed a slash, and deleted it. */
async function begun(isIdle = true): Promise<Typist> {
  const typist = new Typist(callable, isIdle).type("/");
  await new Promise(setImmediate);
  return typist.put("");
}

describe("the menu of what a slash begins", () => {
  it("offers all for a slash alone, Strata's own at once, the others when they are known", async () => {
    const typist = new Typist(callable).type("/");
    assert.deepEqual([typist.choice, typist.names?.at(-1)], ["/compact", "/help"]);
    await new Promise(setImmediate);
    assert.deepEqual(typist.names?.slice(-4), ["/deploy", "/git:undo-all", "/docs:page", "/github:"]);
    const hasty = new Typist(callable).type("/dep");
    assert.deepEqual([hasty.names, ...hasty.press("Enter", "Escape")], [[], false, false]);
    await new Promise(setImmediate);
    assert.deepEqual(hasty.names, ["/deploy"]);
  });

  it("offers what begins with the letters, then what has them", async () => {
    const typist = await begun();
    const names = (text: string) => typist.put(text).names;
    assert.deepEqual(names("/com"), ["/compact"]);
    assert.deepEqual(names("/DEP"), ["/deploy"]);
    assert.deepEqual(names("/undo"), ["/undo", "/git:undo-all"]);
  });

  it("is closed for what is a message", async () => {
    const typist = await begun();
    for (const text of [
      "",
      "x",
      "/zz",
      "/com x",
      "/usr/bin",
      "/compactor",
      "/\n",
      "/undo that",
      "/deploy\nnow",
      "/deploy ",
      "/compact keep the API",
    ])
      assert.equal(typist.put(text).menu, undefined, text);
  });

  it("leaves a blank where words may follow; Enter on the whole name is Enter", async () => {
    const typist = await begun();
    const choose = (text: string) => {
      typist.put(text).press("Tab");
      return typist.text;
    };
    assert.deepEqual(["/com", "/und", "/dep", "/gith"].map(choose), ["/compact ", "/undo", "/deploy ", "/mcp"]);
    typist.put("/dep").press("Enter");
    assert.deepEqual([typist.text, typist.sent], ["/deploy ", 0]);
    typist.put("/deploy").press("Enter");
    assert.deepEqual([typist.text, typist.sent], ["/deploy", 1]);
    typist.put("/unde");
    assert.equal(typist.menu, undefined);
    typist.put("/und").press("ArrowDown", "ArrowDown", "ArrowUp", "Enter");
    assert.equal(typist.text, "/git:undo-all ");
  });

  it("is closed by Esc until more is typed", async () => {
    const typist = await begun();
    assert.deepEqual(typist.put("/de").press("Escape", "Escape"), [true, false]);
    assert.equal(typist.menu, undefined);
    assert.deepEqual(typist.type("p").names, ["/deploy"]);
  });

  it("that Esc closed says nothing of a mention that is typed over it", async () => {
    const typist = await begun();
    typist.put("/de").press("Escape");
    typist.text = "";
    typist.caret = 0;
    assert.equal(typist.type("@").menu?.subject.of, "mention");
  });

  it("says what has to wait for the end of a turn", async () => {
    const meaning = async (isIdle: boolean) => (await begun(isIdle)).put("/undo").menu?.items[0]?.hint[0]?.text;
    assert.equal(await meaning(false), "After the agent finishes or stops");
    assert.equal(await meaning(true), "Put the files of the last turn back");
  });

  it("gives way to that of a mention in the words", async () => {
    const typist = (await begun()).put("/deploy ").type("@a");
    assert.equal(typist.menu?.subject.of, "mention");
    assert.equal(typist.type(" ").menu, undefined);
  });
});
