/** What is proposed for an argument while it is typed: late answers, keys, what a choice makes of the text. */
import assert from "node:assert/strict";
import { ArgumentProposals, type ArgumentQuestion, type Proposals } from "../../webview-ui/src/mentions/proposals";

const callable = [
  { name: "docs:page", description: "", hint: "name [lang]", takes: ["name", "lang"], needs: ["name"] },
  { name: "deploy", description: "", hint: "" },
];

function typing() {
  const asked: (ArgumentQuestion & { answer(...values: string[]): Promise<void> })[] = [];
  let timer: (() => void) | undefined;
  let shown: Proposals | undefined;
  const control = new ArgumentProposals({
    ask(question) {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      const answer = async (...values: string[]) => {
        resolve(values);
        await new Promise(setImmediate);
      };
      asked.push({ ...question, answer });
      return promise;
    },
    callable: () => callable,
    show(proposals) {
      shown = proposals;
    },
    later(callback) {
      timer = callback;
      return () => {
        timer = undefined;
      };
    },
  });
  return {
    control,
    asked,
    type(text: string, atEnd = true) {
      control.textChanged(text, atEnd);
    },
    pause() {
      timer?.();
      timer = undefined;
    },
    values: () => shown?.items.map(({ value }) => value),
    selected: () => shown?.selected,
  };
}

describe("proposals of a server for an argument", () => {
  it("are asked for once the typing pauses, for what is typed then", async () => {
    const { type, pause, asked, values } = typing();
    for (const text of ["/docs:page ", "/docs:page lang=de", "/docs:page lang=de i", "/docs:page lang=de in"])
      type(text);
    assert.equal(asked.length, 0);
    pause();
    assert.deepEqual(
      asked.map(({ prompt, argument, value, given }) => [prompt, argument, value, given]),
      [["docs:page", "name", "in", { lang: "de" }]],
    );
    await asked[0]?.answer("intro", "index");
    assert.deepEqual(values(), ["intro", "index"]);
  });

  it("of an older question are nobody's; those for the same argument stay until the next are there", async () => {
    const { type, pause, asked, values } = typing();
    type("/docs:page i");
    pause();
    type("/docs:page in");
    await asked[0]?.answer("late");
    assert.equal(values(), undefined);
    pause();
    await asked[1]?.answer("index", "intro");
    type("/docs:page int");
    assert.deepEqual(values(), ["intro", "index"], "what fits first");
    type("/docs:page intro ");
    assert.equal(values(), undefined, "another argument");
  });

  it("are for prompts of servers, at the end of the text", () => {
    const { type, pause, asked } = typing();
    for (const text of ["/docs:page", "/deploy x", "/docs:page x\ny", "say /docs:page x", "", "/docs:page a b=c "]) {
      type(text);
      if (text !== "/docs:page a b=c ") pause();
    }
    type("/docs:page x", false);
    pause();
    assert.equal(asked.length, 0);
  });

  it("are chosen by keys; Enter sends what was typed where none was chosen", async () => {
    const { control, type, pause, asked, selected, values } = typing();
    type("/docs:page ");
    assert.equal(control.key("ArrowDown"), false);
    pause();
    await asked[0]?.answer("two words", "intro");
    assert.equal(control.key("Enter"), false);
    assert.equal(control.key("a"), false);
    assert.equal(control.key("Tab"), '/docs:page "two words" ');
    for (const key of ["ArrowUp", "ArrowDown", "ArrowDown"]) assert.equal(control.key(key), true);
    assert.equal(selected(), 1);
    assert.equal(control.key("Enter"), "/docs:page intro ");
    assert.equal(control.key("Escape"), true);
    assert.equal(values(), undefined);
    assert.equal(control.key("Escape"), false);
  });
});
