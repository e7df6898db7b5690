/** Where a JSON object ends that comes in pieces: brackets count outside strings only. What is malformed ends where that is plain. */
import { endsInput } from "./inputEnd";
import { WAIT } from "./markers";

/** What follows a line's end shows whether the input goes on: so many characters of it are enough. */
const LOOK_AHEAD = 40;

export class ObjectEnd {
  private readonly open: string[] = [];
  private quote = "";
  private isEscaped = false;
  /** Python's way: its strings are in single quotes */
  private single: boolean | undefined;

  get isInString(): boolean {
    return this.quote !== "";
  }

  /** @returns so many characters belong to it; not `isEnd`: and so may those that follow */
  find(text: string, ended: boolean): { length: number; isEnd: boolean } {
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? "";
      if (character === "\n") {
        const end = endsInput(text.slice(at + 1, at + 1 + LOOK_AHEAD), ended);
        if (end === WAIT) return { length: at, isEnd: false };
        if (end) return { length: at, isEnd: true };
      }
      if (this.isEscaped) this.isEscaped = false;
      else if (this.quote !== "") {
        if (character === "\\") this.isEscaped = true;
        else if (character === this.quote) this.quote = "";
      } else if (this.outside(character)) {
        // The bracket around the input: a brace is missing.
        return { length: character === "}" ? at + 1 : at, isEnd: true };
      }
    }
    return { length: text.length, isEnd: false };
  }

  /** true: it ends here */
  private outside(character: string): boolean {
    if (character === "{" || character === "[") this.open.push(character);
    else if (character === "}" || character === "]") {
      const opener = character === "}" ? "{" : "[";
      const at = this.open.lastIndexOf(opener);
      if (at < 0) return character === "]";
      this.open.length = at;
      return at === 0;
    } else if (character === '"' || (character === "'" && this.single !== false)) {
      this.single ??= character === "'";
      this.quote = character;
    }
    return false;
  }
}
