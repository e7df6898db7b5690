/**
 * What a text names, in any language: numbers, paths and addresses, identifiers, words with a capital inside of a sentence, what
 * stands in quotes or backticks. Pure.
 */

/** A number; a sign within or a capital behind the first letter; quotes. */
const NAME = /\p{Nd}|[\p{L}_][./\\:@_][\p{L}_/]|\p{L}\p{Lu}|^[`"“„«「『]/u;
const CAPITAL = /^[^\p{L}]?\p{Lu}\p{L}/u;
/** Nobody names anything by a longer word. */
const WORD_CHARACTERS = 200;
const EDGES = /^[`"“”„«»「」『』'‘’([{<]{1,4}|[`"“”„«»「」『』'‘’)\]}>.,;:!?。，；：！？、]{1,4}$/gu;

/** In their order, without the signs around them. */
export function namesIn(text: string): string[] {
  return text.split(/\s/).flatMap((word, at) => {
    const start = word.slice(0, WORD_CHARACTERS);
    const isName = NAME.test(start) || (at > 0 && CAPITAL.test(start));
    const bare = start.replace(EDGES, "");
    return isName && bare !== "" ? [bare] : [];
  });
}
