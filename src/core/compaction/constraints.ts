/**
 * Which sentences of a person state a rule that holds on, in English and Chinese. A rule says how to work, a task says what to
 * do once; both are often plain imperatives. What tells them apart: words of standing (always, every, from now on), limits
 * (max, no new …), negation of a choice (not npm), verbs of manner with no one thing as their object ("name files", not "name
 * the file"). In doubt a sentence counts: one too many costs a line, one too few a wish.
 */

/** Where a clause begins: a request stands there, a description elsewhere. */
const START = String.raw`(?:^|[,;:] |[–—-] |\b(?:and|or|please|pls|also|but|so|then|just|kindly|to|you can|you should) )`;

/** One thing at hand: who says "the test" or "cart.ts" speaks of a task. */
const ONE_THING = String.raw`(?:the|this|that|it|its|these|those|them|what|my|a|an|another|one|second|first)\b|\S*\w[/.]\w`;

/** What rules are about, in the plural or as a mass. */
const MATTERS = `(?:(?:unit|integration|new|public|private|internal|shared|all|any|async|commit|error|log|branch|file|test|variable|function|class|type|api|sql|db|database|ui|user|env|feature|pr|code|css|react|helper|money|your|our) )*(?:tests?|specs|commits|messages|branch(?:es| names)|pull requests|prs|comments|names|variables|constants|files|functions|methods|components|hooks|imports|exports|classes|types|interfaces|docs|documentation|errors|exceptions|logs|logging|strings|dates|times|timestamps|migrations|endpoints|routes|queries|code|styles|answers|replies|docstrings|dependencies|packages|versions|secrets|keys|tokens|credentials|passwords|ids|columns|tables|flags|configs?|settings|changes|fixes|modules|folders|translations|texts|numbers|amounts|prices|money|todos|scripts|snapshots|fixtures|mocks|enums|props|utils|helpers|releases|tags|reviews|formatting|indentation|naming|apis?|sdk)`;

const english = (source: string) => new RegExp(source, "i");

