/**
 * Where the words for the user end: at the bracket that closes them, not at one in them. Words have brackets that nobody closes and
 * smileys, so the last bracket of the answer closes them in any case.
 */
import { finishText } from "./otherFormats";
import { readJson } from "./toolInput";

const ROLES = ["[tool]", "[user]", "[assistant]"];
/** The model goes on behind words in quotes. */
const goesOn = /\n\s*(?:\[(?:tool|user|assistant)\]|Thought:|Action:|Observation:)/i;

export class CallClosing {
  /** It went on to what others say. */
  isCut = false;
  private depth = 1;
  private begun = false;
  private atLineStart = false;
  /** words in quotes or an object: shown when they are complete */
  private quoted: string | undefined;

  constructor(
    private readonly opener: string,
    private readonly closer: string,
  ) {}

  /** @returns what is certain of the words, and how much of `buffer` is done with */
  read(buffer: string, ended: boolean): { text: string; length: number; isEnd: boolean } {
    if (!this.begun) {
      const rest = buffer.trimStart();
      if (rest === "" && !ended) return { text: "", length: 0, isEnd: false };
      this.begun = true;
      if (/^["{]/.test(rest) || this.closer === "") this.quoted = "";
    }
    return this.quoted === undefined ? this.plain(buffer, ended) : this.inQuotes(buffer, ended);
  }

  private plain(buffer: string, ended: boolean): { text: string; length: number; isEnd: boolean } {
    for (let at = 0; at < buffer.length; at++) {
      const character = buffer[at];
      const isAtStart = this.atLineStart;
      this.atLineStart = character === "\n";
      if (character === "[" && isAtStart) {
        const label = buffer.slice(at, at + 11).toLowerCase();
        this.isCut = ROLES.some(role => label.startsWith(role));
        if (this.isCut) return { text: buffer.slice(0, at), length: at, isEnd: true };
        if (!ended && ROLES.some(role => role.startsWith(label))) return this.hold(buffer, at, true);
      }
      if (character === this.opener) this.depth += 1;
      if (character !== this.closer) continue;
      const [, lineEnd] = /^[ \t*`]*(\r?\n|\r?$)/.exec(buffer.slice(at + 1)) ?? [];
      const isLast = lineEnd !== undefined && lineEnd.trim() === "" && !lineEnd.includes("\n");
      if (isLast && !ended) return this.hold(buffer, at, isAtStart);
      this.depth -= 1;
      if (isLast || (lineEnd !== undefined && this.depth <= 0))
        return { text: buffer.slice(0, at), length: at + 1, isEnd: true };
    }
    return { text: buffer, length: buffer.length, isEnd: ended };
  }

  private hold(buffer: string, at: number, isAtStart: boolean) {
    this.atLineStart = isAtStart;
    return { text: buffer.slice(0, at), length: at, isEnd: false };
  }

  private inQuotes(buffer: string, ended: boolean): { text: string; length: number; isEnd: boolean } {
    this.quoted += buffer;
    if (!ended) return { text: "", length: buffer.length, isEnd: false };
    const [own = ""] = (this.quoted ?? "").split(goesOn);
    const inner = own.trim().replace(/\s*[`*]*$/, "");
    const words = inner.endsWith(this.closer) && this.closer !== "" ? inner.slice(0, -1).trim() : inner;
    const isJson = words.startsWith("{") || /^"[\s\S]*"$/.test(words);
    const value = isJson ? readJson(words) : undefined;
    return { text: finishText(value ?? words) || words, length: buffer.length, isEnd: true };
  }
}
