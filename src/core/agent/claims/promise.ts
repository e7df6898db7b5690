/**
 * A promise: an answer that ends with the announcement of an act of its own, English or Chinese. Sure forms only: whoever waits,
 * offers, asks, sets a condition or speaks of another time promises nothing. Pure.
 */
import { type Sentence, saidWords, sentencesOf } from "./prose";

const ACTS =
  "add|adjust|analy[sz]e|apply|assemble|begin|build|change|check|clean|commit|compile|complete|confirm|configure|continue|convert|copy|correct|create|debug|define|delete|diagnose|dig|do|download|draft|edit|examine|execute|explore|extract|fetch|find|finish|fix|gather|generate|get started|go through|grep|handle|implement|improve|insert|inspect|install|integrate|investigate|launch|list|locate|look|make|merge|migrate|mock|modify|move|open|optimi[sz]e|patch|port|prepare|proceed|re-?build|re-?check|re-?factor|re-?generate|re-?run|re-?write|read|reinstall|remove|rename|replace|reproduce|resolve|restart|restore|retry|revert|review|rework|run|scaffold|scan|search|set up|simplify|split|start|swap|switch|take|tackle|test|trace|track|try|tweak|type-?check|undo|uninstall|update|upgrade|use|validate|verify|view|wire|work on|write";
const GERUNDS =
  "adding|applying|building|changing|checking|continuing|creating|deleting|editing|executing|fixing|implementing|installing|investigating|looking|making|migrating|moving|opening|proceeding|reading|refactoring|removing|renaming|replacing|rerunning|re-running|reviewing|rewriting|running|searching|starting|testing|updating|verifying|working|writing";
const LEAD_IN =
  "^(?:(?:ok(?:ay)?|alright|all right|great|good|perfect|right|sure|understood|got it|done|yes|so|and|but|then|now|next(?: up)?|first|second|finally|after that|with that(?: done| in place)?|from here|as a next step|in the meantime)\\b[,.!:;—–-]*\\s*(?:(?:i|we)'ll be back\\b)?)*";
const ADVERBS =
  "(?:(?:now|next|then|also|just|first|quickly|immediately|go ahead and|go and|start by|begin by|begin|start|proceed to|continue to|continue|go on to|move on to|try to|try and|both|finally|re-?)\\s+)*";
const SUBJECT =
  "(?:i'll|i will|i am going to|i'm going to|i'm about to|i am about to|i shall|let me|let's|we'll|we will now)";

const PROMISE = new RegExp(
  `(?:${LEAD_IN}|[,;:—–-]\\s*(?:and |so |but |then |now |next,? )*|\\b(?:so|and|but|now|next|then),? )${SUBJECT}\\s+${ADVERBS}(?:${ACTS}|${GERUNDS})\\b|${LEAD_IN}(?:i'm|i am) now (?:${GERUNDS})\\b|(?:^|[.!] |, |\\bso )(?:now|next|first),? (?:i|we) (?:need|have|want) to ${ADVERBS}(?:${ACTS})\\b|^(?:on it|working on it|starting now|doing (?:it|that|so) now|proceeding)\\b.{0,40}$`,
  "i",
);
/** "Running the tests now." */
const UNDER_WAY = new RegExp(
  `${LEAD_IN}(?:${GERUNDS})\\b.*(?:\\b(?:now|next)[.!…:]*|\\.\\.\\.|…|:)$|^(?:now|next),? (?:${GERUNDS})\\b|^(?:starting|beginning|continuing|moving on) (?:with|to|on)\\b[^,;]{1,80}$`,
  "i",
);
/** Words of a wait, an offer, a condition, a rule, or another time. */
const HONEST =
  /\b(?:if|once|when|whenever|whichever|unless|until|till|after (?:you|that's|this is|it's|i (?:get|have|hear)|your)|as soon as|know|wait|waiting|stand by|await|hold|next time|in (?:the )?future|from now on|going forward|later|tomorrow|tonight|always|never|back to you|look forward|says?|said|wrote|example|promised|check back|report back|get back|not|prefer|suggest|recommend|propose|unable|another (?:session|turn|pr|pull request)|separate(?:ly)? (?:pr|pull|change|task|turn)|follow-up|happy to|glad to|ready to|sign off|take it from there)\b|n't\b/i;
