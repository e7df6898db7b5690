/**
 * A person's message as sentences (what a list, a heading, code and CJK punctuation make of it), and which of them state a rule.
 * Fenced code and quoted lines are passed over: they are not the person's own words.
 */

const FENCE = /^\s*(`{3,}|~{3,})/;
const QUOTE = /^\s*>/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const LIST_ITEM =
  /^\s*(?:[-*+•·]\s+|\(?\d{1,3}[.)]\s+|\d{1,3}[、．]\s*|\(?[a-z]\)\s+|[（(]?[一二三四五六七八九十]+[、．)）]\s*)/;
const CHECKBOX = /^\[[ xX]\]\s+/;
const LEAD_END = /[:：]\s*$/;
const LINE_END = /[.!?。！？…:：;；]["'”’」』）)\]]*$/;

interface Block {
  text: string;
  isItem: boolean;
}

/** Whitespace of each is collapsed. An item below "Never:" is read with its lead: "Never: push to main". */
export function extractSentences(text: string): string[] {
  const sentences: string[] = [];
  let lead = "";
  for (const block of splitBlocks(text)) {
    if (!block.isItem) lead = LEAD_END.test(block.text) ? (splitSentences(block.text).at(-1) ?? "") : "";
    for (const sentence of splitSentences(block.text)) {
      if (block.isItem && lead) sentences.push(`${lead} ${sentence}`);
      else if (sentence !== lead) sentences.push(sentence);
    }
  }
  return sentences;
}

/** Lines that belong together: a list item, a heading, a paragraph that is wrapped. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of withoutCode(text.split(/\r\n|\r|\n/))) {
    const flat = line.replace(/\s+/g, " ").trim();
    if (flat === "" || QUOTE.test(line)) {
      open = undefined;
      continue;
    }
    const isItem = LIST_ITEM.test(line);
    if (!isItem && open && continuesBlock(open.text, line)) {
      open.text += ` ${flat}`;
      continue;
    }
    open = {
      text: line
        .replace(isItem ? LIST_ITEM : HEADING, "")
        .replace(CHECKBOX, "")
        .replace(/\s+/g, " ")
        .trim(),
      isItem,
    };
    blocks.push(open);
    if (HEADING.test(line)) open = undefined;
  }
  return blocks;
}

/** A wrapped sentence: it has no end yet, and what follows begins as no new one does. */
function continuesBlock(before: string, line: string): boolean {
  return !LINE_END.test(before) && !HEADING.test(line) && /^\s*(?:\p{Ll}|[(`"'])/u.test(line);
}

/** A fence that is never closed is no code: what follows it is text. */
function withoutCode(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      out.push(line);
      continue;
    }
    const end = lines.findIndex((other, at) => at > i && other.trim().startsWith(fence));
    if (end > 0) i = end;
    out.push("");
  }
  return out;
}

/** A full stop after one of these ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s("'“])(?:e\.g|i\.e|eg|ie|vs|cf|approx|incl|excl|resp|fig|no|nr|mr|mrs|ms|dr|prof|inc|ltd|st|z\.b|d\.h|u\.a|bzw|[a-z])\.$/i;
const CLOSING = /["'”’」』）)\]*_]/;
const CJK_END = /[。！？]/;

/** @param block without line ends */
function splitSentences(block: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (let i = 0; i < block.length; i += 1) {
    if (block[i] === "`") {
      const close = block.indexOf("`", i + 1);
      if (close > 0) i = close;
      continue;
    }
    const end = sentenceEnd(block, i, start);
    if (end === undefined) continue;
    sentences.push(block.slice(start, end));
    start = end;
    i = end - 1;
  }
  sentences.push(block.slice(start));
  return sentences.map(sentence => sentence.trim()).filter(sentence => sentence !== "");
}

/** Where the sentence ends that has an end mark at `i`; undefined: it is none. */
function sentenceEnd(block: string, i: number, start: number): number | undefined {
  const mark = block[i] ?? "";
  if (!/[.!?。！？]/.test(mark)) return undefined;
  let end = i + 1;
  while (end < block.length && /[.!?。！？]/.test(block[end] ?? "")) end += 1;
  while (end < block.length && CLOSING.test(block[end] ?? "")) end += 1;
  if (CJK_END.test(mark)) return end;
  // src/a.ts, 3.14, a?.b: no end without a space, but for Chinese that goes on at once.
  const after = block.slice(end, end + 1);
  if (after !== "" && after !== " ") return undefined;
  const next = block.slice(end).trimStart().slice(0, 1);
  const isLower = next !== "" && /\p{Ll}/u.test(next);
  const upToHere = block.slice(start, i + 1);
  if (mark === "." && ABBREVIATION.test(upToHere)) return undefined;
  if (isLower && (/\betc\.$/i.test(upToHere) || block.slice(i, i + 2) === "..")) return undefined;
  return end;
}

// A rule holds on: always, never, must, don't, prefer and their Chinese kin. In doubt a sentence counts: one too many costs
// a line, one too few a wish.

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
export function findConstraint(sentence: string): number | undefined {
  if (PASTED.test(sentence)) return undefined;
  if (/[?？]["'”’）)]*$/.test(sentence) && !POLITE_QUESTION.test(sentence)) return undefined;
  const places = [...ENGLISH, ...CHINESE].map(word => sentence.search(word)).filter(at => at >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}
