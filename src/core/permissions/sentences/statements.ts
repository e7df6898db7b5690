/** The sentences of a rules file: plain, and each with the words above that it has to be read with. Pure, in linear time. */
import { fenceAfter } from "../../../shared/fences";
import { oneLine } from "../../ground/text/format";
import type { SentenceForms } from "./forms";

interface Statement {
  /** for people and settings: "Never do: push to main" */
  said: string;
  /** where its form is looked up; absent: it is an example, a quotation, or holds under a condition only */
  read?: string | undefined;
}

/** A title, a paragraph or an item of a list; its depth says which are above. */
interface Passage {
  depth: number;
  text: string;
  above: readonly Passage[];
}
const PARAGRAPH = 7;

/** Of one file, and characters of one sentence: no form has a longer one. */
const MAX_STATEMENTS = 2_000;
const MAX_SENTENCE = 400;

export function statementsOf(text: string, forms: SentenceForms): Statement[] {
  const all = blocksOf(text).flatMap(each => inSentences(each, forms));
  return all.slice(0, MAX_STATEMENTS).map(({ said, read }, at) => {
    // The next one may take some back.
    const isLimited = forms.one.exception.test(all[at + 1]?.said ?? "") || said.length > MAX_SENTENCE;
    return { said: oneLine(said, MAX_SENTENCE), read: isLimited ? undefined : read };
  });
}

/** No code but commands to be run, no quotations, no tables. */
function blocksOf(text: string): Passage[] {
  const blocks: Passage[] = [];
  let [above, fence, open]: [Passage[], string | undefined, Passage | undefined] = [[], undefined, undefined];
  const lines = text.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const before = fence;
    fence = fenceAfter(before, line);
    const begun = /^(?:(#{1,6})|(\s*)(?:[-*+]|\d{1,3}[.)])(?:\s+\[[ xX]\])?)\s+(.*)$/.exec(line);
    if (before !== undefined || fence !== undefined || /^\s*(?:[>|]|$)/.test(line)) {
      if (before !== undefined && fence !== undefined) goOn(blocks.at(-1), line.trim());
      open = undefined;
    } else if (!begun && open) open.text += ` ${line.trim()}`;
    else if (begun || above.at(-1)?.depth !== PARAGRAPH || !/^(?: {4}|\t)/.test(line)) {
      const [, title, space = "", words = line.trim()] = begun ?? [];
      const depth = title?.length ?? (begun ? PARAGRAPH + 1 + space.length : PARAGRAPH);
      above = above.filter(block => block.depth < depth);
      const block = { depth, text: words, above };
      open = title === undefined ? block : undefined;
      if (open) blocks.push(block);
      above = [...above, block];
    }
  }
  return blocks;
}

/** "Before you commit, run:" has the commands below as its end. */
function goOn(asking: Passage | undefined, command: string): void {
  if (!asking || command === "" || /^#|`/.test(command) || asking.text.length > MAX_SENTENCE) return;
  const [, words] = /^(.*\b(?:run|execute)|.*(?:运行|执行))\s*[:：]$/is.exec(asking.text) ?? [];
  if (words !== undefined) asking.text = `${words} \`${command}\``;
  else if (/(?:run|execute|运行|执行)(?:,? `[^`]*`){1,9}$/i.test(asking.text)) asking.text += `, \`${command}\``;
}

/** Read with the words above: "Never" makes of "push to main" what it means; under other conditions nothing is read. */
function inSentences({ text, above }: Passage, { one }: SentenceForms): Statement[] {
  const plain = withoutMarks(text);
  // Of the same length: quotations cannot be read.
  const quiet = plain.replace(/"[^"]*"|“[^“”]*”|「[^「」]*」|~~[^~]+~~/g, found => "❞".repeat(found.length));
  const led = one.label.exec(quiet)?.groups?.label;
  const label = led !== undefined && (!one.startsNever.test(led) || one.neverHead.test(led)) ? led : undefined;
  const leads = above.filter(block => block.depth !== PARAGRAPH || /[:：]\W{0,4}$/.test(block.text));
  const heads = [...leads.map(block => withoutMarks(block.text)), ...(label === undefined ? [] : [label])].map(each =>
    each.slice(0, MAX_SENTENCE).replace(/(?<![:：.!\s])[:：.!\s]+$/, ""),
  );
  const head = heads.at(-1) ?? "";
  const kind = [one.momentHead, one.askHead, one.neverHead].find(each => each.test(head));
  const others = kind ? heads.slice(0, -1) : heads;
  const isOwn = kind !== undefined || label === undefined || one.neutral.test(head);
  const isScoped = !isOwn || others.some(each => one.scoped.test(each.replace(one.audience, "")));
  const lead =
    kind === one.momentHead ? `${head},` : kind === one.askHead ? "ask before" : head.replace(one.headTail, "");
  const uncoded = quiet.replace(/`[^`]*`/g, found => "c".repeat(found.length));
  const ends = uncoded.matchAll(/(?<!\b(?:e\.g|i\.e|etc|vs)|[.!?])[.!?]+(?=\s|$)|[。！？；;]+/g);
  const at = [0, ...[...ends].map(end => end.index + end[0].length), plain.length];
  return at.slice(1).flatMap((end, place) => {
    const from = at[place] ?? 0;
    const said = trimmed(plain.slice(from, end));
    if (!/\p{L}{2}|`/u.test(said)) return [];
    const own = trimmed(quiet.slice(from === 0 && label !== undefined ? label.length + 1 : from, end));
    if (isScoped || kind === undefined || from > 0) return [{ said, read: isScoped ? undefined : own }];
    const read = `${lead} ${own.slice(0, 1).toLowerCase()}${own.slice(1)}`;
    return [
      { said: label === undefined ? `${head}: ${said}` : said, read: one.startsNever.test(own) ? undefined : read },
    ];
  });
}

const trimmed = (text: string) => text.trim().replace(/(?<![;；\s])[;；\s]+$/, "");

/** Without emphasis, links and pictures; code stays. */
const withoutMarks = (text: string): string =>
  text
    .replace(/(`[^`]*`)|\[([^\][]*)\]\([^()]*\)|\*+|(?<!\w)_+|_+(?!\w)|\p{Extended_Pictographic}|\ufe0f/gu, "$1$2")
    .replace(/\s+/g, " ")
    .trim();