/** "If" and "once" that are no condition. */
const NO_CONDITION =
  /\b(?:check|see|verify|test|confirm|determine|find out|make sure)(?:ing)? (?:if|when)\b|\bonce (?:more|again)\b/gi;
/** Of a sentence that only begins with such a word. */
const STATES = /\b(?:is|are|requires?|needs?|takes|shows|prints|means|gives|makes it|works)\b/i;
/** "You", but where it only names for whom, or what was asked. */
const YOU = /\byou(?:r|rs|rself)?\b/i;
const HARMLESS_YOU =
  /\b(?:for you|as you (?:asked|requested|suggested|described|wanted|said)|(?:that|what|which) you (?:asked|requested|mentioned|wanted|described|pasted|listed|named|pointed)(?: \w+)?|you (?:asked|requested|mentioned|wanted|described|pasted|listed|named)(?: for)?|your (?:request|file|code|project|tests?|config\w*|change|workspace|repo\w*|branch|app|component|function|module|page|api|schema|database|types?|script))\b/gi;

const ZH_ACTS =
  "运行|执行|核验|核对|修复|修改|更新|检查|查看|看一?下|看看|看一看|创建|新建|添加|增加|编写|写入|写|实现|测试|验证|读取|阅读|搜索|查找|分析|调整|重构|删除|移除|重命名|替换|安装|构建|编译|提交|排查|调试|处理|开始|继续|完成|补充|补上|改|跑|试|生成|定位|迁移|优化|清理|配置|确认一?下|着手|进行|打开|重写|重新|应用|把|对";
const ZH_HELP =
  "现在|马上|这就|接下来|立即|先|就|再|来|去|将|会|要|开始|继续|准备|重新|首先|为您|为你|帮您|帮你|一起|一次性|统一|逐个|逐一|直接";
