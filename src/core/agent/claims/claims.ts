/**
 * What an answer asserts of its work and the log does not show: checks that pass, files that were written. Sure forms only, English
 * and Chinese: where one of a sentence's words leaves a doubt, it asserts nothing. Pure.
 */
import type { TurnClaim } from "../../../shared/turnClaims";
import type { FileEdit, TurnEvidence } from "../../log/turnEvidence";
import { type CheckKind, type CheckRun, checkRun, covers, plainCommand, writesSource } from "./checkKinds";
import { type Sentence, saidWords, sentencesOf, spansIn } from "./prose";

/** A command that a person wants to have run after a turn's last change. */
export interface BoundCheck {
  command: string;
  /** of a rules file, and the file that it is in */
  sentence: string;
  file: string;
}

interface CheckClaim {
  kinds: CheckKind[];
  words: string;
  /** of some of the tests: others may fail */
  isPart: boolean;
  /** it says that the agent ran them */
  isOwn: boolean;
}

const QUALIFIER =
  "(?:(?!make|let|have|get|no|not|ensure|see|watch|run|help|when|if|whether|until|once|your|his|her|their|some|few|most|other|manual|failing|those|many)[\\w-]+ )?";
const SUBJECTS: Record<CheckKind, string> = {
  tests: `(?:all (?:of )?(?:the )?|the |every |each |our |both |full |entire |whole |complete )*(?:\\d+(?:/\\d+| of \\d+)? (?:of the )?)?(?:(?:existing|unit|automated|project|repo(?:sitory)?) )?${QUALIFIER}(?:tests?(?: suites?| cases?)?|specs|suite)`,
  build: "(?:the |our |a |production |full |whole |entire |project |release |clean )*(?:build|compilation)",
  lint: "(?:the |our )*(?:lint(?:er|ing|s)?|eslint|biome|ruff|clippy|rubocop)(?: check| run| rules)?",
  types: "(?:the |our )*(?:typescript )?(?:type[- ]?check(?:s|ing|er)?|typecheck|tsc|mypy|pyright)",
};
const COMMAND = "(?:running |the )?`[^`]+`";
const ANY = `(?:${Object.values(SUBJECTS).join("|")}|${COMMAND})`;
const PASSES =
  "(?:(?:now|all|also|still|both|again|currently|then|again|each)\\s+)*(pass(?:es|ing|ed)?|succeed(?:s|ed)?|(?:are|is|were|was|stays?|remains?|looks?|came back|come back|runs?|ran|completes?|completed|finishe[sd]|exits?|exited)(?:\\s+(?:now|all|also|still|both|back|to|fully|again|completely))*\\s+(?:pass(?:ing|ed)?|green|clean(?:ly)?|successful(?:ly)?|(?:with )?(?:code |status )?0(?=\\W|$)))";
const AFTER =
  "(?=(?:\\s+(?:now|again|locally|cleanly|successfully|too|also|here|as well|as expected))*\\s*(?:$|[.,;:!()—–…]|-\\s)|\\s+(?:and\\b|with(?:out)? (?:no|zero|0|any|errors|warnings|failures|problems|issues)|in \\d|after (?:the|my|this|that|these)|(?:on|under|for) (?:node|python|all)))";
const LEAD =
  "(?:^|[,;:—–]\\s*|\\s-\\s|\\(|\\band\\s+)(?:(?:i(?:'ve| have)? )?(?:verified|confirmed|checked|made sure) (?:that )?)?(?:(?:now|so|and|also|done|then|after that|with that|result|status|finally|as a result|at this point)\\b[,:]?\\s+)*";
const PASS = new RegExp(
  `${LEAD}(${ANY}(?:(?:, (?:and )?| and | & |, plus | plus )${ANY})*)(?:\\s+${PASSES}|:\\s*(?:all )?(?:passing|pass|green)())${AFTER}`,
  "gi",
);
const RAN = new RegExp(
  `(?:^|[,;:—–]\\s*|\\band\\s+)(?:then |also )?i(?:'ve| have)?\\s+(?:(?:just|also|then|now|since|successfully)\\s+)*(?:(ran|re-ran|reran)|run|rerun|re-run|executed)\\s+(?:all |the |full |whole |entire |complete |again )*(${ANY})(.*)$`,
  "i",
);
const ALL_PASS = new RegExp(
  `^(?:\\s+again)?,?\\s+(?:and|with)\\s+(?:they|it|all of them|everything|all \\d*|that|all)\\s*(?:all )?${PASSES}${AFTER}`,
  "i",
);

