/** Which argument gets which of the words typed behind a name. */
import assert from "node:assert/strict";
import { fillArguments, sortWords, typedArgument, withArgument } from "../../src/shared/callWords";

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

describe("an argument that is being typed", () => {
  const names = ["place", "tag", "note"];
  const typedIn = (words: string) => typedArgument(words, names);
  const check = (words: string, name: string | undefined, value = "", given = {}) =>
    it(JSON.stringify(words), () => {
      const typed = typedIn(words);
      assert.deepEqual(typed && [typed.name, typed.value, typed.given], name && [name, value, given]);
    });
  check("", "place");
  check("sta", "place", "sta");
  check("staging ", "tag", "", { place: "staging" });
  check("staging v", "tag", "v", { place: "staging" });
  check("staging v2 two wo", "note", "two wo", { place: "staging", tag: "v2" });
  check("tag=", "tag");
  check("place=x tag=ne", "tag", "ne", { place: "x" });
  check('tag="next o', "tag", "next o");
  check("tag='next one, it", "tag", "next one, it");
  check('tag="next one"', undefined);
  check('tag="next one" st', "place", "st", { tag: "next one" });
  check('"two wo', "place", "two wo");
  check('other="two wo', "place", 'other="two wo');
  check("place=a tag=b note=c ", undefined);
  it("nothing, of a prompt that takes none", () => assert.equal(typedArgument("x", []), undefined));

  const choose = (words: string, value: string, expected: string | undefined) =>
    it(`${JSON.stringify(words)} becomes ${JSON.stringify(expected)}`, () => {
      const typed = typedIn(words) ?? assert.fail();
      const chosen = withArgument(words, typed, names, value);
      assert.equal(chosen, expected);
      if (chosen === undefined) return;
      // What is written is what the prompt gets.
      assert.deepEqual(fillArguments(chosen, names), { ...typed.given, [typed.name]: value });
    });
  choose("sta", "staging", "staging ");
  choose("staging v2 two wo", "two words", 'staging v2 "two words"');
  choose("tag=ne", "next one", 'tag="next one" ');
  choose('tag="next o', "next", "tag=next ");
  choose("place=x note=y tag=", "v2", "place=x note=y tag=v2");
  choose("", 'a "b" c', "'a \"b\" c' ");
  choose("", "it's", '"it\'s" ');
  choose("", 'it\'s "b"', undefined);
  choose("", "tag=1", "place=tag=1 ");
  choose("", "a=b", '"a=b" ');
});
