/** Which of several lists of words a text has, in one walk. Most texts have few, so that expressions are tried in few places. */

/** Of a character: the same for what differs in its case alone. */
const sixBits = (unit: number): number => (unit & 31) | ((unit & 64) >> 1);

export class Signs {
  /** By the first two characters which third ones there are, a bit each. */
  private readonly thirds = new Int32Array(1 << 12);
  /** by the first three: the others of a word, and the bit of its list */
  private readonly words = new Map<number, [rest: string, bit: number][]>();
  /** by the first character, beyond ASCII */
  private readonly beyond = new Map<number, number>();

  /**
   * @param lists at most 31, their words parted by `|`, of three characters at least, in any case; of one that begins
   *   beyond ASCII the first character counts. `#` is any digit, and a text begins as if behind two blanks.
   */
  constructor(lists: readonly string[]) {
    for (const [at, list] of lists.entries())
      for (const word of list.split("|").flatMap(spelled)) if (word !== "") this.add(word, 1 << at);
  }

  /** A bit for each list that may have a word in the text; the text has none of the others. */
  in(text: string, from = 0, to = text.length): number {
    const { thirds } = this;
    let found = 0;
    let two = 0;
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at);
      const unit = sixBits(code);
      if (((thirds[two] ?? 0) >> (unit & 31)) & 1) found = this.with(found, (two << 6) | unit, text, at + 1);
      if (code > 0x7f) found |= this.beyond.get(code) ?? 0;
      two = ((two << 6) | unit) & 0xfff;
    }
    return found;
  }

  /** In a text with many of the words, those of a list that was found are not compared again. */
  private with(found: number, key: number, text: string, at: number): number {
    let bits = found;
    for (const [rest, bit] of this.words.get(key) ?? []) if ((bits & bit) === 0 && isAt(rest, text, at)) bits |= bit;
    return bits;
  }

  private add(word: string, bit: number): void {
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map(at => word.charCodeAt(at));
    if (first > 0x7f) {
      this.beyond.set(first, (this.beyond.get(first) ?? 0) | bit);
      return;
    }
    const two = (sixBits(first) << 6) | sixBits(second);
    this.thirds[two] = (this.thirds[two] ?? 0) | (1 << (sixBits(third) & 31));
    const key = (two << 6) | sixBits(third);
    this.words.set(key, [...(this.words.get(key) ?? []), [word.slice(3), bit]]);
  }
}

function isAt(rest: string, text: string, from: number): boolean {
  for (let at = 0; at < rest.length; at += 1) {
    const sought = rest.charCodeAt(at);
    const unit = text.charCodeAt(from + at);
    const isSame = sought === 0x23 ? unit >= 0x30 && unit <= 0x39 : sixBits(sought) === sixBits(unit);
    if (!isSame) return false;
  }
  return true;
}

/** Its first three characters without classes: a table has no room for them. */
function spelled(word: string): string[] {
  const at = word.slice(0, 3).indexOf("#");
  return at < 0 ? [word] : [..."0123456789"].flatMap(digit => spelled(word.slice(0, at) + digit + word.slice(at + 1)));
}
