import type { MarkedToken, Token } from "marked";
import { memo, useRef } from "react";
import { boundedLex } from "./boundedLexer";
import { renderToken } from "./render";

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

const MarkdownBlock = memo(function MarkdownBlock({ block }: { block: Block }) {
  return <>{renderToken(block)}</>;
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
 * stand behind it: by then no line to come can join it (a list goes on after a blank line).
 */
export function readBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  const goesOn = text.startsWith(before.text);
  const start = goesOn ? before : noBlocks;
  const read = boundedLex(text.slice(start.doneChars)) as Block[];
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

function finishedCount(read: readonly Token[]): number {
  let solid = 0;
  for (let index = read.length - 1; index >= 0; index -= 1) {
    if (read[index]?.type !== "space") solid += 1;
    if (solid === 3) return index + 1;
  }
  return 0;
}
