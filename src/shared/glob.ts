/**
 * Globs as ripgrep and .gitignore read them: the same for searching, listing and ignoring. Own code, since ripgrep's `--glob`
 * overrules .gitignore (`-g '*.log'` finds ignored logs) and a list of ignored names must not cost a process per folder.
 *
 * Globs come from models and from repositories. One with many stars takes a backtracking engine longer than anybody lives, so
 * only what has few becomes a regular expression; the others are matched state by state, in a time of path × glob. (C-153)
 */

/** A path with '/' separators, relative to the folder that the pattern belongs to. */
export type PathTest = (path: string) => boolean;

/**
 * A glob as people and models write it: `**`, `*`, `?`, `[a-z]`, `{a,b}`, `!` in front for everything else. Without a slash
 * it matches names at any depth, with one it starts at the folder. `[id]` is also a folder of that name, as frameworks have them, and
 * letters with accents match in each form of Unicode. Throws SyntaxError, in words for people, for what cannot be read.
 */
export function compileGlob(pattern: string): PathTest {
  const negated = pattern.startsWith("!");
  const body = negated ? pattern.slice(1) : pattern;
  if (body === "") throw new SyntaxError("The glob is empty. Name files, for example **/*.ts");
  const whole = body.replace(/^\.\//, "").replace(/\/$/, "/**").normalize("NFC");
  const tests = [globTest(whole, { braces: true }), ...bracketsAsNames(whole)];
  const found = tests.filter(test => typeof test !== "string");
  const [problem] = tests;
  // `[post-id]` is no set, and a folder's name all the same.
  if (typeof problem === "string" && found.length === 0)
    throw new SyntaxError(`The glob ${clipped(pattern)} can't be read: ${problem}`);
  const matches = (path: string) => found.some(test => test(path));
  return path => matches(isAscii(path) ? path : path.normalize("NFC")) !== negated;
}

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** `[locale]`, `[[...slug]]`, `[id].ts` as they stand; a set of single characters is hardly meant by a name alone. */
function bracketsAsNames(pattern: string): PathTest[] {
  const escaped = pattern.replace(/\[\[\.\.\.[\w-]+\]\]|\[(?!.-.\])(?:\.\.\.)?[A-Za-z_][\w-]*\]/g, escapeGlob);
  const test = escaped === pattern ? "" : globTest(escaped, { braces: true });
  return typeof test === "string" ? [] : [test];
}

/** A name as a glob that matches it alone. */
export const escapeGlob = (name: string): string => name.replace(/[\\*?[\]{},!]/g, "\\$&");

/** Nobody writes a longer one; a path costs its length times this, in characters. */
const MAX_GLOB = 512;
/** What a regular expression may have of them: a path then costs its square, some times over. */
const MAX_REPEATS = 2;
const MAX_WAYS = 12;
const MAX_DEPTH = 10;

const clipped = (pattern: string) => (pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);

/**
 * The test of a glob, or what is wrong with it. In .gitignore braces are plain characters. A slash at the end ("folders
 * only") does not count.
 */
