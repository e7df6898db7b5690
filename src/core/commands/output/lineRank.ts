/**
 * How much a line of a program's output tells, by its words alone (docs/tools.md, "Long output"). Other languages than English and
 * Chinese are told by `NotableLines`: a line unlike all others.
 */
import { Signs } from "../../secrets/signs";

export const VERDICT = 0;
export const ERROR = 1;
export const SUMMARY = 2;
export const PLACE = 3;
export const WARNING = 4;

const any = (parts: readonly RegExp[]): RegExp => new RegExp(parts.map(part => part.source).join("|"));

/** A passed test is not notable, even with an error in its title. */
const PASSED =
  /^\s*(?:[✓✔√]|ok\b|PASS(?:ED)?\b|--- PASS|=== (?:RUN|PAUSE|CONT)\b|\[ *(?:PASS|OK)|test .* \.\.\. ok$)|\sPASSED(?:\s+\[\s*\d+%\])?$/;

/** "0 errors", "no failures", "errors: 0", "fail 0": taken out before a line is looked at. */
const NOTHING_WRONG =
  /\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|fail(?:ed|ures?|ing)?|warnings?|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?|ing)?|warnings?|exceptions?|unreachable)(?:["']?\s*[:=]\s*|\s+)(?:0|none|null|nil|false)\b/gi;

/** Verdicts, crashes, what compilers refuse: at a line's beginning (an expression of its own, tried once), and anywhere. */
const VERDICTS_FIRST =
  /^(?:\s*(?:not ok\b|[×⨯✕●]|(?:Uncaught |Unhandled )?(?:[A-Z]\w*)?(?:Error|Exception)\b(?: \[\w+\])?:|Caused by:|MethodSource \[)|panic:|Traceback\b|error(?:\[E\d+\])?:|e: |CMake Error|ERROR\b)/;
const VERDICTS = any([
  /\b(?:FAIL|FAILED|FAILURE|FAILURES|FATAL|OutOfMemory|out of memory|Out of memory|Killed|BackOff|Evicted|AssertionError|CONFLICT|UNREACHABLE)\b/,
  /\b(?:panicked at|Fatal:|fatal:|Fatal error:|fatal error:|oom-kill|forces replacement|must be replaced|must be destroyed)/,
  /\b(?:will be replaced|will be destroyed|error TS\d|ErrImage\w)|[✗✖✘❌]|OOMKilled|[a-z]BackOff\b|egmentation fault|core dumped| \[X\] /,
  /\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|:\d+: (?:fatal )?error\b|\): error [A-Z]+\d|\b[Ee]xit(?:ed)?(?: with)?(?: code| status)?:? [1-9]/,
]);

/** In small letters. As one list of plain words an engine looks for them all at once. */
const ERROR_WORDS = [
  "err|err!|error|errors|errored|exception|exceptions|mismatch|mismatched|fail|failed|fails|failing|failure|failures|fatal|panic",
  "panicked|unhandled|uncaught|traceback|denied|refused|rejected|forbidden|unauthorised|unauthorized|killed|abort|aborted",
  "aborting|crash|crashed|crashes|conflict|conflicts|evicted|caused by|cannot|can't|can not|could not|couldn't|unable to",
  "did not|didn't|no such|missing|do not exist|does not exist|doesn't exist|not ok|not permitted|not allowed|not found|not defined|not used",
  "is gone|was gone|unresolved|unrecognised|unrecognized|invalid|illegal|malformed|unexpected|incompatible|circular|timed out|timed-out",
  "time-out|timeout|unreachable|unavailable|expired|exceeds|exceeded|insufficient|violates|violated|violation|corrupt|corrupted",
  "no space left|already in use|deadlock|deadlocked|segfault|segmentation fault|core dumped|unhealthy|notready|broken pipe|reset by peer",
  "stack overflow|out of memory|what went wrong|soft lockup|enoent|eacces|eperm|eaddrinuse|econnrefused|econnreset|econnaborted",
  "etimedout|epipe|enospc|emfile|eexist|enotfound|sigkill|sigsegv|sigabrt|sigbus|rollback|must be replaced|forces replacement",
  "will be destroyed|bad gateway|internal server error|too many requests",
].join("|");
const ERRORS = new RegExp(
  `\\b(?:${ERROR_WORDS})(?![a-z])|\\b(?:has no \\w|(?:undefined|unknown) (?!is)[a-z]|undefined: )|oomkilled|oom-kill|backoff|errimage|outofmemory|错误|失败|异常|拒绝|无法|找不到|未找到|不存在|未定义|超时|崩溃|冲突|无效|致命|出错|溢出`,
);
/** `TypeError`, `connectionRefused` */
const HUMPS = /[a-z](?:Errors?|Exceptions?|Fail(?:ed|ure)|Refused|Denied|Timeout|Mismatch)(?![a-z])/;
const WARNINGS = /\bwarn(?:ings?|ed)?\b|deprecat|警告/;
/** Answers of servers with a status of 5xx. */
export const SERVER_ERROR = /\bHTTP\/[\d.]{1,3}" {1,4}5\d\d |\b[Ss]tatus(?:_?[Cc]ode)?["']?\s?[:=]\s?["']?5\d\d\b/;

/** Pytest's errors; classes of Java and Ruby and the like, at the beginning of a line, with what they have to say. */
const THROWN = /^E {2,}\S|^(?:[a-z_]\w*\.)+[A-Z][\w$]*: |^\*\* \(|^(?:[A-Z]\w*::)+[A-Z]\w* \(/;

/** How much was done, and how it went. */
const SUMMARIES_FIRST =
  /^(?:Ran \d+ test|# (?:tests|pass) \d|(?:added|removed|changed|up to date,?) .*\bpackages?\b|(?:Plan|Found|Tests?|Test Suites|Test Files|Total|TOTAL|All files|Summary)\b\D{0,40}\d|Build succeeded|Successfully \w)/;
const SUMMARIES = any([
  /\b(?:Tests run: \d|OK \(\d+ test|BUILD SUCCESS|compiled successfully|compiled with|built in \d)/,
  /\d (?:(?:tests? |specs? )?(?:passed|passing|succeeded)|examples?|scenarios?|vulnerabilit(?:y|ies)|problems?|warnings?|Warning\(s\)|Error\(s\))(?=\W|$)/,
]);

/** Where: compilers' file:line. Few lines have what the hint asks for, and the hint is cheap. */
const PLACES = /(?:^|[\s("'[])[\w@./\\-]+\.[A-Za-z]\w{0,5}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))/;
const PLACE_HINT = /[a-z]\d?[:(]\d/i;
/** Stack tops, assertion diffs. */
const BELOW_ERRORS =
  /^\s+at\s\S|^\s*File ".*", line \d+|^\s*[-+]\s*(?:expected|actual|received)\b|^\s*(?:expected|received|actual|got|left|right)\b/i;

/** The line itself says that it is mild. */
const MILD =
  /(?:^|[\s[(:|"'=])(?:(?:warn(?:ing)?|info(?:rmation)?|debug|trace|notice|信息|警告|情報)(?=[\s\]):|"',]|$)|(?:note|remark|hint):\s|[CIRW]\d{4}:\s)/i;
/** Characters in which a line's level is looked for. */
const LEVEL_REACH = 120;

/** `===== FAILURES =====`, `---- Captured log ----`: what follows says what it is about. */
const TITLE = /^\s*[=─━-]{3,300} [A-Za-z][A-Za-z ]{2,60} [=─━-]{3,300}\s*$/;

/** Letters or digits, and not only a counter amid a line or the legend of a diff. */
const SAYS =
  /^(?![^\p{L}\p{N}]{0,300}\d+\/\d+[^\p{L}\p{N}]{0,300}$)(?!(?:\s*[-+] (?:[Ee]xpected|[Rr]eceived|[Aa]ctual))+(?: *[-+] \d+)?\s*$).*[\p{L}\p{N}]/u;

/** Of a drawing, a title, a legend. */
export const saysNothing = (text: string): boolean => !WORD_FIRST.test(text) && (TITLE.test(text) || !SAYS.test(text));
const WORD_FIRST = /^\s*[A-Za-z]/;

export const hasPassed = (text: string): boolean => PASSED.test(text);

/** What a line may be, as its words tell, a bit each: of a rank, below an error, a frame of a stack, a count. */
export const SIGN = { ranked: 1, below: 2, frame: 4, count: 8 };
/** Asked once for all that looks at a line. */
export const lineSigns = new Signs([
  [
    `${ERROR_WORDS}|backoff|exit|oom-kill|will be| [x] |[e]| e: |egmentation fault|methodsource|has no |undefined|unknown |outofmemory`,
    'warn|deprecat|pass|succe|run: |k (|compiled with|built in #|example|scenario|vulnerab|problem|" 5##|  5##|:5##|=5##| 5##|"5##|\'5##',
    "×|⨯|✕|●|✗|✖|✘|❌|错|失|异|拒|无|找|未|不|超|崩|冲|致|出|溢|警",
  ].join("|"),
  ' at |\tat | at\t|\tat\t|file "|expected|received|actual|got|left|right',
  ' at |\tat | at\t|\tat\t|file "|.go:|#: | 0x|): |{main}|[internal ',
  "pass|fail| in #|ran #|assertions|error",
]);

/** undefined: not notable; 0 is the weightiest. @param may the lists of `lineSigns` that it may have a word of */
export function lineRank(text: string, may = lineSigns.in(text)): number | undefined {
  // Most lines match nothing: what they are excused by need not be looked for.
  const first = plainRank(text, may);
  if (first === undefined || hasPassed(text) || TITLE.test(text)) return undefined;
  const rest = text.replace(NOTHING_WRONG, "");
  const rank = rest === text ? first : plainRank(rest, may);
  // A log of requests has one level for all of them.
  return rank === ERROR && MILD.test(text.slice(0, LEVEL_REACH)) && !SERVER_ERROR.test(text) ? WARNING : rank;
}

function plainRank(text: string, may: number): number | undefined {
  if ((may & SIGN.ranked) !== 0 || THROWN.test(text) || SUMMARIES_FIRST.test(text)) {
    if (VERDICTS_FIRST.test(text) || VERDICTS.test(text)) return VERDICT;
    const small = text.toLowerCase();
    const isError = ERRORS.test(small) || HUMPS.test(text) || THROWN.test(text) || text.endsWith("[E]");
    if (isError || SERVER_ERROR.test(text)) return ERROR;
    if (SUMMARIES_FIRST.test(text) || SUMMARIES.test(text)) return SUMMARY;
    if (WARNINGS.test(small)) return WARNING;
  }
  const isBelow = (may & SIGN.below) !== 0 && BELOW_ERRORS.test(text);
  return isBelow || (PLACE_HINT.test(text) && PLACES.test(text)) ? PLACE : undefined;
}

/** Which lines of an output are alike. */

/** `src/a.ts:3:5`, `src/a.ts(3,5):`: the text before it and in quotes differs from line to line, the message does not. */
const DIAGNOSTIC = /:\d+:(?:\d+:?)?\s|\(\d+,\d+\)|^\s*\d+:\d+\s/;
const QUOTED = /'[^']{0,80}'|"[^"]{0,80}"|`[^`]{0,80}`/g;
/** `error: 'the price is required'`: the message is in the quotes. (Letters in a row, in one expression for all scripts, take 170 ms to compile.) */
const isSentence = (quoted: string): boolean =>
  /\S\S \S\S+ \S\S/.test(quoted) && /aa a{2,30} aa/.test(quoted.replace(/\p{L}/gu, "a"));
const NUMBERS = /0x[0-9a-f]+|\d+/gi;
/** Paths, addresses, `name@1.2`: a word with something in it that no word has. */
const NAMES = /(?<!\S)\S*[/\\@_.#]\S+/g;
const KIND = 120;

/** Alike but for their numbers. */
export const alike = (text: string): string => text.slice(0, KIND).replace(NUMBERS, "#");

/** Alike but for numbers, files, names and quoted texts, unless those are sentences. */
const saying = (text: string): string =>
  text
    .slice(0, 2 * KIND)
    .replace(QUOTED, quoted => (isSentence(quoted) ? quoted : "q"))
    .replace(NUMBERS, "#")
    .replace(NAMES, "p")
    .replace(/\s+/g, " ");

/** The same for two lines that say the same thing. Of a verdict the names count: which tests failed is what matters. */
export const lineKind = (text: string, isVerdict: boolean): string =>
  isVerdict && !DIAGNOSTIC.test(text) ? alike(text) : saying(text);

const LETTERS = 1;
const DIGITS = 2;
const SPACE = 3;

/** How far into a line `shapeOf` looks. */
const SHAPE = 100;

/** The same number for lines of the same shape: the same punctuation, words and numbers at the same places. */
export function shapeOf(text: string): number {
  let shape = 17;
  let last = 0;
  const end = Math.min(text.length, SHAPE);
  for (let at = 0; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    const sign = signOf(unit);
    // Several words are as one, letters and digits in one word as letters.
    if (sign === last || (sign === SPACE && last === LETTERS) || (sign === DIGITS && last === LETTERS)) continue;
    last = sign;
    shape = (Math.imul(shape, 31) + sign) | 0;
  }
  return shape;
}

function signOf(unit: number): number {
  if (unit === 0x20 || unit === 0x09) return SPACE;
  if (unit >= 0x30 && unit <= 0x39) return DIGITS;
  if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f) return LETTERS;
  return unit < 0xc0 || isSymbol(unit) ? unit : LETTERS;
}

/** Punctuation, arrows, lines, ticks; that of CJK, and full-width forms. */
const isSymbol = (unit: number) =>
  (unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f) || unit >= 0xff00;
