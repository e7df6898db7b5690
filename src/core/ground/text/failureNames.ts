/** The names of all that failed in an output, so that none is missing where only some are shown with what is told of them. */

import { arrowedPlace, failureName, numberedName, reportedName } from "./failureName";
import { count } from "./format";

/** of each kind */
const MAX_NAMES = 400;
/** Of more places than this, one of each file is told. */
const MANY_PLACES = 40;
const PLACES_ROOM = 800;
/** Lines below a number that its name may go on in, until one ends with a colon. */
const GOES_ON = 3;
const ENDS_NAME = /^\s*(?:Failure\/Error|\w*Error\b|\*\*)/;
const LONELY_VERDICT = /^\s*(?:Failure|Error|FAIL|ERROR):$/;
const GOES_ON_WITH = /[\p{L}\p{N}_]/u;
/** A name this short stands in many texts. */
const SHORT = 8;
/** `Class.method`, `Class::method`, of a name that is one word. */
const TAIL = /[^.:#\\/\s]{1,120}(?:::|[.#:\\/])[^.:#\\/\s]{1,120}$/;
/** `method(package.Class)`, `method (package.Class)` */
const METHOD_OF = /^([^\s(]{1,200}) ?\(((?:[\w$]{1,120}\.){1,12}[\w$]{1,120})\)$/;
const FAILED_IN_REPORT = /^\s*<(?:failure|error)\b/;
const PLACE_BEHIND = /(?::\[?\d+(?:[:,]\d+\]?)?|\(\d+(?:,\d+)?\))?(?: '[^']*')?$/;

class Names {
  readonly all = new Set<string>();
  more = 0;

  add(name: string): void {
    if (this.all.has(name)) return;
    if (this.all.size < MAX_NAMES) this.all.add(name);
    else this.more += 1;
  }
}

/** One that failed, and the ways in which it may be named. */
interface FailedTest {
  name: string;
  ways: string[];
  /** `package.Class.method`, however it was written */
  full: string;
}

export class FailureNames {
  private readonly tests = new Names();
  private readonly numbered = new Names();
  private readonly places = new Names();
  private open: { name: string; indent: number; parts: string[] } | undefined;
  private expected: "name" | "place" | undefined;
  /** of a report, the test that is told of */
  private reported: string | undefined;

  /**
   * Takes every line but blank ones, in order. True: the line says what failed, and nothing else.
   * @param file the line that names the file of a complaint
   */
  add(
    text: string,
    kind: { isNumbered: boolean; isError: boolean; isPlace: boolean; file?: string | undefined },
  ): boolean {
    this.goOn(text);
    this.reported = reportedName(text) ?? this.reported;
    if (this.reported !== undefined && FAILED_IN_REPORT.test(text)) this.tests.add(this.reported);
    const numbered = kind.isNumbered ? numberedName(text) : undefined;
    if (numbered !== undefined) this.open = { name: numbered, indent: indentOf(text), parts: [] };
    const { expected } = this;
    this.expected = undefined;
    const arrowed = expected === "place" ? arrowedPlace(text) : undefined;
    if (arrowed !== undefined) this.places.add(arrowed);
    if (!kind.isError && !kind.isPlace && expected !== "name") return false;
    const failed = failureName(text, kind.isError || expected === "name");
    if (failed) (failed.isPlace ? this.places : this.tests).add(failed.name);
    else if (kind.isError && kind.file !== undefined) this.places.add(kind.file.trim());
    else if (kind.isError) this.expected = LONELY_VERDICT.test(text) ? "name" : "place";
    return failed !== undefined && !failed.isPlace && !failed.tellsWhy;
  }

  /** "also failing: a, b": those that do not stand in what is shown, in about `room` characters. */
  missing(shown: string, room: number, hasVerdict: boolean): string[] {
    this.close([]);
    const tests = [...this.tests.all, ...(hasVerdict ? this.numbered.all : [])];
    const failed = groups(tests);
    const isCounted = this.places.all.size <= failed.length;
    const lacking = failed.filter(({ ways }) => !ways.some(way => stands(way, shown)));
    const places = isCounted ? [] : this.lackingPlaces(shown).map(name => ({ name, full: name, ways: [name] }));
    const names = [...lacking, ...places];
    if (names.length === 0) return [];
    const most = lacking.length === 0 && this.places.all.size > MANY_PLACES ? Math.min(room, PLACES_ROOM) : room;
    const more = this.tests.more + (isCounted ? 0 : this.places.more);
    return [`… also failing: ${listed(names, most, more)}`];
  }

  private lackingPlaces(shown: string): string[] {
    const places = [...this.places.all].filter(place => !stands(place.replace(/ '[^']*'$/, ""), shown));
    if (this.places.all.size <= MANY_PLACES) return places;
    const files = new Map(places.map(place => [place.replace(PLACE_BEHIND, ""), place] as const).reverse());
    return [...files]
      .filter(([file]) => !stands(file, shown))
      .map(([, place]) => place)
      .reverse();
  }

  /** Mocha writes the suite behind the number, and below it what is in it, with a colon at its end. */
  private goOn(text: string): void {
    const { open } = this;
    if (!open) return;
    if (indentOf(text) <= open.indent || ENDS_NAME.test(text) || open.parts.length >= GOES_ON) this.close([]);
    else {
      open.parts.push(text.trim());
      if (text.trimEnd().endsWith(":")) this.close(open.parts);
    }
  }

  private close(parts: readonly string[]): void {
    if (!this.open) return;
    this.numbered.add([this.open.name, ...parts].join(" ").replace(/:$/, ""));
    this.open = undefined;
  }
}

/** As a whole: "case 1" does not stand in "case 12". */
function stands(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!GOES_ON_WITH.test(text.slice(at + name.length, at + name.length + 1))) return true;
  }
  return false;
}

const indentOf = (text: string) => text.length - text.trimStart().length;

/** Names that say the same of one: the longest of them, with the others and its end as further ways to name it. */
function groups(names: readonly string[]): FailedTest[] {
  const longest: FailedTest[] = [];
  const used = new Map<string, number>();
  const addWay = ({ ways }: FailedTest, way: string) => {
    ways.push(way);
    used.set(way, (used.get(way) ?? 0) + 1);
  };
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const full = name.replace(METHOD_OF, "$2.$1");
    const same = longest.filter(other => other.full.endsWith(full));
    for (const other of same) addWay(other, name);
    if (same.length > 0) continue;
    const failed = { name, full, ways: [name] };
    const end = ending(name);
    if (end !== undefined) addWay(failed, end);
    longest.push(failed);
  }
  // What two are called by tells neither.
  const isOwn = (way: string) => way.length >= SHORT && used.get(way) === 1;
  const order = new Map(names.map((name, at) => [name, at]));
  return longest
    .map(({ name, full, ways }) => ({ name, full, ways: ways.filter(way => way === name || isOwn(way)) }))
    .sort((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
}

const ending = (name: string) => METHOD_OF.exec(name)?.[1] ?? (/\s/.test(name) ? undefined : TAIL.exec(name)?.[0]);

const shortest = ({ ways }: FailedTest): string => ways.reduce((best, way) => (way.length < best.length ? way : best));

/** Names that are counted through, as one: `adds[3…7]`. */
interface NameRun {
  text: string;
  /** names in it */
  size: number;
}

/** So many are told one by one where there is room. */
const ALL_NAMED = 20;
const RUN = 3;
const MAX_COUNTER = 9;

function runsOf(names: readonly string[]): NameRun[] {
  const runs: NameRun[] = [];
  for (let at = 0; at < names.length; ) {
    const run = runFrom(names, at);
    runs.push(run);
    at += run.size;
  }
  return runs;
}

/** The longest that begins there: the same name, but for one number that grows by one. */
function runFrom(names: readonly string[], from: number): NameRun {
  const first = names[from] ?? "";
  let best: NameRun = { text: first, size: 1 };
  for (const { 0: digits, index } of first.matchAll(/\d+/g)) {
    if (digits.length > MAX_COUNTER) continue;
    const [before, behind] = [first.slice(0, index), first.slice(index + digits.length)];
    const numbered = (number: number) => before + String(number).padStart(digits.length, "0") + behind;
    let size = 1;
    while (names[from + size] === numbered(Number(digits) + size)) size += 1;
    const last = String(Number(digits) + size - 1).padStart(digits.length, "0");
    if (size >= RUN && size > best.size) best = { text: `${before}${digits}…${last}${behind}`, size };
  }
  return best;
}

/** In full where there is room; else in short; else those that are counted through as one, as many as there is room for. */
function listed(failed: readonly FailedTest[], room: number, more: number): string {
  const fits = (names: readonly NameRun[]) => names.map(({ text }) => text).join(", ").length <= room;
  const ways = [failed.map(({ name }) => name), failed.map(shortest)];
  const alone = ways.map(names => names.map(text => ({ text, size: 1 })));
  const runs = ways.map(runsOf);
  const names = [...(failed.length <= ALL_NAMED ? alone : []), ...runs].find(fits) ?? runsOf(failed.map(shortest));
  let left = room;
  const from = names.findIndex(({ text }) => {
    left -= text.length + 2;
    return left < 0;
  });
  const shown = from < 0 ? names : names.slice(0, Math.max(1, from));
  const others = failed.length - shown.reduce((sum, { size }) => sum + size, 0) + more;
  return `${shown.map(({ text }) => text).join(", ")}${others > 0 ? `, and ${count(others)} more` : ""}`;
}
