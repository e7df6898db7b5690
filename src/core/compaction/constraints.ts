/**
 * Which of a person's sentences state a rule that holds on: always, never, must, don't, prefer and their Chinese kin
 * (CONTEXT.md, section 5). Kept verbatim. In doubt a sentence counts: one too many costs a line, one too few a wish.
 */

const ENGLISH: readonly RegExp[] = [
  /(?<!\b(?:it|this|that|which|they|he|she|test|tests|build) )\b(?:always|never)\b/i,
  /\bmust(?:n['’]?t| not)?\b(?! (?:have|be (?:a|an|some|the)\b))/i,
  /(?<!\b(?:i|we|they|you|why|these|those|tests) )\b(?:don['’]?t|do not)\b(?! (?:you|we|i)\b)/i,
  /\b(?:i|we) (?:don['’]?t|do not) (?:want|use|like|allow|accept|write|commit|add|change|touch|ship|need)\b/i,
  /\b(?:should|shall|may|can) ?(?:not|n['’]t)\b|\bcan(?:not|['’]t) (?:use|change|touch|add|break|depend|rely|have|be)\b/i,
  /\b(?:i|we|(?:i|we)['’]d|you should|please|always|strongly|would) (?:much |really |strongly )?prefer\b|^prefer\b|[,;:] prefer\b|\bpreferably\b|\bpreferred\b/i,
  /(?<!\b(?:if|not|the|is|are|was|were|has|have|had|'s|’s|but|it|an|fails?|happens?|takes?|get|got|see|can|could) )\bonly\b(?! (?:then|one of|when i|fails?|failed|happens?|happened|works?|worked|takes?))/i,
  /\b(?:avoid|forbidden|prohibited|no longer use|not allowed|stick to|refrain from|from now on|under no circumstances)\b/i,
  /\b(?:make|be) sure\b|(?:^|[.,;:] |\b(?:please|and|to) )ensure\b|\bremember to\b|\bwithout (?:ever )?(?:touching|changing|breaking|adding)\b/i,
  /^(?:please )?(?:keep|use) (?:only|all|every)\b|\bno (?:new|more|external|third-party) (?:dependenc|package|librar|file)/i,
];

const CHINESE: readonly RegExp[] = [
  /总是(?!报错|失败|出错|崩溃)|總是(?!報錯|失敗|出錯)|始终|始終|永远(?:不|要|用|别)|永遠(?:不|要|用|別)|一律/,
  /从不|從不|绝不|絕不|决不|決不|切勿|请勿|請勿|(?:^|[，,；;：:\s])勿/,
  /必须|必須|务必|務必|(?<!不)一定(?!是|会|會|程度)|千万|千萬|记得|記得|应当|應當/,
  /不要|不得(?!不)|不许|不許|不准|不可以|不应|不應|不允许|不允許|禁止|严禁|嚴禁|不能(?:再|使用|用(?!了)|改|修改|动|動|删|刪|有|出现|出現|超过|超過|引入|依赖|依賴|提交|直接|把|将|將|破坏|破壞|影响|影響)/,
  /(?<![特区區级級类類分识識个個性告差辨派离離国國组組鉴鑑道永惜送甄有])[别別](?![的人名处處墅针針扭致样樣国國家称稱说說])/,
  /避免|优先|優先|更喜欢|更喜歡|我喜欢|我喜歡|请(?:使)?用|請(?:使)?用|都(?:要|得|必)|只能|只用|只允许|只允許|仅(?:使用|用|限|允许)|僅(?:使用|用|限|允許)|尽量|儘量|盡量|最好|偏好|确保|確保|保证|保證|以后都|以後都/,
];

/** Lines of a log or a program that somebody pasted. */
const PASTED =
  /^\s*(?:at\s+\S+\s*\(|\d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}[T ]|\[?(?:error|warn|warning|info|debug|trace|fatal)\]?\b[\s:[])|\b(?:error|warning) (?:TS)?\d{3,}|\b\w+(?:Error|Exception): |\{\s*$|[=()\]].*;\s*$/i;

const POLITE_QUESTION = /\b(?:can|could|would|will) you\b|\bplease\b|请|請|能不能|可以/i;

/** Where in the sentence the word stands that makes it a rule; undefined: it states none. */
export function constraintAt(sentence: string): number | undefined {
  if (PASTED.test(sentence)) return undefined;
  if (/[?？]["'”’）)]*$/.test(sentence) && !POLITE_QUESTION.test(sentence)) return undefined;
  const places = [...ENGLISH, ...CHINESE].map(word => sentence.search(word)).filter(at => at >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}
