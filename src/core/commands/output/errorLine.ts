/**
 * The one line that tells why a command failed: for its card, for the forms that its result has later, for what the model is
 * reminded of. A trace is told by its last line, a heading by the line below it.
 */
import { ERROR, hasPassed, saysNothing } from "./lineRank";

/** `TypeError: the id is missing`, `fatal: not a repository`: what was thrown or refused, in its own words. */
const WHY = [
  /^(?:E\s)?\s*(?:Uncaught |Exception in thread "[^"]{1,80}" )?(?:[a-z_]\w{0,40}[.:]{1,2}){0,9}[A-Z]\w{0,60}(?:Error|Exception|Failure)\b[^:]{0,30}: \S/,
  /^\s*(?:[\w./-]{1,80}: )?(?:fatal|panic|(?:fatal )?error)(?:\[\w+\])?: ["'\s]{0,3}\S/i,
];
export const tellsWhy = (text: string): boolean => WHY.some(why => why.test(text));

const CAUSE = /^\s*(?:Caused by|\[cause\]): /;
const TRACE = /^\s*Traceback \(most recent call last\):/;
/** The line below it tells more. */
const HEADING = /:\s*$|^\W*[A-Za-z]+\W*$|^\s*--- FAIL: /;
/** Of a program that ran another one, or of a file with many tests: what failed is told elsewhere. */
const OUTER = new RegExp(
  [
    /^\s*FAIL\s+[^\s./]*[./]\S+(?:\s+[\d.]+m?s)?$|^npm (?:ERR!|error)|^\s*ELIFECYCLE|^make(?:\[\d+\])?: \*\*\*|^error Command failed/,
    /^error: (?:test failed|could not compile)|^FAILURE: Build failed|^Execution failed for task|^\[ERROR\] Failed to execute goal/,
    /\b[Ee]xit(?:ed)?(?: with)?(?: code| status)?:? \d+\.?$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const MARKS = /^(?:E {2,}|[│|] )/;

const LAST_OF_TRACE = 0;
const THROWN = 1;
const FAILED = 2;
const AROUND = 3;
const PRINTED = 4;

interface Candidate {
  weight: number;
  text: string;
}

class StreamErrors {
  best: Candidate | undefined;
  /** how far the open trace is indented */
  private trace: number | undefined;
  private heading: Candidate | undefined;
  /** the newest of what was thrown: its cause may follow */
  private thrown: Candidate | undefined;

  add(line: string, isError: boolean): void {
    if (!isError && this.trace === undefined && this.heading === undefined) return;
    const text = line.replace(MARKS, "").trim();
    if (text === "") return;
    const indent = line.length - line.trimStart().length;
    if (this.trace !== undefined && indent > this.trace) return;
    const isLastOfTrace = this.trace !== undefined;
    this.trace = TRACE.test(line) ? indent : undefined;
    if (this.trace !== undefined) return;
    const isBelow = this.heading !== undefined && !hasPassed(line) && !saysNothing(line);
    // The line below replaces its heading.
    if (isBelow && this.heading === this.best) this.best = undefined;
    const weight = isLastOfTrace ? LAST_OF_TRACE : weightOf(line, isError, isBelow);
    const found = { weight, text };
    this.heading = weight === FAILED && HEADING.test(line) ? found : undefined;
    const isCause = this.thrown !== undefined && this.thrown === this.best && CAUSE.test(line);
    const isNewest = weight === LAST_OF_TRACE && this.best?.weight === weight;
    if (weight < (this.best?.weight ?? PRINTED) || isCause || isNewest) this.best = found;
    if (weight === THROWN) this.thrown = found;
  }
}

function weightOf(line: string, isError: boolean, isBelow: boolean): number {
  if (!isError && !isBelow) return PRINTED;
  if (OUTER.test(line)) return AROUND;
  return isError && (tellsWhy(line) || CAUSE.test(line)) ? THROWN : FAILED;
}

export class ErrorLine {
  private readonly streams = { stderr: new StreamErrors(), stdout: new StreamErrors() };

  /** Takes every line, in order, with its rank. */
  add(stream: "stdout" | "stderr", line: string, rank: number | undefined): void {
    this.streams[stream].add(line, rank !== undefined && rank <= ERROR);
  }

  /** What says that something failed, on stderr before stdout. */
  get line(): string | undefined {
    return (this.best(FAILED) ?? this.best(AROUND))?.text;
  }

  private best(most: number): Candidate | undefined {
    const { stderr, stdout } = this.streams;
    return [stderr.best, stdout.best].find(found => found !== undefined && found.weight <= most);
  }
}
