import { memo, type ReactNode } from "react";
import type { Item, ItemKind, ItemOf } from "../store/items";
import type { Chunk } from "../store/state";
import { Answer } from "./Answer";
import { Attempt } from "./Attempt";
import { CompactionMark } from "./CompactionMark";
import { Icon } from "./Icon";
import { ToolCard } from "./ToolCard";
import { TurnEnd } from "./TurnEnd";
import { UserMessage } from "./UserMessage";

type ItemTable = { [K in ItemKind]: (props: { item: ItemOf<K> }) => ReactNode };

const table: ItemTable = {
  user: ({ item }) => <UserMessage item={item} />,
  answer: ({ item }) => <Answer item={item} />,
  attempt: ({ item }) => <Attempt item={item} />,
  tool: ({ item }) => <ToolCard tool={item} />,
  note: ({ item }) => (
    <div className={`note ${item.level}`}>
      <Icon name={item.level} />
      <span className="note-text">{item.text}</span>
    </div>
  ),
  image: ({ item }) => (
    <div className="note">
      <Icon name="file-media" />
      <span className="note-text">Image {item.name}</span>
    </div>
  ),
  end: ({ item }) => <TurnEnd item={item} />,
  compaction: ({ item }) => <CompactionMark item={item} />,
};

const ItemView = memo(function ItemView({ item }: { item: Item }) {
  const Row = table[item.kind] as (props: { item: Item }) => ReactNode;
  return <Row item={item} />;
});

/** Neighbouring items; the browser skips chunks that are out of sight (`content-visibility`). */
export const ChunkView = memo(function ChunkView({ chunk }: { chunk: Chunk }) {
  return (
    <div className="chunk">
      {chunk.items.map(item => (
        <ItemView key={item.key} item={item} />
      ))}
    </div>
  );
});
