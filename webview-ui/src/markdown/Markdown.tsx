import { memo, useRef } from "react";
import { type Block, type Blocks, noBlocks, readBlocks } from "./blocks";
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
  return renderToken(block);
});
