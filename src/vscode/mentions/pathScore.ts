/** How well a path fits what was typed, by a library for its letters and by what lies beside them. Pure. Why: C-101. */
import fuzzysort from "fuzzysort";
import { isAscii } from "../../shared/glob";

/** Nobody types longer ones. */
const MAX_QUERY = 1024;

/** What counts beside the library's score, which is 1 at most. Only the proportions matter. */
export const points = {
  text: 600,
  /** of a query with folders: how much the name counts in it; of a match across folders and name, how much it counts */
  nameShare: 0.6,
  acrossShare: 0.6,
  inName: 60,
  /** all letters stand where words begin */
  initials: 100,
  /** the name is what was typed, is it but for its ending, begins with it */
  name: 130,
  stem: 100,
  prefix: 40,
  /** a capital letter typed as one */
  sameCase: 12,
  /** each character of the name that was not typed, and the most they cost */
  unmatched: 3,
  unmatchedMost: 90,
  /** each folder above, each character of their names, and the most they cost */
  folder: 6,
  folderCharacter: 1,
  folderMost: 120,
  isFolder: 90,
  open: 60,
  recent: 60,
  /** less for each that was used later */
  recentLess: 4,
  /** by steps up and down the tree from the current file's folder */
  near: [80, 56, 38, 26, 18, 12, 8, 5, 3, 2],
};

/** What was typed, in parts. */
export interface Query {
  text: string;
  /** before and after the last `/`, one at the very end left aside */
  head: string;
  tail: string;
  foldedTail: string;
  letters: number;
  tailLetters: number;
  wantsFolder: boolean;
}

/** What is looked at letter by letter. */
export interface PathEntry {
  /** those above, with `/` at the end; "" at the top */
  folders: string;
  name: string;
  kind: "file" | "folder";
}

/** `./` and `/` at its beginning count for nothing, `\` as `/`; blanks only separate: `my no` finds `my-notes.md`. @returns undefined where nothing can match: `../x` */
export function parseQuery(typed: string): Query | undefined {
  if (typed.length > MAX_QUERY) return undefined;
  const text = compose(typed.replaceAll("\\", "/").replace(/\s+/g, "")).replace(/^(?:\.?\/)+/, "");
  if (/^\.\.\/|^\.\.$/.test(text)) return undefined;
  const wantsFolder = text.endsWith("/");
  const whole = wantsFolder ? text.slice(0, -1) : text;
  const cut = whole.lastIndexOf("/");
  const tail = whole.slice(cut + 1);
  const foldedTail = fold(tail);
  return {
    text,
    head: whole.slice(0, Math.max(0, cut)),
    tail,
    foldedTail,
    letters: lettersOf(fold(text)),
    tailLetters: lettersOf(foldedTail),
    wantsFolder,
  };
}

/** How well the letters fit; undefined where the entry does not have them in that order. */
export function match(entry: PathEntry, query: Query): { score: number; positions: readonly number[] } | undefined {
  const { text, head, tail, wantsFolder } = query;
  const [folders, name] = [compose(entry.folders), compose(entry.name)];
  const isFolder = entry.kind === "folder";
  const inName = wantsFolder && !isFolder ? null : single(tail, name);
  const inFolders = inName && head !== "" ? single(head, folders.slice(0, -1)) : null;
  if (inName && (head === "" || inFolders)) {
    const positions = [...(inFolders?.indexes ?? []), ...inName.indexes.map(at => at + folders.length)];
    const share = inFolders ? points.nameShare : 1;
    const score = share * inName.score + (1 - share) * (inFolders?.score ?? 0);
    const initials = inName.indexes.filter(at => beginsWord(name, at)).length / tail.length;
    return { score: points.text * score + points.inName + points.initials * initials, positions };
  }
  const across = single(text, folders + name + (isFolder ? "/" : ""));
  return across ? { score: points.text * points.acrossShare * across.score, positions: across.indexes } : undefined;
}

/** `prepare`: the library keeps for good what it is given as text. */
const single = (query: string, text: string) => fuzzysort.single(query, fuzzysort.prepare(text));

/** `src/fooBar-baz` at s, f, B, b */
function beginsWord(text: string, at: number): boolean {
  const [before, char] = [text.charAt(at - 1), text.charAt(at)];
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(char) && /[^\p{Lu}]/u.test(before));
}

/** What an entry counts for where it lies and what it is called, for any letters. */
export function placePoints({ folders, name, kind }: PathEntry, { tail, foldedTail, wantsFolder }: Query): number {
  let sum = namePoints(fold(name), foldedTail, kind);
  for (const char of tail) if (/\p{Lu}/u.test(char) && name.includes(char)) sum += points.sameCase;
  sum -= Math.min(points.unmatchedMost, Math.max(0, name.length - tail.length) * points.unmatched);
  const depth = folders.split("/").length - 1;
  sum -= Math.min(points.folderMost, depth * points.folder + folders.length * points.folderCharacter);
  return kind === "folder" && !wantsFolder ? sum - points.isFolder : sum;
}

function namePoints(name: string, typed: string, kind: "file" | "folder"): number {
  if (typed === "" || !name.startsWith(typed)) return 0;
  if (name === typed && kind === "file") return points.name;
  return name.replace(/(?<=.)\.[^.]*$/, "") === typed ? points.stem : points.prefix;
}

/** By the steps up and down the tree between two folders. */
export function stepPoints(folders: string, current: string | undefined): number {
  if (current === undefined) return 0;
  let common = 0;
  for (let at = 0; at < folders.length && folders[at] === current[at]; at++) if (folders[at] === "/") common = at + 1;
  const steps = (folders.slice(common) + current.slice(common)).split("/").length - 1;
  return points.near[steps] ?? 0;
}

// How paths compare: without case, accents and composition, and by their letters.

export const compose = (text: string) => (isAscii(text) ? text : text.normalize("NFC"));

/** Without capitals and accents, composed (macOS gives names decomposed). */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const bare = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  return bare.normalize("NFC").toLowerCase();
}

/** A bit for each letter, one for all digits, one for other ASCII, one for all else: 31 at most. */
export function lettersOf(folded: string): number {
  let bits = 0;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else bits |= 1 << (code >= 48 && code <= 57 ? 26 : code < 128 ? 27 : 28);
  }
  return bits;
}

/** @param letters of a folded text */
export const isAsciiIn = (letters: number) => (letters & (1 << 28)) === 0;

/** From offsets in the composed path to offsets in the path as it is. */
export function origins(path: string, positions: readonly number[]): readonly number[] {
  if (isAscii(path)) return positions;
  const found: number[] = [];
  for (let at = 0; at < path.length; at++) found[path.slice(0, at + 1).normalize("NFC").length - 1] ??= at;
  return positions.flatMap(at => found[at] ?? []);
}