export function globTest(pattern: string, { braces }: { braces: boolean }): PathTest | string {
  if (pattern.length > MAX_GLOB) return `it has more than ${MAX_GLOB} characters.`;
  const unclosed = pattern.replace(/\/$/, "");
  const reader = new GlobReader(unclosed.replace(/^\//, "").replace(/(?:\*\*\/){2,}/g, "**/"), braces);
  const body = reader.read();
  if (typeof body === "string") return body;
  const parts: GlobPart[] = unclosed.includes("/") ? body : [{ kind: "folders" }, ...body];
  const { repeats, ways } = effort(parts);
  if (repeats > MAX_REPEATS || ways > MAX_WAYS) return stateTest(parts);
  const regex = new RegExp(`^${source(parts)}$`, "su");
  return path => regex.test(path);
}

/** one: a character, never '/'; star: any of these; folders: `**` and a slash, or nothing; rest: whatever follows. */
type GlobPart =
  | { kind: "text"; text: string }
  | { kind: "one" | "star" | "folders" | "rest" }
  | { kind: "set"; regex: RegExp }
  | { kind: "choice"; ways: GlobPart[][] };

/** Wildcards of any length, and ways of choices, inner ones too. */
function effort(parts: readonly GlobPart[]): { repeats: number; ways: number } {
  const sum = { repeats: 0, ways: 0 };
  for (const part of parts) {
    if (part.kind === "star" || part.kind === "folders" || part.kind === "rest") sum.repeats++;
    for (const way of part.kind === "choice" ? part.ways : []) {
      const inner = effort(way);
      sum.repeats += inner.repeats;
      sum.ways += inner.ways + 1;
    }
  }
  return sum;
}

const SOURCES = { one: "[^/]", star: "[^/]*", folders: "(?:.*/)?", rest: ".*" };

function source(parts: readonly GlobPart[]): string {
  return parts
    .map(part => {
      if (part.kind === "text") return part.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      if (part.kind === "set") return `(?!/)${part.regex.source}`;
      if (part.kind === "choice") return `(?:${part.ways.map(source).join("|")})`;
      return SOURCES[part.kind];
    })
    .join("");
}

/** Goes on over one character that fits. */
interface GlobStep {
  fits(character: string): boolean;
  next: number;
}
/** Goes on without one, in any of these ways. */
type GlobState = GlobStep | readonly number[];

/** All states that a glob could be in, at once: a character is looked at once in each. */
function stateTest(parts: readonly GlobPart[]): PathTest {
  const states: GlobState[] = [];
  const start = addStates(parts, states, states.push([]) - 1);
  return path => {
    let now = closure([start], states);
    for (const character of path) {
      const next = [...now].flatMap(at => {
        const state = states[at];
        return state && "fits" in state && state.fits(character) ? [state.next] : [];
      });
      if (next.length === 0) return false;
      now = closure(next, states);
    }
    return now.has(0);
  };
}

function closure(from: readonly number[], states: readonly GlobState[]): Set<number> {
  const reached = new Set(from);
  // A set that grows while it is walked gives what was added too.
  for (const at of reached) {
    const state = states[at];
    if (state && !("fits" in state)) for (const next of state) reached.add(next);
  }
  return reached;
}

const notSlash = (character: string) => character !== "/";
const anything = () => true;

/** From the end, so that each state knows where it leads. @returns where the parts begin */
function addStates(parts: readonly GlobPart[], states: GlobState[], end: number): number {
  const add = (state: GlobState) => states.push(state) - 1;
  const repeat = (fits: GlobStep["fits"], next: number) => {
    const loop = add([]);
    states[loop] = [next, add({ fits, next: loop })];
    return loop;
  };
  const addPart = (next: number, part: GlobPart): number => {
    switch (part.kind) {
      case "text":
        return [...part.text].toReversed().reduce((to, letter) => add({ fits: one => one === letter, next: to }), next);
      case "one":
        return add({ fits: notSlash, next });
      case "set":
        return add({ fits: one => notSlash(one) && part.regex.test(one), next });
      case "star":
        return repeat(notSlash, next);
      case "rest":
        return repeat(anything, next);
      case "folders":
        return add([next, repeat(anything, add({ fits: one => one === "/", next }))]);
      case "choice":
        return add(part.ways.map(way => addStates(way, states, next)));
    }
  };
  return parts.toReversed().reduce(addPart, end);
}

class GlobReader {
  private at = 0;
  private depth = 0;
  private problem: string | undefined;

  constructor(
    private readonly glob: string,
    private readonly braces: boolean,
  ) {}

  /** The parts, or what is wrong. */
  read(): GlobPart[] | string {
    const parts = this.way();
    return this.problem ?? (this.depth === 0 ? parts : "a { is not closed.");
  }

  /** To the end, or to what ends a way of a choice. */
  private way(): GlobPart[] {
    const parts: GlobPart[] = [];
    while (this.at < this.glob.length && this.problem === undefined) {
      if (this.depth > 0 && ",}".includes(this.glob[this.at] ?? "")) break;
      const part = this.part();
      const before = parts.at(-1);
      if (part.kind === "text" && before?.kind === "text") before.text += part.text;
      // Two stars inside of a name are one.
      else if (part.kind !== "star" || before?.kind !== "star") parts.push(part);
    }
    return parts;
  }

  private part(): GlobPart {
    const rest = this.glob.slice(this.at);
    const stars = (this.depth > 0 ? /^\*\*(\/|$|(?=[,}]))/ : /^\*\*(\/|$)/).exec(rest);
    if (stars && (this.at === 0 || this.startsSegment())) {
      this.at += stars[0].length;
      return { kind: stars[1] === "/" ? "folders" : "rest" };
    }
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    this.at += character.length;
    if (character === "*") return { kind: "star" };
    if (character === "?") return { kind: "one" };
    if (character === "[") return this.set();
    if (character === "\\") return { kind: "text", text: this.next() };
    if (this.braces && character === "{") return this.choice();
    return { kind: "text", text: character };
  }

  private choice(): GlobPart {
    this.depth++;
    if (this.depth > MAX_DEPTH) this.problem = `its braces are nested more than ${MAX_DEPTH} deep.`;
    const ways = [this.way()];
    while (this.glob[this.at] === ",") {
      this.at++;
      ways.push(this.way());
    }
    if (this.glob[this.at] === "}") {
      this.at++;
      this.depth--;
    }
    return { kind: "choice", ways };
  }

  private startsSegment(): boolean {
    return (
      this.glob[this.at - 1] === "/" || (this.braces && this.depth > 0 && "{,".includes(this.glob[this.at - 1] ?? ""))
    );
  }

  private next(): string {
    const [character = "\\"] = this.glob.slice(this.at);
    if (this.at < this.glob.length) this.at += character.length;
    return character;
  }

  /** `[a-z]`, `[!a-z]`; a `]` in the first place stands for itself. */
  private set(): GlobPart {
    const found = /^([!^]?)(\]?(?:\\.|[^\]\\])*)\]/su.exec(this.glob.slice(this.at));
    const inner = found?.[2]?.replace(/\\(.)|[[\]\\^]/gsu, (all, escaped: string | undefined) => `\\${escaped ?? all}`);
    try {
      if (!inner) throw new SyntaxError("no set");
      const regex = new RegExp(`[${found?.[1] ? "^" : ""}${escapeSet(inner)}]`, "u");
      this.at += found?.[0].length ?? 0;
      return { kind: "set", regex };
    } catch {
      // [z-a]: the engine's own words would speak of regular expressions
      this.problem = "a [ is not closed, or a range in it is empty.";
      return { kind: "text", text: "" };
    }
  }
}

/** In `u` mode only syntax characters may be escaped: what the glob escaped needlessly is bare again. */
function escapeSet(inner: string): string {
  return inner.replace(/\\(.)/gsu, (all, character: string) =>
    /[\\^$.*+?()[\]{}|/-]/.test(character) ? all : character,
  );
}
