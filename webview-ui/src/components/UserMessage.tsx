import type { UserItem } from "../store/state";
import { Icon } from "./Icon";

/** CONTEXT.md, section 9: mentions, with quotes and line ranges; not after a letter or digit. */
const mention = /(?<![\p{L}\p{N}])@(?:"[^"\n]+"|[\w./:-]*[\w/-])/gu;

/** What the user wrote, as typed; mentions stand out. */
export function UserMessage({ item }: { item: UserItem }) {
  return (
    <div className="user">
      {item.steer ? <span className="visually-hidden">Sent while working: </span> : null}
      <div className="user-text">{withMentions(item.text)}</div>
      {item.files.map(file => (
        <span key={file} className="chip">
          <Icon name="file-media" /> {file}
        </span>
      ))}
    </div>
  );
}

function withMentions(text: string) {
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(mention)) {
    pieces.push(text.slice(from, match.index));
    pieces.push(
      <span key={match.index} className="mention">
        {match[0]}
      </span>,
    );
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
