/** What is typed behind a name: `/deploy staging tag="next one"`. Pure. */

/** As a shell would: blanks part words, quotes hold them together. `name=value` goes to the input of that name. */
export function sortWords(words: string, inputs: readonly string[]) {
  const typed = [...words.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...forms]) => forms.find(Boolean) ?? "");
  const named = new Map<string, string>();
  const free = typed.filter(word => {
    const at = word.indexOf("=");
    const name = word.slice(0, Math.max(0, at));
    if (!inputs.includes(name)) return true;
    named.set(name, word.slice(at + 1));
    return false;
  });
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