const ENGLISH: readonly RegExp[] = [
  // Words of standing.
  /(?<!\b(?:it|this|that|which|they|he|she|test|tests|build|cart|page|app) (?:\w+ly )?)\b(?:always|never)\b(?! (?:\w+s|mind|got|came|went|had|was|were|been|happened|worked)\b(?! (?:you|we|of)\b))/i,
  /\b(?:from (?:now|here) on|from this point|going forward|in the future|under no circumstances|at all times|as a rule|as a matter of principle|rule of thumb|by default,|each time|every time you|any ?time|whenever you|for the rest of|whatever you do|no matter what|without exception|when in doubt|if in doubt|if (?:you['’]?re |you are )?(?:unsure|not sure|uncertain))\b/i,
  /\b(?:everywhere|throughout)\b/i,
  /\b(?:our|the|house|team|company|project) (?:\w+ )?(?:convention|policy|house style|style guide|standard|rule|guideline)s?\b(?= (?:is|are|says?|for|here|requires?)\b|:)/i,
  // Must, may not, have to.
  /\bmust(?:n['’]?t| not)?\b(?! (?:have (?:been|had|done|gone)|be (?:an?|some\w*|the)\b))/i,
  /(?<!\b(?:i|we|they|you|why|these|those|tests) )\b(?:do ?n['’]?t|do not)\b(?! (?:you|we|i|see|know|work)\b)/i,
  /\b(?:i|we) (?:do ?n['’]?t|do not) (?:want|use|like|allow|accept|write|commit|add|change|touch|ship|need|do|merge|push|deploy|mock)\b/i,
  /\b(?:should|shall|may) ?(?:not|n['’]?t)\b|\bcan(?:not| not|['’]?t) (?:use|change|touch|add|break|depend|rely|have|exceed|merge|go (?:over|above|beyond))\b/i,
  /\byou (?:may|can) (?:read|use|change|edit|run|touch|commit|push)\b/i,
  english(
    String.raw`^(?:all |any |every |each |the )?(?:new )?${MATTERS} (?:(?:[\w-]+ ){0,4}(?:should|has to|have to|ought to|are to|is to)|in (?:\w+ )?(?:english|german|french|chinese|lower|upper|imperative|present|past|utc)|needs?|ha(?:ve|s) to|ought to|go(?:es)?|belongs?|li?ves?|stays?|return|starts?|ends?|begins?|comes? (?:first|last|before|with)|get|use|follow|are (?:named|written|kept|stored|in|always|lower|snake|camel|sorted|prefixed|for)|is (?:in|written|done|stored|kept))\b(?! (?:passe?s?|fail|work|be \d|have been|a)\b)`,
  ),
  /^(?:every|each|any|all)\b.* (?:needs?|gets?|goes|go|ha(?:s|ve) to|should|requires?|belongs?|stays?|(?:is|are) (?:stored|written|named|kept|in|sorted|documented|tested|reviewed|approved)|uses?|ends? with|starts? with|through|via)\b/i,
  /\b(?:needs?|requires?) (?:my|a|an|your|two|code)?\s?(?:ok|okay|approval|sign-?off|review|permission|confirmation)\b|\b(?:sign-?off|approval|permission|ok|okay) (?:first|before)\b/i,
  // Wishes.
  /\b(?:i|we|(?:i|we)['’]?d|you should|please|always|strongly|would) (?:much |really |strongly |generally )?prefer\b|^prefer\b|[,;:] prefer\b|\bpreferably\b|\bpreferred\b/i,
  /\b(?:i|we)(?:['’]d| would) rather\b|\bi (?:like|hate|love|dislike|can['’]?t stand)\b(?=.*\b(?:code|tests?|commits?|comments?|functions?|names?|files?|style|types?|short|small|explicit)\b)/i,
  /\b(?:i|we) (?:want|expect|insist)\b(?=.* (?:every|each|all|any|no|to (?:approve|review|see|be asked|confirm)|before|in (?:english|german|chinese|french))\b)/i,
  /\bwe (?:write|name|format|indent|follow|only|target|support|stick|version|squash|rebase|avoid|commit|store|put|go with|stay)\b/i,
  /\b(?:it(?:['’]s| is) important|important:|remember(?: to| that|:)|keep in mind|bear in mind|note that (?:you|we)|be (?:careful|sure|consistent|concise|brief|terse|conservative|explicit)|make sure|mind the|watch out)\b/i,
  /(?:^|[.,;:] |\b(?:please|and|to) )ensure\b|\b(?:avoid|forbidden|prohibited|no longer use|not allowed|disallowed|banned|refrain from|stick (?:to|with)|taboo)\b/i,
  // What is out of bounds.
  /\b(?:off[- ]limits|hands off|out of bounds|out of scope|no-go|read-only|untouchable|is frozen|are frozen|stays? (?:as (?:it|they)|frozen|untouched|unchanged|out)|leave .+ (?:alone|as[- ]is|as (?:it is|they are)|untouched|unchanged|out|in place|be)\b|(?:stay|steer|keep|clear) (?:away|out|clear|off)\b|nothing (?:outside|but|else|except|in)\b(?! (?:happens|works|changes|shows))|(?:is|are) (?:auto-?)?generated\b.*\b(?:so|edit|by hand|instead)\b|without (?:asking|my|touching|changing|breaking|adding|telling|checking|a test|tests))/i,
  /(?<!\b(?:if|not|the|is|are|was|were|has|have|had|'s|’s|but|it|an|fails?|fail|happens?|takes?|get|got|see|can|could|works?|on \w+) )\bonly\b(?! (?:then|\w+ of|when i|fails?|failed|happens?|happened|works?|worked|takes?|on|the|shows?|appears?|look at the|see)\b)/i,
  // Limits without a verb: "no emojis", "max 100 characters", "one component per file".
  /^(?:and |also |please |oh and )?no (?!idea|problem|worries|need|it|longer|output|error|errors|one|i|that|this|result|results|luck|change|effect|difference|wait|response|such|data|thanks|matter|logs?|clue)(?:\p{L}|["'`])/iu,
  /[,;:–—-] no (?:new|more|external|third-party|extra|emojis?|magic|global|default|inline|hard-?coded|any|abbreviations|comments|exceptions|semicolons)\b|\bno (?:new|more|external|third-party) (?:dependenc|package|librar|file)/i,
  /(?<!\btakes? )\b(?:max(?:imum)?|min(?:imum)?|no (?:more|longer|less|fewer) than|not more than|at (?:most|least)|up to)\b(?:\.| of|:)? (?:\w+ ){0,3}?(?:is )?\d|\b(?:max|maximum|minimum) (?:line|file|function|\w+ length|\w+ size)\b/i,
  /\b(?:one|1|two|2|three|3) [\p{L}-]+(?: [\p{L}-]+)? (?:per|each)\b|\bper (?:file|commit|line|pr|function|class|module|test)\b/iu,
  /^(?:small|short|tiny|atomic|clear|plain|strict|conventional|semantic|descriptive|single|double|named|two|four|trailing|british|american|kebab|snake|camel)\b[\w -]{0,40}(?:commits?|functions?|messages?|names?|quotes|types|spaces|english|case|sentences|answers|imports?|exports?|commas?)\b/i,
  // Choices: this, not that.
  english(
    String.raw`${START}(?:use|pick|take|write|choose|import|run|install|call|put|go with|reach for|return|throw|log|go for|make) .*(?:, ?not\b|\bnot\b|\binstead of\b|\brather than\b|\bover\b|\bno\b|\bnever\b)`,
  ),
  /, not [\p{L}`'"@/.-]+(?: [\p{L}`'"@/.-]+){0,4}[.!]?$/iu,
  // Verbs of manner.
  english(
    String.raw`${START}(?:stick|target|treat|respect|hono[u]?r|follow|obey|prefer|limit|adhere|comply|go with|stay (?:in|on|under|below|within|with)|default to)\b(?! (?:the (?:link|steps|stack)|up)\b)`,
  ),
  english(String.raw`${START}keep (?!going|trying|working|looking|digging|it up|on\b|me (?:posted|updated))\S`),
  english(
    String.raw`${START}use (?!${ONE_THING})(?!\S+(?: \S+)? to (?:find|see|check|look|figure|debug|get|fix))\S|${START}use (?:the|an?) (?:existing|same|shared|standard|built-?in|design|project['’]?s|house)\b`,
  ),
  english(
    String.raw`${START}(?:write|name|put|store|log|format|indent|wrap|prefix|suffix|commit|squash|pin|validate|escape|document|cover|mock|quote|return|throw|declare|annotate|sign|tag|guard|rebase|spell|order|group|document|version|cap|round|work|reuse|mark|scope|end|start|begin|base|capitalize|build on|type|cite|link|batch|cache|gate|sanitize|handle|hide|encode|test|stage|phrase) (?!${ONE_THING}|with the|by (?:the|adding|running)|on (?:the|this|it)|all (?:the|these|those|of)|up\b)\S`,
  ),
  english(
    String.raw`${START}(?:answer|reply|respond|talk|speak|write|explain|communicate|comment|chat|summari[sz]e)\b.*\b(?:in (?:\w+ )?(?:english|german|french|chinese|spanish|japanese|plain|full|short|simple|bullet|one|two|three|present|imperative|markdown)|brief|briefly|short|concisely|terse|tersely|to the point|formally|informally)\b`,
  ),
  english(
    String.raw`${START}(?:make (?:everything|all|each|every)|skip|ignore (?:all|any|every|everything|anything)|assume|support|do (?:everything|all|the work)|mind)\b(?! (?:me|this|that|it|the (?:first|second|last)|my)\b)`,
  ),
  // When something is done, or somebody asked.
  english(
    String.raw`(?:ask|tell|warn|notify|ping|check with|show|consult|wait for|get|confirm with|run it by|let)\b(?: me| us| my)\b.*\b(?:before|first|if|unless|rather|when (?:you|in|some|a |the )|whenever)\b(?! you(?: are|['’]re) done)`,
  ),
  /^(?:before|after|when(?:ever)?|once|if) (?:you|every|each|any|committing|pushing|merging|changing|touching|adding|editing|deleting|a (?!user\b|request\b)).*, (?!it\b|the\b|this\b|that\b|nothing\b|i\b|we\b|there\b|they\b|you (?:get|see)\b)/i,
  /\b(?:before|after|for|with|in|on) (?:every|each|any)(?: single| new)? (?:commit|push|change|edit|merge|pr|pull request|release|deploy|new|bug|fix|feature|function|file|endpoint|migration|step|refactor)/i,
  /\b(?:before|until|unless) (?:you (?:commit|push|change|delete|edit|merge|touch|write|start|run|remove|deploy|install|add|do)|i (?:say|approve|ok|confirm|tell|ask|agree)|committing|pushing|merging|deleting|changing|touching)\b/i,
  /\b(?:go(?:es)? (?:through|via|in|into|under|behind)|belongs? (?:in|to|under)|live(?:s)? (?:in|next|under|beside)|stays? (?:in|under|below|within|above|on|at|small)|(?:is|are) (?:stored|kept|written|given|measured) (?:in|as)|is in cents)\b(?=.*)(?<!\b(?:it|this|that|he|she) \w+ \w+)/i,
];

const CHINESE: readonly RegExp[] = [
  // 总是、必须、务必: words of standing.
  /总是(?!报错|失败|出错|崩溃)|總是(?!報錯|失敗|出錯)|始终|始終|永远(?:不|要|用|别)|永遠(?:不|要|用|別)|一律|统一|統一|一概|凡是|凡涉及|以后都|以後都|今后|今後|从现在起|從現在起|从现在开始|之后都|每当|每當/,
  /从不|從不|绝不|絕不|决不|決不|切勿|请勿|請勿|(?:^|[，,；;：:\s])勿/,
  /必须|必須|必需|务必|務必|(?<!不)一定(?!是|会|會|程度)|千万|千萬|记得|記得|记住|記住|应当|應當|注意(?!到)/,
  // 不要、禁止: what is not wanted.
  /不要|不得(?!不)|不许|不許|不准|不可以|不可(?!用|见|見|能)|不应|不應|不允许|不允許|禁止|禁用(?!状态|狀態|了)|严禁|嚴禁|杜绝|杜絕|拒绝使用|不能(?:再|使用|用(?!了)|改|修改|动|動|删|刪|有|出现|出現|超过|超過|引入|依赖|依賴|提交|直接|把|将|將|破坏|破壞|影响|影響|低于|低於|高于|硬编码|写|省略)/,
  /(?<![特区區级級类類分识識个個性告差辨派离離国國组組鉴鑑道永惜送甄有先])[别別](?![的人名处處墅针針扭致样樣国國家称稱说說])/,
  /(?<!什么都|都|也|还|一直|页面|就)不(?:碰|动|写|加|引入|提交|留|打印|接受|升级|使用|依赖|合并|做|搞|需要你|建议|推荐|允许|超过|超過|少于|少於|低于|大于|省略)(?!了|出来|完|进|上去)|不用(?!.*就).*[，,]|(?:用|改|写|看)[^，,。]*[，,](?:不用|不是|别|不要|非)|没有我的|沒有我的|未经|未經|不经|原样|原樣|保持不变|不变$/,
  // 只、仅: limits.
  /(?<!有|是|但)(?:只|仅|僅)(?:改|动|動|碰|支持|支援|能|用|允许|允許|准|许|写|做|读|看得|接受|使用|限|管|处理|保留|加|在.{1,12}(?:改|写|做|用|动|加|工作|提交|合并|跑))(?!.*(?:报错|失败|出错|了$))/,
  /控制在|(?:不|最)(?:超过|超過|多|少于|长|大)\s?\d|(?<!要|花|用了?)(?:至少|最多|最少|上限|不低于)\s?(?:有|要|写|是|为|達到|达到)?\s?[\d一两二三四五]|\d+\s?(?:ms|毫秒|秒|行|字|个字符|字符|%|MB)?(?:以内|以內|以下|以上|之内|之內)|每(?:个|個|次|条|一|行|层|张)?.{0,14}(?:一个|一個|只|都|不超过|就|要|需|先|对应|加上|写)(?!.*(?:报错|失败|重复|不一样|不同|了$|卡))/,
  /(?:所有|全部|任何|各个|新(?:的|增)?(?:代码|组件|接口|功能|文件|测试|表|页面|模块))[^，,。]{0,16}(?:都?(?:用|要|得|放|写|以|走|加|带|存|需|必|有|补|按|经过|先))(?!.*(?:报错|失败|了$))|都(?:要|得|必|用|放|写|以|走|加|带|按|需)/,
  // 用、保持、遵循: manner.
  /(?:^|[，,；;：:、\s]|请|請|统一|尽量|注释|提交信息|说明|文档|命名|变量|回答|回复|缩进|类型|时间|日期|样式|测试|接口|组件|状态|异常|错误|金额|日志|字段|名字?|键|分支|代码|文案|图标|图|表单|请求|路由|引号|常量|函数|方法|数据|ID|id|主键|配置|界面|这里|仓库|项目|我们)(?:都|就|全|全部|一般|默认|里|中|名|计算)?(?:用|按|采用|使用|沿用|以)(?!了|什么|哪|第|的是|户|上|这个|那个|刚才|下面的|.*(?:看一下|看看|找出|查|试试|试一下|来修|修一下|出错|报错|会|重启))/,
  /用.+(?:代替|替代|取代|而不是|而非|命名|开头|结尾|书写|回答|回复|交流)|以.+(?:为准|為準|为主|为单位|开头|结尾|命名|为先)|[中英德法日]文(?:写|回|注释|回答|提交|交流|沟通)/,
  /(?:^|[，,；;：:\s]|请|要|的|尽量)(?:保持|保留|遵循|遵守|遵照|符合|按照?|参照|沿用|对齐|优先|默认|避免|尽可能|尽量|精简|简洁|确保|确认|保证|确保|坚持|严格|限制|隐藏|脱敏|兼容|复用)(?!.*(?:了$|报错))/,
  /避免|优先|優先|更喜欢|更喜歡|我喜欢|我喜歡|我习惯|我們習慣|我们习惯|请(?:使)?用|請(?:使)?用|尽量|儘量|盡量|尽可能|最好(?!的)|偏好|确保|確保|保证|保證|宁可|寧可|宁愿|为准|為準|风格|規範|规范|约定(?!时)|惯例|原则/,
  /(?<!不|想|需|只|主|首|重|还|快|就|么|构建|大概)要(?:写|有|加|带|跑|保持|遵|符合|注明|说明|放|支持|小|短|能|考虑|经过|先|走|同步|配|清楚|简洁|简短|覆盖|通过|用|做|补|可读|幂等|脱敏|加密|向后)(?!.*(?:吗|分钟|小时|了$))/,
  /(?:放|存|写|归|收)(?:在|到|进|入)(?!.*(?:了$|哪))(?<!把.*)/,
  // 先问我、提交前: when, and with whose leave.
  /(?:先问|问我|告诉我一声|跟我(?:说|确认|商量)|和我(?:确认|商量)|找我|通知我|经我|我同意|我确认|我点头|我批准|征得|等我)(?!.*完)/,
  /(?:之前|以前|前|后|之后|时|的时候|如果|若|遇到|一旦|万一)[，,]?\s?(?:都|请(?!求)|要|先|必|跑|检查|运行|确认|同步|更新|补|格式化|给我|问|停|加)(?!.*(?:了$|报错|失败))(?!.*是好的)|先(?:给|出|写|列|跑|说|确认|讨论|写测试).*再|[，,](?:再|才|然后再)(?:动手|写|改|提交|开始|合并|做)/,
  /同步(?:更新|修改|改)|走 ?(?:代码评审|评审|审核|统一|配置|环境变量)|驼峰|下划线命名|单引号|双引号/,
];

/** Lines of a log or a program that somebody pasted. */
const PASTED =
  /^\s*(?:at\s+\S+\s*\(|(?:\w*Error|error|fatal): |\d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}[T ]|\[(?:error|warn|warning|info|debug|trace|fatal)\]|(?:error|warn|warning|info|debug|trace|fatal)\s?[:[])|\b(?:error|warning) (?:TS)?\d{3,}|\b\w+(?:Error|Exception): |\{\s*$/i;
const isCodeLine = (line: string) => line.trimEnd().endsWith(";") && /[=()\]]/.test(line);

const POLITE_QUESTION = /\b(?:can|could|would|will) you\b|\bplease\b|请|請|能不能|可以/i;

/** Characters of a sentence that are looked at: a rule says early that it is one, and the look stays quick. */
const LOOKED_AT = 1_000;

/** Where in the sentence the word stands that makes it a rule; undefined: it states none. */
export function findConstraint(sentence: string): number | undefined {
  const text = sentence.slice(0, LOOKED_AT);
  if (PASTED.test(text) || isCodeLine(text)) return undefined;
  if (/[?？]["'”’）)]*$/.test(sentence) && !POLITE_QUESTION.test(text)) return undefined;
  const places = [...ENGLISH, ...CHINESE].map(word => text.search(word)).filter(at => at >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}
