/**
 * The strict language: simple commands with literal words and patterns, joined by `&&`, `||`, `;`, `|` and line breaks, with
 * redirections and leading assignments of harmless names, as bash takes them. Everything else is not read. Why: C-63.
 */
import { t } from "../../../shared/l10n";

/** Replaces a pattern in a command's text. It is no character, so it cannot be typed. */
export const OPEN = "\uffff";
/** Replaces the first letter of a file's name that a pattern matches: an option would begin with a dash. */
export const NAME = "\ufffe";

const MAX_LENGTH = 20_000;
const MAX_PARTS = 50;

export interface LineWord {
  /** as it was written */
  text: string;
  value: string;
  /** it names files by a pattern, which is `value` */
  isGlob?: true;
}

export interface LinePart {
  /** the operator before it */
  joint: "" | "|" | "&&" | "||" | ";";
  words: LineWord[];
  /** files that are opened for it */
  redirects: { target: LineWord; writes: boolean }[];
  /** all redirections as they were written; behind a word with `+` and the character before it */
  written: string[];
  /** assignments stood before the program */
  assigns?: true;
}

const hidden = /[^ \P{Z}]|[\p{C}\p{Default_Ignorable_Code_Point}]|[\u2800\u3164\uffa0]/u;
const joint = /\|\|?(?!&)|&&|;(?!;)|\n/y;
const redirection = /(?:\d*(?:>>|>\||>&|<&|>|<)|&>>?)(?![<>(])[ \t]*/y;
const end = /(?![^\s|;&<>])/y;
const pieces: readonly { piece: RegExp; value: (text: string) => string; isGlob?: true }[] = [
  { piece: /[\w./,:+%@=~^!#\p{L}\p{M}\p{Nd}-]+|\{[\w-]*\}(?![<>])/uy, value: text => text },
  { piece: /'[^']*'/y, value: text => text.slice(1, -1) },
  { piece: /"(?:[^"$`\\]|\\[^\n])*"/y, value: text => text.slice(1, -1).replace(/\\(["\\$`])/g, "$1") },
  { piece: /\\[^\n]/uy, value: text => text.slice(1) },
  { piece: /[*?]|\[[^\]\s'"$`\\|;&<>()]*\]/y, value: text => text, isGlob: true },
];
/** They are no programs where a command begins. */
export const reserved = new Set(
  "! { } [[ ]] case coproc do done elif else esac fi for function if in select then until while".split(" "),
);
/** Names of variables that change nothing but what a program says or how it looks. */
const harmlessNames =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|COLUMNS|LINES|DEBUG|VERBOSE|LOG_LEVEL|RUST_(?:BACKTRACE|LOG)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|UTF8)|GOOS|GOARCH|CGO_ENABLED)$/;

/** @returns its parts, or why it is not read: a part of a sentence */
export function readLine(command: string): LinePart[] | { why: string } {
  if (command.length > MAX_LENGTH) return { why: t("is too long to be certain of") };
  if (hidden.test(command.replace(/[\n\t]/g, " "))) return { why: t("holds invisible characters") };
  const line = new LineScanner(command).read();
  if ("why" in line) return line;
  const why = line.map(withoutAssignments).find(each => each !== undefined);
  return why === undefined ? line : { why };
}

class LineScanner {
  #at = 0;
  readonly #parts: LinePart[] = [{ joint: "", words: [], redirects: [], written: [] }];

  constructor(private readonly command: string) {}

  read(): LinePart[] | { why: string } {
    for (;;) {
      this.#take(/[ \t]+/y);
      if (this.command[this.#at] === "#") this.#take(/[^\n]*/y);
      const part = this.#parts.at(-1) as LinePart;
      const joins = this.#at === this.command.length ? "" : this.#take(joint);
      if (joins !== undefined) {
        const isDone = this.#join(part, joins);
        if (isDone === true) return this.#parts;
        if (isDone !== undefined) return { why: isDone };
        continue;
      }
      const before = this.#at;
      const why = this.#redirect(part) ?? (this.#at === before ? this.#wordInto(part) : undefined);
      if (why !== undefined) return { why };
    }
  }

  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.command)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** @returns true at the end, or why it is not read */
  #join(part: LinePart, joins: string): true | string | undefined {
    const isEmpty = part.words.length === 0;
    if (isEmpty && part.written.length > 0) return t("starts a program without a name");
    if (isEmpty && joins === "\n") return undefined;
    if (isEmpty && joins === "" && part.joint === ";") {
      this.#parts.pop();
      return true;
    }
    if (isEmpty) return t("has an empty part");
    if (joins === "") return true;
    const next = joins === "\n" ? ";" : (joins as LinePart["joint"]);
    this.#parts.push({ joint: next, words: [], redirects: [], written: [] });
    return this.#parts.length > MAX_PARTS ? t("is too long to be certain of") : undefined;
  }

  /** @returns why it is not read; undefined: it is taken, or is no redirection */
  #redirect(part: LinePart): string | undefined {
    const start = this.#at;
    const operator = this.#take(redirection)?.trim();
    if (operator === undefined) return undefined;
    const target = this.command[this.#at] === "#" ? undefined : this.#word();
    if (target === undefined || target.isGlob) return this.#unclear();
    const before = part.words.length > 0 ? `+${this.command[start - 1]}` : "";
    part.written.push(before + this.command.slice(start, this.#at));
    const copies = /[<>]&$/.test(operator);
    if (copies && !/^(?:\d+-?|-)$/.test(target.value) && operator !== ">&") return this.#unclear();
    if (!(copies && /^(?:\d+-?|-)$/.test(target.value)) && !/^\/dev\/(?:null|stdout|stderr|stdin)$/.test(target.value))
      part.redirects.push({ target, writes: !operator.includes("<") });
    return undefined;
  }

  #wordInto(part: LinePart): string | undefined {
    const word = this.#word();
    if (word === undefined) return this.#unclear();
    if (part.words.length === 0 && reserved.has(word.text)) return t("uses `{0}` as more than plain text", word.text);
    part.words.push(word);
    return undefined;
  }

  #word(): LineWord | undefined {
    const start = this.#at;
    const bracket = this.#take(/[[\]](?=\s|;|$)/y);
    if (bracket !== undefined) return { text: bracket, value: bracket };
    let value = "";
    let isGlob = false;
    for (;;) {
      const of = pieces.find(({ piece }) => {
        piece.lastIndex = this.#at;
        return piece.test(this.command);
      });
      if (of === undefined) break;
      value += of.value(this.#take(of.piece) ?? "");
      isGlob ||= of.isGlob === true;
    }
    const text = this.command.slice(start, this.#at);
    const isHome = !text.startsWith("~") || /^~(?:\/|$)/.test(text);
    if (text === "" || !isHome || this.#take(end) === undefined) return undefined;
    return { text, value, ...(isGlob && { isGlob }) };
  }

  #unclear(): string {
    const character = String.fromCodePoint(this.command.codePointAt(this.#at) ?? 0x20);
    return t("uses `{0}` as more than plain text", character);
  }
}

/** Takes them away. @returns why they may change what runs */
function withoutAssignments(part: LinePart): string | undefined {
  while (/^[A-Za-z_]\w*(?:\[|\+?=)/.test(part.words[0]?.value ?? "")) {
    const { text = "" } = part.words.shift() ?? {};
    const [, name = ""] = /^([A-Za-z_]\w*)=/.exec(text) ?? [];
    if (!harmlessNames.test(name)) return t("sets {0}, which may change what runs", name || text);
    part.assigns = true;
  }
  return part.words.length === 0 ? t("starts a program without a name") : undefined;
}
