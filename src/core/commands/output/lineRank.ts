/**
 * How much a line of a program's output tells, by its words alone (docs/tools.md, "Long output"). Other languages than English and
 * Chinese are told by `NotableLines`: a line unlike all others.
 */

export const VERDICT = 0;
export const ERROR = 1;
export const SUMMARY = 2;
export const PLACE = 3;
export const WARNING = 4;

const any = (parts: readonly RegExp[]): RegExp => new RegExp(parts.map(part => part.source).join("|"));

/** What passed is not notable, whatever its title says. */
const PASSED =
  /^\s*(?:[✓✔√]|ok\b|PASS(?:ED)?\b|--- PASS|=== (?:RUN|PAUSE|CONT)\b|\[ *(?:PASS|OK)|test .* \.\.\. ok$)|\sPASSED(?:\s+\[\s*\d+%\])?$/;

/** "0 errors", "no failures", "errors: 0", "fail 0": taken out before a line is looked at. */
const NOTHING_WRONG =
  /\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|fail(?:ed|ures?|ing)?|warnings?|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?|ing)?|warnings?|exceptions?|unreachable)(?:["']?\s*[:=]\s*|\s+)(?:0|none|null|nil|false)\b/gi;

/** Verdicts, crashes, what compilers refuse. */
const VERDICTS = any([
  /\bFAIL(?:ED|URE|URES)?\b|^\s*not ok\b|^\s*[×⨯✕●]|[✗✖✘❌]|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b/,
  /\bpanicked at\b|^panic:|^Traceback\b|\b[Ff]atal(?: error)?:|\bFATAL\b|[Ss]egmentation fault|core dumped/,
  /\b(?:OutOfMemory|out of memory|Out of memory)\b|\bKilled\b|\boom-kill|OOMKilled|BackOff\b|\bErrImage\w+|\bEvicted\b/,
  /^\s*(?:Uncaught |Unhandled )?(?:[A-Z]\w*)?(?:Error|Exception)\b(?: \[\w+\])?:|\bAssertionError\b|^\s*Caused by:/,
  /\berror TS\d+|^error(?:\[E\d+\])?:|:\d+: (?:fatal )?error\b|\): error [A-Z]+\d+|^e: |^CMake Error|^ERROR\b/,
  /\bCONFLICT\b|\bUNREACHABLE\b|\b(?:must be|will be) (?:replaced|destroyed)\b|\bforces replacement\b/,
  /\b[Ee]xit(?:ed)?(?: with)?(?: code| status)?:? [1-9]| \[X\] |^\s*MethodSource \[/,
]);

/** Words of their own, in any case. */
const ERROR_WORDS = any([
  /\b(?:err(?:ors?|ored|!)|exceptions?|mismatch(?:ed)?|fail(?:ed|s|ing|ures?)?|fatal|panic(?:ked)?|unhandled|uncaught|traceback)(?![a-z])/,
  /\b(?:denied|refused|rejected|forbidden|unauthori[sz]ed|killed|abort(?:ed|ing)?|crash(?:ed|es)?|conflicts?|evicted|caused by)\b/,
  /\b(?:cannot|can't|can not|could(?: not|n't)|unable to|did(?: not|n't)|no such|missing|do(?:es not|esn't) exist|has no \w+)\b/,
  /\bnot (?:ok|permitted|allowed|found|defined)\b|\b(?:undefined|unknown) (?!is)[a-z]+|\bundefined: |\bnot used\b|\b(?:is|was) gone\b/,
  /\b(?:unresolved|unrecogni[sz]ed|invalid|illegal|malformed|unexpected|incompatible|circular|timed[- ]out|time-?out|unreachable)\b/,
  /\b(?:unavailable|expired|exceed(?:s|ed)|insufficient|violat(?:es|ed|ion)|corrupt(?:ed)?|no space left|already in use|deadlock(?:ed)?)\b/,
  /\b(?:segfault|segmentation fault|core dumped|unhealthy|notready|broken pipe|reset by peer|stack overflow|out of memory|what went wrong|soft lockup)\b/,
  /\b(?:e(?:noent|acces|perm|addrinuse|conn\w{5}|timedout|pipe|nospc|mfile|exist|notfound)|sig(?:kill|segv|abrt|bus)|rollback)\b/,
  /\b(?:must be replaced|forces replacement|will be destroyed|bad gateway|internal server error|too many requests)\b/,
  /oomkilled|oom-kill|backoff|errimage|outofmemory|错误|失败|异常|拒绝|无法|找不到|未找到|不存在|未定义|超时|崩溃|冲突|无效|致命|出错|溢出/,
]);
const ERRORS = new RegExp(ERROR_WORDS, "i");
/** `TypeError`, `connectionRefused` */
const HUMPS = /[a-z](?:Errors?|Exceptions?|Fail(?:ed|ure)|Refused|Denied|Timeout|Mismatch)(?![a-z])/;
const WARNINGS = /\bwarn(?:ings?|ed)?\b|deprecat|警告/i;
/** Answers of servers with a status of 5xx. */
const SERVER_ERROR = /\bHTTP\/[\d.]{1,3}" {1,4}5\d\d |\bstatus(?:_?code)?["']?\s?[:=]\s?["']?5\d\d\b/i;

