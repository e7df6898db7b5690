/** How far a path goes that is written without quotes (CONTEXT.md, section 9). Pure, and linear in what it reads. */
import { fileEndings } from "./fileEndings";

export interface PlainName {
  /** behind its last character; a sentence's punctuation may still be at its end */
  end: number;
  /** of its first character that is no ASCII letter or digit nor one of `/._-`; `end`, where there is none */
  usual: number;
  /** Where it ends if the whole is not there, longest first: `@Makefile的内容` may name `Makefile` */
  shorter: readonly number[];
}

/** No file system has longer paths, and none longer names. */
const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;

const closing = new Map([..."()[]{}"].flatMap((char, at, all) => (at % 2 ? [] : [[char, all[at + 1] ?? ""]])));
/** Names have these beside letters and digits: `+page.svelte`, `$id.tsx`, `c++`, `year=2024`. */
const SPECIAL = "+$~%=&#";

/**
 * Letters of any script belong to a name, brackets that are closed in it where a `/` stands before (`app/(group)/[id].tsx`), and
 * what `SPECIAL` has where the name goes on behind it. But once a part has a file's ending, only a usual character or `/` goes on:
 * who writes Chinese puts no blank behind `src/a.ts`.
 */
export function plainName(text: string, from: number): PlainName {
  const unusual: number[] = [];
  let [at, part] = [from, from];
  while (at < from + LONGEST_PATH) {
    const char = text.charAt(at);
    if (isUsual(char)) {
      at += 1;
      if (char === "/") part = at;
      continue;
    }
    const end = unusualEnd(text, at, part, from);
    if (end === at) break;
    unusual.push(at);
    at = end;
  }
  // A word of another script alone is somebody's name, or the sentence.
  if (unusual[0] === from && !/\/|\.[a-zA-Z0-9]+$/.test(text.slice(from, at).replace(/[.-]+$/, ""))) {
    return { end: from, usual: from, shorter: [] };
  }
  const shorter = unusual.filter(cut => mayEndAt(text, cut, at)).reverse();
  return { end: at, usual: unusual[0] ?? at, shorter };
}

/** @param part where the part of the path begins that stands around `at` @returns `at`: it ends the path */
function unusualEnd(text: string, at: number, part: number, from: number): number {
  if (isWhole(text.slice(Math.max(part, at - 12), at)) || isLine(text, from, at)) return at;
  const char = characterAt(text, at);
  if (isOtherLetter(char)) return endOf(text, at, isOtherLetter);
  if (closing.has(char)) return part > from ? groupEnd(text, at) : at;
  // A folder `@modal`, which some frameworks have.
  if (char === "@") return at === part && part > from && /\p{L}/u.test(characterAt(text, at + 1)) ? at + 1 : at;
  if (!SPECIAL.includes(char) || (at === from && part === from)) return at;
  const end = endOf(text, at, each => SPECIAL.includes(each));
  return /^(?:[\p{L}\p{N}_([{/]|\.[\p{L}\p{N}])/u.test(text.slice(end, end + 3)) ? end : at;
}

/** `a.ts` */
function isWhole(name: string): boolean {
  return fileEndings.has(/[^.]\.([a-zA-Z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
}

/** `10` of `@a.ts:10行` */
function isLine(text: string, from: number, at: number): boolean {
  return text.charAt(from - 1) === ":" && /^\d{1,9}(?:-\d{1,9})?$/.test(text.slice(from, Math.min(at, from + 20)));
}

/** Never a folder whose file was written: in `src/(group)` or `docs/说明.md`, what stands behind the `/` is no sentence. */
function mayEndAt(text: string, at: number, end: number): boolean {
  const char = characterAt(text, at);
  const isInPart = !"/:".includes(text.charAt(at - 1));
  if (isInPart && joinsWords(char)) return true;
  return (isInPart ? !isOtherLetter(char) : joinsWords(char)) && !/[./]/.test(text.slice(at, end));
}

/** Behind the bracket that closes the one at `at`. @returns `at`: none does, or nothing stands in them */
function groupEnd(text: string, at: number): number {
  const open: string[] = [];
  for (let end = at; end < Math.min(text.length, at + LONGEST_NAME); ) {
    const char = characterAt(text, end);
    const closes = closing.get(char);
    if (closes !== undefined) open.push(closes);
    else if (char === open.at(-1)) {
      open.pop();
      if (open.length === 0) return end > at + 1 ? end + 1 : at;
    } else if (char === "/" || !(isUsual(char) || isOtherLetter(char) || `${SPECIAL},`.includes(char))) return at;
    end += char.length;
  }
  return at;
}

function endOf(text: string, at: number, belongs: (char: string) => boolean): number {
  let end = at;
  for (let char = characterAt(text, end); char !== "" && belongs(char); char = characterAt(text, end))
    end += char.length;
  return end;
}

const isUsual = (char: string) => /^[a-zA-Z0-9/._-]$/.test(char);

const isOtherLetter = (char: string) =>
  char > "\u007f" && /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200c\u200d]$/u.test(char);

/** Of scripts that have no blanks between words, or put endings on them as Korean does: it may be the sentence that goes on. */
const joinsWords = (char: string) =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]$/u.test(
    char,
  ) && char > "\u007f";

/** One code point: a letter may take two units. "" at the end */
function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
