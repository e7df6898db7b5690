import type { MarkedToken, Token } from "marked";
import { memo, useRef } from "react";
import { t } from "../../../src/shared/l10n";
import { sizeText } from "../text/format";
import { boundedLex } from "./boundedLexer";
import { renderInline, renderToken } from "./render";

/** Markdown as elements. While its text grows only the blocks at its end are read and rendered again. */
export function Markdown({ text }: { text: string }) {
  const last = useRef<Blocks>(noBlocks);
  last.current = readBlocks(last.current, text);
  return (
    <div className="markdown">
      {last.current.blocks.map((block, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a text grows at its end, so a block's place is its identity
        block.type === "space" ? null : <MarkdownBlock key={index} block={block} />,
      )}
    </div>
  );
}

/** One line of Markdown within other text, as a todo is. */
export const InlineMarkdown = ({ text }: { text: string }) => <>{renderInline(text)}</>;

/** characters; a longer block takes the browser so long to lay out that the panel freezes */
const MAX_BLOCK = 100_000;
/** characters that are drawn of a longer one: it can be copied and opened whole */
const MAX_DRAWN = 5_000;

const MarkdownBlock = memo(function MarkdownBlock({ block }: { block: Block }) {
  if (block.raw.length <= MAX_BLOCK) return <>{renderToken(block)}</>;
  const size = sizeText(block.raw.length);
  return (
    <div data-cut="">
      <pre className="cut-block">{block.raw.slice(0, MAX_DRAWN)}…</pre>
      <p className="quiet">
        {t("Only the beginning of these {0} is shown. Open the answer as Markdown to read all of it.", size)}
      </p>
    </div>
  );
});

type Block = MarkedToken;

export interface Blocks {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** how many of them are finished, and how many characters they take */
  readonly done: number;
  readonly doneChars: number;
}

export const noBlocks: Blocks = { text: "", blocks: [], done: 0, doneChars: 0 };

/**
 * The blocks of `text`; one that did not change is the same object, so that only the block that grows renders again. Where
 * `text` continues the text before it, only what follows its finished blocks is read. A block is finished when two more
 * stand behind it: by then no line to come can join it (a list may continue after a blank line).
 */
export function readBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  const goesOn = text.startsWith(before.text);
  const start = goesOn ? before : noBlocks;
  const read = lexBlocks(text.slice(start.doneChars));
  const finished = read.slice(0, finishedCount(read));
  const doneChars = start.doneChars + finished.reduce((chars, block) => chars + block.raw.length, 0);
  // marked changes line ends and tabs of some blocks; if its pieces do not add up, the next reading starts afresh
  const addsUp = text.slice(start.doneChars, doneChars) === finished.map(block => block.raw).join("");
  const previous = before.blocks.slice(start.done);
  const blocks = read.map((block, index) => (previous[index]?.raw === block.raw ? previous[index] : block));
  const all = [...before.blocks.slice(0, start.done), ...blocks];
  if (!addsUp) return { text, blocks: all, done: 0, doneChars: 0 };
  return { text, blocks: all, done: start.done + finished.length, doneChars };
}

/** A line that grows and grows is not read again and again: only its beginning is drawn. */
function lexBlocks(text: string): Block[] {
  if (text.length > MAX_BLOCK && !text.includes("\n")) return [{ type: "paragraph", raw: text, text, tokens: [] }];
  return boundedLex(text) as Block[];
}

function finishedCount(read: readonly Token[]): number {
  let solid = 0;
  for (let index = read.length - 1; index >= 0; index -= 1) {
    if (read[index]?.type !== "space") solid += 1;
    if (solid === 3) return index + 1;
  }
  return 0;
}
