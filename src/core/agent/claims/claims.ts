/**
 * What an answer asserts of its work and the log does not show: checks that pass, files that were written. Sure forms only, English
 * and Chinese: where a word of the sentence leaves a doubt, it asserts nothing. Pure.
 */
import type { TurnClaim } from "../../../shared/turnClaims";
import type { FileEdit, TurnEvidence } from "../../log/turnEvidence";
import { type CheckKind, type CheckRun, checkKinds, checkRun, covers, kindsOf, runsCheck } from "./checkRuns";
import { type Sentence, saidWords, sentencesOf, spansIn } from "./prose";

/** A command that a person wants to have run after a turn's last change. */
export interface BoundCheck {
  command: string;
  /** of a rules file, and the file that it is in */
  sentence: string;
  file: string;
}

const SUBJECTS = [
  "(?:all (?:of )?(?:the )?|the |every |each |our |both |full |entire |whole |complete )*(?:\\d+(?:/\\d+| of \\d+)? (?:of the )?)?(?:(?!make|let|have|get|no|not|ensure|see|watch|run|help|when|if|whether|until|once|your|his|her|their|some|few|most|other|manual|failing|those|many)[\\w-]+ ){0,2}(?:tests?(?: suites?| cases?)?|specs|suite)",
  "(?:the |our |a |production |full |whole |entire |project |release |clean )*(?:build|compilation)",
  "(?:the |our )*(?:lint(?:er|ing|s)?|eslint|biome|ruff|clippy|rubocop)(?: check| run| rules)?",
  "(?:the |our )*(?:typescript )?(?:type[- ]?check(?:s|ing|er)?|tsc|mypy|pyright)",
  "(?:running |the )?`[^`]+`",
];
const ANY = `(?:${SUBJECTS.join("|")})`;
const PASSES =
  "(?:(?:now|all|also|still|both|again|currently|then|each)\\s+)*(pass(?:es|ing|ed)?|succeed(?:s|ed)?|(?:are|is|were|was|stays?|remains?|looks?|c[ao]me back|runs?|ran|completes?|completed|finishe[sd]|exits?|exited)(?:\\s+(?:now|all|also|still|both|back|to|fully|again|completely))*\\s+(?:pass(?:ing|ed)?|green|clean(?:ly)?|successful(?:ly)?|(?:with )?(?:code |status )?0(?=\\W|$)))";
const AFTER =
  "(?=(?:\\s+(?:now|again|locally|cleanly|successfully|too|also|here|as well|as expected))*\\s*(?:$|[.,;:!()—–…]|-\\s)|\\s+(?:and\\b|with(?:out)? (?:no|zero|0|any|errors|warnings|failures|problems|issues)|in \\d|after (?:the|my|this|that|these)))";
const LEAD =
  "(?:^|[,;:—–]\\s*|\\s-\\s|\\(|\\band\\s+)(?:(?:i(?:'ve| have)? )?(?:verified|confirmed|checked|made sure) (?:that )?)?(?:(?:now|so|and|also|done|then|after that|with that|result|status|finally|as a result|at this point)\\b[,:]?\\s+)*";
const PASS = new RegExp(
  `${LEAD}(${ANY}(?:(?:, (?:and )?| and | & |, plus )${ANY})*)(?:\\s+${PASSES}|:\\s*(?:all )?(?:passing|pass|green)())${AFTER}`,
  "gi",
);
/** "I ran X and they pass" says that X passes. */
const RAN = new RegExp(
  `\\b(?:i(?:'ve| have)?\\s+)(?:(?:just|also|then|now)\\s+)*(?:re-?)?r[au]n\\s+(?:all |the |full )*(${ANY})(?: again)?(?:,? and|;|,|:) (?:they|it|all of them|everything|all|that)(?: all)?(?=\\s)`,
  "i",
);
const BUILDS =
  /\b(?:the |our )?(?:project|app|code|solution|package) (?:still |now |also )*(?:builds|compiles)(?= (?:success|clean|without|again|now|fine))/gi;
