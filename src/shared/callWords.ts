/** What is typed behind a name: `/deploy staging tag="next one"`. Pure. */

/** A word: in quotes, `name="in quotes"`, or what stands without a blank. A quote within a word (`don't`) is a letter. */
const WORD = /(?:([^\s"'=]+)=)?(?:"([^"]*)"|'([^']*)')|(\S+)/g;

interface Word {
  /** without its quotes */
  text: string;
  /** where it stands: a UTF-16 offset */
  start: number;
  end: number;
  inQuotes: boolean;
  /** what it goes to; absent: to the next that nobody named */
  to?: { name: string; value: string };
}

function wordsOf(words: string, inputs: readonly string[]): Word[] {
  return [...words.matchAll(WORD)].map(found => {
    const [whole, before, ...forms] = found;
    const isKnown = before !== undefined && inputs.includes(before);
    const quoted = forms.slice(0, 2).find(form => form !== undefined);
    const plain = quoted ?? whole;
    // Behind a name that is no input's, quotes are the person's own.
    const text = before === undefined ? plain : isKnown ? `${before}=${plain}` : whole;
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(0, at));
    const place = { text, start: found.index, end: found.index + whole.length, inQuotes: quoted !== undefined };
    return name !== "" && inputs.includes(name) ? { ...place, to: { name, value: text.slice(at + 1) } } : place;
  });
}

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

/** An argument that is being typed at the end of the words. */
export interface TypedArgument {
  name: string;
  /** what of it stands there */
  value: string;
  /** where it begins, its name too: what is chosen takes the place of all from there */
  start: number;
  /** by name: what the words before it say */
  given: Record<string, string>;
}

/** Whose quote nobody closed: all behind it is one word. */
const OPEN = /^(?:[^\s"'=]+=)?["']/;

/** undefined: there is none that could take more */
export function typedArgument(words: string, names: readonly string[]): TypedArgument | undefined {
  const all = wordsOf(words, names);
  const open = all.find(({ start, end, inQuotes }) => !inQuotes && OPEN.test(words.slice(start, end)));
  const last = open ?? (/\S$/.test(words) ? all.at(-1) : undefined);
  if (last?.inQuotes) return undefined;
  const start = last?.start ?? words.length;
  const before = words.slice(0, start);
  const { named, free } = sortWords(before, names);
  const given = fillArguments(before, names);
  const word = words.slice(start);
  const [, said, inside = ""] = /^([^\s"'=]+)=(.*)$/s.exec(word) ?? [];
  if (said !== undefined && names.includes(said)) {
    return { name: said, value: open ? inside.slice(1) : inside, start, given: without(given, said) };
  }
  const text = open && said === undefined ? word.slice(1) : word;
  const unnamed = names.filter(each => !named.has(each));
  const place = Math.min(free.length, unnamed.length - 1);
  const next = unnamed[place];
  if (next === undefined) return undefined;
  // The last one takes all words that are left.
  const earlier = all.filter(({ to, end }) => !to && end <= start).slice(place);
  const value = [...earlier.map(each => each.text), text].filter(each => each !== "").join(" ");
  return { name: next, value, start: earlier[0]?.start ?? start, given: without(given, next) };
}

const without = (given: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));

/** The words once a value was chosen for what is being typed. undefined: it cannot be written there */
export function withArgument(words: string, typed: TypedArgument, names: readonly string[], value: string) {
  const quote = ['"', "'"].find(each => !value.includes(each));
  const isNamed = words.startsWith(`${typed.name}=`, typed.start);
  const prefix = isNamed || names.some(name => value.startsWith(`${name}=`)) ? `${typed.name}=` : "";
  const isPlain = /^[^\s"']+$/.test(value) && (prefix !== "" || !value.includes("="));
  if (!isPlain && quote === undefined) return undefined;
  const written = `${words.slice(0, typed.start)}${prefix}${isPlain ? value : `${quote}${value}${quote}`}`;
  const isLast = names.every(name => name === typed.name || Object.hasOwn(typed.given, name));
  return isLast ? written : `${written} `;
}
