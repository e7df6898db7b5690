/** What a line says that failed: a test, a file, a place in one. By how runners and compilers mark it, not by their names. */

interface FailureName {
  name: string;
  /** A place that was complained of; else a test or a task. */
  isPlace: boolean;
  /** The line also says why. */
  tellsWhy: boolean;
}

/** Longer lines name no test. */
const MAX_LINE = 400;
const MAX_NAME = 240;
const ROUNDS = 6;

/** Levels, counts, numbers, times and programs' own words before a name; times and rules behind it. */
const BEFORE = new RegExp(
  [
    /\[(?:ERROR|error|info|INFO|gw\d{1,3}|fail|xUnit[^\]]{0,40}|\s{0,9}[\d.]{1,12}\s?(?:%|m?s))\]:?/,
    /\(\d{1,6}\/\d{1,6}\)|\d{1,6}\/\d{1,6}\s+(?=Test\b)|Test\s{1,9}#\s{0,5}\d{1,6}:|\d{1,6} - (?=\w)|\d{1,6}\s+(?=\[)/,
    // a browser, its version, its system
    /[A-Z][A-Za-z ]{2,30} \d[\d.]{0,30} \([^()]{1,40}\)(?=\s\S)/,
    /\d{1,3}:\d\d \+\d+(?: ~\d+)? -\d+:|> |- (?=\w)|(?:test|Test Case) (?='|\S+::\S|\S+ \.\.\.)/,
  ]
    .map(({ source }) => `^(?:${source})\\s*`)
    .join("|"),
);
const BEHIND = new RegExp(
  [
    /[([]\s{0,9}<?\s?\d[\d.,]{0,12}\s?(?:m?s|µs|%|min|secs?|seconds)[)\]]/,
    /(?:\s{2}|\t)[\d.]{1,9}\s?(?:s|secs?)|\s\d{1,9}m?s|\sin [\d.]{1,9}\s?s/,
    /(?:--\s)?\s?Time elapsed: [\d.,]{1,9} s(?:ec)?|[─━⎯]{3,200}|\.{3,80}/,
  ]
    .map(({ source }) => `(?:${source})$`)
    .join("|"),
);

/** What marks a name as of something that failed. */
const MARK_BEFORE =
  /^(?:(?:---|===) FAIL:|FAIL(?:ED|URE)?:?(?=\s)|not ok(?: \d{1,6})?(?: -)?(?=\s)|[×⨯✕✗✖✘❌●]|\(fail\)|\[\s{0,9}FAIL(?:ED)?\s{0,9}\])\s*/;