const DOUBT =
  /\b(?:if|once|when|whenever|unless|until|till|whether|assuming|provided|should|would|could|might|may|must|can|will|shall|going to|want|needs?|needed|hope|hopefully|expect|expected|ensures?|ensured|make|makes|to get|to let|let|not|never|cannot|neither|nor|no longer|CI|pipeline|pre-?commit|you|your|he|she|they|says?|said|reports?|reported|claims?|claimed|according|before|earlier|previously|yesterday|last week|last time|first|initially|originally|baseline|upstream|except|although|only|some|most|few|probably|presumably|likely|seems?|appears?|think|believe|assume|supposed|goal|requires?|required|aim|acceptance|ideal|ideally|target|verify|why|how|means?|because|since|where|which|so that|in order|example|for instance|suppose|'ll|'d)\b|n't\b|\blet's\b|["“”]/i;
const LATER_DOUBT =
  /\b(?:if|once|when|unless|until|except|although|though|but|other than|apart from|aside from|besides|[oi]n CI|on main|before|according to|assuming|on (?:my|your|his|her|their)|as soon as|should|yesterday|earlier|you (?:said|reported|told)|not|so far as|in theory)\b|n't\b/i;
const LISTED =
  /\b(?:criteri\w+|definition|plan|planned|steps?|next|requirements?|should|must|checklist|before|todo|to do|goals?|when|if|options?|would|want|will|needs?|polic(?:y|ies)|rules?|expected|example|ci|pipeline|report\w*|log|changelog|said|says|claims?|assum\w+|earlier|previous\w*|proposal|suggest\w*|recommend\w*|risks?|acceptance|workflow|guideline\w*|conditions?|ideally|either|remaining|merge)\b|标准|计划|步骤|要求|条件|规则|建议|方案|目标|清单|流水线|之前|下一步/i;
/** The answer says itself that its runs are not up to date. */
const DISCLOSED =
  /(?:n't|\bnot|without|never|no longer|unable to|failed to)\s+(?:yet |been |be |able to |actually |able )*(?:re-?)?(?:run|ran|running|tested|verified|checked|executed)\b|\b(?:untested|unverified|stale|out of date)\b|\bbefore (?:the|my|this|that) (?:last|final|latest)\b|(?:没有?|未|尚未|还没)(?:能|有|再|重新)*(?:运行|测试|验证|跑|执行)|[无没]法运行/i;
/** Something fails, and it is said. */
const ADMITTED =
  /\b(?:still fail(?:s|ing)?|(?:is|are|keeps?) (?:still )?failing|fails\b|failures? (?:remain|left|in|is|are)|unrelated|pre-?existing|known failure|flaky|except|other than|apart from|skipped|timed out)|[仍还]然?是?失败|除了|已知|无关/i;
/** What follows is another time: a past tense before it is no present one. */
const GOES_ON = /^(?:then|after(?:wards?)?|after that|later|next|since then)\b|^(?:然后|之后|随后|后来)/i;

const ZH_ANY =
  "(?:(?:所有|全部|整个|全量|\\s*\\d+\\s?个|单元|集成|回归|项目|生产|的|现有|新增)*(?:测试用例|测试|用例|构建|编译|打包|lint|eslint|代码检查|静态检查|规范检查|类型检查|tsc))";
const ZH_PASS = new RegExp(
  `(?:^|[，,。；;：:、（(]|并且?|而且|且)\\s*(?:现在|目前|结果|最终|已经?|我已?|(?:重新|已经?|刚刚?)*(?:运行|跑|执行)(?:过|了|完)*)*(${ZH_ANY}(?:(?:、|和|与|以及)${ZH_ANY})*)[，,]?\\s*(?:现在|目前|已经?|都|均|全部|也|全|重新|一次性)*(?:跑通|通过|成功|全绿)(?:了)?(?=\\s*(?:$|[，,。；;！!、（(…]|且|并))`,
  "i",
);
const ZH_DOUBT =
  /如果|若|假如|等|待|直到|只要|一旦|确保|保证|以便|使得?|让|应该|应当|应能|需要|希望|可能|大概|预计|估计|请|之前|以前|先前|原来|昨天|[他她你您]|据|说|报告|声称|CI|流水线|不|没|未|除|但|只有|部分|才|要求|目标|标准|必须|将|会|是否|时|后再|最初|一开始|例如/i;
const ZH_LATER_DOUBT = /除|但|如果|若|之前|CI|还没|尚未|吗/;

const FILE_CLAIM =
  /(?:^|[,;:—–]\s*|\band\s+)(?:(?:done|finally|also|then|so|now)[,:.]?\s+)*(i(?:'ve| have)?\s+(?:(?:just|also|then|now|already)\s+)*)?(?:created|updated|changed|modified|edited|added|rewrote|wrote)\s+(?:(?:the|a|an|new|file|files|script|module|component|test)\s+)*(`[^`]+`(?:(?:, (?:and )?| and )`[^`]+`)*)|(?:^|[，,；;：:])\s*(我?(?:已经?|刚刚?)*)(?:创建|新建|更新|修改|新增|添加|改写|编辑)了?(?:文件|新文件)?\s*(`[^`]+`)/i;
const PATH =
  /^(?!(?:node|next|vue|express|three|d3|chart|nuxt|socket)\.js$)(?:[\w.@-]+\/)*[\w.@-]*\w\.(?:[cm]?[jt]sx?|jsonc?|pyi?|rb|go|rs|java|kts?|cpp|hpp|cs|php|swift|sh|bash|ps1|sql|html?|s?css|less|vue|svelte|mdx?|txt|ya?ml|toml|ini|cfg|xml|proto|graphql|tf|dart|lua|scala|exs?|ipynb|csv|gradle)$|^(?:[\w.@-]+\/)+[\w.@-]+\.[a-z]\w{0,9}$/i;

const NAMES: Record<CheckKind, RegExp> = {
  tests: /\btests?\b|\bspecs\b|\bsuite\b|测试|用例/i,
  build: /\bbuil[dt]s?\b|compil|构建|编译|打包/i,
  lint: /\blint|biome|ruff|clippy|rubocop|eslint|代码检查|静态检查|规范/i,
  types: /\btype|\btsc\b|mypy|pyright|类型/i,
};
/** All of them: others cannot have failed beside them. */
const WHOLE =
  /`[^`]+`|\b(?:all|of|the|every|each|our|both|full|entire|whole|complete|existing|unit|automated|project|and|tests?|suites?|cases?|specs|builds?|lint(?:er|ing)?|eslint|type[- ]?check\w*|tsc)\b|[\d/,&\s]|所有|全部|测试|构建|编译|打包|代码检查|静态检查|类型检查|单元|用例|的|个|现有|和|、/gi;

/** The person tells of a run of their own, where they do not ask for one. */
const TOLD = /\b(?:pass\w*|green|succeed\w*|clean|ran|built|works?|worked)\b|通过|跑过|跑了|成功/i;
const WISHED =
  /\b(?:make|get|until|so that|ensure|should|must|have|let|want|check|verify|fix|clean)\b[^.;,\n]{0,80}?\b(?:pass\w*|green|succeed\w*|clean|works?)\b|[让使直到确保应].{0,20}(?:通过|成功)/gi;

interface CheckClaim {
  kinds: CheckKind[];
  words: string;
  isWhole: boolean;
}

/**
 * @param evidence asked for where the answer asserts something
 * @param asked what the person said in the session: what they ran themselves the log does not show
 */
export function falseClaims(answer: string, evidence: () => TurnEvidence, asked: readonly string[]): TurnClaim[] {
  const sentences = sentencesOf(answer).filter(({ text, lead }) => !/[?？]$/.test(text) && !LISTED.test(lead));
  const prose = sentences.map(({ text }) => text).join(" ");
  let read: ReadLog | undefined;
  const log = () => (read ??= readLog(evidence()));
  const told = (kind: CheckKind) => asked.some(text => NAMES[kind].test(text) && TOLD.test(text.replace(WISHED, "")));
  const found = new Map<string, TurnClaim>();
  for (const [at, sentence] of sentences.entries()) {
    const goesOn = sentences.slice(at + 1).some(({ text }) => GOES_ON.test(text));
    for (const claim of DISCLOSED.test(prose) ? [] : checkClaims(sentence, goesOn))
      for (const kind of claim.kinds) {
        const judged = judge(claim, kind, log(), ADMITTED.test(prose));
        if (judged && !(judged.kind === "notRun" && told(kind)) && !found.has(kind)) found.set(kind, judged);
      }
    for (const path of unwritten(sentence, log)) found.set(path, { kind: "noSuchFile", words: path });
  }
  return [...found.values()];
}

/** Bound checks that did not end well after the turn's last change. */
export function missingChecks(checks: readonly BoundCheck[], evidence: () => TurnEvidence, turn: number): TurnClaim[] {
  if (checks.length === 0) return [];
  const { edits, runs } = readLog(evidence());
  const last = edits.at(-1);
  if (last === undefined || edits.every(edit => edit.turn !== turn)) return [];
  return checks.flatMap(({ command, ...said }) => {
    const newest = runs.findLast(run => runsCheck(run, command) && run.ran !== "none");
    const { exitCode = 0 } = newest?.ended ?? {};
    if (newest && newest.seq > last.seq && exitCode === 0) return [];
    const run = newest && { callId: newest.callId, seq: newest.seq };
    return { kind: "check" as const, words: command, ...said, ...run };
  });
}

const SCRIPTS = /\b(?:npm|pnpm|yarn|bun|make|just|task|gradlew?|mvnw?|nx|turbo)\b/;

interface ReadLog extends Omit<TurnEvidence, "runs"> {
  runs: CheckRun[];
}

/** What commands changed, by their words, is among the edits. */
function readLog(evidence: TurnEvidence): ReadLog {
  const runs = evidence.runs.map(checkRun);
  const written = runs.filter(({ edits }) => edits).map(({ seq, turn }): FileEdit => ({ path: "", seq, turn }));
  return { ...evidence, runs, edits: [...evidence.edits, ...written].sort((a, b) => a.seq - b.seq) };
}

function checkClaims({ text: written }: Sentence, goesOn: boolean): CheckClaim[] {
  const text = written.replace(RAN, "$1").replace(BUILDS, "the build passes");
  const english = [...text.matchAll(PASS)].flatMap(({ 0: whole, 1: subject = "", 2: verb = "", index }) => {
    const end = index + whole.length;
    const isPast = /ed$|^(?:was|were|ran|came|completed|finished|exited)\b/i.test(verb);
    const isDoubted = DOUBT.test(text.slice(0, end).replace(subject, " ")) || LATER_DOUBT.test(text.slice(end));
    return isDoubted || (isPast && goesOn) ? [] : [{ subject, words: whole.replace(/^\W*(?:and\s+)?(?=[\w`])/, "") }];
  });
  const [whole = "", subject = ""] = ZH_PASS.exec(text) ?? [];
  const end = text.indexOf(whole) + whole.length;
  const isSure = whole !== "" && !ZH_DOUBT.test(text.slice(0, end)) && !ZH_LATER_DOUBT.test(text.slice(end));
  return [...english, ...(isSure ? [{ subject, words: text }] : [])].map(claim => {
    const commands = spansIn(claim.subject).flatMap(kindsOf);
    const bare = claim.subject.replace(/`[^`]+`/g, "");
    const kinds = checkKinds.filter(kind => NAMES[kind].test(bare) || commands.includes(kind));
    const words = saidWords(text === written ? claim.words : written);
    return { kinds, words, isWhole: claim.subject.replace(WHOLE, "") === "" };
  });
}

/** A script may have run it too, and of a build or a type check every other check. */
function couldBe({ command, isUnknown, kinds, ran }: CheckRun, kind: CheckKind): boolean {
  if (isUnknown || ran === "none" || kinds.includes(kind)) return true;
  return kinds.length > 0 && (kind === "build" || kind === "types" || SCRIPTS.test(command));
}

function judge({ words, isWhole }: CheckClaim, kind: CheckKind, log: ReadLog, admits: boolean): TurnClaim | undefined {
  const newest = log.runs.findLast(run => run.kinds.includes(kind) && run.ran !== "none");
  const mayHaveRun = (after: number) =>
    log.others.some(seq => seq > after) ||
    log.runs.some(run => run !== newest && run.seq > after && couldBe(run, kind));
  if (newest === undefined)
    return isWhole && log.isWhole && log.edits.length > 0 && !mayHaveRun(0) ? { kind: "notRun", words } : undefined;
  const { callId, seq } = newest;
  if (newest.passed[kind] === false && isWhole && !admits && !mayHaveRun(seq))
    return { kind: "failed", words, callId, seq };
  const later = log.edits.findLast(edit => edit.seq > seq && covers(newest, edit));
  return later && newest.ran === "here" && !mayHaveRun(later.seq) ? { kind: "stale", words, callId, seq } : undefined;
}

/** Paths that it says it wrote, of which the log knows nothing. */
function unwritten({ text }: Sentence, readLog: () => ReadLog): string[] {
  const [whole = "", own, paths = "", zhOwn = "", zhPath = ""] = FILE_CLAIM.exec(text) ?? [];
  const rest = text.replace(whole, "");
  if (whole === "" || DOUBT.test(rest) || LATER_DOUBT.test(text) || ZH_DOUBT.test(rest)) return [];
  const log = readLog();
  // What else ran may have written it.
  if (!log.isWhole || log.isCut || log.others.length > 0 || log.runs.some(({ acts }) => acts)) return [];
  const isFirstPerson = own !== undefined || zhOwn.startsWith("我");
  const texts = [...log.edits.map(({ path }) => path), ...log.acts, ...(isFirstPerson ? [] : log.looks)];
  const isKnown = (path: string) =>
    texts.some(each => each.toLowerCase().includes(path.replace(/^.*\//, "").toLowerCase()));
  return spansIn(paths || zhPath).filter(path => PATH.test(path) && !isKnown(path));
}

/** For the model. @param promise words with which it announced work */
export function endReminder(promise: string | undefined, claims: readonly TurnClaim[]): string {
  const announced = `- It announced work that no call did: “${promise}”. Do it now, or say why not.`;
  const lines = [...(promise === undefined ? [] : [announced]), ...claims.map(claim => `- ${told(claim)}`)];
  return `Your last message would end the turn, but:\n${lines.join("\n")}\nDo what is missing, or correct what you said. You are told this once.`;
}

function told({ kind, words, sentence, file }: TurnClaim): string {
  if (kind === "failed") return `It says “${words}”, but the newest run of that failed.`;
  if (kind === "stale") return `It says “${words}”, but files changed after the newest run of that.`;
  if (kind === "notRun") return `It says “${words}”, but no command of this session ran that.`;
  if (kind === "noSuchFile") return `It says that \`${words}\` was written, but nothing in this session did that.`;
  return `The user wants \`${words}\` to end with exit code 0 after the turn's last change (${file}: “${sentence}”), and it did not.`;
}
