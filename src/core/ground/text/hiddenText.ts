/**
 * Foreign text on its way to the model and back. Hidden characters (direction marks, zero-width characters, tags, variants) and
 * the bracket of Strata's own tags become marks, `⟦U+200B⟧`. A mark in the model's answer becomes the character again,
 * so that such a text can be edited. Pure.
 */

/** What a text is marked with at most: more is no text, and would take the request's room. */
const MAX_MARKS = 1_000;

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
const MARK = /⟦U\+([0-9A-F]{4,6})⟧/g;
/** Tags of Strata's own: around what it says itself, what a message attached, and what the user said in turns that left. */
export const OWN_TAG = /<(?=\s*(?:\/\s*)?(?:system[-_ ]?reminder|earlier[-_ ]?words|attachment\s+name\s*=))/gi;

const toMark = (char: string) => `⟦U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;

/** A mark, read; undefined: there is no such character */
function charOf(hex: string): string | undefined {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}

/** Hidden characters → marks. Those that a script or an emoji needs where they stand stay. Idempotent. */
export const markHidden = (text: string): string => marked(text).text;

function marked(text: string): { text: string; left: number } {
  let marks = 0;
  const shown = text.replace(HIDDEN, (char, at: number) => {
    if (isNeeded(char, text, at)) return char;
    marks += 1;
    return marks <= MAX_MARKS ? toMark(char) : "";
  });
  return { text: shown, left: Math.max(0, marks - MAX_MARKS) };
}

const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u;
const STYLED = /[\p{Extended_Pictographic}#*0-9]/u;
/** Scripts whose letters join: there these characters are spelling. */
const JOINING =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

function isNeeded(char: string, text: string, at: number): boolean {
  const isStyle = char === "\ufe0e" || char === "\ufe0f";
  if (!isStyle && char !== "\u200c" && char !== "\u200d") return false;
  const before = charBefore(text, at);
  if (isStyle) return STYLED.test(before);
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  if (char === "\u200d" && isPicture(before, text, at) && /\p{Extended_Pictographic}/u.test(after)) return true;
  return JOINING.test(before) && JOINING.test(after);
}

/** What stands before the place; or what styles it, which is a picture's only where it stays itself. */
const isPicture = (before: string, text: string, at: number): boolean =>
  before === "\ufe0f" ? STYLED.test(charBefore(text, at - 1)) : PICTURE.test(before);

function charBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? at - 2 : at - 1, at);
}

/**
 * For the model: hidden characters and the brackets of Strata's own tags → marks, and the bracket of what looks like a mark. So
 * `fromModelText` gives the very text back, as far as there are no more than 1,000 of them.
 */
export function toModelText(text: string): string {
  if (!/[<\u0080-\uffff]/.test(text)) return text;
  const plain = text
    .replace(MARK, (mark, hex: string) => (charOf(hex) === undefined ? mark : toMark("⟦") + mark.slice(1)))
    .replace(OWN_TAG, toMark);
  const { text: shown, left } = marked(plain);
  return left === 0 ? shown : `${shown}\n[${left} more hidden characters were left out]`;
}

/** From the model: marks → the characters that they stand for. */
export const fromModelText = (text: string): string => text.replace(MARK, (mark, hex: string) => charOf(hex) ?? mark);

/** What the model has to know of a text with marks in it. */
export const MARKS_NOTE =
  "[Strata: each ⟦U+…⟧ stands for one character that is hidden, or would pass for a word of Strata's. Write the mark where you mean the character.]";

export const hasMarks = (text: string): boolean => text.search(MARK) >= 0;
