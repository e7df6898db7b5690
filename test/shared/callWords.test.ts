/** Which argument gets which of the words typed behind a name. */
import assert from "node:assert/strict";
import { fillArguments, sortWords } from "../../src/shared/slashCommand";

describe("words behind a name", () => {
  const check = (words: string, expected: Record<string, string>, names = ["place", "tag", "note"]) =>
    it(JSON.stringify(words), () => assert.deepEqual(fillArguments(words, names), expected));
  check("staging", { place: "staging" });
  check("staging v2 and all the rest", { place: "staging", tag: "v2", note: "and all the rest" });
  check('"two words" v2', { place: "two words", tag: "v2" });
  check('tag="next one" staging', { tag: "next one", place: "staging" });
  check("staging tag='next one' because it's late", { place: "staging", tag: "next one", note: "because it's late" });
  check('"tag=next one"', { tag: "next one" });
  check('tag="" staging', { tag: "", place: "staging" });
  check('tag="never closed', { tag: '"never', place: "closed" });
  check("tag=a=b", { tag: "a=b" });
  check('tag="a"="b"', { tag: "a", place: '="b"' });
  check('other="kept as typed" x', { place: 'other="kept as typed"', tag: "x" });
  check("a=1", { place: "a=1" });
  check('=x "" y', { place: "=x", note: "y" });
  check("x", { "": "x" }, [""]);

  it("gives digits of a prompt the words in their order, named ones too", () =>
    assert.deepEqual(sortWords("a tag=\"next one\" 'c d'", ["tag"]).typed, ["a", "tag=next one", "c d"]));
});
