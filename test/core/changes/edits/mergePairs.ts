/** Random texts with changes on two sides, of which it is known by construction what merging them must give. */
import type { Random } from "../../../fakes/random";

/** Lines `[start, end)` of the base (0-based) become `lines`. */
export interface Change {
  start: number;
  end: number;
  lines: string[];
}

export interface Pair {
  base: string;
  ours: string;
  theirs: string;
  /** both changes in one text; undefined: they are in each other's way */
  both?: string;
}

/** Lines that stand in a text again and again, so that many alignments of it are possible. */
const REPEATED = ["}", "", "  }", "    return value;", "// ----", "\t});"];
const WORDS = ["total", "größe", "名前", "naïve", "🙂", "e\u0301", "\u{1d49c}", "данные"];

export function randomLines(random: Random, count: number, tag: string): string[] {
  return Array.from({ length: count }, (_, index) =>
    random.chance(0.4) ? random.pick(REPEATED) : uniqueLine(random, `${tag}${index}`),
  );
}

const uniqueLine = (random: Random, tag: string) => `  const ${random.pick(WORDS)}_${tag} = ${random.int(0, 99)};`;

/**
 * Changes of both sides, with a line between each two that nobody touches: one side's, the other's, in any order.
 * @param told the line between stands nowhere else, so there is one way only to see what changed; else a `}` among many
 *   others may stand between, and a change may as well be seen on its other side
 */
export function apart(random: Random, told = true): Pair {
  for (;;) {
    const found = someApart(random, told);
    if (found.ours !== found.base && found.theirs !== found.base) return found;
  }
}

function someApart(random: Random, told: boolean): Pair {
  const lines = randomLines(random, random.int(4, 60), "b");
  const finalNewline = random.chance(0.8);
  const [ours, theirs]: [Change[], Change[]] = [[], []];
  const sides = random.chance(0.5) ? [ours, theirs] : [theirs, ours];
  let at = random.int(0, Math.floor(lines.length / 3));
  for (let count = 0; at <= lines.length; count += 1) {
    const side = count < 2 ? (sides[count] as Change[]) : random.pick(sides);
    const change = randomChange(random, lines, at, `${side === ours ? "o" : "t"}${count}_`);
    // What comes after a line without an end, or makes it the last, changes that line too.
    if (!finalNewline && change.end === lines.length && (at === change.end || change.lines.length === 0)) break;
    side.push(change);
    const between = change.end + random.int(0, 2);
    if (told && between < lines.length) lines[between] = uniqueLine(random, `between${count}`);
    at = between + 1 + random.int(0, count === 0 ? 2 : 12);
    if (count > 0 && random.chance(0.4)) break;
  }
  return pair(lines, ours, theirs, finalNewline);
}

/** Both sides change the same line, each in its own way: edited, gone, or another line put into it. */
export function overlapping(random: Random): Pair {
  const lines = randomLines(random, random.int(1, 40), "b");
  const at = random.int(0, lines.length - 1);
  // What is in the way must be told from every other line: else it could as well be the next one that changed.
  lines[at] = uniqueLine(random, "contested");
  const around = (tag: string): Change => ({
    start: at - random.int(0, Math.min(2, at)),
    end: at + 1 + random.int(0, Math.min(2, lines.length - at - 1)),
    lines: [...randomLines(random, random.int(0, 2), tag), uniqueLine(random, `${tag}x`)],
  });
  const gone = (): Change => ({ start: at, end: at + 1, lines: [] });
  const inside = (tag: string): Change => ({ start: at, end: at, lines: [uniqueLine(random, `${tag}x`)] });
  const kinds = { "edited twice": 5, "edited and gone": 2, "two lines at one place": 2 };
  const made: Record<keyof typeof kinds, () => [Change, Change]> = {
    "edited twice": () => [around("o"), around("t")],
    "edited and gone": () => [around("o"), gone()],
    "two lines at one place": () => [inside("o"), inside("t")],
  };
  const [one, other] = made[random.weighted(kinds)]();
  const [ours, theirs] = random.chance(0.5) ? [one, other] : [other, one];
  const { both: _, ...sides } = pair(lines, [ours], [theirs], random.chance(0.8));
  return sides;
}

/** Few different lines, changes anywhere: which line became which is anybody's guess. */
export function anything(random: Random): Pair {
  const alphabet = ["}", "", "a", "b"];
  const some = (count: number) => Array.from({ length: count }, () => random.pick(alphabet));
  const lines = some(random.int(0, 14));
  const change = (): Change => {
    const start = random.int(0, lines.length);
    return { start, end: random.int(start, Math.min(lines.length, start + 3)), lines: some(random.int(0, 3)) };
  };
  const { both: _, ...sides } = pair(lines, [change()], [change()], random.chance(0.8));
  return sides;
}

function randomChange(random: Random, lines: readonly string[], start: number, tag: string): Change {
  const left = lines.length - start;
  const kind = left === 0 ? "insert" : random.weighted({ insert: 3, delete: 2, replace: 4 });
  const end = kind === "insert" ? start : start + random.int(1, Math.min(4, left));
  const replaced = lines.slice(start, end);
  if (kind === "delete") return { start, end, lines: [] };
  const fresh = [...randomLines(random, random.int(0, 3), tag), uniqueLine(random, `${tag}x`)];
  // Some of what stood there stays, as when a person edits a line among others.
  return { start, end, lines: random.chance(0.3) ? [...fresh, ...replaced.slice(1)] : fresh };
}

function pair(
  lines: readonly string[],
  ours: readonly Change[],
  theirs: readonly Change[],
  finalNewline: boolean,
): Pair {
  const text = (changed: readonly string[]) =>
    changed.length === 0 ? "" : changed.join("\n") + (finalNewline || changed.at(-1) === "" ? "\n" : "");
  return {
    base: text(lines),
    ours: text(applied(lines, ours)),
    theirs: text(applied(lines, theirs)),
    both: text(applied(lines, [...ours, ...theirs])),
  };
}

export function applied(lines: readonly string[], changes: readonly Change[]): string[] {
  const out: string[] = [];
  let at = 0;
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    out.push(...lines.slice(at, change.start), ...change.lines);
    at = change.end;
  }
  return [...out, ...lines.slice(at)];
}