/** Ways of single programs: Kotlin's and pytest's errors, JUnit's, Dart's. */
const OWN_WAYS = /^e: |^E {2,}\S|-- \S.{0,200} \[X\] |^\s*MethodSource \[/;
const isOwnWay = (text: string) => OWN_WAYS.test(text) || text.endsWith("[E]");

/** Classes of Java and Ruby and the like, at the beginning of a line, with what they have to say. */
const THROWN = /^(?:[a-z_]\w*\.)+[A-Z][\w$]*: |^\*\* \(|^(?:[A-Z]\w*::)+[A-Z]\w* \(/;

/** How much was done, and how it went. */
const SUMMARIES = any([
  /\b\d[\d,.]{0,14} (?:tests? |specs? )?(?:passed|passing|succeeded)\b|\bTests run: \d|\bOK \(\d+ test|^Ran \d+ test|^# (?:tests|pass) \d/,
  /\b\d+ (?:examples?|scenarios?|vulnerabilit(?:y|ies)|problems?|warnings?|Warning\(s\)|Error\(s\))(?=\W|$)|^(?:added|removed|changed|up to date,?) .*\bpackages?\b/,
  /^(?:Plan|Found|Tests?|Test Suites|Test Files|Total|TOTAL|All files|Summary)\b\D{0,40}\d/,
  /\bBUILD SUCCESS|^Build succeeded|\bcompiled (?:successfully|with)\b|\bbuilt in \d|^Successfully \w+/,
]);

/** Where: compilers' file:line. Few lines have what the hint asks for, and the hint is cheap. */
const PLACES = /(?:^|[\s("'[])[\w@./\\-]+\.[A-Za-z]\w{0,5}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))/;
const PLACE_HINT = /[a-z]\d?[:(]\d/i;
/** Stack tops, assertion diffs. */
const BELOW_ERRORS =
  /^\s+at\s\S|^\s*File ".*", line \d+|^\s*[-+]\s*(?:expected|actual|received)\b|^\s*(?:expected|received|actual|got|left|right)\b/i;

/** The line says itself that it is none of the worst. */
const MILD =
  /(?:^|[\s[(:|"'=])(?:(?:warn(?:ing)?|info(?:rmation)?|debug|trace|notice|信息|警告|情報)(?=[\s\]):|"',]|$)|(?:note|remark|hint):\s|[CIRW]\d{4}:\s)/i;
/** Where a line's level stands, if it has one. */
const LEVEL_REACH = 120;

/** `===== FAILURES =====`, `---- Captured log ----`: what follows says what it is about. */
const TITLE = /^\s*[=─━-]{3,300} [A-Za-z][A-Za-z ]{2,60} [=─━-]{3,300}\s*$/;

/** Letters or digits, and not only a counter amid a line or the legend of a diff. */
const SAYS =
  /^(?![^\p{L}\p{N}]{0,300}\d+\/\d+[^\p{L}\p{N}]{0,300}$)(?!(?:\s*[-+] (?:[Ee]xpected|[Rr]eceived|[Aa]ctual))+(?: *[-+] \d+)?\s*$).*[\p{L}\p{N}]/u;

const isTitle = (text: string): boolean => TITLE.test(text);

/** Of a drawing, a title, a legend. */
export const saysNothing = (text: string): boolean => isTitle(text) || !SAYS.test(text);

export const hasPassed = (text: string): boolean => PASSED.test(text);

/** undefined: not notable; 0 is the weightiest. */
export function lineRank(text: string): number | undefined {
  // Most lines match nothing: what they are excused by need not be looked for.
  const first = plainRank(text);
  if (first === undefined || hasPassed(text) || isTitle(text)) return undefined;
  const rest = text.replace(NOTHING_WRONG, "");
  const rank = rest === text ? first : plainRank(rest);
  // A log of requests has one level for all of them.
  return rank === ERROR && MILD.test(text.slice(0, LEVEL_REACH)) && !SERVER_ERROR.test(text) ? WARNING : rank;
}

function plainRank(text: string): number | undefined {
  if (VERDICTS.test(text)) return VERDICT;
  const isError = ERRORS.test(text) || HUMPS.test(text) || isOwnWay(text) || THROWN.test(text);
  if (isError || SERVER_ERROR.test(text)) return ERROR;
  if (SUMMARIES.test(text)) return SUMMARY;
  if (WARNINGS.test(text)) return WARNING;
  return (PLACE_HINT.test(text) && PLACES.test(text)) || BELOW_ERRORS.test(text) ? PLACE : undefined;
}
