/** The words of a search: whether a text has all of them, whatever their case, and whether a log's line may have. */

export interface Matcher {
  isIn(text: string): boolean;
  /** where the first word stands; 0: nowhere */
  placeIn(text: string): number;
  /**
   * The same for the lines of a log as they stand there, in JSON: false where no text of theirs has all words. Upper and
   * lower case are told apart by character alone, so that this holds for every alphabet.
   */
  mayBeIn(json: string): boolean;
}

export function matcherOf(query: string): Matcher {
  const words = query.split(/\s+/).filter(Boolean);
  const plain = words.map(expression);
  const escaped = words.map(word => expression(JSON.stringify(word).slice(1, -1)));
  const every = (all: readonly RegExp[], text: string) => all.length > 0 && all.every(one => one.test(text));
  return {
    isIn: text => every(plain, text),
    placeIn: text => plain[0]?.exec(text)?.index ?? 0,
    mayBeIn: json => every(escaped, json),
  };
}

const expression = (word: string) => new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
