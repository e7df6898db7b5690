/** What is typed behind a name: `/deploy staging tag="next one"`. Pure. */

/** A word: in quotes, `name="in quotes"`, or what stands without a blank. A quote within a word (`don't`) is a letter. */
const WORD = /(?:([^\s"'=]+)=)?(?:"([^"]*)"|'([^']*)')|(\S+)/g;

interface Word {
  /** without its quotes */
  text: string;
  /** what it goes to; absent: to the next that nobody named */
  to?: { name: string; value: string };
}

const wordsOf = (words: string, inputs: readonly string[]): Word[] =>
  [...words.matchAll(WORD)].map(found => {
    const [whole, before, ...forms] = found;
    const isKnown = before !== undefined && inputs.includes(before);
    const quoted = forms.slice(0, 2).find(form => form !== undefined);
    const plain = quoted ?? whole;
    // Behind a name that is no input's, quotes are the person's own.
    const text = before === undefined ? plain : isKnown ? `${before}=${plain}` : whole;
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(0, at));
    return name !== "" && inputs.includes(name) ? { text, to: { name, value: text.slice(at + 1) } } : { text };
  });

/** As a shell would: blanks part words, quotes hold them together. `name=value` goes to the input of that name. */
export function sortWords(words: string, inputs: readonly string[]) {
  const all = wordsOf(words, inputs);
  const named = new Map(all.flatMap(({ to }): [string, string][] => (to ? [[to.name, to.value]] : [])));
  return {
    typed: all.map(({ text }) => text),
    named,
    free: all.flatMap(({ text, to }) => (to ? [] : [text])),
  };
}

/** By name: what `name=value` says, the rest in order; the last one takes all that is left. What nothing is said for is absent. */
export function fillArguments(words: string, names: readonly string[]): Record<string, string> {
  const { named, free } = sortWords(words, names);
  const unnamed = names.filter(name => !named.has(name));
  const filled = names.flatMap((name): [string, string][] => {
    const said = named.get(name);
    if (said !== undefined) return [[name, said]];
    const at = unnamed.indexOf(name);
    const value = at === unnamed.length - 1 ? free.slice(at).join(" ") : free[at];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(filled);
}
