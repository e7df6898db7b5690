/**
 * Globs as ripgrep and .gitignore read them: the same for searching, listing and ignoring. Own code, since ripgrep's `--glob`
 * overrules .gitignore (`-g '*.log'` finds ignored logs) and a list of ignored names must not cost a process per folder.
 *
 * Globs come from models and from repositories. One with many stars takes a backtracking engine longer than anybody lives, so
 * none becomes a regular expression: what led nowhere from a place once is not tried from there again. (C-153)
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
  return pathTest(parts);
}

/** one: a character, never '/'; star: any of these; folders: `**` and a slash, or nothing; rest: whatever follows. */
type GlobPart =
  | { kind: "text"; text: string }
  | { kind: "one" | "star" | "folders" | "rest" }
  | { kind: "set"; regex: RegExp }
  | { kind: "choice"; ways: GlobPart[][] };

/** A part, and what follows it: of a choice, behind each of its ways. */
interface GlobNode {
  part: GlobPart | { kind: "end" };
  next: GlobNode | undefined;
  ways: readonly GlobNode[];
  id: number;
}

function pathTest(parts: readonly GlobPart[]): PathTest {
  let nodes = 0;
  const node = (part: GlobNode["part"], next: GlobNode | undefined): GlobNode => ({
    ...{ part, next, id: nodes++ },
    ways: part.kind === "choice" && next ? part.ways.map(way => chain(way, next)) : [],
  });
  const chain = (of: readonly GlobPart[], end: GlobNode) => of.reduceRight((next, part) => node(part, next), end);
  const start = chain(parts, node({ kind: "end" }, undefined));
  const isPlain = parts.every(({ kind }) => kind !== "choice");
  const last = parts.at(-1);
  const end = last?.kind === "text" ? last.text : "";
  return path => path.endsWith(end) && new GlobMatch(path, nodes, isPlain).goesOn(start, 0);
}

/** How many tries may be made again before any is remembered: most globs take fewer. */
const MANY_TRIES = 100;

/** of the character that stands there */
const widthAt = (path: string, at: number) => ((path.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

class GlobMatch {
  #tries = 0;
  /** wildcards that were come to, and those of them that go over folders */
  #come = 0;
  #far = 0;
  /** places from which a wildcard, or a choice, led nowhere */
  #failed: Uint8Array | undefined;

  constructor(
    private readonly path: string,
    private readonly nodes: number,
    /** it has no choices */
    private readonly isPlain: boolean,
  ) {}

  goesOn(from: GlobNode, start: number): boolean {
    const { path } = this;
    let at = start;
    for (let node: GlobNode | undefined = from; node; node = node.next) {
      const { part } = node;
      if (part.kind === "end") return at === path.length;
      if (part.kind === "text") {
        if (!path.startsWith(part.text, at)) return false;
        at += part.text.length;
      } else if (part.kind === "one" || part.kind === "set") {
        const end = at + widthAt(path, at);
        if (at === path.length || path[at] === "/") return false;
        if (part.kind === "set" && !part.regex.test(path.slice(at, end))) return false;
        at = end;
      } else if (part.kind === "choice") return this.#chooses(node, at);
      else return this.#repeats(node, part.kind, at);
    }
    return false;
  }

  #chooses(node: GlobNode, at: number): boolean {
    if (this.#isKnown(node, at)) return false;
    return node.ways.some(way => this.goesOn(way, at));
  }

  /**
   * From each place where it may end, the nearest first. What failed from one of these failed from all that follow, and where a
   * next wildcard was come to, that one went as far as this one could.
   */
  #repeats({ next, id }: GlobNode, kind: "star" | "folders" | "rest", at: number): boolean {
    const { path } = this;
    if (!next) return false;
    if (kind === "rest" && next.part.kind === "end") return true;
    this.#come += 1;
    if (kind !== "star") this.#far += 1;
    const come = () => (kind === "star" ? this.#come : this.#far);
    const before = come();
    for (let to = at; to <= path.length; to += widthAt(path, to)) {
      if (kind === "folders" && to > at && path[to - 1] !== "/") continue;
      if (this.#isKnown({ id }, to)) return false;
      if (this.goesOn(next, to)) return true;
      if ((this.isPlain && come() > before) || (kind === "star" && path[to] === "/")) return false;
    }
    return false;
  }

  /** Whether it was tried before; else it is from now on, since what leads on ends all. */
  #isKnown({ id }: { id: number }, at: number): boolean {
    if (++this.#tries < MANY_TRIES) return false;
    this.#failed ??= new Uint8Array(this.nodes * (this.path.length + 1));
    const key = id * (this.path.length + 1) + at;
    if (this.#failed[key] === 1) return true;
    this.#failed[key] = 1;
    return false;
  }
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
const escapeSet = (inner: string): string =>
  inner.replace(/\\(.)/gsu, (all, character: string) => (/[\\^$.*+?()[\]{}|/-]/.test(character) ? all : character));
