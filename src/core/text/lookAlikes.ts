/** Characters that look like others, or like nothing: no-break spaces, curly quotes, full-width forms, letters of another script. Pure. */

const CYRILLIC_AND_GREEK = "аaеeоoрpсcхxуyіiјjѕsԁdһhАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSοoνvΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX";
const SIGNS = "‘'’'‚'‛'′'´'ʼ'ˈ'“\"”\"„\"‟\"″\"‐-‑-‒-–-—-―-−-⁃-﹘-﹣-。.、,・.‹<›>«<»>";
const PAIRS = [...(CYRILLIC_AND_GREEK + SIGNS)];
const LIKE = new Map(PAIRS.flatMap((char, at) => (at % 2 === 0 ? [[char, PAIRS[at + 1] ?? char] as const] : [])));

const UNSEEN = /^\p{Default_Ignorable_Code_Point}$/u;

/** What a character looks like, in ASCII where it can be: it may be several, and nothing. */
function looksLike(char: string): string {
  if (char < "\x80") return char;
  if (UNSEEN.test(char)) return "";
  const like = LIKE.get(char);
  if (like !== undefined) return like;
  if (/^\p{Zs}$/u.test(char)) return " ";
  return [...char.normalize("NFKD")].map(part => LIKE.get(part) ?? part).join("");
}

interface FoldedText {
  text: string;
  /** of each unit of `text`, where the character begins that it stands for */
  at: number[];
}

function fold(text: string): FoldedText {
  const folded: FoldedText = { text: "", at: [] };
  const parts: string[] = [];
  let at = 0;
  for (const char of text) {
    const like = looksLike(char);
    parts.push(like);
    for (let unit = 0; unit < like.length; unit += 1) folded.at.push(at);
    at += char.length;
  }
  folded.text = parts.join("");
  return folded;
}

/** Whether two texts look the same; that they are the same counts too. */
export const looksSame = (one: string, other: string): boolean => fold(one).text === fold(other).text;

export interface Difference {
  /** where it is in the text */
  at: number;
  /** what stands there, and in what was wanted; "": nothing */
  has: string;
  wanted: string;
}

/** A larger text takes too long for a hint. */
const MAX_TEXT = 2_000_000;

/** The place of a text that only looks like the wanted one, with the differences in order; undefined: nowhere, or there exactly. */
export function findLookAlike(text: string, wanted: string): Difference[] | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const [whole, part] = [fold(text), fold(wanted)];
  const from = part.text === "" ? -1 : whole.text.indexOf(part.text);
  if (from < 0) return undefined;
  const end = from + part.text.length;
  const start = whole.at[from] ?? 0;
  const found = text.slice(start, whole.at[end] ?? text.length);
  const differences = compare(found, wanted).map(each => ({ ...each, at: each.at + start }));
  return differences.length > 0 ? differences : undefined;
}

/** Of two texts that look the same. */
export function compare(found: string, wanted: string): Difference[] {
  const [have, want] = [pieces(found), pieces(wanted)];
  const differences: Difference[] = [];
  for (let [left, right] = [0, 0]; left < have.length || right < want.length; ) {
    const [one, other] = [have[left], want[right]];
    if (one?.char === other?.char) {
      left += 1;
      right += 1;
      continue;
    }
    const at = one?.at ?? found.length;
    const [isUnseen, isMissing] = [one?.like === "", other?.like === ""];
    const alike = spanAlike(have, want, left, right);
    if (isUnseen || !other) differences.push({ at, has: one?.char ?? "", wanted: "" });
    else if (isMissing || !one) differences.push({ at, has: "", wanted: other.char });
    else differences.push({ at, has: chars(have, left, alike.left), wanted: chars(want, right, alike.right) });
    left += isUnseen || !other ? 1 : isMissing || !one ? 0 : alike.left;
    right += isUnseen || !other ? 0 : isMissing || !one ? 1 : alike.right;
  }
  return differences;
}

interface LookAlike {
  char: string;
  like: string;
  at: number;
}

function pieces(text: string): LookAlike[] {
  let at = 0;
  return [...text].map(char => {
    const piece = { char, like: looksLike(char), at };
    at += char.length;
    return piece;
  });
}

const chars = (all: readonly LookAlike[], from: number, count: number) =>
  all
    .slice(from, from + count)
    .map(({ char }) => char)
    .join("");

/** How many characters of each side look the same together: one letter with its accent is two elsewhere. */
function spanAlike(have: readonly LookAlike[], want: readonly LookAlike[], left: number, right: number) {
  let [one, other] = [have[left]?.like ?? "", want[right]?.like ?? ""];
  const count = { left: 1, right: 1 };
  while (one !== other) {
    const next = one.length < other.length ? have[left + count.left] : want[right + count.right];
    if (!next) break;
    if (one.length < other.length) {
      one += next.like;
      count.left += 1;
    } else {
      other += next.like;
      count.right += 1;
    }
  }
  return count;
}

const NAMES: Record<string, string> = {
  "\u00a0": "no-break space",
  "\u00ad": "soft hyphen",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u202f": "narrow no-break space",
  "\u2060": "word joiner",
  "\u3000": "ideographic space",
  "\ufeff": "byte order mark",
  " ": "space",
};

/** `U+00A0 (no-break space)`, `U+0065 U+0301 ("é")`, "nothing" */
export function codePoints(text: string): string {
  if (text === "") return "nothing";
  const codes = [...text].map(char => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  const name = NAMES[text] ?? (/[\p{Default_Ignorable_Code_Point}\p{Z}\p{C}]/u.test(text) ? undefined : `"${text}"`);
  return name === undefined ? codes.join(" ") : `${codes.join(" ")} (${name})`;
}
