import { usePanel, usePanelState } from "../hooks";
import { isSummarised } from "../store/compactions";
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
      {item.steer ? null : <Pin turn={item.turn} />}
    </div>
  );
}

/** Whether compactions leave this round as it is. Nothing where a summary has its place already. */
function Pin({ turn }: { turn: number }) {
  const panel = usePanel();
  const pinned = usePanelState(state => state.session.pins.includes(turn));
  const possible = usePanelState(({ session }) => !session.readOnly && !isSummarised(session, turn));
  if (!possible) return null;
  // One element for both: the focus stays on it.
  return (
    <button
      type="button"
      className={pinned ? "pinned" : "icon-button pin"}
      aria-label={pinned ? "Unpin this round" : "Pin this round"}
      title={
        pinned
          ? "Compactions leave this round as it is. Click to let them summarise it"
          : "Pin: compactions then leave this message, and what was done for it, as they are"
      }
      onClick={() => panel.pin(turn, !pinned)}
    >
      {pinned ? (
        <>
          <Icon name="pinned" /> Pinned: no compaction summarises this
        </>
      ) : (
        <Icon name="pin" />
      )}
    </button>
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
