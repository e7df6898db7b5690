/**
 * How much a line of a program's output tells, by its words alone (docs/tools.md, "Long output"). Words are listed by meaning,
 * in the languages that programs speak; of programs only what no word tells. No pattern here looks at a character more than
 * a few times, however long the line is.
 */
import { isServerError } from "./accessLog";
import { NOT_ASCII, WordFinder } from "./wordFinder";

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

const IS_ERROR = 1;
/** Only beside a number, or in some way of writing. */
const MAY_BE_VERDICT = 2;
const IS_WARNING = 4;
const MAY_BE_SUMMARY = 8;
const MAY_BE_ANSWER = 16;

/** All in small letters. Of languages with many endings the stems. */
const WORDS = new WordFinder([
  {
    mark: IS_ERROR,
    whole: [
      "error, errors, errored, err!, exception, exceptions, mismatch, mismatched, fail, failed, fails, failing, failure, failures",
      "fatal, panic, panicked, unhandled, uncaught, traceback, caused by, not ok, what went wrong",
      "denied, refused, rejected, forbidden, unauthorized, unauthorised, not permitted, not allowed",
      "killed, abort, aborted, aborting, crash, crashed, crashes, conflict, conflicts, rollback, evicted",
      "cannot, can't, can not, couldn't, could not, unable to, did not, didn't, not found, not defined, no such, missing",
      "is gone, was gone, does not exist, doesn't exist, has no attribute, has no member, has no method",
      "undefined name, undefined reference, undefined symbol, undefined variable, undefined method, undefined function",
      "undefined array key, undefined index, unknown option, unknown command, unknown flag, unknown argument, unknown host",
      "undefined:, declared and not used, imported and not used",
      "unknown type, unknown identifier, unknown property, unknown column, unresolved, unrecognized, unrecognised",
      "invalid, illegal, malformed, unexpected, incompatible, circular, timed out, timed-out, timeout, time-out",
      "unreachable, unavailable, expired, exceeded, exceeds, insufficient, violates, violated, violation, corrupt, corrupted",
      "no space left, already in use, deadlock, deadlocked, soft lockup, segfault, segmentation fault, core dumped",
      "unhealthy, notready, broken pipe, reset by peer, stack overflow, out of memory, too many requests",
      "bad gateway, internal server error",
      "enoent, eacces, eperm, eaddrinuse, econnrefused, econnreset, etimedout, epipe, enospc, emfile, eexist, enotfound",
      "sigkill, sigsegv, sigabrt, sigbus, sigill, must be replaced, forces replacement, will be destroyed",
      // German
      "kann nicht, konnte nicht, konnten nicht, nicht gefunden, nicht möglich, nicht vorhanden, nicht erreichbar",
      // French
      "n'a pas pu, n'ont pas pu, n'existe pas, impossible, refusé, refusée, refusés, délai dépassé",
      // Spanish, Portuguese, Italian
      "falló, fallo, no existe, erro, erros, falha, falhou, errore, errori, negato, negado, negada",
      // Dutch, Polish, Turkish
      "fout, fouten, nie można, hata, hatası",
    ].join(", "),
    part: [
      "oomkilled, oom-kill, backoff, errimage, outofmemory, asserterror",
      "fehler, fehlgeschlagen, verweigert, abgelehnt, abgebrochen, abgestürzt, ungültig, zeitüberschreitung, unerwartet",
      "erreur, échec, échoué, introuvable, interdit, inattendu",
      "fallid, denegad, rechazad, no se pud, no se pued, no encontrad, excepción, recusad, não foi possível, não encontrad",
      "exceção, fallit, rifiutat, impossibile, non trovat, eccezione",
      "mislukt, geweigerd, niet gevonden, błąd, błęd, nie powiod, nie znaleziono, odmow, başarısız, reddedildi, bulunamadı",
      "ошибк, сбой, не удал, не удаётся, не найден, отказан, отклонен, отклонён, невозможно, исключени, аварийн, превышен",
      "недопустим, недоступ, помилк, не вдалося, не знайдено, відмовлено",
      "错误, 失败, 异常, 拒绝, 无法, 找不到, 未找到, 不存在, 未定义, 超时, 崩溃, 中止, 冲突, 非法, 无效, 致命, 出错, 报错, 溢出",
      "权限不足, 空间不足, 内存不足, 被杀, 錯誤, 失敗, 異常, 拒絕, 無法, 未定義, 逾時, 當機, 衝突, 無效",
      "エラー, 例外, 拒否, できません, できなかった, 見つかりません, 存在しません, 不正, 強制終了, タイムアウト, 致命的",
      "오류, 실패, 거부, 예외, 없습니다, 시간 초과",
    ].join(", "),
  },
  // Of a server, to somebody: words of logs of requests.
  { mark: MAY_BE_ANSWER, whole: "http, status, completed, get , put , post, patch, delete, head, options" },
  { mark: MAY_BE_VERDICT, whole: "exit code, exit status, exited, exit:" },
  {
    mark: IS_WARNING,
    whole: "warn, warning, warnings, warned",
    part: "deprecat, warnung, avertissement, advertencia, предупрежден, 警告, 경고",
  },
  {
    mark: MAY_BE_SUMMARY,
    whole: [
      "passed, passing, succeeded, tests run, tests, test suites, test files, example, examples, scenario, scenarios",
      "vulnerability, vulnerabilities, problem, problems, warning, warnings, error, errors, package, packages, plan, found",
      "total, all files, summary, build success, build successful, build succeeded, compiled, built in, successfully",
    ].join(", "),
  },
]);

/** Signs that runners put before what failed. */
const SIGNS = /[×⨯✕●✗✖✘❌]/;

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
  return rank === ERROR && MILD.test(text.slice(0, LEVEL_REACH)) && !isServerError(text) ? WARNING : rank;
}

function plainRank(text: string): number | undefined {
  const marks = WORDS.find(text);
  const has = (mark: number) => (marks & mark) !== 0;
  const isError = has(IS_ERROR);
  if ((isError || has(MAY_BE_VERDICT) || (has(NOT_ASCII) && SIGNS.test(text)) || isOwnWay(text)) && VERDICTS.test(text))
    return VERDICT;
  if (isError || isOwnWay(text) || THROWN.test(text) || (has(MAY_BE_ANSWER) && isServerError(text))) return ERROR;
  if (has(MAY_BE_SUMMARY) && SUMMARIES.test(text)) return SUMMARY;
  if (has(IS_WARNING)) return WARNING;
  return (PLACE_HINT.test(text) && PLACES.test(text)) || BELOW_ERRORS.test(text) ? PLACE : undefined;
}
