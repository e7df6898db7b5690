/** What is typed behind a name: `/deploy staging tag="next one"`. Pure. */

/** A word: in quotes, `name="in quotes"`, or what stands without a blank. A quote within a word (`don't`) is a letter. */
const WORD = /(?:([^\s"'=]+)=)?(?:"([^"]*)"|'([^']*)')|(\S+)/g;

/** As a shell would: blanks part words, quotes hold them together. `name=value` goes to the input of that name. */
export function sortWords(words: string, inputs: readonly string[]) {
  const typed: string[] = [];
  const free: string[] = [];
  const named = new Map<string, string>();
  for (const [whole, before, ...forms] of words.matchAll(WORD)) {
    const isKnown = before !== undefined && inputs.includes(before);
    const inQuotes = forms.slice(0, 2).find(form => form !== undefined) ?? whole;
    // Behind a name that is no input's, quotes are the person's own.
    const word = before === undefined ? inQuotes : isKnown ? `${before}=${inQuotes}` : whole;
    typed.push(word);
    const at = word.indexOf("=");
    const name = word.slice(0, Math.max(0, at));
    if (name !== "" && inputs.includes(name)) named.set(name, word.slice(at + 1));
    else free.push(word);
  }
  return { typed, named, free };
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