const ZH_PROMISE = new RegExp(
  `(?:^|[，,。；;：:]\\s*)(?:好的?[，,]\\s*|那么?)*(?:(?:接下来|下面|下一步|现在|然后|随后|首先|马上|这就|立即|稍等)[，,：:]?\\s*(?:我们?)?(?:${ZH_HELP}|需要)*|我们?(?:${ZH_HELP})+|让我们?(?:${ZH_HELP})*)\\s*(?:${ZH_ACTS})|^正在\\s*(?:${ZH_ACTS}).*(?:…|\\.\\.\\.)$`,
);
/** The person is to do something first. */
const IMPERATIVE =
  /^(?:please|just|say|tell|send|give|paste|share|pick|choose|reply|answer|confirm|run|point|type|open|set|hand|approve)\b.*\band (?:i'll|i will)\b/i;
const ZH_HONEST =
  /如果|若|的话|等你|等您|等待|等到|请|确认后|同意后|批准后|之后再|以后|将来|今后|下次|一旦|只要|每次|每当|[^当]当.{1,12}时|当.{1,12}时|建议|可以|可能|要不要|是否|吗|还是|或者|希望|愿意|随时|记住|不会|不再|不要|先不|暂不|暂时不|没有|无法|不能|需要你|需要您|由你|由您|告诉我|你来|您来|你的意见|^(?:程序|系统|它|函数|代码|脚本|服务|用户|这个|该|此)|即可|就能|便可|了[。！!]*$|已|另一个|明天|稍后再|留给/;

/** It introduces a plan, or words of others. */
const LISTED =
  /\b(?:plan|proposal|options?|next steps?|todo|draft|message|reply|e?-?mail|text|comment|description|says?|said|wrote|example|output|log)\b|计划|方案|建议|步骤|说明|草稿|如下/i;
/** Beside such a sentence the others of its paragraph wait, too. */
const WAITS =
  /\b(?:let me know|wait(?:ing)? for (?:you|confirmation|approval|an answer)|if you|would you|once you|when you|tell me|your (?:approval|confirmation|answer|decision|call|go-ahead)|please (?:confirm|choose|pick|tell|approve|provide))\b|请(?:确认|告诉|选择|提供|回复)|[等如果]+[你您]/i;
/** Behind a promise it only says that this takes a moment. */
const TAIL =
  /^(?:one moment|just a (?:moment|second|sec)|this (?:may|might|will|should) take|hold on|please wait|bear with me|stand by|please hold|稍等|请稍[等候]|这?可能需要)/i;
/** What the person asked for ends with words. */
const NO_GO_ON =
  /^\s*stop\b|\b(?:stop (?:here|after|before|there|when|once|and|now|for)|(?:and|then|,) stop\b|wait (?:for|until|before|with)|and wait|pause|hold (?:off|on)|(?:don't|do not|dont|never|without) (?:yet )?(?:run|chang|edit|touch|do(?:ing)? any|start|writ|execut|commit|mak(?:e|ing)|implement|proceed|continu|go on|act|modif|us(?:e|ing) tools?)|no (?:changes|edits|code|commands|tools)|only (?:tell|explain|describe|say|list|plan|answer|discuss|propose)|just (?:tell|explain|describe|say|list|answer|plan|discuss|talk|propose|outline)|ask (?:me )?(?:first|before)|before you (?:do|start|run|change|touch|write|begin|continue)|(?<!out (?:the|this|your) )plan|propose|proposal|outline|how would you|what would you|what will you|one step at a time|step by step|not yet|in your next (?:message|turn))\b/i;
const ZH_NO_GO_ON =
  /停下|停止|暂停|先别|先不要|不要(?:改|动|运行|执行|修改|写|开始|继续|做)|别(?:改|动|运行|执行|修改|写|开始|继续|做)|等我|只(?:说|讲|解释|回答|列|告诉|需要?说|分析)|先(?:告诉|说|问|列|给)|计划|方案|问我|一步一步|打算怎么|会怎么/;

/** @param asked what the person said in the turn. @returns the words that announce an act; undefined: the end is an honest one */
export function promiseIn(answer: string, asked: readonly string[]): string | undefined {
  if (asked.some(words => NO_GO_ON.test(words) || ZH_NO_GO_ON.test(words))) return undefined;
  const all = sentencesOf(answer);
  if (all.some(({ text }) => /[?？][)"'”]*$/.test(text))) return undefined;
  const said = all.filter(({ text }) => !TAIL.test(text));
  const last = said.at(-1);
  if (last === undefined) return undefined;
  const sentence = last.isItem ? leadOf(said) : last;
  if (sentence === undefined || sentence.isItem || LISTED.test(sentence.lead)) return undefined;
  const paragraph = said.filter(each => each.paragraph === sentence.paragraph);
  if (paragraph.some(({ text }) => WAITS.test(text))) return undefined;
  return announces(sentence.text) ? saidWords(sentence.text) : undefined;
}

/** The line that introduces a list at the end: only one that says "now" announces its items. */
function leadOf(said: readonly Sentence[]): Sentence | undefined {
  const before = said.findLast(({ isItem }) => !isItem);
  return before !== undefined && /[:：]$/.test(before.text) && /\bnow\b|现在|马上|这就/i.test(before.text)
    ? before
    : undefined;
}

function announces(text: string): boolean {
  const plain = text.replace(NO_CONDITION, "");
  const isHonest =
    [HONEST, IMPERATIVE, ZH_HONEST].some(form => form.test(plain)) || YOU.test(plain.replace(HARMLESS_YOU, ""));
  return !isHonest && (PROMISE.test(text) || ZH_PROMISE.test(text) || (UNDER_WAY.test(text) && !STATES.test(text)));
}