const DOUBT =
  /\b(?:if|once|when|whenever|unless|until|till|whether|assuming|provided|should|would|could|might|may|must|can|will|shall|going to|want|needs?|needed|hope|hopefully|expect|expected|ensures?|ensured|make|makes|to get|to let|let|not|never|cannot|neither|nor|no longer|CI|pipeline|pre-?commit|you|your|he|she|they|says?|said|reports?|reported|claims?|claimed|according|before|earlier|previously|yesterday|last week|last time|first|initially|originally|baseline|upstream|except|although|only|some|most|few|probably|presumably|likely|seems?|appears?|think|believe|assume|supposed|goal|requires?|required|aim|acceptance|ideal|ideally|target|verify|why|how|means?|because|since|where|which|so that|in order|example|for instance|suppose|'ll|'d)\b|n't\b|\blet's\b|["“”]/i;
const LATER_DOUBT =
  /\b(?:if|once|when|unless|until|except|although|though|but|other than|apart from|aside from|besides|on CI|in CI|on main|before|according to|assuming|on (?:my|your|his|her|their)|as soon as|should|yesterday|earlier|you (?:said|reported|told)|not|so far as|in theory)\b|n't\b/i;
const LISTED =
  /\b(?:criteri\w+|definition|plan|planned|steps?|next|requirements?|should|must|checklist|before|todo|to do|goals?|when|if|options?|would|want|will|needs?|polic(?:y|ies)|rules?|expected|example|ci|pipeline|report\w*|log|changelog|said|says|claims?|assum\w+|earlier|previous\w*|proposal|suggest\w*|recommend\w*|risks?|acceptance|workflow|guideline\w*|conditions?|ideally|either|remaining|merge)\b|标准|计划|步骤|要求|条件|规则|建议|方案|目标|清单|流水线|之前|下一步/i;
/** The answer says itself that its runs are not up to date, or that something fails. */
const DISCLOSED =
  /(?:n't|\bnot|without|never|no longer|unable to|failed to)\s+(?:yet |been |be |able to |actually |able )*(?:re-?)?(?:run|ran|running|tested|verified|checked|re-?checked|executed)\b|\b(?:untested|unverified|stale|out of date)\b|\bbefore (?:the|my|this|that) (?:last|final|latest)\b|(?:没有?|未|尚未|还没)(?:能|有|再|重新)*(?:运行|测试|验证|跑|执行)|无法运行|没法运行/i;
const ADMITTED =
  /\b(?:still fail(?:s|ing)?|(?:is|are|keeps?) (?:still )?failing|fails\b|failures? (?:remain|left|in|is|are)|unrelated|pre-existing|preexisting|known failure|flaky|except|other than|apart from|skipped|timed out)|仍然?失败|还是失败|除了|已知|无关/i;

const ZH_WORDS: Record<CheckKind, string> = {
  tests: "(?:所有|全部|整个|全量|\\s*\\d+\\s?个|单元|集成|回归|的|现有)*(?:测试用例|测试|用例)(?:套件)?",
  build: "(?:项目|生产|整个|全量)*(?:构建|编译|打包)",
  lint: "(?:lint|eslint|代码检查|静态检查|代码规范检查|规范检查)(?:检查)?",
  types: "(?:类型检查|tsc)",
};
const ZH_PASS = new RegExp(
  `(?:^|[，,。；;：:、（(]|并且?|而且|且)\\s*(?:现在|目前|结果|最终|已经?|我已?)*((?:${Object.values(ZH_WORDS).join("|")})(?:(?:、|和|与|以及)(?:${Object.values(ZH_WORDS).join("|")}))*)\\s*(?:现在|目前|已经?|都|均|全部|也|全|重新|一次性|成功)*(?:跑通|通过|成功|全绿|是绿的)(?:了)?(?=\\s*(?:$|[，,。；;！!、（(…]|且|并))`,
  "i",
);
const ZH_RAN = new RegExp(
  `(?:(?:我|我们)?已经?(?:也|又|重新|再次)*(?:运行|跑|执行)(?:过|了|完)*|我们?(?:也|又|刚才?|刚刚|重新|再次)*(?:运行|跑|执行)(?:过|了|完)+)(?:一遍|一次)?(${Object.values(ZH_WORDS).join("|")})`,
  "i",
);
const ZH_LATER_DOUBT = /除|但|如果|若|之前|CI|还没|尚未|吗/;
const ZH_DOUBT =
  /如果|若|假如|等|待|直到|只要|一旦|确保|保证|以便|使得?|让|应该|应当|应能|需要|希望|可能|大概|预计|估计|请|之前|以前|先前|原来|昨天|[他她你您]|据|说|报告|声称|CI|流水线|不|没|未|除|但|只有|部分|才|要求|目标|标准|必须|将|会|能够?|验证是否|是否|时|后再|最初|一开始|例如/i;

const FILE_CLAIM =
  /(?:^|[,;:—–]\s*|\band\s+)(?:(?:done|finally|also|then|so|now)[,:.]?\s+)*(i(?:'ve| have)?\s+(?:(?:just|also|then|now|already)\s+)*)?(?:created|updated|changed|modified|edited|added|rewrote|wrote)\s+(?:(?:the|a|an|new|file|files|script|module|component|test)\s+)*(`[^`]+`(?:(?:, (?:and )?| and )`[^`]+`)*)|(?:^|[，,；;：:])\s*(我?(?:已经?|刚刚?)*)(?:创建|新建|更新|修改|新增|添加|改写|编辑)了?(?:文件|新文件)?\s*(`[^`]+`)/i;
const PATH =
  /^(?!(?:node|next|vue|express|three|d3|chart|nuxt|socket)\.js$)(?:[\w.@-]+\/)*[\w.@-]*\w\.(?:[cm]?[jt]sx?|jsonc?|pyi?|rb|go|rs|java|kts?|cpp|hpp|cs|php|swift|sh|bash|ps1|sql|html?|s?css|less|vue|svelte|mdx?|txt|ya?ml|toml|ini|cfg|xml|proto|graphql|tf|dart|lua|scala|exs?|ipynb|csv|gradle)$|^(?:[\w.@-]+\/)+[\w.@-]+\.[a-z]\w{0,9}$/i;

/** @param asked what the person said in the session: what they ran themselves the log does not show */
export function falseClaims(answer: string, evidence: TurnEvidence, asked: readonly string[]): TurnClaim[] {
  const sentences = sentencesOf(answer).filter(({ text, lead }) => !/[?？]$/.test(text) && !LISTED.test(lead));
  const prose = sentences.map(({ text }) => text).join(" ");
  const log = readLog(evidence, asked);
  const found: TurnClaim[] = [];
  const seen = new Set<string>();
  const take = (claim: TurnClaim | undefined, key: string) => {
    if (claim === undefined || seen.has(key)) return;
    seen.add(key);
    found.push(claim);
  };
  for (const [at, sentence] of sentences.entries()) {
    const goesOn = sentences
      .slice(at + 1)
      .some(({ text }) =>
        /^(?:then|after(?:wards?)?|after that|later|next|since then)\b|^(?:然后|之后|随后|后来)/i.test(text),
      );
    for (const claim of DISCLOSED.test(prose) ? [] : checkClaims(sentence, goesOn))
      for (const kind of claim.kinds) take(judge(claim, kind, log, ADMITTED.test(prose)), kind);
    for (const path of fileClaims(sentence, log)) take({ kind: "noSuchFile", words: path }, path);
  }
  return found;
}

/** Of the turn: bound checks that did not end well after its last change. */
export function missingChecks(checks: readonly BoundCheck[], evidence: TurnEvidence, turn: number): TurnClaim[] {
  const { edits, runs } = readLog(evidence, []);
  const last = edits.findLast(edit => edit.turn === turn);
  if (last === undefined) return [];
  return checks.flatMap(({ command, sentence, file }) => {
    const own = runs.filter(run => runsCheck(run.command, command));
    const newest = own.at(-1);
    const isUnknown = newest !== undefined && newest.exit === undefined && newest.seq > last.seq;
    if (isUnknown || own.some(({ seq, exit }) => seq > last.seq && exit === 0)) return [];
    const run = newest && { callId: newest.callId, seq: newest.seq };
    return [{ kind: "check" as const, words: command, sentence, file, ...run }];
  });
}

const runsCheck = (command: string, check: string): boolean =>
  command.split(/&&|;|\n/).some(part => plainCommand(part) === plainCommand(check));

interface ReadLog extends Omit<TurnEvidence, "runs" | "edits"> {
  runs: CheckRun[];
  edits: FileEdit[];
  /** the person spoke of a run */
  toldOf: (kind: CheckKind) => boolean;
}

function readLog(evidence: TurnEvidence, asked: readonly string[]): ReadLog {
  const runs = evidence.runs.map(checkRun);
  const written = evidence.runs.filter(writesSource).map(({ seq, command }) => ({ seq, command }));
  const turnAt = (seq: number) => evidence.edits.findLast(edit => edit.seq <= seq)?.turn ?? 0;
  const byCommands = written.map(({ seq }) => ({ path: "", seq, turn: turnAt(seq) }));
  const edits = [...evidence.edits, ...byCommands].sort((a, b) => a.seq - b.seq);
  const told = /\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean|ran|built)\b|通过|跑过|跑了|成功/i;
  const names: Record<CheckKind, RegExp> = {
    tests: /\btests?\b|\bspecs?\b|测试|用例/i,
    build: /\bbuil[dt]s?\b|compil|构建|编译/i,
    lint: /\blint/i,
    types: /type/i,
  };
  return { ...evidence, runs, edits, toldOf: kind => asked.some(text => told.test(text) && names[kind].test(text)) };
}

const kindsIn = (subject: string): CheckKind[] => {
  const words = subject.replace(/`[^`]+`/g, "");
  const named = (Object.keys(SUBJECTS) as CheckKind[]).filter(kind =>
    new RegExp(`\\b${SUBJECTS[kind]}\\b`, "i").test(words),
  );
  const commands = spansIn(subject).flatMap(command => checkRun({ command, seq: 0, callId: "" }).kinds);
  return [...new Set([...named, ...commands])];
};

/** Nothing but "all", "the", a number or "unit": they are all of them. */
const isWhole = (subject: string): boolean =>
  /^(?:(?:all|of|the|every|each|our|both|full|entire|whole|complete|\d+|\d+\/\d+|existing|unit|automated|project|repo|repository|tests?|suites?|cases?|specs)\b[\s,&]*|and\s+|`[^`]+`[\s,]*|builds?\b[\s,]*|lint(?:er|ing)?\b[\s,]*|type[- ]?check\w*[\s,]*)+$/i.test(
    subject,
  );

function checkClaims({ text }: Sentence, goesOn: boolean): CheckClaim[] {
  const found: CheckClaim[] = [];
  for (const match of text.matchAll(PASS)) {
    const [whole, subject = "", verb = ""] = match;
    const past = /ed$|^(?:was|were|ran|came|completed|finished|exited)\b/i.test(verb);
    const end = match.index + whole.length;
    const before = text.slice(0, end).replace(subject, " ");
    if (DOUBT.test(before) || LATER_DOUBT.test(text.slice(end)) || (past && goesOn)) continue;
    found.push({
      kinds: kindsIn(subject),
      words: saidWords(text.slice(match.index, end).replace(/^\W+/, "").trim()),
      isPart: !isWhole(subject),
      isOwn: isWhole(subject),
    });
  }
  const ran = RAN.exec(text);
  if (ran) {
    const [, past, subject = "", rest = ""] = ran;
    const isDone = past !== undefined || /\bi(?:'ve| have)\b/i.test(text);
    const passes = ALL_PASS.test(rest);
    const doubt = DOUBT.test(text.slice(0, ran.index)) || LATER_DOUBT.test(rest);
    if (isDone && !doubt && !(goesOn && !passes))
      found.push({ kinds: kindsIn(subject), words: saidWords(text), isPart: !passes, isOwn: true });
  }
  const zh = ZH_PASS.exec(text);
  const zhRan = ZH_RAN.exec(text);
  const zhKinds = (words: string) =>
    (Object.keys(ZH_WORDS) as CheckKind[]).filter(kind => new RegExp(ZH_WORDS[kind], "i").test(words));
  const zhDoubt = (end: number) => ZH_DOUBT.test(text.slice(0, end)) || ZH_LATER_DOUBT.test(text.slice(end));
  if (zh && !zhDoubt(zh.index + zh[0].length))
    found.push({
      kinds: zhKinds(zh[1] ?? ""),
      words: saidWords(text),
      isPart: /新增?的?测试|相关|部分/.test(text),
      isOwn: true,
    });
  else if (zhRan && !zhDoubt(zhRan.index + zhRan[0].length))
    found.push({ kinds: zhKinds(zhRan[1] ?? ""), words: saidWords(text), isPart: true, isOwn: true });
  return found;
}

/** A script, and for a build every other check, may have been a run of it too. */
function couldBe(run: CheckRun, kind: CheckKind): boolean {
  if (run.isUnknown || run.isRefused || run.kinds.includes(kind)) return true;
  if (run.kinds.length === 0) return false;
  return (
    kind === "build" ||
    kind === "types" ||
    /\b(?:npm|pnpm|yarn|bun|make|just|task|gradlew?|mvnw?|nx|turbo)\b/.test(run.command)
  );
}

function judge(claim: CheckClaim, kind: CheckKind, log: ReadLog, admits: boolean): TurnClaim | undefined {
  const { words } = claim;
  const newest = log.runs.findLast(run => run.kinds.includes(kind) && run.isRefused === undefined);
  const mayHaveRun = (after: number) =>
    log.others.some(({ seq }) => seq > after) ||
    log.runs.some(run => run !== newest && run.seq > after && couldBe(run, kind));
  if (newest === undefined) {
    const isSure = claim.isOwn && log.isWhole && log.edits.length > 0 && !log.toldOf(kind) && !mayHaveRun(0);
    return isSure ? { kind: "notRun", words } : undefined;
  }
  const run = { callId: newest.callId, seq: newest.seq };
  if (newest.passed[kind] === false && !claim.isPart && !admits && !mayHaveRun(newest.seq))
    return { kind: "failed", words, ...run };
  const later = log.edits.findLast(edit => edit.seq > newest.seq && covers(newest, edit));
  return later && !newest.isBackground && !mayHaveRun(later.seq) ? { kind: "stale", words, ...run } : undefined;
}

/** Paths that it says it wrote, of which the log knows nothing. */
function fileClaims({ text }: Sentence, log: ReadLog): string[] {
  const [whole = "", own, paths = "", zhOwn, zhPath = ""] = FILE_CLAIM.exec(text) ?? [];
  if (whole === "" || !log.isWhole || log.isCut || DOUBT.test(text.replace(whole, "")) || LATER_DOUBT.test(text))
    return [];
  if (zhPath !== "" && ZH_DOUBT.test(text.replace(zhPath, ""))) return [];
  const isFirstPerson = own !== undefined || zhOwn?.startsWith("我") === true;
  // Whatever else ran may have written it.
  if (log.others.length > 0 || log.runs.some(({ acts }) => acts)) return [];
  const isKnown = (path: string) => {
    const name = (path.split("/").at(-1) ?? path).toLowerCase();
    const texts = [...log.edits.map(edit => edit.path), ...log.acts, ...(isFirstPerson ? [] : log.looks)];
    return texts.some(each => each.toLowerCase().includes(name));
  };
  return spansIn(paths || zhPath).filter(path => PATH.test(path) && !isKnown(path));
}
