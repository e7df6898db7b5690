/**
 * How text of others (models, servers, files, commands, sessions from elsewhere) is shown, so that it steers no terminal,
 * hides nothing and reorders nothing. Ways: as text, as what a person decides by, on a page, as JSON.
 */

declare const shown: unique symbol;

/** What a person decides by: all of it can be seen, and no two texts look alike. Made here alone. */
export type Shown = string & { readonly [shown]: true };

/** What was made so is not made so again: its signs would be taken for text of others, and get signs of their own. */
type Unshown = string & { readonly [shown]?: never };

/**
 * For reading: terminal sequences and control characters go, and what turns the direction of the text around them. Line
 * feeds and tabs stay, as do joiners and marks that scripts need. Each write by itself: of a sequence in two writes, its
 * harmless rest stays.
 */
export const plainText = (text: string): string => text.replace(sequences, "").replace(controls, "");

// CSI, the strings (OSC, DCS, SOS, PM, APC) where they end, and the short ones. Each attempt ends at the next control
// character, so that the time grows with the length alone.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /(?:\u001b\[|\u009b)[ -?]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * For deciding: what could hide or reorder text (control, zero-width and bidirectional characters, tags, variants, marks piled on
 * each other) → a visible sign: "␛", "\u{202e}"; and what looks like a sign already → one too ("\u{5c}u{202e}"), so that two
 * different texts are never shown alike. Line feeds and tabs stay.
 */
export const visibleText = (text: Unshown): Shown =>
  text.replace(unclear, (found, code?: string) =>
    code === undefined ? sign(found) : canBeSign(code) ? sign("\\") + found.slice(1) : found,
  ) as Shown;

/** As `visibleText`, tabs too: what runs, byte by byte. */
export const exactText = (text: Unshown): Shown => visibleText(text).replaceAll("\t", "␉") as Shown;

/** As `exactText`, in one line, whatever it holds. */
export const exactLine = (text: Unshown): Shown => exactText(text).replaceAll("\n", "␊") as Shown;

/** For both: of these characters those become signs that no script needs; carriage returns stay as well. */
export const signedText = (text: string): string => text.replace(controlsOfPages, sign);

const controlsOfPages =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** As `visibleText`, in one line. */
export const visibleLine = (text: Unshown): Shown => visibleText(inOneLine(text));

/** `Shown`, a number, or one of our own words: a literal. */
type Part<T> = T extends Shown | number ? T : string extends T ? never : T;

/** Words of ours around texts that are made so. Where one is not, the compiler says so. */
export const shownText = <const T extends readonly (string | number)[]>(
  words: TemplateStringsArray,
  ...parts: { [K in keyof T]: Part<T[K]> }
): Shown => String.raw({ raw: words }, ...parts) as Shown;

/** As `shownText`, of a sentence in the person's language: `shownSentence(t("Open {0}?"), exactLine(url))`. */
export const shownSentence = (sentence: Unshown, ...parts: readonly (Shown | number)[]): Shown =>
  visibleText(sentence).replace(/\{(\d+)\}/g, (hole, at) => String(parts[Number(at)] ?? hole)) as Shown;

export const shownLines = (lines: readonly Shown[]): Shown => lines.join("\n") as Shown;

export const linesOf = (text: Shown): Shown[] => text.split("\n") as Shown[];

/** Lines that follow each other become "one ⏎ two". */
export const inOneLine = (text: string): string =>
  text.includes("\n")
    ? text
        .split("\n")
        .map(line => line.trim())
        .filter(line => line !== "")
        .join(" ⏎ ")
    : text;

// All that is no letter, mark, number, sign or space of a script, and what fonts show nothing of. A style of a picture can be seen.
// Of marks on one letter four are readable. Last, what could pass for a sign.
const unclear =
  /(?!\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?<!\p{Extended_Pictographic})\ufe0f|(?<=\p{M}{4})\p{M}|[\u2400-\u2421]|\\u\{([0-9a-fA-F]{1,8})\}/gu;

/** Whether a sign is ever made of the character of this code. */
function canBeSign(hex: string): boolean {
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff) return false;
  const char = String.fromCodePoint(code);
  return char === "\\" || /\p{M}/u.test(char) || char.search(unclear) >= 0;
}

function sign(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `\\u{${code.toString(16)}}`;
}

/** For programs and screens alike: JSON leaves some of these characters as they are, here they are escaped; its value is the same. */
export const printableJson = (json: string): string =>
  json.replace(controls, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