const MARK_BEHIND =
  /(?:\.{3}|\*{3}|<{3}|[-:|])?\s?(?:\[(?:FAIL(?:ED)?|E)\]|\((?:FAILED|Failed|SEGFAULT|Timeout|Not Run)(?: - \d{1,6})?\)|(?<=[\s.*])(?:FAILED|FAIL|Failed|Timeout)(?: \*{3}| \|)?|(?<=\.{3} )ERROR|(?:FAILURE|ERROR)!|(?<=['"] )failed)$/;
/** These words begin sentences, too: a time behind them, or the way in which the name is written, tells. */
const TIMED = /^Failed\s+(\S.*\S)\s+\[<?\s?\d[\d.,]{0,12}\s?m?s\]$/;
const IN_ERROR = /^ERROR:?\s+([^\s:]{1,200}::\S{1,200}|\S{1,200} \([\w.]{1,200}\)|\S{1,200}\.py)(?: - |$)/;
/** Of a sum of what failed: `XTest.rounds:23 expected …`, `XTest>Base.run:9->rounds:23 expected …`. */
const SUMMED =
  /^\[ERROR\]\s+((?:[A-Za-z_$][\w$]{0,120}\.){1,12}[\w$]{1,120}(?=:\d|\s|$)|[\w$]{1,120}>[\w$.:>-]{1,240}?(?=(?::\d+)?(?:\s|$)))/;
/** JUnit's own console: `'-- rounds() [X] expected …`, `└─ rounds() ✘ expected …`; and in its list. */
const IN_TREE = /(?:--|─) (\S.{0,200}?) (?:\[X\]|✘) \S/;
const IN_LIST = /^MethodSource \[className = '[^']{1,200}', methodName = '([^']{1,200})'/;
const METHOD = /^([\w:]{1,120}#\S{1,120}) \[.{1,200}\]:$/;
const EVENT = /"Action":"fail",.{0,160}"Test":"([^"]{1,200})"/;
const OWN = [TIMED, IN_ERROR, SUMMED, METHOD, EVENT, IN_TREE, IN_LIST];
const NUMBERED = /^\d{1,4}\) (\S.*)$/;

/** Counts, sentences, words in capitals alone: no names. */
const NO_NAME =
  /^(?:\d+ (?:of|tests?|problems?|errors?|fail\w*|specs?|suites?)\b|\(|Tests run|[A-Z][A-Z ]*$|Build\b)|[:.,]$/;
const LETTER = /\p{L}/u;

const PLACE =
  /^(?:e: |> )?(?:file:\/\/)?((?:[A-Za-z]:)?[\w@.~/\\+-]{1,240}\.[A-Za-z]\w{0,6}(?::\[?\d{1,7}(?:[:,]\d{1,6}\]?)?|\(\d{1,7}(?:,\d{1,6})?\)))(?=[\s:\]]|$)/;
const COLUMN = /\d[:,]\d{1,6}\]?\)?$/;
/** Told of a complaint, and none. */
const NOTE = /^:? (?:note|help|hint|remark):/;
const COMPLAINT = /^:? (?:fatal )?(?:error|undefined)\b/;
const QUOTED = /['"`‘“]([^'"`’”]{1,40})['"`’”]/;
/** `src/a.ts:3:7 lint/style/useConst ━━━━━`, `--> src/a.rs:3:7` */
const HEADED = /[━─]{5}$/;
const ARROW = /^\s*--> /;

/** Who printed it, or when: `web:build: `, `packages/web build: `, `web-1  | `, `[web] `, `2026-03-02T14:03:27.41Z `. */
const PREFIX =
  /^(?:\d{4}-\d\d-\d\dT[\d:.]{8,18}Z|[@\w./-]{1,60}(?::[\w-]{1,40}| [\w:-]{1,30})?:|[@\w./-]{1,60}\s{1,9}\||\[[@\w./:-]{1,60}\])\s+/;

/** @param isError what the line says by its words is an error; else it may be a heading */
export function failureName(line: string, isError: boolean): FailureName | undefined {
  const text = line.trim();
  const failed = found(text, isError);
  if (failed || !isError) return failed;
  const rest = text.replace(PREFIX, "");
  return rest === text ? undefined : found(rest, isError);
}

function found(text: string, isError: boolean): FailureName | undefined {
  const place = PLACE.exec(text.replace(/^\[ERROR\] /, ""));
  if (place?.[1] !== undefined) {
    if (!isError) return HEADED.test(text) ? { name: place[1], isPlace: true, tellsWhy: true } : undefined;
    if (NOTE.test(text.slice(place[0].length))) return undefined;
    // A search prints lines with their numbers, too.
    if (!COLUMN.test(place[1]) && !COMPLAINT.test(text.slice(place[0].length))) return undefined;
    const quoted = QUOTED.exec(text.slice(place[0].length))?.[1];
    return { name: quoted === undefined ? place[1] : `${place[1]} '${quoted}'`, isPlace: true, tellsWhy: true };
  }
  const name = isError && text.length <= MAX_LINE ? named(text) : undefined;
  if (name === undefined) return undefined;
  return { name, isPlace: FILE.test(name), tellsWhy: WHY.test(text.slice(text.indexOf(name) + name.length)) };
}

/** Behind a name: `- KeyError: 'b'`, `:12 no connection`. */
const WHY = /^(?: - |: |:\d{1,7} )\S/;

const FILE = /^[\w@.~\\/+-]{1,240}[/\\][\w@.+-]{1,120}\.\w{1,6}$/;

/** Where it says so in a line of its own below the error. */
export function arrowedPlace(line: string): string | undefined {
  return ARROW.test(line) ? PLACE.exec(line.replace(ARROW, "").trim())?.[1] : undefined;
}

/** `<testcase name="rounds" …>`, which says below whether it failed. */
export const reportedName = (line: string): string | undefined =>
  /^\s*<testcase\b.{0,200}?\bname="([^"]{1,200})"/.exec(line)?.[1];

/** `12) what failed`: only in an output in which something did. */
export function numberedName(line: string): string | undefined {
  const name = NUMBERED.exec(line.trim())?.[1];
  return name === undefined ? undefined : checked(bare(name));
}

function named(text: string): string | undefined {
  for (const own of OWN) {
    const name = own.exec(text)?.[1];
    if (name !== undefined) return checked(name);
  }
  const plain = bare(text);
  const rest = plain.replace(MARK_BEFORE, "");
  const name = (rest === plain ? plain : bare(rest)).replace(MARK_BEHIND, "");
  if (name === plain) return undefined;
  return checked(withoutReason(bare(name)));
}

/** `tests/a.py::test_b - AssertionError: …` */
function withoutReason(name: string): string {
  const at = name.includes("::") ? name.indexOf(" - ") : -1;
  return at < 0 ? name : name.slice(0, at);
}

function checked(name: string): string | undefined {
  const text = name.replace(/^'([^']*)'$/, "$1");
  return text.length < 2 || text.length > MAX_NAME || NO_NAME.test(text) || !LETTER.test(text) ? undefined : text;
}

function bare(text: string): string {
  let rest = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = rest.replace(BEFORE, "").replace(BEHIND, "").trim();
    if (next === rest) break;
    rest = next;
  }
  return rest;
}
