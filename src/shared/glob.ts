/**
 * Globs as ripgrep and .gitignore read them, as one regular expression each: the same for searching, listing and ignoring.
 * Own code, since ripgrep's `--glob` overrules .gitignore (`-g '*.log'` finds ignored logs) and a list of ignored names must
 * not cost a process per folder.
 */

/** A path with '/' separators, relative to the folder that the pattern belongs to. */
export type PathTest = (path: string) => boolean;

/**
 * A glob as people and models write it: `**`, `*`, `?`, `[a-z]`, `{a,b}`, `!` in front for everything else. Without a slash
 * it matches names at any depth, with one it starts at the folder. Throws SyntaxError, in words for people, for what cannot
 * be read.
 */
export function compileGlob(pattern: string): PathTest {
  const negated = pattern.startsWith("!");
  const body = negated ? pattern.slice(1) : pattern;
  if (body === "") throw new SyntaxError("The glob is empty. Name files, for example **/*.ts");
  const regex = globRegExp(body.replace(/^\.\//, "").replace(/\/$/, "/**"), { braces: true });
  if (typeof regex === "string") throw new SyntaxError(`The glob ${pattern} can't be read: ${regex}`);
  return path => regex.test(path) !== negated;
}

/**
 * The regular expression of a glob, or what is wrong with it. In .gitignore braces are plain characters. A slash at the
 * end ("folders only") does not count.
 */
export function globRegExp(pattern: string, { braces }: { braces: boolean }): RegExp | string {
  const unclosed = pattern.replace(/\/$/, "");
  const anchored = unclosed.includes("/");
  const body = new GlobReader(unclosed.replace(/^\//, ""), braces).read();
  if (typeof body !== "string") return body.problem;
  return new RegExp(`^${anchored ? "" : "(?:.*/)?"}${body}$`, "su");
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/;

class GlobReader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly glob: string,
    private readonly braces: boolean,
  ) {}

  read(): string | { problem: string } {
    let source = "";
    while (this.at < this.glob.length) {
      const piece = this.piece();
      if (piece === undefined) return { problem: "a [ is not closed, or a range in it is empty." };
      source += piece;
    }
    return this.depth === 0 ? source : { problem: "a { is not closed." };
  }

  private piece(): string | undefined {
    const rest = this.glob.slice(this.at);
    const stars = /^\*\*(\/|$)/.exec(rest);
    if (stars && (this.at === 0 || this.startsSegment())) {
      this.at += stars[0].length;
      return stars[1] === "/" ? "(?:.*/)?" : ".*";
    }
    const [character = ""] = rest;
    this.at += character.length;
    if (character === "*") return "[^/]*";
    if (character === "?") return "[^/]";
    if (character === "[") return this.set();
    if (character === "\\") return this.literal(this.next());
    if (this.braces) {
      if (character === "{") {
        this.depth++;
        return "(?:";
      }
      if (character === "," && this.depth > 0) return "|";
      if (character === "}" && this.depth > 0) {
        this.depth--;
        return ")";
      }
    }
    return this.literal(character);
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

  private literal(character: string): string {
    return SPECIAL.test(character) ? `\\${character}` : character;
  }

  /** `[a-z]`, `[!a-z]`; a `]` in the first place stands for itself. */
  private set(): string | undefined {
    const found = /^([!^]?)(\]?(?:\\.|[^\]\\])*)\]/su.exec(this.glob.slice(this.at));
    if (!found?.[2]) return undefined;
    this.at += found[0].length;
    const inner = found[2].replace(/\\(.)|[[\]\\^]/gsu, (all, escaped: string | undefined) => `\\${escaped ?? all}`);
    const source = `(?!/)[${found[1] ? "^" : ""}${escapeSet(inner)}]`;
    try {
      new RegExp(source, "u");
      return source;
    } catch {
      // [z-a]: the engine's own words would speak of regular expressions
      return undefined;
    }
  }
}

/** In `u` mode only syntax characters may be escaped: what the glob escaped needlessly is bare again. */
function escapeSet(inner: string): string {
  return inner.replace(/\\(.)/gsu, (all, character: string) =>
    /[\\^$.*+?()[\]{}|/-]/.test(character) ? all : character,
  );
}
