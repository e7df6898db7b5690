/** What was typed and not sent, by session: which of it the workspace's memory keeps. */
import assert from "node:assert/strict";
import { Drafts } from "../../src/vscode/panel/sessions/drafts";

const PLACE = "[Pasted text, 1 line #1]";
const typed = (draft: string) => ({ draft, inFlight: [] });
const pasted = (chars: number) => ({ ...typed(PLACE), held: { [PLACE]: { kind: "text", text: "x".repeat(chars) } } });

function start() {
  const kept = new Map<string, unknown>();
  const memento = {
    keys: () => [],
    get: <T>(key: string) => kept.get(key) as T,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as ConstructorParameters<typeof Drafts>[0];
  return new Drafts(memento);
}

describe("drafts in the workspace's memory", () => {
  it("stay beside a long paste in another session, and so does that", () => {
    const drafts = start();
    for (const id of ["b", "c", "d"]) drafts.keep(id, typed(`for ${id}`));
    drafts.keep("a", pasted(250_000));
    drafts.keep("e", typed("x"));
    for (const id of ["b", "c", "d"]) assert.deepEqual(drafts.of(id), typed(`for ${id}`));
    assert.deepEqual([drafts.of("a"), drafts.of("e")], [pasted(250_000), typed("x")]);
  });

  it("that are too long together go, the oldest first; what does not fit takes no room", () => {
    const drafts = start();
    drafts.keep("a", typed("a"));
    for (const id of ["b", "c", "d"]) drafts.keep(id, pasted(1_900_000));
    assert.deepEqual([drafts.of("a"), drafts.of("b"), drafts.of("c")], [typed("a"), undefined, pasted(1_900_000)]);
    drafts.keep("e", pasted(5_000_000));
    assert.deepEqual([drafts.of("a"), drafts.of("d"), drafts.of("e")], [undefined, undefined, pasted(5_000_000)]);
  });

  it("goes on to the next session with its pictures, and says in whose files they are", () => {
    const drafts = start();
    const draft = { ...typed("words"), held: { b: { kind: "picture", picture: {}, thumb: "" } } };
    drafts.keep("a", draft);
    drafts.left("a");
    assert.equal(drafts.waiting, "a");
    drafts.begun("b");
    assert.deepEqual([drafts.waiting, JSON.parse(JSON.stringify(drafts.of("b")))], [undefined, draft]);
  });
});
